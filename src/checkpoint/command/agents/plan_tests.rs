use super::super::phases::{Status, Update};
use super::sample::{NOW, changed, created, field, item, listed, phases_of, shared, tasked};
use super::*;
use crate::json::Object;

#[test]
fn a_change_of_a_task_goes_to_the_task_of_that_id() {
    let mut draft = shared();
    for (id, text) in [
        ("1", "Write the parser"),
        ("2", "Add tests"),
        ("3", "Add tests"),
    ] {
        assert!(tasked(&mut draft, "s", created(id, text)));
    }
    for (id, status) in [
        ("1", Status::Complete),
        ("2", Status::Skipped),
        ("3", Status::InProgress),
        ("7", Status::Complete),
    ] {
        let is_known = id != "7";
        assert_eq!(
            tasked(&mut draft, "s", changed(id, status)),
            is_known,
            "{id}"
        );
        assert!(!tasked(&mut draft, "s", changed(id, status)), "{id}");
    }
    let expected = [
        "Write the parser complete",
        "Add tests skipped",
        "Add tests (2) in_progress",
    ];
    assert_eq!(phases_of(&draft), expected);
    // The ids of another session are others', unless the text is the same.
    assert!(!tasked(&mut draft, "t", changed("3", Status::Complete)));
    let named = Planned {
        text: Some("Add tests".to_owned()),
        ..changed("3", Status::Complete)
    };
    assert!(tasked(&mut draft, "t", named));
    assert_eq!(phases_of(&draft)[2], "Add tests (2) complete");
}

#[test]
fn a_created_task_is_never_an_older_one_of_its_id() {
    let mut draft = shared();
    tasked(&mut draft, "s", created("1", "Write the parser"));
    tasked(&mut draft, "s", created("1", "Add tests"));
    let expected = ["Write the parser pending", "Add tests pending"];
    assert_eq!(phases_of(&draft), expected);
    tasked(&mut draft, "s", changed("1", Status::Complete));
    let expected = ["Write the parser pending", "Add tests complete"];
    assert_eq!(phases_of(&draft), expected, "the newest task of that id");
}

#[test]
fn a_task_that_is_created_in_a_later_session_is_the_unfinished_phase_of_its_text() {
    let mut draft = shared();
    for (id, text) in [("1", "Add tests"), ("2", "Add tests"), ("3", "Ship it")] {
        tasked(&mut draft, "s", created(id, text));
    }
    tasked(&mut draft, "s", changed("2", Status::InProgress));
    tasked(&mut draft, "s", changed("3", Status::Complete));
    for (id, text) in [
        ("1", "Add tests"),
        ("2", "Add tests"),
        ("3", "Add tests"),
        ("4", "Ship it"),
    ] {
        assert!(tasked(&mut draft, "t", created(id, text)), "{id}");
    }
    let expected = [
        "Add tests pending",
        "Add tests (2) in_progress",
        "Ship it complete",
        "Add tests (3) pending",
        "Ship it (2) pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    tasked(&mut draft, "t", changed("2", Status::Complete));
    assert_eq!(phases_of(&draft)[1], "Add tests (2) complete");
}

#[test]
fn an_event_that_is_delivered_twice_creates_one_task() {
    let of_call = |call: &str| Planned {
        call: Some(call.to_owned()),
        ..created("1", "Add tests")
    };
    let mut draft = shared();
    assert!(tasked(&mut draft, "s", of_call("toolu_1")));
    assert!(!tasked(&mut draft, "s", of_call("toolu_1")));
    tasked(&mut draft, "s", changed("1", Status::Complete));
    assert!(
        !tasked(&mut draft, "s", of_call("toolu_1")),
        "delivered late"
    );
    assert!(
        tasked(&mut draft, "s", of_call("toolu_2")),
        "another task of that id and text"
    );
    assert_eq!(
        phases_of(&draft),
        ["Add tests complete", "Add tests (2) pending"]
    );
    // Without a number of the call, while the task is unfinished.
    assert!(tasked(&mut draft, "s", created("5", "Ship it")));
    assert!(!tasked(&mut draft, "s", created("5", "Ship it")));
}

#[test]
fn a_change_of_an_unknown_task_completes_nothing() {
    let mut draft = shared();
    let unknown = Planned {
        text: Some("Ship it".to_owned()),
        ..changed("9", Status::Complete)
    };
    assert!(tasked(&mut draft, "s", unknown));
    assert_eq!(phases_of(&draft), ["Ship it pending"]);
}

#[test]
fn a_list_is_compared_with_the_one_before() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    let own = Object::new().with("status", "in_progress");
    let update = Update::new("by hand", &own, None).unwrap();
    update.apply(&mut draft, NOW).unwrap();
    listed(
        &mut draft,
        "s",
        &[("a", Complete), ("b", InProgress), ("c", Pending)],
    );
    // An insertion, and a removal.
    listed(
        &mut draft,
        "s",
        &[("a", Complete), ("x", InProgress), ("b", Pending)],
    );
    let expected = [
        "by hand in_progress",
        "c skipped",
        "a complete",
        "x in_progress",
        "b pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    // A list without what is complete.
    listed(&mut draft, "s", &[("b", InProgress), ("d", Pending)]);
    let expected = [
        "by hand in_progress",
        "c skipped",
        "a complete",
        "x skipped",
        "b in_progress",
        "d pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    // A phase that was complete before is not begun again by another item of that text.
    listed(&mut draft, "s", &[("b", InProgress), ("a", Pending)]);
    assert_eq!(phases_of(&draft)[2], "a complete");
    assert!(phases_of(&draft).contains(&"a (2) pending".to_owned()));
    assert!(!listed(&mut draft, "other", &[]));
    assert!(listed(&mut draft, "s", &[]));
}

#[test]
fn items_of_one_text_are_phases_of_their_own() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[("Run", Pending), ("Fix", InProgress), ("Run", Complete)],
    );
    let expected = ["Run pending", "Fix in_progress", "Run (2) complete"];
    assert_eq!(phases_of(&draft), expected);
    // The first one is taken out: the other one is what follows the fix.
    listed(&mut draft, "s", &[("Fix", Complete), ("Run", Complete)]);
    assert_eq!(
        phases_of(&draft),
        ["Run skipped", "Fix complete", "Run (2) complete"]
    );
    let long = "word ".repeat(40);
    let texts = [format!("{long}one"), format!("{long}two")];
    let items: Vec<(&str, Status)> = texts.iter().map(|text| (text.as_str(), Pending)).collect();
    let mut draft = shared();
    listed(&mut draft, "s", &items);
    assert_eq!(phases_of(&draft).len(), 2, "texts that begin alike");
}

#[test]
fn an_item_in_new_words_stays_its_phase() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[("Write the parser", InProgress), ("Ship", Pending)],
    );
    wrote(&mut draft, "s", &[("a".to_owned(), true)], NOW).unwrap();
    listed(
        &mut draft,
        "s",
        &[("Write the new parser", InProgress), ("Ship", Pending)],
    );
    assert_eq!(
        phases_of(&draft),
        ["Write the new parser in_progress", "Ship pending"]
    );
    assert_eq!(
        field(&draft, "Write the new parser", "files_created"),
        "[\"a\"]"
    );
    let state = draft.as_object().get("state").unwrap().to_line();
    assert!(
        state.contains("\"current_phase\":\"Write the new parser\""),
        "{state}"
    );
    // Other words are another item, and what is complete keeps its name.
    listed(
        &mut draft,
        "s",
        &[("Delete everything", InProgress), ("Ship", Pending)],
    );
    let expected = [
        "Write the new parser skipped",
        "Delete everything in_progress",
        "Ship pending",
    ];
    assert_eq!(phases_of(&draft), expected);
    listed(
        &mut draft,
        "s",
        &[("Delete everything", Complete), ("Ship", Pending)],
    );
    listed(
        &mut draft,
        "s",
        &[("Delete everything again", Pending), ("Ship", Pending)],
    );
    assert!(phases_of(&draft).contains(&"Delete everything complete".to_owned()));
}

#[test]
fn a_plan_that_is_rebuilt_in_another_session_is_not_doubled() {
    use Status::{Complete, InProgress, Pending};
    let mut draft = shared();
    listed(
        &mut draft,
        "s",
        &[
            ("a", Complete),
            ("b", InProgress),
            ("c", Pending),
            ("c", Pending),
        ],
    );
    listed(
        &mut draft,
        "t",
        &[
            ("a", Complete),
            ("b", InProgress),
            ("c", Pending),
            ("c", Pending),
        ],
    );
    let expected = ["a complete", "b in_progress", "c pending", "c (2) pending"];
    assert_eq!(phases_of(&draft), expected);
    // A part of the plan alone: the rest stays.
    listed(&mut draft, "u", &[("c", InProgress)]);
    let expected = [
        "a complete",
        "b in_progress",
        "c (2) pending",
        "c in_progress",
    ];
    assert_eq!(phases_of(&draft), expected);
}

#[test]
fn phases_and_pending_ones_are_in_the_order_of_the_list() {
    use Status::Pending;
    let mut draft = shared();
    listed(&mut draft, "s", &[("a", Pending), ("c", Pending)]);
    assert!(listed(
        &mut draft,
        "s",
        &[("b", Pending), ("c", Pending), ("a", Pending)]
    ));
    assert_eq!(phases_of(&draft), ["b pending", "c pending", "a pending"]);
    let state = draft.as_object().get("state").unwrap().to_line();
    assert!(
        state.contains(r#""pending_phases":["b","c","a"]"#),
        "{state}"
    );
}

#[test]
fn a_list_of_ten_thousand_items_is_kept_whole() {
    let mut draft = shared();
    let texts: Vec<String> = (0..10_000)
        .map(|number| format!("step {}", number % 7_000))
        .collect();
    let items: Vec<Planned> = texts
        .iter()
        .map(|text| item(text, Status::Pending))
        .collect();
    plan(&mut draft, "s", &items, true, NOW).unwrap();
    assert_eq!(phases_of(&draft).len(), 10_000);
    let moved: Vec<Planned> = items[1..].to_vec();
    plan(&mut draft, "s", &moved, true, NOW).unwrap();
    let skipped = phases_of(&draft)
        .into_iter()
        .filter(|it| it.ends_with("skipped"));
    assert_eq!(skipped.collect::<Vec<_>>(), ["step 0 skipped"]);
}
