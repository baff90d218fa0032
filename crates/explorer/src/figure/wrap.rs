//! Words in lines of some width.

/// Words broken into lines that `width_of` finds no wider than `width`; a single word may be.
pub fn wrapped(words: &str, width: f64, width_of: impl Fn(&str) -> f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (gap, piece) in pieces(words) {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line}{gap}{piece}")) <= width => {
                line.push_str(gap);
                line.push_str(&piece);
            }
            _ => lines.push(piece),
        }
    }
    lines
}

/// At most `most` lines; the last one says by its end that there was more.
pub fn shortened(words: &str, width: f64, most: usize, width_of: impl Fn(&str) -> f64 + Copy) -> Vec<String> {
    let mut lines = wrapped(words, width, width_of);
    let cut = lines.len() > most;
    lines.truncate(most.max(1));
    if let Some(last) = lines.last_mut().filter(|last| cut || width_of(last) > width) {
        while width_of(&format!("{last}…")) > width && last.pop().is_some() {}
        *last = format!("{}…", last.trim_end());
    }
    lines
}

/// What a line may be broken between, each with the space before it: words, and the characters of Chinese, which is
/// written without spaces.
fn pieces(words: &str) -> Vec<(&'static str, String)> {
    let is_chinese = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    let mut pieces: Vec<(&'static str, String)> = Vec::new();
    for (at, word) in words.split(' ').enumerate() {
        let mut before: Option<char> = None;
        for c in word.chars() {
            // Signs stay with what stands before them.
            let breaks =
                before.is_none_or(|before| is_chinese(c) || is_chinese(before) && c.is_alphanumeric());
            match pieces.last_mut().filter(|_| !breaks) {
                Some((_, piece)) => piece.push(c),
                None => pieces.push((if at > 0 && before.is_none() { " " } else { "" }, c.into())),
            }
            before = Some(c);
        }
        if before.is_none() {
            pieces.push((if at > 0 { " " } else { "" }, String::new()));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_wrapped_between_words() {
        let lines = wrapped("above 38 GiB of buffer", 60.0, |text| text.len() as f64 * 6.0);
        assert_eq!(lines, ["above 38", "GiB of", "buffer"]);
        assert_eq!(wrapped("", 10.0, |text| text.len() as f64), [""]);
        let lines = wrapped("在SSD上，吞吐量是 4.9 倍", 6.0, |text| text.chars().count() as f64);
        assert_eq!(lines, ["在SSD上，", "吞吐量是", "4.9 倍"]);
    }

    #[test]
    fn what_does_not_fit_ends_in_dots() {
        let width = |text: &str| text.chars().count() as f64;
        assert_eq!(shortened("disks", 8.0, 2, width), ["disks"]);
        assert_eq!(shortened("disks by the sea", 8.0, 2, width), ["disks by", "the sea"]);
        assert_eq!(shortened("disks by the northern sea", 8.0, 2, width), ["disks by", "the…"]);
        assert_eq!(shortened("nvme-pm9a3-960", 8.0, 2, width), ["nvme-pm…"]);
        assert_eq!(shortened("disks", 0.0, 1, width), ["…"]);
    }
}
