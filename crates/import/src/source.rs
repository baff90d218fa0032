//! A file as it was handed over, and its text.

use std::borrow::Cow;

/// A file: its name, for notes, and its bytes as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name without a folder.
    pub name: String,
    /// Content.
    pub bytes: Vec<u8>,
}

impl Source {
    /// The content as text. A byte order mark decides between UTF-8 and UTF-16; what is no text becomes U+FFFD, so that
    /// lines keep their numbers.
    pub fn text(&self) -> Cow<'_, str> {
        match self.bytes.as_slice() {
            [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
            [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
            bytes => String::from_utf8_lossy(bytes),
        }
    }
}

/// UTF-16 without its byte order mark; an odd byte at the end is dropped.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_decide_the_encoding() {
        let text = |bytes: &[u8]| Source { name: "f".into(), bytes: bytes.into() }.text().into_owned();
        assert_eq!(text(b"\xff\xfea\0\n\0b"), "a\n", "half a unit at the end is dropped");
        assert_eq!(text(b"\xfe\xff\0a\0\n"), "a\n");
        assert_eq!(text(b"\xef\xbb\xbfa"), "a");
        assert_eq!(text(b"a\xffb\n"), "a\u{fffd}b\n");
    }
}
