//! `milepost version`

use clap::Args;

use crate::cli::answer::CliAnswer;
use crate::cli::call::CliCall;
use crate::error::Error;

/// Print the version
#[derive(Args, Debug)]
pub(in crate::cli) struct Arguments {}

/// The words that ask for it.
pub(in crate::cli) const WORDS: [&str; 4] = ["version", "--version", "-V", "-v"];

/// The line of `--version` too, without the definition of every verb that the parser has it from.
pub(in crate::cli) const LINE: &str = concat!("milepost ", env!("CARGO_PKG_VERSION"), "\n");

pub(super) async fn run(_: &CliCall, _: Arguments) -> Result<CliAnswer, Error> {
    Ok(CliAnswer::verbatim(LINE.to_owned()))
}
