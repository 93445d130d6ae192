//! The findings of an examination.

use super::fix_step::{FixStep, FixStepMembers, Remedy};
use crate::schema::{Kind, Shaped};

/// The checks of an examination, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Shaped)]
pub enum Check {
    /// Every part on the way to the documents is a folder of its own.
    Folder,
    /// The file system keeps what the commit protocol rests on.
    FileSystem,
    /// The state folder is readable for its owner alone.
    Modes,
    /// Git ignores the state folder.
    Ignored,
    /// Git tracks no file of it.
    Tracked,
    /// Nothing stored looks like a secret.
    Secrets,
    /// Every document is stored under its own name.
    Names,
    /// Every document can be read.
    Documents,
    /// Every document keeps the schema.
    Schema,
    /// The history holds what was recorded.
    History,
    /// Every snapshot can be read.
    Sessions,
    /// No restore has left a file aside.
    Aside,
    /// Every task checkpoint can be read, and found by its id.
    Tasks,
    /// Every thread can be read, and lost nothing.
    Threads,
    /// The files that remember something beside checkpoints can be read.
    Registers,
    /// Copies of corrupt documents.
    Quarantine,
    /// The files that dead writers have left.
    Leftovers,
    /// The files that this store did not make.
    Strays,
    /// The clock agrees with the documents.
    Clock,
    /// HEAD can be read.
    Repository,
    /// The project's settings can be read, and keep their schema.
    Settings,
    /// The hooks that are registered with coding agents are complete, and run something.
    Hooks,
}

impl Check {
    /// Every check, in the order of the report.
    pub const ALL: [Check; 22] = [
        Check::Folder,
        Check::FileSystem,
        Check::Modes,
        Check::Ignored,
        Check::Tracked,
        Check::Secrets,
        Check::Names,
        Check::Documents,
        Check::Schema,
        Check::History,
        Check::Sessions,
        Check::Aside,
        Check::Tasks,
        Check::Threads,
        Check::Registers,
        Check::Quarantine,
        Check::Leftovers,
        Check::Strays,
        Check::Clock,
        Check::Repository,
        Check::Settings,
        Check::Hooks,
    ];
}

/// The weight of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Shaped)]
pub enum Level {
    /// Nothing is wrong.
    Ok,
    /// Worth knowing; nothing to fix.
    Note,
    /// To be fixed before it does harm.
    Warning,
    /// Reads or writes fail.
    Error,
}

/// One thing that an examination found.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct Finding {
    /// The check, such as `modes`.
    #[shape(kind = Kind::String)]
    pub check: Check,
    /// Its weight.
    pub level: Level,
    /// The location, relative to the root.
    #[shape(left_out)]
    pub path: Option<String>,
    /// The result.
    pub found: String,
    /// Why it matters.
    #[shape(left_out)]
    pub why: Option<&'static str>,
    /// The steps that fix it, in their order; absent where none is known.
    #[shape(name = "mend", left_out, into = FixStepMembers)]
    pub fix_steps: Vec<FixStep>,
    /// True if it was fixed just now.
    #[shape(name = "mended", left_out)]
    pub is_fixed: bool,
    /// Set where a live writer can cause it for a moment.
    #[shape(skip)]
    pub(super) is_fleeting: bool,
    #[shape(skip)]
    pub(super) remedy: Option<Remedy>,
}

impl Finding {
    /// Makes a finding; an empty path or reason stands for none.
    pub(crate) fn new(
        check: Check,
        level: Level,
        path: &str,
        found: &str,
        why: &'static str,
    ) -> Self {
        Finding {
            check,
            level,
            path: (!path.is_empty()).then(|| path.to_owned()),
            found: found.to_owned(),
            why: (!why.is_empty()).then_some(why),
            fix_steps: Vec::new(),
            is_fixed: false,
            is_fleeting: false,
            remedy: None,
        }
    }

    /// Sets the steps that fix it.
    pub(super) fn fixed_by(&mut self, steps: impl Into<Vec<FixStep>>) -> &mut Self {
        self.fix_steps = steps.into();
        self
    }

    /// Sets the remedy that an examination with leave to fix applies.
    pub(super) fn with(&mut self, remedy: Remedy) -> &mut Self {
        self.remedy = Some(remedy);
        self
    }

    /// It counts only if it is found again after a while.
    pub(super) fn fleeting(&mut self) -> &mut Self {
        self.is_fleeting = true;
        self
    }

    /// The key that distinguishes it from every other finding.
    pub(super) fn identity(&self) -> String {
        let path = self.path.as_deref().unwrap_or_default();
        format!("{}\n{path}\n{}", self.check.as_str(), self.found)
    }

    /// Returns whether it is still to be fixed by the user.
    pub fn is_wrong(&self) -> bool {
        self.level >= Level::Warning && !self.is_fixed
    }
}

/// The findings so far. Everything is added through one function, which is called in many places.
#[derive(Debug)]
pub(super) struct Report {
    /// The current check.
    pub(super) check: Check,
    pub(super) findings: Vec<Finding>,
}

impl Report {
    pub(super) fn new() -> Self {
        Report {
            check: Check::Folder,
            findings: Vec::new(),
        }
    }

    /// Adds a finding; an empty path or reason stands for none.
    #[inline(never)]
    pub(super) fn add(
        &mut self,
        level: Level,
        path: &str,
        found: &str,
        why: &'static str,
    ) -> &mut Finding {
        let finding = Finding::new(self.check, level, path, found, why);
        self.findings.push_mut(finding)
    }
}
