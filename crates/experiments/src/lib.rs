//! Published experiments as data: set-ups, claims, fitted constants, and how far the model is from each claim.
//!
//! This crate knows replay cards and the comparison with what was published. It must never know the page. A
//! contributor adds an experiment by adding a file under `cards/` and naming it in [`CARDS`].

mod card;
mod claim;
mod compare;
mod grid;

pub use card::{Card, Case, Fitted, card, cards};
pub use claim::{Claim, ClaimKind, Extreme, Mean, Pairs, Quantity};
pub use compare::{CaseReport, ClaimPoint, ClaimResult, Experiment, FittedReport, Role, compare};
pub use grid::{Grid, GridAxis, GridValue};

/// The cards, as they lie in the source tree.
pub const CARDS: &[&str] = &[
    include_str!("../cards/cubrid-2010.toml"),
    include_str!("../cards/firebird-2014.toml"),
    include_str!("../cards/greatsql-2023.toml"),
    #[cfg(feature = "tpch")]
    include_str!("../cards/tpch-mysql-2015.toml"),
    #[cfg(feature = "tpch")]
    include_str!("../cards/postgres-xl-2015.toml"),
];
