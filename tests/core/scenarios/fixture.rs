//! The folders of one scenario: a project, its surroundings, and their content.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use milepost::json::{Json, Object};
use milepost_scenarios::{spell, text};
use tempfile::TempDir;

/// Stands only in files outside of the project.
pub(super) const SECRET: &str = "s3cr3t";

/// Larger files are compared by size and time of change.
const LARGE: u64 = 32 << 20;

/// A node that cannot be put in place on this machine, such as a device without being root.
#[derive(Debug)]
pub(super) struct Unavailable;

/// A folder with `project/`, which is the root, and `elsewhere/`, which links lead to.
pub(super) struct Fixture {
    top: TempDir,
}

/// A folder and everything below it, by path.
pub(super) type Snapshot = BTreeMap<PathBuf, String>;

impl Fixture {
    pub(super) fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        let secret = format!(r#"{{"command":"design","note":"{SECRET}"}}"#);
        for file in ["secret.json", "claude/design-checkpoint.json"] {
            write(&top.path().join("elsewhere").join(file), secret.as_bytes());
        }
        fs::create_dir(top.path().join("project")).unwrap();
        Fixture { top }
    }

    pub(super) fn project(&self) -> PathBuf {
        self.top.path().join("project")
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.project().join(path)
    }

    /// Everything that no operation may change.
    pub(super) fn foreign(&self) -> Snapshot {
        let state = self.at(".claude");
        let mut seen = snapshot(self.top.path());
        seen.retain(|path, _| !path.starts_with(&state));
        seen
    }

    /// Puts things in place.
    pub(super) fn put(&self, things: &Json) -> Result<(), Unavailable> {
        for thing in things.as_array().unwrap() {
            self.put_one(thing.as_object().unwrap())?;
        }
        Ok(())
    }

    fn put_one(&self, thing: &Object) -> Result<(), Unavailable> {
        let (kind, named) = thing.iter().next().unwrap();
        if kind == "git" {
            return self.make_repository(named.as_object().unwrap());
        }
        let path = self.at(&text::string(named).unwrap());
        if !matches!(kind, "edit" | "strays") {
            clear(&path);
        }
        match kind {
            "gone" => {}
            "file" => match thing.get("size") {
                Some(size) => {
                    write(&path, b"");
                    let size = size.as_u64().unwrap();
                    let file = File::options().write(true).open(&path);
                    file.unwrap().set_len(size).unwrap();
                }
                None => write(&path, &text::bytes(thing.get("holds").unwrap()).unwrap()),
            },
            "edit" => {
                let before = fs::read_to_string(&path).unwrap();
                fs::write(&path, spell::edit(&before, thing).unwrap()).unwrap();
            }
            "folder" => fs::create_dir_all(&path).unwrap(),
            "strays" => {
                fs::create_dir_all(&path).unwrap();
                for number in 0..thing.get("count").and_then(Json::as_u64).unwrap() {
                    File::create(path.join(format!("stray-{number}"))).unwrap();
                }
            }
            "link" => {
                let to = thing.get("to").and_then(Json::as_str).unwrap();
                let to = self.top.path().join(to);
                make_parent(&path);
                #[cfg(unix)]
                std::os::unix::fs::symlink(to, &path).unwrap();
                #[cfg(not(unix))]
                return Err(Unavailable);
            }
            "pipe" => make_special(Command::new("mkfifo").arg(&path), &path)?,
            "device" => {
                let mut mknod = Command::new("mknod");
                make_special(mknod.arg(&path).args(["c", "1", "5"]), &path)?;
            }
            other => panic!("nothing is put in place by {other}"),
        }
        Ok(())
    }

    /// A repository with one commit, then with this configuration.
    fn make_repository(&self, git: &Object) -> Result<(), Unavailable> {
        let refs = git.get("refs").and_then(Json::as_str).unwrap_or("files");
        let format = format!("--ref-format={refs}");
        let init: &[&str] = match refs {
            "files" => &["init", "-q"],
            _ => &["init", "-q", &format],
        };
        if !self.git(init) {
            return Err(Unavailable);
        }
        for path in items(git, "track") {
            assert!(self.git(&["add", "-f", path.as_str().unwrap()]));
        }
        assert!(self.git(&["commit", "-q", "--allow-empty", "-m", "first"]));
        for pair in items(git, "config") {
            let [key, value] = pair.as_array().unwrap() else {
                panic!("`config` takes pairs");
            };
            assert!(self.git(&["config", key.as_str().unwrap(), value.as_str().unwrap()]));
        }
        Ok(())
    }

    fn git(&self, arguments: &[&str]) -> bool {
        let mut git = crate::git::with_identity(&self.project());
        git.args(arguments);
        git.output().unwrap().status.success()
    }
}

fn items<'a>(object: &'a Object, key: &str) -> &'a [Json] {
    object.get(key).and_then(Json::as_array).unwrap_or_default()
}

fn make_parent(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
}

fn write(path: &Path, bytes: &[u8]) {
    make_parent(path);
    fs::write(path, bytes).unwrap();
}

fn clear(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).unwrap(),
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

fn make_special(command: &mut Command, path: &Path) -> Result<(), Unavailable> {
    make_parent(path);
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(Unavailable),
    }
}

/// A path and everything below it; nothing is followed, and nothing special is opened.
pub(super) fn snapshot(path: &Path) -> Snapshot {
    let mut seen = Snapshot::new();
    add(path, &mut seen);
    seen
}

fn add(path: &Path, seen: &mut Snapshot) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    let what = if metadata.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            add(&entry.unwrap().path(), seen);
        }
        "folder".to_owned()
    } else if metadata.is_symlink() {
        format!("link to {}", fs::read_link(path).unwrap().display())
    } else if !metadata.is_file() {
        "special".to_owned()
    } else if metadata.len() > LARGE {
        format!("{} bytes of {:?}", metadata.len(), metadata.modified())
    } else {
        let mut hash = DefaultHasher::new();
        fs::read(path).unwrap().hash(&mut hash);
        format!("{} bytes of {:x}", metadata.len(), hash.finish())
    };
    seen.insert(path.to_owned(), what);
}
