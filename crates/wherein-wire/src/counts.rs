//! Named counts that keep their order, such as what was skipped and why.
//!
//! A JSON object whose keys stand in listing order; it never drops a zero, because a reader must be able
//! to tell "none" from "not counted".

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use wherein_engine::SkipCounts;

/// Counts by name, serialised as one object in the order they stand in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(Vec<(String, u64)>);

impl Counts {
    /// Counts in the order of `pairs`.
    pub fn new(pairs: impl IntoIterator<Item = (String, u64)>) -> Self {
        Counts(pairs.into_iter().collect())
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

impl From<&SkipCounts> for Counts {
    fn from(skipped: &SkipCounts) -> Self {
        Counts::new(skipped.iter().map(|(reason, count)| (reason.as_str().to_owned(), count)))
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, count) in &self.0 {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Counts {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        <std::collections::BTreeMap<String, u64> as utoipa::PartialSchema>::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Counts {}

#[cfg(test)]
mod tests {
    use super::*;
    use wherein_engine::SkipReason;

    #[test]
    fn every_reason_is_listed_zeros_too() {
        let mut skipped = SkipCounts::default();
        skipped.add(SkipReason::TooLarge);
        let counts = Counts::from(&skipped);
        assert_eq!(counts.iter().count(), SkipReason::ALL.len());
        assert_eq!(counts.total(), 1);
        let json = serde_json::to_string(&counts).unwrap();
        assert!(json.starts_with(r#"{"ignored":0,"#), "{json}");
        assert!(json.contains(r#""too_large":1"#), "{json}");
        assert!(json.contains(r#""sensitive":0"#), "{json}");
    }
}
