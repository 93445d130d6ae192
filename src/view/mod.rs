//! The page's view of a place: files come in as frames, questions come in as JSON text, and answers go out.
//!
//! The page has no rule of its own. What it shows is computed here, by the very operations that the command line
//! runs, over read-only files in memory.
//!
//! [`Dispatcher`] takes frames and questions, and has the list of all questions. Each has a file of its own, named
//! as the question is, with one function `answer`. One that needs what was not brought yet is answered with `wants`:
//! the source brings that, and the same is asked again.

mod blame;
mod cli_hint;
mod compare;
mod dispatcher;
mod file;
mod files;
mod frames;
mod index;
mod meta;
mod missing_files;
mod node;
mod operation;
mod overview;
mod page;
mod position;
mod problem;
#[cfg(not(target_family = "wasm"))]
mod publish;
mod repository;
mod resume_point;
mod revision;
mod revision_file;
mod session;
mod sessions;
mod shown;
mod shown_line;
mod snapshot_resume;
mod task;
mod tasks;
mod thread;
mod threads;
mod tick;
mod timeline;
mod version_ref;
mod viewer;

pub use dispatcher::Dispatcher;
#[cfg(not(target_family = "wasm"))]
pub use publish::answers;
