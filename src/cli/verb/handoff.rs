//! `milepost handoff`

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use crate::cli::answer::{CliAnswer, Exit};
use crate::cli::call::CliCall;
use crate::error::Error;
use crate::handoff::SummaryPolicy;
use crate::operation::project::handoff::{check_request, check_response};
use crate::text::escaped_json;

/// Check requests to sub-agents, and their responses
#[derive(Args, Debug)]
#[command(arg_required_else_help = false)]
pub(in crate::cli) struct Arguments {
    #[command(subcommand)]
    verb: HandoffVerb,
}

#[derive(Debug, Subcommand)]
enum HandoffVerb {
    /// Check a request or response and print the document to pass on
    Check {
        /// The document, as JSON
        #[arg(value_name = "FILE|-")]
        file: String,
        /// It is a sub-agent's response instead of a request
        #[arg(long)]
        response: bool,
        /// The treatment of too long a summary
        #[arg(
            long,
            value_name = "POLICY",
            requires = "response",
            default_value = "reject",
            value_parser = policies()
        )]
        policy: SummaryPolicy,
    },
}

fn policies() -> impl TypedValueParser<Value = SummaryPolicy> {
    PossibleValuesParser::new(SummaryPolicy::ALL.map(SummaryPolicy::as_str))
        .try_map(|name| SummaryPolicy::parse(&name).ok_or("no policy of this name"))
}

/// A document that is refused is a "no": its problems are printed, and nothing is passed on.
pub(super) async fn run(call: &CliCall, arguments: Arguments) -> Result<CliAnswer, Error> {
    let HandoffVerb::Check {
        file,
        response,
        policy,
    } = arguments.verb;
    let document = call.document(&file).await?;
    let checked = match response {
        false => check_request(call.io(), &call.settings, document).await?,
        true => check_response(call.io(), &call.settings, document, policy).await?,
    };
    call.warn_all(&checked.warnings).await;
    if !checked.problems.is_empty() {
        call.fail(&Error::invalid_document(checked.problems)).await;
        return Ok(CliAnswer::silence(Exit::No));
    }
    Ok(CliAnswer::verbatim(escaped_json(
        &checked.document.to_document(),
    )))
}
