//! Which worker does what, and in what order. No worker of flesh and blood, no clock.

use crate::protocol::{Death, Job, Purpose, Task};
use std::collections::BTreeMap;

/// The most workers of a page.
const WORKERS_MAX: usize = 8;
/// Two runs that are shown side by side go on side by side even where there is but one processor.
const WORKERS_MIN: usize = 2;

/// One piece of work in so many is of what is less urgent.
const SHARE: u64 = 4;

/// Something to be done with a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Start one.
    Start {
        /// Its number.
        worker: u32,
    },
    /// Give it something to do.
    Run {
        /// Its number.
        worker: u32,
        /// What to do.
        task: Box<Task>,
    },
    /// Let it forget a job. Where it does not say that it has, after a while: [`Schedule::replace`].
    Stop {
        /// Its number.
        worker: u32,
        /// The job's number.
        job: u32,
    },
    /// End it, whatever it does.
    End {
        /// Its number.
        worker: u32,
    },
    /// A task was lost with its worker.
    Lost {
        /// The job's number.
        job: u32,
        /// Which of its scenarios.
        index: usize,
        /// Why.
        death: Death,
    },
    /// The last task of a job is over.
    Finished {
        /// The job's number.
        job: u32,
    },
}

/// What a worker has to do.
#[derive(Debug, Default)]
struct Bench {
    /// Whether it has listened yet.
    ready: bool,
    /// At most one of each purpose.
    tasks: BTreeMap<Purpose, Task>,
    /// Job and scenario that it is busy with at the moment.
    busy: Option<(u32, usize)>,
    /// Jobs that it was told to forget and has not yet forgotten.
    stopping: Vec<u32>,
}

/// The jobs of a page and the workers that share them.
#[derive(Debug)]
pub struct Schedule {
    limit: usize,
    workers: BTreeMap<u32, Bench>,
    last_worker: u32,
    last_job: u32,
    /// Tasks that no worker has, the most urgent first.
    waiting: BTreeMap<(Purpose, u32, usize), Task>,
    /// Tasks that are not over, by job.
    left: BTreeMap<u32, usize>,
}

impl Schedule {
    /// For a machine of so many processors.
    pub fn new(processors: usize) -> Self {
        Self {
            limit: processors.clamp(WORKERS_MIN, WORKERS_MAX),
            workers: BTreeMap::new(),
            last_worker: 0,
            last_job: 0,
            waiting: BTreeMap::new(),
            left: BTreeMap::new(),
        }
    }

    /// Whether there is nothing to do.
    pub fn is_idle(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes a job, and says its number.
    pub fn add(&mut self, job: Job) -> (u32, Vec<Command>) {
        self.last_job += 1;
        let (number, purpose) = (self.last_job, job.purpose);
        if job.scenarios.is_empty() {
            return (number, vec![Command::Finished { job: number }]);
        }
        self.left.insert(number, job.scenarios.len());
        for (index, scenario) in job.scenarios.into_iter().enumerate() {
            self.waiting.insert((purpose, number, index), Task { job: number, index, purpose, scenario });
        }
        (number, self.assign())
    }

    /// Gives a job up.
    pub fn stop(&mut self, job: u32) -> Vec<Command> {
        if self.left.remove(&job).is_none() {
            return Vec::new();
        }
        self.waiting.retain(|(_, of, _), _| *of != job);
        let mut commands = Vec::new();
        for (worker, bench) in &mut self.workers {
            let before = bench.tasks.len();
            bench.tasks.retain(|_, task| task.job != job);
            if bench.tasks.len() < before {
                bench.stopping.push(job);
                commands.push(Command::Stop { worker: *worker, job });
            }
        }
        commands.extend(self.assign());
        commands
    }

    /// A worker listens.
    pub fn ready(&mut self, worker: u32) {
        if let Some(bench) = self.workers.get_mut(&worker) {
            bench.ready = true;
        }
    }

    /// A worker goes on with another of its tasks.
    pub fn busy(&mut self, worker: u32, job: u32, index: usize) {
        if let Some(bench) = self.workers.get_mut(&worker) {
            bench.busy = Some((job, index));
        }
    }

    /// A worker has forgotten a job.
    pub fn stopped(&mut self, worker: u32, job: u32) {
        if let Some(bench) = self.workers.get_mut(&worker) {
            bench.stopping.retain(|stopping| *stopping != job);
        }
    }

    /// Whether a worker has this task: what it says of others is of no interest any more.
    pub fn has(&self, worker: u32, job: u32, index: usize) -> bool {
        let bench = self.workers.get(&worker);
        bench.is_some_and(|bench| bench.tasks.values().any(|task| (task.job, task.index) == (job, index)))
    }

    /// A worker is done with a task.
    pub fn done(&mut self, worker: u32, job: u32, index: usize) -> Vec<Command> {
        if !self.has(worker, job, index) {
            return Vec::new();
        }
        if let Some(bench) = self.workers.get_mut(&worker) {
            bench.tasks.retain(|_, task| (task.job, task.index) != (job, index));
        }
        let mut commands = Vec::new();
        self.count_down(job, &mut commands);
        commands.extend(self.assign());
        commands
    }

    /// A worker died. What it was busy with is lost, and its other tasks go to another. One that died before it ever
    /// listened takes everything with it: the next one would fare no better.
    pub fn died(&mut self, worker: u32, death: &Death) -> Vec<Command> {
        let Some(bench) = self.workers.remove(&worker) else { return Vec::new() };
        let mut tasks: Vec<Task> = bench.tasks.into_values().collect();
        if !bench.ready {
            tasks.extend(std::mem::take(&mut self.waiting).into_values());
        }
        let is_lost =
            |task: &Task| !bench.ready || bench.busy.is_none_or(|busy| busy == (task.job, task.index));
        let (lost, kept): (Vec<Task>, Vec<Task>) = tasks.into_iter().partition(is_lost);
        self.wait_again(kept);
        let mut commands = Vec::new();
        for task in lost {
            commands.push(Command::Lost { job: task.job, index: task.index, death: death.clone() });
            self.count_down(task.job, &mut commands);
        }
        commands.extend(self.assign());
        commands
    }

    /// Another worker takes the place of one that was told to forget a job and does not listen: it is loading tables,
    /// perhaps for seconds. Nothing happens where it has forgotten the job by now.
    pub fn replace(&mut self, worker: u32, job: u32) -> Vec<Command> {
        if !self.workers.get(&worker).is_some_and(|bench| bench.stopping.contains(&job)) {
            return Vec::new();
        }
        let tasks = self.workers.remove(&worker).map(|bench| bench.tasks).unwrap_or_default();
        self.wait_again(tasks.into_values());
        let mut commands = vec![Command::End { worker }];
        commands.extend(self.assign());
        commands
    }

    /// Ends all workers, whose memory never shrinks by itself, if there is nothing to do.
    pub fn rest(&mut self) -> Vec<Command> {
        if !self.is_idle() {
            return Vec::new();
        }
        std::mem::take(&mut self.workers).into_keys().map(|worker| Command::End { worker }).collect()
    }

    fn wait_again(&mut self, tasks: impl IntoIterator<Item = Task>) {
        self.waiting.extend(tasks.into_iter().map(|task| ((task.purpose, task.job, task.index), task)));
    }

    fn count_down(&mut self, job: u32, commands: &mut Vec<Command>) {
        let Some(left) = self.left.get_mut(&job) else { return };
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.left.remove(&job);
            commands.push(Command::Finished { job });
        }
    }

    /// Gives waiting tasks to workers, as far as there is place.
    fn assign(&mut self) -> Vec<Command> {
        let mut commands = Vec::new();
        while let Some(entry) = self.waiting.first_entry() {
            let purpose = entry.key().0;
            let room = self.workers.len() < self.limit;
            let Some(worker) = place(&self.workers, purpose, room) else { break };
            let task = entry.remove();
            let worker = worker.unwrap_or_else(|| {
                self.last_worker += 1;
                commands.push(Command::Start { worker: self.last_worker });
                self.last_worker
            });
            let bench = self.workers.entry(worker).or_default();
            commands.push(Command::Run { worker, task: Box::new(task.clone()) });
            bench.tasks.insert(purpose, task);
        }
        commands
    }
}

/// Who takes a task: a worker with nothing to do; a new one (`Some(None)`) where there is `room`; one that has nothing of
/// this purpose yet and shares its time; nobody.
fn place(workers: &BTreeMap<u32, Bench>, purpose: Purpose, room: bool) -> Option<Option<u32>> {
    let idle = workers.iter().filter(|(_, bench)| bench.tasks.is_empty());
    // One that has still to forget a job may take a while.
    if let Some((worker, _)) = idle.min_by_key(|(_, bench)| bench.stopping.len()) {
        return Some(Some(*worker));
    }
    if room {
        return Some(None);
    }
    let sharing = workers.iter().filter(|(_, bench)| !bench.tasks.contains_key(&purpose));
    sharing.min_by_key(|(_, bench)| bench.tasks.len()).map(|(worker, _)| Some(*worker))
}

/// Which of its tasks, sorted by urgency, a worker goes on with for its `turn`th piece of work: three pieces in four are
/// of the most urgent one, and the others share the rest.
pub fn turn(turn: u64, tasks: usize) -> usize {
    if tasks < 2 || !turn.is_multiple_of(SHARE) {
        0
    } else {
        1 + (turn / SHARE % (tasks as u64 - 1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn job(purpose: Purpose, count: usize) -> Job {
        let scenario = (*Store::default().scenarios[0]).clone();
        Job { purpose, scenarios: vec![scenario; count] }
    }

    /// Commands in short: `+1` start, `1:2.0` run scenario 0 of job 2 in worker 1, `1-2` stop job 2 in it, `x1` end it,
    /// `†2.0` lost, `2.` finished.
    fn short(commands: &[Command]) -> String {
        let words = commands.iter().map(|command| match command {
            Command::Start { worker } => format!("+{worker}"),
            Command::Run { worker, task } => format!("{worker}:{}.{}", task.job, task.index),
            Command::Stop { worker, job } => format!("{worker}-{job}"),
            Command::End { worker } => format!("x{worker}"),
            Command::Lost { job, index, .. } => format!("†{job}.{index}"),
            Command::Finished { job } => format!("{job}."),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn add(schedule: &mut Schedule, purpose: Purpose, count: usize) -> String {
        let (_, commands) = schedule.add(job(purpose, count));
        for worker in 1..=9 {
            schedule.ready(worker);
        }
        short(&commands)
    }

    #[test]
    fn two_scenarios_take_two_workers_which_start_when_they_are_needed() {
        let mut schedule = Schedule::new(4);
        assert_eq!(add(&mut schedule, Purpose::Shown, 2), "+1 1:1.0 +2 2:1.1");
        assert_eq!(short(&schedule.done(1, 1, 0)), "");
        assert_eq!(short(&schedule.done(2, 1, 1)), "1.");
        assert_eq!(add(&mut schedule, Purpose::Shown, 2), "1:2.0 2:2.1");
        assert!(schedule.has(1, 2, 0) && !schedule.has(1, 2, 1) && !schedule.has(1, 1, 0));
    }

    #[test]
    fn points_wait_until_a_worker_is_free() {
        let mut schedule = Schedule::new(2);
        assert_eq!(add(&mut schedule, Purpose::Sweep, 4), "+1 1:1.0 +2 2:1.1");
        assert_eq!(short(&schedule.done(2, 1, 1)), "2:1.2");
        assert_eq!(short(&schedule.done(2, 1, 2)), "2:1.3");
        assert_eq!(short(&schedule.done(2, 1, 3)), "");
        assert_eq!(short(&schedule.done(1, 1, 0)), "1.");
        assert!(schedule.is_idle());
    }

    #[test]
    fn what_is_more_urgent_shares_a_worker_with_what_is_less() {
        let mut schedule = Schedule::new(2);
        assert_eq!(add(&mut schedule, Purpose::Sweep, 3), "+1 1:1.0 +2 2:1.1");
        assert_eq!(add(&mut schedule, Purpose::Shown, 2), "1:2.0 2:2.1");
        assert_eq!(add(&mut schedule, Purpose::Replay, 3), "1:3.0 2:3.1");
        assert_eq!(short(&schedule.done(1, 2, 0)), "");
        assert_eq!(short(&schedule.done(1, 3, 0)), "1:3.2");
        assert_eq!(short(&schedule.done(1, 1, 0)), "1:1.2");
    }

    #[test]
    fn three_turns_in_four_are_of_the_most_urgent_task() {
        let turns = |tasks| (1..=8).map(|at| turn(at, tasks)).collect::<Vec<_>>();
        assert_eq!(turns(1), [0; 8]);
        assert_eq!(turns(2), [0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(turns(3), [0, 0, 0, 2, 0, 0, 0, 1]);
    }

    #[test]
    fn a_superseded_job_is_forgotten_and_the_next_one_takes_its_places() {
        let mut schedule = Schedule::new(2);
        add(&mut schedule, Purpose::Shown, 2);
        assert_eq!(short(&schedule.stop(1)), "1-1 2-1");
        assert_eq!(add(&mut schedule, Purpose::Shown, 2), "1:2.0 2:2.1");
        assert_eq!(short(&schedule.done(1, 1, 0)), "", "what is said of the old job is ignored");
        assert_eq!(short(&schedule.stop(1)), "", "twice is once");
        schedule.stopped(1, 1);
        assert_eq!(short(&schedule.replace(1, 1)), "");
        assert_eq!(short(&schedule.replace(2, 1)), "x2 +3 3:2.1", "the second one did not listen");
    }

    #[test]
    fn a_stopped_job_leaves_room_for_what_waits() {
        let mut schedule = Schedule::new(2);
        add(&mut schedule, Purpose::Shown, 2);
        assert_eq!(add(&mut schedule, Purpose::Shown, 1), "");
        assert_eq!(short(&schedule.stop(1)), "1-1 2-1 1:2.0");
    }

    #[test]
    fn a_death_costs_only_what_the_worker_was_busy_with() {
        let mut schedule = Schedule::new(2);
        add(&mut schedule, Purpose::Sweep, 3);
        add(&mut schedule, Purpose::Shown, 2);
        schedule.busy(1, 2, 0);
        schedule.busy(2, 1, 1);
        assert_eq!(short(&schedule.died(1, &Death::Memory)), "†2.0 +3 3:1.0");
        assert_eq!(short(&schedule.died(2, &Death::Memory)), "†1.1 +4 4:2.1 4:1.2");
        assert_eq!(short(&schedule.died(2, &Death::Memory)), "", "nobody dies twice");
    }

    #[test]
    fn a_death_of_a_job_that_was_given_up_costs_nothing() {
        let mut schedule = Schedule::new(2);
        add(&mut schedule, Purpose::Shown, 1);
        schedule.busy(1, 1, 0);
        schedule.stop(1);
        assert_eq!(add(&mut schedule, Purpose::Shown, 1), "1:2.0");
        assert_eq!(short(&schedule.died(1, &Death::Memory)), "+2 2:2.0");
    }

    #[test]
    fn where_no_worker_can_be_started_everything_ends() {
        let mut schedule = Schedule::new(2);
        let _ = schedule.add(job(Purpose::Sweep, 5));
        let told = short(&schedule.died(1, &Death::NotStarted));
        assert_eq!(told, "†1.0 †1.2 †1.3 †1.4");
        assert_eq!(short(&schedule.died(2, &Death::NotStarted)), "†1.1 1.");
        assert!(schedule.is_idle());
        assert_eq!(add(&mut schedule, Purpose::Shown, 1), "+3 3:2.0", "the next one is tried anew");
    }

    #[test]
    fn workers_are_as_many_as_processors_but_two_at_least_and_eight_at_most() {
        for (processors, workers) in [(0, 2), (1, 2), (3, 3), (64, 8)] {
            let mut schedule = Schedule::new(processors);
            let started = add(&mut schedule, Purpose::Sweep, 20).matches('+').count();
            assert_eq!(started, workers);
        }
    }

    #[test]
    fn idle_workers_can_be_ended() {
        let mut schedule = Schedule::new(2);
        add(&mut schedule, Purpose::Shown, 1);
        assert_eq!(short(&schedule.rest()), "");
        schedule.done(1, 1, 0);
        assert_eq!(short(&schedule.rest()), "x1");
        assert_eq!(add(&mut schedule, Purpose::Shown, 1), "+2 2:2.0");
    }

    #[test]
    fn a_job_of_nothing_is_finished_at_once() {
        let mut schedule = Schedule::new(2);
        assert_eq!(add(&mut schedule, Purpose::Sweep, 0), "1.");
    }
}
