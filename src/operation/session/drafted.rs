//! A draft of a new snapshot: of what is known and given, and within the project's budget.

use crate::checkpoint::session::draft::{SnapshotDraft, SnapshotRequest, draft};
use crate::checkpoint::session::texts::{SnapshotTexts, search_texts};
use crate::error::{Error, WarningCode};
use crate::json::Object;
use crate::operation::Target;
use crate::operation::command::load::Loaded;
use crate::operation::project::budget::{budget, count};
use crate::operation::reply::Warnings;
use crate::operation::secrets;
use crate::schema::BUDGET_FIELD;
use crate::secret::{Allowed, Rule, redact_field_except, secret_in};
use crate::tokens::{self, MAX_SUMMARY_TOKENS};

use super::request::{Create, MadeBy, ORIGIN, TURN};
use super::snapshot_store::SnapshotStore;
use super::work;

pub(super) const SUMMARY: &str = "context_summary";

/// The number of times that a summary is made again, each time of fewer words, before it is cut.
const TRIES: u32 = 5;

/// A draft whose context summary keeps to the project's budget: a shorter one is made where it does not, and
/// what was given is refused.
pub(super) async fn draft_within_budget(
    store: &SnapshotStore<'_>,
    create: &Create<'_>,
    source: Option<(&Target, &Loaded)>,
    warnings: &mut Warnings,
) -> Result<SnapshotDraft, Error> {
    let mut words = MAX_SUMMARY_TOKENS;
    let mut drafted = make(create, source, words);
    let Some(budget) = budget(store.io, &store.root).await? else {
        return Ok(drafted);
    };
    let is_given = create.given.get(SUMMARY).is_some();
    for tries_left in (0..TRIES).rev() {
        let Some(text) = stored_summary(&drafted) else {
            // The schema reports any other kind.
            return Ok(drafted);
        };
        let (tokens, kept) = count(store.io, budget.encoding, &text, budget.limit).await?;
        let Some(why) = budget.excess(tokens) else {
            break;
        };
        if is_given {
            return Err(Error::summary_too_long(format!("/{SUMMARY}"), why));
        }
        words = words.min(tokens::count(&text));
        words = (words * u64::from(budget.limit) / tokens).min(words.saturating_sub(1));
        if tries_left == 0 || words == 0 {
            let message = format!("The context summary was cut: {why}");
            warnings.warn(WarningCode::SummaryTooLong, message);
            drafted.document.set(SUMMARY, &text[..kept]);
            break;
        }
        drafted = make(create, source, words);
    }
    drafted.document.set(BUDGET_FIELD, budget.record());
    Ok(drafted)
}

/// The context summary as it will be stored, without its secrets.
fn stored_summary(drafted: &SnapshotDraft) -> Option<String> {
    let summary = drafted.document.get(SUMMARY)?.clone();
    let mut alone = Object::new().with(SUMMARY, summary);
    hide(&mut alone, &Allowed::default(), &mut Vec::new());
    alone.get(SUMMARY)?.as_str().map(str::to_owned)
}

/// A draft whose context summary has at most so many words.
fn make(create: &Create<'_>, source: Option<(&Target, &Loaded)>, words: u64) -> SnapshotDraft {
    let known = source.map(|(_, loaded)| work::RunFacts::of(&loaded.object));
    let work = source.zip(known.as_ref());
    let work =
        work.map(|((target, loaded), known)| known.work(target, &loaded.object, loaded.revision));
    let mut drafted = draft(SnapshotRequest {
        reason: create.reason,
        message: create.message,
        work: work.as_ref(),
        given: create.given.clone(),
        summary_words: words,
    });
    // Members that no caller gives: only this product writes them.
    for key in ["snapshot", "undo_of", "made_by", ORIGIN, TURN, BUDGET_FIELD] {
        drafted.document.remove(key);
    }
    if let Some(MadeBy { agent, session }) = &create.made_by {
        let by = Object::new()
            .with("agent", agent.as_str())
            .with("session", session.as_str())
            // Known where all of it is; see `finish`.
            .with("work", "");
        drafted.document.set("made_by", by);
    }
    if let Some(id) = create.undo_of {
        drafted.document.set("undo_of", id.to_string());
    }
    if let Some(turn) = &create.turn {
        drafted.document.set(ORIGIN, turn.occasion.as_str());
        drafted.document.set(TURN, turn.to_object());
    }
    drafted
}

/// Refuses names that its maker gave and that hold a secret, but for what the project allows.
///
/// # Errors
///
/// [`Error::invalid_document`], whose problems have the code `secret`.
pub(super) async fn refuse_names(store: &SnapshotStore<'_>, given: &Object) -> Result<(), Error> {
    let refused = |allowed: &Allowed| hide(&mut given.clone(), allowed, &mut Vec::new()).names;
    if refused(&Allowed::default()).is_empty() {
        return Ok(());
    }
    let allowed = secrets::allowed(store.io, &store.root).await;
    match refused(&allowed) {
        places if places.is_empty() => Ok(()),
        places => Err(secrets::refusal(places)),
    }
}

/// The secrets that were taken out of a draft.
#[derive(Debug)]
pub(super) struct HiddenSecrets {
    /// The number of texts that had some.
    pub(super) count: u64,
    /// The names and paths that were left out, by their number.
    pub(super) notes: Vec<String>,
}

/// Takes the secrets out of every text, and leaves out names and paths that hold one, but for what the project allows. A
/// run whose name holds a secret is not named.
pub(super) async fn hide_all(
    store: &SnapshotStore<'_>,
    document: &mut Object,
    warnings: &mut Warnings,
) -> HiddenSecrets {
    let feature = document
        .get("checkpoint")
        .and_then(|it| it.as_object()?.get("feature")?.as_str());
    let of_name = feature.and_then(secret_in);
    if of_name.is_some() {
        document.remove("checkpoint");
    }
    let mut rules: Vec<Rule> = of_name.into_iter().collect();
    let mut hidden = document.clone();
    let mut found = hide(&mut hidden, &Allowed::default(), &mut rules);
    if found != SnapshotTexts::default() {
        let allowed = secrets::allowed(store.io, &store.root).await;
        rules = of_name.into_iter().collect();
        hidden = document.clone();
        found = hide(&mut hidden, &allowed, &mut rules);
    }
    *document = hidden;
    let SnapshotTexts {
        changed,
        names,
        paths,
    } = found;
    secrets::warn(warnings, "the snapshot", &rules, paths);
    let of_names = names_note(names.len());
    if let Some(note) = &of_names {
        warnings.warn(WarningCode::Redacted, note.clone());
    }
    HiddenSecrets {
        count: changed,
        notes: paths_note(paths).into_iter().chain(of_names).collect(),
    }
}

fn paths_note(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => {
            Some("One path of `files` is not listed: it holds what looks like a secret".to_owned())
        }
        count => Some(format!(
            "{count} paths of `files` are not listed: they hold what looks like a secret"
        )),
    }
}

fn names_note(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("One name of the run is left out: it holds what looks like a secret".to_owned()),
        count => Some(format!(
            "{count} names of the run are left out: they hold what looks like a secret"
        )),
    }
}

/// Hides secrets, and adds the rules that found them.
fn hide(document: &mut Object, allowed: &Allowed, rules: &mut Vec<Rule>) -> SnapshotTexts {
    search_texts(document, &mut |names, text| {
        let redacted = redact_field_except(names, text, allowed);
        let first = redacted.findings.first()?;
        if !rules.contains(&first.rule) {
            rules.push(first.rule);
        }
        Some(redacted.text.into_owned())
    })
}
