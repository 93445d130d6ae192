//! Tracked files.

use std::fs;
use std::path::Path;

use milepost::effect::Effect;
use milepost::git::index;

use super::{Repository, look_up, rooted, tracked, working};

const FILES: [&str; 5] = [
    ".claude/state/design-checkpoint.json",
    ".claude/state/ship-checkpoint.json",
    "README.md",
    "src/ünïcode.rs",
    "src/lib.rs",
];

fn assert_tracks_files(folder: &Path, note: &str) {
    for path in FILES {
        assert!(tracked(working(folder), path), "{note}: {path}");
    }
    for path in [
        ".claude/state/plan.json",
        ".claude",
        "src",
        "README",
        "src/lib.rs/a",
        "",
    ] {
        assert!(!tracked(working(folder), path), "{note}: {path}");
    }
}

#[test]
fn tracked_files_are_found_in_every_version_and_object_format() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        repository.add(&FILES);
        for version in ["2", "3", "4"] {
            // Version 3 is written only where an entry needs its additional flags.
            repository.git(&["update-index", "--index-version", version]);
            repository.git(&["rm", "-q", "--cached", "--ignore-unmatch", "intended"]);
            if version == "3" {
                fs::write(repository.top().join("intended"), "text").unwrap();
                repository.git(&["add", "-N", "intended"]);
            }
            let bytes = fs::read(repository.top().join(".git/index")).unwrap();
            assert_eq!(bytes[7].to_string(), version, "{options:?}");
            assert_tracks_files(&repository.top(), &format!("version {version} {options:?}"));
        }
        repository.git(&["update-index", "--index-version", "4"]);
        repository.git(&["-c", "index.skipHash=true", "add", "-f", "README.md"]);
        repository.git(&[
            "-c",
            "index.threads=4",
            "update-index",
            "--force-write-index",
        ]);
        assert_tracks_files(&repository.top(), "without a checksum");
        repository.git(&["update-index", "--split-index"]);
        assert_tracks_files(&repository.top(), "split");
        repository.add(&["after-the-split"]);
        assert_tracks_files(&repository.top(), "split, then added to");
        assert!(tracked(working(&repository.top()), "after-the-split"));
    }
}

#[test]
fn a_file_is_tracked_from_a_root_below_the_top() {
    let repository = Repository::new(&[]);
    repository.add(&["packages/a/.claude/state/x.json"]);
    let root = repository.top().join("packages/a");
    assert!(tracked(rooted(&root), ".claude/state/x.json"));
    assert!(!tracked(rooted(&root), ".claude/state/y.json"));
}

#[test]
fn a_sparse_index_tracks_what_is_in_its_folders() {
    let repository = Repository::new(&[]);
    repository.add(&["in/a", "out/deep/b", "top"]);
    repository.git(&["commit", "-q", "-m", "second"]);
    repository.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    let settings = || working(&repository.top());
    for (path, expected) in [
        ("in/a", true),
        ("top", true),
        ("out/deep/b", true),
        ("out", false),
        ("other/b", false),
    ] {
        assert_eq!(tracked(settings(), path), expected, "{path}");
    }
    let bytes = fs::read(repository.top().join(".git/index")).unwrap();
    assert!(bytes.windows(4).any(|name| name == b"sdir"));
}

#[test]
fn a_real_index_cut_or_flipped_anywhere_never_panics() {
    let repository = Repository::new(&[]);
    repository.add(&FILES);
    for version in ["2", "4"] {
        repository.git(&["update-index", "--index-version", version]);
        let whole = fs::read(repository.top().join(".git/index")).unwrap();
        for length in 0..whole.len() {
            let _ = index::look_up(&whole[..length], &FILES);
            for path in FILES {
                // Entries that are cut off are unknown, and never untracked.
                let start = index::look_up_start(&whole[..length], path);
                assert_ne!(start, index::IndexStart::Passed, "{path} in {length} bytes");
            }
        }
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let _ = index::look_up(&flipped, &FILES);
            let _ = index::look_up_start(&flipped, FILES[0]);
        }
    }
}

#[test]
fn an_index_that_cannot_be_read_does_not_count_as_tracking_nothing() {
    let repository = Repository::new(&[]);
    repository.add(&["a"]);
    fs::write(repository.top().join(".git/index"), "no index").unwrap();
    let (tracked, _) = look_up(working(&repository.top()), "b");
    let expected =
        "index of the repository at .git cannot be read: it is no index of a known version";
    assert_eq!(tracked, Err(expected.to_owned()));
}

/// So many files that their index is larger than the part of it that is read first.
fn add_many(repository: &Repository, folder: &str) {
    let names: Vec<String> = (0..1_500)
        .map(|it| format!("{folder}/file-{it:06}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    repository.add(&names);
}

fn reads_all(asked: &[Effect]) -> bool {
    let mut asked = asked.iter();
    asked.any(|it| matches!(it, Effect::Read { path, .. } if path.ends_with("index")))
}

#[test]
fn one_file_is_looked_up_without_reading_the_whole_index() {
    const FILE: &str = ".claude/state/design-checkpoint.json";
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        add_many(&repository, "src");
        for version in ["2", "4"] {
            repository.git(&["update-index", "--index-version", version]);
            let settings = || working(&repository.top());
            let (tracked, asked) = look_up(settings(), FILE);
            assert_eq!(
                (tracked, reads_all(&asked)),
                (Ok(false), false),
                "{asked:?}"
            );
            repository.add(&[FILE]);
            let (tracked, asked) = look_up(settings(), FILE);
            assert_eq!((tracked, reads_all(&asked)), (Ok(true), false), "{asked:?}");
            // Shouted, it is the same file where letter case does not count.
            let shouted = ".CLAUDE/State/Design-checkpoint.json";
            assert_eq!(look_up(settings(), shouted).0, Ok(true));
            repository.git(&["rm", "-q", "--cached", FILE]);
        }
    }
}

#[test]
fn a_tracked_file_is_found_behind_all_that_sorts_before_it_and_in_a_shared_index() {
    const FILE: &str = ".claude/state/design-checkpoint.json";
    let repository = Repository::new(&[]);
    add_many(&repository, ".a");
    repository.add(&[FILE]);
    let settings = || working(&repository.top());
    assert_eq!(look_up(settings(), FILE).0, Ok(true));
    repository.git(&["rm", "-q", "--cached", FILE]);
    assert_eq!(look_up(settings(), FILE).0, Ok(false));

    repository.add(&[FILE]);
    repository.git(&["update-index", "--split-index"]);
    repository.git(&["config", "splitIndex.maxPercentChange", "100"]);
    add_many(&repository, "later");
    let own = fs::metadata(repository.top().join(".git/index")).unwrap();
    assert!(own.len() > 64 << 10);
    assert_eq!(look_up(settings(), FILE).0, Ok(true));
    assert_eq!(
        look_up(settings(), ".claude/state/ship-checkpoint.json").0,
        Ok(false)
    );
}
