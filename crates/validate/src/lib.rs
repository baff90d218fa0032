//! Real engines were measured; this crate puts the same questions to the models.
//!
//! It knows the cells' format and how a cell's setup becomes a Scenario. It must never know a model's formula, and
//! never turn a knob because of what a cell says came out.

mod answer;
mod cell;
mod cubrid;
mod device;
mod document;
mod firebird;
mod firebird_tables;
mod mariadb;
mod postgresql;
mod run;
mod summary;
mod tables;
mod targets;
mod tpch;

pub use answer::{Answer, Quantity};
pub use cell::Cell;
pub use document::{Explanation, document};
pub use run::{CellOutcome, Validation, validate};
pub use summary::{Summary, percentile, summarise};
pub use targets::{Target, targets};
pub use tpch::cells_of_queries;
