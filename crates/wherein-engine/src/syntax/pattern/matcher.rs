//! Finds the patterns that begin at a node: all ways in which their captures can be told apart.
//!
//! A machine that tries the choices of a pattern one after the other, over lists of children that all patterns share.
//! It keeps its lists between nodes, and how long it works is bounded by how many nodes it sees. Must not know what a
//! capture means.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tree_sitter::{Node, TreeCursor};

use super::Patterns;
use super::parse::Kind;
use super::predicate::{Captured, Predicate};
use super::program::{Lack, NodeStep, Program, Step};

/// Steps that may be taken at any node.
const FREE_STEPS: usize = 100_000;
/// Steps that may be taken for each node that is seen below it; code by people was never seen to need them.
const STEPS_PER_NODE: usize = 500;
/// To keep a match takes room, and time to compare it.
const STEPS_PER_MATCH: usize = 50;

/// A node among its siblings.
#[derive(Debug)]
struct Slot<'t> {
    node: Node<'t>,
    kind: u16,
    /// 0 for none.
    field: u16,
    is_named: bool,
    /// Its children, once somebody asked.
    kids: Option<(usize, usize)>,
}

/// Which siblings are left; never changed, so that a choice can come back to it.
#[derive(Debug, Clone, Copy)]
struct Level {
    next: usize,
    end: usize,
    parent: usize,
    /// How many choices there were before the last node was taken.
    n_choices: usize,
}

/// Where the machine is.
#[derive(Debug, Clone, Copy)]
struct State {
    step: usize,
    level: usize,
    n_levels: usize,
    n_captures: usize,
    /// The node taken last.
    taken: usize,
    /// The very next sibling or none.
    is_strict: bool,
    /// What the next one is anchored to is not there.
    is_free: bool,
    /// The node just taken could have been anything: then nothing is passed over to the next one.
    is_after_any: bool,
}

/// One way to find a pattern.
#[derive(Debug)]
struct Match {
    pattern: usize,
    captures: Range<usize>,
    /// Where the last of its nodes begins, outer nodes first.
    at: (usize, Reverse<usize>),
}

enum Outcome {
    GoOn,
    Fail,
    Done,
}

/// The machine and its lists.
pub(in crate::syntax) struct Matcher<'t> {
    cursor: TreeCursor<'t>,
    slots: Vec<Slot<'t>>,
    levels: Vec<Level>,
    choices: Vec<State>,
    captured: Vec<Captured<'t>>,
    steps_left: usize,
    matches: Vec<Match>,
    kept: Vec<Captured<'t>>,
}

impl<'t> Matcher<'t> {
    /// A matcher for the tree of a node.
    pub(in crate::syntax) fn new(root: Node<'t>) -> Matcher<'t> {
        Matcher {
            cursor: root.walk(),
            slots: Vec::new(),
            levels: Vec::new(),
            choices: Vec::new(),
            captured: Vec::new(),
            steps_left: 0,
            matches: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Every match that begins at a node: its pattern and captures, in the order in which their last nodes stand.
    pub(in crate::syntax) fn find(
        &mut self,
        patterns: &Patterns,
        node: Node<'t>,
        text: &[u8],
    ) -> impl Iterator<Item = (usize, &[Captured<'t>])> {
        self.matches.clear();
        self.kept.clear();
        self.slots.clear();
        self.steps_left = FREE_STEPS;
        self.slots.push(slot(node, 0));
        for pattern in patterns.beginning_with(node.kind_id()) {
            let program = &patterns.programs[*pattern];
            let n_before = self.matches.len();
            self.run(*pattern, program, text);
            if self.matches.len() > n_before + 1 {
                self.drop_lesser(n_before);
            }
            self.drop_unlike(n_before, &program.predicates, text);
        }
        if self.matches.len() > 1 {
            self.matches.sort_by_key(|m| (m.at, m.pattern));
        }
        self.matches.iter().map(|m| (m.pattern, &self.kept[m.captures.clone()]))
    }

    /// Tries every choice of one pattern.
    fn run(&mut self, pattern: usize, program: &Program, text: &[u8]) {
        self.levels.clear();
        self.choices.clear();
        self.captured.clear();
        self.levels.push(Level { next: 0, end: 1, parent: 0, n_choices: 0 });
        let mut state = State {
            step: 0,
            level: 0,
            n_levels: 1,
            n_captures: 0,
            taken: 0,
            is_strict: true,
            is_free: false,
            is_after_any: false,
        };
        loop {
            let outcome = self.advance(program, &mut state, text);
            match outcome {
                Outcome::GoOn => continue,
                Outcome::Done => self.keep(pattern, program, state),
                Outcome::Fail => {}
            }
            let Some(choice) = self.choices.pop() else { return };
            self.levels.truncate(choice.n_levels);
            self.captured.truncate(choice.n_captures);
            state = choice;
        }
    }

    fn advance(&mut self, program: &Program, state: &mut State, text: &[u8]) -> Outcome {
        if self.steps_left == 0 {
            self.choices.clear();
            return Outcome::Fail;
        }
        self.steps_left -= 1;
        let at = state.step;
        state.step += 1;
        match &program.steps[at] {
            Step::Node(node) => return self.take(node, program, state, text),
            Step::Enter => {
                let (next, end) = self.kids(self.levels[state.level].next - 1);
                let n_choices = self.choices.len();
                self.enter(state, Level { next, end, parent: state.level, n_choices });
            }
            Step::Leave => {
                state.level = self.levels[state.level].parent;
                (state.is_strict, state.is_free, state.is_after_any) = (false, false, false);
            }
            Step::Cut => self.choices.truncate(self.levels[state.level].n_choices),
            Step::Either(to) => self.choose(State { step: *to, ..*state }),
            Step::Goto(to) => state.step = *to,
            Step::Again(to) => {
                self.choose(*state);
                (state.step, state.is_strict) = (*to, true);
            }
            Step::Lack { to, lack, is_last } => {
                let mut without = State { step: *to, ..*state };
                match lack {
                    Lack::Frees => without.is_free = true,
                    Lack::Binds => without.is_strict = true,
                    Lack::Nothing => {}
                }
                let level = self.levels[state.level];
                if !is_last || !self.has_named(level.next, level.end) {
                    self.choose(without);
                }
            }
            Step::Last => {
                let level = self.levels[state.level];
                if self.has_named(level.next, level.end) {
                    return Outcome::Fail;
                }
            }
            Step::Done => return Outcome::Done,
        }
        Outcome::GoOn
    }

    /// Takes the first sibling that fits; a later one that may fit as well is a choice.
    fn take(
        &mut self,
        node: &NodeStep,
        program: &Program,
        state: &mut State,
        text: &[u8],
    ) -> Outcome {
        let level = self.levels[state.level];
        let is_strict = state.is_strict || (node.is_immediate && state.is_after_any);
        let is_immediate = node.is_immediate && !state.is_free;
        for i in level.next..level.end {
            self.steps_left = self.steps_left.saturating_sub(1);
            let may_pass = !(is_strict || is_immediate && self.slots[i].is_named);
            if self.fits(node, i, level.end, program, text) {
                let before = State { step: state.step - 1, ..*state };
                let n_choices = self.choices.len();
                self.enter(state, Level { next: i + 1, n_choices, ..level });
                if may_pass && !node.is_once && i + 1 < level.end {
                    self.choose(State { level: state.level, ..before });
                }
                let slot = &self.slots[i];
                self.captured.extend(node.captures.iter().map(|idx| (*idx, slot.node)));
                state.taken = i;
                state.is_strict = false;
                state.is_free = false;
                state.is_after_any = node.kind == Kind::Any;
                return Outcome::GoOn;
            }
            if !may_pass {
                break;
            }
        }
        Outcome::Fail
    }

    fn fits(&self, step: &NodeStep, i: usize, end: usize, program: &Program, text: &[u8]) -> bool {
        let slot = &self.slots[i];
        let is_kind = match &step.kind {
            Kind::One(kind) => slot.kind == *kind,
            Kind::Of(kinds) => kinds.contains(&slot.kind),
            Kind::Any => !slot.node.is_error(),
            Kind::AnyNamed => slot.is_named && !slot.node.is_error(),
        };
        let holds = |idx: &u16| {
            let of = text.get(slot.node.byte_range()).unwrap_or_default();
            program.predicates[usize::from(*idx)].holds_of(of)
        };
        is_kind
            && (step.field == 0 || step.field == slot.field)
            && (!step.is_missing || slot.node.is_missing())
            && !(step.is_last && self.has_named(i + 1, end))
            && step.without.iter().all(|field| slot.node.child_by_field_id(*field).is_none())
            && step.checks.iter().all(holds)
    }

    /// Whether a named node is among these.
    fn has_named(&self, from: usize, end: usize) -> bool {
        self.slots[from..end].iter().rev().any(|slot| slot.is_named)
    }

    fn enter(&mut self, state: &mut State, level: Level) {
        state.level = self.levels.len();
        self.levels.push(level);
    }

    fn choose(&mut self, state: State) {
        let (n_levels, n_captures) = (self.levels.len(), self.captured.len());
        self.choices.push(State { n_levels, n_captures, ..state });
    }

    /// The children of a node, listed when first asked for.
    fn kids(&mut self, i: usize) -> (usize, usize) {
        if let Some(known) = self.slots[i].kids {
            return known;
        }
        let start = self.slots.len();
        self.cursor.reset(self.slots[i].node);
        let mut has_more = self.cursor.goto_first_child();
        while has_more {
            let field = self.cursor.field_id().map_or(0, std::num::NonZeroU16::get);
            self.slots.push(slot(self.cursor.node(), field));
            has_more = self.cursor.goto_next_sibling();
        }
        let kids = (start, self.slots.len());
        self.steps_left += (kids.1 - start) * STEPS_PER_NODE;
        self.slots[i].kids = Some(kids);
        kids
    }

    /// Keeps what was found, unless it is what was found just before.
    fn keep(&mut self, pattern: usize, program: &Program, state: State) {
        // What is left to choose behind the last capture finds the same again.
        let n_captures = self.captured.len();
        let is_same = |choice: &mut State| {
            choice.n_captures == n_captures && choice.step > program.last_capture
        };
        while self.choices.pop_if(is_same).is_some() {}
        let last = self.matches.last().filter(|last| last.pattern == pattern);
        if last.is_some_and(|last| self.kept[last.captures.clone()] == self.captured[..]) {
            return;
        }
        let node = self.slots[state.taken].node;
        let from = self.kept.len();
        self.steps_left = self.steps_left.saturating_sub(STEPS_PER_MATCH);
        self.kept.extend_from_slice(&self.captured);
        let at = (node.start_byte(), Reverse(node.end_byte()));
        self.matches.push(Match { pattern, captures: from..self.kept.len(), at });
    }

    /// Drops matches whose captures another match of the pattern has as well: an optional node that is there is meant.
    fn drop_lesser(&mut self, first: usize) {
        let key = |(capture, node): &Captured<'_>| (*capture, node.id());
        let captures = |m: &Match| {
            let mut captures: Vec<_> = self.kept[m.captures.clone()].iter().map(key).collect();
            captures.sort_unstable();
            captures
        };
        let sets: Vec<Vec<(u16, usize)>> = self.matches[first..].iter().map(captures).collect();
        let mut seen = HashSet::new();
        let mut is_kept: Vec<bool> = sets.iter().map(|set| seen.insert(set)).collect();
        if sets.iter().any(|set| set.len() != sets[0].len()) {
            let mut having: HashMap<(u16, usize), Vec<usize>> = HashMap::new();
            for (i, set) in sets.iter().enumerate().filter(|(i, _)| is_kept[*i]) {
                set.iter().for_each(|one| having.entry(*one).or_default().push(i));
            }
            for (i, set) in sets.iter().enumerate() {
                // Only those with its rarest capture come into question.
                let lists = set.iter().filter_map(|one| having.get(one));
                let Some(others) = lists.min_by_key(|others| others.len()) else { continue };
                if let Some(left) = self.steps_left.checked_sub(others.len()) {
                    self.steps_left = left;
                    let is_more = |j: &usize| {
                        let other = &sets[*j];
                        other.len() > set.len() && set.iter().all(|one| other.contains(one))
                    };
                    is_kept[i] &= !others.iter().any(is_more);
                }
            }
        }
        let mut is_kept = is_kept.into_iter();
        let mut i = 0;
        self.matches.retain(|_| {
            i += 1;
            i <= first || is_kept.next().unwrap_or(true)
        });
    }

    /// Drops matches whose text is not what the predicates ask for.
    fn drop_unlike(&mut self, first: usize, predicates: &[Predicate], text: &[u8]) {
        if predicates.iter().all(|predicate| predicate.at_once().is_some()) {
            return;
        }
        let kept = &self.kept;
        let mut i = 0;
        self.matches.retain(|m| {
            i += 1;
            let captures = &kept[m.captures.clone()];
            i <= first
                || predicates.iter().all(|one| one.at_once().is_some() || one.holds(captures, text))
        });
    }
}

fn slot(node: Node<'_>, field: u16) -> Slot<'_> {
    Slot { node, kind: node.kind_id(), field, is_named: node.is_named(), kids: None }
}
