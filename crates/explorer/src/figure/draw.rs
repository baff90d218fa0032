//! Draws a figure with a pen.

use super::{
    Body, Dash, Datum, Figure, Look, Looking, Plot, Reading, Series, TileGroup,
    axis::Scale,
    clip::{self, Place, Rectangle},
    frame::{Frame, LINE},
    line_ends::{LineEnd, line_ends},
    palette::{Palette, over},
    pen::{Drawn, Ink, LETTERS, Letters, Pen},
    thin::thin,
    treemap,
    wrap::{shortened, wrapped},
};
use crate::{engine_mark::Mark, theme::Rgb};
use plotters_backend::{
    DrawingBackend,
    text_anchor::{HPos, VPos},
};

/// Everything besides the figure that decides what is drawn.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// Width and height of the ground, in CSS pixels.
    pub size: (f64, f64),
    /// What is turned off or looked at closely.
    pub looking: &'a Looking,
    /// Colours.
    pub palette: &'a Palette,
    /// The width of words, in CSS pixels.
    pub width_of: &'a dyn Fn(&str) -> f64,
}

/// Size of a title's letters on a ground of its own, in CSS pixels.
const TITLE: f64 = 16.0;
/// Radius of a mark, in CSS pixels.
const RADIUS: f64 = 4.0;
/// How strongly a band is shaded.
const BAND: f64 = 0.16;

/// Draws the figure alone: its title and legend stand on the page beside it.
pub fn draw<B: DrawingBackend>(pen: &mut Pen<'_, B>, figure: &Figure, scene: Scene<'_>) -> Drawn<B> {
    let (width, height) = scene.size;
    body(pen, figure, scene, [0.0, width, 0.0, height])
}

/// Draws the figure with title and legend on paper: a picture that stands by itself.
pub fn draw_whole<B: DrawingBackend>(pen: &mut Pen<'_, B>, figure: &Figure, scene: Scene<'_>) -> Drawn<B> {
    let (width, height) = scene.size;
    let margin = 16.0;
    let palette = scene.palette;
    pen.rectangle([0.0, width, 0.0, height], Ink(palette.colour("paper"), 1.0))?;
    let mut top = margin + 10.0;
    let title = Letters { size: TITLE, ..Letters::plain(palette.colour("ink")).bold() };
    for line in
        wrapped(&figure.title, width - 2.0 * margin, |text| (scene.width_of)(text) * TITLE / LETTERS * 1.08)
    {
        pen.words(&line, (margin, top), title)?;
        top += 22.0;
    }
    if let Some(plot) = figure.plot() {
        top = legend(pen, plot, scene, [margin, width - margin, top, height])?;
    }
    body(pen, figure, scene, [margin, width - 4.0, top, height - 4.0])
}

/// The entries of the legend from left to right; returns where the rest begins.
fn legend<B: DrawingBackend>(
    pen: &mut Pen<'_, B>,
    plot: &Plot,
    scene: Scene<'_>,
    [left, right, mut top, _]: Rectangle,
) -> Result<f64, plotters_backend::DrawingErrorKind<B::ErrorType>> {
    let mut x = left;
    for series in plot.legend() {
        if scene.looking.hidden.contains(&series.name) {
            continue;
        }
        let width = (scene.width_of)(&series.name) + 40.0;
        if x > left && x + width > right {
            x = left;
            top += LINE;
        }
        sample(pen, series, (x, top), scene.palette)?;
        pen.words(&series.name, (x + 24.0, top), Letters::plain(scene.palette.colour("ink")))?;
        x += width;
    }
    Ok(top + LINE)
}

/// What a series looks like, 18 pixels wide.
fn sample<B: DrawingBackend>(
    pen: &mut Pen<'_, B>,
    series: &Series,
    (x, y): Place,
    palette: &Palette,
) -> Drawn<B> {
    let colour = palette.colour(series.paint);
    match series.look {
        Look::Line(dash) => pen.line(&[(x, y), (x + 18.0, y)], Ink(colour, 1.0), 2.0, dash),
        Look::Points { mark, hollow } => {
            pen.mark(mark, (x + 9.0, y), RADIUS, fill(colour, hollow, palette), Ink(colour, 1.0))
        }
        Look::Band(strength) => pen.rectangle([x, x + 18.0, y - 5.0, y + 5.0], Ink(colour, strength)),
        Look::Bars(shade) => pen.rectangle([x, x + 18.0, y - 5.0, y + 5.0], Ink(colour, shade)),
        Look::Cells(other) => {
            pen.rectangle([x, x + 9.0, y - 5.0, y + 5.0], Ink(palette.colour(other), 1.0))?;
            pen.rectangle([x + 9.0, x + 18.0, y - 5.0, y + 5.0], Ink(colour, 1.0))
        }
    }
}

fn fill(colour: Rgb, hollow: bool, palette: &Palette) -> Ink {
    if hollow { Ink(palette.colour("paper"), 0.85) } else { Ink(colour, 0.6) }
}

fn body<B: DrawingBackend>(
    pen: &mut Pen<'_, B>,
    figure: &Figure,
    scene: Scene<'_>,
    area: Rectangle,
) -> Drawn<B> {
    match &figure.body {
        Body::Plot(plot) => {
            let frame = Frame::within(plot, area, scene.looking, scene.width_of);
            Drawing { pen, plot, frame, scene }.all(area)
        }
        Body::Tiles(groups) => tiles(pen, groups, scene, area),
    }
}

struct Drawing<'a, 'b, B: DrawingBackend> {
    pen: &'a mut Pen<'b, B>,
    plot: &'a Plot,
    frame: Frame,
    scene: Scene<'a>,
}

impl<B: DrawingBackend> Drawing<'_, '_, B> {
    fn all(&mut self, area: Rectangle) -> Drawn<B> {
        self.lines()?;
        let (plot, looking) = (self.plot, self.scene.looking);
        for (_, series) in plot.visible(looking) {
            self.series(series)?;
        }
        self.axes(area)?;
        if self.frame.named { self.ends(area) } else { Ok(()) }
    }

    fn ink(&self, token: &str) -> Rgb {
        self.scene.palette.colour(token)
    }

    /// Lines for orientation.
    fn lines(&mut self) -> Drawn<B> {
        let hair = Ink(self.ink("hair"), 1.0);
        let [left, right, top, bottom] = self.frame.plot;
        if self.plot.reading == Reading::Plane {
            return Ok(());
        }
        for tick in self.frame.y_ticks(&self.plot.y) {
            let y = self.frame.y.px(tick);
            self.pen.hairline((left, y), (right, y), hair)?;
        }
        if self.plot.reading == Reading::Ranked {
            for tick in self.frame.x_ticks(&self.plot.x) {
                let x = self.frame.x.px(tick);
                self.pen.hairline((x, top), (x, bottom), hair)?;
            }
        }
        Ok(())
    }

    fn series(&mut self, series: &Series) -> Drawn<B> {
        let colour = self.ink(series.paint);
        let strength = if series.stale { 0.45 } else { 1.0 };
        match series.look {
            Look::Line(dash) => self.line(series, colour, strength, dash),
            Look::Points { mark, hollow } => self.points(series, colour, strength, (mark, hollow)),
            Look::Band(shade) => self.band(&series.data, Ink(colour, shade * strength)),
            Look::Bars(shade) => self.bars(series, colour, strength * shade),
            Look::Cells(other) => self.cells(series, colour, self.ink(other)),
        }
    }

    fn line(&mut self, series: &Series, colour: Rgb, strength: f64, dash: Dash) -> Drawn<B> {
        let data = thin(&series.data, |x| self.frame.x.px(x));
        if data.iter().any(|datum| datum.up.is_some()) {
            self.band(&data, Ink(colour, BAND * strength))?;
        }
        let places: Vec<Place> = data.iter().map(|datum| self.frame.place(datum)).collect();
        let width = if series.guide { 1.0 } else { 2.0 };
        for piece in clip::line(&places, self.frame.plot) {
            self.pen.line(&piece, Ink(colour, strength), width, dash)?;
        }
        Ok(())
    }

    fn band(&mut self, data: &[Datum], ink: Ink) -> Drawn<B> {
        let side = |datum: &Datum, high: usize| {
            datum.up.map(|up| (self.frame.x.px(datum.x), self.frame.y.px(up[high])))
        };
        let upper = data.iter().filter_map(|datum| side(datum, 1));
        let lower = data.iter().rev().filter_map(|datum| side(datum, 0));
        let area = clip::area(&upper.chain(lower).collect::<Vec<_>>(), self.frame.plot);
        self.pen.area(&area, ink)
    }

    fn points(
        &mut self,
        series: &Series,
        colour: Rgb,
        strength: f64,
        (mark, hollow): (Mark, bool),
    ) -> Drawn<B> {
        let outline = Ink(colour, strength);
        for datum in series.data.iter() {
            let (x, y) = self.frame.place(datum);
            if let Some([low, high]) = datum.up {
                let ends = [(x, self.frame.y.px(low)), (x, self.frame.y.px(high))];
                for piece in clip::line(&ends, self.frame.plot) {
                    self.pen.line(&piece, outline, 1.5, Dash::Solid)?;
                    for (x, y) in piece {
                        self.pen.line(&[(x - 3.0, y), (x + 3.0, y)], outline, 1.5, Dash::Solid)?;
                    }
                }
            }
            if self.frame.contains((x, y)) {
                let Ink(inner, alpha) = fill(colour, hollow, self.scene.palette);
                self.pen.mark(mark, (x, y), RADIUS, Ink(inner, alpha * strength), outline)?;
            }
        }
        Ok(())
    }

    fn bars(&mut self, series: &Series, colour: Rgb, strength: f64) -> Drawn<B> {
        for datum in series.data.iter() {
            let Some(bar) = self.frame.rectangle(datum) else { continue };
            let [left, right, top, bottom] = bar;
            // Neighbours are told apart by the paper between them.
            let gap = if right - left > 4.0 { 0.5 } else { 0.0 };
            self.pen.rectangle([left + gap, right - gap, top, bottom], Ink(colour, strength))?;
            let label =
                datum.label.as_deref().filter(|label| (self.scene.width_of)(label) + 8.0 <= right - left);
            if let Some(label) = label {
                let seen = over(colour, strength, self.ink("paper"));
                let letters = Letters::plain(Palette::on(seen)).at(HPos::Center, VPos::Center);
                self.pen.words(label, (f64::midpoint(left, right), f64::midpoint(top, bottom)), letters)?;
            }
        }
        Ok(())
    }

    fn cells(&mut self, series: &Series, above: Rgb, below: Rgb) -> Drawn<B> {
        let paper = self.ink("paper");
        for datum in series.data.iter() {
            let Some([left, right, top, bottom]) = self.frame.rectangle(datum) else { continue };
            let colour = if datum.shade >= 0.0 { above } else { below };
            let seen = over(colour, datum.shade.abs().min(1.0), paper);
            // Cells overlap by a little, so that no seam is seen between them.
            self.pen.rectangle([left, right + 0.25, top, bottom + 0.25], Ink(seen, 1.0))?;
        }
        Ok(())
    }

    fn axes(&mut self, area: Rectangle) -> Drawn<B> {
        let muted = self.ink("muted");
        let (line, letters) = (Ink(muted, 1.0), Letters::plain(muted));
        let [left, right, top, bottom] = self.frame.plot;
        let [outer_left, _, _, outer_bottom] = self.frame.outer();
        if self.plot.y.scale == Scale::Rows {
            self.rows(area)?;
        } else {
            self.pen.hairline((outer_left, top), (outer_left, outer_bottom), line)?;
        }
        self.pen.hairline((outer_left, outer_bottom), (right, outer_bottom), line)?;
        for tick in self.frame.y_ticks(&self.plot.y) {
            let place = (outer_left - 6.0, self.frame.y.px(tick));
            self.pen.words(&self.plot.y.label(tick), place, letters.at(HPos::Right, VPos::Center))?;
        }
        let mut free = f64::NEG_INFINITY;
        for tick in self.frame.x_ticks(&self.plot.x) {
            let (x, label) = (self.frame.x.px(tick), self.plot.x.label(tick));
            let half = (self.scene.width_of)(&label) / 2.0 + 3.0;
            if x - half >= free && x + half <= area[1] + 4.0 {
                self.pen.hairline((x, outer_bottom), (x, outer_bottom + 4.0), line)?;
                self.pen.words(&label, (x, outer_bottom + 7.0), letters.at(HPos::Center, VPos::Top))?;
                free = x + half;
            }
        }
        let faint = Ink(self.ink("hair"), 1.0);
        if outer_left < left {
            self.pen.hairline((left, top), (left, outer_bottom), faint)?;
            let middle = f64::midpoint(outer_left, left);
            self.pen.words("0", (middle, outer_bottom + 7.0), letters.at(HPos::Center, VPos::Top))?;
        }
        if outer_bottom > bottom {
            self.pen.hairline((outer_left, bottom), (right, bottom), faint)?;
            let middle = f64::midpoint(bottom, outer_bottom);
            self.pen.words("0", (outer_left - 6.0, middle), letters.at(HPos::Right, VPos::Center))?;
        }
        self.pen.words(&self.plot.y.name, (area[0], top - 16.0), letters)?;
        self.pen.words(&self.plot.x.name, (right, outer_bottom + 32.0), letters.at(HPos::Right, VPos::Center))
    }

    /// Names of rows, each above what it names.
    fn rows(&mut self, area: Rectangle) -> Drawn<B> {
        let letters = Letters::plain(self.ink("ink"));
        for (row, name) in self.plot.y.rows.iter().enumerate() {
            let y = self.frame.y.px(row as f64 - 0.32);
            let x = area[0] + 4.0;
            for name in shortened(name, area[1] - x, 1, self.scene.width_of) {
                self.pen.words(&name, (x, y), letters)?;
            }
        }
        Ok(())
    }

    /// Names of lines and their last values, beside their ends.
    fn ends(&mut self, area: Rectangle) -> Drawn<B> {
        let ends = line_ends(self.plot, &self.frame, self.scene.looking, area, self.scene.width_of);
        for LineEnd { series, at: (x, mut y), name, value } in ends {
            let strength = if series.stale { 0.6 } else { 1.0 };
            let colour = over(self.ink(series.paint), strength, self.ink("paper"));
            for line in name {
                self.pen.words(&line, (x, y), Letters::plain(colour).bold())?;
                y += LINE;
            }
            if let Some(value) = value {
                self.pen.words(&value, (x, y - 1.0), Letters::plain(self.ink("ink")))?;
            }
        }
        Ok(())
    }
}

fn tiles<B: DrawingBackend>(
    pen: &mut Pen<'_, B>,
    groups: &[TileGroup],
    scene: Scene<'_>,
    area: Rectangle,
) -> Drawn<B> {
    let palette = scene.palette;
    let (ink, paper) = (palette.colour("ink"), palette.colour("paper"));
    let [x, right, y, bottom] = area;
    let places = treemap::places(groups, (right - x, bottom - y));
    for (group, places) in groups.iter().zip(&places) {
        if let Some([left, _, top, _]) = places.first() {
            let place = (x + left, y + top - treemap::NAME / 2.0);
            pen.words(&group.name, place, Letters::plain(ink).bold())?;
        }
        for (tile, [left, right, top, bottom]) in group.tiles.iter().zip(places) {
            let [left, right, top, bottom] =
                [x + left + 1.0, x + right - 1.0, y + top + 1.0, y + bottom - 1.0];
            if right <= left || bottom <= top {
                continue;
            }
            let colour = palette.colour(tile.paint);
            pen.rectangle([left, right, top, bottom], Ink(over(colour, 0.16, paper), 1.0))?;
            if let Some(filled) = tile.filled {
                let level = bottom - filled.clamp(0.0, 1.0) * (bottom - top);
                pen.rectangle([left, right, level, bottom], Ink(over(colour, 0.42, paper), 1.0))?;
            }
            let size = super::Unit::Bytes.words(tile.bytes);
            let room = (right - left - 12.0, bottom - top);
            let fits = |words: &str| (scene.width_of)(words) * 1.1 <= room.0;
            if fits(&tile.name) && room.1 >= LINE + 6.0 {
                pen.words(&tile.name, (left + 6.0, top + 12.0), Letters::plain(ink).bold())?;
                if fits(&size) && room.1 >= 2.0 * LINE + 6.0 {
                    pen.words(&size, (left + 6.0, top + 12.0 + LINE), Letters::plain(ink))?;
                }
            }
        }
    }
    Ok(())
}
