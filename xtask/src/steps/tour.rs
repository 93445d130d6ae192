//! The tour of `cargo xtask run`, of a part of the package that is built for it.

use anyhow::Result;

use super::{Outcome, passed};
use crate::building::BuildContext;
use crate::command::run;
use crate::test::Range;

pub(super) fn first_command(context: &BuildContext, _range: Range) -> Result<Outcome> {
    run::check_tour(context)?;
    passed()
}
