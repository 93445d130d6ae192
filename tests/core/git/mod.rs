//! Repositories that the real git made, and what the core reads from them.

mod attributes;
mod entries;
mod head;
mod ignore;
mod index;
mod objects;
mod process;
mod shell_changes;
mod since;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use milepost::effect::{Effect, Sync};
use milepost::git::id::Hash;
use milepost::operation::Settings;
use milepost::root::{self, Head};
use milepost::store::{Retention, Storage};
use tempfile::TempDir;

use crate::disk::Disk;

/// Git in a folder without settings, regardless of this machine's.
pub(crate) fn unconfigured(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    // They would lead to another repository than the one in this folder.
    for name in [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_INDEX_FILE",
    ] {
        command.env_remove(name);
    }
    command
}

/// Git with an author.
pub(crate) fn with_identity(folder: &Path) -> Command {
    let mut command = unconfigured(folder);
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
    command
}

/// Runs git, and returns what it prints.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let printed = String::from_utf8(feed(folder, arguments, b"")).unwrap();
    printed.trim_end().to_owned()
}

/// Runs git with bytes for its standard input, and returns the bytes that it prints.
pub(crate) fn feed(folder: &Path, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = with_identity(folder)
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = thread::scope(|scope| {
        // Git may end without having read all of it.
        scope.spawn(move || drop(pipe.write_all(input)));
        child.wait_with_output().unwrap()
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
    output.stdout
}

/// A repository with one commit, in the folder `main` of a temporary folder.
pub(crate) struct Repository {
    folder: TempDir,
}

impl Repository {
    pub(crate) fn new(options: &[&str]) -> Self {
        let repository = Repository::unborn(options);
        git(
            &repository.top(),
            &["commit", "-q", "--allow-empty", "-m", "first"],
        );
        repository
    }

    pub(crate) fn unborn(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &[&["init", "-q", "main"], options].concat());
        Repository { folder }
    }

    pub(crate) fn at(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.at("main")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.top(), arguments)
    }

    pub(crate) fn hash(&self) -> Hash {
        match self.git(&["rev-parse", "--show-object-format"]).as_str() {
            "sha256" => Hash::Sha256,
            _ => Hash::Sha1,
        }
    }

    pub(crate) fn add(&self, paths: &[&str]) {
        for path in paths {
            let file = self.top().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "text").unwrap();
        }
        self.git(&[&["add", "-f"], paths].concat());
    }
}

fn working(folder: &Path) -> Settings {
    Settings {
        root: None,
        git_root: None,
        working: folder.to_str().unwrap().to_owned(),
        alias: None,
        dir: None,
        durability: Sync::Durable,
        history: Retention::default(),
        storage: Storage::Files,
    }
}

pub(crate) fn rooted(folder: &Path) -> Settings {
    Settings {
        root: Some(folder.to_str().unwrap().to_owned()),
        ..working(Path::new("/"))
    }
}

fn head_of(settings: Settings) -> (Head, Vec<Effect>) {
    let mut disk = Disk::new();
    let head = disk.run(|io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        root::head(&io, &root).await
    });
    (head, disk.asked)
}

fn tracked(settings: Settings, below_root: &'static str) -> bool {
    look_up(settings, below_root).0.unwrap()
}

/// Returns whether a file is tracked, and what was asked for to decide.
fn look_up(settings: Settings, below_root: &'static str) -> (Result<bool, String>, Vec<Effect>) {
    let mut disk = Disk::new();
    let tracked = disk.run(|io| async move {
        let root = root::locate(&io, &settings).await.unwrap();
        let tracked = root::tracked(&io, &root, below_root).await;
        tracked.map(|it| it == Some(true))
    });
    (tracked, disk.asked)
}

fn root_of(settings: Settings) -> String {
    Disk::new().run(|io| async move {
        root::locate(&io, &settings)
            .await
            .unwrap()
            .path()
            .to_owned()
    })
}
