//! Threads, as their user sees them who has a damaged one.

use std::fs;
use std::path::PathBuf;

use milepost::digest::digest;
use milepost::json::Json;
use milepost::operation::request;

use super::{User, parse};

const THREAD: &str = "chat 1";

/// Puts a checkpoint into the thread.
fn put(user: &mut User, number: usize) {
    let root = user.working();
    let request = format!(
        r#"{{"operation":"put_thread","place":{{"root":"{root}"}},"thread_id":"{THREAD}","changes":[
            {{"namespace":"","id":"c{number}","checkpoint":["json","{{}}"],"metadata":["json","{{}}"],
            "channels":[],"changed":[],"values":[]}}]}}"#
    );
    let reply = request::start(request.as_bytes()).run(|effect| user.disk.perform(effect));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
}

fn folder(user: &User) -> PathBuf {
    let stem = digest(&[THREAD.as_bytes()]);
    user.folder.path().join(".claude/state/threads").join(stem)
}

/// The journal, or its tally.
fn file(user: &User, begin: &str) -> PathBuf {
    let files = fs::read_dir(folder(user)).unwrap();
    let mut paths = files.map(|it| it.unwrap().path());
    let is_it = |it: &PathBuf| it.file_name().unwrap().to_str().unwrap().starts_with(begin);
    paths.find(is_it).unwrap()
}

/// A user whose thread has a checkpoint in its document and two in its journal.
fn chatting() -> User {
    let mut user = User::new();
    for number in 0..3 {
        put(&mut user, number);
    }
    user
}

#[test]
fn a_damaged_thread_is_brought_back_and_the_answer_counts_what_is_lost() {
    let mut user = chatting();
    let refused = user.run(&["thread", "recover", THREAD]).refusal(1);
    assert!(refused.contains("nothing to recover"), "{refused}");
    let journal = file(&user, "00-");
    let bytes = fs::read(&journal).unwrap();
    let last = bytes.iter().rposition(|it| *it == b'\n').unwrap();
    fs::write(&journal, &bytes[..last]).unwrap();
    let answer = user.run(&["thread", "recover", THREAD]).answer();
    let mut lines = answer.lines();
    assert_eq!(lines.next(), Some("chat 1: recovered, with 2 checkpoints"));
    let counted = "Changes since its document was written: 1 kept, 1 lost";
    assert_eq!(lines.next(), Some(counted));
    let kept = lines.next().unwrap();
    let copy = kept.strip_prefix("What is damaged is kept as ").unwrap();
    let copy = fs::read(user.folder.path().join(copy)).unwrap();
    assert_eq!(copy, bytes[..last]);
    assert_eq!(lines.next(), None);
    user.run(&["thread", "recover", THREAD]).refusal(1);
    put(&mut user, 3);
}

#[test]
fn fate_of_a_thread_is_data_for_a_program() {
    let mut user = chatting();
    fs::remove_file(file(&user, "00-")).unwrap();
    let answer = user.run(&["thread", "recover", THREAD, "--json"]).answer();
    let answer = parse(&answer);
    for (at, expected) in [("/checkpoints", 1), ("/kept", 0), ("/lost", 2)] {
        assert_eq!(answer.at(at).and_then(Json::as_u64), Some(expected), "{at}");
    }
}

#[test]
fn an_examination_prints_the_command_that_brings_a_thread_back() {
    let mut user = chatting();
    fs::write(file(&user, "00-"), "garbage").unwrap();
    let said = user.line("doctor --look-only");
    assert_eq!(said.exit, 1, "{said:?}");
    let command = "milepost thread recover 'chat 1'";
    assert!(said.output.contains(command), "{}", said.output);
    user.run(&["thread", "recover", THREAD]).answer();
    let said = user.line("doctor --look-only");
    assert!(
        said.output.contains("Every thread can be read"),
        "{}",
        said.output
    );
}

#[test]
fn threads_in_a_database_are_not_recovered() {
    let refused = User::new()
        .line("thread recover t --store env:X --project p")
        .refusal(64);
    assert!(
        refused.contains("`milepost thread recover` works on files"),
        "{refused}"
    );
}

/// Puts changes, which are JSON, into a thread.
fn put_changes(user: &mut User, thread: &str, changes: &str) {
    let request = format!(
        r#"{{"operation":"put_thread","place":{{"root":"{}"}},"thread_id":"{thread}","changes":[{changes}]}}"#,
        user.working()
    );
    let reply = request::start(request.as_bytes()).run(|effect| user.disk.perform(effect));
    assert!(!reply.contains(r#""error":{"#), "{reply}");
}

/// A user with a thread of two steps, the second of which has a pending write, and with an older one.
fn with_steps() -> User {
    let mut user = User::new();
    put_changes(
        &mut user,
        "review",
        r#"{"namespace":"","id":"r1","checkpoint":["json","{\"ts\":\"2026-01-01T00:00:00.000Z\"}"],
        "metadata":["json","{\"source\":\"input\",\"step\":-1}"],"channels":[],"changed":[],"values":[]}"#,
    );
    let large = "x".repeat(100);
    let changes = format!(
        r#"{{"namespace":"","id":"c1","checkpoint":["json","{{\"ts\":\"2026-01-02T00:00:00.000Z\"}}"],
        "metadata":["json","{{\"source\":\"input\",\"step\":-1}}"],"channels":["messages"],
        "changed":["messages"],"values":[["messages",["json","[\"hello\"]"]]]}},
        {{"namespace":"","id":"c2","parent":"c1","checkpoint":["json","{{\"ts\":\"2026-01-03T00:00:00.000Z\"}}"],
        "metadata":["json","{{\"source\":\"loop\",\"step\":0}}"],"channels":["messages","password"],
        "changed":["messages","password"],"values":[["messages",["json","[\"hello\",\"{large}\"]"]],
        ["password",["json","\"correct horse\""]]]}},
        {{"namespace":"","id":"c2","task":"t1","values":[["messages",["json","1"]]]}}"#
    );
    put_changes(&mut user, "chat-1", &changes);
    user
}

#[test]
fn the_steps_of_a_thread_are_shown_with_their_changes_and_pending_writes() {
    let mut user = with_steps();
    let expected = "\
chat-1

c2  0 loop  2026-01-03T00:00:00.000Z
  messages  changed  [\"hello\"] -> 112 bytes
    /1  added  102 bytes
  password  added  \"[REDACTED:named_secret]\"
  pending  messages  1, by task t1

c1  -1 input  2026-01-02T00:00:00.000Z
  messages  added  [\"hello\"]
";
    assert_eq!(user.line("thread show chat-1").answer(), expected);
    assert_eq!(user.line("thread show --id chat-1").answer(), expected);
    let newest = user.line("thread show chat-1 --limit 1").answer();
    assert!(
        newest.ends_with("\n\nThere are older steps; `--limit N` prints more\n"),
        "{newest}"
    );
    let json = parse(&user.line("thread show chat-1 --json").answer());
    let text = |at: &str| json.at(at).unwrap().to_line();
    assert_eq!(text("/steps/0/pending"), "true");
    assert_eq!(text("/steps/0/step"), "0");
    assert_eq!(text("/steps/0/changes/0/parts/0/at"), r#""/1""#);
    assert_eq!(
        text("/steps/0/changes/0/after"),
        r#"{"bytes":112,"text":null}"#
    );
    assert_eq!(text("/more"), "false");
}

#[test]
fn threads_are_listed_with_the_newest_step_first() {
    let mut user = with_steps();
    let expected = "\
THREAD  STEP      CHECKPOINT  UPDATED                   PENDING
chat-1  0 loop    c2          2026-01-03T00:00:00.000Z  1
review  -1 input  r1          2026-01-01T00:00:00.000Z  0
";
    assert_eq!(user.line("thread list").answer(), expected);
    let one = user.line("thread list --limit 1").answer();
    assert!(one.ends_with("\nand 1 more\n"), "{one}");
    let json = parse(&user.line("thread list --json").answer());
    let pending = json.at("/0/pending").unwrap().to_line();
    assert_eq!(pending, "1");
    let none = User::new().line("thread list").answer();
    assert_eq!(none, "No threads\n");
    assert_eq!(User::new().line("thread list --json").answer(), "[]\n");
}

#[test]
fn a_hundred_threads_are_listed_unless_more_are_asked_for_and_all_for_a_program() {
    let mut user = User::new();
    for number in 0..101 {
        let change = r#"{"namespace":"","id":"c1","checkpoint":["json","{}"],"metadata":["json","{}"],
            "channels":[],"changed":[],"values":[]}"#;
        put_changes(&mut user, &format!("chat-{number}"), change);
    }
    let listed = user.line("thread list").answer();
    assert_eq!(listed.lines().count(), 102);
    assert!(listed.ends_with("\nand 1 more\n"), "{listed}");
    let listed = user.line("thread list -n 200").answer();
    assert_eq!(listed.lines().count(), 102);
    assert!(!listed.contains(" more"), "{listed}");
    for (line, count) in [("thread list --json", 101), ("thread list -n 2 --json", 2)] {
        let json = parse(&user.line(line).answer());
        assert_eq!(json.as_array().unwrap().len(), count, "{line}");
    }
}

#[test]
fn a_thread_is_shown_by_the_beginning_of_its_id_and_suggested_where_that_is_near() {
    let mut user = with_steps();
    let shown = user.line("thread show ch").answer();
    assert!(shown.starts_with("chat-1\n"), "{shown}");
    let refused = user.line("thread show chta-1").refusal(1);
    let expected = r#"There is no thread "chta-1"; did you mean "chat-1"?"#;
    assert!(refused.contains(expected), "{refused}");
    user.line("thread show nothing").refusal(1);
}

#[test]
fn the_beginning_of_an_id_is_not_completed_where_there_are_more_threads_than_are_read() {
    let mut user = with_steps();
    let threads = folder(&user).parent().unwrap().to_owned();
    // Behind the two in the order of the stems.
    for number in 0..999 {
        fs::create_dir(threads.join(format!("ffff{number:028x}"))).unwrap();
    }
    let refused = user.line("thread show ch").refusal(1);
    let expected =
        r#"There is no thread "ch", and there are too many threads to complete a part of an id"#;
    assert!(refused.contains(expected), "{refused}");
    let shown = user.line("thread show chat-1").answer();
    assert!(shown.starts_with("chat-1\n"), "{shown}");
}

#[test]
fn the_overview_counts_threads_and_tasks_where_there_are_some() {
    let mut user = with_steps();
    let said = user.line("").answer();
    assert!(said.contains("\n2 threads\n\nNext:\n"), "{said}");
    super::tasks::save(&mut user, "fix the login", "one", 1);
    let said = user.line("").answer();
    assert!(said.contains("\n2 threads, 1 task\n\nNext:\n"), "{said}");
    let status = user.line("status").answer();
    assert_eq!(status, "No runs\n2 threads, 1 task\n");
    assert_eq!(user.line("status --json").answer(), "[]\n");
    let json = parse(&user.line("--json").answer());
    assert_eq!(
        json.at("/tasks").unwrap().to_line(),
        r#"{"count":1,"more":false}"#
    );
    let silent = User::new().line("").answer();
    assert!(
        !silent.contains("thread") && !silent.contains("task"),
        "{silent}"
    );
}

/// A thread of three checkpoints, of which two are of runs.
fn with_runs() -> User {
    let mut user = User::new();
    for (id, parent, run) in [
        ("a", "null", ""),
        ("b", "\"a\"", "one"),
        ("c", "\"b\"", "two"),
    ] {
        let changes = format!(
            r#"{{"namespace":"","id":"{id}","parent":{parent},
            "checkpoint":["json","{{\"ts\":\"2026-01-02T00:00:00.000Z\"}}"],
            "metadata":["json","{{\"run_id\":\"{run}\"}}"],"channels":["log"],"changed":["log"],
            "values":[["log",["json","\"{id}\""]]]}}"#
        );
        put_changes(&mut user, "chat", &changes);
    }
    user
}

/// The ids of a thread's checkpoints, the newest first.
fn ids(user: &mut User, thread: &str) -> String {
    let request = format!(
        r#"{{"operation":"list_thread","place":{{"root":"{}"}},"thread_id":"{thread}"}}"#,
        user.working()
    );
    let reply = request::start(request.as_bytes()).run(|effect| user.disk.perform(effect));
    let found = parse(&reply);
    let found = found.at("/value/checkpoints").and_then(Json::as_array);
    let id = |it: &Json| it.at("/id").and_then(Json::as_str).unwrap().to_owned();
    found.unwrap().iter().map(id).collect()
}

#[test]
fn a_pruned_thread_has_its_newest_checkpoints_and_the_answer_counts_the_others() {
    let mut user = with_runs();
    let answer = user.line("thread prune chat --keep 2").answer();
    assert_eq!(answer, "chat: removed 1 checkpoint, 2 kept\n");
    assert_eq!(ids(&mut user, "chat"), "cb");
    let answer = user.line("thread prune chat --json").answer();
    let answer = parse(&answer);
    assert_eq!(answer.at("/removed").and_then(Json::as_u64), Some(1));
    assert_eq!(answer.at("/kept").and_then(Json::as_u64), Some(1));
    let refused = user.line("thread prune chat --keep 0").refusal(64);
    assert!(refused.contains("`keep` to be from 1 on"), "{refused}");
    user.line("thread prune").refusal(64);
    user.line("thread prune chat --days 3").refusal(64);
    user.line("thread prune chat --dry-run").refusal(64);
    let unknown = user.line("thread prune other").answer();
    assert_eq!(unknown, "other: removed 0 checkpoints, 0 kept\n");
    assert_eq!(ids(&mut user, "chat"), "c");
}

#[test]
fn threads_of_a_retention_are_named_before_and_after_they_went() {
    let mut user = with_runs();
    let answer = user.line("thread prune --days 10000 --dry-run").answer();
    assert_eq!(answer, "Would remove 0 threads\n");
    let answer = user.line("thread prune --days 1 --dry-run").answer();
    assert_eq!(answer, "Would remove 1 thread\n  chat\n");
    assert_eq!(ids(&mut user, "chat"), "cba");
    let answer = user.line("thread prune --days 1").answer();
    assert_eq!(answer, "Removed 1 thread\n  chat\n");
    assert_eq!(ids(&mut user, "chat"), "");
    let again = parse(&user.line("thread prune --days 1 --json").answer());
    let threads = again.at("/threads").and_then(Json::as_array);
    assert_eq!(threads.map(<[Json]>::len), Some(0));
    let refused = user.line("thread prune --days 0").refusal(64);
    assert!(refused.contains("`days` to be from 1 on"), "{refused}");
}

#[test]
fn checkpoints_of_runs_are_removed_from_one_thread_or_from_all() {
    let mut user = with_runs();
    let answer = user.line("thread remove other --run one").answer();
    assert_eq!(answer, "Removed 0 checkpoints of 0 threads\n");
    let answer = user.line("thread remove chat --run one").answer();
    assert_eq!(answer, "Removed 1 checkpoint of 1 thread\n");
    assert_eq!(ids(&mut user, "chat"), "ca");
    let answer = parse(
        &user
            .line("thread remove --run one --run two --json")
            .answer(),
    );
    assert_eq!(answer.at("/removed").and_then(Json::as_u64), Some(1));
    assert_eq!(answer.at("/threads/0").and_then(Json::as_str), Some("chat"));
    assert_eq!(ids(&mut user, "chat"), "a");
    let answer = user.line("thread remove chat").answer();
    assert_eq!(answer, "chat: removed\n");
    let answer = user.line("thread remove chat").answer();
    assert_eq!(answer, "chat: there is no such thread\n");
    assert_eq!(ids(&mut user, "chat"), "");
    user.line("thread remove").refusal(64);
}

#[test]
fn a_thread_is_copied_to_an_id_that_has_none() {
    let mut user = with_runs();
    let answer = user.line("thread copy chat copy").answer();
    assert_eq!(answer, "chat: copied to copy, 3 checkpoints\n");
    assert_eq!(ids(&mut user, "copy"), "cba");
    let refused = user.line("thread copy chat copy").refusal(75);
    assert!(refused.contains("There is a thread"), "{refused}");
    let refused = user.line("thread copy unknown other").refusal(1);
    assert!(refused.contains("There is no thread"), "{refused}");
    user.line("thread remove copy").answer();
    let answer = parse(&user.line("thread copy chat copy --json").answer());
    assert_eq!(answer.at("/checkpoints").and_then(Json::as_u64), Some(3));
    assert_eq!(ids(&mut user, "chat"), "cba");
}
