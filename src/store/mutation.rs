//! Faults that are put into the protocol on purpose, to see that the tests notice each.
//!
//! Only the feature `mutations` can activate one; in what ships, [`is_active`] is `false` at compile
//! time and nothing of this is left.

/// One thing that the protocol does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "mutations"),
    expect(unreachable_pub, reason = "for tests alone")
)]
pub enum Mutation {
    /// What the second read shows is not compared.
    NoSecondRead,
    /// The document is read again before the other tokens are revoked.
    ReadBeforeRevoke,
    /// The other tokens stay.
    NoRevoke,
    /// A listing that ended early counts as whole.
    InterruptedListingIsClean,
    /// A token's name was used before: by another writer, or by an earlier try.
    TokenReuse,
    /// The token's bytes are not synced.
    NoTokenSync,
    /// The folder is not synced before the change is acknowledged.
    NoFolderSync,
    /// The change is acknowledged whatever came of the rename.
    AcknowledgeBeforeRename,
    /// Whoever has the lock commits, without tokens and second read.
    LockOnly,
    /// The replaced revision gets its place in history after the commit.
    HistoryAfterCommit,
}

#[cfg(not(feature = "mutations"))]
pub(super) const fn is_active(_: Mutation) -> bool {
    false
}

#[cfg(feature = "mutations")]
pub(super) use switch::is_active;

#[cfg(feature = "mutations")]
mod switch {
    use std::cell::Cell;

    use super::Mutation;

    thread_local! {
        static ACTIVE: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    pub(in super::super) fn is_active(mutation: Mutation) -> bool {
        ACTIVE.get() == Some(mutation)
    }

    impl Mutation {
        /// All of them.
        pub const ALL: [Mutation; 10] = [
            Mutation::NoSecondRead,
            Mutation::ReadBeforeRevoke,
            Mutation::NoRevoke,
            Mutation::InterruptedListingIsClean,
            Mutation::TokenReuse,
            Mutation::NoTokenSync,
            Mutation::NoFolderSync,
            Mutation::AcknowledgeBeforeRename,
            Mutation::LockOnly,
            Mutation::HistoryAfterCommit,
        ];

        /// Has every operation of this thread make this mistake, or none.
        pub fn activate(mutation: Option<Mutation>) {
            ACTIVE.set(mutation);
        }
    }
}
