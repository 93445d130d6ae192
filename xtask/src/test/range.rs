//! The two ranges of the tests.

/// The two ranges of `cargo xtask test`. A step that is in a range is in every larger one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Range {
    /// Enough to decide a change: `cargo xtask test`.
    Decisive,
    /// Everything, and more seeds of it: `cargo xtask test --all`.
    All,
}

impl Range {
    /// The variable in which tests find the name of the range that runs.
    pub(crate) const VARIABLE: &str = "MILEPOST_TEST_RANGE";

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Decisive => "decisive",
            Self::All => "all",
        }
    }
}
