//! The runs that a session may carry on with: those of its branch.

use super::{feature_of_branch, with_digest};
use crate::git::Checkout;

/// The feature that work at a checkout is for: that of the branch. `None` on the default branch.
///
/// Without a branch it is the name of a linked worktree, so that several of them have runs of their own, and `None` in
/// the main one.
pub fn feature_of(here: &Checkout) -> Option<String> {
    let Checkout::Known {
        branch,
        worktree,
        default,
    } = here
    else {
        return None;
    };
    match branch {
        Some(branch) if default.as_ref() == Some(branch) => None,
        Some(branch) => feature_of_branch(branch),
        None => {
            let name = worktree.strip_prefix("worktrees/")?;
            feature_of_branch(name).or_else(|| Some(with_digest(name, worktree)))
        }
    }
}

/// The feature that work at a checkout is for where a run of another branch or worktree has the usual one.
pub fn feature_if_taken(here: &Checkout) -> Option<String> {
    let Checkout::Known {
        branch, worktree, ..
    } = here
    else {
        return None;
    };
    let place = branch.as_deref().unwrap_or(worktree);
    let name = feature_of(here);
    Some(with_digest(name.as_deref().unwrap_or("run"), place))
}

/// Returns whether runs without a recorded branch are this checkout's, regardless of their feature.
fn takes_unrecorded(here: &Checkout) -> bool {
    match here {
        Checkout::Unknown => true,
        Checkout::Known {
            branch, default, ..
        } => branch.is_none() || default.is_none() || branch == default,
    }
}

/// The place that a run records: where it belongs.
#[derive(Clone, Copy, Debug)]
pub struct RunPlace<'a> {
    /// Its feature.
    pub feature: Option<&'a str>,
    /// Its branch: `None` where none was recorded, and empty for a detached HEAD.
    pub branch: Option<&'a str>,
    /// Its worktree, where it was recorded.
    pub worktree: Option<&'a str>,
}

/// The relation of a run to a checkout, in the order in which a session sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// It belongs to the branch.
    Branch,
    /// No branch is recorded, and it may be carried on with here.
    Unrecorded,
    /// HEAD is detached, and it was recorded in this worktree.
    Worktree,
    /// It belongs elsewhere.
    Other,
}

/// Returns the relation of a run to a checkout.
pub fn relation(run: RunPlace<'_>, here: &Checkout) -> Relation {
    let branch = here.branch();
    let is_detached = matches!(here, Checkout::Known { branch: None, .. });
    match run.branch {
        Some(recorded) if !recorded.is_empty() && branch == Some(recorded) => Relation::Branch,
        Some(_) if is_detached && here.worktree() == run.worktree => Relation::Worktree,
        Some(_) => Relation::Other,
        None => {
            let feature = feature_of(here);
            let is_of_feature = feature.is_some()
                && (feature.as_deref() == run.feature
                    || run.feature == feature_if_taken(here).as_deref());
            match is_of_feature || takes_unrecorded(here) {
                true => Relation::Unrecorded,
                false => Relation::Other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checkout, Relation, RunPlace, feature_of, relation};

    fn on(branch: Option<&str>, default: Option<&str>) -> Checkout {
        Checkout::Known {
            branch: branch.map(str::to_owned),
            worktree: "main-worktree".to_owned(),
            default: default.map(str::to_owned),
        }
    }

    #[test]
    fn a_run_belongs_to_the_branch_that_it_records_else_to_that_of_its_feature() {
        use Relation::{Branch, Other, Unrecorded, Worktree};
        let main = || on(Some("main"), Some("main"));
        let topic = || on(Some("fix/b"), Some("main"));
        let detached = || on(None, Some("main"));
        for (here, feature, branch, worktree, expected) in [
            (topic(), None, Some("fix/b"), Some("main-worktree"), Branch),
            (topic(), Some("x"), Some("fix/b"), None, Branch),
            (topic(), None, Some("fix/c"), Some("main-worktree"), Other),
            (topic(), None, Some(""), Some("main-worktree"), Other),
            (topic(), Some("fix-b"), None, None, Unrecorded),
            (topic(), Some("fix-c"), None, None, Other),
            (topic(), None, None, None, Other),
            (main(), None, None, None, Unrecorded),
            (main(), Some("fix-c"), None, None, Unrecorded),
            (main(), None, Some("fix/c"), Some("main-worktree"), Other),
            (on(Some("fix/b"), None), None, None, None, Unrecorded),
            (detached(), None, None, None, Unrecorded),
            (detached(), None, Some(""), Some("main-worktree"), Worktree),
            (
                detached(),
                None,
                Some("fix/c"),
                Some("main-worktree"),
                Worktree,
            ),
            (detached(), None, Some(""), Some("worktrees/w"), Other),
            (Checkout::Unknown, Some("x"), None, None, Unrecorded),
            (Checkout::Unknown, None, Some("fix/b"), None, Other),
        ] {
            let run = RunPlace {
                feature,
                branch,
                worktree,
            };
            assert_eq!(relation(run, &here), expected, "{run:?} {here:?}");
        }
    }

    #[test]
    fn the_feature_is_that_of_the_branch_and_none_on_the_default_branch() {
        for (branch, default, expected) in [
            (Some("fix/b"), None, Some("fix-b")),
            (Some("main"), None, None),
            (Some("work"), Some("work"), None),
            (Some("main"), Some("work"), None),
            (None, Some("main"), None),
        ] {
            let here = on(branch, default);
            assert_eq!(feature_of(&here).as_deref(), expected, "{here:?}");
        }
        assert_eq!(feature_of(&Checkout::Unknown), None);
    }

    #[test]
    fn linked_worktrees_without_a_branch_have_features_of_their_own() {
        let detached = |worktree: &str| {
            feature_of(&Checkout::Known {
                branch: None,
                worktree: worktree.to_owned(),
                default: Some("main".to_owned()),
            })
        };
        assert_eq!(detached("main-worktree"), None);
        assert_eq!(detached("worktrees/side").as_deref(), Some("side"));
        assert_eq!(detached("worktrees/side1").as_deref(), Some("side1"));
        let trunk = detached("worktrees/main").unwrap();
        assert!(trunk.starts_with("main-"), "{trunk}");
    }
}
