//! Parts of an operation that are compiled as functions of their own.

use std::pin::Pin;
use std::task::{Context, Poll};

/// A computation in progress whose type says only its result.
pub(crate) type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Hides what a future is made of: an operation in a table, and one that leads back to itself.
pub(crate) fn boxed<'a, T>(future: impl Future<Output = T> + 'a) -> Boxed<'a, T> {
    Box::pin(future)
}

/// Keeps the code of a future out of the function that waits for it.
///
/// An operation is entered again with each outcome, and a runtime that compiles functions again
/// once they have run for long counts their size with each entry: V8 spends 25 ms at the end of a
/// hook's process on one function that has all of a commit in it, and nothing on two halves.
pub(crate) fn outlined<F: Future>(future: F) -> Outlined<F> {
    Outlined(Box::pin(future))
}

pub(crate) struct Outlined<F>(Pin<Box<F>>);

impl<F: Future> Future for Outlined<F> {
    type Output = F::Output;

    #[inline(never)]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        self.0.as_mut().poll(context)
    }
}
