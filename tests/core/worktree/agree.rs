//! Generated repositories, in which every file that git names has to be named the same.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use milepost::worktree::WorktreeScan;
use milepost::worktree::report::{
    PathState, PathTracking, ReportedFile, UnscannedReason, WorktreeChange,
};

use super::generated::{GeneratedWorktree, Kind};
use super::{Git, OWN, scan_below};

/// The output of git, as on the host of the tests.
fn printed(generated: &GeneratedWorktree, arguments: &[&str]) -> Vec<u8> {
    let output = crate::git::unconfigured(&generated.top)
        .arg("--no-optional-locks")
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output.stdout
}

fn below_root<'a>(generated: &GeneratedWorktree, path: &'a str) -> Option<&'a str> {
    match generated.kind.below {
        "" => Some(path),
        below => path.strip_prefix(below)?.strip_prefix('/'),
    }
}

/// Paths below the root with what git says of them, and what HEAD has there.
fn git_status(generated: &GeneratedWorktree) -> BTreeMap<String, String> {
    let status = [
        "status",
        "--porcelain=v2",
        "-z",
        "--no-renames",
        "--untracked-files=all",
    ];
    let printed = String::from_utf8(printed(generated, &status)).unwrap();
    let mut said = BTreeMap::new();
    let mut add = |path: &str, what: String| {
        let Some(path) = below_root(generated, path) else {
            return;
        };
        if !OWN.iter().any(|own| path.starts_with(own)) {
            let all: &mut String = said.entry(path.to_owned()).or_default();
            all.push_str(&what);
        }
    };
    for line in printed.split_terminator('\0') {
        let kind = line.split(' ').next().unwrap();
        match kind {
            "1" => {
                let parts: Vec<&str> = line.splitn(9, ' ').collect();
                if parts[3] != "160000" && parts[4] != "160000" && parts[5] != "160000" {
                    let head = format!("{} {}", parts[3], parts[6]);
                    add(parts[8], format!("{} {head};", parts[1]));
                }
            }
            "u" => add(line.splitn(11, ' ').last().unwrap(), "UU;".to_owned()),
            "?" => add(&line[2..], "?;".to_owned()),
            _ => panic!("{line}"),
        }
    }
    said
}

fn letter(change: Option<WorktreeChange>) -> char {
    match change {
        None => '.',
        Some(WorktreeChange::Added) => 'A',
        Some(WorktreeChange::Modified | WorktreeChange::Mode) => 'M',
        Some(WorktreeChange::Deleted) => 'D',
        Some(WorktreeChange::Type) => 'T',
        Some(WorktreeChange::Conflict) => 'U',
    }
}

/// The output for a scan, in the same form.
fn by_scan(scan: &WorktreeScan) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    for file in &scan.files {
        let stands = !matches!(file.state, PathState::Absent | PathState::Folder);
        let mut what = String::new();
        if file.tracking == PathTracking::Conflict {
            what = "UU;".to_owned();
        } else if file.staged.is_some() || file.unstaged.is_some() {
            let (staged, unstaged) = (letter(file.staged), letter(file.unstaged));
            let id_bytes = scan.head.as_ref().map_or(40, String::len);
            let head = match file.head {
                Some(head) => format!("{:06o} {}", head.mode, head.id.digits()),
                None => format!("000000 {}", "0".repeat(id_bytes)),
            };
            what = format!("{staged}{unstaged} {head};");
        }
        if file.tracking == PathTracking::Untracked && stands {
            what.push_str("?;");
        }
        said.insert(file.path.clone(), what);
    }
    for left in &scan.left_out {
        match left.reason {
            UnscannedReason::NestedRepository => {
                drop(said.insert(format!("{}/", left.path), "?;".into()));
            }
            UnscannedReason::Submodule => {}
            _ => panic!("{left:?}"),
        }
    }
    said
}

/// The paths of the index that differ from HEAD in the worktree.
fn changed_by_git(generated: &GeneratedWorktree) -> BTreeSet<String> {
    let diff = [
        "diff",
        "HEAD",
        "--name-only",
        "-z",
        "--no-renames",
        "--no-ext-diff",
    ];
    let printed = String::from_utf8(printed(generated, &diff)).unwrap();
    let paths = printed.split_terminator('\0');
    let below = paths.filter_map(|path| below_root(generated, path));
    below.map(str::to_owned).collect()
}

fn assert_agrees(generated: &GeneratedWorktree, git: Git, steps: &[String]) -> usize {
    let root = generated.root();
    if !root.is_dir() {
        return 0;
    }
    let mut expected = git_status(generated);
    let (scan, _) = scan_below(&root, git);
    let mut said = by_scan(&scan);
    // Of HEAD beside what is only intended, git says what the index has, or nothing.
    let intended = scan
        .files
        .iter()
        .filter(|it| it.tracking == PathTracking::Intended);
    for file in intended.filter(|it| it.staged.is_none()) {
        for all in [&mut said, &mut expected] {
            all.entry(file.path.clone()).and_modify(|it| it.truncate(2));
        }
    }
    let note = || {
        let last = &steps[steps.len().saturating_sub(12)..];
        format!("{:?}\n{last:#?}\n{:?}", generated.kind, scan.left_out)
    };
    assert_eq!(said, expected, "{}", note());
    assert!(scan.files.is_sorted_by(|one, other| one.path < other.path));
    // Git says nothing of HEAD where it is asked how the index differs from the worktree.
    let is_settled = |it: &ReportedFile| !it.is_assumed || it.staged.is_some();
    assert!(scan.files.iter().all(is_settled), "{}", note());
    if !generated.kind.unborn && steps.len().is_multiple_of(4) {
        let changed = changed_by_git(generated);
        for file in scan
            .files
            .iter()
            .filter(|it| it.tracking == PathTracking::Tracked)
        {
            let is_changed = changed.contains(&file.path);
            // Where ends of lines are converted, another size alone is a change to `status`, and none to
            // `diff`.
            let may_be_converted =
                generated.kind.auto_crlf.is_some() || !generated.kind.attributes.is_empty();
            let is_converted = may_be_converted && file.unstaged == Some(WorktreeChange::Modified);
            assert!(
                file.change.is_some() == is_changed || !is_changed && is_converted,
                "{file:?} {}",
                note()
            );
        }
    }
    expected.len()
}

fn kinds() -> Vec<Kind> {
    let plain = Kind::default();
    vec![
        plain,
        Kind {
            sha256: true,
            index_version: 4,
            ..plain
        },
        Kind {
            index_version: 3,
            linked: true,
            ..plain
        },
        Kind {
            index_version: 4,
            auto_crlf: Some("true"),
            ..plain
        },
        Kind {
            auto_crlf: Some("input"),
            below: "a",
            ..plain
        },
        Kind {
            attributes: "* text=auto\n*.txt text eol=crlf\n*.sh eol=lf\n*.bin -text\n",
            ..plain
        },
        Kind {
            attributes: "*.txt text\n*.bin binary\nz* ident\n",
            sha256: true,
            ..plain
        },
        Kind {
            without_modes: true,
            ..plain
        },
        Kind {
            unborn: true,
            ..plain
        },
        Kind {
            below: "a",
            linked: true,
            index_version: 4,
            ..plain
        },
    ]
}

#[test]
fn a_work_tree_differs_exactly_where_git_says() {
    let mut random = Rng::with_seed(61);
    let (mut states, mut paths) = (0, 0);
    let of_a_kind = milepost_property::rounds(30, 110);
    for kind in kinds() {
        let mut generated = GeneratedWorktree::new(kind, &mut random);
        let mut steps = Vec::new();
        // Only git collapses what `ident` has put in.
        let git = match random.bool() || kind.attributes.contains("ident") {
            true => Git::There,
            false => Git::Missing,
        };
        for _ in 0..of_a_kind {
            for _ in 0..random.usize(1..4) {
                let step = generated.step(&mut random);
                steps.push(step);
            }
            paths += assert_agrees(&generated, git, &steps);
            states += 1;
        }
    }
    assert!(
        states >= 9 * of_a_kind && paths > 5 * states,
        "{states} states, {paths} paths"
    );
}
