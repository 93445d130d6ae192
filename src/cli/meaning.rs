//! Words of other programs for what a verb does. The parser finds a verb by its letters, and this by its meaning.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::program::ProgramName;

/// A word that is not a verb, and the verb that does what it says.
type Meaning = (&'static str, &'static str);

static MEANINGS: &[Meaning] = &[
    ("revert", "undo"),
    ("rollback", "undo"),
    ("back", "undo"),
    ("rewind", "undo"),
    ("reapply", "redo"),
    ("history", "log"),
    ("revisions", "log"),
    ("reflog", "log"),
    ("compare", "diff"),
    ("changes", "diff"),
    ("continue", "resume"),
    ("next", "resume"),
    ("where", "resume"),
    ("start", "begin"),
    ("plan", "begin"),
    ("new", "begin"),
    ("run", "begin"),
    ("step", "phase"),
    ("update", "phase"),
    ("set", "phase"),
    ("fail", "phase"),
    ("done", "complete"),
    ("finish", "complete"),
    ("close", "complete"),
    ("end", "complete"),
    ("runs", "status"),
    ("ls", "status"),
    ("info", "show"),
    ("cat", "show"),
    ("get", "show"),
    ("delete", "remove"),
    ("rm", "remove"),
    ("move", "rename"),
    ("mv", "rename"),
    ("repair", "recover"),
    ("fsck", "doctor"),
    ("check", "doctor"),
    ("ui", "view"),
    ("web", "view"),
    ("checkpoint", "snapshot create"),
    ("stash", "snapshot create"),
    ("backup", "snapshot create"),
    ("gc", "snapshot prune"),
];

/// The nouns with meanings of their own.
static OF_NOUNS: &[(&str, &[Meaning])] = &[
    (
        "snapshot",
        &[
            ("save", "create"),
            ("make", "create"),
            ("push", "create"),
            ("add", "create"),
            ("ls", "list"),
            ("apply", "restore"),
            ("pop", "restore"),
            ("resume", "restore"),
            ("revert", "restore"),
            ("check", "verify"),
            ("status", "verify"),
            ("keep", "pin"),
            ("delete", "prune"),
            ("remove", "prune"),
            ("gc", "prune"),
            ("drop", "prune"),
        ],
    ),
    (
        "task",
        &[("ls", "list"), ("status", "show"), ("get", "show")],
    ),
    (
        "thread",
        &[
            ("ls", "list"),
            ("log", "show"),
            ("history", "show"),
            ("get", "show"),
            ("repair", "recover"),
        ],
    ),
    (
        "hooks",
        &[
            ("add", "install"),
            ("enable", "install"),
            ("setup", "install"),
            ("uninstall", "remove"),
            ("delete", "remove"),
            ("disable", "remove"),
            ("list", "status"),
            ("ls", "status"),
        ],
    ),
];

/// The refusal of a word that is not a verb, with the verb that does what it says, where there is one. `words` are those
/// of the call, with the program's name.
pub(super) fn with_meant_verb(
    mut error: clap::Error,
    words: &[String],
    program: &ProgramName,
) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let Some(verb) = meant(word, words) else {
        return error;
    };
    let tip = format!("did you mean `{} {verb}`?", program.words());
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(
        ContextKind::Suggested,
        ContextValue::StyledStrs(vec![tip.into()]),
    );
    error
}

/// The verb, with its noun.
fn meant(word: &str, words: &[String]) -> Option<String> {
    let mut before = words.iter().take_while(|it| it.as_str() != word);
    let noun = before.find_map(|it| OF_NOUNS.iter().find(|(noun, _)| it == noun));
    let of = |meanings: &[Meaning]| {
        let found = meanings.iter().find(|(other, _)| *other == word);
        found.map(|(_, verb)| *verb)
    };
    match noun {
        Some((noun, meanings)) => Some(format!("{noun} {}", of(meanings)?)),
        None => of(MEANINGS).map(str::to_owned),
    }
}
