//! Every surface says the same of a run: how many phases are done, which one is in progress, whether there is something
//! to do, whether it is complete or stale, and whether its gate is open.

use fastrand::Rng;
use milepost::checkpoint::command::phases::Status;
use milepost::checkpoint::command::progress::{Progress, in_order, progress};
use milepost::checkpoint::command::{document, gate, resume};
use milepost::effect::{Effect, Outcome, Stream};
use milepost::git::head::{short, stale};
use milepost::git::id::Hash;
use milepost::git::objects::{self, ObjectKind, loose};
use milepost::json::{self, Json, Object};

use super::overview::{ask, world};
use super::page::{Page, codes};
use crate::memory::Memory;
use crate::variants;

const FILE: &str = "/repo/.claude/state/implement-checkpoint.json";
const SETTINGS: &str = "/repo/.claude/config/integrations.json";
const MAIN: &str = "/repo/.git/refs/heads/main";
/// The commits `one` and `two` of [`put_commits`].
const HEAD: &str = "5a397b101f32bf7ce19a7135b7cef1c3cd9f67b3";
const OTHER: &str = "548b89ef46a14ee13619b9c54fad5930bcbbc352";
/// The tree without entries, which git knows by this id.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const NOW: &str = "2027-01-15T08:00:00.000Z";

/// No more than a notice names of one list.
const PHASES: [&str; 4] = ["plan", "build", "check", "ship it"];

fn object(text: &str) -> Object {
    match json::read(text.as_bytes()).unwrap().value {
        Json::Object(object) => object,
        other => panic!("{other:?}"),
    }
}

fn value(reply: &Object) -> &Json {
    assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{reply:?}");
    reply.get("value").unwrap()
}

fn number(of: &Json, pointer: &str) -> Option<u64> {
    of.at(pointer).and_then(Json::as_u64)
}

fn is(of: &Json, pointer: &str) -> Option<bool> {
    of.at(pointer).and_then(Json::as_bool)
}

/// Sends an event of Claude Code, and returns the context that it is answered with, if any.
fn hook(world: &Memory, session: &str, name: &str, more: &str) -> Option<Object> {
    let payload =
        format!(r#"{{"session_id":"{session}","cwd":"/repo","hook_event_name":"{name}",{more}}}"#);
    let request = format!(
        r#"{{"operation":"hook","place":{{"working":"/elsewhere"}},"agent":"claude-code","payload":{payload}}}"#
    );
    let reply = object(&world.ask(request.as_bytes()));
    let answer = value(&reply).at("/output").and_then(Json::as_str)?;
    let answer = Json::Object(object(answer));
    let context = answer.at("/hookSpecificOutput/additionalContext");
    let (_, facts) = context?.as_str()?.split_once('\n')?;
    Some(object(facts))
}

/// The status line of a session.
fn status_line(world: &Memory, session: &str) -> Option<String> {
    let request = format!(
        r#"{{"operation":"status_line","place":{{"working":"/elsewhere"}},"payload":{{"session_id":"{session}",
            "cwd":"/repo","workspace":{{"project_dir":"/repo"}}}}}}"#
    );
    let reply = object(&world.ask(request.as_bytes()));
    let line = value(&reply).at("/line").and_then(Json::as_str);
    line.map(str::to_owned)
}

/// The output of the command line, and its exit code.
fn printed(world: &Memory, words: &[&str]) -> (u8, String, String) {
    let words: Vec<Json> = words.iter().map(|word| Json::from(*word)).collect();
    let call = Object::new()
        .with("arguments", words)
        .with("place", Object::new().with("working", "/repo"))
        .with("color", false)
        .with("width", Json::Null)
        .with("user", Json::Null)
        .with("interactive", false);
    let (mut output, mut error) = (String::new(), String::new());
    let exit = variants::exit_code(
        Json::from(call).to_line().as_bytes(),
        |effect| match effect {
            Effect::Print { stream, text } => {
                match stream {
                    Stream::Output => output.push_str(&text),
                    Stream::Error => error.push_str(&text),
                }
                Outcome::Done
            }
            effect => world.perform(&effect),
        },
    );
    (exit, output, error)
}

/// The value of a field of what `show` prints.
fn field(page: &str, name: &str) -> Option<String> {
    let begins = format!("  {name:9}  ");
    let line = page.lines().find_map(|line| line.strip_prefix(&begins));
    line.map(str::to_owned)
}

/// Puts an object into the repository.
fn put_object(world: &Memory, kind: ObjectKind, bytes: Vec<u8>, id: &str) {
    let header = format!("{} {}\0", kind.word(), bytes.len());
    let file = [header.as_bytes(), bytes.as_slice()].concat();
    let named = objects::GitObject { kind, bytes }.id(Hash::Sha1);
    assert_eq!(named.digits(), id);
    let path = format!("/repo/.git/objects/{}", loose::path(&named));
    world.put(&path, miniz_oxide::deflate::compress_to_vec_zlib(&file, 6));
}

/// Puts two commits into the repository, the first of which is left out on demand, as in a shallow clone.
fn put_commits(world: &Memory, has_first: bool) {
    put_object(world, ObjectKind::Tree, Vec::new(), EMPTY);
    let commit = |parent: &str, minute: u64, message: &str| {
        let who = format!("a <a@b.c> {} +0000", 1_800_000_000 + 60 * minute);
        format!("tree {EMPTY}\n{parent}author {who}\ncommitter {who}\n\n{message}\n").into_bytes()
    };
    if has_first {
        put_object(world, ObjectKind::Commit, commit("", 0, "one"), HEAD);
    }
    let parent = format!("parent {HEAD}\n");
    put_object(world, ObjectKind::Commit, commit(&parent, 1, "two"), OTHER);
}

/// Gates that no version of this program writes; each is closed.
const MALFORMED_GATES: [&str; 6] = [
    "5",
    "true",
    "[]",
    r#"{"ship_allowed":true}"#,
    r#"{"ship_allowed":true,"blockers":"none"}"#,
    r#"{"ship_allowed":true,"blockers":[],"head_commit":5}"#,
];

/// A world with one run that a session works on, whose phases, lists, plan and gate are as chance has them, in a
/// repository that may not have the commit that the run was recorded at.
fn generated(random: &mut Rng) -> (Memory, Object) {
    let world = world();
    world.put(MAIN, format!("{HEAD}\n"));
    let settings =
        r#"{"notifications":{"webhooks":[{"url_env":"HOOK_URL","secret_env":"HOOK_SECRET"}]}}"#;
    world.put(SETTINGS, settings);
    let edit = r#""tool_name":"Edit","tool_input":{"file_path":"/repo/x"},"tool_response":{}"#;
    hook(&world, "a", "PostToolUse", edit);
    let mut run = object(&world.text(FILE));

    let mut phases = Object::new();
    for name in PHASES {
        if random.u8(..4) > 0 {
            let status = Status::ALL[random.usize(..Status::ALL.len())];
            let phase = Object::new()
                .with("status", status.as_str())
                .with("started_at", NOW)
                .with("updated_at", NOW);
            phases.set(name, phase);
        }
    }
    let list = |random: &mut Rng| -> Vec<&'static str> {
        let mut list = PHASES.to_vec();
        list.retain(|_| random.u8(..3) == 0);
        list
    };
    let current = match random.u8(..2) {
        0 => Json::Null,
        _ => Json::from(PHASES[random.usize(..PHASES.len())]),
    };
    let state = Object::new()
        .with("current_phase", current)
        .with("completed_phases", list(random))
        .with("pending_phases", list(random));
    run.set("phases", phases);
    run.set("state", state);
    if random.u8(..4) == 0 {
        run.set("plan", "First this, then that.");
    }
    if random.u8(..4) == 0 {
        run.set("completed_at", NOW);
    }
    if random.u8(..3) > 0 {
        let blockers = match random.u8(..3) {
            0 => vec!["tests fail"],
            _ => Vec::new(),
        };
        let mut gate = Object::new()
            .with("ship_allowed", random.u8(..3) > 0)
            .with("blockers", blockers);
        if random.bool() {
            gate.set("head_commit", [HEAD, OTHER][random.usize(..2)]);
        }
        run.set("gate", gate);
    }
    if random.u8(..4) == 0 {
        let gate = MALFORMED_GATES[random.usize(..MALFORMED_GATES.len())];
        run.set("gate", json::read(gate.as_bytes()).unwrap().value);
    }
    if random.u8(..8) == 0 {
        run.set("head_commit", "v1.2");
    }
    world.put(FILE, run.to_document());
    if random.bool() {
        world.put(MAIN, format!("{OTHER}\n"));
    }
    put_commits(&world, random.bool());
    (world, run)
}

/// The facts of a run, by the rules.
struct Facts {
    progress: Progress,
    is_completed: bool,
    has_work: bool,
    is_stale: bool,
    /// The distance of HEAD in words, where the run is stale.
    distance: Option<&'static str>,
    gate: gate::GateVerdict,
    has_gate: bool,
    /// Set where the gate is open at no commit.
    is_gate_closed: bool,
}

impl Facts {
    fn of(world: &Memory, run: &Object) -> Self {
        let head = world.text(MAIN);
        let head = head.trim_end();
        let saved = run.get("head_commit").and_then(Json::as_str);
        let is_stale = stale(saved, Some(head)).is_some();
        let recorded = format!("/repo/.git/objects/{}/{}", &HEAD[..2], &HEAD[2..]);
        let distance = match world.bytes(&recorded) {
            _ if saved == Some("v1.2") => {
                "recorded at v1.2; the commits since then cannot be counted"
            }
            Some(_) => "1 commit since this was recorded",
            None => "recorded at 5a397b1, which this repository does not have",
        };
        let has_gate = gate::is_recorded(run);
        let own = gate::check(run, None).head_commit;
        Facts {
            progress: progress(run),
            is_completed: document::is_completed(run),
            has_work: resume::has_work(run),
            is_stale,
            distance: is_stale.then_some(distance),
            gate: gate::check(run, Some(head)),
            has_gate,
            is_gate_closed: has_gate && !gate::check(run, own.as_deref()).open,
        }
    }

    fn done_of_total(&self) -> String {
        format!("{}/{}", self.progress.done(), self.progress.total())
    }

    fn gate_in_words(&self) -> String {
        match (self.gate.open, &self.gate.head_commit) {
            (true, Some(commit)) => format!("open for {}", short(commit)),
            (true, None) => "open".to_owned(),
            (false, _) => "closed".to_owned(),
        }
    }

    /// Compares a row of the list or of the page.
    #[track_caller]
    fn assert_row(&self, row: &Json) {
        let shown = row.to_line();
        assert_eq!(number(row, "/done"), Some(self.progress.done()), "{shown}");
        assert_eq!(
            number(row, "/total"),
            Some(self.progress.total()),
            "{shown}"
        );
        let current = row.at("/current_phase").and_then(Json::as_str);
        assert_eq!(current, self.progress.current_phase.as_deref(), "{shown}");
        assert_eq!(is(row, "/has_work"), Some(self.has_work), "{shown}");
        assert_eq!(is(row, "/complete"), Some(self.is_completed), "{shown}");
    }
}

/// The operations, which MCP and JavaScript ask.
fn assert_operations(world: &Memory, facts: &Facts) -> Json {
    let list = value(&ask(world, "list", ("", None), &[])).clone();
    facts.assert_row(list.at("/0").unwrap());
    let of = ("implement", None);
    let gate = ask(world, "gate", of, &[]);
    assert_eq!(is(value(&gate), "/open"), Some(facts.gate.open));
    let commit = value(&gate).at("/head_commit").and_then(Json::as_str);
    assert_eq!(commit, facts.gate.head_commit.as_deref());
    let loaded = Json::from(ask(world, "load", of, &[])).to_line();
    let is_stale = loaded.contains(r#""code":"stale""#);
    assert_eq!(is_stale, facts.is_stale, "{loaded}");
    let resumed = ask(world, "resume_here", of, &[]);
    let expected = facts.distance.filter(|_| !facts.is_completed);
    assert_eq!(distance(value(&resumed)), expected, "{resumed:?}");
    list
}

/// The distance of HEAD in an answer or a context.
fn distance(of: &Json) -> Option<&str> {
    of.at("/since_recorded").and_then(Json::as_str)
}

fn assert_command_line(world: &Memory, facts: &Facts, list: &Json) {
    let (_, status, _) = printed(world, &["status", "--json"]);
    assert_eq!(&json::read(status.as_bytes()).unwrap().value, list);
    let (exit, shown, error) = printed(world, &["show", "implement"]);
    assert_eq!(exit, 0, "{error}");
    let done = (facts.progress.total() > 0).then(|| facts.done_of_total());
    assert_eq!(field(&shown, "done"), done, "{shown}");
    let gate = facts.has_gate.then(|| facts.gate_in_words());
    assert_eq!(field(&shown, "gate"), gate, "{shown}");
    assert_eq!(error.contains("stale"), facts.is_stale, "{error}");
    let (exit, gate, _) = printed(world, &["gate", "implement"]);
    assert_eq!(exit, u8::from(!facts.gate.open), "{gate}");
    assert_eq!(gate.lines().next(), Some(&*facts.gate_in_words()));
}

/// The command `resume`, which looks for the run or is given its name.
fn assert_resume(world: &Memory, facts: &Facts, run: &Object) {
    if facts.is_completed {
        return;
    }
    let is_empty = resume::point(run).is_empty();
    for words in [
        &["resume", "--json"][..],
        &["resume", "implement", "--json"],
    ] {
        let (exit, output, error) = printed(world, words);
        let is_stale = error.contains("is stale");
        assert_eq!(is_stale, facts.is_stale, "{words:?}: {error}");
        // A run that is named is no answer where there is nothing to go on with.
        assert_eq!(
            exit == 1,
            is_empty && words.len() == 3,
            "{words:?}: {error}"
        );
        if exit == 0 {
            let answer = json::read(output.as_bytes()).unwrap().value;
            assert_eq!(distance(&answer), facts.distance, "{words:?}: {output}");
        }
    }
}

fn assert_page(world: &Memory, facts: &Facts) {
    let distances = ask(world, "since_recorded", ("", None), &[]);
    let meta = Object::new()
        .with("head", world.text(MAIN).trim_end())
        .with("since_recorded", value(&distances).clone());
    let mut page = Page::with(world, meta);
    let rows = page.rows();
    let [row] = &rows[..] else {
        panic!("{rows:?}");
    };
    let badges = codes(row);
    assert_eq!(
        badges.contains(&"stale".to_owned()),
        facts.is_stale,
        "{badges:?}"
    );
    // Of a run that is over, and of one that names no commit, no more is known.
    let is_counted = |text: &&str| !facts.is_completed && !text.contains("v1.2");
    let counted = facts.distance.filter(is_counted);
    let expected = counted.unwrap_or("saved at another commit than HEAD");
    let badges = row.get("badges").and_then(Json::as_array).unwrap();
    let is_stale = |badge: &&Json| badge.at("/code").and_then(Json::as_str) == Some("stale");
    let badge = badges.iter().find(is_stale);
    let text = badge.and_then(|badge| badge.at("/text")?.as_str());
    assert_eq!(text, facts.is_stale.then_some(expected));
    facts.assert_row(&Json::Object(row.clone()));
    let question =
        r#"{"query":"revision","moment":{"key":"c/implement-checkpoint","revision":null}}"#;
    let shown = Json::Object(page.value(question));
    assert_eq!(is(&shown, "/gate/open"), Some(facts.gate.open));
    let commit = shown.at("/gate/head_commit").and_then(Json::as_str);
    assert_eq!(commit, facts.gate.head_commit.as_deref());
}

/// The context of a session that begins, and the status line.
fn assert_hooks(world: &Memory, facts: &Facts, run: &Object) {
    let line = status_line(world, "a");
    let context = hook(world, "b", "SessionStart", r#""source":"startup""#);
    let command = context.as_ref().and_then(|context| context.get("command"));
    let command = command.and_then(Json::as_str);
    if facts.is_completed {
        assert_eq!((line, command), (None, None), "{context:?}");
        return;
    }
    let next = resume::point(run).phase;
    let expected = match (&next, facts.progress.total()) {
        (Some(phase), _) => format!("implement · {phase} {}", facts.done_of_total()),
        (None, 0) => "implement".to_owned(),
        (None, _) => format!("implement · {}", facts.done_of_total()),
    };
    assert_eq!(line, Some(expected));
    let is_named = facts.has_work || facts.progress.total() > 0;
    assert_eq!(command, is_named.then_some("implement"), "{context:?}");
    let context = Json::Object(context.unwrap_or_default());
    let expected = facts.distance.filter(|_| is_named);
    assert_eq!(distance(&context), expected, "{context:?}");
    let phase = context.at("/phase").and_then(Json::as_str);
    assert_eq!(phase, next.as_deref(), "{context:?}");
    let names = context.at("/pending_phases").and_then(Json::as_array);
    let names = names.unwrap_or_default().iter().filter_map(Json::as_str);
    let mut pending = in_order(run, Status::Pending, "pending_phases");
    pending.retain(|name| Some(*name) != next.as_deref());
    assert_eq!(names.collect::<Vec<_>>(), pending);
}

fn assert_notices(world: &Memory, facts: &Facts) {
    let more = [
        ("since_beginning", Json::from(true)),
        ("preview", true.into()),
    ];
    let reply = ask(world, "due_notices", ("", None), &more);
    let due = value(&reply).at("/due").and_then(Json::as_array).unwrap();
    let (mut is_completed, mut is_gate_closed) = (false, false);
    for notice in due {
        let shown = notice.to_line();
        let data = notice.at("/notice/data").unwrap();
        assert_eq!(
            number(data, "/phases_over"),
            Some(facts.progress.done()),
            "{shown}"
        );
        assert_eq!(
            number(data, "/phases"),
            Some(facts.progress.total()),
            "{shown}"
        );
        let kind = notice.at("/notice/type").and_then(Json::as_str);
        is_gate_closed |= kind == Some("checkpoint.gate_closed");
        if kind == Some("checkpoint.completed") {
            is_completed = true;
            let count = |list: &str| data.at(list).unwrap().as_array().unwrap().len() as u64;
            assert_eq!(count("/skipped"), facts.progress.skipped, "{shown}");
            assert_eq!(count("/failed"), facts.progress.failed, "{shown}");
            let unfinished = facts.progress.pending + facts.progress.in_progress;
            assert_eq!(count("/unfinished"), unfinished, "{shown}");
        }
    }
    assert_eq!(is_completed, facts.is_completed);
    assert_eq!(is_gate_closed, facts.is_gate_closed);
}

#[test]
fn every_surface_says_the_same_of_a_run() {
    for seed in 0..400 {
        let _run = milepost_property::seed("every surface says the same of a run", seed);
        let (world, run) = generated(&mut Rng::with_seed(seed));
        let facts = Facts::of(&world, &run);
        let list = assert_operations(&world, &facts);
        assert_command_line(&world, &facts, &list);
        assert_resume(&world, &facts, &run);
        assert_page(&world, &facts);
        assert_notices(&world, &facts);
        // The last: a session that begins may write.
        assert_hooks(&world, &facts, &run);
    }
}
