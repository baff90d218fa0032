//! Patterns of LIKE.

/// Whether `text` is like `pattern`, in which `%` stands for anything. No pattern of TPC-H has another wildcard.
pub(crate) fn like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('%');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn a_percent_sign_stands_for_anything() {
        for (text, pattern) in [
            ("LARGE BRASS", "%BRASS"),
            ("forest green", "forest%"),
            ("a special b requests c", "%special%requests%"),
            ("MED BOX", "MED BOX"),
            ("", "%"),
        ] {
            assert!(like(text, pattern), "{text} like {pattern}");
        }
        for (text, pattern) in [
            ("BRASS LARGE", "%BRASS"),
            ("a requests special", "%special%requests%"),
            ("MED BOXES", "MED BOX"),
            ("special", "%special%special%"),
        ] {
            assert!(!like(text, pattern), "{text} not like {pattern}");
        }
    }
}
