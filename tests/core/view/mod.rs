//! What a page is told of a place.

mod frames;
pub(crate) mod moments;
mod overview;
mod page;
mod search;
mod wanted;
