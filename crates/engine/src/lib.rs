//! Storage engines as page and log steps.
//!
//! This crate knows layouts, trees, buffer pools and their replacement, logs and flushing, and one profile for each
//! DBMS version. It must never know clients, files' places, JSON, or any clock other than the time its host hands it.

pub mod access;
pub mod buffer;
pub mod change_buffer;
pub mod clock_sweep;
pub mod cubrid;
mod cubrid_flush;
mod cubrid_flush_thread;
mod cubrid_format;
mod cubrid_log_threads;
mod cubrid_settings;
mod cubrid_vacuum;
mod cubrid_versions;
pub mod database;
pub mod engine;
pub mod firebird;
pub mod firebird_architecture;
mod firebird_cache;
pub mod firebird_format;
mod firebird_garbage;
mod firebird_key;
mod firebird_load;
mod firebird_record;
mod firebird_rows;
mod firebird_table;
mod group_commit;
mod grouped_leaves;
mod hash_index;
pub mod heap_versions;
pub mod host;
pub mod innodb;
mod innodb8_flush;
mod innodb_flush;
mod innodb_format;
mod innodb_query;
mod innodb_statements;
pub mod layout;
pub mod linear_read_ahead;
pub mod log;
mod lru;
pub mod lru_chains;
pub mod midpoint_lru;
pub mod miniature;
mod page_cleaner;
pub mod pages;
pub mod parameters;
pub mod pool;
pub mod postgresql;
mod postgresql_flush;
mod postgresql_format;
mod postgresql_query;
mod postgresql_statements;
pub mod profile;
mod purge;
pub mod query_places;
pub mod quota_lru;
pub mod replacement;
pub mod row_locks;
pub mod rules;
pub mod schema;
pub mod sequential_scan;
pub mod statement;
pub mod tree;

#[cfg(test)]
mod testing;
