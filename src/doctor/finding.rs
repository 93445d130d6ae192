//! What an examination says.

use crate::json::{Json, Object};

/// What is examined, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// That every part on the way to the documents is a folder of its own.
    Folder,
    /// That the file system keeps what the commit protocol rests on.
    FileSystem,
    /// That nobody else can read the state folder.
    Modes,
    /// That git ignores the state folder.
    Ignored,
    /// That git tracks no file of it.
    Tracked,
    /// That every document is stored under its own name.
    Names,
    /// That every document can be read.
    Documents,
    /// That every document keeps the schema.
    Schema,
    /// That the history holds what was recorded.
    History,
    /// Copies of corrupt documents.
    Quarantine,
    /// What writers that died have left.
    Leftovers,
    /// What this store did not make.
    Strays,
    /// That the clock agrees with the documents.
    Clock,
    /// That HEAD can be read.
    Repository,
}

impl Check {
    /// Every check, in the order of the report.
    pub const ALL: [Check; 14] = [
        Check::Folder,
        Check::FileSystem,
        Check::Modes,
        Check::Ignored,
        Check::Tracked,
        Check::Names,
        Check::Documents,
        Check::Schema,
        Check::History,
        Check::Quarantine,
        Check::Leftovers,
        Check::Strays,
        Check::Clock,
        Check::Repository,
    ];

    /// The check as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Check::Folder => "folder",
            Check::FileSystem => "file_system",
            Check::Modes => "modes",
            Check::Ignored => "ignored",
            Check::Tracked => "tracked",
            Check::Names => "names",
            Check::Documents => "documents",
            Check::Schema => "schema",
            Check::History => "history",
            Check::Quarantine => "quarantine",
            Check::Leftovers => "leftovers",
            Check::Strays => "strays",
            Check::Clock => "clock",
            Check::Repository => "repository",
        }
    }

    /// What is found where nothing is wrong.
    pub(super) fn sound(self) -> &'static str {
        match self {
            Check::Folder => "Every part of the store is a file or folder of its own",
            Check::FileSystem => {
                "Exclusive creation, renaming over a file, a second name, listing and fsync work"
            }
            Check::Modes => "Nobody else can read the state folder",
            Check::Ignored => "Git ignores everything in the state folder",
            Check::Tracked => "Git tracks no file of the state folder",
            Check::Names => "Every checkpoint is stored under its own name",
            Check::Documents => "Every checkpoint can be read",
            Check::Schema => "Every checkpoint keeps the schema",
            Check::History => "Every kept revision is as it was recorded",
            Check::Quarantine => "There is no copy of a corrupt checkpoint",
            Check::Leftovers => "No writer has left anything behind",
            Check::Strays => "Nothing lies there that does not belong there",
            Check::Clock => "The clock agrees with the checkpoints",
            Check::Repository => "HEAD can be read",
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing is wrong.
    Ok,
    /// Worth knowing; nothing to mend.
    Note,
    /// To be mended before it does harm.
    Warning,
    /// Reading or writing fails.
    Error,
}

impl Level {
    /// The level as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// One thing that an examination found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was examined.
    pub check: Check,
    /// How much it matters.
    pub level: Level,
    /// Where, relative to the root with `/`.
    pub path: Option<String>,
    /// What was found.
    pub found: String,
    /// Why it matters; `None` where nothing is wrong.
    pub why: Option<&'static str>,
    /// The command that mends it, to be run in the root.
    pub mend: Option<String>,
    /// Whether it was mended just now.
    pub mended: bool,
    /// Whether a writer at work can be the cause, for a moment.
    pub(super) is_fleeting: bool,
    pub(super) remedy: Option<Remedy>,
}

/// What mends a finding without a risk. Paths are relative to the folder of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Take access from everybody but the owner.
    Restrict(String),
    /// Have git ignore what lies in a folder.
    Ignore(String),
    /// Remove a file that a writer left.
    Remove(String),
    /// Remove a lock that still holds these bytes.
    Unlock(String, Vec<u8>),
    /// Remove the folder of an examination that was stopped.
    RemoveProbe(String),
}

impl Finding {
    /// The command that mends it.
    pub(super) fn mended_by(&mut self, command: String) -> &mut Self {
        self.mend = Some(command);
        self
    }

    /// Mended by an examination that may mend.
    pub(super) fn with(&mut self, remedy: Remedy) -> &mut Self {
        self.remedy = Some(remedy);
        self
    }

    /// It counts only if it is found again after a while.
    pub(super) fn fleeting(&mut self) -> &mut Self {
        self.is_fleeting = true;
        self
    }

    /// What tells it from every other finding.
    pub(super) fn identity(&self) -> String {
        let path = self.path.as_deref().unwrap_or_default();
        format!("{}\n{path}\n{}", self.check.as_str(), self.found)
    }

    /// Whether somebody has to mend it still.
    pub fn is_wrong(&self) -> bool {
        self.level >= Level::Warning && !self.mended
    }
}

/// The findings so far. Everything is told through one function, which is called in many places.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
}

impl Report {
    /// Adds a finding; an empty path or reason is none.
    #[inline(never)]
    pub(super) fn tell(
        &mut self,
        check: Check,
        level: Level,
        path: &str,
        found: &str,
        why: &'static str,
    ) -> &mut Finding {
        self.findings.push_mut(Finding {
            check,
            level,
            path: (!path.is_empty()).then(|| path.to_owned()),
            found: found.to_owned(),
            why: (!why.is_empty()).then_some(why),
            mend: None,
            mended: false,
            is_fleeting: false,
            remedy: None,
        })
    }
}

impl From<Finding> for Json {
    fn from(finding: Finding) -> Self {
        let mut object = Object::new()
            .with("check", finding.check.as_str())
            .with("level", finding.level.as_str());
        let members = [
            ("path", finding.path),
            ("found", Some(finding.found)),
            ("why", finding.why.map(str::to_owned)),
            ("mend", finding.mend),
        ];
        for (key, text) in members {
            if let Some(text) = text {
                object.set(key, text);
            }
        }
        if finding.mended {
            object.set("mended", true);
        }
        object.into()
    }
}

/// A word of a command, as a POSIX shell takes it.
pub(super) fn word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/@%+=:,".contains(&byte);
    match text.bytes().all(is_plain) && !text.starts_with('-') && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// The command that moves away what stands in the way, whatever it is. No checkpoint can have a name
/// with `~` in it.
pub(super) fn aside(path: &str) -> String {
    format!("mv {} {}", word(path), word(&format!("{path}~")))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_path_in_a_command_is_one_word_of_the_shell() {
        for (path, expected) in [
            (".claude/state/design-a.json", ".claude/state/design-a.json"),
            ("my state/a", "'my state/a'"),
            ("it's", r"'it'\''s'"),
            ("$(reboot)", "'$(reboot)'"),
            ("-rf", "'-rf'"),
            ("", "''"),
        ] {
            assert_eq!(word(path), expected);
        }
    }
}
