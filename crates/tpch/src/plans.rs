//! The plans there are: one file a query and engine.

use crate::plan::{Plan, PlanError};

/// Queries of TPC-H, 1 to 22.
pub const QUERIES: std::ops::RangeInclusive<u8> = 1..=22;

/// Whose plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanSet {
    /// MariaDB 10.11 with the switches of an optimiser of 2013.
    Mariadb,
    /// MySQL 5.6.
    Mysql56,
}

macro_rules! plans {
    ($($set:literal $number:literal),* $(,)?) => {
        &[$(($set, $number, include_str!(concat!("../plans/", $set, "/q", $number, ".plan")))),*]
    };
}

const PLANS: &[(&str, &str, &str)] = plans![
    "mysql-5.6" "01",
    "mysql-5.6" "02",
    "mysql-5.6" "03",
    "mysql-5.6" "04",
    "mysql-5.6" "05",
    "mysql-5.6" "06",
    "mysql-5.6" "07",
    "mysql-5.6" "08",
    "mysql-5.6" "09",
    "mysql-5.6" "10",
    "mysql-5.6" "11",
    "mysql-5.6" "12",
    "mysql-5.6" "13",
    "mysql-5.6" "14",
    "mysql-5.6" "15",
    "mysql-5.6" "16",
    "mysql-5.6" "17",
    "mysql-5.6" "18",
    "mysql-5.6" "19",
    "mysql-5.6" "20",
    "mysql-5.6" "21",
    "mysql-5.6" "22",
    "mariadb-10.11" "10",
    "mariadb-10.11" "18",
];

impl PlanSet {
    /// All sets there are.
    pub const ALL: [Self; 2] = [Self::Mariadb, Self::Mysql56];

    /// The name in scenarios.
    pub fn name(self) -> &'static str {
        self.folders()[0]
    }

    /// The set of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.name() == name)
    }

    /// The plans that fit an engine's profile, if there are any.
    pub fn of_profile(profile: &str) -> Option<Self> {
        match profile {
            "mariadb-10.11" => Some(Self::Mariadb),
            "innodb-5.6" => Some(Self::Mysql56),
            _ => None,
        }
    }

    fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Mariadb => &["mariadb-10.11", "mysql-5.6"],
            Self::Mysql56 => &["mysql-5.6"],
        }
    }

    /// The plan of a query, 1 to 22.
    ///
    /// # Errors
    /// A query there is no plan of, or a plan that cannot be read.
    pub fn plan(self, query: u8) -> Result<Plan, PlanError> {
        let number = format!("{query:02}");
        let text = self.folders().iter().find_map(|folder| {
            PLANS.iter().find(|(set, of, _)| set == folder && *of == number).map(|(.., text)| *text)
        });
        let missing =
            || PlanError { line: 0, problem: format!("no plan of query {query}; 1 to 22 expected") };
        Plan::read(text.ok_or_else(missing)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Database, Storing, execute};

    #[test]
    fn every_plan_can_be_carried_out_and_says_its_source() {
        let database = Database::new(0.002);
        for set in PlanSet::ALL {
            for query in QUERIES {
                let plan = set.plan(query).unwrap_or_else(|error| panic!("Q{query}: {error}"));
                assert!(!plan.source.is_empty(), "Q{query}");
                let found = execute(&plan, &database, Storing { clustered: true });
                let execution = found.unwrap_or_else(|error| panic!("Q{query}: {error}"));
                assert!(!execution.accesses.steps.is_empty(), "Q{query}");
            }
        }
    }

    #[test]
    fn a_query_there_is_none_of_is_refused() {
        assert!(PlanSet::Mysql56.plan(23).is_err());
    }
}
