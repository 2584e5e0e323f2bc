//! A pattern as written → the steps that find it.
//!
//! The steps are those of a machine that walks lists of siblings: take a node, go down to its children, come back,
//! and try something else where there is a choice. Must not look at any tree.

use super::parse::{Element, Kind, NodePattern, What, Written};
use super::predicate::Predicate;

/// Takes a node among the siblings that are left.
#[derive(Debug)]
pub(super) struct NodeStep {
    pub(super) kind: Kind,
    pub(super) is_missing: bool,
    /// 0 for any.
    pub(super) field: u16,
    /// Fields that the node must not have.
    pub(super) without: Box<[u16]>,
    pub(super) captures: Box<[u16]>,
    /// Predicates that are asked before the node is taken, by number.
    pub(super) checks: Box<[u16]>,
    /// No named node may be passed over.
    pub(super) is_immediate: bool,
    /// No named node may follow.
    pub(super) is_last: bool,
    /// The first that fits is as good as any later one.
    pub(super) is_once: bool,
}

/// What the absence of an element means for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    /// Its anchor goes with what it was anchored to.
    Frees,
    /// It must be the very first.
    Binds,
    Nothing,
}

#[derive(Debug)]
pub(super) enum Step {
    Node(NodeStep),
    /// Down to the children of the node just taken.
    Enter,
    /// Back to the node that was entered.
    Leave,
    /// Forgets the choices since the node just taken: they would find the same again.
    Cut,
    /// Goes on, or later tries that step.
    Either(usize),
    Goto(usize),
    /// Goes back to that step for the very next sibling, or goes on.
    Again(usize),
    /// Goes on, or later tries that step without the element.
    Lack {
        to: usize,
        lack: Lack,
        is_last: bool,
    },
    /// No named node may follow.
    Last,
    Done,
}

/// The steps of one pattern.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    /// No step behind this one captures anything, whatever is repeated.
    pub(super) last_capture: usize,
    pub(super) predicates: Vec<Predicate>,
    /// The kind that it begins with.
    pub(super) root: u16,
    /// The one capture of a pattern that is nothing but a node.
    pub(super) simple: Option<u16>,
}

/// What an element inherits from what is around it.
#[derive(Debug, Clone, Copy)]
struct Around<'a> {
    field: u16,
    captures: &'a [u16],
    is_immediate: bool,
    is_last: bool,
    /// The first of the children.
    is_first: bool,
    /// What follows may not pass over a named node, or the same is sought again.
    is_followed: bool,
}

impl Program {
    pub(super) fn of(written: Written) -> Program {
        let mut compiler = Compiler { steps: Vec::new(), predicates: &written.predicates };
        let around = Around {
            field: 0,
            captures: &[],
            is_immediate: false,
            is_last: false,
            is_first: false,
            is_followed: false,
        };
        compiler.element(&written.root, around);
        compiler.steps.push(Step::Done);
        let steps = compiler.steps;
        let is_leaf = steps.len() == 2 && written.predicates.is_empty();
        let (root, simple) = match &steps[0] {
            Step::Node(NodeStep { kind: Kind::One(kind), captures, without, .. }) => {
                let is_simple = is_leaf && captures.len() == 1 && without.is_empty();
                (*kind, captures.first().copied().filter(|_| is_simple))
            }
            // The reader takes no other root.
            _ => (0, None),
        };
        let last_capture = last_capture(&steps);
        Program { steps, last_capture, predicates: written.predicates, root, simple }
    }
}

fn last_capture(steps: &[Step]) -> usize {
    let captures = |step: &Step| matches!(step, Step::Node(node) if !node.captures.is_empty());
    let mut last = steps.iter().rposition(captures).unwrap_or_default();
    for (i, step) in steps.iter().enumerate() {
        if matches!(step, Step::Again(to) if *to <= last) {
            last = last.max(i);
        }
    }
    last
}

struct Compiler<'a> {
    steps: Vec<Step>,
    predicates: &'a [Predicate],
}

impl Compiler<'_> {
    /// An element as often as it may stand.
    fn element(&mut self, element: &Element, around: Around<'_>) {
        let captures = [&element.captures, around.captures].concat();
        let mut inner = Around { captures: &captures, ..around };
        inner.field = if around.field == 0 {
            element.field.map_or(0, std::num::NonZeroU16::get)
        } else {
            around.field
        };
        inner.is_immediate |= element.is_anchored;
        let count = element.count;
        if !count.may_lack && !count.may_repeat {
            return self.once(&element.what, inner);
        }
        inner.is_followed = true;
        let lack_at = self.steps.len();
        if count.may_lack {
            self.steps.push(Step::Done);
        }
        let body_at = self.steps.len();
        if count.may_repeat {
            // Of those that are repeated only the last one can be the last.
            self.once(&element.what, Around { is_last: false, ..inner });
            self.steps.push(Step::Again(body_at));
            if inner.is_last {
                self.steps.push(Step::Last);
            }
        } else {
            self.once(&element.what, inner);
        }
        if count.may_lack {
            let lack = match (inner.is_immediate, inner.is_first) {
                (false, _) => Lack::Frees,
                (true, true) => Lack::Binds,
                (true, false) => Lack::Nothing,
            };
            let to = self.steps.len();
            self.steps[lack_at] = Step::Lack { to, lack, is_last: inner.is_last };
        }
    }

    fn once(&mut self, what: &What, around: Around<'_>) {
        match what {
            What::Node(node) => self.node(node, around),
            What::Group(parts) => self.list(parts, around),
            What::Either(parts) => {
                let mut ends = Vec::new();
                for (i, part) in parts.iter().enumerate() {
                    if i + 1 == parts.len() {
                        self.element(part, around);
                        break;
                    }
                    let either_at = self.steps.len();
                    self.steps.push(Step::Done);
                    self.element(part, around);
                    ends.push(self.steps.len());
                    self.steps.push(Step::Done);
                    self.steps[either_at] = Step::Either(self.steps.len());
                }
                let end = self.steps.len();
                ends.into_iter().for_each(|at| self.steps[at] = Step::Goto(end));
            }
        }
    }

    /// Siblings one after the other. A field or capture around them is the first one's.
    fn list(&mut self, parts: &[Element], around: Around<'_>) {
        for (i, part) in parts.iter().enumerate() {
            let next = parts.get(i + 1);
            let (is_first, is_last) = (i == 0, next.is_none());
            let around = Around {
                field: if is_first { around.field } else { 0 },
                captures: if is_first { around.captures } else { &[] },
                is_immediate: is_first && around.is_immediate,
                is_last: is_last && around.is_last,
                is_first: is_first && around.is_first,
                is_followed: next.map_or(around.is_followed, |next| next.is_anchored),
            };
            self.element(part, around);
        }
    }

    fn node(&mut self, node: &NodePattern, around: Around<'_>) {
        let captures = around.captures;
        let asks = |predicate: &Predicate| {
            predicate.at_once().is_some_and(|capture| captures.contains(&capture))
        };
        let checks = (0..).zip(self.predicates).filter(|(_, predicate)| asks(predicate));
        let checks = checks.map(|(idx, _)| idx).collect();
        let is_leaf = node.children.is_empty();
        // If nothing here is captured, one witness does, unless the next one must stand beside it.
        let is_witness = captures.is_empty() && !around.is_followed;
        let at = self.steps.len();
        self.steps.push(Step::Node(NodeStep {
            kind: node.kind.clone(),
            is_missing: node.is_missing,
            field: around.field,
            without: node.without.as_slice().into(),
            captures: captures.into(),
            checks,
            is_immediate: around.is_immediate,
            is_last: around.is_last,
            is_once: is_witness && is_leaf,
        }));
        if is_leaf {
            return;
        }
        self.steps.push(Step::Enter);
        let inside = Around {
            field: 0,
            captures: &[],
            is_immediate: false,
            is_last: node.is_closed,
            is_first: true,
            is_followed: false,
        };
        self.list(&node.children, inside);
        self.steps.push(Step::Leave);
        let captures = |step: &Step| matches!(step, Step::Node(node) if !node.captures.is_empty());
        if is_witness && !self.steps[at..].iter().any(captures) {
            self.steps.push(Step::Cut);
        }
    }
}
