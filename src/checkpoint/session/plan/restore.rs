//! The plan of a restore: which paths would be touched, how, in which order, and whether it may be done.

use super::change::{PathAction, PlannedChange, RestoreRefusal, RestoreStep, Unrestorable};
use super::fact::{
    Bytes, ContentKind, EntryState, FactSource, FolderMode, Heads, Keeping, NameComparison,
    PathContent, Present, RecordedPath, octal,
};
use super::obstacle;
use super::path::problem;
use super::steps::steps;
use super::verify::{FileVerdict, answer};
use crate::digest::digest;
use crate::str_map::{StrMap, StrSet, order};

/// The facts that a plan is made from.
#[derive(Clone, Debug)]
pub struct RestoreFacts<'a> {
    /// The recorded state to bring back.
    pub recorded: &'a [RecordedPath<'a>],
    /// The present state.
    pub present: &'a [Present<'a>],
    /// The modes of folders on the way to what is recorded.
    pub folders: &'a [FolderMode<'a>],
    /// The commits that were, and are, checked out.
    pub heads: Heads<'a>,
    /// The product's own folders, relative to the root.
    pub own: &'a [&'a str],
    /// The way in which the file system compares names.
    pub names: NameComparison,
}

/// The user's consent given in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent<'a> {
    /// To losing the present content of these paths, for good; mostly of none.
    Paths(&'a [&'a str]),
    /// To losing any present content, and to another commit: what the checkpoint itself holds is restored.
    Force,
}

/// The changes that a restore would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestorePlan<'a> {
    /// A digest over all of the plan and of what it begins with, so that this very plan can be asked for.
    pub id: String,
    /// Every path that would be touched, sorted by its bytes.
    pub changes: Vec<PlannedChange<'a>>,
    /// The folders that stand and get other permission bits, sorted by their bytes.
    pub folders: Vec<FolderMode<'a>>,
    /// The changes as steps, with the folders that come and go with them.
    pub steps: Vec<RestoreStep<'a>>,
    /// Paths that differ from the checkpoint and cannot be restored.
    pub left: Vec<Unrestorable<'a>>,
    /// The reasons why it must not be done; where there is one, nothing is touched.
    pub refusals: Vec<RestoreRefusal<'a>>,
}

impl RestorePlan<'_> {
    /// Returns whether the files that are within reach are as recorded already.
    pub fn is_nothing(&self) -> bool {
        self.changes.is_empty() && self.folders.is_empty()
    }
}

impl<'a> RestoreFacts<'a> {
    fn present_by_path(&self) -> StrMap<'a, &'a Present<'a>> {
        self.present.iter().map(|it| (it.path, it)).collect()
    }

    /// The recorded paths that can be restored, sorted: the content in another commit is not the checkpoint's.
    fn within_reach(&self) -> impl Iterator<Item = &'a RecordedPath<'a>> {
        let has_moved = self.heads.have_moved();
        let paths: Vec<&str> = self.recorded.iter().map(|it| it.path).collect();
        let recorded = self.recorded;
        let sorted = order(&paths).into_iter().map(move |at| &recorded[at]);
        sorted.filter(move |it| !has_moved || it.source != FactSource::Head)
    }
}

/// The present files that a plan would overwrite or delete, sorted, with their sizes. The plan is made once it is known
/// of each whether an undo can keep it.
pub fn replaced_files<'a>(facts: &RestoreFacts<'a>) -> Vec<(&'a str, u64)> {
    let present = facts.present_by_path();
    let replaced = facts.within_reach().filter_map(|recorded| {
        let state = &present.get(recorded.path)?.state;
        let EntryState::Content(content) = state else {
            return None;
        };
        let is_left = matches!(recorded.bytes, Bytes::LeftOut(_))
            || problem(recorded.path, facts.own).is_some()
            || answer(recorded, Some(state)) == FileVerdict::Same;
        let act = act(recorded.content.as_ref(), Some(state));
        let is_replaced = matches!(act, PathAction::Write(_) | PathAction::Delete);
        let is_file = content.kind == ContentKind::File;
        (is_file && is_replaced && !is_left).then_some((recorded.path, content.size))
    });
    replaced.collect()
}

/// Makes the plan.
pub fn plan<'a>(facts: &RestoreFacts<'a>, consent: Consent<'_>) -> RestorePlan<'a> {
    let present = facts.present_by_path();
    let mut draft = PlanDraft::default();
    if facts.heads.have_moved() && consent != Consent::Force {
        draft.refusals.push(RestoreRefusal::HeadMoved {
            recorded: facts.heads.recorded,
            present: facts.heads.present,
        });
    }
    let agreed: StrSet<'_> = match consent {
        Consent::Paths(paths) => paths.iter().copied().collect(),
        Consent::Force => StrSet::default(),
    };
    for recorded in facts.within_reach() {
        let may_lose = consent == Consent::Force || agreed.contains(recorded.path);
        let found = present.get(recorded.path).copied();
        draft.add(recorded, found, facts.own, may_lose);
    }
    let in_the_way = obstacle::refusals(&draft.changes, facts.present, facts.names);
    draft.refusals.extend(in_the_way);
    let own = facts.own;
    let folders = facts.folders.iter();
    let folders: Vec<FolderMode<'a>> = folders
        .filter(|it| problem(it.path, own).is_none())
        .copied()
        .collect();
    let steps = steps(&draft.changes, facts.present, &folders);
    draft.folders = folders;
    draft.folders.retain(FolderMode::differs);
    RestorePlan {
        id: digest(&[draft.lines(facts, &present).as_bytes()]),
        steps,
        changes: draft.changes,
        folders: draft.folders,
        left: draft.left,
        refusals: draft.refusals,
    }
}

/// A plan while it is made.
#[derive(Default)]
struct PlanDraft<'a> {
    changes: Vec<PlannedChange<'a>>,
    folders: Vec<FolderMode<'a>>,
    left: Vec<Unrestorable<'a>>,
    refusals: Vec<RestoreRefusal<'a>>,
}

impl<'a> PlanDraft<'a> {
    fn add(
        &mut self,
        recorded: &RecordedPath<'a>,
        present: Option<&Present<'a>>,
        own: &[&str],
        may_lose: bool,
    ) {
        let path = recorded.path;
        match (problem(path, own), recorded.source) {
            (None, _) => {}
            // It stays unchanged, under any name.
            (Some(_), FactSource::Snapshot) if matches!(recorded.bytes, Bytes::LeftOut(_)) => {}
            // A checkpoint that this product made has no path of anyone else's.
            (Some(why), FactSource::Snapshot) => {
                return self.refusals.push(RestoreRefusal::Unsafe(path, why));
            }
            (Some(why), FactSource::Head) => {
                let why = why.as_str();
                return self.left.push(Unrestorable { path, why });
            }
        }
        let state = present.map(|it| &it.state);
        let answer = answer(recorded, state);
        if answer == FileVerdict::Same {
            return;
        }
        match (&recorded.bytes, recorded.content.is_some()) {
            (Bytes::LeftOut(why), _) => return self.left.push(Unrestorable { path, why }),
            (Bytes::Lost(why), true) => self.refusals.push(RestoreRefusal::Lost(path, why)),
            _ => {}
        }
        match state {
            Some(EntryState::Special) => self.refusals.push(RestoreRefusal::Special(path)),
            Some(EntryState::Unreadable(why)) => {
                self.refusals.push(RestoreRefusal::Unreadable(path, why));
            }
            _ => {}
        }
        if let Some(Present {
            state: EntryState::Content(_),
            keeping: Keeping::Excluded(why),
            ..
        }) = present
            && !may_lose
        {
            self.refusals.push(RestoreRefusal::NotKept(path, why));
        }
        self.changes.push(PlannedChange {
            path,
            act: act(recorded.content.as_ref(), state),
            answer,
        });
    }

    /// The lines that the id stands for: one for each fact. A path comes with its length, so that
    /// no path can look like another line.
    fn lines(&self, facts: &RestoreFacts<'_>, present: &StrMap<'_, &Present<'_>>) -> String {
        let mut lines = "restore 1\n".to_owned();
        let mut add = |parts: &[&str]| {
            for part in parts {
                lines.push_str(&part.len().to_string());
                lines.push(':');
                lines.push_str(part);
                lines.push(' ');
            }
            lines.push('\n');
        };
        for head in [facts.heads.recorded, facts.heads.present] {
            add(&["head", head.unwrap_or("-")]);
        }
        for change in &self.changes {
            let now = match present.get(change.path).map(|it| &it.state) {
                Some(EntryState::Content(content)) => line_of(content),
                Some(EntryState::Folder) => "folder".to_owned(),
                Some(EntryState::Unreadable(_)) => "unreadable".to_owned(),
                Some(EntryState::Special) => "special".to_owned(),
                None => "absent".to_owned(),
            };
            let act = match &change.act {
                PathAction::Delete => "delete".to_owned(),
                PathAction::Write(content) => ["write ", &line_of(content)].concat(),
                PathAction::SetMode(true) => "executable".to_owned(),
                PathAction::SetMode(false) => "not executable".to_owned(),
                PathAction::SetPermissions(bits) => octal(*bits),
            };
            let answer = change.answer.as_str();
            add(&["change", change.path, &act, &now, answer]);
        }
        for folder in &self.folders {
            let now = folder.present.map(octal).unwrap_or_default();
            add(&["folder", folder.path, &octal(folder.recorded), &now]);
        }
        for left in &self.left {
            add(&["left", left.path, left.why]);
        }
        for refusal in &self.refusals {
            let (kind, path, more) = match *refusal {
                // It says what the two lines at the top say.
                RestoreRefusal::HeadMoved { .. } => ("head moved", "", ""),
                RestoreRefusal::Unsafe(path, why) => ("unsafe", path, why.as_str()),
                RestoreRefusal::NotKept(path, why) => ("not kept", path, why),
                RestoreRefusal::Lost(path, why) => ("lost", path, why),
                RestoreRefusal::Unreadable(path, why) => ("unreadable", path, why),
                RestoreRefusal::Special(path) => ("special", path, ""),
                RestoreRefusal::InTheWay(path, by) => ("in the way", path, by),
                RestoreRefusal::Collides(path, with) => ("collides", path, with),
            };
            add(&["refused", kind, path, more]);
        }
        lines
    }
}

fn act(recorded: Option<&PathContent>, state: Option<&EntryState<'_>>) -> PathAction {
    match (recorded, state) {
        (None, _) => PathAction::Delete,
        (Some(recorded), Some(EntryState::Content(now))) if now.has_bytes_of(recorded) => {
            match recorded.permissions {
                Some(bits) => PathAction::SetPermissions(bits),
                None => PathAction::SetMode(recorded.is_executable == Some(true)),
            }
        }
        (Some(recorded), _) => PathAction::Write(recorded.clone()),
    }
}

fn line_of(content: &PathContent) -> String {
    let kind = match (content.kind, content.is_executable) {
        (ContentKind::Link, _) => "link ",
        (ContentKind::File, None) => "file ",
        (ContentKind::File, Some(false)) => "plain ",
        (ContentKind::File, Some(true)) => "executable ",
    };
    let size = content.size.to_string();
    let mode = content.permissions.map(|bits| octal(bits) + " ");
    let mode = mode.unwrap_or_default();
    [kind, &mode, &size, " ", &content.sha256].concat()
}

#[cfg(test)]
#[path = "restore_tests.rs"]
mod tests;
