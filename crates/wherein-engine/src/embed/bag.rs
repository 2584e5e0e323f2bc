//! The words of a text with how often they count, before they become a vector.
//!
//! Must not depend on the order in which words were entered.

/// Past this count a word's further copies add half of what the first did, and less from there on.
const SATURATION: f32 = 3.0;

/// Rows of a table with their weights; kept and used again, so one per thread.
#[derive(Debug, Clone, Default)]
pub struct Bag {
    entries: Vec<(u32, f32)>,
    n_known: usize,
}

impl Bag {
    /// Words of it that the table knows as a whole.
    pub fn n_known(&self) -> usize {
        self.n_known
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.n_known = 0;
    }

    /// Enters all that `other` holds.
    pub(crate) fn extend(&mut self, other: &Bag) {
        self.entries.extend_from_slice(&other.entries);
        self.n_known += other.n_known;
    }

    pub(super) fn enter_known(&mut self, row: u32, weight: f32) {
        self.n_known += 1;
        self.entries.push((row, weight));
    }

    pub(super) fn enter_piece(&mut self, row: u32, weight: f32) {
        self.entries.push((row, weight));
    }

    /// Each row once, in order, with the weight of all its copies; the bag is empty then.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (u32, f32)> {
        self.n_known = 0;
        settle(&mut self.entries);
        self.entries.drain(..)
    }
}

/// Makes of rows with counts each row once, in order, with what all its copies are worth.
pub fn settle(entries: &mut Vec<(u32, f32)>) {
    // By weight, too: sums of floats depend on their order.
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    entries.iter_mut().for_each(|(_, count)| *count = saturated(*count));
}

/// What `count` copies of a word are worth: one for one, at most `SATURATION` + 1, by arithmetic that is the same on
/// every machine.
fn saturated(count: f32) -> f32 {
    count * (SATURATION + 1.0) / (count + SATURATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_entry_does_not_matter() {
        let entries = [(3, 1.0), (1, 0.1), (3, 0.3), (1, 0.7), (3, 0.2)];
        let drained = |order: &[usize]| -> Vec<(u32, f32)> {
            let mut bag = Bag::default();
            order.iter().for_each(|i| bag.enter_known(entries[*i].0, entries[*i].1));
            bag.drain().collect()
        };
        let wanted = drained(&[0, 1, 2, 3, 4]);
        assert_eq!(wanted.len(), 2);
        assert_eq!(drained(&[4, 2, 3, 0, 1]), wanted);
        assert_eq!(saturated(1.0), 1.0);
    }
}
