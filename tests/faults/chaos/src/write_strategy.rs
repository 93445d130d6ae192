//! The write strategies that are compared.

/// The strategy by which a document is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteStrategy {
    Milepost,
    InPlace,
    Rename,
    Lock,
}

impl WriteStrategy {
    /// The strategies of most programs.
    pub(crate) const NAIVE: [Self; 3] = [Self::InPlace, Self::Rename, Self::Lock];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Milepost => "Milepost",
            Self::InPlace => "read, change, write in place",
            Self::Rename => "temporary file and rename",
            Self::Lock => "lock file with stale takeover",
        }
    }

    /// Its script in `scripts/naive`; Milepost has none there.
    pub(crate) fn script(self) -> Option<&'static str> {
        match self {
            Self::Milepost => None,
            Self::InPlace => Some("in-place"),
            Self::Rename => Some("rename"),
            Self::Lock => Some("lock"),
        }
    }
}
