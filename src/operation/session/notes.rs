//! The limits of a look at the work tree, in words: the parts it could not see, and the programs it did not run.

use crate::error::WarningCode;
use crate::git::programs::ALLOWED;
use crate::operation::Warnings;
use crate::text::{quoted, visible};
use crate::worktree::report::Note;

/// Warns of filters that were not run, each once.
pub(super) fn warn_of_filters(notes: &[Note], warnings: &mut Warnings) {
    for refused in notes {
        if let Note::FilterRefused { .. } = refused {
            let message = format!(
                "{}. Define it in your own configuration (git config --global), or let those of repositories run: \
                 git config --global {ALLOWED} true",
                note(refused)
            );
            warnings.warn(WarningCode::UntrustedOrigin, message);
        }
    }
}

/// The sentence for something that a look could not see, as it stands in the document.
pub(super) fn note(note: &Note) -> String {
    match note {
        Note::NoRepository => "There is no repository: every file counts as added".to_owned(),
        Note::GlobalExcludesUnseen => {
            "What the user ignores everywhere was not seen, and may be among the files".to_owned()
        }
        Note::PatternsUnread(file) => format!("{} could not be read", visible(file)),
        Note::GitStatus => "Git itself was asked what differs".to_owned(),
        Note::FolderUnfinished(folder) => {
            format!("{} could not be listed to its end", visible(folder))
        }
        Note::FilterRefused { filter, files } => {
            let of = match files {
                1 => "1 file behind it counts".to_owned(),
                files => format!("{files} files behind it count"),
            };
            format!(
                "The filter {} was not run, because only the repository's own configuration defines it: {of} as \
                 changed",
                quoted(filter)
            )
        }
    }
}
