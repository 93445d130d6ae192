//! The commit that is checked out in a worktree.

/// The names of branches that are for no feature.
pub const TRUNKS: [&str; 5] = ["main", "master", "trunk", "develop", "default"];

/// The location of a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkout {
    /// There is no repository, or its HEAD cannot be read.
    Unknown,
    /// A worktree of a repository.
    Known {
        /// The branch that is checked out; `None` for a detached HEAD.
        branch: Option<String>,
        /// The worktree, in git's own words: `main-worktree`, or `worktrees/NAME`.
        worktree: String,
        /// The default branch, where it is known.
        default: Option<String>,
    },
}

impl Checkout {
    /// The branch that is checked out.
    pub fn branch(&self) -> Option<&str> {
        match self {
            Checkout::Known { branch, .. } => branch.as_deref(),
            Checkout::Unknown => None,
        }
    }

    /// The worktree.
    pub fn worktree(&self) -> Option<&str> {
        match self {
            Checkout::Known { worktree, .. } => Some(worktree),
            Checkout::Unknown => None,
        }
    }
}
