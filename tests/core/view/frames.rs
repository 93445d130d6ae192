//! Files come in as frames, in parts of any size.

use milepost::json::Object;

use super::overview::{phase, world};
use super::page::{Page, beginning, frame};

const QUESTION: &str = r#"{"query":"overview","sort":"name"}"#;

#[test]
fn a_frame_that_arrives_in_parts_is_read_whole() {
    let world = world();
    for feature in ["a", "b"] {
        phase(&world, ("design", Some(feature)), "plan", "in_progress");
    }
    let stream = beginning(&world, Object::new().with("head", "ab"));
    let expected = Page::with(&world, Object::new().with("head", "ab")).value(QUESTION);
    assert_eq!(expected.get("total").unwrap().as_u64(), Some(2));
    for cut in 0..=stream.len() {
        let mut page = Page::bare(&world);
        page.take(&stream[..cut]);
        page.take(&stream[cut..]);
        assert_eq!(
            page.value(QUESTION).get("rows"),
            expected.get("rows"),
            "{cut}"
        );
    }
    let mut page = Page::bare(&world);
    stream.chunks(1).for_each(|byte| page.take(byte));
    assert_eq!(page.value(QUESTION).get("rows"), expected.get("rows"));
}

#[test]
fn a_folder_is_known_once_all_that_is_beside_it_is_known_and_no_sooner() {
    let world = world();
    for feature in ["a", "b"] {
        phase(&world, ("design", Some(feature)), "plan", "in_progress");
    }
    let stream = beginning(&world, Object::new());
    let line = br#"{"listed":".claude/state"}"#;
    let end = stream
        .windows(line.len())
        .position(|it| it == line)
        .unwrap()
        + line.len();
    assert!(end + 1 < stream.len(), "more follows");
    for (cut, is_whole) in [(end, false), (end + 1, true), (stream.len(), true)] {
        let mut page = Page::bare(&world);
        page.take(&stream[..cut]);
        let known = page.value(r#"{"query":"tick"}"#);
        assert_eq!(known.get("indexed").unwrap().as_u64(), Some(2));
        assert_eq!(
            known.get("whole").unwrap().as_bool(),
            Some(is_whole),
            "{cut}"
        );
    }
}

#[test]
fn a_malformed_frame_ends_the_reading() {
    let world = world();
    for stream in [
        "no json\n",
        "[]\n",
        "{}\n",
        r#"{"fyle":"a"}"#,
        r#"{"meta":1}"#,
        r#"{"file":"a","bytes":99999999999999999999}"#,
    ] {
        let mut page = Page::bare(&world);
        page.take(stream.as_bytes());
        page.take(b"\n{\"done\":true}\n");
        let answer = page.ask_once(QUESTION);
        let error = answer
            .get("error")
            .unwrap_or_else(|| panic!("{stream}: {answer:?}"));
        assert!(
            error.to_line().contains("Expected the next frame"),
            "{stream}"
        );
    }
}

#[test]
fn a_path_of_many_parts_does_not_use_up_the_stack() {
    let world = world();
    let mut page = Page::open(&world);
    let path = "a/".repeat(1_000_000);
    for name in ["file", "folder", "listed", "gone", "link"] {
        page.take(&frame(Object::new().with(name, path.as_str()), b""));
    }
    assert_eq!(page.value(QUESTION).get("total").unwrap().as_u64(), Some(0));
}

#[test]
fn a_malformed_question_is_refused() {
    let world = world();
    let mut page = Page::open(&world);
    for (question, said) in [
        ("", "Expected the question to be JSON"),
        ("[]", "Expected the question to be an object"),
        ("{}", "There is no question \"\""),
        (r#"{"query":"\u001bx"}"#, "There is no question"),
        (r#"{"query":"operation"}"#, "Expected `request`"),
        (
            r#"{"query":"operation","request":{"operation":"fly"}}"#,
            "There is no operation",
        ),
        (
            r#"{"query":"operation","request":{"operation":"save","command":"design","text":"{}"}}"#,
            "Nothing can be changed here",
        ),
        (
            r#"{"query":"overview","filter":{"after":"soon"}}"#,
            "Expected `after` to be a time",
        ),
    ] {
        let answer = page.ask_once(question);
        let error = answer.get("error").unwrap().as_object().unwrap();
        let message = error.get("message").unwrap().as_str().unwrap();
        assert!(message.contains(said), "{question}: {message}");
        assert_eq!(error.get("code").unwrap().as_str(), Some("usage"));
    }
}

#[test]
fn a_state_folder_that_is_a_link_is_not_shown_as_empty() {
    let world = world();
    let mut page = Page::open(&world);
    page.take(&frame(Object::new().with("link", ".claude/state"), b""));
    let answer = page.ask_once(QUESTION);
    let error = answer.get("error").unwrap().to_line();
    assert!(error.contains("unsafe_path"), "{error}");
}
