//! Single cases of a scan.

use std::fs;
use std::path::Path;

use milepost::effect::{Effect, Machine};
use milepost::error::Code;
use milepost::root;
use milepost::worktree::report::{
    Note, PathState, PathTracking, ScanLimits, UnscannedReason, WorktreeChange,
};
use milepost::worktree::{WorktreeScan, scan, scan_without_git};

use super::{Git, OWN, run, scan_below, scan_over};
use crate::disk::Disk;
use crate::git::{Repository, git, rooted};

fn write(folder: &Path, path: &str, text: impl AsRef<[u8]>) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn paths(scan: &WorktreeScan) -> Vec<&str> {
    scan.files.iter().map(|it| it.path.as_str()).collect()
}

fn failing(folder: &Path, git: Git, limits: ScanLimits) -> milepost::error::Error {
    let settings = rooted(folder);
    let failed = run(git, |io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        scan(&io, &root, &limits, &OWN).await.map(|_| ())
    });
    failed.0.unwrap_err()
}

#[test]
fn a_clean_repository_is_read_without_its_files_and_without_git() {
    let repository = Repository::new(&[]);
    let names: Vec<String> = (0..60).map(|at| format!("d{}/f{at}", at % 5)).collect();
    repository.add(&names.iter().map(String::as_str).collect::<Vec<_>>());
    write(&repository.top(), ".gitignore", "out/\n");
    write(&repository.top(), "out/x", "x");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    // Written so long ago that the times tell.
    let index = repository.top().join(".git/index");
    let later = fs::metadata(&index).unwrap().modified().unwrap();
    let later = later + std::time::Duration::from_secs(10);
    let file = fs::File::options().write(true).open(&index).unwrap();
    file.set_modified(later).unwrap();
    let (scan, asked) = scan_below(&repository.top(), Git::There);
    assert_eq!(scan.files, []);
    let of = |name: &str| asked.iter().filter(|it| it.name() == name).count();
    // The top, five folders, and the git folder.
    assert_eq!((of("scan"), of("part"), of("git")), (7, 0, 0), "{asked:?}");
    assert!(asked.len() < 25, "{asked:?}");
}

#[test]
fn git_is_asked_about_an_index_that_only_git_reads() {
    for command in [
        &["update-index", "--split-index"][..],
        &["sparse-checkout", "set", "--cone", "--sparse-index", "kept"],
    ] {
        let repository = Repository::new(&[]);
        repository.add(&["kept/a", "kept/b", "kept/d", "kept/e.log", "other/c"]);
        write(&repository.top(), ".gitignore", "*.log\n/kept/i\\[*\n");
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "all"]);
        repository.git(command);
        write(&repository.top(), "kept/a", "changed");
        repository.git(&["rm", "-q", "--cached", "kept/d", "kept/e.log"]);
        fs::remove_file(repository.top().join("kept/b")).unwrap();
        write(&repository.top(), "kept/new", "new");
        write(&repository.top(), "kept/x.log", "");
        write(&repository.top(), "kept/i[*]", "");
        write(&repository.top(), ".claude/state/x", "");
        let (scan, _) = scan_below(&repository.top(), Git::There);
        let expected = ["kept/a", "kept/b", "kept/d", "kept/e.log", "kept/new"];
        assert_eq!(paths(&scan), expected);
        assert_eq!(scan.notes, [Note::GitStatus]);
        let changes: Vec<_> = scan.files.iter().map(|it| it.change.unwrap()).collect();
        let modified = WorktreeChange::Modified;
        let expected = [
            modified,
            WorktreeChange::Deleted,
            modified,
            modified,
            WorktreeChange::Added,
        ];
        assert_eq!(changes, expected);
        assert_eq!(scan.files[2].tracking, PathTracking::Untracked);
        assert_eq!(scan.files[3].tracking, PathTracking::Ignored);
        let size = |size| PathState::File {
            size,
            is_executable: Some(false),
        };
        let states: Vec<_> = scan.files.iter().map(|it| it.state).collect();
        let expected = [size(7), PathState::Absent, size(4), size(4), size(3)];
        assert_eq!(states, expected);
        let ignored = |path| scan.is_ignored(path, milepost::git::ignore::IgnorePathKind::File);
        assert!(ignored("kept/x.log") && ignored("kept/i[*]") && !ignored("kept/iab"));
        let failed = failing(&repository.top(), Git::Missing, ScanLimits::default());
        assert_eq!(failed.code(), Code::Io);
        assert!(failed.to_string().contains("split or sparse"), "{failed}");
    }
}

#[test]
fn a_file_is_found_under_its_name_where_case_does_not_count() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    repository.add(&["Dir/One", "Dir/Two", "Three"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    repository.git(&["config", "core.ignoreCase", "true"]);
    // As a file system has it that keeps the case of the last writer.
    for (from, to) in [("Dir/One", "Dir/oNE"), ("Dir", "dIR"), ("Three", "three")] {
        fs::rename(top.join(from), top.join(to)).unwrap();
    }
    write(&top, "dIR/Two", "changed");
    let settings = rooted(&top);
    let mut disk = Disk::new();
    let scan = Machine::start(|io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        scan(&io, &root, &ScanLimits::default(), &OWN)
            .await
            .unwrap()
    });
    let as_written = |path: &str| {
        let path = path.replace("/Dir", "/dIR").replace("/One", "/oNE");
        path.replace("/Three", "/three")
    };
    let scan = scan.run(|effect| match effect {
        Effect::Scan { folder, limit } => disk.perform(Effect::Scan {
            folder: as_written(&folder),
            limit,
        }),
        Effect::Part {
            path,
            offset,
            length,
            links,
        } => disk.perform(Effect::Part {
            path: as_written(&path),
            offset,
            length,
            links,
        }),
        effect => disk.perform(effect),
    });
    assert_eq!(paths(&scan), ["Dir/Two"]);
    assert_eq!(scan.files[0].change, Some(WorktreeChange::Modified));
    assert!(!scan.files[0].is_assumed);
}

#[test]
fn a_repository_that_borrows_its_objects_is_read() {
    let repository = Repository::new(&[]);
    repository.add(&["a/b", "a/c", "d"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    let at = |name: &str| repository.at(name).to_str().unwrap().to_owned();
    for packed in [false, true] {
        if packed {
            repository.git(&["repack", "-q", "-adf"]);
        }
        let name = format!("borrows-{packed}");
        repository.git(&["clone", "-q", "--shared", &at("main"), &at(&name)]);
        let top = repository.at(&name);
        write(&top, "a/b", "staged");
        git(&top, &["add", "a/b"]);
        let (scan, _) = scan_below(&top, Git::Missing);
        assert_eq!(paths(&scan), ["a/b"]);
        assert_eq!(scan.files[0].staged, Some(WorktreeChange::Modified));
    }
}

#[test]
fn a_tree_that_the_repository_does_not_have_is_an_error() {
    let repository = Repository::new(&[]);
    repository.add(&["a/b", "a/c", "d"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    let tree = repository.git(&["rev-parse", "HEAD:a"]);
    write(&repository.top(), "a/b", "staged");
    repository.git(&["add", "a/b"]);
    let objects = repository.top().join(".git/objects");
    fs::remove_file(objects.join(&tree[..2]).join(&tree[2..])).unwrap();
    let failed = failing(&repository.top(), Git::Missing, ScanLimits::default());
    assert!(
        failed.to_string().contains("trees of HEAD are missing"),
        "{failed}"
    );
}

#[test]
fn git_is_asked_about_a_file_behind_a_filter() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    // The repository's own is what the real git works with here; the user's is what counts.
    let user = repository.at("user");
    for (key, value) in [("clean", "tr a-z A-Z"), ("smudge", "tr A-Z a-z")] {
        let name = format!("filter.upper.{key}");
        repository.git(&["config", &name, value]);
        repository.git(&["config", "--file", user.to_str().unwrap(), &name, value]);
    }
    write(
        &top,
        ".gitattributes",
        "*.up filter=upper\n*.no filter=none\n",
    );
    write(&top, "a.up", "text");
    write(&top, "b.up", "text");
    write(&top, "c.no", "text");
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    write(&top, "a.up", "TEXT");
    write(&top, "b.up", "texx");
    write(&top, "c.no", "text");
    let (scan, asked) = scan_over(Disk::of_user(&user), &top, Git::There);
    assert_eq!(paths(&scan), ["b.up"]);
    assert!(!scan.files[0].is_assumed);
    assert!(asked.iter().any(|it| matches!(it, Effect::Git { .. })));
    let (scan, _) = scan_below(&top, Git::Missing);
    let said = scan
        .files
        .iter()
        .map(|it| (it.path.as_str(), it.is_assumed));
    assert_eq!(
        said.collect::<Vec<_>>(),
        [("a.up", true), ("b.up", true), ("c.no", true)]
    );
}

#[test]
fn a_filter_of_the_repository_alone_is_not_run_and_its_files_count_as_changed() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    let ran = repository.at("ran");
    let command = format!("touch {}; cat", ran.display());
    write(
        &top,
        ".gitattributes",
        "*.own filter=own\n*.eq filter=a=b\n",
    );
    for path in ["a.own", "b.own", "c.eq", "kept"] {
        write(&top, path, "text");
    }
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    let included = repository.at("included");
    let section = format!("[filter \"a=b\"]\n\tprocess = \"{command}\"\n");
    fs::write(&included, section).unwrap();
    repository.git(&["config", "include.path", included.to_str().unwrap()]);
    repository.git(&["config", "filter.own.clean", &command]);
    repository.git(&["config", "filter.own.required", "true"]);
    for path in ["a.own", "b.own", "c.eq", "kept"] {
        write(&top, path, "text");
    }
    let (scan, _) = scan_below(&top, Git::There);
    assert!(!ran.exists());
    let said = scan.files.iter();
    let said: Vec<_> = said.map(|it| (it.path.as_str(), it.is_assumed)).collect();
    assert_eq!(said, [("a.own", true), ("b.own", true), ("c.eq", true)]);
    let refused = |filter: &str, files| Note::FilterRefused {
        filter: filter.to_owned(),
        files,
    };
    assert_eq!(scan.notes, [refused("a=b", 1), refused("own", 2)]);
    // The user may allow it.
    let user = repository.at("user");
    fs::write(&user, "[milepost \"sessions\"]\n\tfilters = true\n").unwrap();
    repository.git(&["config", "--unset", "include.path"]);
    let (scan, _) = scan_over(Disk::of_user(&user), &top, Git::There);
    assert!(ran.exists());
    assert_eq!((paths(&scan), scan.notes.len()), (Vec::new(), 0));
}

#[test]
fn undecidable_files_run_no_filter_of_the_repository() {
    for name in ["own", "a=b"] {
        let repository = Repository::new(&[]);
        let top = repository.top();
        let ran = repository.at("ran");
        write(&top, ".gitattributes", format!("*.own filter={name}\n"));
        write(&top, "a.own", "text");
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "all"]);
        repository.git(&["update-index", "--split-index"]);
        let command = format!("touch {}; cat", ran.display());
        for key in ["clean", "process"] {
            repository.git(&["config", &format!("filter.{name}.{key}"), &command]);
        }
        write(&top, "a.own", "else");
        match name {
            "own" => assert_eq!(paths(&scan_below(&top, Git::There).0), ["a.own"]),
            // No option takes such a name away.
            _ => {
                let failed = failing(&top, Git::There, ScanLimits::default());
                assert!(failed.to_string().contains("cannot turn off"), "{failed}");
            }
        }
        assert!(!ran.exists(), "{name}");
    }
}

#[test]
fn globally_ignored_files_are_left_out_or_named_as_unseen() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    write(&top, "mine.txt", "");
    write(&top, "kept.txt", "");
    write(&top, ".gitignore", "!kept.txt\n");
    let excludes = repository.at("excludes");
    fs::write(&excludes, "*.txt\n").unwrap();
    let included = repository.at("included");
    let text = format!("[core]\nexcludesFile = {}\n", excludes.display());
    fs::write(&included, text).unwrap();
    repository.git(&["config", "include.path", included.to_str().unwrap()]);
    let (scan, _) = scan_below(&top, Git::There);
    assert_eq!(
        (paths(&scan), scan.notes.len()),
        (vec![".gitignore", "kept.txt"], 0)
    );
    let (scan, _) = scan_below(&top, Git::Missing);
    assert_eq!(paths(&scan), [".gitignore", "kept.txt", "mine.txt"]);
    assert_eq!(scan.notes, [Note::GlobalExcludesUnseen]);
}

#[test]
fn a_folder_without_a_repository_has_only_untracked_files() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".gitignore", "*.log\n");
    write(folder.path(), "a/b", "text");
    write(folder.path(), "a/x.log", "text");
    write(folder.path(), ".claude/state/x", "");
    write(folder.path(), "nested/.git/HEAD", "");
    fs::create_dir_all(folder.path().join("nested/.git/objects")).unwrap();
    fs::create_dir_all(folder.path().join("nested/.git/refs")).unwrap();
    let (scan, _) = scan_below(folder.path(), Git::There);
    assert_eq!(paths(&scan), [".gitignore", "a/b"]);
    assert!(
        scan.files
            .iter()
            .all(|it| it.tracking == PathTracking::Untracked)
    );
    assert_eq!(scan.notes, [Note::NoRepository]);
    assert_eq!(scan.left_out[0].reason, UnscannedReason::NestedRepository);
    assert_eq!(scan.head, None);
    let limits = ScanLimits {
        files: 1,
        ..ScanLimits::default()
    };
    let failed = failing(folder.path(), Git::There, limits);
    assert_eq!(failed.code(), Code::TooLarge);
    let limits = ScanLimits {
        folders: 1,
        ..ScanLimits::default()
    };
    let failed = failing(folder.path(), Git::There, limits);
    assert_eq!(failed.code(), Code::TooLarge);
    let limits = ScanLimits {
        names: 2,
        ..ScanLimits::default()
    };
    let failed = failing(folder.path(), Git::There, limits);
    assert_eq!(failed.code(), Code::TooLarge);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_unicode_or_a_pipe_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let repository = Repository::new(&[]);
    let top = repository.top();
    let odd = top.join(OsStr::from_bytes(b"d/\xff"));
    fs::create_dir(top.join("d")).unwrap();
    fs::write(&odd, "text").unwrap();
    repository.add(&["d/a"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    fs::remove_file(top.join("d/a")).unwrap();
    let fifo = std::process::Command::new("mkfifo")
        .arg(top.join("pipe"))
        .status();
    assert!(fifo.unwrap().success());
    let new = top.join(OsStr::from_bytes(b"new\xfe"));
    fs::create_dir(&new).unwrap();
    fs::write(new.join("in"), "").unwrap();
    fs::write(top.join(OsStr::from_bytes(b"d/\xff.log")), "").unwrap();
    write(&top, ".gitignore", "*.log\n");
    let left = |scan: &WorktreeScan| -> Vec<(String, UnscannedReason)> {
        let left = scan.left_out.iter();
        left.map(|it| (it.path.clone(), it.reason)).collect()
    };
    let (scan, _) = scan_below(&top, Git::There);
    assert_eq!(paths(&scan), [".gitignore", "d/a"]);
    assert_eq!(scan.notes, []);
    let expected = [
        (r"d/\xff".to_owned(), UnscannedReason::NotUnicode),
        (r"new\xfe".to_owned(), UnscannedReason::NotUnicode),
        ("pipe".to_owned(), UnscannedReason::Special),
    ];
    assert_eq!(left(&scan), expected);
    fs::remove_file(&odd).unwrap();
    let (scan, _) = scan_below(&top, Git::There);
    let gone = (r"d/\xff".to_owned(), UnscannedReason::GoneNotUnicode);
    assert_eq!(left(&scan)[0], gone);
}

#[test]
fn a_scan_without_git_starts_none_and_marks_what_git_alone_can_compare() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    write(&top, ".gitattributes", "*.bin filter=own\n");
    for path in ["a.bin", "b.bin", "kept"] {
        write(&top, path, "before");
    }
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "all"]);
    repository.git(&["config", "filter.own.clean", "false"]);
    write(&top, "a.bin", "after!");
    write(&top, "b.bin", "of another size");
    write(&top, "kept", "after");
    write(&top, "new", "new");
    let without = |folder: &Path| {
        let settings = rooted(folder);
        let (scan, asked) = run(Git::There, |io| async move {
            let root = root::locate(&io, &settings).await.unwrap();
            let limits = ScanLimits::default();
            scan_without_git(&io, &root, &limits, &OWN).await.unwrap()
        });
        let of_git = asked.iter().filter(|it| matches!(it, Effect::Git { .. }));
        assert_eq!(of_git.count(), 0);
        scan
    };
    let scan = without(&top).unwrap();
    assert_eq!(paths(&scan), ["a.bin", "b.bin", "kept", "new"]);
    let assumed = scan.files.iter().map(|it| it.is_assumed);
    assert!(assumed.eq([true, false, false, false]));
    assert_eq!(scan.notes, [Note::GlobalExcludesUnseen]);
    for file in &scan.files {
        let written = fs::metadata(top.join(&file.path)).unwrap().modified();
        let written = written.unwrap().duration_since(std::time::UNIX_EPOCH);
        let written_ms = written.unwrap().as_millis() as u64;
        assert_eq!(file.modified_ms, Some(written_ms), "{}", file.path);
    }
    repository.git(&[
        "-c",
        "filter.own.clean=cat",
        "update-index",
        "--split-index",
    ]);
    assert!(without(&top).is_none());
    let folder = tempfile::tempdir().unwrap();
    assert!(without(folder.path()).is_none());
}
