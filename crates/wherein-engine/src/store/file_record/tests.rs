//! Records hold what segments hold, and nothing in one can make reading panic.
