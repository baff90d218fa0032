//! Rows that cross the network of a cluster: a plan below a crossing is carried out on every node, one after the other, since
//! that takes no time here; what the fullest node and the coordinator ask for is written down, process by process.

use crate::{
    bind::{Step, Way},
    execute::{Kept, More, Work},
    placement::Placement,
    plan::Nodes,
};
use spindle_engine::access::{Asked, Exchange, Process};
use std::{
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

/// Work on a row that is sent, and on one that is received, in rows worked on (0.2 us): a row is turned into text and copied into a
/// message (`printtup`, `SharedQueueWrite`), and read back from it. An assumption: 1 us each for the few columns that cross.
const SENT_ROW_WORK: u64 = 5;
const RECEIVED_ROW_WORK: u64 = 5;
/// Work of a node on a subquery that comes for one row: its portal is made, begun and dropped (`exec_bind_message`,
/// `ExecutorStart`). An assumption: 50 us.
const CALLED_WORK: u64 = 250;
/// Bytes that are handed to the network at once.
const CHUNK_BYTES: f64 = 4096.0;
/// What stands before a row in a message (`DataRow`: its kind, its length, its number of columns), and a length for each
/// column of some eight bytes.
const ROW_HEADER_BYTES: f64 = 7.0;
const LENGTHS_SHARE: f64 = 0.5;

/// Which process writes its steps down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    /// The one at the coordinator.
    Coordinator,
    /// One on the node that is looked at, by its number.
    Here(usize),
    /// None: another node is at work.
    Elsewhere,
}

/// Rows that have crossed, by the node that takes them; one list where that is the coordinator.
type Crossed = Rc<Vec<Kept>>;

/// How rows of one plan cross.
pub(crate) struct Crossings<'a> {
    placement: &'a Placement,
    /// The node that is looked at.
    here: usize,
    /// The node at work; none at the coordinator.
    at: Option<usize>,
    writer: Writer,
    coordinator: Process,
    processes: Vec<Process>,
    exchanges: Vec<Exchange>,
    crossed: HashMap<u16, (usize, Crossed)>,
    /// Processes that answer the calls of other nodes, by operator and node.
    answering: BTreeMap<(u16, usize), usize>,
}

impl<'a> Crossings<'a> {
    pub(crate) fn new(placement: &'a Placement, here: u32) -> Self {
        Self {
            placement,
            here: here as usize,
            at: None,
            writer: Writer::Coordinator,
            coordinator: Process::default(),
            processes: Vec::new(),
            exchanges: Vec::new(),
            crossed: HashMap::new(),
            answering: BTreeMap::new(),
        }
    }

    /// Whether the node at work is not the one that is looked at.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.writer == Writer::Elsewhere
    }

    /// The processes on the node at the end, and how rows come from them.
    pub(crate) fn finished(mut self) -> (Vec<Process>, Vec<Exchange>) {
        for ((cursor, node), process) in &self.answering {
            // What answers another node's calls goes on as the process here does that calls like it.
            if *node != self.here {
                let like = self.answering.get(&(*cursor, self.here));
                self.processes[*process].begins_with = Some(like.map_or(0, |number| number + 1));
            }
        }
        (self.processes, self.exchanges)
    }

    fn new_process(&mut self) -> usize {
        self.processes.push(Process::default());
        self.processes.len() - 1
    }

    fn process(&mut self, writer: Writer) -> Option<&mut Process> {
        match writer {
            Writer::Coordinator => Some(&mut self.coordinator),
            Writer::Here(number) => self.processes.get_mut(number),
            Writer::Elsewhere => None,
        }
    }

    /// The process that carries out, on the node that is looked at, what a process calls for.
    fn answering(&mut self, cursor: u16, caller: Option<usize>, writer: Writer) -> Writer {
        match caller {
            Some(node) if node != self.here => {
                if let Some(known) = self.answering.get(&(cursor, node)) {
                    return Writer::Here(*known);
                }
                let process = self.new_process();
                self.answering.insert((cursor, node), process);
                Writer::Here(process)
            }
            _ => writer,
        }
    }
}

/// Bytes of a row with `bytes` of values in a message.
fn in_message(bytes: f64) -> f64 {
    ROW_HEADER_BYTES + bytes * (1.0 + LENGTHS_SHARE)
}

impl<'a> Work<'a> {
    /// Lets a node go on, whose steps are written down by `writer`; tells who was at work before.
    fn turn_to(&mut self, at: Option<usize>, writer: Writer) -> (Option<usize>, Writer) {
        let Some(cluster) = &mut self.cluster else { return (None, Writer::Coordinator) };
        let before = (cluster.at, cluster.writer);
        let (steps, work) = (&mut self.steps, &mut self.work);
        if let Some(process) = cluster.process(before.1) {
            std::mem::swap(&mut process.steps, steps);
            process.work_left = *work;
        }
        steps.clear();
        *work = 0;
        (cluster.at, cluster.writer) = (at, writer);
        if let Some(process) = cluster.process(writer) {
            std::mem::swap(&mut process.steps, steps);
            *work = process.work_left;
        }
        self.node = at.unwrap_or(0);
        before
    }

    /// The nodes that carry out what is below a crossing.
    fn carriers(&self, nodes: Nodes) -> Vec<usize> {
        let Some(cluster) = &self.cluster else { return Vec::new() };
        match nodes {
            Nodes::All => (0..cluster.placement.nodes() as usize).collect(),
            Nodes::One => vec![cluster.here],
        }
    }

    pub(crate) fn cross(
        &mut self,
        step: &'a Step,
        way: &'a Way,
        cursor: u16,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        match way {
            Way::Call(nodes) => self.call(step, *nodes, cursor, hand_on),
            Way::Remote(_) | Way::Redistribute(..) => {
                let known = self.cluster.as_ref().and_then(|cluster| cluster.crossed.get(&cursor).cloned());
                let (exchange, crossed) = known.unwrap_or_else(|| self.send(step, way, cursor));
                self.receive(step, exchange, &crossed, hand_on)
            }
        }
    }

    /// Carries out what is below on its nodes; every row goes to where it is wanted.
    fn send(&mut self, step: &'a Step, way: &'a Way, cursor: u16) -> (usize, Crossed) {
        let (nodes, by) = match way {
            Way::Redistribute(nodes, by) => (*nodes, Some(by)),
            Way::Remote(nodes) | Way::Call(nodes) => (*nodes, None),
        };
        let input = &step.inputs[0];
        let row_bytes = in_message(step.widths[0]);
        let carriers = self.carriers(nodes);
        let Some(cluster) = &mut self.cluster else { return (0, Rc::default()) };
        let (process, here) = (cluster.new_process(), cluster.here);
        let takers = if by.is_some() { cluster.placement.nodes() as usize } else { 1 };
        let placement = cluster.placement;
        let mut crossed: Vec<Kept> = (0..takers).map(|_| Kept::default()).collect();
        let mut sent = Sent::default();
        let mut before = None;
        for node in carriers {
            let writer = if node == here { Writer::Here(process) } else { Writer::Elsewhere };
            let was = self.turn_to(Some(node), writer);
            before.get_or_insert(was);
            self.run(input, &mut |me| {
                let to = by.map_or(0, |by| placement.node_of(me.value(by)) as usize);
                crossed[to].add(&input.fills, &me.rows, &me.values);
                me.work += SENT_ROW_WORK;
                if node == here {
                    sent.bytes += row_bytes;
                    me.hand_to_network(cursor, &mut sent, CHUNK_BYTES);
                }
                true
            });
            if node == here {
                self.hand_to_network(cursor, &mut sent, 1.0);
            }
        }
        if let Some((at, writer)) = before {
            self.turn_to(at, writer);
        }
        let taken = if by.is_some() { crossed[here].length } else { crossed[0].length };
        let Some(cluster) = &mut self.cluster else { return (0, Rc::default()) };
        cluster.exchanges.push(Exchange {
            cursor,
            from: process + 1,
            to_coordinator: by.is_none(),
            sent: sent.handed,
            taken: (taken as f64 * row_bytes) as u64,
        });
        let known = (cluster.exchanges.len() - 1, Rc::new(crossed));
        cluster.crossed.insert(cursor, known.clone());
        known
    }

    /// Bytes that have gathered go to the network, if there are at least so many.
    fn hand_to_network(&mut self, cursor: u16, sent: &mut Sent, least: f64) {
        let bytes = sent.bytes - sent.handed as f64;
        if bytes >= least {
            self.ask(cursor, Asked::Send, 0, bytes as u32);
            sent.handed += bytes as u64;
        }
    }

    /// The rows that have crossed to whoever is at work.
    fn receive(
        &mut self,
        step: &'a Step,
        exchange: usize,
        crossed: &Crossed,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let places = &step.inputs[0].fills;
        let row_bytes = in_message(step.widths[0]);
        let Some(cluster) = &self.cluster else { return true };
        let Exchange { cursor, sent, .. } = cluster.exchanges[exchange];
        let rows = &crossed[if crossed.len() == 1 { 0 } else { self.node }];
        let chunk = (CHUNK_BYTES / row_bytes).ceil() as usize;
        for at in 0..rows.length {
            if at % chunk == 0 {
                let behind = (at + chunk).min(rows.length);
                let wanted = (sent as f64 * behind as f64 / rows.length as f64) as u32;
                let bytes = ((behind - at) as f64 * row_bytes) as u32;
                self.ask(cursor, Asked::Receive, wanted, bytes);
            }
            rows.restore(at, places, &mut self.rows, &mut self.values);
            self.found[step.number] += 1;
            self.work += RECEIVED_ROW_WORK;
            if !hand_on(self) {
                return false;
            }
        }
        // The end has to come, too.
        self.ask(cursor, Asked::Receive, u32::try_from(sent).unwrap_or(u32::MAX), 0);
        true
    }

    /// What is below is carried out on its nodes for the row at hand.
    fn call(
        &mut self,
        step: &'a Step,
        nodes: Nodes,
        cursor: u16,
        hand_on: &mut dyn FnMut(&mut Self) -> More,
    ) -> More {
        let input = &step.inputs[0];
        let Some(cluster) = &mut self.cluster else { return true };
        let (caller, caller_writer, here) = (cluster.at, cluster.writer, cluster.here);
        if let Writer::Here(number) = caller_writer {
            cluster.answering.insert((cursor, here), number);
        }
        let answering = cluster.answering(cursor, caller, caller_writer);
        if caller_writer != Writer::Elsewhere {
            self.ask(cursor, Asked::Call, 0, in_message(step.widths[0]) as u32);
        }
        let mut found = Kept::default();
        let outer = (self.rows.clone(), self.values.clone());
        for node in self.carriers(nodes) {
            self.turn_to(Some(node), if node == here { answering } else { Writer::Elsewhere });
            if node == here && answering != caller_writer {
                self.ask(cursor, Asked::Call, 1, 0);
            }
            self.work += CALLED_WORK;
            self.run(input, &mut |me| {
                found.add(&input.fills, &me.rows, &me.values);
                me.work += SENT_ROW_WORK;
                true
            });
        }
        self.turn_to(caller, caller_writer);
        (self.rows, self.values) = outer;
        for at in 0..found.length {
            found.restore(at, &input.fills, &mut self.rows, &mut self.values);
            self.found[step.number] += 1;
            self.work += RECEIVED_ROW_WORK;
            if !hand_on(self) {
                return false;
            }
        }
        true
    }
}

/// What a process has sent of its rows.
#[derive(Debug, Default)]
struct Sent {
    bytes: f64,
    /// Of those, what the network has.
    handed: u64,
}
