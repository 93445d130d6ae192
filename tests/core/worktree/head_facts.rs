//! The content of HEAD, and the facts for verifying and restoring.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use milepost::checkpoint::session::plan::fact::{Bytes, EntryState, FactSource, Keeping, exclude};
use milepost::effect::Effect;
use milepost::root;
use milepost::worktree::report::ScanLimits;
use milepost::worktree::{FactScope, WorktreeFacts, at_head, facts, scan};

use super::{Git, OWN, run};
use crate::git::{Repository, feed, rooted};

const LIMIT: usize = 1 << 20;

fn content_at_head(folder: &Path, git: Git, path: &'static str) -> Result<Vec<u8>, String> {
    let settings = rooted(folder);
    let (content, _) = run(git, |io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        let mut scan = scan(&io, &root, &ScanLimits::default(), &OWN)
            .await
            .unwrap();
        at_head(&io, &mut scan, path, LIMIT).await
    });
    content.map(|(_, bytes)| bytes)
}

type Paths = &'static [&'static str];

fn facts_of(folder: &Path, recorded: Paths) -> WorktreeFacts {
    facts_within(folder, recorded, &[], |_, _| true).0
}

/// The facts beside what was left out, where these files alone are read; and the paths of which parts were read.
fn facts_within(
    folder: &Path,
    recorded: Paths,
    left_out: Paths,
    reads: fn(&str, u64) -> bool,
) -> (WorktreeFacts, Vec<String>) {
    let settings = rooted(folder);
    let (facts, asked) = run(Git::There, |io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        let limits = ScanLimits::default();
        let passed_over = [&OWN[..], left_out].concat();
        let mut scan = scan(&io, &root, &limits, &passed_over).await.unwrap();
        let scope = FactScope {
            recorded,
            left_out,
            own: &OWN,
            reads: &reads,
            limits: &limits,
            head_bytes: LIMIT,
        };
        facts(&io, &mut scan, &scope).await.unwrap()
    });
    let prefix = format!("{}/", folder.display());
    let parts = asked.iter().filter_map(|effect| match effect {
        Effect::Part { path, .. } => path.strip_prefix(&prefix),
        _ => None,
    });
    (facts, parts.map(str::to_owned).collect())
}

#[test]
fn the_content_of_head_is_what_git_checks_out() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    let write = |path: &str, text: &[u8]| fs::write(top.join(path), text).unwrap();
    let long: Vec<u8> = (0..60_000).flat_map(|it: u32| it.to_le_bytes()).collect();
    write(
        ".gitattributes",
        b"*.crlf text eol=crlf\n*.id ident\n*.up filter=upper\n*.lf eol=lf\n",
    );
    for number in 0..4 {
        write(
            "a",
            &[&long[..], format!("end {number}\n").as_bytes()].concat(),
        );
        write("b.crlf", b"one\ntwo\n");
        write("c.id", b"$Id$\n");
        write("d.up", b"text");
        write("e.lf", b"one\ntwo\n");
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
    }
    symlink("a", top.join("l")).unwrap();
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "link"]);
    for packed in [false, true] {
        if packed {
            repository.git(&["repack", "-q", "-adf"]);
        }
        for path in ["a", "b.crlf", "c.id", "d.up", "e.lf", "l"] {
            let object = format!("HEAD:{path}");
            let expected = feed(&top, &["cat-file", "--filters", &object], b"");
            assert_eq!(
                content_at_head(&top, Git::There, path).as_ref(),
                Ok(&expected),
                "{path}"
            );
        }
    }
    for path in ["a", "e.lf", "l"] {
        assert!(content_at_head(&top, Git::Missing, path).is_ok(), "{path}");
    }
    for path in ["b.crlf", "c.id", "d.up"] {
        let why = content_at_head(&top, Git::Missing, path).unwrap_err();
        assert!(why.contains("git stores it changed"), "{why}");
    }
    let why = content_at_head(&top, Git::There, "none").unwrap_err();
    assert_eq!(why, "HEAD has nothing there");
}

#[test]
fn an_object_that_is_gone_is_reported() {
    let repository = Repository::new(&[]);
    repository.add(&["a"]);
    repository.git(&["commit", "-q", "-m", "a"]);
    let id = repository.git(&["rev-parse", "HEAD:a"]);
    let object = repository
        .top()
        .join(".git/objects")
        .join(&id[..2])
        .join(&id[2..]);
    fs::remove_file(&object).unwrap();
    let why = content_at_head(&repository.top(), Git::There, "a").unwrap_err();
    assert!(why.contains("does not have it"), "{why}");
    fs::write(&object, b"nonsense").unwrap();
    let why = content_at_head(&repository.top(), Git::There, "a").unwrap_err();
    assert_eq!(why, "it is damaged");
}

fn shown(facts: &WorktreeFacts) -> Vec<String> {
    let show = |it: &milepost::checkpoint::session::plan::fact::Present<'_>| {
        let state = match &it.state {
            EntryState::Content(content) => {
                format!(
                    "{:?} {} {}",
                    content.kind,
                    content.size,
                    &content.sha256[..4]
                )
            }
            EntryState::Folder => "folder".to_owned(),
            EntryState::Unreadable(_) => "unreadable".to_owned(),
            EntryState::Special => "special".to_owned(),
        };
        let not_kept = match it.keeping {
            Keeping::Keepable => "",
            Keeping::Excluded(_) => ", not kept",
        };
        format!("{}: {state}{not_kept}", it.path)
    };
    facts.present().iter().map(show).collect()
}

#[test]
fn every_fact_of_the_work_tree_is_recorded() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    repository.add(&["a", "b", "d/e/f", "same", "gone"]);
    fs::write(top.join(".gitignore"), "*.log\n").unwrap();
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    // A folder where a file was, with all kinds of things in it.
    fs::remove_file(top.join("a")).unwrap();
    fs::create_dir_all(top.join("a/b/.git")).unwrap();
    fs::write(top.join("a/b/new"), "new").unwrap();
    fs::write(top.join("a/x.log"), "log").unwrap();
    // An ignored file where folders were, and a link.
    fs::remove_dir_all(top.join("d")).unwrap();
    fs::write(top.join("d.log"), "log").unwrap();
    symlink("same", top.join("d")).unwrap();
    fs::write(top.join("b"), "changed").unwrap();
    fs::remove_file(top.join("gone")).unwrap();
    let facts = facts_of(&top, &["a", "b", "d/e/f", "d.log/y", "same", "never"]);
    let expected = [
        "a: folder",
        "a/b: folder",
        "a/b/.git: special",
        "a/b/new: File 3 1150",
        "a/x.log: File 3 836f, not kept",
        "b: File 7 d67e",
        "d: Link 4 0967",
        "d.log: File 3 836f, not kept",
        "same: File 4 982d",
    ];
    assert_eq!(shown(&facts), expected);
    let of_head: Vec<_> = facts
        .recorded()
        .iter()
        .map(|it| (it.path.to_owned(), it.content.as_ref().map(|it| it.size)))
        .collect();
    let expected = [("a/b/new", None), ("d", None), ("gone", Some(4))];
    let expected = expected.map(|(path, size)| (path.to_owned(), size));
    assert_eq!(of_head, expected);
    let is_of_head = facts
        .recorded()
        .iter()
        .all(|it| it.source == FactSource::Head && it.bytes == Bytes::Available);
    assert!(is_of_head);
    let mut present = facts.present();
    exclude(&mut present, "b", "it is too large");
    exclude(&mut present, "b", "it is a secret");
    let b = present.iter().find(|it| it.path == "b").unwrap();
    assert_eq!(b.keeping, Keeping::Excluded("it is too large"));
}

#[test]
fn left_out_and_large_files_are_named_and_not_read() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    repository.add(&["a", "tracked"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    fs::write(top.join("a"), "changed").unwrap();
    for name in ["left", "large", "tracked"] {
        let file = fs::File::create(top.join(name)).unwrap();
        file.set_len(1 << 30).unwrap();
    }
    fs::create_dir(top.join("folder")).unwrap();
    fs::write(top.join("folder/in"), "in").unwrap();
    let (facts, parts) = facts_within(&top, &["a"], &["folder", "left", "none"], |_, size| {
        size < 1 << 20
    });
    let present = facts.present();
    let states: Vec<_> = present
        .iter()
        .map(|it| match &it.state {
            EntryState::Content(content) => (it.path, content.size, content.sha256.is_empty()),
            EntryState::Folder => (it.path, 0, true),
            EntryState::Special => (it.path, 1, true),
            EntryState::Unreadable(_) => (it.path, 2, true),
        })
        .collect();
    let expected = [
        ("a", 7, false),
        ("folder", 0, true),
        ("large", 1 << 30, true),
        ("left", 1, true),
        ("tracked", 1 << 30, true),
    ];
    assert_eq!(states, expected);
    let read: std::collections::BTreeSet<&str> = parts.iter().map(String::as_str).collect();
    let large = ["left", "large", "tracked", "folder/in"];
    assert!(!large.iter().any(|it| read.contains(it)), "{read:?}");
}
