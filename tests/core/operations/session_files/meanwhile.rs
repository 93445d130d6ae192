//! What others do while a checkpoint is made.

use milepost::effect::Effect;
use milepost::json::Json;

use super::place::{Place, failure, restoring, text, value};
use crate::disk::Disk;

/// More than one piece.
const LENGTH: usize = (1 << 20) + 9;

fn of(letter: char) -> String {
    letter.to_string().repeat(LENGTH)
}

/// Makes a checkpoint of a file that is replaced by another one, of the same size, so often after its first
/// piece was read; the path with the reason of each that is left out.
fn made_while_replaced(place: &Place, times: usize) -> (String, Vec<String>) {
    place.write("large", of('0'));
    let mut disk = Disk::new();
    let mut replaced = 0;
    let reply = place.ask_over("create_session", &[("reason", "error".into())], |effect| {
        let is_first =
            matches!(&effect, Effect::Part { path, offset: 0, .. } if path.ends_with("/large"));
        let outcome = disk.perform(effect);
        if is_first && replaced < times {
            replaced += 1;
            place.write("spare", of(char::from_digit(replaced as u32, 10).unwrap()));
            std::fs::rename(place.at("spare"), place.at("large")).unwrap();
        }
        outcome
    });
    let made = value(&reply);
    let left_out = made.at("/left_out").and_then(|it| it.as_array()).unwrap();
    let left_out = left_out.iter().map(Json::to_line).collect();
    (text(made, "/id"), left_out)
}

#[test]
fn a_file_that_was_replaced_while_it_was_read_is_kept_as_half_of_each() {
    let place = Place::with(&[("large", "head")]);
    // The look at what differs reads it as well.
    let (id, left_out) = made_while_replaced(&place, 2);
    assert_eq!(left_out, Vec::<String>::new());
    place.write("large", "now");
    place.restore(&id, &[]);
    let back = place.text("large");
    let _run = milepost_property::run("a file that was replaced is kept as half of each");
    let letter = back.chars().next().unwrap();
    assert!(
        back == of(letter),
        "it begins with {letter}, and goes on otherwise"
    );
}

#[test]
fn a_file_that_is_written_all_the_time_is_kept_in_a_state_that_it_never_had() {
    let place = Place::with(&[("large", "head")]);
    let (_, left_out) = made_while_replaced(&place, 9);
    let _run = milepost_property::run("a file that is being written is kept");
    assert_eq!(
        left_out,
        [r#"{"path":"large","reason":"is being written"}"#]
    );
}

#[test]
fn a_maker_that_was_taken_for_dead_made_a_checkpoint_without_its_files() {
    let place = Place::with(&[("a", "head")]);
    place.write("a", "now");
    let making = place.at(".claude/checkpoints/objects/making");
    let mut disk = Disk::new();
    let reply = place.ask_over("create_session", &[("reason", "error".into())], |effect| {
        if matches!(&effect, Effect::Part { path, .. } if path.ends_with("/a")) {
            super::place::remove(&making);
        }
        disk.perform(effect)
    });
    let (code, message) = failure(&reply);
    assert_eq!(code, "conflict");
    assert!(message.contains("make it again"), "{message}");
    let (id, _) = place.create();
    place.write("a", "later");
    place.restore(&id, &[]);
    let _run = milepost_property::run("a checkpoint is without its files");
    assert_eq!(place.text("a"), "now");
}

#[test]
fn what_a_restore_had_begun_with_was_removed_by_a_clean_up_so_that_nobody_could_finish_it() {
    let changed = || {
        let place = Place::with(&[("a", "head")]);
        place.write(
            ".claude/config/integrations.json",
            r#"{"sessions": {"keep": 1}}"#,
        );
        place.write("a", "then");
        let (id, _) = place.create();
        let pin = |more: &[(&str, Json)]| {
            let pinned = place.ask(
                "pin_session",
                &[&[("id", id.as_str().into())], more].concat(),
            );
            value(&pinned);
        };
        pin(&[]);
        place.write("a", "later");
        place.create();
        pin(&[("remove", true.into())]);
        (place, id)
    };
    let cleaned_before = |at: usize| {
        let (place, id) = changed();
        let mut disk = Disk::new();
        let mut asked = 0;
        let reply = place.ask_over("restore_session", &restoring(&id), |effect| {
            if asked == at {
                place.ask("clean_up_sessions", &[]);
            }
            asked += 1;
            disk.perform(effect)
        });
        (place, id, reply, asked)
    };
    let (_, _, _, all) = cleaned_before(usize::MAX);
    let (mut refused, mut kept) = (0, 0);
    for at in (0..all).step_by(milepost_property::rounds(5, 2)) {
        let (place, id, reply, _) = cleaned_before(at);
        if reply.get("ok") == Some(&Json::Bool(true)) {
            kept += 1;
            let _run = milepost_property::run(format!("a clean-up at {at} lost a restore"));
            assert_eq!(place.text("a"), "then", "{at}");
            // From its end on it is not needed any more.
            let file = place.at(&format!(".claude/checkpoints/{id}.yaml"));
            assert!(file.exists() || at + 8 > all, "{at} of {all}: it is gone");
        } else {
            refused += 1;
            assert_eq!(place.text("a"), "later", "{at}: {:?}", failure(&reply));
        }
    }
    assert!(refused > 2 && kept > 2, "{refused} refused, {kept} kept");
}
