//! From one vector a token to one vector a text: pooling and L2 normalisation.
//!
//! Pure arithmetic on rows; it knows nothing of files or sessions. Definitions as in the Pooling and
//! Normalize modules of sentence-transformers.

use std::str::FromStr;

use wherein_engine::{Error, Result};

/// Which tokens' vectors make the text's vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pooling {
    /// The first token's.
    Cls,
    /// The mean of all, padding left out.
    Mean,
    /// The last token's before the padding.
    Last,
}

impl Pooling {
    /// The name that stands in a model's identity.
    pub fn name(self) -> &'static str {
        match self {
            Pooling::Cls => "cls",
            Pooling::Mean => "mean",
            Pooling::Last => "last",
        }
    }

    /// One vector from `n_tokens` rows of `dimensions`, laid one after the other; rows beyond are padding.
    pub(crate) fn apply(self, rows: &[f32], dimensions: usize, n_tokens: usize) -> Vec<f32> {
        let row = |idx: usize| rows[idx * dimensions..(idx + 1) * dimensions].to_vec();
        match self {
            Pooling::Cls => row(0),
            Pooling::Last => row(n_tokens - 1),
            Pooling::Mean => {
                let mut sum = vec![0.0; dimensions];
                for row in rows.chunks_exact(dimensions).take(n_tokens) {
                    sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
                }
                sum.iter_mut().for_each(|value| *value /= n_tokens as f32);
                sum
            }
        }
    }
}

impl FromStr for Pooling {
    type Err = Error;

    fn from_str(name: &str) -> Result<Pooling> {
        match name {
            "cls" => Ok(Pooling::Cls),
            "mean" => Ok(Pooling::Mean),
            "last" => Ok(Pooling::Last),
            other => Err(Error::usage(format!("there is no pooling '{other}'"))
                .with_hint("one of cls, mean, last")),
        }
    }
}

/// Divides by the length; says `false` where there is none to divide by (all zero, NaN or infinite).
pub(crate) fn normalise(vector: &mut [f32]) -> bool {
    let square: f64 = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    if !square.is_finite() || square == 0.0 {
        return false;
    }
    let scale = square.sqrt().recip();
    vector.iter_mut().for_each(|value| *value = (f64::from(*value) * scale) as f32);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pooling_leaves_the_padding_out() {
        let rows = [1.0, 2.0, 3.0, 4.0, 100.0, 100.0];
        assert_eq!(Pooling::Cls.apply(&rows, 2, 2), [1.0, 2.0]);
        assert_eq!(Pooling::Mean.apply(&rows, 2, 2), [2.0, 3.0]);
        assert_eq!(Pooling::Last.apply(&rows, 2, 2), [3.0, 4.0]);
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        let mut vector = [3.0, 4.0];
        assert!(normalise(&mut vector));
        assert_eq!(vector, [0.6, 0.8]);
        assert!(!normalise(&mut [0.0, 0.0]) && !normalise(&mut [f32::NAN, 1.0]));
    }

    #[test]
    fn names_go_both_ways() {
        for pooling in [Pooling::Cls, Pooling::Mean, Pooling::Last] {
            assert_eq!(pooling.name().parse::<Pooling>().unwrap(), pooling);
        }
        assert!("max".parse::<Pooling>().unwrap_err().to_string().contains("'max'"));
    }
}
