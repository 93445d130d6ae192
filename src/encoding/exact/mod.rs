//! Token for token what `tiktoken` gives.
//!
//! A text falls into pieces by a pattern (`scan`), and each piece into tokens by byte pair encoding: the two
//! neighbours that make the token of the lowest rank become one, until no two make any (`merge`, ahead of which
//! `characters` are merged by themselves; and `long_piece` where there are many). Which two make which (`pairs`)
//! is in a `vocabulary`, a `file` of 0.3 to 0.7 MB that the host brings.

mod boundary;
mod characters;
mod class;
mod counter;
mod file;
mod hash;
mod long_piece;
mod memo;
mod merge;
mod pairs;
mod scan;
mod table;
mod token;
mod tokenizer;
mod vocabulary;

pub use counter::ExactCounter;
pub use file::{LoadError, Unpacked};
pub use tokenizer::{TextPrefix, Tokenizer};
