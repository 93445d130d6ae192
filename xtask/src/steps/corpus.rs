//! The corpus: every host gives the same bytes.

use anyhow::Result;

use super::Outcome;
use crate::building::BuildContext;
use crate::command::corpus::{self, Options};
use crate::test::Range;

/// On every host that is there.
pub(super) fn same_bytes(context: &BuildContext, range: Range) -> Result<Outcome> {
    let (table, missing) = corpus::compare(context, &Options::of(range))?;
    table.verdict()?;
    Ok(match missing.is_empty() {
        true => Outcome::Passed(table.summary()),
        false => Outcome::Skipped(missing.join("; ")),
    })
}
