//! What can be read of a JSON text that breaks off or is damaged in the middle.

use serde_json::Value;

/// Reads as much of `text` as there is before its first fault, closing what is open there; `Err` holds that part. `None`
/// in it where nothing can be read.
pub(crate) fn read(text: &[u8]) -> Result<Value, Option<Value>> {
    match serde_json::from_slice(text) {
        Ok(value) => Ok(value),
        Err(error) => Err(serde_json::from_slice(&closed(&text[..offset(text, &error)])).ok()),
    }
}

/// Bytes before a fault.
fn offset(text: &[u8], error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.len();
    }
    let lines = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let before: usize = lines.map(<[u8]>::len).sum();
    (before + error.column().saturating_sub(1)).min(text.len())
}

/// The beginning of a JSON text up to the end of its last whole value, with its brackets closed.
fn closed(text: &[u8]) -> Vec<u8> {
    let mut open: Vec<u8> = Vec::new();
    let mut whole = 0;
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.iter().enumerate() {
        if quoted {
            quoted = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => {
                open.push(if *byte == b'{' { b'}' } else { b']' });
                whole = at + 1;
            }
            b'}' | b']' => {
                open.pop();
                whole = at + 1;
            }
            b',' => whole = at,
            _ => {}
        }
    }
    let mut text = text[..whole].to_vec();
    text.extend(open.iter().rev());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_breaks_off_is_read_up_to_its_last_whole_value() {
        let text = br#"{"a":[1,{"b":"x\",}"},3],"c":4}"#;
        for end in 0..text.len() {
            let part = read(&text[..end]).unwrap_err();
            assert_eq!(part.is_some(), end > 0, "{end}");
        }
        assert_eq!(read(&text[..8]).unwrap_err(), Some(json!({"a": [1]})));
        assert_eq!(read(&text[..18]).unwrap_err(), Some(json!({"a": [1, {}]})));
        assert_eq!(read(&text[..26]).unwrap_err(), Some(json!({"a": [1, {"b": "x\",}"}, 3]})));
        assert_eq!(read(text).unwrap()["c"], 4);
    }

    #[test]
    fn a_fault_in_the_middle_ends_it() {
        assert_eq!(read(br#"{"a":1,"b":tru3,"c":1}"#).unwrap_err(), Some(json!({"a": 1})));
        assert_eq!(read(b"{\"a\":1,\n\"b\":2,\nc}").unwrap_err(), Some(json!({"a": 1, "b": 2})));
        assert_eq!(read(b"\xff").unwrap_err(), None);
    }
}
