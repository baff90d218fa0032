//! Names of measured quantities, engines and kinds of measurements in the reader's words.

/// A measured quantity in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// What it is called.
    pub label: String,
    /// Its unit, for axes and read-outs.
    pub unit: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
}

/// Name in the file of measurements, label, unit, meaning; in the order in which a reader chooses.
const QUANTITIES: [(&str, &str, &str, &str); 14] = [
    ("throughput_tps", "throughput", "transactions/s", "Transactions that ended, a second."),
    ("latency_mean_ms", "mean latency", "ms", "Mean time from the start of a transaction to its end."),
    ("latency_p95_ms", "latency of 95 %", "ms", "Latency that 95 % of the transactions do not exceed."),
    (
        "page_reads",
        "pages read",
        "pages a transaction",
        "Pages that were not in the buffer and had to be read.",
    ),
    (
        "page_requests",
        "pages asked for",
        "pages a transaction",
        "Pages that the engine asked its buffer for.",
    ),
    (
        "pages_written",
        "pages written",
        "pages a transaction",
        "Changed pages that were written to the data files.",
    ),
    ("log_bytes", "log bytes", "bytes a transaction", "Bytes that were written to the log."),
    ("log_syncs", "log syncs", "syncs a transaction", "Demands that the log be durable."),
    ("log_writes", "log writes", "writes a transaction", "Writes to the log's files."),
    ("leaf_pages", "leaf pages", "pages", "Pages of an index or table that hold its records."),
    ("allocated_pages", "allocated pages", "pages", "Pages set aside for an index or table, used or not."),
    ("file_bytes", "file size", "bytes", "Size of the file that holds the table."),
    ("record_bytes", "record length", "bytes", "Bytes of a record with its header."),
    ("height", "height", "levels", "Levels of an index's tree, from its root to its leaves."),
];

/// The words for a quantity; one that is not known is called as the file calls it.
pub fn quantity(name: &str) -> Quantity {
    match QUANTITIES.iter().find(|(known, ..)| *known == name) {
        Some((_, label, unit, meaning)) => Quantity { label: (*label).into(), unit, meaning },
        None => {
            let meaning = "A figure that was measured and that the model gives as well.";
            Quantity { label: name.replace('_', " "), unit: "as measured", meaning }
        }
    }
}

/// The place of a quantity in a list to choose from.
pub fn rank(name: &str) -> usize {
    QUANTITIES.iter().position(|(known, ..)| *known == name).unwrap_or(QUANTITIES.len())
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
        other => other,
    };
    format!("{product} {}", version.replace("-r", " R")).trim_end().to_owned()
}

/// A kind of measurement in words, and what it means.
pub fn kind_words(kind: &str) -> (String, &'static str) {
    let (words, meaning) = match kind {
        "sizing" => ("sizes on disk", "Tables were loaded, and their pages and files counted."),
        "counters" => {
            ("counts", "A load ran, and the engine counted pages and log writes; no speed was taken.")
        }
        "group_commit" => {
            ("group commit", "Updates in memory: only the log's writing to a device takes time.")
        }
        "device" => (
            "speed on devices",
            "A load ran on an emulated device: a layer under the engine made each request take a set time.",
        ),
        other => return (other.replace('_', " "), "A kind of measurement."),
    };
    (words.into(), meaning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_keeps_its_name() {
        assert_eq!(quantity("throughput_tps").unit, "transactions/s");
        assert_eq!(quantity("wal_fpi").label, "wal fpi");
        assert_eq!(kind_words("new_kind").0, "new kind");
        assert!(rank("throughput_tps") < rank("height") && rank("height") < rank("wal_fpi"));
    }

    #[test]
    fn engines_have_names() {
        assert_eq!(engine_name("mariadb-10.11"), "MariaDB 10.11");
        assert_eq!(engine_name("cubrid-2008-r3"), "CUBRID 2008 R3");
        assert_eq!(engine_name("other"), "other");
    }
}
