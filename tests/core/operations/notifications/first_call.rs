//! From when on a first call sends.

use milepost::json::{Json, Object};

use super::{CURSOR, SETTINGS, configure, done, due, items, later, record, said, send};
use crate::memory::Memory;
use crate::operations::{ask, code, phase, text, value, warnings, world};

#[test]
fn a_first_call_sends_what_was_reached_since_notifications_were_configured() {
    let world = world();
    done(&world, "research");
    later(&world);
    configure(&world);
    later(&world);
    done(&world, "plan");
    let foreseen = due(&world, &[("preview", true.into())]);
    assert_eq!(world.bytes(CURSOR), None);
    let first = due(&world, &[]);
    assert_eq!(value(&first).at("/is_first"), Some(&Json::Bool(true)));
    let since = value(&first).at("/since").and_then(Json::as_str);
    assert!(
        since.is_some_and(|it| it.starts_with("2027-01-15T08:01:")),
        "{since:?}"
    );
    assert_eq!(said(&first), ["phase_completed plan"]);
    assert_eq!(said(&foreseen), said(&first));
    assert_eq!(value(&foreseen).at("/since"), value(&first).at("/since"));
    value(&record(&world, &items(&first)[0], "delivered"));
    phase(&world, "design", r#"{"status":"failed","error":"no"}"#);
    done(&world, "design");
    assert_eq!(
        send(&world),
        ["phase_failed design", "phase_completed design"]
    );
    assert_eq!(send(&world), [""; 0]);

    let again = due(&world, &[("since_beginning", true.into())]);
    assert_eq!(value(&again).at("/is_first"), Some(&Json::Bool(false)));
    assert_eq!(
        said(&again),
        ["phase_completed research"],
        "of each checkpoint one at a time"
    );
}

#[test]
fn settings_that_were_changed_later_than_now_are_those_of_now() {
    let world = world();
    done(&world, "research");
    world.now_ms.set(world.now_ms.get() + 86_400_000.0);
    configure(&world);
    world.now_ms.set(world.now_ms.get() - 86_000_000.0);
    assert_eq!(send(&world), [""; 0]);
    later(&world);
    done(&world, "design");
    assert_eq!(send(&world), ["phase_completed design"]);
}

#[test]
fn a_preview_begins_only_where_a_call_would() {
    let world = Memory::new();
    world.has_edge.set(true);
    configure(&world);
    let foreseen = due(&world, &[("preview", true.into())]);
    assert_eq!(code(&foreseen), code(&due(&world, &[])));
}

#[test]
fn a_run_that_is_older_than_the_first_call_and_came_later_is_not_notified() {
    let world = world();
    done(&world, "research");
    let old = text(&ask(&world, "load", &[]));
    world.put("/repo/.claude/state/design-checkpoint.json", "{");
    later(&world);
    configure(&world);
    let first = due(&world, &[]);
    assert_eq!(warnings(&first), ["corrupt"]);
    // It is put back.
    world.put("/repo/.claude/state/design-checkpoint.json", old);
    assert_eq!(send(&world), [""; 0]);
    world.now_ms.set(world.now_ms.get() + 60_000.0);
    done(&world, "design");
    assert_eq!(send(&world), ["phase_completed design"]);
}

#[test]
fn in_a_linked_worktree_a_first_call_begins_with_the_settings_of_the_main_one() {
    let world = world();
    configure(&world);
    later(&world);
    done(&world, "research");
    later(&world);
    world.disk.borrow_mut().set_clock(world.now_ms.get());
    let own = "/repo/.git/worktrees/side";
    world.put(&format!("{own}/HEAD"), "ref: refs/heads/side\n");
    world.put(&format!("{own}/commondir"), "../..\n");
    world.put(&format!("{own}/gitdir"), "/side/.git\n");
    world.put("/side/.git", format!("gitdir: {own}\n"));
    let settings = world.text(SETTINGS);
    world.put("/side/.claude/config/integrations.json", settings);
    let place = Object::new().with("working", "/side");
    let first = due(&world, &[("place", place.into())]);
    assert_eq!(said(&first), ["phase_completed research"]);
    assert_eq!(warnings(&first), [""; 0]);
    assert!(world.bytes(CURSOR).is_some());
}

#[test]
fn a_first_call_counts_the_milestones_that_it_does_not_send() {
    for (names, expected) in [
        (&["research"][..], "1 milestone before 2027-01-15T08:01:"),
        (
            &["research", "plan"][..],
            "2 milestones before 2027-01-15T08:01:",
        ),
    ] {
        let world = world();
        for name in names {
            done(&world, name);
        }
        later(&world);
        configure(&world);
        later(&world);
        done(&world, "design");
        for more in [&[("preview", Json::from(true))][..], &[]] {
            let first = due(&world, more);
            assert_eq!(warnings(&first), ["held_back"]);
            let warned = first.get("warnings").unwrap().to_line();
            assert!(warned.contains(expected), "{warned}");
        }
        assert_eq!(warnings(&due(&world, &[])), [""; 0]);
        let all = due(&world, &[("since_beginning", true.into())]);
        assert_eq!(warnings(&all), [""; 0]);
    }
}
