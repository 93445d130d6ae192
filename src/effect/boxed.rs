//! Parts of an operation that are compiled as functions of their own.

use std::pin::Pin;

/// A computation in progress whose type says only its result.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Hides what a future is made of, and keeps its code out of the function that waits for it: an operation in a table,
/// one that leads back to itself, and a part of a large one.
///
/// An operation is entered again with each outcome, and a runtime that compiles functions again
/// once they have run for long counts their size with each entry: V8 spends 25 ms at the end of a
/// hook's process on one function that has all of a commit in it, and nothing on two halves.
pub(crate) fn boxed<'a, T>(future: impl Future<Output = T> + 'a) -> Boxed<'a, T> {
    Box::pin(future)
}
