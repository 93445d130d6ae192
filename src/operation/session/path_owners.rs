//! The authors of the changes since a moment, path by path.

use std::collections::BTreeMap;

use crate::checkpoint::session::plan::fact::{ContentKind, EntryState, PathContent, Present};
use crate::checkpoint::session::turns::{PathOwner, StateKey, TimelineMoment, TurnTimeline};
use crate::effect::Io;
use crate::str_map::StrMap;
use crate::worktree::report::Note;

use super::compared::SnapshotComparison;
use super::moments::TurnMoment;

/// Equal texts are equal contents.
fn key_of(content: Option<&PathContent>) -> String {
    let Some(content) = content else {
        return "absent".to_owned();
    };
    let kind = match (content.kind, content.is_executable) {
        (ContentKind::Link, _) => "link ",
        (ContentKind::File, Some(true)) => "executable ",
        (ContentKind::File, _) => "file ",
    };
    [kind, &content.sha256].concat()
}

/// The states of some paths, as they are compared.
pub(super) struct PathStates<'a> {
    paths: &'a [&'a str],
    /// Of each commit, the key of each path.
    at_commits: BTreeMap<Option<&'a str>, Vec<StateKey>>,
    present: Vec<StateKey>,
}

impl<'a> PathStates<'a> {
    /// Those of paths at some moments and now.
    pub(super) async fn new(
        io: &Io,
        compared: &SnapshotComparison,
        moments: &'a [TurnMoment],
        present_head: Option<&'a str>,
        paths: &'a [&'a str],
    ) -> Self {
        let facts = compared.facts.present();
        let standing: StrMap<'_, &Present<'_>> = facts.iter().map(|it| (it.path, it)).collect();
        let mut at_commits: BTreeMap<Option<&str>, Vec<StateKey>> = BTreeMap::new();
        for head in moments.iter().map(TurnMoment::head).chain([present_head]) {
            at_commits.entry(head).or_default();
        }
        let is_one = at_commits.len() == 1;
        // Where git said what differs, the index was not read: of what does not differ, it is unknown what HEAD has.
        let has_index = !compared.notes.contains(&Note::GitStatus);
        let of_scan = |path: &str| {
            let is_gone = !standing.contains(path) && !compared.is_excluded(path);
            let is_known = has_index || compared.differs(path) || is_gone;
            is_known.then(|| match compared.is_at_head(path) {
                true => "as in HEAD".to_owned(),
                false => key_of(None),
            })
        };
        for (head, keys) in &mut at_commits {
            *keys = match head {
                // Where HEAD has not moved, its contents need not be read.
                _ if is_one && has_index => paths.iter().map(|path| of_scan(path)).collect(),
                Some(commit) => {
                    let read = compared.contents_at(io, commit, paths).await;
                    let read = read.into_iter().zip(paths);
                    let keys = read.map(|(content, path)| match content {
                        Ok(content) => Some(key_of(content.as_ref())),
                        Err(_) if is_one => of_scan(path),
                        Err(_) => None,
                    });
                    keys.collect()
                }
                None => vec![Some(key_of(None)); paths.len()],
            };
        }
        let of_head = &at_commits[&present_head];
        let is_at_head = |at: usize| match &of_head[at] {
            Some(key) => !Self::is_absent(key),
            None => false,
        };
        // An excluded path was not compared with HEAD.
        let differs = |path: &str| compared.differs(path) || compared.is_excluded(path);
        let present = paths.iter().enumerate().map(|(at, path)| {
            let Some(present) = standing.get(path) else {
                // Nothing stands there, or what HEAD has.
                return match differs(path) {
                    true => Some(key_of(None)),
                    false => of_head[at].clone(),
                };
            };
            match &present.state {
                EntryState::Content(_) if !differs(path) && is_at_head(at) => of_head[at].clone(),
                // It was too large to be read.
                EntryState::Content(content) if content.sha256.is_empty() => None,
                EntryState::Content(content) => Some(key_of(Some(content))),
                EntryState::Folder => Some(key_of(None)),
                EntryState::Unreadable(_) | EntryState::Special => None,
            }
        });
        PathStates {
            paths,
            present: present.collect(),
            at_commits,
        }
    }

    /// Returns whether nothing stands there in this state.
    pub(super) fn is_absent(key: &str) -> bool {
        key == "absent"
    }

    /// The state of each path now.
    pub(super) fn present(&self) -> &[StateKey] {
        &self.present
    }

    /// The state of each path at a moment.
    pub(super) fn at(&self, moment: &TurnMoment) -> Vec<StateKey> {
        let Some(listing) = &moment.listing else {
            let in_part = |path: &&str| {
                let file = moment.part.as_ref()?.find(path)?;
                Some(key_of(file.content.as_ref()))
            };
            return self.paths.iter().map(in_part).collect();
        };
        let unkept = listing.rest().unkept();
        let of_head = self.at_commits.get(&moment.head());
        let key = |(at, path): (usize, &&str)| match listing.find(path) {
            Some(file) => Some(key_of(file.content.as_ref())),
            None if unkept.above(path).is_some() => None,
            None => of_head?[at].clone(),
        };
        self.paths.iter().enumerate().map(key).collect()
    }
}

/// Returns whose the changes of each path are since a moment.
pub(super) fn owners<'a>(
    states: &PathStates<'_>,
    moments: &'a [TurnMoment],
    from: usize,
) -> Vec<PathOwner<'a>> {
    let mut line: Vec<TimelineMoment<'a>> = moments.iter().map(on_timeline).collect();
    line.push(TimelineMoment::scan());
    let later = moments[from..].iter().map(|it| states.at(it));
    let later: Vec<Vec<StateKey>> = later.chain([states.present().to_vec()]).collect();
    let timeline = TurnTimeline::new(line);
    let owners = states.paths.iter().enumerate().map(|(at, path)| {
        let states: Vec<StateKey> = later.iter().map(|it| it[at].clone()).collect();
        timeline.owner(from, path, &states)
    });
    owners.collect()
}

fn on_timeline(moment: &TurnMoment) -> TimelineMoment<'_> {
    match &moment.mark {
        Some(mark) => TimelineMoment {
            occasion: mark.occasion,
            session: &mark.session,
            named: moment.named(),
            wrote: mark.wrote.iter().map(String::as_str).collect(),
            is_continued: mark.is_continued,
            given_up: mark.given_up.iter().map(String::as_str).collect(),
        },
        None => TimelineMoment::scan(),
    }
}

/// The reason of a path that is unchanged, or that an undone rewind did not touch: it is not named.
pub(super) const NOT_TOUCHED: &str = "is unchanged";

/// Returns why a path stays; `None` where it is taken back.
pub(super) fn why_kept(owner: &PathOwner<'_>, session: &str, is_of_all: bool) -> Option<String> {
    let why = match owner {
        PathOwner::Unchanged => return Some(NOT_TOUCHED.to_owned()),
        PathOwner::Agent(sessions) => {
            let other = sessions.iter().find(|it| **it != session);
            let other = other.filter(|_| !is_of_all)?;
            return Some(format!("was changed by another session, {other}"));
        }
        PathOwner::Person => "was changed between the agent's turns",
        PathOwner::Both => "was changed by the agent and between its turns",
        PathOwner::Unclear => {
            "was changed in a turn that did not end, or in two turns at the same time"
        }
        PathOwner::Unknown => "was not kept at every moment since",
    };
    Some(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{PathOwner, why_kept};

    #[test]
    fn a_path_is_taken_back_only_where_the_asking_session_alone_changed_it() {
        let agent = PathOwner::Agent(vec!["s"]);
        let two = PathOwner::Agent(vec!["s", "t"]);
        assert_eq!(why_kept(&agent, "s", false), None);
        assert_eq!(why_kept(&two, "s", true), None);
        for owner in [&two, &PathOwner::Person, &PathOwner::Both] {
            assert!(why_kept(owner, "s", false).is_some(), "{owner:?}");
        }
        for owner in [PathOwner::Unclear, PathOwner::Unknown, PathOwner::Person] {
            assert!(why_kept(&owner, "s", true).is_some(), "{owner:?}");
        }
    }
}
