//! What tests of this crate share.

/// A small, sound scenario.
pub(crate) const SCENARIO: &str = r#"
    [machine]
    cores = 4
    clock_ghz = 3.3
    memory = "8G"
    [storage.device]
    preset = "sata-7200"
    [engine]
    profile = "mariadb-10.11"
    [[table]]
    name = "t"
    rows = 1000
    columns = [{ name = "id", type = "int" }]
    indexes = [{ name = "PRIMARY", kind = "primary", columns = ["id"] }]
    [workload]
    kind = "point-select"
    clients = 8
"#;
