//! Page numbers: every page of every file has one number, and no content.

/// A page of the database. Numbers are dense from 0, so tables indexed by them stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u32);

/// A file of the engine. The host gives it a place on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

#[derive(Debug, Clone, Copy)]
struct Place {
    file: FileId,
    number: u32,
}

/// Which file a page is in, and where. Pages are handed out in order within each file.
#[derive(Debug, Default)]
pub struct PageSpace {
    places: Vec<Place>,
    /// The pages of each file in order.
    files: Vec<Vec<PageId>>,
}

impl PageSpace {
    /// Adds an empty file.
    pub fn add_file(&mut self) -> FileId {
        self.files.push(Vec::new());
        FileId((self.files.len() - 1) as u16)
    }

    /// The next page of `file`.
    pub fn allocate(&mut self, file: FileId) -> PageId {
        let pages = &mut self.files[usize::from(file.0)];
        let page = PageId(self.places.len() as u32);
        self.places.push(Place { file, number: pages.len() as u32 });
        pages.push(page);
        page
    }

    /// The file of a page and the page's number in it.
    pub fn place(&self, page: PageId) -> (FileId, u32) {
        let place = self.places[page.0 as usize];
        (place.file, place.number)
    }

    /// Pages of a file so far.
    pub fn length(&self, file: FileId) -> u32 {
        self.files[usize::from(file.0)].len() as u32
    }

    /// The pages that lie in the same aligned run of `run` pages of a file as `page`, itself included.
    pub fn neighbours(&self, page: PageId, run: u32) -> &[PageId] {
        let place = self.places[page.0 as usize];
        let pages = &self.files[usize::from(place.file.0)];
        let from = (place.number / run * run) as usize;
        &pages[from..pages.len().min(from + run as usize)]
    }

    /// Files so far.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// Pages of all files so far.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no page at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
