//! From text to values: the parsers that settings share, whatever their source.
//!
//! They know kinds of values and no setting; the caller's error names which one it was.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use wherein_engine::{Error, Result};

fn text(raw: &OsStr) -> Result<&str> {
    raw.to_str().ok_or_else(|| Error::usage("the value is not UTF-8"))
}

pub(super) fn texts(raw: &[OsString]) -> Result<Vec<&str>> {
    raw.iter().map(|item| text(item)).collect()
}

pub(super) fn owned(raw: &[OsString]) -> Result<Vec<String>> {
    Ok(texts(raw)?.into_iter().map(str::to_owned).collect())
}

pub(super) fn one(raw: &[OsString]) -> Result<&str> {
    match raw {
        [single] => text(single),
        _ => Err(Error::usage("takes one value")),
    }
}

pub(super) fn directory(raw: &[OsString]) -> Result<PathBuf> {
    match raw {
        [single] if !single.is_empty() => Ok(PathBuf::from(single)),
        _ => Err(Error::usage("takes one folder")),
    }
}

pub(super) fn file(raw: &[OsString]) -> Result<PathBuf> {
    match raw {
        [single] if !single.is_empty() => Ok(PathBuf::from(single)),
        _ => Err(Error::usage("takes one file")),
    }
}

pub(super) fn number(text: &str) -> Result<usize> {
    text.trim().parse().map_err(|_| {
        Error::usage(format!("'{text}' is not a whole number")).with_hint("give digits, such as 10")
    })
}

pub(super) fn at_least_one(text: &str) -> Result<usize> {
    match number(text)? {
        0 => Err(Error::usage("0 is too small").with_hint("give a number from 1 up")),
        value => Ok(value),
    }
}

pub(super) fn truth(text: &str) -> Result<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(Error::usage(format!("'{text}' is neither true nor false"))),
    }
}

/// A finite number that is not negative.
pub(super) fn decimal<F: FromStr + Into<f64> + Copy>(text: &str) -> Result<F> {
    let fits = |value: &F| (*value).into().is_finite() && (*value).into() >= 0.0;
    let value = text.trim().parse().ok().filter(fits);
    value.ok_or_else(|| {
        Error::usage(format!("'{text}' is not a number from 0 up"))
            .with_hint("give a number, such as 0.5")
    })
}

/// A time in seconds; parts of a second may be given.
pub(super) fn seconds(text: &str) -> Result<Duration> {
    let value = text.trim().parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok());
    value.ok_or_else(|| {
        Error::usage(format!("'{text}' is not a time in seconds"))
            .with_hint("give seconds, such as 10 or 0.5")
    })
}

/// A size in bytes: `1000000`, `500K`, `2MB`, `1MiB`. Without an `i`, units are powers of 1000.
pub(super) fn size(text: &str) -> Result<u64> {
    let bad = || {
        Error::usage(format!("'{text}' is not a size"))
            .with_hint("sizes read 1000000, 500K, 2MB or 1MiB")
    };
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor: u64 = match &lower[digits.len()..] {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => return Err(bad()),
    };
    let count: u64 = digits.trim().parse().map_err(|_| bad())?;
    count.checked_mul(factor).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1000000").unwrap(), 1_000_000);
        assert_eq!(size("500K").unwrap(), 500_000);
        assert_eq!(size("2 MB").unwrap(), 2_000_000);
        assert_eq!(size("1MiB").unwrap(), 1_048_576);
        for bad in ["", "x", "1X", "-1", "99999999999999999999", "99999999999G"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn zero_results_are_refused_with_a_hint() {
        let error = at_least_one("0").unwrap_err();
        assert!(error.hint().is_some());
        assert!(at_least_one("-3").is_err());
        assert_eq!(at_least_one("7").unwrap(), 7);
    }

    #[test]
    fn truth_has_several_spellings() {
        assert!(truth("Yes").unwrap());
        assert!(!truth("0").unwrap());
        assert!(truth("maybe").is_err());
    }

    #[test]
    fn numbers_and_times_are_finite_and_not_negative() {
        assert_eq!(decimal::<f32>(" 0.5 ").unwrap(), 0.5);
        assert_eq!(seconds("2.5").unwrap(), Duration::from_millis(2500));
        for bad in ["", "-1", "NaN", "inf", "1e99", "ten"] {
            assert!(decimal::<f32>(bad).is_err() && seconds(bad).is_err(), "{bad}");
        }
    }
}
