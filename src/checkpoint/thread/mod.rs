//! The rules of threads: the checkpoints of a graph's runs, each following from another one, and what its
//! tasks wrote.
//!
//! A thread is a log. Its newest entries stand in the [`index`], the one document of it that changes, and
//! older ones in immutable parts, of which several small ones become a larger one in time ([`seal`]): so a
//! change costs the same however long the thread is, and anything is read from a few parts. A value that
//! grows is kept as what was added ([`value`]).
//!
//! Parts that a rule needs are named by [`log::ThreadStop::Needs`]; the caller reads the part and asks
//! again. Parts never change, so that nothing is read twice.

pub mod change;
pub mod difference;
pub mod entry;
pub mod index;
pub mod line;
pub mod log;
mod moved_values;
pub mod name;
pub mod retain;
pub mod salvage;
pub mod seal;
pub mod shared_text;
mod size;
pub mod steps;
pub mod texts;
pub mod transcript;
pub mod tuple;
pub mod value;
pub mod writes;

#[cfg(test)]
mod deletion_tests;
#[cfg(test)]
mod growth_tests;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod retain_tests;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod transcript_tests;
