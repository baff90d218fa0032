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
    /// PostgreSQL 9.6 over terabytes, which no index look-up of many rows can read in time.
    Postgresql96Large,
    /// Postgres-XL 9.5 over terabytes, with the distribution of the card postgres-xl-2015.
    PostgresXl95,
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
    "postgresql-9.6-large" "01",
    "postgresql-9.6-large" "02",
    "postgresql-9.6-large" "03",
    "postgresql-9.6-large" "04",
    "postgresql-9.6-large" "05",
    "postgresql-9.6-large" "06",
    "postgresql-9.6-large" "07",
    "postgresql-9.6-large" "08",
    "postgresql-9.6-large" "09",
    "postgresql-9.6-large" "10",
    "postgresql-9.6-large" "11",
    "postgresql-9.6-large" "12",
    "postgresql-9.6-large" "13",
    "postgresql-9.6-large" "14",
    "postgresql-9.6-large" "15",
    "postgresql-9.6-large" "16",
    "postgresql-9.6-large" "17",
    "postgresql-9.6-large" "18",
    "postgresql-9.6-large" "19",
    "postgresql-9.6-large" "20",
    "postgresql-9.6-large" "21",
    "postgresql-9.6-large" "22",
    "postgres-xl-9.5" "01",
    "postgres-xl-9.5" "02",
    "postgres-xl-9.5" "03",
    "postgres-xl-9.5" "04",
    "postgres-xl-9.5" "05",
    "postgres-xl-9.5" "06",
    "postgres-xl-9.5" "07",
    "postgres-xl-9.5" "08",
    "postgres-xl-9.5" "09",
    "postgres-xl-9.5" "10",
    "postgres-xl-9.5" "11",
    "postgres-xl-9.5" "12",
    "postgres-xl-9.5" "13",
    "postgres-xl-9.5" "14",
    "postgres-xl-9.5" "15",
    "postgres-xl-9.5" "16",
    "postgres-xl-9.5" "17",
    "postgres-xl-9.5" "18",
    "postgres-xl-9.5" "19",
    "postgres-xl-9.5" "20",
    "postgres-xl-9.5" "21",
    "postgres-xl-9.5" "22",
];

impl PlanSet {
    /// All sets there are.
    pub const ALL: [Self; 7] = [
        Self::Mariadb,
        Self::Mysql56,
        Self::Postgresql15,
        Self::Postgresql15Wide,
        Self::Postgresql96,
        Self::Postgresql96Large,
        Self::PostgresXl95,
    ];

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
            "postgresql-9.6" => Some(Self::Postgresql96),
            "postgres-xl-9.5" => Some(Self::PostgresXl95),
            _ => None,
        }
    }

    /// Whether rows cross between the nodes of a cluster.
    pub fn is_of_cluster(self) -> bool {
        self == Self::PostgresXl95
    }

    fn folders(self) -> &'static [&'static str] {
        match self {
            Self::Mariadb => &["mariadb-10.11", "mysql-5.6"],
            Self::Mysql56 => &["mysql-5.6"],
            Self::Postgresql15 => &["postgresql-15"],
            Self::Postgresql15Wide => &["postgresql-15-64mb", "postgresql-15"],
            Self::Postgresql96 => &["postgresql-9.6", "postgresql-15"],
            Self::Postgresql96Large => &["postgresql-9.6-large"],
            Self::PostgresXl95 => &["postgres-xl-9.5"],
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
    use crate::{Database, Placement, Storing, execute_on};

    #[test]
    fn every_plan_can_be_carried_out_and_says_its_source() {
        let database = Database::new(0.002);
        for set in PlanSet::ALL {
            for query in QUERIES {
                let plan = set.plan(query).unwrap_or_else(|error| panic!("Q{query}: {error}"));
                assert!(!plan.source.is_empty(), "Q{query}");
                let clustered = matches!(set, PlanSet::Mariadb | PlanSet::Mysql56);
                let placement = set.is_of_cluster().then(|| Placement::of_article(4));
                let storing = Storing { clustered, ..Storing::default() };
                let found = execute_on(&plan, &database, storing, placement.as_ref());
                let execution = found.unwrap_or_else(|error| panic!("Q{query}: {error}"));
                assert!(!execution.accesses.steps.is_empty(), "Q{query}");
            }
        }
    }

    /// Rows that the outermost operator of each query hands on.
    fn results(set: PlanSet, nodes: Option<u32>) -> Vec<u64> {
        let database = Database::new(0.01);
        let placement = nodes.map(Placement::of_article);
        let rows = |query| {
            let found =
                execute_on(&set.plan(query).unwrap(), &database, Storing::default(), placement.as_ref());
            let operators = found.unwrap().operators;
            operators.iter().rfind(|operator| operator.depth == 0).map_or(0, |operator| operator.kept)
        };
        QUERIES.map(rows).collect()
    }

    #[test]
    fn a_query_has_the_same_result_by_every_plan_and_on_every_number_of_nodes() {
        let one = results(PlanSet::Postgresql15, None);
        assert_eq!(results(PlanSet::Postgresql96Large, None), one);
        for nodes in [1, 3, 16] {
            assert_eq!(results(PlanSet::PostgresXl95, Some(nodes)), one, "{nodes} nodes");
        }
    }

    #[test]
    fn a_query_there_is_none_of_is_refused() {
        assert!(PlanSet::Mysql56.plan(23).is_err());
    }
}
