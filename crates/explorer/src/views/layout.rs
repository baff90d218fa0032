//! Tables and indexes by size, and what part of each fits into the buffer.

use super::sides::{Seen, seen};
use crate::{
    figure::{Body, Figure, FigureView, Tile, TileGroup, Unit},
    format::{percent, short_count},
    language::text,
    store::Store,
    theme::Theme,
};
use spindle_engine::layout::{StorageRules, TableLayout};
use spindle_estimate::Estimate;
use spindle_scenario::Scenario;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Layout`] view shows.
#[derive(Properties, PartialEq)]
pub struct LayoutProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Light or dark.
    pub theme: Theme,
}

/// Tables with their sizes, and how many of each there are.
type Layouts = Vec<(u32, TableLayout)>;

/// The view.
#[component]
pub fn Layout(props: &LayoutProps) -> Html {
    let sides = seen(&props.store);
    // The sizes stay as long as tables and page do, whatever else is turned.
    let [first, second] = [0, 1].map(|at: usize| sides.get(at).map(|side| storage(side.scenario)));
    let first = use_memo(first, |storage| storage.as_ref().and_then(Storage::layouts).unwrap_or_default());
    let second = use_memo(second, |storage| storage.as_ref().and_then(Storage::layouts).unwrap_or_default());
    let figure = Rc::new(figure(&sides, [&first, &second]));
    html! { <FigureView {figure} theme={props.theme} class="tiles" /> }
}

/// What decides how tables are laid out.
#[derive(PartialEq, Clone)]
struct Storage {
    profile: String,
    page_bytes: u32,
    tables: Vec<spindle_scenario::Table>,
}

fn page_bytes(scenario: &Scenario) -> u32 {
    scenario.profile().map_or(1, |profile| profile.page_bytes(&scenario.parameters()))
}

fn storage(scenario: &Scenario) -> Storage {
    Storage {
        profile: scenario.engine.profile.clone(),
        page_bytes: page_bytes(scenario),
        tables: scenario.tables.clone(),
    }
}

impl Storage {
    fn layouts(&self) -> Option<Layouts> {
        let profile = spindle_engine::profile::Profile::find(&self.profile)?;
        let tables = self.tables.iter().map(|table| {
            let rules = StorageRules {
                format: profile.format,
                page_bytes: self.page_bytes,
                order: table.order,
                fill: table.fill,
                rows_per_commit: table.rows_per_commit,
            };
            (table.count, rules.table(&table.name, &table.spec().schema, table.rows, 1))
        });
        Some(tables.collect())
    }
}

fn figure(sides: &[Seen<'_>], layouts: [&Layouts; 2]) -> Figure {
    let mut groups: Vec<TileGroup> = Vec::new();
    for (side, layouts) in sides.iter().zip(layouts) {
        let group = group(side, layouts);
        // Two sides that are alike are one picture.
        let same = groups
            .first()
            .filter(|first| first.tiles.iter().map(in_words).eq(group.tiles.iter().map(in_words)));
        if same.is_none() && !group.tiles.is_empty() {
            groups.push(group);
        }
    }
    if let ([only], [_, _]) = (&mut groups[..], sides) {
        // It is of no device.
        only.tiles.iter_mut().for_each(|tile| tile.paint = "muted");
        only.name = only.name.split_once(": ").map_or(only.name.clone(), |(_, rest)| rest.to_owned());
    }
    let name = text("layout-figure");
    Figure {
        id: "layout",
        title: title(sides, layouts).unwrap_or_else(|| name.clone()),
        name,
        body: Body::Tiles(groups),
    }
}

/// A tile as a reader sees its numbers: shares that differ by less than their words are the same.
fn in_words(tile: &Tile) -> Tile {
    Tile { paint: "", filled: None, ..tile.clone() }
}

fn group(side: &Seen<'_>, layouts: &Layouts) -> TileGroup {
    let page = f64::from(page_bytes(side.scenario));
    let mut tiles: Vec<Tile> =
        layouts.iter().flat_map(|(count, table)| tiles(side, *count, table, page)).collect();
    tiles.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    let whole: f64 = tiles.iter().map(|tile| tile.bytes).sum();
    TileGroup { name: format!("{}: {}", side.name, Unit::Bytes.words(whole)), tiles }
}

fn tiles(side: &Seen<'_>, count: u32, table: &TableLayout, page: f64) -> Vec<Tile> {
    let many = f64::from(count);
    let tile = |name: &str, label: String, pages: u64, height: Option<u32>| {
        let mut details = vec![
            (text("layout-pages"), short_count(pages as f64 * many)),
            (text("layout-tables"), count.to_string()),
            (text("layout-rows"), short_count(table.rows as f64)),
        ];
        details.extend(height.map(|height| (text("layout-levels"), height.to_string())));
        let filled = side.estimate.and_then(|estimate| resident(estimate, &table.name, name));
        details.extend(filled.map(|share| (text("layout-resident"), percent(share))));
        Tile { name: label, paint: side.paint, bytes: pages as f64 * many * page, filled, details }
    };
    let times = if count > 1 { format!("{count} × ") } else { String::new() };
    let rows = table.heap.map(|heap| tile(&table.name, format!("{times}{}", table.name), heap.pages, None));
    let indexes = table.indexes.iter().map(|index| {
        let label = format!("{times}{}.{}", table.name, index.name);
        tile(&index.name, label, index.allocated_pages.max(index.pages), Some(index.height))
    });
    rows.into_iter().chain(indexes).collect()
}

/// The share of an index's or table's pages that the buffer holds.
fn resident(estimate: &Estimate, table: &str, name: &str) -> Option<f64> {
    let classes = || estimate.classes.iter().filter(|class| class.table == table && class.name == name);
    let pages: f64 = classes().map(|class| class.pages).sum();
    (pages > 0.0).then(|| (classes().map(|class| class.resident_pages).sum::<f64>() / pages).clamp(0.0, 1.0))
}

fn title(sides: &[Seen<'_>], layouts: [&Layouts; 2]) -> Option<String> {
    let side = sides.last()?;
    let layouts = layouts[sides.len() - 1];
    let page = f64::from(page_bytes(side.scenario));
    let tiles: Vec<Tile> =
        layouts.iter().flat_map(|(count, table)| tiles(side, *count, table, page)).collect();
    let whole: f64 = tiles.iter().map(|tile| tile.bytes).sum();
    let buffer = side.scenario.profile().map(|profile| profile.buffer_bytes(&side.scenario.parameters()))?;
    if whole <= 0.0 || buffer <= 0.0 {
        return None;
    }
    let words = |bytes: f64| Unit::Bytes.words(bytes);
    Some(if whole <= buffer {
        text!("layout-fits", whole = words(whole), buffer = words(buffer))
    } else {
        let share = percent(buffer / whole);
        text!("layout-holds", buffer = words(buffer), share = share, whole = words(whole))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Store {
        let mut store = Store::default();
        store.estimates = [None, None];
        for scenario in &mut store.scenarios {
            Rc::make_mut(scenario).tables[0].rows = 20_000;
        }
        store
    }

    #[test]
    fn sides_with_the_same_tables_are_one_picture() {
        let store = small();
        let sides = seen(&store);
        let layouts = storage(&store.scenarios[0]).layouts().unwrap();
        let figure = figure(&sides, [&layouts, &layouts]);
        let Body::Tiles(groups) = &figure.body else { unreachable!() };
        assert_eq!(groups.len(), 1);
        assert!(groups[0].tiles.len() > 2 && groups[0].tiles[0].bytes >= groups[0].tiles[1].bytes);
        assert!(!groups[0].name.contains("Disks"), "{}", groups[0].name);
        assert!(figure.title.contains("buffer"), "{}", figure.title);
    }

    #[test]
    fn what_is_in_the_buffer_comes_from_the_estimate() {
        let class = |pages, resident_pages| spindle_estimate::PageClass {
            table: "t".into(),
            name: "i".into(),
            kind: spindle_estimate::PageKind::Leaf,
            pages,
            resident_pages,
            requests: 1.0,
            hit_rate: 0.5,
        };
        let estimate = spindle_estimate::estimate(&small().scenarios[0]).unwrap();
        let estimate = Estimate { classes: vec![class(60.0, 30.0), class(40.0, 10.0)], ..estimate };
        assert_eq!(resident(&estimate, "t", "i"), Some(0.4));
        assert_eq!(resident(&estimate, "t", "other"), None);
    }
}
