//! Values to types by one road, with the place of what is not understood.
//!
//! Files, links, messages between page and workers, and cards all become a [`Value`] first. The code that reads a type is
//! made anew for each kind of source it is read from, and that code is a large part of a page: so there is one source.

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
        VariantAccess, Visitor, value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::{Number, Value};
use std::{fmt, slice};

/// Reads a type from a value.
///
/// # Errors
/// The first thing that is not understood.
pub fn understand<T: DeserializeOwned>(value: &Value) -> Result<T, Fault> {
    T::deserialize(At(value))
}

/// A step from a value to one within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To a member of a table.
    Key(String),
    /// To an item of an array.
    Place(usize),
}

/// Something that is not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The way to it, the last step first.
    back: Vec<Step>,
    message: String,
}

impl Fault {
    /// What is wrong, in a deserializer's words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The way to it, the first step first.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.back.iter().rev()
    }

    /// The way to it, as `table[0].rows`; empty for the value as a whole.
    pub fn path(&self) -> String {
        self.steps().fold(String::new(), |path, step| match step {
            Step::Key(key) if path.is_empty() => key.clone(),
            Step::Key(key) => format!("{path}.{key}"),
            Step::Place(place) => format!("{path}[{place}]"),
        })
    }

    fn within(mut self, step: Step) -> Self {
        self.back.push(step);
        self
    }
}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { back: Vec::new(), message: message.to_string() }
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A value to be read.
struct At<'a>(&'a Value);

impl At<'_> {
    /// The value is of another kind than the type wants.
    fn refused<'de, V: Visitor<'de>>(&self, visitor: &V) -> Fault {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Unexpected::Unsigned(number),
                (_, Some(number)) => Unexpected::Signed(number),
                _ => Unexpected::Float(number.as_f64().unwrap_or_default()),
            },
        };
        Fault::invalid_type(found, visitor)
    }
}

/// Methods that do what another one does.
macro_rules! same_as {
    ($other:ident: $($method:ident)+) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.$other(visitor)
        }
    )+ };
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(_) => self.deserialize_bool(visitor),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::String(_) => self.deserialize_str(visitor),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    // A type that names its kind brings along no code for the others.

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::Number(number) = self.0 else { return Err(self.refused(&visitor)) };
        match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), _, _) => visitor.visit_u64(number),
            (_, Some(number), _) => visitor.visit_i64(number),
            (_, _, Some(number)) => visitor.visit_f64(number),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::Array(items) = self.0 else { return Err(self.refused(&visitor)) };
        let mut rest = Items { items: items.iter(), place: 0 };
        let read = visitor.visit_seq(&mut rest)?;
        match rest.items.len() {
            0 => Ok(read),
            _ => Err(Fault::invalid_length(items.len(), &"fewer items")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Object(members) => visitor.visit_map(Members { members: members.iter(), at: None }),
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, content: None }),
            Value::Object(members) => match members.iter().next() {
                Some((name, content)) if members.len() == 1 => {
                    visitor.visit_enum(Variant { name, content: Some(content) })
                }
                _ => Err(self.refused(&visitor)),
            },
            _ => Err(self.refused(&visitor)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    same_as! { deserialize_f64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
    deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 }
    same_as! { deserialize_str: deserialize_string deserialize_char deserialize_identifier }
    forward_to_deserialize_any! { bytes byte_buf unit unit_struct }
}

/// The items of an array that are still to be read.
struct Items<'a> {
    items: slice::Iter<'a, Value>,
    place: usize,
}

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let place = self.place;
        self.place += 1;
        seed.deserialize(At(item)).map(Some).map_err(|fault| fault.within(Step::Place(place)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The members of a table that are still to be read.
struct Members<'a> {
    members: serde_json::map::Iter<'a>,
    /// The member whose name was read last.
    at: Option<(&'a String, &'a Value)>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.at = self.members.next();
        let Some((key, _)) = self.at else { return Ok(None) };
        let name = BorrowedStrDeserializer::new(key);
        seed.deserialize(name).map(Some).map_err(|fault: Fault| fault.within(Step::Key(key.clone())))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let (key, value) = self.at.ok_or_else(|| Fault::custom("a value without a name"))?;
        seed.deserialize(At(value)).map_err(|fault| fault.within(Step::Key(key.clone())))
    }
}

/// One of several: its name, and what belongs to it.
struct Variant<'a> {
    name: &'a str,
    content: Option<&'a Value>,
}

impl Variant<'_> {
    fn within(&self, fault: Fault) -> Fault {
        fault.within(Step::Key(self.name.to_owned()))
    }
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Fault> {
        let name = BorrowedStrDeserializer::<Fault>::new(self.name);
        seed.deserialize(name).map(|value| (value, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None => Ok(()),
            Some(content) => <()>::deserialize(At(content)).map_err(|fault| self.within(fault)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        let content = self.content.unwrap_or(&Value::Null);
        seed.deserialize(At(content)).map_err(|fault| self.within(fault))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        let content = self.content.unwrap_or(&Value::Null);
        At(content).deserialize_seq(visitor).map_err(|fault| self.within(fault))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let content = self.content.unwrap_or(&Value::Null);
        At(content).deserialize_map(visitor).map_err(|fault| self.within(fault))
    }
}

/// A table of TOML as a value. What JSON has no word for becomes text: dates, and numbers without end.
pub fn value_of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => {
            Number::from_f64(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
        }
        toml::Value::Boolean(value) => Value::Bool(value),
        toml::Value::Datetime(date) => Value::String(date.to_string()),
        toml::Value::Array(items) => items.into_iter().map(value_of_toml).collect(),
        toml::Value::Table(members) => {
            members.into_iter().map(|(key, value)| (key, value_of_toml(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario_from_toml, testing::SCENARIO};
    use serde::Serialize;
    use serde_json::json;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct All {
        number: f64,
        whole: i8,
        pair: (u64, f32),
        letter: char,
        nothing: (),
        perhaps: Option<String>,
        kinds: Vec<Kind>,
        wrapped: Wrapped,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        New(u8),
        Pair(u8, bool),
        Named { size: u8 },
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Wrapped(bool);

    fn all() -> All {
        All {
            number: 0.1,
            whole: -3,
            pair: (u64::MAX, 1.5),
            letter: 'q',
            nothing: (),
            perhaps: None,
            kinds: vec![Kind::Plain, Kind::New(1), Kind::Pair(2, true), Kind::Named { size: 3 }],
            wrapped: Wrapped(true),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let value = serde_json::to_value(all()).unwrap();
        assert_eq!(understand(&value), Ok(all()));
        let scenario = scenario_from_toml(SCENARIO).unwrap();
        let value = serde_json::to_value(&scenario).unwrap();
        assert_eq!(understand(&value), Ok(scenario));
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_place() {
        let told = |change: fn(&mut Value)| {
            let mut value = serde_json::to_value(all()).unwrap();
            change(&mut value);
            let fault = understand::<All>(&value).unwrap_err();
            format!("{}: {fault}", fault.path())
        };
        assert_eq!(told(|all| all["whole"] = json!(300)), "whole: invalid value: integer `300`, expected i8");
        assert_eq!(
            told(|all| all["number"] = json!("x")),
            "number: invalid type: string \"x\", expected f64"
        );
        assert_eq!(
            told(|all| all["pair"] = json!([1, 2, 3])),
            "pair: invalid length 3, expected fewer items"
        );
        assert_eq!(
            told(|all| all["kinds"][3]["Named"]["size"] = json!(-1)),
            "kinds[3].Named.size: invalid value: integer `-1`, expected u8"
        );
        assert!(
            told(|all| all["kinds"][0] = json!("Fancy")).starts_with("kinds[0]: unknown variant `Fancy`")
        );
        assert!(told(|all| all["colour"] = json!(1)).starts_with("colour: unknown field `colour`"));
        let lacking = |all: &mut Value| {
            all.as_object_mut().map(|all| all.remove("letter"));
        };
        assert_eq!(told(lacking), ": missing field `letter`");
        assert_eq!(told(|all| *all = json!([])), ": invalid type: sequence, expected struct All");
    }
}
