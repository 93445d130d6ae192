//! The list of threads, and the steps of one.

use milepost::json::Json;

use super::{at, page, run, text, texts, world};
use crate::memory::Memory;

/// Puts a checkpoint of a thread with this value in its one channel.
fn put(world: &Memory, thread: &str, (id, parent): (&str, Option<&str>), value: &str) {
    let thread = Json::from(thread).to_line();
    let parent = Json::from(parent.map(str::to_owned)).to_line();
    let value = Json::from(value).to_line();
    let body = Json::from(format!(r#"{{"ts":"2027-01-15T08:00:0{}.000Z"}}"#, id.len())).to_line();
    let change = format!(
        r#"{{"namespace":"","id":"{id}","parent":{parent},"checkpoint":["json",{body}],"metadata":["json","{{}}"],
        "channels":["x"],"changed":["x"],"values":[["x",["json",{value}]]]}}"#
    );
    let request =
        format!(r#"{{"operation":"put_thread","thread_id":{thread},"changes":[{change}]}}"#);
    run(world, &request);
}

#[test]
fn threads_are_listed_by_their_newest_step_and_each_row_leads_to_its_steps() {
    let world = world();
    put(&world, "add/é", ("a", None), "1");
    put(&world, "chat", ("a", None), r#"{"b":1}"#);
    put(
        &world,
        "chat",
        ("bb", Some("a")),
        r#"{"b":2,"c":"<\u202e>"}"#,
    );
    let writes = r#"[["x",["json","3"]]]"#;
    run(
        &world,
        &format!(
            r#"{{"operation":"put_thread","thread_id":"chat","changes":[{{"namespace":"","id":"bb","task":"t1","values":{writes}}}]}}"#
        ),
    );
    let mut page = page(&world);
    let shown = page.ask(r#"{"query":"threads"}"#);
    assert!(page.rounds > 0, "they were there from the beginning");
    assert_eq!(
        texts(&shown, "/rows", "/thread/thread_id"),
        ["chat", "add/é"]
    );
    assert_eq!(texts(&shown, "/rows", "/key"), ["chat", "add%2F%C3%A9"]);
    assert_eq!(text(&shown, "/rows/0/thread/latest/id"), "bb");
    assert_eq!(at(&shown, "/rows/0/thread/pending").as_u64(), Some(1));

    let one = page.ask(r#"{"query":"thread","key":"chat"}"#);
    assert_eq!(texts(&one, "/steps", "/id"), ["bb", "a"]);
    assert_eq!(texts(&one, "/steps/0/changes/0/parts", "/at"), ["/b", "/c"]);
    assert_eq!(
        text(&one, "/steps/0/changes/0/parts/1/after/text"),
        "\"<\\u{202e}>\""
    );
    assert_eq!(at(&one, "/steps/0/pending").as_bool(), Some(true));
    assert_eq!(at(&one, "/steps/1/pending").as_bool(), Some(false));
    let newest = page.ask(r#"{"query":"thread","key":"chat","count":1}"#);
    assert_eq!(texts(&newest, "/steps", "/id"), ["bb"]);
    assert_eq!(at(&newest, "/more").as_bool(), Some(true));
    let other = page.ask(r#"{"query":"thread","key":"add%2F%C3%A9"}"#);
    assert_eq!(text(&other, "/thread_id"), "add/é");
}

#[test]
fn a_text_is_looked_for_in_the_ids_of_threads() {
    let world = world();
    put(&world, "one", ("a", None), "1");
    put(&world, "two", ("a", None), "1");
    let mut page = page(&world);
    let shown = page.ask(r#"{"query":"threads","filter":{"text":"TW"}}"#);
    assert_eq!(texts(&shown, "/rows", "/thread/thread_id"), ["two"]);
    assert_eq!(at(&shown, "/total").as_u64(), Some(2));
}
