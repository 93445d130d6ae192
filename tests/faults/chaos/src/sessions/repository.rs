//! The repository of a run: its files, on which a user works, and what the product keeps beside them.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use fastrand::Rng;
use serde_json::Value;

use crate::child;

/// The folder in which the product keeps them.
const FOLDER: &str = ".claude/checkpoints";

/// So many checkpoints are kept, so that most creations remove one.
const KEPT: &str = r#"{"sessions":{"keep":4}}"#;

/// Each file is one of so many, so that contents come again after they were collected.
const CONTENTS: u8 = 5;

/// The files, and how many lines each has: one is of several pieces.
const FILES: [(&str, usize); 5] = [
    ("a.txt", 40),
    ("b.txt", 3),
    ("deep/c.txt", 200),
    ("large.txt", 90_000),
    (UNTRACKED, 10),
];

/// Not in the commit: its folder comes and goes with it.
const UNTRACKED: &str = "new/one.txt";

/// A writer that began so long ago is taken for one that died an hour before.
const DEAD_AFTER: Duration = Duration::from_secs(2);
const LONG_AGO: u64 = 2 * 3_600;

/// The files of the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    /// The content of each that stands there.
    pub(super) standing: Vec<(&'static str, u8)>,
    /// The texts that are not one of the contents.
    pub(super) torn: Vec<String>,
}

/// The repository.
pub(super) struct ChaosRepository {
    pub(super) root: PathBuf,
    /// In the same file system, for what is to take its place in one step.
    spare: PathBuf,
}

impl ChaosRepository {
    /// Makes a repository with a commit.
    pub(super) fn make(folder: &Path) -> Result<ChaosRepository> {
        let place = ChaosRepository {
            root: folder.join("sessions"),
            spare: folder.join("spare"),
        };
        let root = &place.root;
        fs::create_dir_all(root.join(".claude/config"))?;
        fs::write(root.join(".claude/config/integrations.json"), KEPT)?;
        for (name, lines) in FILES.iter().filter(|(name, _)| *name != UNTRACKED) {
            place.put(name, &content(name, 0, *lines))?;
        }
        let git = |words: &[&str]| {
            let settings = [
                "user.name=a",
                "user.email=a@example.org",
                "commit.gpgsign=false",
            ];
            let settings = settings.iter().flat_map(|it| ["-c", it]);
            child::run(
                Command::new("git")
                    .arg("-C")
                    .arg(root)
                    .args(settings)
                    .args(words),
            )
        };
        git(&["init", "--quiet"])?;
        git(&["add", "."])?;
        git(&["commit", "--quiet", "--message", "first"])?;
        Ok(place)
    }

    fn put(&self, name: &str, text: &str) -> Result<()> {
        let at = self.root.join(name);
        fs::create_dir_all(at.parent().context("a file is in a folder")?)?;
        fs::write(&self.spare, text)?;
        // In one step, as what is restored takes its place.
        fs::rename(&self.spare, at)?;
        Ok(())
    }

    /// Changes one of the files, as a user does. A restore may take its folder away in between.
    pub(super) fn work(&self, chance: &mut Rng) {
        let (name, lines) = FILES[chance.usize(0..FILES.len())];
        let _ = match chance.u8(0..5) {
            0 => fs::remove_file(self.root.join(name)).map_err(Into::into),
            _ => self.put(name, &content(name, chance.u8(0..CONTENTS), lines)),
        };
    }

    /// The files that stand there.
    pub(super) fn files(&self) -> Result<Files> {
        let mut files = Files::default();
        for (name, lines) in FILES {
            let text = match fs::read_to_string(self.root.join(name)) {
                Ok(text) => text,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
            };
            match (0..CONTENTS).find(|number| text == content(name, *number, lines)) {
                Some(number) => files.standing.push((name, number)),
                None => files
                    .torn
                    .push(format!("{name} is torn: {} bytes", text.len())),
            }
        }
        Ok(files)
    }

    /// Lets an hour pass for writers that began some time ago, or for all.
    pub(super) fn age_writers(&self, all: bool) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |it| it.as_secs());
        let making = self.root.join(FOLDER).join("objects/making");
        let entries = fs::read_dir(&making).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some((id, since)) = name.split_once('-') else {
                continue;
            };
            let age = since
                .parse()
                .map_or(0, |since: u64| now.saturating_sub(since));
            if age < LONG_AGO && (all || age >= DEAD_AFTER.as_secs()) {
                // Its owner may just have ended.
                let _ = fs::rename(
                    entry.path(),
                    making.join(format!("{id}-{}", now - LONG_AGO)),
                );
            }
        }
    }

    /// The document of a checkpoint, archived or not.
    pub(super) fn document(&self, id: &str) -> Option<Vec<u8>> {
        let folder = self.root.join(FOLDER);
        // One that is moved in between is in the archive before it goes.
        let paths = ["", "archive"].map(|below| folder.join(below).join(format!("{id}.yaml")));
        paths.iter().find_map(|path| fs::read(path).ok())
    }

    /// The register of what was removed, pinned and begun.
    pub(super) fn register(&self) -> Result<Value> {
        match fs::read(self.root.join(FOLDER).join("register.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).context("the register is no JSON"),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Value::Null),
            Err(error) => Err(error).context("cannot read the register"),
        }
    }

    /// The ids in one of the register's lists.
    pub(super) fn registered(&self, list: &str) -> Result<BTreeSet<String>> {
        let register = self.register()?;
        let lines = register[list].as_array().into_iter().flatten();
        Ok(lines
            .filter_map(|line| line["id"].as_str().map(str::to_owned))
            .collect())
    }

    /// Returns whether the content of this name is kept.
    pub(super) fn has_object(&self, sha256: &str) -> bool {
        let shard = sha256.get(..2).unwrap_or_default();
        let folder = self.root.join(FOLDER).join("objects").join(shard);
        [sha256.to_owned(), format!("{sha256}.list")]
            .iter()
            .any(|name| folder.join(name).is_file())
    }

    /// The files among the checkpoints that are not of any.
    pub(super) fn left_over(&self) -> Result<Vec<String>> {
        let folder = self.root.join(FOLDER);
        let mut found = Vec::new();
        for file in crate::folder::files(&folder)? {
            let name = file.strip_prefix(&folder)?.to_string_lossy().into_owned();
            if !belongs_there(&name) && !is_on_a_shelf(&name) && !is_aside(&name) {
                found.push(name);
            }
        }
        for below in ["objects/making", "objects/trash", ".milepost/restore"] {
            let entries = fs::read_dir(folder.join(below)).into_iter().flatten();
            for entry in entries {
                let name = entry?.file_name().to_string_lossy().into_owned();
                found.push(format!("{below}/{name}"));
            }
        }
        Ok(found)
    }
}

/// Returns whether it is what a killed archiver was preparing, or, where there are no links, the claim of a killed
/// writer, which uses its name up: no process waits for either.
fn is_on_a_shelf(name: &str) -> bool {
    let name = name.strip_prefix("archive/").unwrap_or(name);
    name.starts_with(".milepost/shelf/")
}

/// Returns whether it is a file that a killed restore had moved aside, and that something else has the place of, or the
/// list of where it was: no restore may remove what its undo does not hold.
fn is_aside(name: &str) -> bool {
    name.starts_with(".milepost/aside/")
}

/// Every line says what all of it is.
fn content(name: &str, number: u8, lines: usize) -> String {
    format!("{name} {number}\n").repeat(lines)
}

fn belongs_there(name: &str) -> bool {
    let is_object = |name: &str| {
        let hex = name.strip_suffix(".list").unwrap_or(name);
        hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let parts: Vec<&str> = name.split('/').collect();
    match parts[..] {
        ["register.json"] | [".gitignore"] | ["archive", ".gitignore"] => true,
        // A hint for listings.
        [".milepost", ".overview"] | ["archive", ".milepost", ".overview"] => true,
        [document] | ["archive", document] => {
            document.starts_with("chk-") && document.ends_with(".yaml")
        }
        [".milepost", "register", "history", entry] => entry.ends_with(".json"),
        ["objects", _, object] => is_object(object),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{ChaosRepository, belongs_there, content, is_aside, is_on_a_shelf};

    #[test]
    fn files_that_a_dead_writer_left_do_not_belong_there() {
        let hex = "0f".repeat(32);
        for name in [
            "register.json".to_owned(),
            "archive/chk-20250126-103000.yaml".to_owned(),
            format!("objects/0f/{hex}"),
            format!("objects/0f/{hex}.list"),
        ] {
            assert!(belongs_there(&name), "{name}");
        }
        for name in [
            format!("objects/making/{hex}/0"),
            format!("objects/trash/{hex}.0f"),
            format!("objects/0f/{hex}.new"),
            ".milepost/restore/0f/0".to_owned(),
            ".milepost/register/lock".to_owned(),
            "chk-20250126-103000.tmp".to_owned(),
        ] {
            assert!(!belongs_there(&name) && !is_on_a_shelf(&name), "{name}");
        }
        let preparing = "archive/.milepost/shelf/0f.new";
        assert!(!belongs_there(preparing) && is_on_a_shelf(preparing));
        let aside = ".milepost/aside/0f/0";
        assert!(!belongs_there(aside) && is_aside(aside));
    }

    #[test]
    fn half_of_a_file_is_torn() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = ChaosRepository {
            root: folder.path().to_owned(),
            spare: folder.path().join("spare"),
        };
        place.put("b.txt", &content("b.txt", 2, 3)).expect("put");
        let files = place.files().expect("read");
        assert_eq!((files.standing, files.torn), (vec![("b.txt", 2)], vec![]));
        for torn in ["", "b.txt 2\n", "b.txt 2\nb.txt 2\nb.txt 1\n"] {
            fs::write(folder.path().join("b.txt"), torn).expect("written");
            assert_eq!(place.files().expect("read").torn.len(), 1, "{torn:?}");
        }
    }
}
