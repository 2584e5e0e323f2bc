//! Numbers as people read them: a score of 0.83 is printed as 0.83.
//!
//! The engine counts in `f32`. Widened to `f64`, as JSON values are, 0.83 would read
//! 0.8299999833106995. Rounding happens nowhere else.

use serde::{Serialize, Serializer};

/// A score of the engine, written with the fewest digits that name the same `f32`; not finite is `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score(pub f32);

impl Score {
    /// The `f64` whose shortest decimal form equals that of the score.
    pub fn as_f64(self) -> f64 {
        self.0.to_string().parse().unwrap_or_else(|_| f64::from(self.0))
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Score {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        <f64 as utoipa::PartialSchema>::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Score {}

impl From<f32> for Score {
    fn from(score: f32) -> Self {
        Score(score)
    }
}

/// Milliseconds rounded to a tenth, as the contract shows them.
pub(crate) fn tenths(milliseconds: f64) -> f64 {
    (milliseconds * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_short_form_as_text_and_as_value() {
        assert_eq!(serde_json::to_string(&Score(0.83)).unwrap(), "0.83");
        assert_eq!(serde_json::to_value(Score(0.83)).unwrap(), serde_json::json!(0.83));
        assert_eq!(serde_json::to_string(&Score(11.2)).unwrap(), "11.2");
        assert_eq!(serde_json::to_string(&Score(0.0)).unwrap(), "0.0");
        assert_eq!(serde_json::to_string(&Score(f32::NAN)).unwrap(), "null");
    }

    #[test]
    fn milliseconds_are_rounded_to_tenths() {
        assert_eq!(tenths(3.149), 3.1);
        assert_eq!(tenths(0.0), 0.0);
    }
}
