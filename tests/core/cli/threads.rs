//! Threads, as their user sees them who has a damaged one.

use std::fs;
use std::path::PathBuf;

use milepost::digest::digest;
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
fn what_became_of_a_thread_is_data_for_a_program() {
    let mut user = chatting();
    fs::remove_file(file(&user, "00-")).unwrap();
    let answer = user.run(&["thread", "recover", THREAD, "--json"]).answer();
    let answer = parse(&answer);
    for (at, expected) in [("/checkpoints", 1), ("/kept", 0), ("/lost", 2)] {
        assert_eq!(
            answer.at(at).and_then(milepost::json::Json::as_u64),
            Some(expected),
            "{at}"
        );
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
    assert!(refused.contains("works on files"), "{refused}");
}
