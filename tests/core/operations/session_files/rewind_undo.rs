//! A rewind that is taken back, or finished after it died.

use std::fs;

use milepost::json::Json;

use super::rewind::{
    FILES, at_home, changes, contents, left, of, prompt, stop, to, turn, undo, write,
};
use super::worktree::{TempWorktree, text, value};

#[test]
fn a_rewind_is_undone_and_done_again_as_often_as_one_likes() {
    let worktree = at_home(FILES);
    turn(&worktree, "first");
    worktree.write("c", "by a person");
    let after = worktree.tree();
    to(&worktree, "1", &[]);
    let back = worktree.tree();
    for _ in 0..2 {
        let rewound = undo(&worktree);
        assert_eq!(changes(&rewound), ["a", "b", "new/file"]);
        assert_eq!(of(&worktree), contents(&after));
        undo(&worktree);
        assert_eq!(of(&worktree), contents(&back));
    }
    // A change after the rewind is not lost by its undo.
    worktree.write("a", "later");
    let rewound = undo(&worktree);
    assert_eq!(changes(&rewound), ["b", "new/file"]);
    assert_eq!(left(&rewound), ["a"]);
    assert_eq!(worktree.text("a"), "later");
}

/// The runs of the worktree, as they are stored.
fn runs(worktree: &TempWorktree) -> String {
    let folder = fs::read_dir(worktree.at(".claude/state")).unwrap();
    let files = folder.map(|it| it.unwrap().path());
    let files = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
    files.map(|it| fs::read_to_string(it).unwrap()).collect()
}

#[test]
fn an_undo_sets_the_run_back_only_where_it_is_as_the_rewind_left_it() {
    for has_gone_on in [false, true] {
        let worktree = at_home(FILES);
        prompt(&worktree, "s", "first");
        write(&worktree, "s", "first", "by the agent");
        stop(&worktree, "s");
        prompt(&worktree, "s", "second");
        write(&worktree, "s", "second", "by the agent");
        stop(&worktree, "s");
        let has = |path: &str| runs(&worktree).contains(&format!("\"{path}\""));
        assert!(has("second"));
        to(&worktree, "second", &[]);
        assert!(has("first") && !has("second"));
        if has_gone_on {
            prompt(&worktree, "s", "third");
            write(&worktree, "s", "third", "by the agent");
            stop(&worktree, "s");
        }
        let undone = worktree.ask("rewind", &[("undo", true.into())]);
        assert_eq!(changes(value(&undone)), ["second"]);
        assert_eq!((has("second"), has("third")), (!has_gone_on, has_gone_on));
        let warnings = undone.get("warnings").and_then(Json::as_array);
        let codes = warnings.unwrap_or_default().iter();
        let codes: Vec<String> = codes.map(|it| text(it, "/code")).collect();
        let expected = ["held_back".to_owned()];
        assert_eq!(codes, if has_gone_on { &expected[..] } else { &[] });
    }
}

#[test]
fn a_rewind_that_dies_at_any_effect_is_finished_by_the_next() {
    for at in (0..).step_by(17) {
        let worktree = at_home(FILES);
        turn(&worktree, "first");
        worktree.write("c", "by a person");
        let (_, asked) = worktree.ask_until(at, "rewind", &[("to", "1".into())]);
        let reply = worktree.ask("rewind", &[("to", "1".into())]);
        assert_eq!(
            value(&reply).at("/restored"),
            Some(&Json::Bool(true)),
            "{at}"
        );
        assert_eq!(worktree.text("a"), "1", "{at}");
        assert_eq!(worktree.text("b"), "1", "{at}");
        assert!(!worktree.at("new").exists(), "{at}");
        assert_eq!(worktree.text("c"), "by a person", "{at}");
        if asked <= at {
            break;
        }
    }
}

#[test]
fn a_rewind_is_undone_where_git_says_what_differs() {
    let worktree = at_home(FILES);
    worktree.git(&["update-index", "--split-index"]);
    turn(&worktree, "first");
    worktree.write("c", "by a person");
    let after = of(&worktree);
    let rewound = to(&worktree, "1", &[]);
    assert_eq!(changes(&rewound), ["a", "b", "new/file"]);
    assert_eq!(left(&rewound), ["c"]);
    let rewound = undo(&worktree);
    assert_eq!(changes(&rewound), ["a", "b", "new/file"]);
    assert_eq!(of(&worktree), after);
}
