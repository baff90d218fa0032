//! Lines of a configuration file as settings, whatever they mean.

/// How a family of files writes its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notation {
    /// Whether a line that starts with `;` is a comment, as in option files of MySQL.
    pub semicolons: bool,
    /// Whether name and value may stand apart without `=`, as in `postgresql.conf`.
    pub spaces: bool,
}

/// One line that sets something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setting {
    /// Line, from 1.
    pub line: usize,
    /// Group it stands in, in lower case; empty before the first.
    pub group: String,
    /// Name as written.
    pub name: String,
    /// Value without quotes; none for a bare name.
    pub value: Option<String>,
}

/// The longest name or value that is looked at, in characters: no parameter has a longer one that pages depend on.
const LENGTH_MAX: usize = 4096;

/// The settings of a text in their order.
pub(super) fn settings(text: &str, notation: Notation) -> Vec<Setting> {
    let mut group = String::new();
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = uncommented(line.trim(), notation);
        if let Some(name) = line.strip_prefix('[') {
            group = cut(name.split(']').next().unwrap_or("").trim()).to_ascii_lowercase();
        } else if !line.is_empty() {
            let (name, value) = halves(line, notation);
            let value = value.map(|value| cut(unquoted(value)).to_owned());
            found.push(Setting { line: at + 1, group: group.clone(), name: cut(name).to_owned(), value });
        }
    }
    found
}

/// A line up to a `#` that stands outside quotes.
fn uncommented(line: &str, notation: Notation) -> &str {
    if notation.semicolons && line.starts_with(';') {
        return "";
    }
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') => return line[..at].trim_end(),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    line
}

fn halves(line: &str, notation: Notation) -> (&str, Option<&str>) {
    let split = line.split_once('=');
    let split = split.or_else(|| line.split_once(char::is_whitespace).filter(|_| notation.spaces));
    split.map_or((line, None), |(name, value)| (name.trim(), Some(value.trim())))
}

fn unquoted(value: &str) -> &str {
    let within = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    within('\'').or_else(|| within('"')).unwrap_or(value)
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(LENGTH_MAX).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const MYSQL: Notation = Notation { semicolons: true, spaces: false };
    const POSTGRESQL: Notation = Notation { semicolons: false, spaces: true };

    fn read(text: &str, notation: Notation) -> Vec<(usize, String, String, Option<String>)> {
        settings(text, notation).into_iter().map(|s| (s.line, s.group, s.name, s.value)).collect()
    }

    fn line(
        at: usize,
        group: &str,
        name: &str,
        value: Option<&str>,
    ) -> (usize, String, String, Option<String>) {
        (at, group.into(), name.into(), value.map(Into::into))
    }

    #[test]
    fn groups_quotes_bare_names_and_comments() {
        let text = "; x\r\n[mysqld]\r\nskip-log-bin # off\r\na = \"1 # one\" # two\r\n\r\nb=\r\n";
        let expected = [
            line(3, "mysqld", "skip-log-bin", None),
            line(4, "mysqld", "a", Some("1 # one")),
            line(6, "mysqld", "b", Some("")),
        ];
        assert_eq!(read(text, MYSQL), expected);
    }

    #[test]
    fn a_value_may_follow_a_space() {
        let text = "shared_buffers 128MB\ninclude 'more.conf'\n";
        let expected =
            [line(1, "", "shared_buffers", Some("128MB")), line(2, "", "include", Some("more.conf"))];
        assert_eq!(read(text, POSTGRESQL), expected);
    }

    #[test]
    fn a_giant_line_is_cut() {
        let settings = settings(&format!("a={}", "é".repeat(100_000)), MYSQL);
        assert_eq!(settings[0].value.as_ref().map(|v| v.chars().count()), Some(LENGTH_MAX));
    }
}
