//! The mark of an engine in a chart: a colour and a shape, so that neither has to be told apart alone.

use yew::prelude::*;

/// What an engine's figures are drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle on its side.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle on its tip, for engines that this page does not know.
    Other,
}

impl Mark {
    /// The mark of an engine.
    pub fn of(engine: &str) -> Self {
        match engine.split('-').next().unwrap_or_default() {
            "mariadb" => Self::Circle,
            "postgresql" => Self::Square,
            "firebird" => Self::Triangle,
            "cubrid" => Self::Diamond,
            _ => Self::Other,
        }
    }

    /// The class, and without its dashes the custom property, under which the style sheet has its colour.
    pub fn class(self) -> &'static str {
        match self {
            Self::Circle => "mariadb",
            Self::Square => "postgresql",
            Self::Triangle => "firebird",
            Self::Diamond => "cubrid",
            Self::Other => "other-engine",
        }
    }

    /// Its corners around the origin, of the same area for all; none for a circle, whose radius is 1.
    pub fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Self::Circle => &[],
            Self::Square => &[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            Self::Triangle => &[(0.0, -1.4), (1.21, 0.75), (-1.21, 0.75)],
            Self::Diamond => &[(0.0, -1.27), (1.27, 0.0), (0.0, 1.27), (-1.27, 0.0)],
            Self::Other => &[(0.0, 1.4), (1.21, -0.75), (-1.21, -0.75)],
        }
    }
}

/// What an [`EngineMark`] shows.
#[derive(Properties, PartialEq)]
pub struct EngineMarkProps {
    /// The engine's profile.
    pub engine: AttrValue,
}

/// An engine's mark among words.
#[component]
pub fn EngineMark(props: &EngineMarkProps) -> Html {
    let mark = Mark::of(&props.engine);
    let corners: Vec<String> =
        mark.corners().iter().map(|(x, y)| format!("{:.2},{:.2}", 6.0 + 4.0 * x, 6.0 + 4.0 * y)).collect();
    html! {
        <svg class={classes!("engine-mark", mark.class())} width="12" height="12" aria-hidden="true">
            if corners.is_empty() {
                <circle cx="6" cy="6" r="4" />
            } else {
                <polygon points={corners.join(" ")} />
            }
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_has_a_mark_of_its_own() {
        let marks = ["mariadb-10.11", "postgresql-15", "firebird-3.0", "cubrid-11.3", "new-1"].map(Mark::of);
        for (at, mark) in marks.iter().enumerate() {
            assert!(!marks[..at].contains(mark), "{mark:?}");
        }
        assert_eq!(Mark::of(""), Mark::Other);
    }
}
