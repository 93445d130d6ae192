//! YAML for documents that are JSON in meaning: a part of YAML that no two readers read differently.
//!
//! Reading takes any text within limits, and refuses anything that stands for something else
//! (anchors, aliases, merge keys, tags, directives, several documents). Writing quotes every text
//! or sets it as a literal block, so that YAML 1.1 and 1.2 agree on it.
//!
//! ```
//! use milepost::checkpoint::session::yaml;
//!
//! let read = yaml::read(b"answer: no\nsteps: [1, 2]\n").unwrap();
//! assert_eq!(read.to_document(), "{\n  \"answer\": \"no\",\n  \"steps\": [\n    1,\n    2\n  ]\n}\n");
//! assert_eq!(yaml::write(&read), "answer: \"no\"\nsteps:\n  - 1\n  - 2\n");
//! ```

mod number;
mod read;
mod write;

pub use read::{MAX_BYTES, MAX_VALUES, MalformedYaml, read, read_until};
pub use write::write;

#[cfg(test)]
mod tests;
