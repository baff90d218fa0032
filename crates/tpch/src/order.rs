//! The order of an index's entries: which row each entry points at, and where the entries of a key begin.

/// The entries of one index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexOrder {
    /// Rows in the order of the entries; none where that is the order of the rows themselves.
    rows: Option<Vec<u32>>,
    /// The first entry of each value of the first column, and behind the last one the number of entries.
    starts: Vec<u32>,
    /// The second column, by rows.
    second: Option<Vec<u32>>,
}

impl IndexOrder {
    /// The order by `first`, then by `second`, then by row.
    pub(crate) fn new(first: &[u32], second: Option<&[u32]>) -> Self {
        let values = first.iter().max().map_or(0, |most| *most as usize + 1);
        let mut starts = vec![0_u32; values + 1];
        for value in first {
            starts[*value as usize + 1] += 1;
        }
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        let mut next = starts.clone();
        let mut rows = vec![0_u32; first.len()];
        for (row, value) in (0..).zip(first) {
            let place = &mut next[*value as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        if let Some(second) = second {
            for span in starts.windows(2) {
                rows[span[0] as usize..span[1] as usize]
                    .sort_unstable_by_key(|row| (second[*row as usize], *row));
            }
        }
        let sorted = rows.is_sorted();
        Self { rows: (!sorted).then_some(rows), starts, second: second.map(<[u32]>::to_vec) }
    }

    /// The same order among the rows for which `here` holds.
    pub(crate) fn among(&self, here: impl Fn(u32) -> bool) -> Self {
        let mut rows = Vec::new();
        let mut starts = Vec::with_capacity(self.starts.len());
        for span in self.starts.windows(2) {
            starts.push(rows.len() as u32);
            rows.extend((span[0]..span[1]).map(|entry| self.row(entry)).filter(|row| here(*row)));
        }
        starts.push(rows.len() as u32);
        Self { rows: Some(rows), starts, second: self.second.clone() }
    }

    /// Entries.
    pub(crate) fn len(&self) -> u32 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The row of an entry.
    pub(crate) fn row(&self, entry: u32) -> u32 {
        self.rows.as_ref().map_or(entry, |rows| rows[entry as usize])
    }

    /// The first entry whose first column is at least `value`.
    pub(crate) fn first_from(&self, value: f64) -> u32 {
        let last = self.starts.len() - 1;
        self.starts[(value.ceil() as usize).min(last)]
    }

    /// The entries of a key: the first, and how many.
    pub(crate) fn entries(&self, first: f64, second: Option<f64>) -> (u32, u32) {
        let from = self.first_from(first);
        let to = self.first_from(first + 1.0);
        match (second, &self.second) {
            (Some(second), Some(values)) => {
                let value = |entry: u32| f64::from(values[self.row(entry) as usize]);
                let low = (from..to).find(|entry| value(*entry) >= second).unwrap_or(to);
                let high = (low..to).find(|entry| value(*entry) > second).unwrap_or(to);
                (low, high - low)
            }
            _ => (from, to - from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_row_is_found_by_its_key(rows in prop::collection::vec((0u32..20, 0u32..5), 1..200)) {
            let first: Vec<u32> = rows.iter().map(|(first, _)| *first).collect();
            let second: Vec<u32> = rows.iter().map(|(_, second)| *second).collect();
            let order = IndexOrder::new(&first, Some(&second));
            prop_assert_eq!(order.len() as usize, rows.len());
            for (row, (one, two)) in rows.iter().enumerate() {
                let (from, count) = order.entries(f64::from(*one), Some(f64::from(*two)));
                let found: Vec<u32> = (from..from + count).map(|entry| order.row(entry)).collect();
                prop_assert!(found.contains(&(row as u32)));
                prop_assert!(found.iter().all(|row| rows[*row as usize] == (*one, *two)));
            }
        }
    }

    #[test]
    fn a_key_that_is_not_there_has_no_entries() {
        let order = IndexOrder::new(&[0, 2, 2], None);
        assert_eq!(order.entries(1.0, None), (1, 0));
        assert_eq!(order.entries(7.0, None), (3, 0));
        assert_eq!(order.first_from(-3.0), 0);
    }
}
