//! Documents with parts: a small index that alone is committed, and immutable parts that it names.
//!
//! A change costs the same however many documents there are, and however large the other parts are.
//!
//! ```text
//! .claude/state/tasks/
//!   NAME/index.json                    the index, a document as any other, without a history
//!   NAME/KEY-TOKEN.json                a part
//!   NAME/00-TOKEN.json                 the journal of the index, where keys are a document's own
//!   NAME/01-TOKEN.json                 the tally of that journal
//!   NAME/.milepost/index/              what the commit protocol needs
//!   .milepost/keys/KK/KEY.NAME.TOKEN   a mark: NAME has that part, or is about to
//!   .milepost/trash/NAME.ID/           a document that was removed
//!   .milepost/removals/TIME.TOKEN/     one that went for what was in it (`removal.rs`)
//! ```
//!
//! Among records all of it is one swap: the index at `NAME`, its parts at `NAME/parts/KEY-TOKEN`, and the name
//! of the document that has a key at `.milepost/keys/KK/KEY`, which must be new.
//!
//! # Why nothing is lost among files
//!
//! No token is used twice, so that an index that does not name a part any more never does again. Every index
//! has a **generation**, a random id. Before there is one, nothing is prepared: an index that names nothing
//! is committed first, under a new generation.
//!
//! A **writer** reads the index and its generation (1), writes its parts (2), makes their folder durable,
//! makes their marks, durably (3), looks for other marks of its new keys (4), and commits the index, if the
//! generation is still the one of (1) (5). Then it removes what the new index does not name any more, each
//! mark before its part (6).
//!
//! A **collector** lists what is prepared for a document (7), then begins another generation of it,
//! which is a commit (8), and removes the files of its list that the index of that commit does not
//! name (9). Suppose that an index names a part that was so removed. Its writer committed (5) after
//! (8), since the index of (8) would have named it; so the generation of (1) is that of (8) or a
//! later one, and (2) came after (8). But then the part was not in the list of (7). Where a
//! document is absent at (8), the same holds without a commit: an index that comes later has a
//! generation that no writer has seen. A writer is a collector in passing: (5) is its (8).
//!
//! **Readers** read the index, then the part. One that is gone was dropped by a later index, which they read
//! next; if that names it, it is really missing.
//!
//! **A key has one document.** Suppose that two commit the same new key. The one that looked (4) later did so after
//! the other had its mark (3), and saw it. It read the index of the other: if the key was there, it is
//! refused; if not, it began another generation of that document, whose writer could then not commit.
//!
//! Where keys are a document's [own](Keys::Own), there are no marks, and (3) and (4) are left out: nothing else
//! rests on them.
//!
//! # Journals
//!
//! Where keys are a document's own, a small change does not commit another index: it is a line at the end of
//! the index's **journal**, and one wait for the disk. A document is its index with the lines of that file. The
//! journal is a part as any other, made empty before the index that names it, with a token of its own.
//!
//! A line carries the digest of the line that its writer saw last, and counts if that is the last
//! that counts before it in the file. So adding is a compare-and-swap that the host decides, which
//! puts the lines of several writers one after the other: of two that saw the same, the first in
//! the file counts. Its writer syncs the file and then looks: if it is as large as what it read
//! with the line, no other writer was in between; otherwise it reads the journal again. The lines
//! that a line rests on are before it in the file, so that one sync makes all of it durable.
//!
//! A **torn line** has a digest that does not hold, and begins as a line after one of this journal does. The next
//! one begins with a line break of its own, and comes after the last that counts. Where a line comes after one that
//! cannot be read any more, one in between was damaged: the document is corrupt, and nothing is written to it. So it
//! is where anything else is in the file that is no line.
//!
//! The chain of digests does not show that the **end is cut off**. So the journal has a **tally**, a file of claims:
//! so many lines count, up to the one of this digest, and they were on stable storage, or they were not. A writer
//! adds its claim after its line, without a wait for the disk, and acknowledges the change then. A reader reads the
//! tally before the journal, so that what is claimed is there by then; a journal only grows. A journal without a line
//! that was claimed as durable is damaged, because nothing but damage takes such a line. Without one that was
//! not durable, and with zeros where a line is expected, it is what a loss of power leaves: it can be read, takes no
//! more lines, and says how many were lost; its bytes go to quarantine before the next index takes its place. A claim
//! may be missing: its writer died before it, a loss of power took it, or an older program wrote the line. Then the
//! tally says less than the journal, which is no damage, and the next claim covers both. A journal that an older
//! program began has no tally, and of its end nothing is known.
//!
//! An **index that is missing** beside a journal with a line was lost, because a line is added only to a journal that an
//! index names, and all of them go with their folder; so it was beside a part that was written long ago. Such a
//! document is corrupt, and nothing is written to it. A new part without a journal may be that of a writer that was
//! overtaken: beside it, an index that is missing counts as one that was never written.
//!
//! Before a writer commits **another index** it closes the journal, by a line that nothing comes
//! after. It counts only if its writer had seen all lines, so that the new index has all of them;
//! and from then on none is added. The close need not be durable: if it is lost, so is everything
//! after it, or the index names another journal. A death after the close leaves an index whose
//! journal is closed, and the next writer commits another one.
//!
//! A file that is **gone when its writer looks** may have been gone when the line was added, in a
//! document that was removed or has a new index: that is unknown, and the change is retried, on
//! the state of that time. A change has to bear that: one that is there already changes nothing.
//! While the journal is there, so are its index and its document, because no token comes back.
//!
//! After a **failed sync** the journal is closed, since what the host did not write may be missing later below
//! what others add.
//!
//! **Removing** a document renames its folder, with the tokens of all commits in progress: they find
//! nothing to rename, and begin again. The content of the trash says which marks go with it.
//!
//! **The absence is durable before anything is removed.** Anything that goes because a document is
//! absent, marks and the content of the trash, goes after that absence was made durable, by each
//! process that finds it: the one that removed the document may have died before, and a loss of
//! power could bring back a document whose parts or marks are not there any more.
//!
//! A death leaves parts and marks that no index names, and folders in the trash. The next writer of
//! the document, or the next that removes one, takes them away; a mark without its part goes with
//! [`Manifest::sweep`], and with the next writer that wants its key. A folder without an index
//! stays, for the next writer of that document: from outside, a folder whose maker died looks like
//! one that is just being made.

mod age;
mod files;
mod index;
mod journal;
mod keys;
mod lines;
#[expect(
    clippy::module_inception,
    reason = "the type that the module is named for"
)]
mod manifest;
mod name;
mod part;
mod plan;
mod records;
mod recover;
mod removal;
mod remove;
mod salvage;
mod scan;
mod state;
mod sweep;
mod tally;
mod whole;

pub use index::{Keys, ManifestIndex, ManifestLayout};
pub use journal::{Journal, Loss};
pub use manifest::{Manifest, ManifestPart};
pub use name::PartName;
pub use part::Age;
pub use plan::{Decide, ManifestPlan, NextIndex, Unwanted};
pub use records::Changed;
pub use recover::{ManifestRemains, Rebuild, Rebuilt};
pub use sweep::{Leftovers, SweepAction};
