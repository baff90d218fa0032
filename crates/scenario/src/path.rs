//! Values of a Scenario by their dotted paths, as problems name them: `workload.clients`, `table[0].rows`,
//! `engine.parameters.innodb_buffer_pool_size`.

use crate::{
    Problem, Scenario,
    understand::{Step, understand, value_of_toml},
};
use toml::{Table, Value};

/// The number that a value is, whole or not.
pub fn number_in(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

impl Scenario {
    /// The value at `path`; `None` where the Scenario says nothing there, because there is no such place or because the
    /// default holds.
    pub fn value_at(&self, path: &str) -> Option<Value> {
        value_in(&self.to_table(), path).cloned()
    }

    /// Everything the Scenario says, as a table that [`value_in`] looks into.
    pub fn to_table(&self) -> Table {
        Table::try_from(self).unwrap_or_default()
    }

    /// The Scenario with another value at `path`; tables on the way that are missing are made. Of the result, only that
    /// it can be written down is certain, not that it can be run: that is [`Scenario::check`]'s question.
    ///
    /// # Errors
    /// The path leads nowhere, or the value is not of the kind that belongs there.
    pub fn with_value(&self, path: &str, value: Value) -> Result<Self, Problem> {
        let value = match value {
            // A whole number may stand for any number, and where it came from a slider it is a float.
            Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Value::Integer(number as i64)
            }
            other => other,
        };
        self.changed_at(path, |parent, step| {
            match step {
                Step::Key(key) => {
                    parent.as_table_mut()?.insert(key, value);
                }
                Step::Place(place) => *parent.as_array_mut()?.get_mut(place)? = value,
            }
            Some(())
        })
    }

    /// The Scenario that says nothing at `path`, so that the default holds there.
    ///
    /// # Errors
    /// The path leads nowhere, or there is no default.
    pub fn without_value(&self, path: &str) -> Result<Self, Problem> {
        self.changed_at(path, |parent, step| {
            match step {
                Step::Key(key) => {
                    parent.as_table_mut()?.remove(&key);
                }
                Step::Place(place) => {
                    let places = parent.as_array_mut()?;
                    (place < places.len()).then(|| places.remove(place))?;
                }
            }
            Some(())
        })
    }

    fn changed_at(
        &self,
        path: &str,
        change: impl FnOnce(&mut Value, Step) -> Option<()>,
    ) -> Result<Self, Problem> {
        let nowhere =
            || Problem::new(path, "no such place", "a path such as workload.clients or table[0].rows");
        let mut root = Value::Table(self.to_table());
        let mut at = &mut root;
        let mut steps = steps(path).ok_or_else(nowhere)?;
        let last = steps.pop().ok_or_else(nowhere)?;
        for step in steps {
            at = match step {
                Step::Key(key) => at
                    .as_table_mut()
                    .ok_or_else(nowhere)?
                    .entry(key)
                    .or_insert_with(|| Value::Table(Table::new())),
                Step::Place(place) => at.as_array_mut().and_then(|a| a.get_mut(place)).ok_or_else(nowhere)?,
            };
        }
        change(at, last).ok_or_else(nowhere)?;
        understand(&value_of_toml(root)).map_err(|fault| Problem::of_message(path, fault.message()))
    }
}

/// The value at `path` of what [`Scenario::to_table`] gives, for whoever looks at many.
pub fn value_in<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let mut steps = steps(path)?.into_iter();
    let Step::Key(first) = steps.next()? else { return None };
    steps.try_fold(table.get(&first)?, |at, step| match step {
        Step::Key(key) => at.get(key),
        Step::Place(place) => at.get(place),
    })
}

fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, mut places) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        while let Some(rest) = places.strip_prefix('[') {
            let (place, rest) = rest.split_once(']')?;
            steps.push(Step::Place(place.parse().ok()?));
            places = rest;
        }
        if !places.is_empty() {
            return None;
        }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use crate::{scenario_from_toml, testing::SCENARIO};
    use toml::Value;

    #[test]
    fn values_are_found_and_changed_by_their_paths() {
        let scenario = scenario_from_toml(SCENARIO).unwrap();
        assert_eq!(scenario.value_at("workload.clients"), Some(Value::Integer(8)));
        assert_eq!(scenario.value_at("table[0].rows"), Some(Value::Integer(1000)));
        assert_eq!(scenario.value_at("storage.log_device.preset"), None);
        let changed = scenario
            .with_value("table[0].rows", Value::Float(5000.0))
            .and_then(|s| {
                s.with_value("engine.parameters.innodb_buffer_pool_size", Value::String("1G".into()))
            })
            .and_then(|s| s.with_value("storage.log_device.preset", Value::String("sas-15k".into())))
            .and_then(|s| s.with_value("machine.clock_ghz", Value::Float(2.0)))
            .unwrap();
        assert_eq!(changed.tables[0].rows, 5000);
        assert_eq!(changed.storage.log_device.as_ref().unwrap().preset.as_deref(), Some("sas-15k"));
        assert_eq!(changed.machine.clock_ghz, 2.0);
        assert!(changed.check().is_empty(), "{:?}", changed.check());
    }

    #[test]
    fn what_is_taken_out_has_its_default_again() {
        let scenario = scenario_from_toml(SCENARIO).unwrap();
        let path = "engine.parameters.innodb_buffer_pool_size";
        let set = scenario.with_value(path, Value::String("1G".into())).unwrap();
        assert_eq!(set.without_value(path).unwrap(), scenario);
        assert!(scenario.without_value("workload.clients").is_err(), "there is no default");
        assert_eq!(scenario.without_value("table[3]").unwrap_err().path, "table[3]");
        assert!(scenario.without_value("table[0]").unwrap().tables.is_empty());
    }

    #[test]
    fn what_does_not_belong_there_is_refused_with_the_path() {
        let scenario = scenario_from_toml(SCENARIO).unwrap();
        for (path, value) in [
            ("workload.clients", Value::String("many".into())),
            ("workload.client", Value::Integer(3)),
            ("table[3].rows", Value::Integer(3)),
            ("table[0", Value::Integer(3)),
            ("", Value::Integer(3)),
            ("workload.clients", Value::Integer(-1)),
        ] {
            let problem = scenario.with_value(path, value).unwrap_err();
            assert_eq!(problem.path, path);
            assert!(!problem.found.is_empty());
        }
    }
}
