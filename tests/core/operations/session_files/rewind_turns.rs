//! The author of a change: the turn that it was made in, or a person.

use super::rewind::{
    FILES, at_home, changes, end, kill, left, of, prompt, stop, stop_again, to, write,
};
use super::worktree::list;

#[test]
fn a_turn_without_an_end_and_turns_that_overlap_are_not_taken_back() {
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "stopped by the user");
    worktree.write("a", "by the agent");
    let rewound = to(&worktree, "1", &[("dry_run", true.into())]);
    assert_eq!(
        (changes(&rewound), left(&rewound)),
        (vec![], vec!["a".to_owned()])
    );
    // All of a folder is taken back where that is asked for.
    let everything = [("lose", list(&["."])), ("dry_run", true.into())];
    assert_eq!(changes(&to(&worktree, "1", &everything)), ["a"]);
    prompt(&worktree, "s", "of s");
    prompt(&worktree, "t", "of t");
    worktree.write("b", "by one of them");
    stop(&worktree, "s");
    worktree.write("c", "by t");
    stop(&worktree, "t");
    let of_t = to(&worktree, "of t", &[("dry_run", true.into())]);
    assert_eq!(changes(&of_t), ["c"]);
    assert_eq!(left(&of_t), ["b"]);
    let of_s = to(&worktree, "of s", &[("dry_run", true.into())]);
    assert_eq!(changes(&of_s), [""; 0]);
    assert_eq!(left(&of_s), ["b", "c"]);
    let of_all = [("dry_run", true.into()), ("all", true.into())];
    assert_eq!(changes(&to(&worktree, "of s", &of_all)), ["c"]);
}

#[test]
fn a_turn_that_goes_on_after_its_end_is_taken_back_with_all_that_follows() {
    for is_continued in [false, true] {
        let worktree = at_home(FILES);
        let before = of(&worktree);
        prompt(&worktree, "s", "first");
        write(&worktree, "s", "a", "by the agent");
        stop(&worktree, "s");
        write(&worktree, "s", "a", "by the agent, after its end");
        worktree.write("new", "by a shell command");
        match is_continued {
            true => stop_again(&worktree, "s"),
            false => stop(&worktree, "s"),
        }
        assert_eq!(changes(&to(&worktree, "first", &[])), ["a", "new"]);
        assert_eq!(of(&worktree), before, "{is_continued}");
    }
}

#[test]
fn a_turn_that_went_on_by_shell_commands_alone_is_taken_back_where_a_hook_refused_its_end() {
    for is_continued in [false, true] {
        let worktree = at_home(FILES);
        prompt(&worktree, "s", "first");
        stop(&worktree, "s");
        worktree.write("a", "by a shell command");
        match is_continued {
            true => stop_again(&worktree, "s"),
            false => stop(&worktree, "s"),
        }
        let rewound = to(&worktree, "first", &[("dry_run", true.into())]);
        let expected = ["a".to_owned()];
        let of_agent = if is_continued { &expected[..] } else { &[] };
        assert_eq!(changes(&rewound), of_agent);
    }
}

#[test]
fn what_a_person_changed_before_a_turn_goes_on_stays() {
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "first");
    stop(&worktree, "s");
    worktree.write("b", "by a person");
    write(
        &worktree,
        "s",
        "a",
        "by the agent, which a task of its own woke",
    );
    worktree.write("c", "by the agent");
    stop(&worktree, "s");
    let rewound = to(&worktree, "first", &[]);
    assert_eq!(changes(&rewound), ["a", "c"]);
    assert_eq!(left(&rewound), ["b"]);
    // No turn goes on after the end of the session.
    let worktree = at_home(FILES);
    prompt(&worktree, "s", "first");
    stop(&worktree, "s");
    prompt(&worktree, "s", "second");
    end(&worktree, "s");
    worktree.write("a", "by a person");
    stop_again(&worktree, "s");
    let rewound = to(&worktree, "second", &[("dry_run", true.into())]);
    assert_eq!(left(&rewound), ["a"]);
}

#[test]
fn a_turn_that_was_given_up_leaves_the_turns_of_other_sessions_clear() {
    for is_killed in [false, true] {
        let worktree = at_home(FILES);
        prompt(&worktree, "s", "given up");
        worktree.write("a", "by the agent, or by a person afterwards");
        match is_killed {
            true => kill(&worktree, "s"),
            false => end(&worktree, "s"),
        }
        prompt(&worktree, "t", "of t");
        worktree.write("b", "by the agent");
        stop(&worktree, "t");
        worktree.write("c", "by a person");
        let dry = [("dry_run", true.into())];
        let of_t = to(&worktree, "of t", &dry);
        assert_eq!(changes(&of_t), ["b"], "{is_killed}");
        assert_eq!(left(&of_t), ["c"], "{is_killed}");
        let of_s = to(&worktree, "given up", &dry);
        assert_eq!(changes(&of_s), [""; 0], "{is_killed}");
        assert_eq!(left(&of_s), ["a", "b", "c"], "{is_killed}");
    }
}

#[test]
fn a_file_that_a_person_set_back_to_the_commit_is_not_taken_for_one_that_is_absent() {
    for is_split in [false, true] {
        let worktree = at_home(FILES);
        if is_split {
            // Of such an index git says what differs.
            worktree.git(&["update-index", "--split-index"]);
        }
        worktree.remove("a");
        prompt(&worktree, "s", "first");
        stop(&worktree, "s");
        worktree.write("a", "1");
        prompt(&worktree, "s", "second");
        worktree.write("a", "by the agent");
        stop(&worktree, "s");
        let rewound = to(&worktree, "first", &[("dry_run", true.into())]);
        assert_eq!(changes(&rewound), [""; 0], "{is_split}");
        assert_eq!(left(&rewound), ["a"], "{is_split}");
    }
}
