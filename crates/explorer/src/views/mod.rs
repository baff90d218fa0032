//! The views of an answer: a bar of tabs, and what each of them shows. Each is a figure with a finding as its title.

mod answers;
mod breakdown;
mod choice;
mod crossover;
mod devices;
mod knob_axis;
mod knob_select;
mod latency;
mod layout;
mod over_time;
mod published;
mod published_curves;
mod published_map;
mod scatter;
mod sides;
mod sweep;
mod tabs;

pub use scatter::{ScatterView, range, stands_on_edge};
pub use sides::paint_of;
pub use sweep::Points;
pub use tabs::Views;
