//! Scenarios in an address: `#v1:` and then letters, digits, `-` and `_`, which are base64 of zlib's deflate of JSON.
//!
//! A link that was ever given out opens for ever: each version of what stands inside has an upgrader to the next. A
//! damaged one opens as far as it can be read, and says what is wrong.

use crate::{Problem, Scenario, cut_json, lenient};
use base64::{
    Engine as _,
    engine::{GeneralPurpose, general_purpose::NO_PAD_INDIFFERENT},
};
use miniz_oxide::{
    deflate::compress_to_vec_zlib,
    inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The longest text that is read as a link, in bytes.
pub const LINK_BYTES_MAX: usize = 1_000_000;
/// The most that a link may hold once unpacked, in bytes.
const UNPACKED_BYTES_MAX: usize = 8_000_000;
/// The most scenarios of a link: a page compares two.
const SCENARIOS_MAX: usize = 2;
/// Deflate's most thorough level; a scenario has a few kilobytes.
const THOROUGH: u8 = 10;

/// Lifts what a link of one version holds to the next.
type Upgrader = fn(Value) -> Value;

/// One for each version before the present one: the first lifts version 1 to 2.
const UPGRADERS: &[Upgrader] = &[];

/// The padding that some programs add is no fault; bits too many are those of a link that was cut off.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    NO_PAD_INDIFFERENT.with_decode_allow_trailing_bits(true),
);

/// What a link holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Link<V> {
    /// One scenario, or two that are compared.
    pub scenarios: Vec<Scenario>,
    /// How they are looked at.
    pub view: V,
}

/// What could be read of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<V> {
    /// What the link holds; `None` where no scenario could be read.
    pub link: Option<Link<V>>,
    /// What is wrong. Faults of the text have the paths `link.length`, `link.form`, `link.version`, `link.text` (the
    /// letters), `link.data` (what they stand for); faults within have paths such as `scenarios[0].machine.cores`.
    pub problems: Vec<Problem>,
}

/// A link's text, from its `#` on.
pub fn encode<V: Serialize>(link: &Link<V>) -> String {
    // Plain data with names as keys: JSON can hold all of it.
    let json = serde_json::to_vec(link).unwrap_or_default();
    let packed = compress_to_vec_zlib(&json, THOROUGH);
    format!("#v{}:{}", UPGRADERS.len() + 1, BASE64.encode(packed))
}

/// Whether a text looks like a link, whole or damaged, or an address that ends in one.
pub fn is_link(text: &str) -> bool {
    let text = text.trim();
    !text.contains(char::is_whitespace) && parts(text).is_ok()
}

/// Reads a link, or an address that ends in one. It never fails as a whole: what cannot be read is told.
pub fn decode<V: DeserializeOwned + Default>(text: &str) -> Decoded<V> {
    decode_with(text, UPGRADERS)
}

fn decode_with<V: DeserializeOwned + Default>(text: &str, upgraders: &[Upgrader]) -> Decoded<V> {
    let mut problems = Vec::new();
    let link = unpack(text, &mut problems)
        .map(|(version, value)| upgraded(value, version, upgraders, &mut problems))
        .and_then(|value| understand(value, &mut problems));
    Decoded { link, problems }
}

/// Version and content of a link's text.
fn unpack(text: &str, problems: &mut Vec<Problem>) -> Option<(usize, Value)> {
    if text.len() > LINK_BYTES_MAX {
        let found = format!("a link of {} characters", text.len());
        problems.push(Problem::new("link.length", found, format!("at most {LINK_BYTES_MAX}")));
        return None;
    }
    let (version, letters) = parts(text.trim()).map_err(|problem| problems.push(problem)).ok()?;
    let bytes = bytes(letters, problems);
    let json = match decompress_to_vec_zlib_with_limit(&bytes, UNPACKED_BYTES_MAX) {
        Ok(json) => json,
        Err(error) => {
            let (found, expected) = match error.status {
                TINFLStatus::HasMoreOutput => ("more than any scenario holds", "at most 8 MB unpacked"),
                TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => {
                    ("a link that was cut off", "the whole link: copy it again")
                }
                _ => ("a link that was changed on its way", "the link as it was given: copy it again"),
            };
            problems.push(Problem::new("link.data", found, expected));
            error.output
        }
    };
    let value = cut_json::read(&json).or_else(|part| {
        if problems.is_empty() {
            problems.push(Problem::new("link.data", "something else than a link's content", "scenarios"));
        }
        part.ok_or(())
    });
    Some((version, value.ok()?))
}

/// Splits `…#v1:letters` into version and letters.
fn parts(text: &str) -> Result<(usize, &str), Problem> {
    let text = text.rsplit_once('#').map_or(text, |(_, link)| link);
    let wrong = || {
        let beginning: String = text.chars().take(20).collect();
        Problem::new(
            "link.form",
            format!("`{beginning}`"),
            "`#v1:` and what follows it in a link of this page",
        )
    };
    let (version, letters) = text
        .strip_prefix('v')
        .and_then(|rest| rest.split_once(':').or_else(|| rest.split_once("%3A")))
        .ok_or_else(wrong)?;
    let digits = version.len() < 9 && version.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { version.parse().unwrap_or(0) } else { 0 };
    if number == 0 { Err(wrong()) } else { Ok((number, letters)) }
}

/// The bytes that a link's letters stand for, up to the first that is none.
fn bytes(letters: &str, problems: &mut Vec<Problem>) -> Vec<u8> {
    // Programs that break lines put blanks and ends of lines into long words.
    let mut letters: String = letters.chars().filter(|letter| !letter.is_whitespace()).collect();
    let stranger = letters.char_indices().find(|(_, c)| !(c.is_ascii_alphanumeric() || "-_=".contains(*c)));
    if let Some((at, letter)) = stranger {
        let found = format!("`{letter}` as character {} of the link", at + 1);
        problems.push(Problem::new("link.text", found, "letters, digits, - and _"));
        letters.truncate(at);
    }
    let whole = letters.trim_end_matches('=');
    // A single letter of the last group of four stands for less than a byte.
    let whole = &whole[..whole.len() - usize::from(whole.len() % 4 == 1)];
    BASE64.decode(whole).unwrap_or_else(|error| {
        problems.push(Problem::new("link.text", error, "letters, digits, - and _"));
        Vec::new()
    })
}

/// Lifts what a link of `version` holds to the present version, one after the other. What comes from a future version is
/// read as if it were of the present one.
fn upgraded(value: Value, version: usize, upgraders: &[Upgrader], problems: &mut Vec<Problem>) -> Value {
    let present = upgraders.len() + 1;
    if version > present {
        let found = format!("version {version}, from a future version of this page");
        problems.push(Problem::new("link.version", found, format!("version {present} or before")));
    }
    upgraders.iter().skip(version - 1).fold(value, |value, upgrade| upgrade(value))
}

/// Reads the content of the present version.
fn understand<V: DeserializeOwned + Default>(value: Value, problems: &mut Vec<Problem>) -> Option<Link<V>> {
    let Value::Object(mut content) = value else {
        problems.push(Problem::new("link.data", "something else than a link's content", "scenarios"));
        return None;
    };
    let written = match content.remove("scenarios") {
        Some(Value::Array(written)) => written,
        _ => Vec::new(),
    };
    if written.is_empty() || written.len() > SCENARIOS_MAX {
        problems.push(Problem::new("scenarios", format!("{} scenarios", written.len()), "one or two"));
    }
    let mut scenarios: Vec<Scenario> = Vec::new();
    for (at, written) in written.into_iter().take(SCENARIOS_MAX).enumerate() {
        let place = format!("scenarios[{at}]");
        if let Some(scenario) = lenient::read::<Scenario>(written, &place, problems) {
            problems.extend(scenario.check().into_iter().map(|problem| problem.within(&place)));
            scenarios.push(scenario);
        }
    }
    let view = content.remove("view").and_then(|view| lenient::read(view, "view", problems));
    for name in content.keys() {
        problems.push(Problem::new(name, format!("unknown field `{name}`"), "scenarios and view"));
    }
    let view = view.unwrap_or_default();
    (!scenarios.is_empty()).then_some(Link { scenarios, view })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario_from_toml, testing::SCENARIO};
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    struct Look {
        tab: String,
        #[serde(default)]
        zoom: f64,
    }

    fn scenario() -> Scenario {
        scenario_from_toml(SCENARIO).unwrap()
    }

    fn link() -> Link<Look> {
        let look = Look { tab: "sweep".into(), zoom: 0.1 };
        Link { scenarios: vec![scenario(), Scenario { seed: 7, ..scenario() }], view: look }
    }

    /// A link of version 1 around any content.
    fn around(content: &Value) -> String {
        format!("#v1:{}", BASE64.encode(compress_to_vec_zlib(content.to_string().as_bytes(), 6)))
    }

    fn paths(decoded: &Decoded<Look>) -> Vec<&str> {
        decoded.problems.iter().map(|problem| problem.path.as_str()).collect()
    }

    #[test]
    fn a_link_comes_back_as_it_was() {
        let text = encode(&link());
        assert!(text.starts_with("#v1:") && text.len() < 1200, "{} {text}", text.len());
        for text in [text.clone(), format!("https://example.org/spindle/?x=1{text}"), text[1..].to_owned()] {
            assert!(is_link(&text));
            assert_eq!(decode(&text), Decoded { link: Some(link()), problems: Vec::new() });
        }
    }

    #[test]
    fn a_link_without_a_view_has_the_view_of_every_day() {
        let decoded = decode::<Look>(&around(&json!({ "scenarios": [scenario()] })));
        assert_eq!(decoded.problems, []);
        assert_eq!(decoded.link.unwrap().view, Look::default());
    }

    #[test]
    fn the_first_link_ever_given_out_still_opens() {
        let text = include_str!("../tests/links/v1.txt");
        assert_eq!(decode(text), Decoded { link: Some(link()), problems: Vec::new() });
    }

    #[test]
    fn a_link_that_was_wrapped_or_padded_is_whole() {
        let text = encode(&link());
        let wrapped = format!("  {}\n {}==\n", &text[..100], &text[100..]);
        assert_eq!(decode(&wrapped), Decoded { link: Some(link()), problems: Vec::new() });
    }

    #[test]
    fn a_link_that_was_cut_off_opens_as_far_as_it_goes() {
        let text = encode(&link());
        let decoded = decode::<Look>(&text[..text.len() - 12]);
        assert_eq!(decoded.problems[0].path, "link.data");
        assert!(decoded.problems[0].found.contains("cut off"));
        assert_eq!(decoded.link.unwrap().scenarios[0], scenario());
        assert!(decode::<Look>("#v1:").link.is_none());
    }

    #[test]
    fn a_foreign_character_is_told_with_its_place() {
        let mut text = encode(&link());
        let at = text.len() - 3;
        text.replace_range(at..=at, "!");
        let decoded = decode::<Look>(&text);
        assert_eq!(decoded.problems[0].path, "link.text");
        assert!(decoded.problems[0].found.contains(&format!("`!` as character {}", at - 3)));
        assert_eq!(decoded.link.unwrap().scenarios[0], scenario());
    }

    #[test]
    fn a_link_that_was_changed_is_told_even_where_it_can_be_read() {
        let text = encode(&link());
        let changed = text[..text.len() - 4].to_owned() + "AAAA";
        let decoded = decode::<Look>(&changed);
        assert_eq!(paths(&decoded), ["link.data"]);
        assert_eq!(decoded.link.unwrap().scenarios[0], scenario());
    }

    #[test]
    fn what_is_no_link_is_told() {
        for text in ["", "#", "#accuracy", "#v:abc", "#v0:abc", "#v1", "#vx:abc", "#v123456789:abc", "#v1:*"]
        {
            let decoded = decode::<Look>(text);
            assert!(decoded.link.is_none() && !decoded.problems.is_empty(), "{text}");
        }
        assert!(!is_link("#accuracy") && !is_link("scenario.toml") && !is_link("v1: a file"));
    }

    #[test]
    fn a_link_from_the_future_opens_as_far_as_it_is_understood() {
        let content = json!({ "scenarios": [scenario()], "view": { "tab": "tape" }, "voice": "high" });
        let decoded = decode::<Look>(&around(&content).replace("#v1:", "#v7:"));
        assert_eq!(paths(&decoded), ["link.version", "voice"]);
        assert!(decoded.problems[0].found.contains("version 7, from a future version"));
        assert_eq!(decoded.link.unwrap().scenarios, [scenario()]);
    }

    #[test]
    fn each_version_is_lifted_to_the_next() {
        let rename: Upgrader = |mut value| {
            let old = value.as_object_mut().and_then(|content| content.remove("experiments"));
            value["scenarios"] = old.unwrap_or_default();
            value
        };
        let seed: Upgrader = |mut value| {
            value["scenarios"][0]["seed"] = json!(99);
            value
        };
        let opened = |version: usize, content: &Value| {
            let text = around(content).replace("#v1:", &format!("#v{version}:"));
            let decoded: Decoded<Look> = decode_with(&text, &[rename, seed]);
            assert_eq!(decoded.problems, []);
            decoded.link.unwrap().scenarios[0].seed
        };
        assert_eq!(opened(1, &json!({ "experiments": [scenario()] })), 99);
        assert_eq!(opened(2, &json!({ "scenarios": [scenario()] })), 99);
        assert_eq!(opened(3, &json!({ "scenarios": [scenario()] })), 1);
    }

    #[test]
    fn what_is_wrong_within_is_told_and_the_rest_opens() {
        let mut content = json!({ "scenarios": [scenario(), scenario()], "view": { "tab": 3, "zoom": 2.0 } });
        content["scenarios"][0]["machine"]["cores"] = json!(0);
        content["scenarios"][0]["machine"]["colour"] = json!("red");
        content["scenarios"][0]["seed"] = json!("x");
        content["scenarios"][1]["workload"] = json!(null);
        let decoded = decode::<Look>(&around(&content));
        let mut told = paths(&decoded);
        told.sort_unstable();
        let expected = [
            "scenarios[0].machine.colour",
            "scenarios[0].machine.cores",
            "scenarios[0].seed",
            "scenarios[1]",
            "scenarios[1].workload",
            "view",
            "view.tab",
        ];
        assert_eq!(told, expected, "{:#?}", decoded.problems);
        let link = decoded.link.unwrap();
        assert_eq!((link.scenarios.len(), link.scenarios[0].seed), (1, 1));
        assert_eq!(link.view, Look::default());
    }

    #[test]
    fn sizes_are_bounded() {
        let long = format!("#v1:{}", "A".repeat(LINK_BYTES_MAX));
        assert_eq!(paths(&decode(&long)), ["link.length"]);
        let bomb = BASE64.encode(compress_to_vec_zlib(&vec![b' '; 50_000_000], 6));
        let decoded = decode::<Look>(&format!("#v1:{bomb}"));
        assert_eq!(paths(&decoded), ["link.data"]);
        assert!(decoded.link.is_none());
    }
}
