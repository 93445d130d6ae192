//! Real processes, stopped and killed at random.

use anyhow::Result;

use super::Outcome;
use crate::building::BuildContext;
use crate::command::chaos;
use crate::process;
use crate::test::Range;

/// On every host of a writer, or not at all.
pub(super) fn nothing_is_lost(context: &BuildContext, _range: Range) -> Result<Outcome> {
    if !cfg!(unix) {
        let why = "processes cannot be stopped on this system";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    let (mut chaos, missing) = chaos::prepare(context, None)?;
    if !missing.is_empty() {
        return Ok(Outcome::Skipped(missing.join("; ")));
    }
    let output = process::run("chaos", chaos.arg("--brief"))?;
    Ok(Outcome::Passed(output.trim_end().to_owned()))
}
