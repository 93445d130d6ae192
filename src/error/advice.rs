//! The advice after a failure, as data: a command line and a package say it in words of theirs.

use crate::json::{Json, Object};
use crate::schema::{ArgumentMember, ArgumentMembers, Kind, Shape, Shaped};
use crate::text::visible;

/// The name of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "CheckpointName")]
pub struct Target {
    /// Its command.
    pub command: String,
    /// Its feature, if it has one.
    pub feature: Option<String>,
}

/// The checkpoint.
#[derive(ArgumentMembers)]
struct TargetArguments {
    /// The command, such as `design`.
    command: String,
    /// The feature, if the checkpoint belongs to one.
    feature: Option<String>,
}

/// Arguments name a checkpoint in words of their own.
impl<'a> ArgumentMembers<'a> for Target {
    const SHAPE: Shape = <TargetArguments as ArgumentMembers<'a>>::SHAPE;

    fn read(object: &'a Object) -> Self {
        let TargetArguments { command, feature } = ArgumentMembers::read(object);
        Target { command, feature }
    }
}

impl<'a> ArgumentMember<'a> for Target {
    const KIND: Kind = Kind::Object(&<Target as ArgumentMembers<'a>>::SHAPE);

    fn read(value: Option<&'a Json>) -> Self {
        let object = value.and_then(Json::as_object);
        ArgumentMembers::read(object.unwrap_or(Object::empty()))
    }
}

impl Target {
    /// Returns the name of the checkpoint in sentences, safe to show.
    pub fn title(&self) -> String {
        let title = match &self.feature {
            Some(feature) => format!("{} (feature {feature})", self.command),
            None => self.command.clone(),
        };
        visible(&title).into_owned()
    }

    /// The checkpoint of another feature.
    pub fn of_feature(&self, feature: &str) -> Target {
        Target {
            command: self.command.clone(),
            feature: Some(feature.to_owned()),
        }
    }
}

/// The things that a caller can do about a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Advice {
    /// Bring the checkpoint back from its history.
    Recover(Target),
    /// Go back to the revision before.
    Undo(Target),
    /// Go back to the revision before, or bring back the last one that can be changed.
    Restore(Target),
    /// Look which revisions of the checkpoint are kept.
    Log(Target),
    /// Read the checkpoint as it is now, and change that.
    Show(Target),
    /// Do the phases that are still to be done, or complete the checkpoint without them.
    Complete(Target),
    /// Examine the state folder.
    Doctor,
    /// Name the root.
    NameRoot,
    /// Name another root than the one that the caller gave.
    CheckRoot,
    /// Give the environment variable `GIT_ROOT` another value, or none.
    CheckGitRoot,
    /// Name the folder of checkpoints that a symbolic link leads to, or put a folder in its place.
    NameDir,
    /// Allow a restore to lose the present content of the file that the message names, or of any.
    AllowLoss,
    /// Have a restore write onto another commit than that of the snapshot.
    ForceRestore,
    /// Remove the cause that the message names, and restore again.
    RemoveCause,
    /// Put the index of a task back from a backup, or delete the task of this id, where that is known.
    DeleteTask(Option<String>),
    /// Put what is stored of a thread back from a backup, or delete the thread of this id, where that is known.
    DeleteThread(Option<String>),
    /// Bring the thread of this id back as far as it can be read, where the id is known.
    RecoverThread(Option<String>),
}

impl Advice {
    /// Every kind of advice as programs see it, in the order above.
    pub const NAMES: [&str; 17] = [
        "recover",
        "undo",
        "restore",
        "log",
        "show",
        "complete",
        "doctor",
        "name_root",
        "check_root",
        "check_git_root",
        "name_dir",
        "allow_loss",
        "force_restore",
        "remove_cause",
        "delete_task",
        "delete_thread",
        "recover_thread",
    ];

    /// The advice as programs see it, such as `recover`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Advice::Recover(_) => "recover",
            Advice::Undo(_) => "undo",
            Advice::Restore(_) => "restore",
            Advice::Log(_) => "log",
            Advice::Show(_) => "show",
            Advice::Complete(_) => "complete",
            Advice::Doctor => "doctor",
            Advice::NameRoot => "name_root",
            Advice::CheckRoot => "check_root",
            Advice::CheckGitRoot => "check_git_root",
            Advice::NameDir => "name_dir",
            Advice::AllowLoss => "allow_loss",
            Advice::ForceRestore => "force_restore",
            Advice::RemoveCause => "remove_cause",
            Advice::DeleteTask(_) => "delete_task",
            Advice::DeleteThread(_) => "delete_thread",
            Advice::RecoverThread(_) => "recover_thread",
        }
    }

    /// Returns whether `change` changes a name in it.
    pub(super) fn has(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> bool {
        let feature = self.target().and_then(|target| target.feature.as_deref());
        feature.is_some_and(|feature| change(feature).is_some())
    }

    /// The checkpoint that it is about, if it is about one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Advice::Recover(target)
            | Advice::Undo(target)
            | Advice::Restore(target)
            | Advice::Log(target)
            | Advice::Show(target)
            | Advice::Complete(target) => Some(target),
            Advice::Doctor
            | Advice::NameRoot
            | Advice::CheckRoot
            | Advice::CheckGitRoot
            | Advice::NameDir => None,
            Advice::AllowLoss | Advice::ForceRestore | Advice::RemoveCause => None,
            Advice::DeleteTask(_) | Advice::DeleteThread(_) | Advice::RecoverThread(_) => None,
        }
    }
}
