//! `milepost version`

use clap::Args;

use crate::cli::answer::Answer;
use crate::cli::call::{Call, HelpPage};
use crate::error::Error;

/// Print the version
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {}

pub(super) async fn run(call: &Call, _: Arguments) -> Result<Answer, Error> {
    Ok(Answer::verbatim(
        call.definition(HelpPage::Everyday).render_version(),
    ))
}
