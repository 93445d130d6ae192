//! The cost of moments that are kept for rewinds, counted in effects: what is unchanged is not read again.

use std::cell::{Cell, RefCell};
use std::fs;

use milepost::effect::{Effect, Outcome};
use milepost::json::Json;

use super::rewind::{at_home, paths, payload, rewind, want};
use super::worktree::{TempWorktree, failure, list, value};

/// The files of the test of a large worktree, of which so many are asked for where it is to be as large as it gets:
/// `MILEPOST_REWIND_FILES=50000`.
const FILES: usize = 600;

/// The clock of a host is ahead of that of the files by so much, so that no file was written just now.
const AHEAD_MS: f64 = 60_000.0;

/// The requests of an event.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cost {
    /// The number of moments that were read.
    moments: usize,
    /// The files of the worktree that were read.
    read: Vec<String>,
    /// The files that were made in the store.
    made: usize,
    /// The number of folders of the worktree that were looked into.
    folders: usize,
}

/// The pace of a host, by its clock.
#[derive(Clone, Copy)]
struct Pace {
    /// The time that each read of a file of the worktree takes.
    ms_per_read: f64,
    /// The time that each look into a folder of the worktree takes.
    ms_per_folder: f64,
    /// The time that each read of a moment takes.
    ms_per_moment: f64,
    /// The clock is ahead of that of the files by so much.
    ahead_ms: f64,
}

const NO_DELAY: Pace = Pace {
    ms_per_read: 0.0,
    ms_per_folder: 0.0,
    ms_per_moment: 0.0,
    ahead_ms: AHEAD_MS,
};

/// An event on a host whose reads take some time each, by its clock.
fn event(worktree: &TempWorktree, name: &str, ms_per_read: f64) -> Cost {
    let pace = Pace {
        ms_per_read,
        ..NO_DELAY
    };
    event_at(worktree, name, pace)
}

/// An event on a host of such a pace.
fn event_at(worktree: &TempWorktree, name: &str, pace: Pace) -> Cost {
    let mut disk = worktree.disk();
    let cost = RefCell::new(Cost::default());
    let spent_ms = Cell::new(0.0);
    let top = format!("{}/", worktree.root.to_str().unwrap());
    let arguments = payload(worktree, "s", name, &[("prompt", "a prompt".into())]);
    let reply = worktree.ask_over("hook", &arguments, |effect| {
        let below = |path: &str| path.strip_prefix(&top).map(str::to_owned);
        match &effect {
            Effect::Part { path, .. } => {
                let path = below(path).filter(|it| !it.starts_with('.'));
                if path.is_some() {
                    spent_ms.set(spent_ms.get() + pace.ms_per_read);
                }
                cost.borrow_mut().read.extend(path);
            }
            Effect::Read { path, .. } if path.ends_with(".yaml") => {
                spent_ms.set(spent_ms.get() + pace.ms_per_moment);
                cost.borrow_mut().moments += 1;
            }
            Effect::Scan { folder, .. } if below(folder).is_some_and(|it| !it.starts_with('.')) => {
                spent_ms.set(spent_ms.get() + pace.ms_per_folder);
                cost.borrow_mut().folders += 1;
            }
            Effect::Create { path, .. } if path.contains("/making/") => {
                cost.borrow_mut().made += 1;
            }
            _ => {}
        }
        match disk.perform(effect) {
            Outcome::Clock { wall_ms, .. } => Outcome::Clock {
                wall_ms: wall_ms + pace.ahead_ms,
                monotonic_ms: spent_ms.get(),
            },
            other => other,
        }
    });
    value(&reply);
    let mut cost = cost.into_inner();
    cost.read.sort();
    cost
}

fn prompt(worktree: &TempWorktree) -> Cost {
    event(worktree, "UserPromptSubmit", 0.0)
}

fn stop(worktree: &TempWorktree) -> Cost {
    event(worktree, "Stop", 0.0)
}

/// The text of the newest moment.
fn newest(worktree: &TempWorktree) -> String {
    let folder = fs::read_dir(worktree.at(".claude/checkpoints/prompts")).unwrap();
    let files = folder.map(|it| it.unwrap().path());
    let mut files: Vec<_> = files.filter(|it| it.extension().is_some()).collect();
    files.retain(|it| it.extension().unwrap() == "yaml");
    files.sort_by_key(|it| it.file_stem().unwrap().to_owned());
    fs::read_to_string(files.last().unwrap()).unwrap()
}

fn listed(worktree: &TempWorktree) -> Vec<bool> {
    let reply = worktree.ask("list_prompts", &[]);
    let listed = value(&reply).as_array().unwrap().to_vec();
    let complete = listed
        .iter()
        .map(|it| it.at("/complete") == Some(&Json::Bool(true)));
    complete.collect()
}

/// A worktree with so many untracked files.
fn with_untracked(count: usize) -> TempWorktree {
    let worktree = at_home(&[("a", "1")]);
    worktree.settle_index();
    for number in 0..count {
        worktree.write(&format!("new/{number:03}"), format!("content {number}"));
    }
    worktree
}

#[test]
fn a_later_moment_reads_what_changed_and_writes_it_as_one_content() {
    let worktree = with_untracked(60);
    let first = prompt(&worktree);
    assert_eq!(first.read.len(), 60);
    let before = worktree.tree();
    for number in 0..10 {
        worktree.write(&format!("new/{number:03}"), format!("changed {number}"));
    }
    let changed = stop(&worktree);
    let expected: Vec<String> = (0..10).map(|it| format!("new/{it:03}")).collect();
    assert_eq!(changed.read, expected);
    // All contents in one file, the document, and what is known of the files.
    assert_eq!((first.made, changed.made), (3, 3));
    let text = newest(&worktree);
    assert_eq!(text.matches("sha256").count(), 10, "{text}");
    // Nothing has changed, and nothing is listed.
    let third = prompt(&worktree);
    assert_eq!((third.read.len(), third.made), (0, 1));
    let text = newest(&worktree);
    assert!(!text.contains("sha256") && text.contains("since"), "{text}");
    stop(&worktree);
    assert_eq!(listed(&worktree), [true, true]);
    let back = rewind(&worktree, &[("to", "2".into())]);
    assert_eq!(paths(&back, "/plan/changes"), expected);
    for path in &expected {
        let (is, was) = (&worktree.tree().nodes[path], &before.nodes[path]);
        assert_eq!(is.bytes, was.bytes);
    }
    let undone = rewind(&worktree, &[("undo", true.into())]);
    assert_eq!(paths(&undone, "/plan/changes"), expected);
    assert_eq!(worktree.text("new/003"), "changed 3");
}

#[test]
fn a_file_that_was_written_in_the_moment_of_a_look_is_read_again() {
    let worktree = with_untracked(3);
    // By the clock of this host, the files are written later.
    let behind = Pace {
        ahead_ms: -AHEAD_MS,
        ..NO_DELAY
    };
    event_at(&worktree, "UserPromptSubmit", behind);
    assert_eq!(stop(&worktree).read.len(), 3);
    assert_eq!(prompt(&worktree).read.len(), 0);
}

#[test]
fn what_is_known_may_be_deleted_or_damaged_and_contents_that_are_missing_are_kept_again() {
    let worktree = with_untracked(5);
    let known = worktree.at(".claude/checkpoints/prompts/known");
    prompt(&worktree);
    fs::remove_file(&known).unwrap();
    assert_eq!(stop(&worktree).read.len(), 5);
    fs::write(&known, "known files 1\tdamaged").unwrap();
    assert_eq!(prompt(&worktree).read.len(), 5);
    worktree.remove(".claude/checkpoints/prompts/objects");
    assert_eq!(stop(&worktree).read.len(), 5);
    worktree.write("new/001", "changed");
    prompt(&worktree);
    worktree.write("new/001", "by the agent");
    stop(&worktree);
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["new/001"]);
    assert_eq!(worktree.text("new/001"), "changed");
}

#[test]
fn what_is_not_read_in_time_is_finished_by_the_third_prompt_at_the_latest() {
    let asked = std::env::var("MILEPOST_REWIND_FILES");
    let count = asked.map_or(FILES, |it| it.parse().unwrap());
    for is_tracked in [true, false] {
        let worktree = at_home(&[("a", "1")]);
        let path = |number: usize| format!("d{:03}/f{number}", number / 100);
        for number in 0..count {
            worktree.write(&path(number), format!("{number}"));
        }
        if is_tracked {
            worktree.commit();
            for number in 0..count {
                // Git's index does not know them any more.
                worktree.touch(&path(number));
            }
        }
        // So that two of five are read in a second.
        let ms_per_read = 2_500.0 / count as f64;
        let first = event(&worktree, "UserPromptSubmit", ms_per_read).read.len();
        assert!(first > 0 && first < count, "{first}");
        assert_eq!(listed(&worktree), [false]);
        let refused = worktree.ask("rewind", &[("to", "1".into())]);
        assert_eq!(failure(&refused).0, "not_found");
        worktree.write(&path(0), "by the agent");
        event(&worktree, "UserPromptSubmit", ms_per_read);
        worktree.write(&path(1), "by the agent");
        event(&worktree, "UserPromptSubmit", ms_per_read);
        assert_eq!(listed(&worktree), [true, false, false]);
        worktree.write(&path(2), "by the agent");
        let last = event(&worktree, "Stop", ms_per_read);
        assert_eq!(last.read, [path(2)]);
        let back = rewind(&worktree, &[("to", "1".into())]);
        assert_eq!(paths(&back, "/plan/changes"), [path(2)]);
        assert_eq!(worktree.text(&path(0)), "by the agent");
    }
}

#[test]
fn excluded_paths_are_neither_kept_nor_taken_back() {
    for is_split in [false, true] {
        let worktree = at_home(&[("a", "1"), ("assets/old", "1")]);
        if is_split {
            // Of such an index git says what differs.
            worktree.git(&["update-index", "--split-index"]);
        }
        want(&worktree, EXCLUDING);
        prompt(&worktree);
        for path in ["a", "assets/old", "assets/new", "b.log"] {
            worktree.write(path, "by the agent");
        }
        assert_eq!(stop(&worktree).read, ["a"], "{is_split}");
        let back = rewind(&worktree, &[("to", "1".into())]);
        assert_eq!(paths(&back, "/plan/changes"), ["a"], "{is_split}");
        for path in ["assets/old", "assets/new", "b.log"] {
            assert_eq!(worktree.text(path), "by the agent");
        }
    }
}

#[test]
fn a_walk_that_takes_more_than_the_time_is_finished_and_files_are_read_after_it() {
    let worktree = at_home(&[("a", "1")]);
    worktree.settle_index();
    for number in 0..20 {
        worktree.write(&format!("d{number:02}/new"), "by a person");
    }
    // The walk takes two seconds.
    let pace = Pace {
        ms_per_read: 50.0,
        ms_per_folder: 100.0,
        ..NO_DELAY
    };
    let read = |name: &str| event_at(&worktree, name, pace).read.len();
    let first = read("UserPromptSubmit");
    assert!((5..20).contains(&first), "{first}");
    assert_eq!(read("Stop"), 20 - first);
    assert_eq!(read("UserPromptSubmit"), 0);
    worktree.write("d07/new", "by the agent");
    assert_eq!(read("Stop"), 1);
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["d07/new"]);
}

#[test]
fn a_walk_that_comes_to_no_end_is_not_begun_again_for_an_hour() {
    let worktree = at_home(&[("a", "1")]);
    worktree.settle_index();
    for number in 0..20 {
        worktree.write(&format!("d{number:02}/new"), "by a person");
    }
    // All folders would take twenty seconds.
    let endless = Pace {
        ms_per_folder: 1_000.0,
        ..NO_DELAY
    };
    let looked_into = |name: &str, pace: Pace| event_at(&worktree, name, pace).folders;
    let first = looked_into("UserPromptSubmit", endless);
    assert!((5..20).contains(&first), "{first}");
    assert_eq!(looked_into("Stop", endless), 0);
    assert_eq!(looked_into("UserPromptSubmit", endless), 0);
    assert_eq!(listed(&worktree), [false, false]);
    let later = Pace {
        ahead_ms: AHEAD_MS + 3_600_000.0,
        ..NO_DELAY
    };
    assert_eq!(looked_into("Stop", later), 20);
    // Other patterns may leave out what takes so long.
    want(&worktree, r#"{"rewind":true,"rewind_exclude":["d*/"]}"#);
    looked_into("UserPromptSubmit", endless);
    assert_eq!(listed(&worktree), [true, false, false]);
}

#[test]
fn a_moment_that_is_incomplete_leaves_the_owners_of_other_files_known() {
    let worktree = with_untracked(20);
    prompt(&worktree);
    worktree.write("a", "by the agent");
    stop(&worktree);
    for number in 0..10 {
        worktree.write(&format!("new/{number:03}"), "by a person");
    }
    // Three of ten are read, and nothing else.
    event(&worktree, "UserPromptSubmit", 300.0);
    for path in ["new/000", "new/015"] {
        worktree.write(path, "by the agent");
    }
    stop(&worktree);
    assert_eq!(listed(&worktree), [false, true]);
    let back = rewind(&worktree, &[("to", "2".into())]);
    // It is unknown whether the others were changed before the prompt or afterwards.
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    assert_eq!(worktree.text("a"), "1");
}

#[test]
fn what_is_excluded_later_stays_and_is_named() {
    for is_split in [false, true] {
        let worktree = at_home(&[("a", "1"), ("assets/old", "1"), ("assets/same", "1")]);
        if is_split {
            worktree.git(&["update-index", "--split-index"]);
        }
        worktree.write("assets/same", "by a person");
        prompt(&worktree);
        for path in ["a", "assets/old", "assets/new", "b.log"] {
            worktree.write(path, "by the agent");
        }
        stop(&worktree);
        want(&worktree, EXCLUDING);
        prompt(&worktree);
        stop(&worktree);
        let back = rewind(
            &worktree,
            &[("to", "2".into()), ("lose", list(&["assets"]))],
        );
        assert_eq!(paths(&back, "/plan/changes"), ["a"], "{is_split}");
        assert_eq!(worktree.text("assets/old"), "by the agent");
        let undone = rewind(&worktree, &[("undo", true.into())]);
        assert_eq!(paths(&undone, "/plan/changes"), ["a"], "{is_split}");
    }
}

/// Settings that exclude some paths.
const EXCLUDING: &str = r#"{"rewind":true,"rewind_exclude":["/assets/","*.log"]}"#;

#[test]
fn folders_of_built_and_installed_files_are_not_kept_in_a_plain_folder() {
    let worktree = at_home(&[("a", "1")]);
    super::worktree::remove(&worktree.at(".git"));
    worktree.write("node_modules/x/index.js", "installed");
    assert_eq!(prompt(&worktree).read, ["a"]);
    worktree.write("a", "by the agent");
    worktree.write("node_modules/y", "installed");
    worktree.write("target/debug/x", "built");
    assert_eq!(stop(&worktree).read, ["a"]);
    let back = rewind(&worktree, &[("to", "1".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    assert_eq!(paths(&back, "/plan/left"), [""; 0]);
    assert_eq!(worktree.text("target/debug/x"), "built");
}

#[test]
fn a_prompt_measures_no_more_moments_than_there_is_time_for_and_the_next_goes_on() {
    let worktree = at_home(&[("a", "1")]);
    let pace = Pace {
        ms_per_moment: 100.0,
        ..NO_DELAY
    };
    for number in 0..40 {
        if number == 30 {
            want(&worktree, r#"{"rewind":true,"rewind_keep":3}"#);
        }
        let cost = event_at(&worktree, "UserPromptSubmit", pace);
        // Five are measured in half a second, and two have the number of the prompt before; each that is removed is
        // read as well.
        let most = if number < 30 { 8 } else { 40 };
        assert!(cost.moments <= most, "{number} {cost:?}");
        worktree.write("a", format!("{number}"));
        event_at(&worktree, "Stop", pace);
    }
    let count = listed(&worktree).len();
    assert!(count < 14, "{count}");
    let back = rewind(&worktree, &[("to", "3".into())]);
    assert_eq!(paths(&back, "/plan/changes"), ["a"]);
    assert_eq!(worktree.text("a"), "36");
}

#[test]
fn what_would_be_removed_is_said_in_bytes() {
    let worktree = at_home(&[("a", "1")]);
    want(&worktree, r#"{"rewind":true,"rewind_max_bytes":1}"#);
    for number in 0..3 {
        prompt(&worktree);
        worktree.write("a", format!("{number}").repeat(1000));
        stop(&worktree);
    }
    let dry = worktree.ask("clean_up_sessions", &[("dry_run", true.into())]);
    let removed = value(&dry).as_array().unwrap().to_vec();
    let bytes = removed.iter().filter_map(|it| it.at("/bytes")?.as_u64());
    assert!(bytes.sum::<u64>() > 1000, "{removed:?}");
}
