//! The list of snapshots.

use milepost::json::Json;

use super::{at, list, page, run, run_of_six, text, texts};
use crate::memory::Memory;

const CREATE: &str = r#"{"operation":"create_session","reason":"handoff","files":false"#;

fn some() -> (Memory, Vec<String>) {
    let world = run_of_six();
    let ids = (0..3).map(|at| {
        world.now_ms.set(world.now_ms.get() + 60_000.0);
        let made = run(&world, &format!(r#"{CREATE},"message":"number {at}"}}"#));
        text(&made, "/id").to_owned()
    });
    let ids = ids.collect();
    (world, ids)
}

#[test]
fn the_newest_comes_first_with_what_the_list_says_of_it() {
    let (world, ids) = some();
    run(
        &world,
        &format!(r#"{{"operation":"pin_session","id":"{}"}}"#, ids[1]),
    );
    let shown = page(&world).ask(r#"{"query":"sessions"}"#);
    let newest_first: Vec<&str> = ids.iter().rev().map(String::as_str).collect();
    assert_eq!(texts(&shown, "/rows", "/id"), newest_first);
    let listed = run(&world, r#"{"operation":"list_sessions","archived":true}"#);
    for (row, listed) in list(&shown, "/rows").iter().zip(listed.as_array().unwrap()) {
        for member in [
            "/id",
            "/created_at",
            "/reason",
            "/message",
            "/pinned",
            "/archived",
            "/problem",
        ] {
            assert_eq!(at(row, member), at(listed, member), "{member}");
        }
    }
    assert_eq!(text(&shown, "/rows/0/key"), format!("s/{}", ids[2]));
}

#[test]
fn a_text_is_looked_for_and_a_page_is_cut() {
    let (world, _) = some();
    let mut page = page(&world);
    let shown = page.ask(r#"{"query":"sessions","filter":{"text":"NUMBER 1"}}"#);
    assert_eq!(at(&shown, "/total").as_u64(), Some(3));
    assert_eq!(at(&shown, "/matching").as_u64(), Some(1));
    assert_eq!(texts(&shown, "/rows", "/message"), ["number 1"]);
    let shown = page.ask(r#"{"query":"sessions","from":1,"count":1}"#);
    assert_eq!(texts(&shown, "/rows", "/message"), ["number 1"]);
    assert_eq!(page.fail(r#"{"query":"sessions","from":"1"}"#), "usage");
}

#[test]
fn a_file_that_is_no_snapshot_says_why() {
    let (world, ids) = some();
    let mut page = page(&world);
    page.put(&format!(".claude/checkpoints/{}.yaml", ids[1]), b"a: *b\n");
    let shown = page.ask(r#"{"query":"sessions"}"#);
    assert_eq!(text(&shown, "/rows/1/problem/code"), "corrupt");
    assert_eq!(text(&shown, "/rows/1/badges/0/code"), "corrupt");
    assert_eq!(at(&shown, "/rows/0/problem"), &Json::Null);
    page.remove(&format!(".claude/checkpoints/{}.yaml", ids[0]));
    let shown = page.ask(r#"{"query":"sessions"}"#);
    assert_eq!(at(&shown, "/total").as_u64(), Some(2));
}

#[test]
fn a_place_without_any_has_an_empty_list() {
    let mut page = page(&super::world());
    for ask in ["sessions", "tasks"] {
        let shown = page.ask(&format!(r#"{{"query":"{ask}"}}"#));
        assert_eq!(
            shown.to_line(),
            r#"{"total":0,"matching":0,"rows":[]}"#,
            "{ask}"
        );
    }
}
