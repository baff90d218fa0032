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
    /// PostgreSQL 15 with its default `work_mem` of 4 MB.
    Postgresql15,
    /// PostgreSQL 15 with a `work_mem` of 64 MB.
    Postgresql15Wide,
    /// PostgreSQL 9.6 with its default `work_mem` of 4 MB and no parallel query, which is its default, too.
    Postgresql96,
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
    "postgresql-15" "01",
    "postgresql-15" "02",
    "postgresql-15" "03",
    "postgresql-15" "04",
    "postgresql-15" "05",
    "postgresql-15" "06",
    "postgresql-15" "07",
    "postgresql-15" "08",
    "postgresql-15" "09",
    "postgresql-15" "10",
    "postgresql-15" "11",
    "postgresql-15" "12",
    "postgresql-15" "13",
    "postgresql-15" "14",
    "postgresql-15" "15",
    "postgresql-15" "16",
    "postgresql-15" "17",
    "postgresql-15" "18",
    "postgresql-15" "19",
    "postgresql-15" "20",
    "postgresql-15" "21",
    "postgresql-15" "22",
    "postgresql-15-64mb" "03",
    "postgresql-15-64mb" "05",
    "postgresql-15-64mb" "09",
    "postgresql-15-64mb" "10",
    "postgresql-15-64mb" "12",
    "postgresql-15-64mb" "18",
    "postgresql-9.6" "07",
    "postgresql-9.6" "10",
];

impl PlanSet {
    /// All sets there are.
    pub const ALL: [Self; 5] =
        [Self::Mariadb, Self::Mysql56, Self::Postgresql15, Self::Postgresql15Wide, Self::Postgresql96];

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
            "postgresql-15" => Some(Self::Postgresql15),
            _ => None,
        }
    }

    fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Mariadb => &["mariadb-10.11", "mysql-5.6"],
            Self::Mysql56 => &["mysql-5.6"],
            Self::Postgresql15 => &["postgresql-15"],
            Self::Postgresql15Wide => &["postgresql-15-64mb", "postgresql-15"],
            Self::Postgresql96 => &["postgresql-9.6", "postgresql-15"],
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
                let clustered = matches!(set, PlanSet::Mariadb | PlanSet::Mysql56);
                let found = execute(&plan, &database, Storing { clustered, ..Storing::default() });
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
