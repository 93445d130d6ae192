//! The contents of files, kept beside the documents of a folder that refer to them.
//!
//! A content is stored in pieces of 1 MiB, each compressed and under its own SHA-256, so that equal
//! pieces are kept once and that memory does not grow with a file. A content of several pieces has
//! a list of them as well, under the SHA-256 of all of it.
//!
//! ```text
//! .claude/checkpoints/objects/
//!   ab/<64 hex>               a piece
//!   ab/<64 hex>.list          the pieces of a longer content
//!   making/<32 hex>-<second>/ a writer at work: what it writes, and its right to publish
//!   trash/<name>.<32 hex>     what a collector is about to remove
//! ```
//!
//! # Why nothing is lost that a document refers to
//!
//! Any number of writers, collectors and readers may be at work, and each may die at any point.
//!
//! A **writer** ([`ObjectWriter`]) makes a folder of its own in `making/` (1). Then it looks for each object where it
//! belongs, not in the trash: one that is there and whole is used (2), any other is written in its own folder,
//! synced, and renamed to its name. Then it syncs the folders of these objects, writes the document into its own
//! folder, and links or renames it from there to the name of the document (3): without its folder it
//! can publish nothing. At last it removes its folder (4).
//!
//! A **collector** ([`collect()`]) lists the objects that documents need, gives any other object a
//! second name in the trash, makes that durable, and renames the first one to yet another name
//! there (5); each name is used once. It lists the trash (6), then the writers (7), then again the
//! objects that the documents need (8). An object that is needed gets its own name back, durably,
//! before it loses that in the trash; the rest is removed by its names in the trash, where (7)
//! showed no writer (9), and where its own name is gone: else another collector is just moving it. A
//! collector may take a writer for dead, from its age, and remove the writer's folder, after which
//! that one publishes nothing: a wrong guess costs the writer its work, and nothing else.
//!
//! Suppose a collector removes an object that a document needs. That is one file, which was in
//! the trash from (6) to (9) without a break, because each move to the trash has a new name. The document's
//! writer has used or written the object: if that was after (6), it was another file, since this one was in the trash, and
//! is there still or in its own name in the trash, about which the same holds. So the writer used it before (6),
//! and its folder was there since before that. If it was still there at (7), the listing showed it, because a listing
//! has every name that is there for all of its duration: then nothing is removed. If it was gone, the writer
//! had published before (7), so before (8), where the document was listed and the object needed; or it never
//! will. This needs no clock, lock or process id; it needs what the store needs everywhere: renaming is
//! one step, and a listing is whole.
//!
//! A collector that dies leaves objects in the trash, where **readers** look too, and where the next collector
//! begins at (6). A writer that dies leaves its folder, in which all is that it had not finished; a
//! collector removes it, and its objects, an hour later.
//!
//! A file of an object is synced before it has its name, and replaced by a rename, so that none is
//! ever seen in part. One that is damaged all the same is found by its hash: a reader reports it,
//! and the next writer that keeps the same content writes it again. After a loss of power, a
//! published document has its objects, because their folders were synced before it was published,
//! and no collector takes a name from an object that has no other durable one (without links, where
//! a rename is one step for the power too); and one that was removed stays so, because its folder
//! is synced before its objects are removed.

mod collect;
mod commit_in_progress;
mod find;
mod form;
mod keep_outcome;
mod name;
mod reader;
mod sink;
mod writer;

pub use collect::{CollectAction, Collected, RemovedObject, collect};
pub use find::ObjectFault;
pub use form::PIECE_BYTES;
pub use keep_outcome::{KeepDecision, KeepOutcome, KeptContent, ShownFilePart};
pub use name::References;
pub use reader::{Broken, ContentReader, Depth};
pub(crate) use sink::swept;
pub use writer::ObjectWriter;
