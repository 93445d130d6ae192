//! The meaning of an input's bytes: texts, documents, changes of documents, words of a command
//! line.
//!
//! Bytes that have run out read as zeros, so that every input means something.

pub(crate) mod document;
pub(crate) mod text;
pub(crate) mod words;

pub(crate) use arbitrary::{Result, Unstructured};

/// Makes sense of the bytes, and checks. Bytes that make no sense hold no counterexample.
pub(crate) fn check(data: &[u8], property: impl FnOnce(&mut Unstructured<'_>) -> Result<()>) {
    let _ = property(&mut Unstructured::new(data));
}

/// Up to `most` of what `one` makes.
pub(crate) fn several<'a, T>(
    u: &mut Unstructured<'a>,
    most: usize,
    mut one: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = u.int_in_range(0..=most)?;
    (0..count).map(|_| one(u)).collect()
}

/// Any bytes.
pub(crate) fn bytes(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    several(u, 100, Unstructured::arbitrary)
}

/// One time in `count`; never when the bytes have run out.
pub(crate) fn one_in(u: &mut Unstructured<'_>, count: u8) -> Result<bool> {
    Ok(u.int_in_range(1..=count)? == count)
}
