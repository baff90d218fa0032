//! A plan carried out over the data: which rows its operators see, and what they ask for.
//!
//! Operators push rows on: each gives every row it finds to what stands above it, which says whether it wants more. Nothing
//! here takes time; the steps are handed to an engine, which does.

use crate::{
    bind::{Bound, BoundPlan, NO_ROW, Places, Reader, Reading, Step, Storing, Total, What, bind},
    cross::Crossings,
    database::Database,
    order::IndexOrder,
    placement::Placement,
    plan::{Aggregate, Join, Lookup, Plan, PlanError},
    spill::{BLOCK_BYTES, LENGTH_BEHIND_BYTES, WorkMemory, in_batch, on_tape},
};
use spindle_engine::access::{Access, Accesses, Asked};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// What an operator of a plan saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorRows {
    /// The line of the plan it stands on, from 1.
    pub line: usize,
    /// How deep it stands.
    pub depth: usize,
    /// The line.
    pub text: String,
    /// How often it was begun.
    pub loops: u64,
    /// Rows it found, before its own condition.
    pub found: u64,
    /// Rows it handed on.
    pub kept: u64,
}

/// A plan that was carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Execution {
    /// Its operators in the order of their lines.
    pub operators: Vec<OperatorRows>,
    /// What they asked for.
    pub accesses: Accesses,
    /// Whose the cursors of those are, by numbers of operators.
    pub cursor_operators: Vec<usize>,
}

/// Carries out a plan.
///
/// # Errors
/// A name in the plan that means nothing, with its line.
pub fn execute(plan: &Plan, database: &Database, storing: Storing) -> Result<Execution, PlanError> {
    execute_on(plan, database, storing, None)
}

/// Carries out a plan on a cluster. Its rows are those of all nodes; what is asked for is asked by the coordinator and on the
/// fullest node.
///
/// # Errors
/// A name in the plan that means nothing, with its line.
pub fn execute_on(
    plan: &Plan,
    database: &Database,
    storing: Storing,
    placement: Option<&Placement>,
) -> Result<Execution, PlanError> {
    let bound = bind(plan, database, placement, storing)?;
    let mut work = Work {
        plan: &bound,
        memory: storing.memory,
        cluster: placement.map(|placement| Crossings::new(placement, placement.fullest(database))),
        node: 0,
        rows: vec![NO_ROW; bound.rows],
        values: vec![f64::NAN; bound.values],
        kept_aside: HashMap::new(),
        once: HashMap::new(),
        last_keys: HashMap::new(),
        seen_keys: HashMap::new(),
        loops: vec![0; bound.operators.len()],
        found: vec![0; bound.operators.len()],
        kept: vec![0; bound.operators.len()],
        steps: Vec::new(),
        work: 0,
    };
    work.run(&bound.result, &mut |_| true);
    let Work { loops, found, kept, steps, work: work_left, cluster, .. } = work;
    let (processes, exchanges) = cluster.map(Crossings::finished).unwrap_or_default();
    let operators = bound
        .operators
        .into_iter()
        .zip(loops.into_iter().zip(found.into_iter().zip(kept)))
        .map(|((line, depth, text), (loops, (found, kept)))| OperatorRows {
            line,
            depth,
            text,
            loops,
            found,
            kept,
        })
        .collect();
    let accesses = Accesses { cursors: bound.cursors, steps, work_left, processes, exchanges };
    Ok(Execution { operators, accesses, cursor_operators: bound.cursor_operators })
}

/// Where a row is in its table, as far as it lies on its node.
fn place_of(reading: &Reading, row: u32) -> u32 {
    reading.placed.as_ref().map_or(row, |placed| placed.places[row as usize])
}

/// Whether more rows are wanted.
pub(crate) type More = bool;

/// Up to three numbers of a key as bits.
type Key = [u64; 3];

/// Blocks of a temporary file that are asked for at once: 128 KiB, the system's read-ahead.
const ASIDE_BLOCKS: u32 = 16;

/// A temporary file that is being written.
#[derive(Debug, Clone, Copy)]
struct Aside {
    cursor: u16,
    /// Share of the rows that goes there.
    share: f64,
    bytes: f64,
    /// Blocks written.
    written: u32,
}

impl Aside {
    fn new(cursor: u16, share: f64) -> Self {
        Self { cursor, share, bytes: 0.0, written: 0 }
    }
}

/// Rows that were kept, by the places they fill.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    rows: Vec<u32>,
    values: Vec<f64>,
    pub(crate) length: usize,
}

impl Kept {
    pub(crate) fn add(&mut self, places: &Places, rows: &[u32], values: &[f64]) {
        self.rows.extend(places.rows.iter().map(|place| rows[*place]));
        self.values.extend(places.values.iter().map(|place| values[*place]));
        self.length += 1;
    }

    pub(crate) fn restore(&self, at: usize, places: &Places, rows: &mut [u32], values: &mut [f64]) {
        let from = at * places.rows.len();
        for (place, row) in places.rows.iter().zip(&self.rows[from..]) {
            rows[*place] = *row;
        }
        let from = at * places.values.len();
        for (place, value) in places.values.iter().zip(&self.values[from..]) {
            values[*place] = *value;
        }
    }
}

/// Rows that were kept, by a key.
#[derive(Debug, Default)]
struct Table {
    kept: Kept,
    by_key: HashMap<Key, Vec<u32>>,
}

pub(crate) struct Work<'a> {
    plan: &'a BoundPlan,
    memory: Option<WorkMemory>,
    pub(crate) cluster: Option<Crossings<'a>>,
    /// The node at work; the first one where there is one server.
    pub(crate) node: usize,
    pub(crate) rows: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// What is kept aside on each node, and what operators remember there.
    kept_aside: HashMap<(usize, usize), Rc<Table>>,
    once: HashMap<(usize, usize), f64>,
    last_keys: HashMap<(usize, usize), Key>,
    seen_keys: HashMap<(usize, usize), HashSet<Key>>,
    loops: Vec<u64>,
    pub(crate) found: Vec<u64>,
    kept: Vec<u64>,
    pub(crate) steps: Vec<Access>,
    pub(crate) work: u64,
}

/// Values so far.
#[derive(Debug, Clone, Copy)]
struct Running {
    sum: f64,
    min: f64,
    max: f64,
    count: f64,
}

impl Running {
    const NONE: Self = Self { sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY, count: 0.0 };

    fn add(&mut self, value: f64) {
        if !value.is_nan() {
            self.sum += value;
            self.min = self.min.min(value);
            self.max = self.max.max(value);
            self.count += 1.0;
        }
    }

    fn result(self, aggregate: Aggregate) -> f64 {
        match aggregate {
            Aggregate::Count => self.count,
            _ if self.count == 0.0 => f64::NAN,
            Aggregate::Sum => self.sum,
            Aggregate::Min => self.min,
            Aggregate::Max => self.max,
            Aggregate::Average => self.sum / self.count,
        }
    }
}

impl<'a> Work<'a> {
    /// The order of a cursor's entries on the node at work.
    fn order<'r>(&self, reading: &'r Reading) -> &'r Rc<IndexOrder> {
        reading.orders.get(self.node).unwrap_or(&reading.orders[0])
    }

    pub(crate) fn value(&self, bound: &Bound) -> f64 {
        bound.value(&self.rows, &self.values)
    }

    fn holds(&self, condition: Option<&Bound>) -> bool {
        condition.is_none_or(|condition| self.value(condition) > 0.0)
    }

    fn key<'b>(&self, parts: impl Iterator<Item = &'b Bound>) -> Key {
        let mut key = [0; 3];
        for (place, part) in key.iter_mut().zip(parts) {
            // Minus zero is zero.
            *place = (self.value(part) + 0.0).to_bits();
        }
        key
    }

    pub(crate) fn ask(&mut self, cursor: u16, asked: Asked, first: u32, count: u32) {
        let work = u32::try_from(self.work).unwrap_or(u32::MAX);
        self.work = 0;
        if self.cluster.as_ref().is_some_and(Crossings::is_elsewhere) {
            // What other nodes ask for is not looked at, but for the step that goes on.
            self.steps.clear();
        }
        self.steps.push(Access { cursor, asked, first, count, work });
    }

    /// The next entry of a scan: part of the step before where nothing else was asked for in between.
    fn ask_on(&mut self, cursor: u16, entry: u32) {
        if let Some(last) = self.steps.last_mut()
            && last.cursor == cursor
            && last.asked == Asked::On
            && last.first + last.count == entry
            && let Some(work) = last.work.checked_add(self.work as u32)
        {
            last.count += 1;
            last.work = work;
            self.work = 0;
            return;
        }
        self.ask(cursor, Asked::On, entry, 1);
    }

    /// Carries out a step, giving each of its rows to `next`.
    pub(crate) fn run(&mut self, step: &'a Step, next: &mut dyn FnMut(&mut Self) -> More) -> More {
        let number = step.number;
        self.loops[number] += 1;
        let mut hand_on = |me: &mut Self| {
            me.kept[number] += 1;
            next(me)
        };
        match &step.what {
            What::Scan(reading) => self.scan(number, reading, &mut hand_on),
            What::Cross(way, cursor) => self.cross(step, way, *cursor, &mut hand_on),
            What::Range(reading, from, to) => {
                let order = self.order(reading);
                let from = order.first_from(*from);
                let to = order.first_from(*to).max(from);
                self.ask(reading.cursor, Asked::From, from, 0);
                self.entries(number, reading, from, to - from, true, &mut hand_on)
            }
            What::Ref(reading, keys, lookup) => self.look_up(number, reading, keys, *lookup, &mut hand_on),
            What::Read { temp, on, keep } => {
                let table = self.kept_aside(*temp, on);
                let places = &self.plan.temps[*temp].fills;
                let wanted = self.key(on.iter().map(|(_, outer)| outer));
                let all: Vec<u32>;
                let found = if on.is_empty() {
                    all = (0..table.kept.length as u32).collect();
                    &all
                } else {
                    match table.by_key.get(&wanted) {
                        Some(found) => found,
                        None => return true,
                    }
                };
                for at in found {
                    table.kept.restore(*at as usize, places, &mut self.rows, &mut self.values);
                    self.found[number] += 1;
                    self.work += 1;
                    if self.holds(keep.as_ref()) && !hand_on(self) {
                        return false;
                    }
                }
                true
            }
            What::Loop => self.nested(&step.inputs, &mut hand_on),
            What::Inner(join) => self.inner(*join, step, &mut hand_on),
            What::Keep(condition) => {
                self.found[number] += 1;
                if self.value(condition) > 0.0 { hand_on(self) } else { true }
            }
            What::Value(total, once) => {
                let known = once.then(|| self.once.get(&(number, self.node)).copied()).flatten();
                let value = known.unwrap_or_else(|| self.total(total, &step.inputs[0]));
                if *once {
                    self.once.insert((number, self.node), value);
                }
                self.values[total.place] = value;
                hand_on(self)
            }
            What::Group(by, totals, having) => {
                let (kept, sums) = self.grouped(step, by, totals);
                let places = &step.inputs[0].fills;
                for (at, sums) in sums.iter().enumerate() {
                    kept.restore(at, places, &mut self.rows, &mut self.values);
                    for (total, sum) in totals.iter().zip(sums) {
                        self.values[total.place] = sum.result(total.aggregate);
                    }
                    self.found[number] += 1;
                    if self.holds(having.as_ref()) && !hand_on(self) {
                        return false;
                    }
                }
                true
            }
            What::Sort(by) => {
                let input = &step.inputs[0];
                let mut kept = Kept::default();
                let mut keys: Vec<(Vec<f64>, usize)> = Vec::new();
                self.run(input, &mut |me| {
                    let key = by.iter().map(|(key, down)| me.value(key) * if *down { -1.0 } else { 1.0 });
                    keys.push((key.collect(), kept.length));
                    kept.add(&input.fills, &me.rows, &me.values);
                    me.work += 1;
                    true
                });
                keys.sort_by(|(a, at_a), (b, at_b)| {
                    let order = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
                    order.unwrap_or_else(|| at_a.cmp(at_b))
                });
                self.found[number] += keys.len() as u64;
                self.sort_aside(step, keys.len() as u64);
                for (_, at) in keys {
                    kept.restore(at, &input.fills, &mut self.rows, &mut self.values);
                    if !hand_on(self) {
                        return false;
                    }
                }
                true
            }
            What::Limit(rows) => {
                let mut left = *rows;
                self.run(&step.inputs[0], &mut |me| {
                    left -= 1;
                    hand_on(me) && left > 0
                })
            }
            What::Temp => true,
            What::Hash(join, on, keep) => self.hashed(*join, on, keep.as_ref(), step, &mut hand_on),
            What::Merge(left, right) => self.merged(left, right, step, &mut hand_on),
        }
    }

    fn scan(&mut self, number: usize, reading: &Reading, hand_on: &mut dyn FnMut(&mut Self) -> More) -> More {
        for entry in 0..self.order(reading).len() {
            self.ask_on(reading.cursor, entry);
            if !self.entry(number, reading, entry, hand_on) {
                return false;
            }
        }
        true
    }

    /// One entry: its row is fetched where that is needed, and handed on if it is wanted.
    fn entry(
        &mut self,
        number: usize,
        reading: &Reading,
        entry: u32,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let row = self.order(reading).row(entry);
        self.rows[reading.place] = row;
        self.work += 1;
        if !self.holds(reading.before_row.as_ref()) {
            return true;
        }
        if reading.fetches {
            self.ask(reading.cursor, Asked::Row, place_of(reading, row), 1);
        }
        self.found_row(number, reading, row, hand_on)
    }

    /// A row that is there: handed on if it is wanted.
    fn found_row(
        &mut self,
        number: usize,
        reading: &Reading,
        row: u32,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        self.rows[reading.place] = row;
        self.found[number] += 1;
        if self.holds(reading.keep.as_ref()) { hand_on(self) } else { true }
    }

    /// The entries of a key or a range, behind a step that has found the first; where `looks_on`, the one behind them
    /// is looked at, too, which tells that they are over.
    fn entries(
        &mut self,
        number: usize,
        reading: &Reading,
        from: u32,
        count: u32,
        looks_on: bool,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let found_by = self.steps.len() - 1;
        for at in 0..count {
            let entry = from + at;
            if found_by + 1 == self.steps.len() {
                self.steps[found_by].count += 1;
            } else {
                self.ask_on(reading.cursor, entry);
            }
            if !self.entry(number, reading, entry, hand_on) {
                return false;
            }
        }
        if looks_on {
            if found_by + 1 == self.steps.len() {
                self.steps[found_by].count += 1;
            } else if from + count < self.order(reading).len() {
                self.ask_on(reading.cursor, from + count);
            }
        }
        true
    }

    fn look_up(
        &mut self,
        number: usize,
        reading: &Reading,
        keys: &[Bound],
        lookup: Lookup,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let wanted = self.key(keys.iter());
        let (first, second) = (self.value(&keys[0]), keys.get(1).map(|key| self.value(key)));
        if first.is_nan() {
            return true;
        }
        let known = match lookup {
            Lookup::Unique => self.last_keys.insert((number, self.node), wanted) == Some(wanted),
            Lookup::Memo => !self.seen_keys.entry((number, self.node)).or_default().insert(wanted),
            Lookup::Each | Lookup::Bitmap => false,
        };
        let order = Rc::clone(self.order(reading));
        let (from, count) = order.entries(first, second);
        if known {
            return (from..from + count)
                .all(|entry| self.found_row(number, reading, order.row(entry), hand_on));
        }
        self.ask(reading.cursor, Asked::From, from, 0);
        if lookup == Lookup::Bitmap {
            let mut rows: Vec<u32> = (from..from + count).map(|entry| order.row(entry)).collect();
            rows.sort_unstable();
            if let Some(found_by) = self.steps.last_mut() {
                found_by.count = count + 1;
            }
            return rows.into_iter().all(|row| {
                self.work += 1;
                self.ask(reading.cursor, Asked::Row, place_of(reading, row), 1);
                self.found_row(number, reading, row, hand_on)
            });
        }
        let looks_on = lookup != Lookup::Unique;
        self.entries(number, reading, from, count, looks_on, hand_on)
    }

    /// For each row of the first step the others.
    fn nested(&mut self, steps: &'a [Step], next: &mut dyn FnMut(&mut Self) -> More) -> More {
        match steps.split_first() {
            None => next(self),
            Some((first, others)) => self.run(first, &mut |me| me.nested(others, next)),
        }
    }

    fn inner(&mut self, join: Join, step: &'a Step, hand_on: &mut dyn FnMut(&mut Self) -> More) -> More {
        let inputs = &step.inputs;
        if matches!(join, Join::Inner | Join::Left) {
            let mut any = false;
            let mut more = self.nested(inputs, &mut |me| {
                any = true;
                hand_on(me)
            });
            if !any && join == Join::Left {
                self.forget(&step.fills);
                more = hand_on(self);
            }
            return more;
        }
        let mut any = false;
        self.nested(inputs, &mut |_| {
            any = true;
            false
        });
        if any == (join == Join::Semi) { hand_on(self) } else { true }
    }

    fn forget(&mut self, places: &Places) {
        places.rows.iter().for_each(|place| self.rows[*place] = NO_ROW);
        places.values.iter().for_each(|place| self.values[*place] = f64::NAN);
    }

    fn total(&mut self, total: &Total, input: &'a Step) -> f64 {
        let mut running = Running::NONE;
        self.run(input, &mut |me| {
            running.add(me.value(&total.of));
            true
        });
        running.result(total.aggregate)
    }

    /// The first row of each group in the order of their appearance, and their totals.
    fn grouped(&mut self, step: &'a Step, by: &'a [Bound], totals: &'a [Total]) -> (Kept, Vec<Vec<Running>>) {
        let input = &step.inputs[0];
        let (mut kept, mut sums): (_, Vec<Vec<Running>>) = (Kept::default(), Vec::new());
        let mut groups: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut key = Vec::new();
        self.run(input, &mut |me| {
            key.clear();
            key.extend(by.iter().map(|part| (me.value(part) + 0.0).to_bits()));
            let group = match groups.get(&key) {
                Some(group) => *group,
                None => {
                    kept.add(&input.fills, &me.rows, &me.values);
                    sums.push(vec![Running::NONE; totals.len()]);
                    groups.insert(key.clone(), sums.len() - 1);
                    sums.len() - 1
                }
            };
            for (total, running) in totals.iter().zip(&mut sums[group]) {
                running.add(me.value(&total.of));
            }
            // Each total is worked on as a row is.
            me.work += 1 + totals.len() as u64;
            true
        });
        if by.is_empty() && sums.is_empty() {
            // A total over nothing is one row.
            kept.add(&input.fills, &self.rows, &self.values);
            sums.push(vec![Running::NONE; totals.len()]);
        }
        (kept, sums)
    }

    /// What is kept aside, filled when it is first read.
    fn kept_aside(&mut self, temp: usize, on: &'a [(Bound, Bound)]) -> Rc<Table> {
        if let Some(table) = self.kept_aside.get(&(temp, self.node)) {
            return Rc::clone(table);
        }
        let step = &self.plan.temps[temp];
        self.loops[step.number] += 1;
        let table = self.table(&step.inputs[0], on.iter().map(|(own, _)| own));
        self.kept[step.number] += table.kept.length as u64;
        let table = Rc::new(table);
        self.kept_aside.insert((temp, self.node), Rc::clone(&table));
        table
    }

    /// The rows of a step by a key.
    fn table(&mut self, step: &'a Step, key: impl Iterator<Item = &'a Bound> + Clone) -> Table {
        let mut table = Table::default();
        self.run(step, &mut |me| {
            let place = table.kept.length as u32;
            table.kept.add(&step.fills, &me.rows, &me.values);
            table.by_key.entry(me.key(key.clone())).or_default().push(place);
            me.work += 1;
            true
        });
        table
    }

    fn hashed(
        &mut self,
        join: Join,
        on: &'a [(Bound, Bound)],
        keep: Option<&'a Bound>,
        step: &'a Step,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let (left, right) = (&step.inputs[0], &step.inputs[1]);
        let table = self.table(right, on.iter().map(|(_, right)| right));
        let mut aside = self.batches_aside(step, table.kept.length as u64);
        let mut met = vec![false; if join == Join::Right { table.kept.length } else { 0 }];
        let more = self.run(left, &mut |me| {
            let wanted = me.key(on.iter().map(|(left, _)| left));
            me.write_aside(&mut aside, in_batch(step.widths[0]));
            let mut any = false;
            for at in table.by_key.get(&wanted).into_iter().flatten() {
                table.kept.restore(*at as usize, &right.fills, &mut me.rows, &mut me.values);
                me.found[step.number] += 1;
                me.work += 1;
                if !me.holds(keep) {
                    continue;
                }
                any = true;
                match join {
                    Join::Inner | Join::Left | Join::Right => {
                        if let Some(met) = met.get_mut(*at as usize) {
                            *met = true;
                        }
                        if !hand_on(me) {
                            return false;
                        }
                    }
                    Join::Semi | Join::Anti => break,
                }
            }
            match (join, any) {
                (Join::Left, false) => {
                    me.forget(&right.fills);
                    hand_on(me)
                }
                (Join::Semi, true) | (Join::Anti, false) => hand_on(me),
                _ => true,
            }
        });
        self.read_aside(aside);
        self.forget(&left.fills);
        for (at, _) in met.iter().enumerate().filter(|(_, met)| more && !**met) {
            table.kept.restore(at, &right.fills, &mut self.rows, &mut self.values);
            if !hand_on(self) {
                return false;
            }
        }
        more
    }

    /// A sort of `rows` rows goes through its tapes as often as it has to.
    fn sort_aside(&mut self, step: &Step, rows: u64) {
        let (Some(memory), Some(cursor)) = (self.memory, step.aside) else { return };
        let passes = memory.sort_passes(rows, step.widths[0]);
        // The last merge goes on while its rows are read, unless they have to be on one tape.
        let again = u64::from(passes > 0 && step.reader == Reader::Again);
        let row = on_tape(step.widths[0]) + again as f64 * LENGTH_BEHIND_BYTES;
        for _ in 0..passes + again {
            let mut aside = Aside::new(cursor, 1.0);
            aside.bytes = rows as f64 * row;
            self.read_aside(Some(aside));
        }
    }

    /// The rows of a hash table's later batches have been written.
    fn batches_aside(&mut self, step: &Step, rows: u64) -> Option<Aside> {
        let (memory, cursor) = (self.memory?, step.aside?);
        let batches = memory.batches(rows, step.widths[1]);
        let mut aside = Aside::new(cursor, 1.0 - 1.0 / batches as f64);
        aside.bytes = rows as f64 * aside.share * in_batch(step.widths[1]);
        (batches > 1).then_some(aside)
    }

    /// A row of `bytes` goes into its batch's file, if it is not one of the first batch.
    fn write_aside(&mut self, aside: &mut Option<Aside>, bytes: f64) {
        let Some(aside) = aside else { return };
        aside.bytes += bytes * aside.share;
        let blocks = (aside.bytes / BLOCK_BYTES) as u32;
        if blocks >= aside.written + ASIDE_BLOCKS {
            self.ask(aside.cursor, Asked::TempWrite, 0, blocks - aside.written);
            aside.written = blocks;
        }
    }

    /// What is left goes into its file, and all of it is read.
    fn read_aside(&mut self, aside: Option<Aside>) {
        let Some(mut aside) = aside else { return };
        let blocks = (aside.bytes / BLOCK_BYTES).ceil() as u32;
        while aside.written < blocks {
            let count = ASIDE_BLOCKS.min(blocks - aside.written);
            self.ask(aside.cursor, Asked::TempWrite, 0, count);
            aside.written += count;
        }
        let mut read = 0;
        while read < blocks {
            let count = ASIDE_BLOCKS.min(blocks - read);
            self.ask(aside.cursor, Asked::TempRead, 0, count);
            read += count;
        }
    }

    fn merged(
        &mut self,
        left: &'a Bound,
        right: &'a Bound,
        step: &'a Step,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let (first, second) = (&step.inputs[0], &step.inputs[1]);
        let (mut kept, mut keys) = (Kept::default(), Vec::new());
        self.run(second, &mut |me| {
            kept.add(&second.fills, &me.rows, &me.values);
            keys.push(me.value(right));
            true
        });
        let mut from = 0;
        let mut wanted = true;
        self.run(first, &mut |me| {
            let key = me.value(left);
            me.work += 1;
            from += keys[from..].partition_point(|other| *other < key);
            let behind = from + keys[from..].partition_point(|other| *other <= key);
            for at in from..behind {
                kept.restore(at, &second.fills, &mut me.rows, &mut me.values);
                me.found[step.number] += 1;
                wanted = hand_on(me);
                if !wanted {
                    return false;
                }
            }
            from < keys.len()
        });
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(text: &str) -> Vec<u64> {
        let plan = Plan::read(text).expect("a plan");
        let found = execute(&plan, &Database::new(0.002), Storing::default()).expect("names");
        found.operators.iter().map(|operator| operator.kept).collect()
    }

    #[test]
    fn a_merge_join_finds_what_a_hash_join_does_and_ends_behind_the_last_key() {
        let inputs =
            "\n  scan customer by PRIMARY\n  sort by o_custkey\n    scan orders where o_custkey < 200\n";
        let merged = rows_of(&format!("merge inner on c_custkey = o_custkey{inputs}"));
        let hashed = rows_of(&format!("hash inner on c_custkey = o_custkey{inputs}"));
        assert_eq!(merged[0], hashed[0]);
        // Keys count from 0: two hundred, and the one that shows that they are over.
        assert_eq!((merged[1], hashed[1]), (201, 300));
    }

    #[test]
    fn a_right_join_keeps_what_nothing_has_met() {
        let inputs = "\n  scan orders\n  scan customer\n";
        let right = rows_of(&format!("hash right on o_custkey = c_custkey{inputs}"))[0];
        let inner = rows_of(&format!("hash inner on o_custkey = c_custkey{inputs}"))[0];
        let met = rows_of("hash semi on c_custkey = o_custkey\n  scan customer\n  scan orders\n")[0];
        assert_eq!(right, inner + 300 - met);
    }

    #[test]
    fn what_was_kept_aside_leaves_other_rows_alone() {
        let text = "temp these\n  scan region where r_name = 'ASIA'\nhash inner on s_nationkey = n_nationkey\n  \
                    scan supplier\n  loop\n    scan nation\n    read these where r_regionkey = n_regionkey\n";
        let join = "hash inner on s_nationkey = n_nationkey\n  scan supplier\n  loop\n    \
                    scan region where r_name = 'ASIA'\n    scan nation where n_regionkey = r_regionkey\n";
        assert_eq!(rows_of(text)[2], rows_of(join)[0]);
    }
}
