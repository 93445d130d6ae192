//! The facts that a look at a state folder gathers. The checks judge them; nothing here is asked for or written.
//!
//! Paths that are called `below` are relative to the folder of documents.

use std::time::Duration;

use crate::agent::Agent;
use crate::agent::registration::{LineRuns, RegisteredHooks};
use crate::checkpoint::command::document::Changeability;
use crate::effect::{Fault, PathEntry, PathKind};
use crate::error::{Error, Target};
use crate::root::Head;
use crate::store::{Stem, StoreFolder};

use super::fix_step::{PutBack, Remedy};

/// The facts that are known before an examination begins.
#[derive(Clone, Copy, Debug)]
pub struct DoctorInput<'a> {
    /// The folders of snapshots.
    pub sessions: &'a [StoreFolder],
    /// The commands that the project's settings add, or why these cannot be read.
    pub added: &'a Result<Vec<String>, Error>,
    /// The files in which agents may have hooks registered.
    pub settings: &'a [SettingsLocation],
    /// The results of the lines that are registered with agents.
    pub runs: &'a LineRuns,
}

/// A file that an agent reads hooks from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsLocation {
    /// The agent.
    pub agent: Agent,
    /// The file, relative to the root or to `~`.
    pub shown: String,
    /// The file, as the host names it.
    pub host: String,
}

/// Everything that is known of a state folder at one moment.
pub(super) struct StateFolderFacts<'a> {
    pub(super) folder: &'a StoreFolder,
    pub(super) start: &'a InitialFacts,
    /// `None` where there is no folder that could be examined.
    pub(super) inside: Option<Inside>,
    /// The likely secrets, a line for each file.
    pub(super) secrets: Vec<Secret>,
    /// The folders and files that keep their owner out.
    pub(super) closed: Vec<ClosedPath>,
    /// Snapshots that cannot be read.
    pub(super) unread_sessions: Vec<Unread>,
    /// Files that restores have left aside.
    pub(super) asides: Vec<LeftAside>,
    /// The damage of files that remember something beside checkpoints.
    pub(super) registers: Vec<RegisterDamage>,
    /// The files of agents' settings that hooks are registered in.
    pub(super) hooks: Vec<RegisteredSettings>,
    /// The failure to read the project's settings.
    pub(super) wrong_settings: Option<&'a Error>,
    /// Milliseconds since 1970; no number where there is no clock.
    pub(super) now_ms: f64,
}

/// A folder or file of the store whose owner lacks a right that its writers need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClosedPath {
    /// Its path, relative to the root.
    pub(super) shown: String,
    /// Its path, as the host names it.
    pub(super) host: String,
    pub(super) kind: PathKind,
    /// Its permission bits.
    pub(super) mode: u32,
    /// The bits of the owner that are needed and missing.
    pub(super) lacking: u32,
    /// The bits that the store makes it with; `None` where the store did not make it.
    pub(super) made_with: Option<u32>,
}

/// A file of an agent's settings with hooks of ours.
pub(super) struct RegisteredSettings {
    pub(super) agent: Agent,
    /// The file, relative to the root or to `~`.
    pub(super) path: String,
    pub(super) found: RegisteredHooks,
    pub(super) runs: Runs,
    /// The time of an event, where it was measured, or the failure of the registered line, where it was run.
    pub(super) run: Option<Result<Option<Duration>, String>>,
}

/// The programs that hooks run.
pub(super) enum Runs {
    /// The package in this release, or in none that could be read.
    Package(Option<String>),
    /// This file, which is there.
    File,
    /// The program that the PATH of the agent has, which nothing here can look for.
    OnPath,
    /// Nothing: this is not there.
    Nothing(String),
}

/// The likely secrets of one file.
pub(super) struct Secret {
    /// The file, relative to the root.
    pub(super) path: String,
    /// By which rule, of the first one.
    pub(super) rule: &'static str,
    /// The line of the first one.
    pub(super) line: usize,
    /// The number of them.
    pub(super) count: usize,
}

/// A file that cannot be read, or a folder that cannot be listed.
pub(super) struct Unread {
    /// Its path, relative to the root.
    pub(super) path: String,
    /// The failure.
    pub(super) error: Error,
    /// The entry at that path.
    pub(super) entry: PathEntry,
}

/// A file that a restore has moved aside and not put back.
pub(super) struct LeftAside {
    /// Its path now, relative to the root.
    pub(super) shown: String,
    /// Its former path, relative to the root, if anything says it.
    pub(super) path: Option<String>,
    /// The step that puts it back, where nothing stands in its place.
    pub(super) put_back: Option<Box<PutBack>>,
}

/// A task checkpoint whose mark is missing.
pub(super) struct Unmarked {
    /// The index of its task, relative to the root.
    pub(super) path: String,
    /// The mark, relative to the folder of documents.
    pub(super) mark: String,
}

/// The damage of a thread.
pub(super) enum ThreadDamage {
    /// Something of it cannot be read; its id, where that is known.
    Unread(Unread, Option<String>),
    /// A loss of power took changes that did not wait for the disk.
    Lossy {
        /// The journal, relative to the root.
        path: String,
        /// The thread.
        id: String,
        /// At least so many acknowledged changes.
        lines: usize,
    },
}

/// The damage of a file that remembers something beside checkpoints.
pub(super) enum RegisterDamage {
    /// It cannot be read, and has a history.
    Unread(Unread),
    /// It is gone though its history is there: its path, relative to the root.
    Gone(String),
    /// A record of a session, which counts as none; relative to the folder of documents.
    Record(String),
}

/// The facts that are gathered once.
pub(super) struct InitialFacts {
    pub(super) head: Head,
    pub(super) access: FolderAccess,
}

/// The access to the folder of the documents.
pub(super) enum FolderAccess {
    /// Blocked by this part, which is no folder.
    Blocked(String, PathKind),
    /// No folder: nothing was saved yet.
    Missing,
    /// A state folder, and what trying its file system showed, if that was done.
    Open(StateFolder, Option<Vec<TrialResult>>),
}

/// A state folder that is there.
#[derive(Clone, Copy)]
pub(super) struct StateFolder {
    /// Set where the store has written to it.
    pub(super) has_side: bool,
    /// The permission bits of the state folder and of the side folder.
    pub(super) modes: [Option<u32>; 2],
}

/// A result of the file system's trial.
pub(super) enum TrialResult {
    /// No folder can be made in this one, for the host's reason.
    Unwritable(&'static str, String),
    /// It does not do what the store rests on.
    Unfit(String),
    /// There is no room to try it in, for the host's reason.
    Full(String),
    /// It lacks something that the store does without.
    Lacks(FileSystemLack),
    /// No file can be renamed into the state folder, for the host's reason.
    Closed(String),
    /// The folder of the trial was removed by another program.
    Interrupted,
    /// A file or folder of the trial cannot be removed, for the host's reason.
    Stays(String, Remedy, String),
}

/// A feature that the file system lacks and the store can do without.
#[derive(Clone, Copy)]
pub(super) enum FileSystemLack {
    SecondNames,
    FolderSync,
    Case,
}

/// The contents of a state folder.
#[derive(Default)]
pub(super) struct Inside {
    /// The place of the `.gitignore` that is needed, and what was read there; `None` where one
    /// ignores everything.
    pub(super) ignore: Option<(String, Result<Vec<u8>, Fault>)>,
    /// The state files that git tracks, or why that is unknown.
    pub(super) tracked: Option<Result<Vec<String>, String>>,
    pub(super) checkpoints: Vec<ExaminedRun>,
    /// The parts of tasks that cannot be read.
    pub(super) unread_tasks: Vec<Unread>,
    /// Task checkpoints that are not found by their ids without a look at all tasks.
    pub(super) unmarked_tasks: Vec<Unmarked>,
    /// The damage of threads.
    pub(super) threads: Vec<ThreadDamage>,
    pub(super) side_files: SideFiles,
}

/// A checkpoint that is stored under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredRun {
    pub(super) target: Target,
    pub(super) stem: Stem,
}

/// A checkpoint that was read, or could not be.
pub(super) struct ExaminedRun {
    pub(super) listed: StoredRun,
    pub(super) read: Read,
    pub(super) history: HistoryFacts,
}

pub(super) enum Read {
    Document(DocumentFacts),
    /// The failure, and the entry in its place.
    Failed(Error, PathEntry),
    /// It is gone, it is one of the files beside the documents, or the host cannot look.
    Nothing,
}

/// The content of a document.
pub(super) struct DocumentFacts {
    pub(super) revision: u64,
    /// Set where it was changed by hand.
    pub(super) is_edited: bool,
    /// The number of problems that the schema has with it.
    pub(super) problems: usize,
    /// The changes that it takes with them.
    pub(super) changeability: Changeability,
    pub(super) updated_ms: Option<f64>,
    /// The members that name another checkpoint than its file.
    pub(super) contradictions: Vec<&'static str>,
    /// The agents whose hooks changed it, each with when one of them did last, in ms.
    pub(super) heard: Vec<(Agent, f64)>,
    /// The stem where it belongs by its own content.
    pub(super) belongs: Option<Stem>,
}

#[derive(Default)]
pub(super) struct HistoryFacts {
    /// The revisions that it can go back to.
    pub(super) kept: HistoryState,
    /// The damage of single revisions.
    pub(super) wrong: Vec<(u64, Wrong)>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum HistoryState {
    /// Nothing.
    #[default]
    Nothing,
    /// At least one revision that is whole.
    Good,
    /// Something of the history could not be listed or read.
    Unknown,
}

/// The damage of a revision.
pub(super) enum Wrong {
    /// Its bytes are not those that were recorded; the path of its file.
    Altered(String),
    /// It cannot be read.
    Unreadable(Error),
}

/// The files beside the documents.
#[derive(Default)]
pub(super) struct SideFiles {
    /// The entries of another kind than belongs there, such as a folder in the place of a file.
    pub(super) misplaced: Vec<(String, PathKind)>,
    /// The places that cannot be listed or looked at, each as a sentence.
    pub(super) unlisted: Vec<String>,
    pub(super) crowds: Vec<Crowd>,
    /// Folders with names that the store does not make.
    pub(super) strays: Vec<(String, Vec<String>)>,
    pub(super) leftovers: Vec<Leftover>,
    /// Copies of corrupt documents.
    pub(super) quarantined: Vec<String>,
    /// The checkpoints that have a history.
    pub(super) recorded: Vec<StoredRun>,
}

/// A folder with more names than the store makes.
pub(super) struct Crowd {
    pub(super) below: String,
    pub(super) limit: u32,
    /// Patterns of the names that belong to others.
    pub(super) kept: &'static [&'static str],
}

/// A file that an interrupted program left.
pub(super) enum Leftover {
    /// A writer's file.
    Unfinished(String),
    /// A writer's sign that it waits.
    Waiting(String),
    /// A writer's lock, which holds this.
    Lock(String, Vec<u8>),
    /// A file or folder of an examination.
    Trial(String, Remedy),
}
