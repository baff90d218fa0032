//! Many Scenarios from one: values of a Scenario along axes, and every combination of them.
//!
//! This crate knows which values a range or a list stands for at a path, and the Scenarios that they make. It must never
//! know how a Scenario is answered, nor who asks.

mod axis;
mod benchmark;
mod kind;
mod points;

pub use axis::{Axis, STEPS, Scale, Tick};
pub use benchmark::benchmark;
pub use kind::Kind;
pub use points::{POINTS_MAX, Point, points};
