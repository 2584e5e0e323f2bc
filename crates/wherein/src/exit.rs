//! The exit status: one enum and one table, so that scripts can rely on it.
//!
//! Nothing else in the binary may know a number.

use wherein_engine::ErrorKind;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Something was found, or the command did its work. A closed pipe counts as this.
    Found,
    /// Nothing was found.
    NothingFound,
    /// It could not be done; standard error says why.
    Error,
    /// Stopped by the user.
    Interrupted,
}

impl Exit {
    /// The number that the system is told.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Found => 0,
            Exit::NothingFound => 1,
            Exit::Error => 2,
            Exit::Interrupted => 130,
        }
    }

    /// The status of a search.
    pub(crate) fn of_search(n_hits: usize) -> Exit {
        if n_hits == 0 { Exit::NothingFound } else { Exit::Found }
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Exit {
        match kind {
            ErrorKind::Usage
            | ErrorKind::NotIndexed
            | ErrorKind::IndexFormat
            | ErrorKind::Busy
            | ErrorKind::Model
            | ErrorKind::ModelMismatch
            | ErrorKind::Network
            | ErrorKind::NotFound
            | ErrorKind::Forbidden
            | ErrorKind::Io
            | ErrorKind::Bug => Exit::Error,
            ErrorKind::Cancelled => Exit::Interrupted,
            // A kind newer than this table is an error all the same.
            _ => Exit::Error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_a_contract() {
        let codes = [Exit::Found, Exit::NothingFound, Exit::Error, Exit::Interrupted]
            .map(|exit| exit.code());
        assert_eq!(codes, [0, 1, 2, 130]);
    }

    #[test]
    fn every_kind_of_error_is_two_but_the_wish_to_stop() {
        use ErrorKind::{Bug, Busy, IndexFormat, Io, Model, ModelMismatch, Network};
        use ErrorKind::{NotIndexed, Usage};
        let of_models = [Model, ModelMismatch, Network];
        for kind in [Usage, NotIndexed, IndexFormat, Busy, Io, Bug].into_iter().chain(of_models) {
            assert_eq!(Exit::from(kind), Exit::Error, "{kind:?}");
        }
        assert_eq!(Exit::from(ErrorKind::Cancelled), Exit::Interrupted);
    }

    #[test]
    fn a_search_without_hits_found_nothing() {
        assert_eq!(Exit::of_search(0), Exit::NothingFound);
        assert_eq!(Exit::of_search(3), Exit::Found);
    }
}
