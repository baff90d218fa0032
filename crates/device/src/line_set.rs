//! A set of line numbers that is asked for its next member from some place on: a bit for each line, and a bit for each
//! word that holds any.

/// Line numbers in order.
#[derive(Debug, Default)]
pub(crate) struct LineSet {
    words: Vec<u64>,
    summary: Vec<u64>,
    length: usize,
}

impl LineSet {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Adds a line; `false` where it was there.
    pub(crate) fn insert(&mut self, line: u64) -> bool {
        let (word, bit) = ((line / 64) as usize, 1 << (line % 64));
        if word >= self.words.len() {
            let words = (word + 1).next_power_of_two();
            self.words.resize(words, 0);
            self.summary.resize(words.div_ceil(64), 0);
        }
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.summary[word / 64] |= 1 << (word % 64);
        self.length += usize::from(fresh);
        fresh
    }

    /// Takes a line out; `false` where it was not there.
    pub(crate) fn remove(&mut self, line: u64) -> bool {
        let (word, bit) = ((line / 64) as usize, 1 << (line % 64));
        if !self.contains(line) {
            return false;
        }
        self.words[word] &= !bit;
        if self.words[word] == 0 {
            self.summary[word / 64] &= !(1 << (word % 64));
        }
        self.length -= 1;
        true
    }

    pub(crate) fn contains(&self, line: u64) -> bool {
        self.words.get((line / 64) as usize).is_some_and(|word| word & (1 << (line % 64)) != 0)
    }

    /// The least member that is not below `from`.
    pub(crate) fn next(&self, from: u64) -> Option<u64> {
        let word = (from / 64) as usize;
        let rest = self.words.get(word)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(word as u64 * 64 + u64::from(rest.trailing_zeros()));
        }
        let after = word + 1;
        let mut group = after / 64;
        let mut bits = self.summary.get(group)? & (u64::MAX << (after % 64));
        while bits == 0 {
            group += 1;
            bits = *self.summary.get(group)?;
        }
        let word = group * 64 + bits.trailing_zeros() as usize;
        Some(word as u64 * 64 + u64::from(self.words[word].trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::LineSet;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_an_ordered_set(steps in prop::collection::vec((any::<bool>(), 0u64..20_000), 1..300), from in 0u64..20_000) {
            let (mut set, mut model) = (LineSet::default(), BTreeSet::new());
            for (add, line) in steps {
                if add {
                    prop_assert_eq!(set.insert(line), model.insert(line));
                } else {
                    prop_assert_eq!(set.remove(line), model.remove(&line));
                }
                prop_assert_eq!(set.len(), model.len());
            }
            prop_assert_eq!(set.next(from), model.range(from..).next().copied());
        }
    }
}
