//! The index read whole, beside what git prints of it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use milepost::git::entries::GitIndex;
use milepost::git::id::Hash;

use super::{Repository, feed, git};

/// The line that git prints of one entry: its mode, id, stage and path, then what it knows of the file.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    head: String,
    path: Vec<u8>,
    times: [String; 2],
    size: u32,
    flags: [bool; 3],
}

/// All entries as git lists them.
fn by_git(folder: &Path) -> Vec<Line> {
    let arguments = ["ls-files", "--sparse", "--stage", "--debug", "-z"];
    let mut rest = &feed(folder, &arguments, b"")[..];
    let mut lines = Vec::new();
    while !rest.is_empty() {
        let (head, after) = split(rest, b'\t');
        let (path, after) = split(after, 0);
        let mut debug = Vec::new();
        rest = after;
        for _ in 0..5 {
            let (line, after) = split(rest, b'\n');
            debug.push(String::from_utf8_lossy(line).into_owned());
            rest = after;
        }
        let value = |line: usize, name: &str| {
            let text = debug[line].split(name).nth(1).unwrap();
            text.split('\t').next().unwrap().trim().to_owned()
        };
        let flags = u32::from_str_radix(&value(4, "flags:"), 16).unwrap();
        lines.push(Line {
            head: String::from_utf8_lossy(head).into_owned(),
            path: path.to_vec(),
            times: [value(0, "ctime:"), value(1, "mtime:")],
            size: value(4, "size:").parse().unwrap(),
            flags: [1 << 15, 1 << 30, 1 << 29].map(|bit| flags & bit != 0),
        });
    }
    lines
}

fn split(bytes: &[u8], at: u8) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == at).unwrap();
    (&bytes[..end], &bytes[end + 1..])
}

/// All entries as the rules list them.
fn by_rules(bytes: &[u8], hash: Option<Hash>) -> Vec<Line> {
    let index = GitIndex::open(bytes, hash).unwrap();
    let mut entries = index.entries();
    let mut lines = Vec::new();
    while let Some(entry) = entries.read_next() {
        let times = [entry.changed, entry.modified];
        lines.push(Line {
            head: format!("{:06o} {} {}", entry.mode, entry.id.digits(), entry.stage),
            path: entry.path.to_vec(),
            times: times.map(|it| format!("{}:{}", it.seconds, it.nanoseconds)),
            size: entry.size,
            flags: [
                entry.assume_unchanged,
                entry.skip_worktree,
                entry.intent_to_add,
            ],
        });
    }
    assert_eq!(lines.len(), index.count() as usize);
    lines
}

fn index_of(repository: &Repository) -> Vec<u8> {
    fs::read(repository.top().join(".git/index")).unwrap()
}

/// Paths that share beginnings, of any length and with any bytes.
fn any_path(random: &mut Rng) -> Vec<u8> {
    const PARTS: [&[u8]; 10] = [
        b"a",
        b"b",
        b"lib.rs",
        b"a b",
        b"\xff\xfe",
        "ü".as_bytes(),
        b"x\ty\n",
        b"-",
        b"A",
        b".c",
    ];
    let mut path = Vec::new();
    for _ in 0..random.usize(1..7) {
        path.extend_from_slice(PARTS[random.usize(..PARTS.len())]);
        path.extend(random.u16(..).to_string().bytes());
        path.push(b'/');
    }
    if random.u8(..) == 0 {
        path.extend(b"long/".repeat(random.usize(700..1200)));
    }
    path.push(b'f');
    path
}

/// Stages entries of every mode and stage, and flags some.
fn stage_any(repository: &Repository, random: &mut Rng, count: usize) {
    let digits = if repository.hash() == Hash::Sha1 {
        40
    } else {
        64
    };
    let mut info = Vec::new();
    let mut whole = Vec::new();
    for _ in 0..count {
        let path = any_path(random);
        let mode = ["100644", "100755", "120000", "160000"][random.usize(..4)];
        let stages = if random.u8(..8) == 0 { 1..=3 } else { 0..=0 };
        whole.extend((*stages.start() == 0).then(|| path.clone()));
        for stage in stages {
            let id: String = (0..digits).map(|_| random.digit(16)).collect();
            write!(WriteTo(&mut info), "{mode} {id} {stage}\t").unwrap();
            info.extend_from_slice(&path);
            info.push(0);
        }
    }
    feed(
        &repository.top(),
        &["update-index", "-z", "--index-info"],
        &info,
    );
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let mut some = Vec::new();
        for path in whole.iter().filter(|_| random.u8(..4) == 0) {
            some.extend_from_slice(path);
            some.push(0);
        }
        feed(
            &repository.top(),
            &["update-index", "-z", flag, "--stdin"],
            &some,
        );
    }
}

struct WriteTo<'a>(&'a mut Vec<u8>);

impl std::fmt::Write for WriteTo<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[test]
fn an_entry_of_the_index_is_read_as_git_reads_it() {
    let mut random = Rng::with_seed(11);
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::unborn(options);
        repository.add(&["real/a", "real/b", "real-c"]);
        fs::write(repository.top().join("intended"), "text").unwrap();
        repository.git(&["add", "-N", "intended"]);
        stage_any(&repository, &mut random, 1_500);
        for version in ["2", "3", "4"] {
            repository.git(&["update-index", "--index-version", version]);
            let bytes = index_of(&repository);
            let expected = by_git(&repository.top());
            assert!(expected.len() > 1_500);
            assert!(
                expected
                    .iter()
                    .any(|it| it.size == 4 && it.times[0] != "0:0")
            );
            for flag in 0..3 {
                assert!(expected.iter().any(|it| it.flags[flag]), "flag {flag}");
            }
            for hash in [None, Some(repository.hash())] {
                assert_eq!(by_rules(&bytes, hash), expected, "{options:?} {version}");
            }
            assert_eq!(
                GitIndex::open(&bytes, None).unwrap().hash(),
                repository.hash()
            );
        }
    }
}

#[test]
fn a_sparse_index_is_recognised() {
    let repository = Repository::new(&[]);
    repository.add(&["in/a", "out/deep/b", "out/c", "top"]);
    repository.git(&["commit", "-q", "-m", "second"]);
    assert!(
        !GitIndex::open(&index_of(&repository), None)
            .unwrap()
            .is_sparse
    );
    repository.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    let bytes = index_of(&repository);
    let index = GitIndex::open(&bytes, None).unwrap();
    assert!(index.is_sparse);
    assert_eq!(by_rules(&bytes, None), by_git(&repository.top()));
    let mut entries = index.entries();
    let mut folders = Vec::new();
    while let Some(entry) = entries.read_next() {
        if entry.mode == 0o040_000 {
            folders.push(String::from_utf8_lossy(entry.path).into_owned());
        }
    }
    assert_eq!(folders, ["out/"]);
}

#[test]
fn a_split_index_is_recognised() {
    let repository = Repository::new(&[]);
    repository.add(&["a", "b", "c"]);
    repository.git(&["config", "splitIndex.maxPercentChange", "100"]);
    repository.git(&["update-index", "--split-index"]);
    fs::write(repository.top().join("b"), "other").unwrap();
    repository.add(&["later"]);
    repository.git(&["add", "b"]);
    let bytes = index_of(&repository);
    let index = GitIndex::open(&bytes, None).unwrap();
    let shared = index.shared.clone().unwrap();
    let mut entries = index.entries();
    let mut paths = Vec::new();
    while let Some(entry) = entries.read_next() {
        paths.push(String::from_utf8_lossy(entry.path).into_owned());
    }
    assert_eq!(paths.pop().as_deref(), Some("later"));
    // Each stands for one of the shared index.
    assert!(!paths.is_empty() && paths.iter().all(String::is_empty));
    let bytes = fs::read(repository.top().join(".git").join(shared)).unwrap();
    let index = GitIndex::open(&bytes, None).unwrap();
    assert_eq!((index.shared.clone(), index.count()), (None, 3));
}

#[test]
fn a_folder_whose_tree_git_knows_is_read_as_git_wrote_it() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        repository.add(&["a/b/c", "a/b/d", "a/e", "f/g/h/i", "top", "z/y"]);
        repository.git(&["commit", "-q", "-m", "second"]);
        let trees = || {
            let bytes = index_of(&repository);
            let index = GitIndex::open(&bytes, None).unwrap();
            let trees = index.trees().unwrap();
            let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
            let trees = trees.into_iter().map(|it| (text(&it.path), it.tree));
            trees.collect::<Vec<_>>()
        };
        let counts = [
            ("", 6),
            ("a/", 3),
            ("a/b/", 2),
            ("f/", 1),
            ("f/g/", 1),
            ("f/g/h/", 1),
        ];
        let known = trees();
        assert_eq!(known.len(), 7, "{known:?}");
        for (path, count) in counts {
            let (_, tree) = known.iter().find(|it| it.0 == path).unwrap();
            let (counted, id) = tree.unwrap();
            assert_eq!(counted, count, "{path}");
            let name = format!("HEAD:{path}");
            assert_eq!(id.digits(), repository.git(&["rev-parse", &name]));
        }
        fs::write(repository.top().join("a/b/c"), "other").unwrap();
        repository.git(&["add", "a/b/c"]);
        let unknown = trees().into_iter().filter(|it| it.1.is_none());
        let unknown: Vec<String> = unknown.map(|it| it.0).collect();
        assert_eq!(unknown, ["", "a/", "a/b/"]);
    }
}

#[test]
fn an_index_read_whole_and_cut_or_flipped_anywhere_never_panics() {
    let mut random = Rng::with_seed(12);
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        repository.add(&["a/b", "c"]);
        repository.git(&["commit", "-q", "-m", "second"]);
        stage_any(&repository, &mut random, 12);
        for version in ["2", "4"] {
            repository.git(&["update-index", "--index-version", version]);
            let whole = index_of(&repository);
            let read = |bytes: &[u8]| {
                for hash in [None, Some(Hash::Sha1), Some(Hash::Sha256)] {
                    let Ok(index) = GitIndex::open(bytes, hash) else {
                        continue;
                    };
                    let mut entries = index.entries();
                    let mut count = 0;
                    while entries.read_next().is_some() {
                        count += 1;
                    }
                    assert_eq!(count, index.count(), "what was found whole is whole");
                    let _ = index.trees();
                }
            };
            for length in 0..whole.len() {
                read(&whole[..length]);
            }
            for bit in 0..whole.len() * 8 {
                let mut flipped = whole.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                read(&flipped);
            }
        }
    }
}

#[test]
fn an_index_without_entries_or_checksum_is_unreadable() {
    let repository = Repository::new(&[]);
    repository.add(&["a"]);
    let config = ["-c", "index.skipHash=true"];
    git(
        &repository.top(),
        &[&config[..], &["rm", "-q", "--cached", "a"]].concat(),
    );
    let bytes = index_of(&repository);
    assert!(bytes.ends_with(&[0; 20]));
    assert_eq!(GitIndex::open(&bytes, None).unwrap().count(), 0);
}
