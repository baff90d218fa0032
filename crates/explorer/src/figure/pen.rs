//! A pen for any ground that plotters can draw on, in CSS pixels.

use super::{
    Dash,
    clip::{self, Place, Rectangle},
};
use crate::{engine_mark::Mark, theme::Rgb};
use plotters_backend::{
    BackendColor, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily, FontStyle,
    text_anchor::{HPos, Pos, VPos},
};

/// The ground's whole units in a CSS pixel: grounds take whole numbers, and curves in whole pixels have steps.
pub const FINE: f64 = 8.0;

/// The page's own fonts.
pub const FONTS: &str = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";

/// Size of letters, in CSS pixels.
pub const LETTERS: f64 = 12.0;

/// Whether it could be drawn.
pub type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Draws on a ground.
pub struct Pen<'a, B: DrawingBackend> {
    ground: &'a mut B,
    /// By how much the ground draws letters smaller than it is told.
    letters: f64,
    /// CSS pixels in a pixel of the device, for lines that must be crisp.
    grain: f64,
}

/// A colour that lets through what is below it.
#[derive(Debug, Clone, Copy)]
pub struct Ink(pub Rgb, pub f64);

#[derive(Debug, Clone, Copy)]
struct Stroke(Ink, u32);

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        let Ink(rgb, alpha) = self.0;
        BackendColor { alpha, rgb }
    }

    fn stroke_width(&self) -> u32 {
        self.1
    }
}

/// How words are written.
#[derive(Clone, Copy)]
pub struct Letters {
    /// Their colour.
    pub ink: Rgb,
    /// Their size, in CSS pixels.
    pub size: f64,
    /// Whether they are bold.
    pub bold: bool,
    /// Where their place is, across.
    pub h: HPos,
    /// Where it is upwards.
    pub v: VPos,
}

impl Letters {
    /// Plain letters whose place is their left end, in the middle.
    pub fn plain(ink: Rgb) -> Self {
        Self { ink, size: LETTERS, bold: false, h: HPos::Left, v: VPos::Center }
    }

    /// The same, bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The same, elsewhere beside their place.
    #[must_use]
    pub fn at(self, h: HPos, v: VPos) -> Self {
        Self { h, v, ..self }
    }
}

/// Letters in the ground's own units.
struct Style {
    letters: Letters,
    size: f64,
}

impl BackendTextStyle for Style {
    type FontError = std::fmt::Error;

    fn color(&self) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: self.letters.ink }
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn style(&self) -> FontStyle {
        if self.letters.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        Pos::new(self.letters.h, self.letters.v)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FONTS)
    }

    // Both grounds write by themselves and ask for neither of these.
    fn layout_box(&self, _: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        Err(std::fmt::Error)
    }

    fn draw<E, Draw: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _: &str,
        _: (i32, i32),
        _: Draw,
    ) -> Result<Result<(), E>, Self::FontError> {
        Err(std::fmt::Error)
    }
}

impl<'a, B: DrawingBackend> Pen<'a, B> {
    /// A pen for a ground that draws letters smaller than it is told by a factor, and has so many pixels to a CSS pixel.
    pub fn new(ground: &'a mut B, letters: f64, ratio: f64) -> Self {
        Self { ground, letters, grain: 1.0 / ratio.max(0.1) }
    }

    fn fine((x, y): Place) -> (i32, i32) {
        let fine = |value: f64| (value * FINE).round().clamp(-1e8, 1e8) as i32;
        (fine(x), fine(y))
    }

    fn stroke(ink: Ink, width: f64) -> Stroke {
        Stroke(ink, (width * FINE).round().max(1.0) as u32)
    }

    /// A line along places, broken as told.
    pub fn line(&mut self, places: &[Place], ink: Ink, width: f64, dash: Dash) -> Drawn<B> {
        let pattern: &[f64] = match dash {
            Dash::Solid => &[],
            Dash::Dashed => &[6.0, 4.0],
            Dash::Dotted => &[2.0, 3.0],
            Dash::Mixed => &[9.0, 3.0, 2.0, 3.0],
        };
        for piece in clip::dashes(places, pattern) {
            self.ground.draw_path(piece.into_iter().map(Self::fine), &Self::stroke(ink, width))?;
        }
        Ok(())
    }

    /// A line a pixel wide that is crisp.
    pub fn hairline(&mut self, from: Place, to: Place, ink: Ink) -> Drawn<B> {
        let snap = |value: f64| ((value / self.grain).floor() + 0.5) * self.grain;
        let snap = |(x, y): Place| {
            (if from.0 == to.0 { snap(x) } else { x }, if from.1 == to.1 { snap(y) } else { y })
        };
        let width = self.grain * (1.0 / self.grain).round().max(1.0);
        self.line(&[snap(from), snap(to)], ink, width, Dash::Solid)
    }

    /// A filled area.
    pub fn area(&mut self, places: &[Place], ink: Ink) -> Drawn<B> {
        if places.len() < 3 {
            return Ok(());
        }
        self.ground.fill_polygon(places.iter().copied().map(Self::fine), &Stroke(ink, 1))
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, [left, right, top, bottom]: Rectangle, ink: Ink) -> Drawn<B> {
        self.ground.draw_rect(Self::fine((left, top)), Self::fine((right, bottom)), &Stroke(ink, 1), true)
    }

    /// A mark with its outline.
    pub fn mark(&mut self, mark: Mark, (x, y): Place, radius: f64, fill: Ink, outline: Ink) -> Drawn<B> {
        let mut corners: Vec<Place> =
            mark.corners().iter().map(|(dx, dy)| (x + dx * radius, y + dy * radius)).collect();
        if corners.is_empty() {
            let (centre, radius) = (Self::fine((x, y)), (radius * FINE).round() as u32);
            self.ground.draw_circle(centre, radius, &Stroke(fill, 1), true)?;
            return self.ground.draw_circle(centre, radius, &Self::stroke(outline, 1.5), false);
        }
        self.area(&corners, fill)?;
        corners.extend_from_within(..2);
        self.line(&corners, outline, 1.5, Dash::Solid)
    }

    /// Words.
    pub fn words(&mut self, words: &str, place: Place, letters: Letters) -> Drawn<B> {
        let style = Style { letters, size: letters.size * self.letters * FINE };
        self.ground.draw_text(words, &style, Self::fine(place))
    }

    /// The drawing is complete.
    pub fn done(self) -> Drawn<B> {
        self.ground.present()
    }
}
