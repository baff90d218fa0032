//! Conditions and sums in plans, as SQL writes them: the part of it that TPC-H needs.

use std::iter::Peekable;

/// An expression over columns and computed values, by their names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    /// A number; money in cents, shares in hundredths, dates in days since 1992-01-01.
    Number(f64),
    /// Text, to compare a column with.
    Text(String),
    /// A column or a computed value.
    Name(String),
    /// Arithmetic: `+`, `-`, `*`, `/`.
    Arithmetic(char, Box<Expression>, Box<Expression>),
    /// A comparison.
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Whether a column is one of several values.
    In(Box<Expression>, Vec<Expression>),
    /// Whether a column is like a pattern.
    Like(String, String),
    /// All must hold.
    And(Vec<Expression>),
    /// One must hold.
    Or(Vec<Expression>),
    /// It must not hold.
    Not(Box<Expression>),
}

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    const SIGNS: [(&'static str, Self); 6] = [
        ("=", Self::Equal),
        ("<>", Self::NotEqual),
        ("<", Self::Less),
        ("<=", Self::LessOrEqual),
        (">", Self::Greater),
        (">=", Self::GreaterOrEqual),
    ];

    fn of(sign: &str) -> Option<Self> {
        Self::SIGNS.iter().find(|(text, _)| *text == sign).map(|(_, comparison)| *comparison)
    }

    pub(crate) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}

/// A word, a number, a text or a sign of a plan's line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Word(String),
    Number(f64),
    Text(String),
    Sign(String),
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self, Self::Word(word) | Self::Sign(word) if word == text)
    }

    fn shown(&self) -> String {
        match self {
            Self::Word(text) | Self::Sign(text) => format!("`{text}`"),
            Self::Text(text) => format!("'{text}'"),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// The tokens of a line.
pub(crate) fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first == '\'' {
            let end = rest[1..].find('\'').ok_or_else(|| format!("a text without its end: {rest}"))?;
            (Token::Text(rest[1..=end].to_owned()), end + 2)
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
            let length = length.unwrap_or(rest.len());
            (Token::Number(number(&rest[..length])?), length)
        } else if first.is_ascii_alphabetic() {
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
            let length = length.unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else {
            let two = rest.get(..2).filter(|two| Comparison::of(two).is_some());
            let sign = two.unwrap_or(&rest[..first.len_utf8()]);
            (Token::Sign(sign.to_owned()), sign.len())
        };
        found.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

/// A number, or a date as days since 1992-01-01.
fn number(text: &str) -> Result<f64, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let bad = || format!("`{text}` is neither a number nor a date");
    match parts[..] {
        [number] => number.parse().map_err(|_| bad()),
        [year, month, day] => {
            let part = |text: &str| text.parse::<i64>().map_err(|_| bad());
            Ok((days(part(year)?, part(month)?, part(day)?) - days(1992, 1, 1)) as f64)
        }
        _ => Err(bad()),
    }
}

/// Days of the Gregorian calendar since 0000-03-01 (Hinnant, `days_from_civil`).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1
}

/// Tokens still to be read.
pub(crate) type Tokens<'a> = Peekable<std::slice::Iter<'a, Token>>;

/// Takes the next token if it is `text`.
pub(crate) fn take(tokens: &mut Tokens<'_>, text: &str) -> bool {
    tokens.next_if(|token| token.is(text)).is_some()
}

/// Takes `text`, which has to come.
pub(crate) fn expect(tokens: &mut Tokens<'_>, text: &str) -> Result<(), String> {
    match tokens.next() {
        Some(token) if token.is(text) => Ok(()),
        other => Err(format!("`{text}` expected, found {}", shown(other))),
    }
}

/// Takes a word.
pub(crate) fn word(tokens: &mut Tokens<'_>) -> Result<String, String> {
    match tokens.next() {
        Some(Token::Word(word)) => Ok(word.clone()),
        other => Err(format!("a name expected, found {}", shown(other))),
    }
}

fn shown(token: Option<&Token>) -> String {
    token.map_or_else(|| "the end".to_owned(), Token::shown)
}

/// Reads an expression.
pub(crate) fn expression(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    let mut parts = vec![conjunction(tokens)?];
    while take(tokens, "or") {
        parts.push(conjunction(tokens)?);
    }
    Ok(alone_or(parts, Expression::Or))
}

fn conjunction(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    let mut parts = vec![condition(tokens)?];
    while take(tokens, "and") {
        parts.push(condition(tokens)?);
    }
    Ok(alone_or(parts, Expression::And))
}

fn alone_or(mut parts: Vec<Expression>, many: fn(Vec<Expression>) -> Expression) -> Expression {
    if parts.len() == 1 { parts.remove(0) } else { many(parts) }
}

fn condition(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    if take(tokens, "not") {
        return Ok(Expression::Not(Box::new(condition(tokens)?)));
    }
    let left = sum(tokens)?;
    let negated = take(tokens, "not");
    let found = if take(tokens, "between") {
        let low = sum(tokens)?;
        expect(tokens, "and")?;
        let high = sum(tokens)?;
        let compare = |how, bound| Expression::Compare(how, Box::new(left.clone()), Box::new(bound));
        Expression::And(vec![
            compare(Comparison::GreaterOrEqual, low),
            compare(Comparison::LessOrEqual, high),
        ])
    } else if take(tokens, "in") {
        expect(tokens, "(")?;
        let mut values = vec![sum(tokens)?];
        while take(tokens, ",") {
            values.push(sum(tokens)?);
        }
        expect(tokens, ")")?;
        Expression::In(Box::new(left), values)
    } else if take(tokens, "like") {
        match (left, tokens.next()) {
            (Expression::Name(name), Some(Token::Text(pattern))) => Expression::Like(name, pattern.clone()),
            (_, other) => return Err(format!("a column like a pattern expected, found {}", shown(other))),
        }
    } else if let Some(Token::Sign(sign)) = tokens.peek()
        && let Some(comparison) = Comparison::of(sign)
    {
        tokens.next();
        Expression::Compare(comparison, Box::new(left), Box::new(sum(tokens)?))
    } else {
        left
    };
    Ok(if negated { Expression::Not(Box::new(found)) } else { found })
}

fn sum(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    chain(tokens, &['+', '-'], product)
}

fn product(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    chain(tokens, &['*', '/'], factor)
}

fn chain(
    tokens: &mut Tokens<'_>,
    signs: &[char],
    operand: fn(&mut Tokens<'_>) -> Result<Expression, String>,
) -> Result<Expression, String> {
    let mut left = operand(tokens)?;
    while let Some(sign) = signs.iter().find(|sign| take(tokens, sign.encode_utf8(&mut [0; 4]))) {
        left = Expression::Arithmetic(*sign, Box::new(left), Box::new(operand(tokens)?));
    }
    Ok(left)
}

fn factor(tokens: &mut Tokens<'_>) -> Result<Expression, String> {
    match tokens.next() {
        Some(Token::Number(number)) => Ok(Expression::Number(*number)),
        Some(Token::Text(text)) => Ok(Expression::Text(text.clone())),
        Some(Token::Word(name)) => Ok(Expression::Name(name.clone())),
        Some(token) if token.is("(") => {
            let inner = expression(tokens)?;
            expect(tokens, ")")?;
            Ok(inner)
        }
        other => Err(format!("a value expected, found {}", shown(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Expression, String> {
        let tokens = tokens(text)?;
        let mut tokens = tokens.iter().peekable();
        let found = expression(&mut tokens)?;
        tokens.next().map_or(Ok(found), |more| Err(format!("more: {}", more.shown())))
    }

    #[test]
    fn and_binds_closer_than_or() {
        let Expression::Or(parts) = read("a = 1 and b = 2 or c = 3").unwrap() else { panic!("an or") };
        assert!(matches!(parts[0], Expression::And(_)));
    }

    #[test]
    fn dates_are_days_since_1992() {
        assert_eq!(read("1992-01-01").unwrap(), Expression::Number(0.0));
        assert_eq!(read("1992-03-01").unwrap(), Expression::Number(60.0));
        assert_eq!(read("1998-12-01").unwrap(), Expression::Number(2526.0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for text in ["", "a =", "a in (1", "'open", "1-2", "a between 1 or 2", "5 like 'x'"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
