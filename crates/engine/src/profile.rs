//! The data sheets of the engines: format, parameters, and what a statement costs a processor.

mod cubrid;
mod firebird;
mod innodb;
mod postgresql;

use crate::{
    layout::StorageFormat,
    parameters::{BadValue, ParameterKind, ParameterSpec, Parameters},
};

/// Processor time of statements, in nanoseconds at [`REFERENCE_CLOCK_GHZ`]. These are orders of size for servers of
/// the engine's years, parsing, network and client library included; they are assumptions, and reports say so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProcessorCosts {
    /// A lookup of one row by an index.
    pub select_ns: u64,
    /// An insert of one row, by statement and commit.
    pub insert_ns: u64,
    /// Each index entry an insert makes.
    pub index_entry_ns: u64,
    /// An update or a delete of one row, by statement and commit.
    pub update_ns: u64,
    /// Each further row of a range.
    pub row_ns: u64,
    /// Each key that a query's plan looks up, beside the rows it finds.
    pub plan_lookup_ns: u64,
    /// Each row that an operator of a query's plan works on.
    pub plan_row_ns: u64,
    /// Reading a page: system call, interrupt, task switches, and the checksum where there is one.
    pub page_read_ns: u64,
    /// Writing a page, likewise.
    pub page_write_ns: u64,
    /// A commit that waits for the log: system calls and task switches.
    pub log_wait_ns: u64,
}

/// The clock at which processor costs are given.
pub const REFERENCE_CLOCK_GHZ: f64 = 2.5;

/// How the buffer pool is sized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferSize {
    /// A parameter in bytes.
    Bytes(&'static str),
    /// A parameter in pages.
    Pages(&'static str),
}

/// One version of one engine.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The name used in scenarios.
    pub name: &'static str,
    /// The product and version it stands for.
    pub title: &'static str,
    /// Whose pages it writes.
    pub format: StorageFormat,
    /// Bytes of a page, where no parameter sets it.
    pub page_bytes: u32,
    /// The parameter that sizes the buffer pool.
    pub buffer: BufferSize,
    /// Parameters the model follows.
    pub parameters: &'static [ParameterSpec],
    /// Processor costs.
    pub costs: ProcessorCosts,
    /// Where the rules come from.
    pub source: &'static str,
}

impl Profile {
    /// Finds a profile by name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PROFILES.iter().find(|p| p.name == name)
    }

    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static ParameterSpec> {
        let name = crate::parameters::canonical(name);
        self.parameters.iter().find(|p| crate::parameters::canonical(p.name) == name)
    }

    /// Bytes of a page: those the profile's `page_size` parameter sets, or the engine's own.
    pub fn page_bytes(&self, parameters: &Parameters) -> u32 {
        let set = self.parameter("page_size").and_then(|spec| parameters.number(spec).ok());
        set.map_or(self.page_bytes, |bytes| bytes as u32)
    }

    /// Whether the loading of tables that begin empty is modelled for the engine.
    pub fn loads(&self) -> bool {
        matches!(self.format, StorageFormat::Firebird | StorageFormat::Firebird11)
    }

    /// The parameter that sizes the buffer pool.
    pub fn buffer_parameter(&self) -> &'static str {
        match self.buffer {
            BufferSize::Bytes(name) | BufferSize::Pages(name) => name,
        }
    }

    /// Bytes of the buffer pool; 0 where its parameter has no value.
    pub fn buffer_bytes(&self, parameters: &Parameters) -> f64 {
        let value = self.parameter(self.buffer_parameter()).and_then(|spec| parameters.number(spec).ok());
        let unit = match self.buffer {
            BufferSize::Bytes(_) => 1.0,
            BufferSize::Pages(_) => f64::from(self.page_bytes(parameters)),
        };
        value.unwrap_or(0.0) * unit
    }

    /// The value of a parameter the model follows.
    ///
    /// # Panics
    /// When the profile has no such parameter: names are checked by the profile's own tests.
    pub(crate) fn value(&self, parameters: &Parameters, name: &str) -> Result<f64, BadValue> {
        let spec = self.parameter(name).expect("an engine asks for parameters of its own profile");
        parameters.number(spec)
    }
}

const fn size(
    name: &'static str,
    default: &'static str,
    low: f64,
    high: f64,
    effect: &'static str,
) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Size, default, range: (low, high), effect }
}

const fn count(
    name: &'static str,
    default: &'static str,
    low: f64,
    high: f64,
    effect: &'static str,
) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Count, default, range: (low, high), effect }
}

const fn share(
    name: &'static str,
    default: &'static str,
    low: f64,
    high: f64,
    effect: &'static str,
) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Share, default, range: (low, high), effect }
}

const fn switch(name: &'static str, default: &'static str, effect: &'static str) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Switch, default, range: (0.0, 1.0), effect }
}

const TB: f64 = 1.1e12;

/// All profiles.
pub const PROFILES: &[Profile] = &[
    innodb::INNODB_5_1,
    innodb::MARIADB_10_11,
    cubrid::CUBRID_2008_R3,
    cubrid::CUBRID_11_3,
    postgresql::POSTGRESQL_15,
    postgresql::POSTGRESQL_9_6,
    postgresql::POSTGRES_XL_9_5,
    firebird::FIREBIRD_2_5,
    firebird::FIREBIRD_3_0,
    innodb::INNODB_8_0,
    innodb::GREATSQL_8_0,
    innodb::INNODB_5_6,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_its_parameter_takes() {
        for profile in PROFILES {
            for parameter in profile.parameters {
                parameter.parse(parameter.default).unwrap_or_else(|bad| panic!("{}: {bad:?}", profile.name));
                assert!(parameter.effect.ends_with('.'), "{}", parameter.name);
            }
        }
    }
}
