//! The interfaces that ask nothing of a host: `tokens`, `schema`, `phases`, `handoff`.

use super::exports::{handoff, phases, schema, tokens, types};
use super::{Core, convert};
use crate::handoff::{Checked, SummaryPolicy};
use crate::operation::{Reply, Target, text};

impl tokens::Guest for Core {
    fn max_summary_tokens() -> u64 {
        crate::tokens::MAX_SUMMARY_TOKENS
    }

    fn count(text: String) -> u64 {
        crate::tokens::count(&text)
    }

    fn validate(text: String, limit: u64) -> tokens::Verdict {
        let verdict = crate::tokens::validate(&text, limit);
        tokens::Verdict {
            valid: verdict.valid,
            token_count: verdict.token_count,
            limit: verdict.limit,
            error: verdict.error,
        }
    }

    fn truncate(text: String, limit: u64) -> String {
        crate::tokens::truncate(&text, limit).to_owned()
    }
}

impl schema::Guest for Core {
    fn validate(document: String) -> Result<schema::Verdict, types::Error> {
        let reply = text::validate(&document, &[]);
        Ok(schema::Verdict {
            problems: convert::problems(reply.result.map_err(convert::error)?),
            warnings: convert::warnings(reply.warnings),
        })
    }
}

impl phases::Guest for Core {
    fn create(
        command: String,
        feature: Option<String>,
        now_ms: f64,
    ) -> Result<String, types::Error> {
        text::create(&Target { command, feature }, now_ms).map_err(convert::error)
    }

    fn update(
        document: String,
        phase: String,
        patch: String,
        now_ms: f64,
    ) -> Result<phases::Updated, types::Error> {
        updated(text::update_phase(&document, &phase, &patch, now_ms))
    }

    fn complete(document: String, now_ms: f64) -> Result<phases::Updated, types::Error> {
        updated(text::complete(&document, now_ms))
    }

    fn find_resume_point(document: String) -> Result<phases::ResumePoint, types::Error> {
        let point = text::resume_point(&document).map_err(convert::error)?;
        Ok(phases::ResumePoint {
            phase: point.phase,
            summary: point.summary,
        })
    }

    fn check_gate(
        document: String,
        head: Option<String>,
    ) -> Result<phases::GateVerdict, types::Error> {
        let verdict = text::gate(&document, head.as_deref()).map_err(convert::error)?;
        Ok(phases::GateVerdict {
            open: verdict.open,
            blockers: verdict.blockers,
        })
    }
}

fn updated(reply: Reply<String>) -> Result<phases::Updated, types::Error> {
    Ok(phases::Updated {
        document: reply.result.map_err(convert::error)?,
        warnings: convert::warnings(reply.warnings),
    })
}

impl handoff::Guest for Core {
    fn check_request(request: String) -> Result<handoff::Checked, types::Error> {
        checked(text::check_handoff_request(&request))
    }

    fn check_response(
        response: String,
        policy: handoff::Policy,
    ) -> Result<handoff::Checked, types::Error> {
        let policy = match policy {
            handoff::Policy::Reject => SummaryPolicy::Reject,
            handoff::Policy::Truncate => SummaryPolicy::Truncate,
            handoff::Policy::Warn => SummaryPolicy::Warn,
        };
        checked(text::check_handoff_response(&response, policy))
    }
}

fn checked(reply: Reply<Checked>) -> Result<handoff::Checked, types::Error> {
    let found = reply.result.map_err(convert::error)?;
    Ok(handoff::Checked {
        problems: convert::problems(found.problems),
        warnings: convert::warnings(reply.warnings),
        document: found.document.to_document(),
    })
}
