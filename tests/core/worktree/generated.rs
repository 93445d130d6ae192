//! Repositories that chance makes, a step at a time.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fastrand::Rng;

use crate::git::{Repository, feed, git};

/// The setup of a repository.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kind {
    pub(super) sha256: bool,
    pub(super) index_version: u8,
    pub(super) auto_crlf: Option<&'static str>,
    pub(super) attributes: &'static str,
    pub(super) without_modes: bool,
    pub(super) linked: bool,
    /// The root, below the top.
    pub(super) below: &'static str,
    pub(super) unborn: bool,
}

/// One repository with its worktree.
pub(super) struct GeneratedWorktree {
    repository: Repository,
    pub(super) top: PathBuf,
    pub(super) kind: Kind,
}

const FOLDERS: [&str; 6] = ["", "a/", "a/b/", "src/", "a-b/", "Ä ö/"];
const NAMES: [&str; 9] = [
    "a", "b", "x.log", "y.txt", "z z", "ü", ".hidden", "m.bin", "run.sh",
];
const IGNORES: [&str; 8] = [
    "*.log\n",
    "/a/b/\n",
    "b\n!/b\n",
    "a\n",
    "*\n!*/\n!*.txt\n",
    "src/*\n!src/run.sh\n",
    "",
    ".hidden\nnested\n",
];

impl GeneratedWorktree {
    pub(super) fn new(kind: Kind, random: &mut Rng) -> GeneratedWorktree {
        let format: &[&str] = match kind.sha256 {
            true => &["--object-format=sha256"],
            false => &[],
        };
        let repository = Repository::unborn(format);
        let mut top = repository.top();
        let config = |name: &str, value: &str| drop(git(&top, &["config", name, value]));
        let no_excludes = repository.at("no-excludes");
        config("core.excludesFile", no_excludes.to_str().unwrap());
        config("index.version", &kind.index_version.max(2).to_string());
        config("core.autocrlf", kind.auto_crlf.unwrap_or("false"));
        config("gc.auto", "0");
        if kind.without_modes {
            config("core.fileMode", "false");
        }
        let mut generated = GeneratedWorktree {
            repository,
            top: top.clone(),
            kind,
        };
        if kind.unborn {
            return generated;
        }
        for _ in 0..25 {
            generated.write(random);
        }
        fs::write(top.join(".gitignore"), "*.log\n").unwrap();
        if !kind.attributes.is_empty() {
            fs::write(top.join(".gitattributes"), kind.attributes).unwrap();
        }
        generated.git(&["add", "-A"]);
        generated.git(&["commit", "-q", "-m", "first"]);
        for _ in 0..5 {
            generated.write(random);
            generated.git(&["add", "-A"]);
            generated.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
        }
        if random.bool() {
            generated.git(&["repack", "-q", "-adf", "--depth=20"]);
        }
        if kind.linked {
            top = generated.repository.at("linked");
            generated.git(&["worktree", "add", "-q", top.to_str().unwrap()]);
            generated.top = top;
        }
        generated
    }

    pub(super) fn root(&self) -> PathBuf {
        self.top.join(self.kind.below)
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        git(&self.top, arguments)
    }

    /// Runs git where it may refuse, as it does to commit a conflict.
    fn may(&self, arguments: &[&str]) {
        let output = crate::git::with_identity(&self.top)
            .args(arguments)
            .output();
        output.unwrap();
    }

    /// Changes something.
    pub(super) fn step(&mut self, random: &mut Rng) -> String {
        let path = self.any(random);
        let at = self.top.join(&path);
        let stands = at.symlink_metadata().is_ok();
        let choice = random.u8(..32);
        let said = match choice {
            0..6 => return self.write(random),
            6 | 7 => {
                remove(&at);
                "remove"
            }
            8 if at.is_file() => {
                let to = self.top.join(self.path(random));
                remove(&to);
                if make_parent(&to) && at.is_file() {
                    fs::rename(&at, to).unwrap();
                }
                "rename"
            }
            9 | 10 if is_file(&at) => {
                let mode = fs::metadata(&at).unwrap().permissions().mode() ^ 0o111;
                fs::set_permissions(&at, PermissionsExt::from_mode(mode)).unwrap();
                "mode"
            }
            11 => {
                remove(&at);
                if make_parent(&at) {
                    symlink(["y.txt", "nowhere", "src"][random.usize(..3)], &at).unwrap();
                }
                "link"
            }
            12 | 13 if is_file(&at) => {
                // As many bytes as before, within the same tick of the clock.
                self.may(&["add", "-f", "--", &path]);
                let mut bytes = fs::read(&at).unwrap();
                bytes.iter_mut().take(1).for_each(|byte| *byte ^= 1);
                fs::write(&at, bytes).unwrap();
                "racy"
            }
            14 if is_file(&at) => {
                let time = SystemTime::now() - Duration::from_secs(random.u64(1..100));
                let file = File::options().write(true).open(&at).unwrap();
                file.set_modified(time).unwrap();
                "touch"
            }
            15 if is_file(&at) => {
                let text = fs::read(&at).unwrap();
                let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
                let other = match random.bool() {
                    true => text.replace('\n', "\r\n"),
                    false => text,
                };
                fs::write(&at, other).unwrap();
                "ends of lines"
            }
            16 | 17 => {
                self.may(&["add", "-A"]);
                "add all"
            }
            18 if stands && !at.is_dir() => {
                self.may(&["add", "-f", "--", &path]);
                "add"
            }
            19 => {
                self.may(&[
                    "rm",
                    "-q",
                    "--cached",
                    "--ignore-unmatch",
                    "-r",
                    "-f",
                    "--",
                    &path,
                ]);
                "rm --cached"
            }
            20 if stands && !at.is_dir() => {
                self.may(&["reset", "-q", "--", &path]);
                self.may(&[
                    "rm",
                    "-q",
                    "--cached",
                    "--ignore-unmatch",
                    "-f",
                    "--",
                    &path,
                ]);
                self.may(&["add", "-f", "-N", "--", &path]);
                "add -N"
            }
            21 => {
                let folder = FOLDERS[random.usize(..FOLDERS.len())];
                let file = self.top.join(folder).join(".gitignore");
                if make_parent(&file) && !file.is_dir() {
                    fs::write(&file, IGNORES[random.usize(..IGNORES.len())]).unwrap();
                }
                "ignore"
            }
            22 => {
                let nested = self.top.join("src/nested");
                if make_parent(&nested.join("x")) && !nested.join(".git").exists() {
                    git(&nested, &["init", "-q", "."]);
                    fs::write(nested.join("in"), "in").unwrap();
                    // Without a commit, git adds nothing at all any more.
                    git(&nested, &["commit", "-q", "--allow-empty", "-m", "x"]);
                }
                "nested"
            }
            23 => {
                let flags = ["assume-unchanged", "skip-worktree"];
                let no = ["", "no-"][random.usize(..2)];
                let flag = format!("--{no}{}", flags[random.usize(..2)]);
                if self.git(&["ls-files", "--", &path]).lines().count() == 1 && is_file(&at) {
                    self.may(&["update-index", &flag, "--", &path]);
                }
                "flag"
            }
            24 if !self.kind.unborn => {
                self.may(&["commit", "-q", "--allow-empty", "-m", "more"]);
                "commit"
            }
            25 if !self.kind.unborn => {
                self.may(&["reset", "-q", "--hard"]);
                "reset"
            }
            26 => self.conflict(&path),
            27 => {
                if !self.kind.unborn {
                    self.may(&["repack", "-q", "-ad"]);
                }
                "repack"
            }
            28 => {
                let ignored = self.top.join("a/out.log");
                if make_parent(&ignored) && !ignored.is_dir() {
                    fs::write(ignored, "log").unwrap();
                }
                "ignored"
            }
            29 => {
                let own = self.root().join(".claude/state/x.json");
                if make_parent(&own) {
                    fs::write(own, "{}").unwrap();
                }
                "own"
            }
            30 => {
                self.may(&["status", "-s"]);
                "refresh"
            }
            _ => "nothing",
        };
        format!("{said} {path}")
    }

    /// Leaves a path in conflict.
    fn conflict(&self, path: &str) -> &'static str {
        let line = self.git(&["ls-files", "-s", "--", path]);
        let Some((head, _)) = line.split_once('\t').filter(|_| line.lines().count() == 1) else {
            return "no conflict";
        };
        let parts: Vec<&str> = head.split(' ').collect();
        let zeros = "0".repeat(parts[1].len());
        let (mode, id) = (parts[0], parts[1]);
        let lines = format!(
            "0 {zeros}\t{path}\0{mode} {id} 1\t{path}\0{mode} {id} 2\t{path}\0{mode} {id} 3\t{path}\0"
        );
        let arguments = ["update-index", "-z", "--index-info"];
        feed(&self.top, &arguments, lines.as_bytes());
        "conflict"
    }

    fn write(&mut self, random: &mut Rng) -> String {
        let path = self.path(random);
        let at = self.top.join(&path);
        if at.is_dir() || !make_parent(&at) {
            return format!("not written {path}");
        }
        if at.is_symlink() {
            fs::remove_file(&at).unwrap();
        }
        let bytes: Vec<u8> = match random.u8(..8) {
            0 => Vec::new(),
            1 => (0..random.usize(..300)).map(|_| random.u8(..)).collect(),
            2 => b"one\r\ntwo\r\n".repeat(random.usize(1..4)),
            3 => b"one\r\ntwo\n".to_vec(),
            4 => format!("$Id$ {}\n", random.u8(..)).into_bytes(),
            _ => format!("line {}\nmore\n", random.u8(..40)).into_bytes(),
        };
        fs::write(&at, bytes).unwrap();
        format!("write {path}")
    }

    fn path(&self, random: &mut Rng) -> String {
        let folder = FOLDERS[random.usize(..FOLDERS.len())];
        [folder, NAMES[random.usize(..NAMES.len())]].concat()
    }

    /// A path that stands there, or not.
    fn any(&self, random: &mut Rng) -> String {
        let path = self.path(random);
        match self.top.join(&path).symlink_metadata() {
            Ok(_) => path,
            Err(_) => self.path(random),
        }
    }
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_file())
}

fn remove(path: &Path) {
    let Ok(found) = path.symlink_metadata() else {
        return;
    };
    match found.is_dir() {
        true => fs::remove_dir_all(path).unwrap(),
        false => fs::remove_file(path).unwrap(),
    }
}

/// Makes the folder of a path, where no file or link is in its way.
fn make_parent(path: &Path) -> bool {
    let parent = path.parent().unwrap();
    let mut above = parent.ancestors();
    !above.any(Path::is_symlink) && fs::create_dir_all(parent).is_ok()
}
