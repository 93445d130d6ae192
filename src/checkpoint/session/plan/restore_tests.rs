use super::{Consent, RestoreFacts, RestorePlan, plan};
use crate::checkpoint::session::plan::change::{PathAction, RestoreRefusal, RestoreStep};
use crate::checkpoint::session::plan::fact::{
    Bytes, ContentKind, EntryState, FactSource, FolderMode, Heads, Keeping, NameComparison,
    PathContent, Present, RecordedPath,
};
use crate::checkpoint::session::plan::path::Unsafe;
use crate::checkpoint::session::plan::verify::FileVerdict;

const HEADS: Heads<'static> = Heads {
    recorded: Some("abc1234"),
    present: Some("abc1234"),
};
const MOVED: Heads<'static> = Heads {
    recorded: Some("abc1234"),
    present: Some("def5678"),
};
const NO_PATHS: Consent<'static> = Consent::Paths(&[]);

fn file(bytes: &str) -> PathContent {
    PathContent {
        kind: ContentKind::File,
        is_executable: Some(false),
        permissions: None,
        size: bytes.len() as u64,
        sha256: format!("sha256 of {bytes}"),
    }
}

fn recorded<'a>(path: &'a str, bytes: Option<&str>) -> RecordedPath<'a> {
    RecordedPath {
        path,
        content: bytes.map(file),
        source: FactSource::Snapshot,
        bytes: Bytes::Available,
    }
}

fn in_head<'a>(path: &'a str, bytes: Option<&str>) -> RecordedPath<'a> {
    RecordedPath {
        source: FactSource::Head,
        ..recorded(path, bytes)
    }
}

fn present<'a>(path: &'a str, bytes: &str) -> Present<'a> {
    state(path, EntryState::Content(file(bytes)))
}

fn state<'a>(path: &'a str, state: EntryState<'a>) -> Present<'a> {
    Present {
        path,
        state,
        keeping: Keeping::Keepable,
    }
}

fn not_kept<'a>(path: &'a str, bytes: &str, why: &'a str) -> Present<'a> {
    Present {
        keeping: Keeping::Excluded(why),
        ..present(path, bytes)
    }
}

fn facts<'a>(recorded: &'a [RecordedPath<'a>], present: &'a [Present<'a>]) -> RestoreFacts<'a> {
    RestoreFacts {
        recorded,
        present,
        folders: &[],
        heads: HEADS,
        own: &[".claude/state", ".claude/checkpoints"],
        names: NameComparison::Exact,
    }
}

fn touched<'a>(plan: &RestorePlan<'a>) -> Vec<(&'a str, FileVerdict)> {
    let changes = plan.changes.iter();
    changes.map(|it| (it.path, it.answer)).collect()
}

#[test]
fn only_what_differs_is_touched_and_each_path_says_what_became_of_it_since() {
    let recorded = [
        recorded("same", Some("x")),
        recorded("changed", Some("x")),
        recorded("missing", Some("x")),
        recorded("deleted", None),
        in_head("added", None),
    ];
    let present = [
        present("same", "x"),
        present("changed", "y"),
        present("added", "z"),
        present("unknown", "z"),
    ];
    let plan = plan(&facts(&recorded, &present), NO_PATHS);
    assert_eq!(
        touched(&plan),
        [
            ("added", FileVerdict::Unexpected),
            ("changed", FileVerdict::Changed),
            ("missing", FileVerdict::Missing)
        ]
    );
    assert_eq!((plan.refusals, plan.left), (vec![], vec![]));
}

#[test]
fn files_are_not_restored_onto_another_commit_without_consent() {
    let recorded = [recorded("a", Some("x")), in_head("b", Some("y"))];
    let present = [present("a", "z"), present("b", "z")];
    let moved = RestoreFacts {
        heads: MOVED,
        ..facts(&recorded, &present)
    };
    let refused = plan(&moved, NO_PATHS);
    let refusal = RestoreRefusal::HeadMoved {
        recorded: MOVED.recorded,
        present: MOVED.present,
    };
    assert_eq!(refused.refusals, [refusal]);

    let forced = plan(&moved, Consent::Force);
    assert_eq!(forced.refusals, []);
    assert_eq!(
        touched(&forced),
        [("a", FileVerdict::Changed)],
        "b is not the checkpoint's"
    );
}

#[test]
fn content_that_no_undo_brings_back_is_overwritten_only_with_consent() {
    let recorded = [recorded("a", Some("x")), in_head("b", None)];
    let present = [
        not_kept("a", "y", "too large"),
        not_kept("b", "y", "a secret"),
    ];
    let facts = facts(&recorded, &present);
    let [a, b] = [
        RestoreRefusal::NotKept("a", "too large"),
        RestoreRefusal::NotKept("b", "a secret"),
    ];
    assert_eq!(plan(&facts, NO_PATHS).refusals, [a, b]);
    assert_eq!(plan(&facts, Consent::Paths(&["a"])).refusals, [b]);
    assert_eq!(plan(&facts, Consent::Paths(&["a", "b"])).refusals, []);
    assert_eq!(plan(&facts, Consent::Force).refusals, []);
}

#[test]
fn a_file_that_the_checkpoint_left_out_stays() {
    let mut left_out = recorded(".env", Some("x"));
    left_out.bytes = Bytes::LeftOut("a secret");
    let recorded = [left_out, recorded("a", Some("x"))];
    let present = [present(".env", "y")];
    let plan = plan(&facts(&recorded, &present), NO_PATHS);
    assert_eq!(touched(&plan), [("a", FileVerdict::Missing)]);
    let left: Vec<_> = plan.left.iter().map(|it| (it.path, it.why)).collect();
    assert_eq!(left, [(".env", "a secret")]);
}

#[test]
fn a_damaged_object_stops_the_whole_restore() {
    let mut lost = recorded("b", Some("y"));
    lost.bytes = Bytes::Lost("damaged");
    let recorded = [recorded("a", Some("x")), lost];
    for consent in [NO_PATHS, Consent::Paths(&["b"]), Consent::Force] {
        let plan = plan(&facts(&recorded, &[]), consent);
        assert_eq!(plan.refusals, [RestoreRefusal::Lost("b", "damaged")]);
    }
}

#[test]
fn a_path_outside_of_the_work_tree_is_refused() {
    for (path, why) in [
        ("../x", Unsafe::Dots),
        (".GIT/hooks/pre-commit", Unsafe::Git),
        ("/etc/passwd", Unsafe::Absolute),
        (".claude/state/design-checkpoint.json", Unsafe::Own),
    ] {
        let recorded = [recorded(path, Some("x"))];
        let made = plan(&facts(&recorded, &[]), Consent::Force);
        assert_eq!(made.refusals, [RestoreRefusal::Unsafe(path, why)]);
        assert_eq!(made.steps, []);
    }
    let recorded = [in_head("a\\b", Some("x"))];
    let made = plan(&facts(&recorded, &[]), NO_PATHS);
    assert_eq!(
        (made.refusals, made.left.len()),
        (vec![], 1),
        "HEAD's own is left alone"
    );
}

#[test]
fn no_file_is_written_through_a_link() {
    let link = PathContent {
        kind: ContentKind::Link,
        is_executable: None,
        ..file("/etc")
    };
    let recorded = [recorded("a/b/passwd", Some("x"))];
    let present = [state("a", EntryState::Content(link))];
    let facts = facts(&recorded, &present);
    for consent in [NO_PATHS, Consent::Force] {
        assert_eq!(
            plan(&facts, consent).refusals,
            [RestoreRefusal::InTheWay("a/b/passwd", "a")]
        );
    }
}

#[test]
fn a_folder_with_a_file_that_is_not_kept_does_not_give_way_to_a_file() {
    let recorded = [recorded("a", Some("x")), recorded("a/b", None)];
    let folder = state("a", EntryState::Folder);
    let inside = present("a/b", "y");
    let ignored = not_kept("a/c.log", "z", "ignored");
    let refused = [folder.clone(), inside.clone(), ignored];
    assert_eq!(
        plan(&facts(&recorded, &refused), Consent::Force).refusals,
        [RestoreRefusal::InTheWay("a", "a/c.log")]
    );
    let present = [folder, inside];
    let plan = plan(&facts(&recorded, &present), NO_PATHS);
    assert_eq!(
        plan.steps,
        [
            RestoreStep::Delete("a/b"),
            RestoreStep::RemoveFolder("a"),
            RestoreStep::Write("a", file("x"))
        ]
    );
}

#[test]
fn a_file_gives_way_to_a_folder() {
    let recorded = [recorded("a", None), recorded("a/b/c", Some("x"))];
    let present = [present("a", "y")];
    assert_eq!(
        plan(&facts(&recorded, &present), NO_PATHS).steps,
        [
            RestoreStep::Delete("a"),
            RestoreStep::MakeFolder("a"),
            RestoreStep::MakeFolder("a/b"),
            RestoreStep::Write("a/b/c", file("x"))
        ]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_not_overwritten() {
    let recorded = [recorded("a", Some("x")), in_head("b", None)];
    let present = [
        state("a", EntryState::Unreadable("permission denied")),
        state("b", EntryState::Special),
    ];
    assert_eq!(
        plan(&facts(&recorded, &present), Consent::Force).refusals,
        [
            RestoreRefusal::Unreadable("a", "permission denied"),
            RestoreRefusal::Special("b")
        ]
    );
}

#[test]
fn two_files_whose_names_differ_in_case_do_not_become_one() {
    let two = [recorded("Readme", Some("x")), recorded("readme", Some("y"))];
    let folder = [recorded("DOCS", Some("x")), recorded("docs/a", Some("y"))];
    let renamed = [recorded("Readme", None), recorded("readme", Some("y"))];
    let now = [present("Readme", "y")];
    let of = |recorded: &[RecordedPath<'_>], present: &[Present<'_>], names| {
        let facts = RestoreFacts {
            names,
            ..facts(recorded, present)
        };
        plan(&facts, NO_PATHS).refusals.len()
    };
    for (recorded, present, refusals) in
        [(&two, &[][..], 1), (&folder, &[], 1), (&renamed, &now, 0)]
    {
        assert_eq!(
            of(recorded, present, NameComparison::AnyCase),
            refusals,
            "{recorded:?}"
        );
        assert_eq!(
            of(recorded, present, NameComparison::Exact),
            0,
            "{recorded:?}"
        );
    }
}

#[test]
fn a_mode_that_a_host_does_not_know_is_not_restored() {
    let run = |is_executable| PathContent {
        is_executable,
        ..file("x")
    };
    for (wanted, now, expected) in [
        (Some(true), Some(false), Some(PathAction::SetMode(true))),
        (Some(false), Some(true), Some(PathAction::SetMode(false))),
        (Some(true), None, None),
        (None, Some(true), None),
    ] {
        let recorded = [RecordedPath {
            content: Some(run(wanted)),
            ..recorded("a", None)
        }];
        let present = [state("a", EntryState::Content(run(now)))];
        let plan = plan(&facts(&recorded, &present), NO_PATHS);
        let act = plan.changes.first().map(|it| it.act.clone());
        assert_eq!(act, expected, "{wanted:?} {now:?}");
    }
}

#[test]
fn a_plan_with_another_beginning_or_end_has_another_id() {
    let id = |path, bytes, now, heads, consent| {
        let recorded = [recorded(path, Some(bytes))];
        let present = [not_kept(path, now, "too large")];
        let facts = RestoreFacts {
            heads,
            ..facts(&recorded, &present)
        };
        plan(&facts, consent).id
    };
    let ids = [
        id("a", "x", "y", HEADS, NO_PATHS),
        id("b", "x", "y", HEADS, NO_PATHS),
        id("a", "z", "y", HEADS, NO_PATHS),
        id("a", "x", "z", HEADS, NO_PATHS),
        id("a", "x", "y", MOVED, NO_PATHS),
        id("a", "x", "y", HEADS, Consent::Force),
        id("a\n", "x", "y", HEADS, NO_PATHS),
    ];
    for (at, own) in ids.iter().enumerate() {
        assert!(!ids[..at].contains(own), "{at}");
    }
    assert_eq!(ids[0], id("a", "x", "y", HEADS, NO_PATHS));
}

#[test]
fn a_file_whose_permission_bits_alone_differ_gets_those_that_were_recorded() {
    let mode = |permissions| PathContent {
        permissions,
        ..file("x")
    };
    for (wanted, now, expected) in [
        (
            Some(0o600),
            Some(0o644),
            Some(PathAction::SetPermissions(0o600)),
        ),
        (Some(0o600), Some(0o600), None),
        (Some(0o600), None, None),
        (None, Some(0o600), None),
    ] {
        let recorded = [RecordedPath {
            content: Some(mode(wanted)),
            ..recorded("a", None)
        }];
        let present = [state("a", EntryState::Content(mode(now)))];
        let plan = plan(&facts(&recorded, &present), NO_PATHS);
        let act = plan.changes.first().map(|it| it.act.clone());
        assert_eq!(act, expected, "{wanted:?} {now:?}");
    }
}

#[test]
fn folders_get_their_permission_bits_before_their_content_where_their_owner_may_do_all_and_else_after_it()
 {
    let mode = |path, recorded, present| FolderMode {
        path,
        recorded,
        present,
    };
    let folders = [
        mode(".claude", 0o700, Some(0o755)),
        mode("closed", 0o500, Some(0o700)),
        mode("made", 0o700, None),
        mode("made/in", 0o500, None),
        mode("open", 0o700, Some(0o500)),
        mode("same", 0o755, Some(0o755)),
    ];
    let recorded = [
        recorded("closed/a", Some("x")),
        recorded("made/in/a", Some("x")),
        recorded("open/a", Some("x")),
        recorded("same/a", Some("x")),
    ];
    let present = [
        present("closed/a", "y"),
        present("open/a", "y"),
        present("same/a", "x"),
    ];
    let facts = RestoreFacts {
        folders: &folders,
        ..facts(&recorded, &present)
    };
    let made = plan(&facts, NO_PATHS);
    let touched: Vec<&str> = made.folders.iter().map(|it| it.path).collect();
    assert_eq!(touched, ["closed", "open"]);
    let write = |path| RestoreStep::Write(path, file("x"));
    assert_eq!(
        made.steps,
        [
            RestoreStep::SetFolderPermissions("open", 0o700),
            RestoreStep::MakeFolder("closed"),
            RestoreStep::MakeFolder("made"),
            RestoreStep::MakeFolder("made/in"),
            RestoreStep::MakeFolder("open"),
            write("closed/a"),
            write("made/in/a"),
            write("open/a"),
            RestoreStep::SetFolderPermissions("made/in", 0o500),
            RestoreStep::SetFolderPermissions("made", 0o700),
            RestoreStep::SetFolderPermissions("closed", 0o500),
        ]
    );
    let other = [mode("same", 0o700, Some(0o755))];
    let alone = RestoreFacts {
        folders: &other,
        ..facts
    };
    let alone = plan(&alone, NO_PATHS);
    assert!(!alone.is_nothing() && alone.id != made.id);
}

#[test]
fn a_folder_that_its_owner_may_not_change_is_open_while_names_in_it_come_or_go() {
    let mode = |path, recorded, present| FolderMode {
        path,
        recorded,
        present,
    };
    let folders = [
        mode("above", 0o500, Some(0o500)),
        mode("above/in", 0o755, Some(0o755)),
        mode("other", 0o550, Some(0o500)),
        mode("same", 0o500, Some(0o500)),
        mode("up", 0o500, Some(0o500)),
        mode("up/made", 0o755, None),
    ];
    let recorded = [
        recorded("above/in/a", Some("x")),
        recorded("other/a", Some("x")),
        recorded("same/a", Some("x")),
        recorded("up/made/a", Some("x")),
    ];
    let present = [
        present("above/in/a", "y"),
        present("other/a", "y"),
        present("same/a", "x"),
    ];
    let facts = RestoreFacts {
        folders: &folders,
        ..facts(&recorded, &present)
    };
    let made = plan(&facts, NO_PATHS);
    let write = |path| RestoreStep::Write(path, file("x"));
    assert_eq!(
        made.steps,
        [
            RestoreStep::SetFolderPermissions("other", 0o700),
            RestoreStep::SetFolderPermissions("up", 0o700),
            RestoreStep::MakeFolder("above"),
            RestoreStep::MakeFolder("above/in"),
            RestoreStep::MakeFolder("other"),
            RestoreStep::MakeFolder("up"),
            RestoreStep::MakeFolder("up/made"),
            write("above/in/a"),
            write("other/a"),
            write("up/made/a"),
            RestoreStep::SetFolderPermissions("up/made", 0o755),
            RestoreStep::SetFolderPermissions("up", 0o500),
            RestoreStep::SetFolderPermissions("other", 0o550),
        ]
    );
    let touched: Vec<&str> = made.folders.iter().map(|it| it.path).collect();
    assert_eq!(touched, ["other"]);
}
