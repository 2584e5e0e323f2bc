//! Terms that are nearly another: one typing error apart.

use levenshtein_automata::{DFA, LevenshteinAutomatonBuilder, SINK_STATE};
use tantivy_fst::Automaton;

/// Everything within one insertion, deletion, replacement or swap of neighbours.
pub(crate) struct Alike(DFA);

impl std::fmt::Debug for Alike {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Alike")
    }
}

impl Alike {
    pub(crate) fn new(text: &str) -> Alike {
        Alike(LevenshteinAutomatonBuilder::new(1, true).build_dfa(text))
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        matches!(self.0.eval(text), levenshtein_automata::Distance::Exact(_))
    }
}

impl Automaton for Alike {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), levenshtein_automata::Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}
