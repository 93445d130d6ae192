//! Words of other programs for what a verb does. The parser finds a verb by its letters, and this by its meaning.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::spelling::nearest;

use super::program::ProgramName;

/// A word that is not a verb, and the verb that does what it says.
type Meaning = (&'static str, &'static str);

static MEANINGS: &[Meaning] = &[
    ("revert", "undo"),
    ("rollback", "undo"),
    ("back", "undo"),
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

/// Words that are taken for verbs of the gate, and are options.
pub(super) const GATE_VERBS: [&str; 2] = ["open", "close"];

/// Returns true where one of [`GATE_VERBS`] stands behind the name of that verb.
fn has_gate_verb(words: &[String]) -> bool {
    let is_one = |two: &[String]| two[0] == "gate" && GATE_VERBS.contains(&two[1].as_str());
    words.windows(2).any(is_one)
}

/// The options that stand for [`GATE_VERBS`], in a sentence; `program` are the words that start it.
pub(super) fn gate_options(program: &str) -> String {
    format!(
        "`{program} gate --open` opens the gate, `{program} gate --close REASON` closes it; COMMAND stands before the \
         option"
    )
}

/// The refusal of a word that is not a verb, with the verb that does what it says, where there is one, or else the
/// nearest. `words` are those of the call, with the program's name.
pub(super) fn with_meant_verb(
    error: clap::Error,
    words: &[String],
    program: &ProgramName,
) -> clap::Error {
    if error.kind() == ErrorKind::UnknownArgument && has_gate_verb(words) {
        return with_tip(error, gate_options(program.words()));
    }
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    match meant(word, words) {
        Some(verb) => with_tip(error, format!("did you mean `{} {verb}`?", program.words())),
        None => with_nearest(error),
    }
}

/// The refusal with this tip in place of the parser's own.
fn with_tip(mut error: clap::Error, tip: String) -> clap::Error {
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(
        ContextKind::Suggested,
        ContextValue::StyledStrs(vec![tip.into()]),
    );
    error
}

/// The refusal with the nearest of the verbs that the parser suggests, or with all of them, the most similar one first:
/// to the parser two letters that changed places are two mistakes, and a longer word with the same ones is as near.
fn with_nearest(mut error: clap::Error) -> clap::Error {
    let (Some(ContextValue::String(word)), Some(ContextValue::Strings(verbs))) = (
        error.get(ContextKind::InvalidSubcommand),
        error.get(ContextKind::SuggestedSubcommand),
    ) else {
        return error;
    };
    let verbs: Vec<String> = verbs.iter().rev().cloned().collect();
    let verbs = match nearest(word, verbs.iter().map(String::as_str)) {
        Some(verb) => vec![verb.to_owned()],
        None => verbs,
    };
    error.insert(
        ContextKind::SuggestedSubcommand,
        ContextValue::Strings(verbs),
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
