//! TPC-H: its data as columns, its 22 queries as access plans, and what a plan reads.
//!
//! This crate knows tables, rows, keys and plans: which rows each operator sees and which index entries and rows it asks
//! for, in their order. It must never know pages, pools, devices or time: an engine makes page requests of what is asked
//! for here.
//!
//! One query goes through its files in this order:
//!
//! ```text
//! plans/ENGINE/qNN.plan ─► plan.rs (lines to operators) ─► bind.rs (names to columns and places)
//!   ─► database.rs, order.rs (the data at a scale, its indexes) ─► execute.rs (operators over rows) ─► engine's Access
//! ```

mod bind;
mod columns;
mod cross;
mod database;
mod execute;
mod expression;
mod order;
mod placement;
mod plan;
mod plans;
mod spill;
mod text;
mod widths;

pub use columns::{Column, TableName};
pub use database::Database;

pub use bind::Storing;
pub use execute::{Execution, OperatorRows, execute, execute_on};
pub use placement::Placement;
pub use plan::{Plan, PlanError};
pub use plans::{PlanSet, QUERIES};
pub use spill::WorkMemory;
