//! Leaves of an index with few different values: each new entry goes to the end of its value's entries.

use crate::tree::NodeRule;
use spindle_units::chance::Chance;

/// Entries of one value in a leaf.
#[derive(Debug, Clone, Copy)]
struct Group {
    value: u32,
    records: u32,
}

#[derive(Debug, Clone, Default)]
struct Leaf {
    groups: Vec<Group>,
    records: u32,
    /// The value whose end the last insert went to, which is where the next one of it would go.
    last_insert: Option<u32>,
}

impl Leaf {
    fn of(groups: Vec<Group>) -> Self {
        let records = groups.iter().map(|g| g.records).sum();
        Self { groups, records, last_insert: None }
    }

    fn insert(&mut self, value: u32) {
        match self.groups.binary_search_by_key(&value, |g| g.value) {
            Ok(at) => self.groups[at].records += 1,
            Err(at) => self.groups.insert(at, Group { value, records: 1 }),
        }
        self.records += 1;
        self.last_insert = Some(value);
    }

    /// Takes the entries from the `keep`-th on out.
    fn split_off(&mut self, keep: u32) -> Self {
        let (mut left, mut right, mut passed) = (Vec::new(), Vec::new(), 0);
        for group in &self.groups {
            let stays = group.records.min(u32::saturating_sub(keep, passed));
            passed += group.records;
            if stays > 0 {
                left.push(Group { records: stays, ..*group });
            }
            if stays < group.records {
                right.push(Group { records: group.records - stays, ..*group });
            }
        }
        *self = Self::of(left);
        Self::of(right)
    }

    /// Entries up to the end of `value`'s.
    fn up_to(&self, value: u32) -> u32 {
        self.groups.iter().take_while(|g| g.value <= value).map(|g| g.records).sum()
    }
}

/// Values that are still told apart; more of them fill leaves as random keys do.
const VALUES_MAX: u64 = 1 << 20;

/// Leaves after `rows` entries of `values` different values have arrived in random order of values. An insert next to
/// the last one splits the leaf there and keeps one record behind it (`btr_page_get_split_rec_to_right`); others
/// split it in the middle.
pub(crate) fn grouped_leaves(rows: u64, values: u64, rule: &NodeRule, chance: &mut Chance) -> u64 {
    let values = values.clamp(1, VALUES_MAX);
    let mut leaves = vec![Leaf::default()];
    for _ in 0..rows {
        let value = chance.below(values) as u32;
        // The last leaf that begins with this value or one before it.
        let at = leaves
            .partition_point(|leaf| leaf.groups.first().is_some_and(|g| g.value <= value))
            .saturating_sub(1);
        let leaf = &mut leaves[at];
        if leaf.records < rule.leaf_max {
            leaf.insert(value);
            continue;
        }
        let behind = leaf.records - leaf.up_to(value);
        let adjacent = rule.splits_at_insert_point && leaf.last_insert == Some(value);
        let keep = match (adjacent, behind) {
            (true, 0 | 1) => leaf.records,
            (true, behind) => leaf.records - behind + 1,
            (false, _) => leaf.records.div_ceil(2),
        };
        let mut right = leaf.split_off(keep);
        let to_right = right.groups.first().is_none_or(|g| g.value <= value);
        if to_right {
            right.insert(value)
        } else {
            leaf.insert(value)
        }
        leaves.insert(at + 1, right);
    }
    leaves.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::random_leaves;

    fn rule(splits_at_insert_point: bool) -> NodeRule {
        NodeRule {
            leaf_max: 100,
            leaf_reserve_from: 100,
            splits_at_insert_point,
            leaf_sequential: 100,
            leaf_built: 95,
            inner_max: 100,
            inner_fill_random: 0.65,
            inner_fill_ordered: 0.95,
        }
    }

    #[test]
    fn many_values_fill_leaves_as_random_keys_do() {
        let many = grouped_leaves(50_000, 1 << 20, &rule(false), &mut Chance::new(1, 1)) as f64;
        let random = random_leaves(50_000, &rule(false), &mut Chance::new(1, 1)).len() as f64;
        assert!((many / random - 1.0).abs() < 0.05, "{many} {random}");
    }

    #[test]
    fn one_value_fills_leaves_in_order() {
        let leaves = grouped_leaves(10_000, 1, &rule(true), &mut Chance::new(1, 1));
        assert_eq!(leaves, 100);
    }
}
