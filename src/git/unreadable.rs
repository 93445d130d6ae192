//! Why a file of git's is not read.

/// Why bytes of git's say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They are not what git writes there, or end too early.
    Malformed,
    /// Something in them is larger than what is read.
    TooLarge,
    /// An object is stored as a change of a change of …, and so on beyond what git itself writes.
    TooDeep,
}
