//! A checkpoint that was removed is absent, and comes back.

use milepost::error::Code;
use milepost::json::Json;

use super::{FILE, ask, code, phase, value, warnings, world};

#[test]
fn a_removed_run_is_absent_for_every_operation_and_recover_brings_it_back() {
    let world = world();
    phase(&world, "a", r#"{"status":"in_progress"}"#);
    let before = world.text(FILE);
    assert!(value(&ask(&world, "remove", &[])).as_object().is_some());
    for operation in ["load", "latest"] {
        let reply = ask(&world, operation, &[]);
        assert_eq!((value(&reply), warnings(&reply)), (&Json::Null, vec![]));
    }
    let reply = ask(&world, "resume_point", &[]);
    assert_eq!(warnings(&reply), Vec::<&str>::new());
    assert_eq!(value(&ask(&world, "list", &[])).to_line(), "[]");
    for operation in ["remove", "complete", "gate", "undo"] {
        let reply = ask(&world, operation, &[]);
        assert_eq!(code(&reply), Code::NotFound.as_str(), "{operation}");
        let said = Json::from(reply).to_line();
        assert!(said.contains(r#""advice":{"kind":"recover""#), "{said}");
    }
    ask(&world, "recover", &[]);
    let phases = |text: &str| text[text.find("\"state\"").unwrap()..].to_owned();
    let end = |text: String| text[..text.find("\"re").unwrap()].to_owned();
    assert_eq!(end(phases(&world.text(FILE))), end(phases(&before)));
}

#[test]
fn the_next_save_after_a_removal_begins_a_new_run_without_a_warning() {
    let world = world();
    phase(&world, "a", "{}");
    ask(&world, "remove", &[]);
    let reply = phase(&world, "b", "{}");
    assert!(warnings(&reply).is_empty());
    let file = world.text(FILE);
    assert!(
        !file.contains("\"a\"") && !file.contains("removed_at"),
        "{file}"
    );
    assert!(value(&ask(&world, "log", &[])).as_array().unwrap().len() >= 2);
}

#[test]
fn a_checkpoint_whose_file_is_gone_can_be_removed_so_that_nothing_warns_of_it_any_more() {
    let world = world();
    phase(&world, "a", "{}");
    world.delete(FILE);
    assert_eq!(code(&ask(&world, "latest", &[])), Code::NotFound.as_str());
    assert!(value(&ask(&world, "remove", &[])).as_object().is_some());
    assert_eq!(value(&ask(&world, "latest", &[])), &Json::Null);
    ask(&world, "recover", &[]);
    assert!(world.text(FILE).contains("\"a\": {"));
}

#[test]
fn nothing_is_made_for_the_removal_of_what_never_was_and_a_corrupt_file_stays() {
    let world = world();
    assert_eq!(code(&ask(&world, "remove", &[])), Code::NotFound.as_str());
    assert!(world.files_below("/repo/.claude").is_empty());
    phase(&world, "a", "{}");
    world.put(FILE, "{ torn");
    assert_eq!(code(&ask(&world, "remove", &[])), Code::Corrupt.as_str());
    assert_eq!(world.text(FILE), "{ torn");
}
