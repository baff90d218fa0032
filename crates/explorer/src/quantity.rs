//! Names of measured quantities, engines and kinds of measurements in the reader's words.

use crate::language::text;

/// A measured quantity in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// What it is called.
    pub label: String,
    /// Its unit, for axes and read-outs.
    pub unit: String,
    /// What it means, in a sentence.
    pub meaning: String,
}

/// Names in the file of measurements, in the order in which a reader chooses.
const QUANTITIES: [&str; 14] = [
    "throughput_tps",
    "latency_mean_ms",
    "latency_p95_ms",
    "page_reads",
    "page_requests",
    "pages_written",
    "log_bytes",
    "log_syncs",
    "log_writes",
    "leaf_pages",
    "allocated_pages",
    "file_bytes",
    "record_bytes",
    "height",
];

/// Kinds of measurements that have words.
const KINDS: [&str; 5] = ["sizing", "counters", "group_commit", "device", "query"];

/// The words for a quantity; one that is not known is called as the file calls it.
pub fn quantity(name: &str) -> Quantity {
    let known = if QUANTITIES.contains(&name) { name } else { "other" };
    Quantity {
        label: if known == name { text(&format!("quantity-{name}")) } else { name.replace('_', " ") },
        unit: text(&format!("quantity-{known}-unit")),
        meaning: text(&format!("quantity-{known}-meaning")),
    }
}

/// The place of a quantity in a list to choose from.
pub fn rank(name: &str) -> usize {
    QUANTITIES.iter().position(|known| *known == name).unwrap_or(QUANTITIES.len())
}

/// An engine's profile as a name: `MariaDB 10.11`.
pub fn engine_name(profile: &str) -> String {
    let (product, version) = profile.split_once('-').unwrap_or((profile, ""));
    let product = match product {
        "mariadb" => "MariaDB",
        "postgresql" => "PostgreSQL",
        "firebird" => "Firebird",
        "cubrid" => "CUBRID",
        "innodb" => "InnoDB",
        "greatsql" => "GreatSQL",
        other => other,
    };
    format!("{product} {}", version.replace("-r", " R")).trim_end().to_owned()
}

/// A kind of measurement in words, and what it means.
pub fn kind_words(kind: &str) -> (String, String) {
    if KINDS.contains(&kind) {
        (text(&format!("kind-{kind}")), text(&format!("kind-{kind}-meaning")))
    } else {
        (kind.replace('_', " "), text("kind-other-meaning"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_keeps_its_name() {
        assert_eq!(quantity("throughput_tps").unit, "transactions/s");
        assert_eq!(quantity("wal_fpi").label, "wal fpi");
        assert_eq!(kind_words("new_kind").0, "new kind");
        for name in QUANTITIES {
            assert!(quantity(name).meaning.ends_with('.'), "{name}");
        }
        for kind in KINDS {
            assert!(kind_words(kind).1.ends_with('.'), "{kind}");
        }
        assert!(rank("throughput_tps") < rank("height") && rank("height") < rank("wal_fpi"));
    }

    #[test]
    fn engines_have_names() {
        assert_eq!(engine_name("mariadb-10.11"), "MariaDB 10.11");
        assert_eq!(engine_name("cubrid-2008-r3"), "CUBRID 2008 R3");
        assert_eq!(engine_name("other"), "other");
    }
}
