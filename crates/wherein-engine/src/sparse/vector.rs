//! A sparse vector: what is not named is zero.
//!
//! It knows nothing of texts or terms. Must not hold an index twice or out of order: whoever reads two of them walks them side by side.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// A vector of which only the components that are not zero are kept, in the layout of Qdrant's sparse vectors. Build it with
/// [`SparseVector::from_pairs`], which keeps the order; `indices` and `values` are equally long.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SparseVector {
    /// Dimensions, ascending, each once: hashes of stems for BM25, ids of the vocabulary for a learned model.
    pub indices: Vec<u32>,
    /// The component at each of `indices`, without unit: a weight of the term, before the server's idf.
    pub values: Vec<f32>,
}

impl SparseVector {
    /// The vector of `(index, value)` pairs in any order; of two with one index the later counts.
    pub fn from_pairs(mut pairs: Vec<(u32, f32)>) -> SparseVector {
        // The sort is stable, so the latest of equals comes first and is the one that stays.
        pairs.reverse();
        pairs.sort_by_key(|(index, _)| *index);
        pairs.dedup_by_key(|(index, _)| *index);
        let (indices, values) = pairs.into_iter().unzip();
        SparseVector { indices, values }
    }

    /// How many components are kept.
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether every component is zero: the text had no term.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The components, by ascending index.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.indices.iter().copied().zip(self.values.iter().copied())
    }

    /// The dot product: the sum over shared indices of value times value, in f32, as servers compute it.
    pub fn dot(&self, other: &SparseVector) -> f32 {
        self.dot_by(other, |_| 1.0)
    }

    /// The dot product with a weight for each shared index: with the idf, it is the score that a server with the `idf` modifier gives
    /// `other` for the question `self`.
    pub fn dot_by(&self, other: &SparseVector, weight: impl Fn(u32) -> f32) -> f32 {
        let (mut ours, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        let mut sum = 0.0;
        while let (Some((index, value)), Some((their_index, their_value))) =
            (ours.peek(), theirs.peek())
        {
            match index.cmp(their_index) {
                Ordering::Less => drop(ours.next()),
                Ordering::Greater => drop(theirs.next()),
                Ordering::Equal => {
                    sum += value * weight(*index) * their_value;
                    ours.next();
                    theirs.next();
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_ordered_and_the_later_of_two_counts() {
        let vector = SparseVector::from_pairs(vec![(7, 1.0), (2, 2.0), (7, 3.0), (0, 4.0)]);
        assert_eq!((vector.indices, vector.values), (vec![0, 2, 7], vec![4.0, 2.0, 3.0]));
        assert!(SparseVector::from_pairs(Vec::new()).is_empty());
    }

    #[test]
    fn only_shared_indices_add_to_a_dot_product() {
        let left = SparseVector::from_pairs(vec![(1, 2.0), (3, 4.0), (9, 1.0)]);
        let right = SparseVector::from_pairs(vec![(0, 7.0), (3, 0.5), (9, 3.0), (u32::MAX, 1.0)]);
        assert_eq!(left.dot(&right), 5.0);
        assert_eq!(left.dot_by(&right, |index| if index == 9 { 10.0 } else { 1.0 }), 32.0);
        assert_eq!(left.dot(&SparseVector::default()), 0.0);
    }
}
