//! A worktree, and requests about it.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use milepost::effect::{Effect, Fault, Outcome};
use milepost::json::{self, Json, Object};

use super::tree::Tree;
use crate::disk::Disk;
use crate::git::{Repository, feed, git};
use crate::variants;

/// A work tree in a temporary folder.
pub(super) struct TempWorktree {
    repository: Repository,
    /// The folder in which git runs.
    pub(super) top: PathBuf,
    /// The root of the operations.
    pub(super) root: PathBuf,
    pub(super) has_git: bool,
    /// The user's own configuration of git, where there is one.
    user: Option<PathBuf>,
}

impl TempWorktree {
    /// A repository without a commit.
    pub(super) fn new(options: &[&str]) -> Self {
        let repository = Repository::unborn(&[&["--template="], options].concat());
        let top = repository.top();
        let no_excludes = repository.at("no-excludes");
        for (name, value) in [
            ("core.excludesFile", no_excludes.to_str().unwrap()),
            ("gc.auto", "0"),
            ("core.autocrlf", "false"),
        ] {
            git(&top, &["config", name, value]);
        }
        TempWorktree {
            root: top.clone(),
            top,
            repository,
            has_git: true,
            user: None,
        }
    }

    /// Makes the index so young that the times in it show its files to be as they were.
    pub(super) fn settle_index(&self) {
        let index = self.top.join(".git/index");
        let written = fs::metadata(&index).unwrap().modified().unwrap();
        let file = fs::File::options().write(true).open(&index).unwrap();
        file.set_modified(written + Duration::from_secs(10))
            .unwrap();
    }

    /// Gives a file another time than the index has. Git looks at whole seconds.
    pub(super) fn touch(&self, path: &str) {
        let file = fs::File::options().write(true).open(self.at(path)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000))
            .unwrap();
    }

    /// Adds a line to the user's own configuration of git.
    pub(super) fn user_has(&mut self, name: &str, value: &str) {
        let file = self.sibling("user");
        self.git(&["config", "--file", file.to_str().unwrap(), name, value]);
        self.user = Some(file);
    }

    /// A host of the user.
    pub(super) fn disk(&self) -> Disk {
        match &self.user {
            Some(user) => Disk::of_user(user),
            None => Disk::new(),
        }
    }

    /// One whose only commit has these files.
    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let worktree = TempWorktree::new(&[]);
        for (path, text) in files {
            worktree.write(path, text);
        }
        worktree.commit();
        worktree
    }

    pub(super) fn sibling(&self, name: &str) -> PathBuf {
        self.repository.at(name)
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git(&self.top, arguments)
    }

    pub(super) fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    }

    pub(super) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let at = self.at(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, bytes).unwrap();
    }

    pub(super) fn remove(&self, path: &str) {
        remove(&self.at(path));
    }

    pub(super) fn link(&self, path: &str, target: &str) {
        self.remove(path);
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        symlink(target, self.at(path)).unwrap();
    }

    pub(super) fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), PermissionsExt::from_mode(mode)).unwrap();
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub(super) fn tree(&self) -> Tree {
        Tree::of_files(&self.root)
    }

    /// The paths that git ignores, relative to the root.
    pub(super) fn ignored(&self) -> Vec<String> {
        let arguments = ["ls-files", "-z", "-o", "-i", "--exclude-standard"];
        let printed = match self.top.join(".git").exists() {
            true => feed(&self.root, &arguments, b""),
            false => {
                // The patterns that stand there count without a repository as well.
                let other = self.sibling("other");
                if !other.exists() {
                    git(&self.sibling(""), &["init", "-q", "--template=", "other"]);
                }
                let git_dir = format!("--git-dir={}", other.join(".git").display());
                let work_tree = format!("--work-tree={}", self.root.display());
                feed(
                    &self.root,
                    &[&[&*git_dir, &*work_tree][..], &arguments].concat(),
                    b"",
                )
            }
        };
        let printed = String::from_utf8_lossy(&printed).into_owned();
        printed.split_terminator('\0').map(str::to_owned).collect()
    }

    /// Everything of the repository but its objects.
    pub(super) fn of_git(&self) -> Tree {
        let folder = self.repository.top().join(".git");
        let mut tree = match folder.is_dir() {
            true => Tree::of_all(&folder),
            false => Tree::default(),
        };
        tree.nodes.retain(|path, _| !path.starts_with("objects/"));
        tree
    }

    /// The reply to a request, from the async and the blocking variant.
    pub(super) fn ask(&self, operation: &str, more: &[(&str, Json)]) -> Object {
        let mut disk = self.disk();
        self.ask_over(operation, more, |effect| disk.perform(effect))
    }

    /// Asks on a host for which the effects from the given one on fail for good; the number of effects
    /// that it was asked for comes with the reply.
    pub(super) fn ask_until(
        &self,
        at: usize,
        operation: &str,
        more: &[(&str, Json)],
    ) -> (Object, usize) {
        let mut disk = self.disk();
        let asked = Cell::new(0);
        let reply = self.ask_over(operation, more, |effect| {
            asked.set(asked.get() + 1);
            match asked.get() > at {
                true => Outcome::Failed {
                    fault: Fault::Other,
                    detail: "the power is gone".into(),
                },
                false => disk.perform(effect),
            }
        });
        (reply, asked.get())
    }

    /// Asks on a host of the caller's.
    pub(super) fn ask_over(
        &self,
        operation: &str,
        more: &[(&str, Json)],
        mut perform: impl FnMut(Effect) -> Outcome,
    ) -> Object {
        let root = self.root.to_str().unwrap();
        let place = Object::new()
            .with("root", root)
            .with("working", root)
            .with("durability", "lazy");
        let mut request = Object::new()
            .with("operation", operation)
            .with("place", place);
        for (key, value) in more {
            request.set(key, value.clone());
        }
        let has_git = self.has_git;
        let reply = variants::reply(Json::Object(request).to_line().as_bytes(), |effect| match (
            &effect, has_git,
        ) {
            (Effect::Git { .. }, false) => Outcome::Failed {
                fault: Fault::Unsupported,
                detail: "there is no git".into(),
            },
            _ => perform(effect),
        });
        match json::read(reply.as_bytes()).unwrap().value {
            Json::Object(reply) => reply,
            other => panic!("{other:?}"),
        }
    }

    /// Makes a checkpoint; what was left out comes with its id.
    pub(super) fn create(&self) -> (String, Vec<(String, String)>) {
        let reply = self.ask("create_session", &[("reason", "handoff".into())]);
        let made = value(&reply);
        assert!(
            made.at("/files").and_then(Json::as_u64).is_some(),
            "{reply:?}"
        );
        (text(made, "/id"), pairs(made, "/left_out", "reason"))
    }

    /// The plan of a restore of files.
    pub(super) fn plan(&self, id: &str, more: &[(&str, Json)]) -> Plan {
        let dry = [("dry_run", true.into())];
        let reply = self.ask(
            "restore_session",
            &[&restoring(id)[..], &dry, more].concat(),
        );
        Plan::of(value(&reply))
    }

    /// Brings the files back; the id of the undo, where something was touched.
    #[track_caller]
    pub(super) fn restore(&self, id: &str, more: &[(&str, Json)]) -> Option<String> {
        let reply = self.ask("restore_session", &[&restoring(id)[..], more].concat());
        let done = value(&reply);
        assert_eq!(done.at("/restored"), Some(&Json::Bool(true)), "{reply:?}");
        done.at("/undo").and_then(Json::as_str).map(str::to_owned)
    }

    /// Asks for the files in vain: the code and the sentence.
    #[track_caller]
    pub(super) fn refused(&self, id: &str, more: &[(&str, Json)]) -> (String, String) {
        let reply = self.ask("restore_session", &[&restoring(id)[..], more].concat());
        failure(&reply)
    }

    /// Every path that differs, and how.
    pub(super) fn mismatches(&self, id: &str) -> Vec<(String, String)> {
        let reply = self.ask("verify_session", &[("id", id.into())]);
        let mut files = pairs(value(&reply), "/files", "answer");
        files.retain(|(_, answer)| answer != "same");
        files
    }

    pub(super) fn is_match(&self, id: &str) -> bool {
        let reply = self.ask("verify_session", &[("id", id.into())]);
        value(&reply).at("/matches") == Some(&Json::Bool(true))
    }
}

/// The plan of a restore, or its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) id: String,
    /// Paths, and what is done there.
    pub(super) changes: Vec<(String, String)>,
    pub(super) left: Vec<(String, String)>,
    pub(super) refusals: Vec<String>,
}

impl Plan {
    fn of(restored: &Json) -> Plan {
        let plan = restored.at("/plan").unwrap();
        let refusals = plan.at("/refusals").and_then(Json::as_array).unwrap();
        Plan {
            id: text(plan, "/id"),
            changes: pairs(plan, "/changes", "act"),
            left: pairs(plan, "/left", "reason"),
            refusals: refusals
                .iter()
                .map(|it| it.as_str().unwrap().to_owned())
                .collect(),
        }
    }

    pub(super) fn paths(&self) -> Vec<&str> {
        self.changes.iter().map(|(path, _)| path.as_str()).collect()
    }
}

pub(super) fn restoring(id: &str) -> [(&'static str, Json); 2] {
    [("id", id.into()), ("files", true.into())]
}

pub(super) fn list(paths: &[&str]) -> Json {
    let paths = paths.iter().map(|it| Json::from(*it));
    Json::from(paths.collect::<Vec<Json>>())
}

#[track_caller]
pub(super) fn value(reply: &Object) -> &Json {
    assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{reply:?}");
    reply.get("value").unwrap()
}

#[track_caller]
pub(super) fn failure(reply: &Object) -> (String, String) {
    assert_eq!(reply.get("ok"), Some(&Json::Bool(false)), "{reply:?}");
    let error = reply.get("error").unwrap();
    (text(error, "/code"), text(error, "/message"))
}

#[track_caller]
pub(super) fn text(json: &Json, at: &str) -> String {
    let found = json.at(at).and_then(Json::as_str);
    found
        .unwrap_or_else(|| panic!("no {at} in {}", json.to_line()))
        .to_owned()
}

fn pairs(json: &Json, at: &str, second: &str) -> Vec<(String, String)> {
    let lines = json.at(at).and_then(Json::as_array).unwrap();
    let second = format!("/{second}");
    let pair = |it: &Json| (text(it, "/path"), text(it, &second));
    lines.iter().map(pair).collect()
}

pub(super) fn remove(at: &Path) {
    match at.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(at).unwrap(),
        Ok(_) => fs::remove_file(at).unwrap(),
        Err(_) => {}
    }
}
