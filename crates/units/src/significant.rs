//! Numbers for people: a few significant digits, no exponent, no trailing zeros after a point.

/// `value` with `digits` significant digits, for example `significant(0.012345, 3)` is `0.0123`.
///
/// Integers above the precision keep all their digits in front of the point: `123456` with three digits is
/// `123456`, since a reader would take `123000` for a measured value.
pub fn significant(value: f64, digits: u32) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".into() } else { value.to_string() };
    }
    // One pass to find the magnitude after rounding: 0.9996 with three digits is 1, not 1.000.
    let scientific = format!("{value:.*e}", digits.saturating_sub(1) as usize);
    let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn keeps_three_digits() {
        for (value, text) in [
            (0.012345, "0.0123"),
            (1.0, "1"),
            (0.9996, "1"),
            (123456.7, "123457"),
            (-2.5, "-2.5"),
            (4.1999, "4.2"),
            (0.0, "0"),
        ] {
            assert_eq!(significant(value, 3), text);
        }
    }
}
