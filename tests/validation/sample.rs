//! A sample of the pages against all of them: how far hit rate and throughput of the small world are from the whole one.

use spindle_report::Report;
use spindle_scenario::{Scenario, StandardTables, scenario_from_toml};
use spindle_simulate::simulate;
use spindle_tests::{all_of, document::Section};
use std::{collections::BTreeMap, fmt::Write};

/// Shares of the pages that are simulated.
const SHARES: [f64; 3] = [0.25, 0.0625, 0.015_625];

const SECTION: Section = Section { file: "docs/accuracy.md", name: "sample" };

/// A question whose whole answer can be had.
struct Question {
    name: &'static str,
    profile: &'static str,
    parameters: &'static str,
    device: &'static str,
    set: StandardTables,
    scale: u64,
    workload: &'static str,
    seconds: u32,
}

const QUESTIONS: [Question; 6] = [
    Question {
        name: "point selects, data four times the pool",
        profile: "mariadb-10.11",
        parameters: "innodb_buffer_pool_size = \"1G\"\ninnodb_flush_method = \"O_DIRECT\"",
        device: "preset = \"sata-ssd-2014\"",
        set: StandardTables::Sysbench,
        scale: 4,
        workload: "kind = \"point-select\"\nclients = 16",
        seconds: 20,
    },
    Question {
        name: "reads and writes, data four times the pool",
        profile: "mariadb-10.11",
        parameters: "innodb_buffer_pool_size = \"1G\"\ninnodb_log_file_size = \"512M\"\ninnodb_flush_method = \"O_DIRECT\"\n\
                     innodb_io_capacity = 4000\ninnodb_io_capacity_max = 8000",
        device: "preset = \"sata-ssd-2014\"",
        set: StandardTables::Sysbench,
        scale: 4,
        workload: "kind = \"read-write\"\nclients = 16",
        seconds: 120,
    },
    Question {
        name: "inserts at random places",
        profile: "innodb-5.1",
        parameters: "innodb_buffer_pool_size = \"512M\"\ninnodb_log_file_size = \"128M\"\ninnodb_flush_log_at_trx_commit = 0\n\
                     innodb_flush_method = \"O_DIRECT\"",
        device: "preset = \"sata-ssd-2014\"",
        set: StandardTables::Rows,
        scale: 4,
        workload: "kind = \"insert-full\"\nclients = 16",
        seconds: 120,
    },
    Question {
        name: "point selects from disks",
        profile: "cubrid-2008-r3",
        parameters: "data_buffer_pages = 65536",
        device: "preset = \"sas-15k\"\ncount = 6\nraid = \"10\"",
        set: StandardTables::Sysbench,
        scale: 4,
        workload: "kind = \"point-select\"\nclients = 16",
        seconds: 60,
    },
    Question {
        name: "TPC-B, data five times the buffer",
        profile: "postgresql-15",
        parameters: "shared_buffers = \"1G\"\nmax_wal_size = \"2G\"",
        device: "preset = \"sata-ssd-2014\"",
        set: StandardTables::Pgbench,
        scale: 400,
        workload: "kind = \"tpcb-like\"\nclients = 8",
        seconds: 60,
    },
    Question {
        name: "inserts on disks behind a controller's cache",
        profile: "cubrid-2008-r3",
        parameters: "data_buffer_pages = 32768\nasync_commit = 1\ngroup_commit_interval_in_msecs = 1000",
        device: "preset = \"sas-15k\"\ncount = 6\nraid = \"10\"\n\
                 controller_cache = { size = \"256M\", battery = true, latency = \"130us\" }",
        set: StandardTables::Rows,
        scale: 4,
        workload: "kind = \"insert-full\"\nclients = 16",
        seconds: 120,
    },
];

impl Question {
    fn scenario(&self, sample: f64) -> Scenario {
        let text = format!(
            "[machine]\ncores = 8\nclock_ghz = 2.5\nmemory = \"2G\"\n\
             [storage]\nfile_system = \"xfs\"\npage_cache = false\n[storage.device]\n{}\n\
             [engine]\nprofile = \"{}\"\n[engine.parameters]\n{}\n\
             [[table]]\nname = \"t\"\nrows = 1\ncolumns = [{{ name = \"id\", type = \"int\" }}]\n\
             indexes = [{{ name = \"PRIMARY\", kind = \"primary\", columns = [\"id\"] }}]\n\
             [workload]\nkind = \"point-select\"\nclients = 1\n[run]\nduration = \"{}s\"\nstop = \"duration\"\nsample = {sample}\n",
            self.device, self.profile, self.parameters, self.seconds
        );
        let mut scenario = scenario_from_toml(&text).unwrap_or_else(|p| panic!("{}: {p:?}", self.name));
        scenario.tables = self.set.tables(self.scale, scenario.profile().expect("a profile there is").format);
        scenario.workload = toml::from_str(self.workload).expect("a load");
        assert_eq!(scenario.check(), [], "{}", self.name);
        scenario
    }
}

/// One question at one share.
struct Asked {
    question: &'static Question,
    share: f64,
    report: Report,
}

#[test]
fn a_sample_answers_as_the_whole_does() {
    let wanted: Vec<(&Question, f64)> =
        QUESTIONS.iter().flat_map(|q| [1.0].into_iter().chain(SHARES).map(move |share| (q, share))).collect();
    let asked = all_of(&wanted, |(question, share)| Asked {
        question,
        share: *share,
        report: simulate(&question.scenario(*share)).expect("a sound scenario"),
    });
    let whole: BTreeMap<&str, &Report> =
        asked.iter().filter(|a| a.share == 1.0).map(|a| (a.question.name, &a.report)).collect();
    let mut out = String::from(
        "| engine | load | share | hit rate, whole | sample | transactions a second, whole | sample | error |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut worst: BTreeMap<String, f64> = BTreeMap::new();
    for one in asked.iter().filter(|a| a.share < 1.0) {
        let (sample, whole) = (&one.report, whole[one.question.name]);
        let error = sample.throughput_tps / whole.throughput_tps - 1.0;
        let points = (sample.hit_rate - whole.hit_rate).abs() * 100.0;
        let parts = (1.0 / one.share).round();
        let _ = writeln!(
            out,
            "| {} | {} | 1/{parts} | {:.2} % | {:.2} % | {:.1} | {:.1} | {:+.1} % |",
            one.question.profile,
            one.question.name,
            whole.hit_rate * 100.0,
            sample.hit_rate * 100.0,
            whole.throughput_tps,
            sample.throughput_tps,
            error * 100.0
        );
        let mut note = |name: String, value: f64| {
            let worst = worst.entry(name).or_default();
            *worst = worst.max(value);
        };
        note(format!("throughput_1_{parts}"), error.abs());
        note(format!("hit_rate_points_1_{parts}"), points);
    }
    print!("{out}");
    SECTION.hold(&out, "tests/data/sample.toml", &worst);
}
