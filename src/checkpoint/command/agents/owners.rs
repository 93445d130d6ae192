//! The owners of a run: the sessions of agents that work on it, and the branch and worktree that it belongs to.

use super::super::document::Draft;
use crate::json::{Json, Object};
use crate::text::visible;
use crate::time;

/// The member of a run with the sessions, by their ids.
const SESSIONS: &str = "agent_sessions";
/// The members of a run with the branch and the worktree that hooks recorded.
const BRANCH: &str = "branch";
const WORKTREE: &str = "worktree";
/// The members of a run that say who works on it, and where. They are facts of now, and no content: an earlier content
/// that comes back leaves them as they are.
pub const OWNERSHIP: [&str; 3] = [SESSIONS, BRANCH, WORKTREE];
/// The member with the commit that a revision was saved at.
const HEAD_COMMIT: &str = "head_commit";
/// The members that every commit renews, and the one that says where a content is from.
const OF_COMMITS: [&str; 5] = [HEAD_COMMIT, "restores", "revision", "seal", "updated_at"];
/// The sessions that a run remembers.
pub(super) const MAX_SESSIONS: usize = 16;
/// A session that was seen within this time is not noted again: a write would change times alone.
const RENEWED_AFTER_MS: f64 = 60_000.0;
/// A time further ahead of this clock than this comes from a wrong clock, and is ignored.
const MAX_AHEAD_MS: f64 = 60_000.0;

/// A session of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionRef<'a> {
    /// The agent, such as `claude-code`.
    pub agent: &'a str,
    /// The id that the agent gave it.
    pub id: &'a str,
}

/// The relation of a session to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionPresence {
    /// It works on the run.
    Working,
    /// It has ended, or has gone on to another run.
    Ended,
    /// Another session took the run over, and this one does not know it yet.
    Replaced,
    /// Another session took the run over, and this one knows it.
    Displaced,
}

/// A session of a run, as its line has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOwner<'a> {
    /// The agent and the id.
    pub session: SessionRef<'a>,
    /// Its relation to the run.
    pub presence: SessionPresence,
    /// The time at which it was last seen.
    pub seen: &'a str,
}

impl RunOwner<'_> {
    /// Returns the time since it was seen, in ms; `None` where the recorded time is of no use.
    pub fn age_ms(&self, now_ms: f64) -> Option<f64> {
        age_ms(self.seen, now_ms)
    }
}

/// Returns the age of a recorded time, in ms. `None` for a text that is not a time, and for a time
/// more than a minute ahead: the clock was wrong, and its time is ignored.
pub fn age_ms(recorded: &str, now_ms: f64) -> Option<f64> {
    let age = now_ms - time::parse(recorded)?.wall_ms();
    (age >= -MAX_AHEAD_MS).then_some(age.max(0.0))
}

/// Returns the sessions of a run as one line, for the overview of all runs: `agent;id;time` each,
/// with `;ended`, `;replaced` or `;displaced`. `None` for a run without sessions.
pub fn line(run: &Object) -> Option<String> {
    let sessions = run.get(SESSIONS)?.as_object()?;
    let line = sessions.iter().filter_map(|(id, session)| {
        let session = session.as_object()?;
        let agent = session.get("agent")?.as_str()?;
        let seen = session.get("seen_at")?.as_str()?;
        let has = |key: &str| session.get(key).is_some();
        let end = match () {
            () if has("replaced_by") => REPLACED,
            () if has("displaced_by") => DISPLACED,
            () if has("ended_at") => ENDED,
            () => "",
        };
        let is_plain = |text: &str| text.bytes().all(|it| it.is_ascii_graphic() && it != b';');
        let are_plain = is_plain(agent) && is_plain(id) && is_plain(seen);
        are_plain.then(|| [agent, ";", id, ";", seen, end].concat())
    });
    let line: Vec<String> = line.collect();
    (!line.is_empty()).then(|| line.join(" "))
}

const ENDED: &str = ";ended";
const REPLACED: &str = ";replaced";
const DISPLACED: &str = ";displaced";

/// The sessions of a line.
pub fn owners(line: &str) -> impl Iterator<Item = RunOwner<'_>> {
    line.split(' ').filter_map(|session| {
        let (agent, rest) = session.split_once(';')?;
        let (id, rest) = rest.split_once(';')?;
        let (seen, end) = match rest.find(';') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let presence = match end {
            "" => SessionPresence::Working,
            REPLACED => SessionPresence::Replaced,
            DISPLACED => SessionPresence::Displaced,
            _ => SessionPresence::Ended,
        };
        let session = SessionRef { agent, id };
        Some(RunOwner {
            session,
            presence,
            seen,
        })
    })
}

/// Returns the relation of the session to the run of this line; `None` where it never worked on it.
pub fn presence(line: &str, id: &str) -> Option<SessionPresence> {
    let mut owners = owners(line);
    Some(owners.find(|owner| owner.session.id == id)?.presence)
}

/// Returns whether this session works on the run of this line.
pub fn works_on(line: &str, id: &str) -> bool {
    presence(line, id) == Some(SessionPresence::Working)
}

/// The other sessions that work on the run of this line and were seen within `idle_ms`.
pub fn others<'a>(
    line: &'a str,
    id: &'a str,
    now_ms: f64,
    idle_ms: f64,
) -> impl Iterator<Item = RunOwner<'a>> {
    owners(line).filter(move |owner| {
        owner.presence == SessionPresence::Working
            && owner.session.id != id
            && owner.age_ms(now_ms).is_some_and(|age| age < idle_ms)
    })
}

/// The branch that hooks recorded: `None` where none was, and empty for a detached HEAD.
pub fn branch(run: &Object) -> Option<&str> {
    match run.get(BRANCH)? {
        Json::Null => Some(""),
        branch => branch.as_str(),
    }
}

/// A recorded branch in words: empty stands for a detached HEAD.
pub fn branch_name(branch: &str) -> String {
    match branch {
        "" => "detached HEAD".to_owned(),
        branch => visible(branch).into_owned(),
    }
}

/// The worktree that hooks recorded, by the name that git has for it.
pub fn worktree(run: &Object) -> Option<&str> {
    run.get(WORKTREE)?.as_str()
}

/// Records the worktree, and the branch that is checked out there; `None` for a detached HEAD, which does not take a
/// run from its branch: a rebase has one. Returns whether anything changed.
pub fn place(draft: &mut Draft, branch: Option<&str>, worktree: &str) -> bool {
    let run = draft.as_object_mut();
    let recorded = run.get(BRANCH).and_then(Json::as_str).map(str::to_owned);
    let branch = branch.map(str::to_owned).or(recorded);
    let branch = branch.map_or(Json::Null, Json::from);
    let is_known = run.get(BRANCH) == Some(&branch)
        && run.get(WORKTREE).and_then(Json::as_str) == Some(worktree);
    if !is_known {
        run.set(BRANCH, branch);
        run.set(WORKTREE, worktree);
    }
    !is_known
}

/// Gives an earlier content of a run the sessions, the branch and the worktree that it has at present.
pub fn keep_owners(content: &mut Object, present: &Object) {
    for key in OWNERSHIP {
        match present.get(key) {
            Some(now) => content.set(key, now.clone()),
            None => {
                content.remove(key);
            }
        }
    }
}

/// Returns whether two revisions of a run differ in [`OWNERSHIP`], and have the same content.
pub fn differ_in_owners_alone(before: &Object, after: &Object) -> bool {
    let differing = before.differing(after);
    let is_of_owners = |key: &str| OWNERSHIP.contains(&key);
    differing.iter().any(|(key, ..)| is_of_owners(key))
        && differing
            .iter()
            .all(|(key, ..)| is_of_owners(key) || OF_COMMITS.contains(key))
}

/// Returns whether two revisions of a run have the same content and commit, regardless of [`OWNERSHIP`].
pub fn is_same_content(before: &Object, after: &Object) -> bool {
    let differing = before.differing(after);
    differing.iter().all(|(key, ..)| {
        *key != HEAD_COMMIT && (OWNERSHIP.contains(key) || OF_COMMITS.contains(key))
    })
}

/// The agents whose sessions worked on the run, each with when one of it was seen last, in ms; an agent may be
/// there more than once.
pub fn heard(run: &Object) -> impl Iterator<Item = (&str, f64)> {
    let sessions = run.get(SESSIONS).and_then(Json::as_object);
    let sessions = sessions.into_iter().flat_map(Object::iter);
    sessions.filter_map(|(_, session)| {
        let session = session.as_object()?;
        Some((session.get("agent")?.as_str()?, seen_ms(session)?))
    })
}

/// Returns the session that wrote a revision, as far as the document shows it: hooks note the
/// session that they write for unless it was seen within the last minute, so it is the one that was
/// seen last, and within a minute of the write.
pub fn writer(run: &Object) -> Option<SessionRef<'_>> {
    let written = run.get("updated_at")?.as_str()?;
    let written_ms = time::parse(written)?.wall_ms();
    let sessions = run.get(SESSIONS)?.as_object()?;
    let mut last: Option<(f64, SessionRef<'_>)> = None;
    for (id, session) in sessions.iter() {
        let Some(session) = session.as_object() else {
            continue;
        };
        let (Some(agent), Some(seen_ms)) = (session.get("agent"), seen_ms(session)) else {
            continue;
        };
        let is_later = last.as_ref().is_none_or(|(last, _)| seen_ms >= *last);
        if let Some(agent) = agent.as_str()
            && is_later
            && (written_ms - seen_ms).abs() <= RENEWED_AFTER_MS
        {
            last = Some((seen_ms, SessionRef { agent, id }));
        }
    }
    last.map(|(_, session)| session)
}

pub(super) fn session<'a>(run: &'a Object, id: &str) -> Option<&'a Object> {
    run.get(SESSIONS)?.as_object()?.get(id)?.as_object()
}

fn seen_ms(session: &Object) -> Option<f64> {
    let seen = session.get("seen_at")?.as_str()?;
    time::parse(seen).map(time::Time::wall_ms)
}

/// Returns whether the session is to be noted: it is not there, does not work on the run, or was
/// not seen for a minute.
pub fn is_due(run: &Object, id: &str, now_ms: f64) -> bool {
    let Some(session) = session(run, id) else {
        return true;
    };
    // A time ahead of this clock is of a wrong one.
    let is_recent = seen_ms(session).is_some_and(|seen| (now_ms - seen).abs() < RENEWED_AFTER_MS);
    !is_recent || session.get("ended_at").is_some()
}

/// Notes that the session works on the run, now. Of more than `MAX_SESSIONS` those that ended go first, then
/// those that were not seen for longest.
pub fn note(draft: &mut Draft, session: SessionRef<'_>, now: &str) {
    let sessions = sessions_of(draft);
    let known = entry(sessions, session.id);
    known.set("agent", session.agent);
    known.set("seen_at", now);
    known.remove("ended_at");
    known.remove("replaced_by");
    known.remove("displaced_by");
    while sessions.len() > MAX_SESSIONS {
        let age = |(_, session): &(&str, &Json)| {
            let session = session.as_object();
            let seen = session.and_then(|it| it.get("seen_at")?.as_str());
            let works = session.is_some_and(|it| it.get("ended_at").is_none());
            (works, seen.map(str::to_owned))
        };
        let others = sessions.iter().filter(|(id, _)| *id != session.id);
        let Some((oldest, _)) = others.min_by_key(age) else {
            return;
        };
        let oldest = oldest.to_owned();
        sessions.remove(&oldest);
    }
}

/// Notes that the session has ended, or works on another run. From then on it needs no notice that
/// another one took this run over, and does not come back to it by itself.
pub fn end(draft: &mut Draft, id: &str, now: &str) {
    if let Some(Json::Object(session)) = sessions_of(draft).get_mut(id) {
        session.set("ended_at", now);
        if let Some(by) = session.remove("replaced_by") {
            session.set("displaced_by", by);
        }
        session.remove("turn");
    }
}

/// Notes of every other session that works on the run that it was replaced: by the session of this id, or by the
/// command line. Returns whether there was one.
pub fn replace_others(draft: &mut Draft, by: Option<&str>, now: &str) -> bool {
    let mut replaced = false;
    for (id, session) in sessions_of(draft).iter_mut() {
        let Json::Object(session) = session else {
            continue;
        };
        if Some(id) != by && session.get("ended_at").is_none() {
            session.set("ended_at", now);
            session.set("replaced_by", by.unwrap_or("command line"));
            session.remove("turn");
            replaced = true;
        }
    }
    replaced
}

/// Begins the record of what the turn of a session does, with the first file or plan of the turn. Returns whether
/// it is new.
pub(super) fn begin_turn(draft: &mut Draft, id: &str) -> bool {
    let Some(Json::Object(session)) = sessions_of(draft).get_mut(id) else {
        return false;
    };
    let is_new = session.get("turn").is_none();
    if is_new {
        let nothing = Object::new().with("completed", Json::Array(Vec::new()));
        session.set("turn", nothing);
    }
    is_new
}

/// Notes that the turn of a session completed a phase.
pub(super) fn complete_in_turn(draft: &mut Draft, id: &str, phase: &str) {
    add_to_turn(draft, id, ("completed", phase));
}

/// Adds to a list of what the turn of a session has done.
pub(super) fn add_to_turn(draft: &mut Draft, id: &str, (key, text): (&str, &str)) {
    begin_turn(draft, id);
    if let Some(Json::Object(session)) = sessions_of(draft).get_mut(id)
        && let Some(Json::Object(turn)) = session.get_mut("turn")
    {
        let known = turn.get(key).and_then(Json::as_array);
        let mut list = known.unwrap_or_default().to_vec();
        list.push(Json::from(text));
        turn.set(key, list);
    }
}

/// The phases that the turn of a session completed; `None` where it changed no file and no plan.
pub(super) fn turn<'a>(run: &'a Object, id: &str) -> Option<Vec<&'a str>> {
    list_of_turn(run, id, "completed")
}

/// A list of what the turn of a session has done.
pub(super) fn list_of_turn<'a>(run: &'a Object, id: &str, key: &str) -> Option<Vec<&'a str>> {
    let turn = session(run, id)?.get("turn")?.as_object()?;
    let list = turn.get(key).and_then(Json::as_array);
    let list = list.unwrap_or_default().iter();
    Some(list.filter_map(Json::as_str).collect())
}

/// Returns whether the session's turn has changed a file or the plan.
pub fn has_worked(run: &Object, id: &str) -> bool {
    session(run, id).is_some_and(|it| it.get("turn").is_some())
}

/// Ends the turn of a session. Returns whether it had changed anything.
pub(super) fn end_turn(draft: &mut Draft, id: &str) -> bool {
    match sessions_of(draft).get_mut(id) {
        Some(Json::Object(session)) => session.remove("turn").is_some(),
        _ => false,
    }
}

/// Returns the record of a session, made if missing.
fn entry<'a>(sessions: &'a mut Object, id: &str) -> &'a mut Object {
    if sessions.get(id).and_then(Json::as_object).is_none() {
        sessions.set(id, Object::new());
    }
    match sessions.get_mut(id) {
        Some(Json::Object(session)) => session,
        _ => unreachable!("it was set above"),
    }
}

/// Returns the sessions of a draft, made if missing; a value of another kind in their place is
/// replaced.
fn sessions_of(draft: &mut Draft) -> &mut Object {
    let run = draft.as_object_mut();
    if run.get(SESSIONS).and_then(Json::as_object).is_none() {
        run.set(SESSIONS, Object::new());
    }
    match run.get_mut(SESSIONS) {
        Some(Json::Object(sessions)) => sessions,
        _ => unreachable!("it was set above"),
    }
}
