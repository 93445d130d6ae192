//! The root and HEAD.

use std::fs;
use std::path::{Path, PathBuf};

use milepost::effect::{Effect, Fault, Machine, Outcome};
use milepost::operation::Settings;
use milepost::root::{self, Head};

use super::{Repository, git, head_of, root_of, rooted, tracked, working};
use crate::disk::Disk;

/// Expects HEAD to be what git says that it is.
fn assert_head(folder: &Path) {
    let expected = Head::Commit(git(folder, &["rev-parse", "--verify", "HEAD"]));
    assert_eq!(head_of(working(folder)).0, expected);
}

fn assert_unreadable(folder: &Path, expected: &str) {
    match head_of(working(folder)).0 {
        Head::Unreadable(why) => assert_eq!(why, expected),
        other => panic!("expected an unreadable HEAD, got {other:?}"),
    }
}

fn has_git_effect(asked: &[Effect]) -> bool {
    asked
        .iter()
        .any(|effect| matches!(effect, Effect::Git { .. }))
}

#[test]
fn the_root_is_the_named_one_else_git_root_else_the_repository_else_the_working_folder() {
    let repository = Repository::new(&[]);
    let deep = repository.top().join("a/b");
    fs::create_dir_all(&deep).unwrap();
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();

    assert_eq!(root_of(working(&deep)), text(repository.top()));
    assert_eq!(
        root_of(working(repository.folder.path())),
        text(repository.at("")).trim_end_matches('/')
    );
    let with = |root: Option<&str>, git_root: Option<&str>| {
        root_of(Settings {
            root: root.map(str::to_owned),
            git_root: git_root.map(str::to_owned),
            ..working(&deep)
        })
    };
    assert_eq!(with(Some("/named"), Some("/git-root")), "/named");
    assert_eq!(with(None, Some("/git-root")), "/git-root");
    assert_eq!(with(None, Some("")), text(repository.top()));
}

#[test]
fn an_empty_root_is_a_usage_error() {
    let settings = Settings {
        root: Some(String::new()),
        ..working(Path::new("/"))
    };
    let located =
        Disk::new().run(|io| async move { root::locate(&io, &settings).await.map(|_| ()) });
    assert_eq!(located.unwrap_err().code().as_str(), "usage");
}

#[test]
fn a_branch_takes_one_search_and_two_reads() {
    let repository = Repository::new(&[]);
    let (head, asked) = head_of(working(&repository.top()));
    assert_eq!(head, Head::Commit(repository.git(&["rev-parse", "HEAD"])));
    assert!(
        matches!(
            &asked[..],
            [
                Effect::Ascend { .. },
                Effect::Read { .. },
                Effect::Read { .. }
            ]
        ),
        "{asked:?}"
    );
}

#[test]
fn head_of_a_root_below_the_repository_is_that_of_the_repository() {
    let repository = Repository::new(&[]);
    let below = repository.top().join("a/b");
    fs::create_dir_all(&below).unwrap();
    let expected = Head::Commit(repository.git(&["rev-parse", "HEAD"]));
    assert_eq!(head_of(rooted(&below)).0, expected);
}

#[test]
fn without_a_repository_there_is_no_head() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(head_of(working(folder.path())).0, Head::NoRepository);
    assert_eq!(head_of(rooted(folder.path())).0, Head::NoRepository);
    assert!(!tracked(working(folder.path()), "a"));
}

#[test]
fn a_branch_without_a_commit_is_unborn() {
    for options in [
        &[][..],
        &["--object-format=sha256"],
        &["--ref-format=reftable"],
    ] {
        let repository = Repository::unborn(options);
        assert_eq!(
            head_of(working(&repository.top())).0,
            Head::Unborn,
            "{options:?}"
        );
        assert!(!tracked(working(&repository.top()), "a"), "{options:?}");
    }
}

#[test]
fn head_is_read_detached_packed_nested_and_in_both_object_formats() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        let top = repository.top();
        assert_head(&top);
        repository.git(&["checkout", "-q", "-b", "feature/deep/name"]);
        repository.git(&["tag", "-a", "-m", "annotated", "v1"]);
        assert_head(&top);
        repository.git(&["pack-refs", "--all"]);
        assert!(!top.join(".git/refs/heads/feature/deep/name").exists());
        assert_head(&top);
        // Git leaves such folders behind, and a packed branch may have the name of one.
        fs::create_dir_all(top.join(".git/refs/heads/feature/deep/name")).unwrap();
        assert_head(&top);
        repository.git(&[
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            "newer than the packed one",
        ]);
        assert_head(&top);
        repository.git(&["checkout", "-q", "--detach"]);
        assert_head(&top);
    }
}

#[test]
fn symbolic_refs_are_followed_as_far_as_git_follows_them() {
    let repository = Repository::new(&[]);
    repository.git(&["symbolic-ref", "refs/heads/a1", "refs/heads/main"]);
    for (name, target) in [("a2", "a1"), ("a3", "a2"), ("a4", "a3")] {
        repository.git(&[
            "symbolic-ref",
            &format!("refs/heads/{name}"),
            &format!("refs/heads/{target}"),
        ]);
    }
    let point_at = |name: &str| {
        fs::write(
            repository.top().join(".git/HEAD"),
            format!("ref: refs/heads/{name}\n"),
        )
        .unwrap();
    };
    point_at("a3");
    assert_head(&repository.top());
    point_at("a4");
    let too_many = "HEAD of the repository at .git cannot be read: it leads through too many refs";
    assert_unreadable(&repository.top(), too_many);
    fs::write(
        repository.top().join(".git/refs/heads/a1"),
        "ref: refs/heads/a1\n",
    )
    .unwrap();
    point_at("a1");
    assert_unreadable(&repository.top(), too_many);
}

#[test]
fn a_linked_worktree_has_a_head_and_an_index_of_its_own() {
    for options in [&[][..], &["--ref-format=reftable"]] {
        let repository = Repository::new(options);
        repository.add(&["in-main"]);
        repository.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
        let linked = repository.at("linked");
        git(&linked, &["commit", "-q", "--allow-empty", "-m", "second"]);
        fs::write(linked.join("in-linked"), "text").unwrap();
        git(&linked, &["add", "in-linked"]);

        assert_head(&linked);
        assert_head(&repository.top());
        assert_ne!(
            head_of(working(&linked)).0,
            head_of(working(&repository.top())).0
        );
        repository.git(&["pack-refs", "--all"]);
        assert_head(&linked);
        git(&linked, &["checkout", "-q", "--detach"]);
        assert_head(&linked);
        assert!(tracked(working(&linked), "in-linked"));
        assert!(!tracked(working(&linked), "in-main"));
        assert!(tracked(working(&repository.top()), "in-main"));
    }
}

#[test]
fn a_ref_that_belongs_to_a_worktree_is_read_there() {
    let repository = Repository::new(&[]);
    repository.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    let linked = repository.at("linked");
    git(&linked, &["commit", "-q", "--allow-empty", "-m", "second"]);
    git(&linked, &["update-ref", "refs/worktree/own", "HEAD"]);
    git(&linked, &["symbolic-ref", "HEAD", "refs/worktree/own"]);
    assert_head(&linked);
}

#[test]
fn a_submodule_has_a_head_and_an_index_of_its_own() {
    let repository = Repository::new(&[]);
    let library = Repository::new(&[]);
    library.add(&["in-library"]);
    library.git(&["commit", "-q", "-m", "second"]);
    let source = library.top();
    repository.git(&[
        "submodule",
        "--quiet",
        "add",
        source.to_str().unwrap(),
        "vendor/library",
    ]);
    let submodule = repository.top().join("vendor/library");
    assert!(submodule.join(".git").is_file());
    assert_head(&submodule);
    assert_eq!(head_of(working(&submodule)).0, head_of(working(&source)).0);
    assert!(tracked(working(&submodule), "in-library"));
}

#[test]
fn a_git_folder_elsewhere_is_found_through_a_file_or_a_link() {
    let repository = Repository::new(&[]);
    repository.add(&["a"]);
    let expected = Head::Commit(repository.git(&["rev-parse", "HEAD"]));
    let dot_git = repository.top().join(".git");
    fs::rename(&dot_git, repository.at("elsewhere")).unwrap();

    fs::write(&dot_git, "gitdir: ../elsewhere\n").unwrap();
    assert_eq!(head_of(working(&repository.top())).0, expected);
    fs::write(
        &dot_git,
        format!("gitdir: {}\n", repository.at("elsewhere").display()),
    )
    .unwrap();
    assert_eq!(head_of(working(&repository.top())).0, expected);
    #[cfg(unix)]
    {
        fs::remove_file(&dot_git).unwrap();
        std::os::unix::fs::symlink("../elsewhere", &dot_git).unwrap();
        assert_head(&repository.top());
        assert!(tracked(working(&repository.top()), "a"));
        fs::write(repository.at("file"), "gitdir: elsewhere\n").unwrap();
        fs::remove_file(&dot_git).unwrap();
        // The path in a `.git` file is relative to where git found it, not to where a link leads.
        std::os::unix::fs::symlink("../file", &dot_git).unwrap();
        fs::rename(
            repository.at("elsewhere"),
            repository.top().join("elsewhere"),
        )
        .unwrap();
        assert_head(&repository.top());
    }
}

#[test]
fn refs_in_tables_are_asked_of_git_and_nothing_else_is() {
    let repository = Repository::new(&["--ref-format=reftable"]);
    assert_head(&repository.top());
    repository.git(&["checkout", "-q", "--detach"]);
    assert_head(&repository.top());
    let (_, asked) = head_of(working(&repository.top()));
    assert!(has_git_effect(&asked));
    let tables = repository.top().join(".git/reftable/tables.list");
    fs::write(tables, "damaged").unwrap();
    assert!(matches!(
        head_of(working(&repository.top())).0,
        Head::Unreadable(_)
    ));
}

#[test]
fn a_damaged_or_hostile_repository_is_unreadable_and_its_files_are_not_quoted() {
    let repository = Repository::new(&[]);
    let top = repository.top();
    fs::write(repository.at("secret"), "0".repeat(40)).unwrap();
    let no_ref =
        "HEAD of the repository at .git cannot be read: it holds no commit and no valid ref";
    for head in [
        "",
        "secret words",
        "ref: ../../secret",
        "ref: refs/../../../secret",
        "ref: /etc/hostname",
    ] {
        fs::write(top.join(".git/HEAD"), head).unwrap();
        let (answer, asked) = head_of(working(&top));
        assert_eq!(answer, Head::Unreadable(no_ref.into()), "{head:?}");
        assert!(!has_git_effect(&asked), "{head:?}");
    }
    fs::remove_file(top.join(".git/HEAD")).unwrap();
    assert_unreadable(
        &top,
        "HEAD of the repository at .git cannot be read: it is missing or out of reach",
    );

    fs::write(top.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(top.join(".git/refs/heads/main"), "").unwrap();
    assert_unreadable(
        &top,
        "refs/heads/main of the repository at .git cannot be read: it holds no commit and no valid ref",
    );
}

#[test]
fn git_is_not_asked_where_the_tables_of_refs_are_missing() {
    let repository = Repository::new(&[]);
    fs::write(
        repository.top().join(".git/HEAD"),
        "ref: refs/heads/.invalid\n",
    )
    .unwrap();
    let (head, asked) = head_of(working(&repository.top()));
    let why = "HEAD of the repository at .git cannot be read: \
               it names the tables of refs that are not there";
    assert_eq!(head, Head::Unreadable(why.into()));
    assert!(!has_git_effect(&asked));
}

#[test]
fn a_host_that_fails_at_any_step_makes_head_unreadable_and_never_unborn() {
    let packed = Repository::new(&[]);
    packed.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    packed.git(&["pack-refs", "--all"]);
    let tables = Repository::unborn(&["--ref-format=reftable"]);
    for folder in [packed.at("linked"), packed.top(), tables.top()] {
        let steps = head_of(rooted(&folder)).1.len();
        for failing in 0..steps {
            let (settings, mut disk) = (rooted(&folder), Disk::new());
            let machine = Machine::start(|io| async move {
                let root = root::locate(&io, &settings).await.unwrap();
                root::head(&io, &root).await
            });
            let head = machine.run(|effect| match disk.asked.len() {
                step if step == failing => {
                    disk.asked.push(effect);
                    let detail = "input/output error".into();
                    Outcome::Failed {
                        fault: Fault::Other,
                        detail,
                    }
                }
                _ => disk.perform(effect),
            });
            match head {
                Head::Unreadable(why) => assert!(why.ends_with(": input/output error"), "{why}"),
                other => panic!("step {failing} of {steps}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_git_file_that_leads_nowhere_is_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("a/b");
    fs::create_dir_all(&below).unwrap();
    let dot_git = folder.path().join(".git");
    let why_of = |bytes: &str| {
        fs::write(&dot_git, bytes).unwrap();
        head_of(rooted(&below)).0
    };
    assert_eq!(
        why_of("secret words"),
        Head::Unreadable("../../.git is neither a git folder nor names one".into())
    );
    assert_eq!(
        why_of("gitdir: /nowhere/at/all\n"),
        Head::Unreadable(
            "HEAD of the repository at ../../.git cannot be read: it is missing or out of reach"
                .into()
        )
    );
    assert!(!tracked(rooted(&below), "a"));
}

#[cfg(unix)]
#[test]
fn a_hostile_configuration_runs_nothing() {
    use std::os::unix::fs::PermissionsExt;

    for options in [&[][..], &["--ref-format=reftable"]] {
        let repository = Repository::new(options);
        repository.add(&["a"]);
        let (script, mark) = (repository.at("script"), repository.at("mark"));
        fs::write(
            &script,
            format!("#!/bin/sh\necho ran >> '{}'\n", mark.display()),
        )
        .unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let script = script.to_str().unwrap();
        let expected = Head::Commit(repository.git(&["rev-parse", "HEAD"]));
        for key in [
            "core.fsmonitor",
            "core.pager",
            "diff.external",
            "core.sshCommand",
        ] {
            repository.git(&["config", key, script]);
        }
        assert_eq!(head_of(working(&repository.top())).0, expected);
        assert!(tracked(working(&repository.top()), "a"));
        assert!(!mark.exists(), "{options:?}");
        // The trap works: git itself falls into it.
        repository.git(&["status"]);
        assert!(mark.exists(), "{options:?}");
    }
}
