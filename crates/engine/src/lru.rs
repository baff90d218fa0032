//! Lists of frames in the order of their use: the piece all replacement policies are made of.

/// No frame.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Link {
    newer: u32,
    older: u32,
}

/// Links for all frames; a frame is in at most one list of a set of links at a time.
#[derive(Debug)]
pub(crate) struct Links(Vec<Link>);

/// One list, newest first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    pub(crate) newest: u32,
    pub(crate) oldest: u32,
    pub(crate) length: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { newest: NONE, oldest: NONE, length: 0 }
    }
}

impl Links {
    pub(crate) fn new(frames: usize) -> Self {
        Self(vec![Link { newer: NONE, older: NONE }; frames])
    }

    /// The frame used just after `frame`.
    pub(crate) fn newer(&self, frame: u32) -> u32 {
        self.0[frame as usize].newer
    }

    /// The frame used just before `frame`.
    pub(crate) fn older(&self, frame: u32) -> u32 {
        self.0[frame as usize].older
    }

    pub(crate) fn push_newest(&mut self, list: &mut List, frame: u32) {
        self.insert_older_than(list, NONE, frame);
    }

    /// Puts `frame` just behind `place`, or in front of all where `place` is `NONE`.
    pub(crate) fn insert_older_than(&mut self, list: &mut List, place: u32, frame: u32) {
        let older = if place == NONE { list.newest } else { self.0[place as usize].older };
        self.0[frame as usize] = Link { newer: place, older };
        match place {
            NONE => list.newest = frame,
            p => self.0[p as usize].older = frame,
        }
        match older {
            NONE => list.oldest = frame,
            o => self.0[o as usize].newer = frame,
        }
        list.length += 1;
    }

    pub(crate) fn remove(&mut self, list: &mut List, frame: u32) {
        let Link { newer, older } = self.0[frame as usize];
        match newer {
            NONE => list.newest = older,
            n => self.0[n as usize].older = older,
        }
        match older {
            NONE => list.oldest = newer,
            o => self.0[o as usize].newer = newer,
        }
        list.length -= 1;
    }
}
