//! The items that an update adds to lists, and its effect where a part of the document is absent or
//! of another kind, or where the run was completed.

use super::*;

#[test]
fn a_needed_member_of_another_kind_is_refused_by_its_place() {
    let patch = object(r#"{"status": "complete"}"#);
    for (member, value, place) in [
        ("state", "[]", "/state"),
        (
            "state",
            r#"{"completed_phases": "a"}"#,
            "/state/completed_phases",
        ),
        (
            "state",
            r#"{"pending_phases": null}"#,
            "/state/pending_phases",
        ),
        ("phases", "5", "/phases"),
        ("phases", r#"{"a": "done"}"#, "/phases/a"),
    ] {
        let mut document = checkpoint().into_object();
        document.set(member, json::read(value.as_bytes()).unwrap().value);
        let mut draft = Draft::from(document);
        let update = Update::new("a", &patch, None).unwrap();
        let refused = update.apply(&mut draft, NOW).map_err(Error::into_kind);
        let Err(ErrorKind::InvalidDocument(problems)) = refused else {
            panic!("{member}: {value}");
        };
        assert_eq!(problems[0].at.as_str(), place);
    }
}

#[test]
fn a_needed_member_that_is_absent_is_made() {
    for (member, value) in [("state", "{}"), ("phases", "{}")] {
        let mut document = checkpoint().into_object();
        document.set(member, object(value));
        let mut absent = checkpoint().into_object();
        absent.remove(member);
        for document in [document, absent] {
            let mut draft = Draft::from(document);
            let patch = object(r#"{"status": "complete"}"#);
            let update = Update::new("a", &patch, None).unwrap();
            update.apply(&mut draft, NOW).unwrap();
            let json = Json::Object(draft.as_object().clone());
            let listed = json.at("/state/completed_phases").map(Json::to_line);
            assert_eq!(listed.as_deref(), Some(r#"["a"]"#), "{member}");
            assert_eq!(
                json.at("/phases/a/status").unwrap().as_str(),
                Some("complete")
            );
        }
    }
}

#[test]
fn items_that_another_writer_added_to_a_list_stay() {
    let add = |draft: &mut Draft, patch: &str, items: &str| {
        let (patch, items) = (object(patch), object(items));
        let update = Update::new("a", &patch, None).unwrap();
        update
            .adding(Some(&items))
            .unwrap()
            .apply(draft, NOW)
            .unwrap();
    };
    let mut draft = Draft::from(checkpoint());
    add(&mut draft, "{}", r#"{"files_created": ["x", "x", "y"]}"#);
    add(
        &mut draft,
        r#"{"status": "complete"}"#,
        r#"{"files_created": ["z", "y"], "files_modified": ["m"]}"#,
    );
    add(&mut draft, "{}", r#"{"files_created": null}"#);
    let checkpoint = draft.check(&[]).unwrap();
    let list = |name: &str| at(&checkpoint, &["phases", "a", name]);
    assert_eq!(list("files_created"), r#"["x","y","z"]"#);
    assert_eq!(list("files_modified"), r#"["m"]"#);

    // A value that a patch gives is there before anything is added to it.
    let mut draft = Draft::from(checkpoint);
    let patch = r#"{"files_created": ["new"]}"#;
    add(&mut draft, patch, r#"{"files_created": ["more"]}"#);
    let replaced = draft.check(&[]).unwrap();
    let list = at(&replaced, &["phases", "a", "files_created"]);
    assert_eq!(list, r#"["new","more"]"#);
}

#[test]
fn an_addition_to_no_list_is_refused_by_its_place() {
    let mut document = checkpoint().into_object();
    document.set(
        "phases",
        object(r#"{"a": {"status": "pending", "files_created": 1}}"#),
    );
    let mut draft = Draft::from(document);
    let (patch, items) = (Object::new(), object(r#"{"files_created": ["x"]}"#));
    let update = Update::new("a", &patch, None).unwrap();
    let applied = update.adding(Some(&items)).unwrap().apply(&mut draft, NOW);
    let refused = applied.unwrap_err().to_string();
    assert!(refused.contains("/phases/a/files_created"), "{refused}");
}

#[test]
fn an_update_of_a_completed_checkpoint_drops_no_phase_that_is_still_to_be_done() {
    let mut document = checkpoint().into_object();
    document.set(
        "state",
        object(r#"{"current_phase":"b","completed_phases":["a"],"pending_phases":["listed"]}"#),
    );
    let mut done = Draft::from(document).check(&[]).unwrap();
    for (phase, status) in [
        ("a", "complete"),
        ("b", "in_progress"),
        ("c", "pending"),
        ("d", "failed"),
    ] {
        done = updated(&done, phase, &format!(r#"{{"status": "{status}"}}"#));
    }
    assert!(completed(&mut done, NOW));
    assert_eq!(state(&done), ["null", r#"["a"]"#, "[]"]);
    let after = updated(&done, "e", r#"{"status": "complete"}"#);
    assert_eq!(
        state(&after),
        [r#""b""#, r#"["a","e"]"#, r#"["c","listed"]"#]
    );
    let status = at(&after, &["phases", "listed", "status"]);
    assert_eq!(status, r#""pending""#);
}
