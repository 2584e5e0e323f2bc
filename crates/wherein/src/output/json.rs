//! JSON for programs: the objects of the wire contract, one line each.

use serde::Serialize;

use super::Printer;
use crate::failure::Outcome;

/// One object on one line.
pub(crate) fn object(printer: &mut Printer, value: &impl Serialize) -> Outcome<()> {
    serde_json::to_writer(printer.out(), value)?;
    writeln!(printer.out())?;
    Ok(())
}

/// One object a line for each of `values`.
pub(crate) fn each(
    printer: &mut Printer,
    values: impl IntoIterator<Item = impl Serialize>,
) -> Outcome<()> {
    values.into_iter().try_for_each(|value| object(printer, &value))
}
