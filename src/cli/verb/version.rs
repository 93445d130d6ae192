//! `milepost version`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::{CliCall, HelpPage};
use crate::error::Error;

/// Print the version
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Ok(CliAnswer::verbatim(
        call.definition(HelpPage::Everyday).render_version(),
    ))
}
