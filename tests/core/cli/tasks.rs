//! Task checkpoints, as their user sees them.

use milepost::json::Json;
use milepost::operation::request;

use super::{User, parse};

/// Saves a checkpoint of a task with two steps, so many of which are done.
pub(super) fn save(user: &mut User, task: &str, id: &str, done: usize) {
    let steps = ["read", "write"];
    let completed: Vec<String> = steps[..done]
        .iter()
        .map(|step| {
            format!(
                r#"{{"stepId":"s-{step}","name":"{step}","durationMs":1,"completedAt":"2026-01-01T00:00:00.000Z"}}"#
            )
        })
        .collect();
    let pending: Vec<String> = steps[done..]
        .iter()
        .map(|step| format!(r#""s-{step}""#))
        .collect();
    let request = format!(
        r#"{{"operation":"save_task","place":{{"root":"{}"}},"state":{{"id":"{id}","taskId":"{task}","agentId":"a",
        "stepIndex":{done},"totalSteps":2,"context":{{"branch":"main","password":"correct horse"}},
        "completedSteps":[{}],"pendingSteps":[{}],"createdAt":"2026-01-01T00:00:00.000Z"}}}}"#,
        user.working(),
        completed.join(","),
        pending.join(",")
    );
    let reply = request::start(request.as_bytes()).run(|effect| user.disk.perform(effect));
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
}

/// The time and size of the checkpoint at a position of an answer.
fn saved(json: &Json, at: &str) -> (String, u64) {
    let part = json.at(at).unwrap();
    let time = part.at("/saved_at").and_then(Json::as_str).unwrap();
    let bytes = part.at("/bytes").and_then(Json::as_u64).unwrap();
    (time.to_owned(), bytes)
}

#[test]
fn a_task_is_shown_with_its_status_its_checkpoints_and_its_data() {
    let mut user = User::new();
    save(&mut user, "fix the login", "one", 1);
    save(&mut user, "fix the login", "two", 1);
    let json = parse(
        &user
            .run(&["task", "show", "fix the login", "--json"])
            .answer(),
    );
    assert_eq!(json.at("/status").unwrap().to_line(), r#""in_progress""#);
    let remaining = json.at("/checkpoint/remaining_steps").unwrap();
    assert_eq!(remaining.to_line(), r#"["s-write"]"#);
    let [one, two] = ["/checkpoints/0", "/checkpoints/1"].map(|at| saved(&json, at));
    let expected = format!(
        "\
fix the login
  status      in_progress
  agent       a
  step        1 of 2
  checkpoint  two, saved {}, {} bytes
  also        one, saved {}, {} bytes

complete  s-read  read
pending   s-write

context
  {{
    \"branch\": \"main\",
    \"password\": \"[REDACTED:named_secret]\"
  }}
",
        two.0, two.1, one.0, one.1
    );
    let shown = user.run(&["task", "show", "fix the login"]).answer();
    assert_eq!(shown, expected);
    let older = user
        .run(&["task", "show", "fix", "--checkpoint", "one"])
        .answer();
    assert!(older.contains("\n  checkpoint  one, saved "), "{older}");
    save(&mut user, "fix the login", "three", 2);
    let json = parse(&user.run(&["task", "show", "fix", "--json"]).answer());
    assert_eq!(json.at("/status").unwrap().to_line(), r#""complete""#);
    assert!(!json.to_line().contains("correct horse"));
}

#[test]
fn tasks_are_listed_with_the_one_that_was_saved_last_first() {
    let mut user = User::new();
    assert_eq!(user.line("task list").answer(), "No tasks\n");
    assert_eq!(user.line("task list --json").answer(), "[]\n");
    save(&mut user, "one", "first", 1);
    save(&mut user, "two", "second", 1);
    let json = parse(&user.line("task list --json").answer());
    let ids = json.as_array().unwrap().iter();
    let ids: Vec<&str> = ids
        .map(|it| it.at("/task_id").and_then(Json::as_str).unwrap())
        .collect();
    // The two may have been saved in one millisecond.
    let times = [saved_at(&json, "/0"), saved_at(&json, "/1")];
    assert!(times[0] >= times[1], "{times:?}");
    assert!(ids == ["two", "one"] || times[0] == times[1], "{ids:?}");
    let listed = user.line("task list").answer();
    assert!(
        listed.starts_with("TASK  CHECKPOINTS  LATEST  SAVED\n"),
        "{listed}"
    );
    let limited = user.line("task list --limit 1").answer();
    assert!(limited.ends_with("\nand 1 more\n"), "{limited}");
}

#[test]
fn a_hundred_tasks_are_listed_unless_more_are_asked_for_and_all_for_a_program() {
    let mut user = User::new();
    for number in 0..101 {
        save(
            &mut user,
            &format!("task-{number}"),
            &format!("id-{number}"),
            1,
        );
    }
    let listed = user.line("task list").answer();
    assert_eq!(listed.lines().count(), 102);
    assert!(listed.ends_with("\nand 1 more\n"), "{listed}");
    for (line, count) in [("task list --json", 101), ("task list -n 2 --json", 2)] {
        let json = parse(&user.line(line).answer());
        assert_eq!(json.as_array().unwrap().len(), count, "{line}");
    }
}

fn saved_at<'a>(json: &'a Json, at: &str) -> &'a str {
    let task = json.at(at).unwrap();
    task.at("/saved_at").and_then(Json::as_str).unwrap()
}

#[test]
fn a_task_that_is_not_there_is_answered_with_the_nearest() {
    let mut user = User::new();
    save(&mut user, "login", "first", 1);
    let refused = user.line("task show lgoin").refusal(1);
    let expected = r#"There is no task "lgoin"; did you mean "login"?"#;
    assert!(refused.contains(expected), "{refused}");
    let refused = user.line("task show login --checkpoint frist").refusal(1);
    assert!(refused.contains(r#"did you mean "first"?"#), "{refused}");
}

#[test]
fn the_beginning_of_an_id_is_not_completed_where_there_are_more_tasks_than_are_read() {
    let mut user = User::new();
    save(&mut user, "login", "first", 1);
    let tasks = user.folder.path().join(".claude/state/tasks");
    for number in 0..1_000 {
        std::fs::create_dir(tasks.join(format!("z-{number:032x}"))).unwrap();
    }
    let refused = user.line("task show log").refusal(1);
    let expected =
        r#"There is no task "log", and there are too many tasks to complete a part of an id"#;
    assert!(refused.contains(expected), "{refused}");
    let shown = user.line("task show login").answer();
    assert_eq!(user.line("task show --id login").answer(), shown);
    user.line("task show login --id other").refusal(64);
    assert!(shown.starts_with("login\n"), "{shown}");
}
