//! What is tried again, and after which pause: longer each time, and not the same for all who wait.
//!
//! Must not try again what would go wrong again.

use std::time::Duration;

use tokio::time::Instant;

/// The first pause.
const FIRST: Duration = Duration::from_millis(100);
/// The longest.
const LONGEST: Duration = Duration::from_secs(5);

/// The pauses of one request.
#[derive(Debug)]
pub(crate) struct Pauses {
    next: Duration,
    end: Instant,
    seed: u64,
}

impl Pauses {
    /// Pauses that end once `patience` is over.
    pub(crate) fn new(patience: Duration) -> Pauses {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let seed = now.map_or(1, |now| u64::from(now.subsec_nanos()) | 1);
        Pauses { next: FIRST, end: Instant::now() + patience, seed }
    }

    /// The pause before the next try: between half of it and all of it, so that those who failed together do not come back
    /// together; `None` where patience is over.
    pub(crate) fn next(&mut self) -> Option<Duration> {
        let whole = self.next;
        self.next = (2 * whole).min(LONGEST);
        let pause = whole / 2 + whole.mul_f64(self.chance() / 2.0);
        (Instant::now() + pause < self.end).then_some(pause)
    }

    /// Between 0 and 1: xorshift, which is enough to spread pauses.
    fn chance(&mut self) -> f64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let mut pauses = Pauses::new(Duration::from_secs(3600));
        let first: Vec<Duration> = (0..12).filter_map(|_| pauses.next()).collect();
        assert_eq!(first.len(), 12);
        assert!(first[0] >= FIRST / 2 && first[0] <= FIRST, "{first:?}");
        assert!(first[11] >= LONGEST / 2 && first[11] <= LONGEST, "{first:?}");
        assert!(Pauses::new(Duration::ZERO).next().is_none());
    }
}
