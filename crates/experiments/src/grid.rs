//! Cases that differ along axes: every combination of the axes' values is one.

use crate::card::Case;
use serde::{Deserialize, Serialize};
use spindle_scenario::merge;
use toml::Table;

/// A family of cases: one for each combination of the values of its axes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// What the names of its cases begin with.
    pub id: String,
    /// A line for people; those of the values follow it.
    pub title: String,
    /// The parts every case begins with.
    pub parts: Vec<String>,
    /// What varies; the last axis varies fastest.
    pub axes: Vec<GridAxis>,
}

/// Something that varies between the cases of a grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridAxis {
    /// What it is, with its unit: it names the axis of a chart.
    pub name: String,
    /// Its values.
    pub values: Vec<GridValue>,
}

/// One value of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GridValue {
    /// Its part of a case's name: letters and digits, no `-`.
    pub id: String,
    /// A word or two for people.
    pub title: String,
    /// Where it stands on the axis of a chart, in the unit of the axis' name; none where the values are kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Parts it adds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<String>,
    /// What it sets over the parts.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub set: Table,
}

impl Grid {
    /// The name of the case with these values.
    pub fn case_id(&self, values: &[&GridValue]) -> String {
        let names = values.iter().map(|value| value.id.as_str());
        std::iter::once(self.id.as_str()).chain(names).collect::<Vec<_>>().join("-")
    }

    /// Its cases, the last axis varying fastest.
    pub fn cases(&self) -> Vec<Case> {
        self.combinations().iter().map(|values| self.case(values)).collect()
    }

    /// Every combination of values, one of each axis.
    pub fn combinations(&self) -> Vec<Vec<&GridValue>> {
        self.axes.iter().fold(vec![Vec::new()], |before, axis| {
            let with = |values: &Vec<_>, value| values.iter().copied().chain([value]).collect();
            before.iter().flat_map(|values| axis.values.iter().map(|v| with(values, v))).collect()
        })
    }

    fn case(&self, values: &[&GridValue]) -> Case {
        let titles = values.iter().map(|value| value.title.as_str());
        let mut set = Table::new();
        values.iter().for_each(|value| merge(&mut set, &value.set));
        Case {
            id: self.case_id(values),
            title: std::iter::once(self.title.as_str()).chain(titles).collect::<Vec<_>>().join(", "),
            parts: self.parts.iter().chain(values.iter().flat_map(|value| &value.parts)).cloned().collect(),
            set,
        }
    }
}

/// What the stars of a pattern stand for in a case's name, or none where the name does not fit. Names are words between
/// `-`, and a star stands for one word.
pub(crate) fn stars<'a>(pattern: &str, id: &'a str) -> Option<Vec<&'a str>> {
    let (wanted, words) = (pattern.split('-'), id.split('-'));
    if wanted.clone().count() != words.clone().count() {
        return None;
    }
    let mut stars = Vec::new();
    for (wanted, word) in wanted.zip(words) {
        match wanted {
            "*" => stars.push(word),
            _ if wanted == word => {}
            _ => return None,
        }
    }
    Some(stars)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(id: &str) -> GridValue {
        GridValue { id: id.into(), title: id.into(), at: None, parts: vec![id.into()], set: Table::new() }
    }

    #[test]
    fn a_grid_has_a_case_for_each_combination_and_the_last_axis_varies_fastest() {
        let axis = |name: &str, ids: &[&str]| GridAxis {
            name: name.into(),
            values: ids.iter().map(|id| value(id)).collect(),
        };
        let grid = Grid {
            id: "g".into(),
            title: "Grid".into(),
            parts: vec!["base".into()],
            axes: vec![axis("drive", &["a", "s"]), axis("threads", &["1", "4", "8"])],
        };
        let cases = grid.cases();
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids, ["g-a-1", "g-a-4", "g-a-8", "g-s-1", "g-s-4", "g-s-8"]);
        assert_eq!(cases[4].parts, ["base", "s", "4"]);
        assert_eq!(cases[4].title, "Grid, s, 4");
    }

    #[test]
    fn a_star_stands_for_one_word() {
        assert_eq!(stars("g-a-*-8", "g-a-ext4-8"), Some(vec!["ext4"]));
        assert_eq!(stars("g-*-*", "g-a"), None);
        assert_eq!(stars("g-a", "g-b"), None);
        assert_eq!(stars("g-a", "g-a"), Some(vec![]));
    }
}
