//! Whose configuration a file is.

use super::option_file::{Notation, Setting, settings};
use spindle_engine::{parameters::canonical, profile::Profile};

/// Engines that share a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// `my.cnf` of MySQL, MariaDB and their kin.
    MySql,
    /// `postgresql.conf`.
    Postgresql,
    /// `firebird.conf`.
    Firebird,
    /// `cubrid.conf`.
    Cubrid,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::MySql, Self::Postgresql, Self::Firebird, Self::Cubrid];

    /// What the file is usually called.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::MySql => "my.cnf",
            Self::Postgresql => "postgresql.conf",
            Self::Firebird => "firebird.conf",
            Self::Cubrid => "cubrid.conf",
        }
    }

    pub(super) fn notation(self) -> Notation {
        Notation { semicolons: self == Self::MySql, spaces: self == Self::Postgresql }
    }

    /// Profiles of the family; the one that is taken where a file tells nothing comes first.
    pub(super) fn profiles(self) -> &'static [&'static str] {
        match self {
            Self::MySql => &["innodb-8.0", "mariadb-10.11", "innodb-5.6", "innodb-5.1", "greatsql-8.0"],
            Self::Postgresql => &["postgresql-15"],
            Self::Firebird => &["firebird-3.0", "firebird-2.5"],
            Self::Cubrid => &["cubrid-11.3", "cubrid-2008-r3"],
        }
    }

    /// The profile's name of a setting: `-` and `_` are alike to MySQL, and Firebird's file has words of its own.
    pub(super) fn parameter(self, setting: &Setting) -> String {
        let name = canonical(&setting.name);
        match (self, name.as_str()) {
            (Self::MySql, _) => name.strip_prefix("loose_").map(str::to_owned).unwrap_or(name),
            (Self::Firebird, "defaultdbcachepages") => "page_buffers".into(),
            (Self::Firebird, "filesystemcachethreshold") => "file_system_cache_threshold".into(),
            (Self::Firebird, "gcpolicy") => "gc_policy".into(),
            _ => name,
        }
    }

    /// How many settings some profile of the family follows, for telling families apart.
    pub(super) fn known(self, text: &str) -> usize {
        let read = settings(text, self.notation());
        let follows = |name: &str| self.profiles().iter().any(|p| follows(p, name));
        read.iter().filter(|setting| follows(&self.parameter(setting))).count()
    }
}

/// Whether a profile follows a parameter.
pub(super) fn follows(profile: &str, name: &str) -> bool {
    Profile::find(profile).is_some_and(|p| p.parameter(name).is_some())
}
