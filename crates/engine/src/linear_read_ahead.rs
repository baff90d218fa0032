//! InnoDB's linear read-ahead: an extent that was read in its order brings the next one in.
//!
//! `buf_read_ahead_linear` of MySQL 5.6 and MariaDB: when the last page of an extent is used for the first time since it
//! came, and most pages of the extent were first used in their order, the extent of the page behind it is read without
//! anybody waiting.

use crate::{pages::PageId, pool::Frame};

/// Pages of an extent (`FSP_EXTENT_SIZE` at 16 KiB a page; `BUF_READ_AHEAD_AREA`).
pub const EXTENT_PAGES: u32 = 64;
/// Pages of an extent that must have been used in their order (`innodb_read_ahead_threshold`, 56 by default).
const THRESHOLD: u32 = 56;

/// Which pages were used since they came, and when for the first time.
#[derive(Debug, Default)]
pub struct LinearReadAhead {
    /// By frames: the page that was used there, and its turn.
    first_uses: Vec<(PageId, u32)>,
    turn: u32,
}

impl LinearReadAhead {
    /// Notes a use of a page; `true` where it is the first since the page came.
    pub fn note(&mut self, page: PageId, frame: Frame) -> bool {
        let at = frame as usize;
        if self.first_uses.len() <= at {
            self.first_uses.resize(at + 1, (PageId(u32::MAX), 0));
        }
        if self.first_uses[at].0 == page {
            return false;
        }
        self.turn = self.turn.wrapping_add(1);
        self.first_uses[at] = (page, self.turn);
        true
    }

    /// The page in `frame` is gone: one that comes again is used for the first time again.
    pub fn forget(&mut self, frame: Frame) {
        if let Some(use_of) = self.first_uses.get_mut(frame as usize) {
            use_of.0 = PageId(u32::MAX);
        }
    }

    /// Whether most pages of an extent were used in their order; `frames` are those that its pages are in.
    pub fn was_in_order(&self, pages: impl Iterator<Item = (PageId, Option<Frame>)>) -> bool {
        let (mut failed, mut last) = (0, None);
        for (page, frame) in pages {
            let used = frame.and_then(|frame| self.first_uses.get(frame as usize));
            match used.filter(|(of, _)| *of == page) {
                Some((_, turn)) if last.is_none_or(|last| last <= *turn) => last = Some(*turn),
                _ => failed += 1,
            }
            if failed > EXTENT_PAGES - THRESHOLD {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(order: impl Iterator<Item = u32>) -> bool {
        let mut ahead = LinearReadAhead::default();
        order.for_each(|page| {
            ahead.note(PageId(page), page);
        });
        ahead.was_in_order((0..EXTENT_PAGES).map(|page| (PageId(page), Some(page))))
    }

    #[test]
    fn an_extent_in_order_brings_the_next() {
        assert!(used(0..EXTENT_PAGES));
        assert!(used((0..EXTENT_PAGES).filter(|page| page % 10 != 3)), "a few pages may be missing");
        assert!(!used((0..EXTENT_PAGES).filter(|page| page % 4 != 3)));
        assert!(!used((0..EXTENT_PAGES).rev()));
        assert!(!used((0..EXTENT_PAGES).map(|page| page * 29 % EXTENT_PAGES)));
    }
}
