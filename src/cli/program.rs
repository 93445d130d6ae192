//! The words that start this program where it runs, before each line of it that is shown to be copied.

use std::borrow::Cow;

use crate::text::shell_word;

/// The program, as it is called where it is installed for everything.
const NAME: &str = "milepost";

/// The beginning of the words that start a component.
const RUNTIME: &str = "wasmtime run";

/// The beginnings of a command in the texts of this program, wherever they were made: in a sentence, in a substitution
/// of a shell, and on a line of its own.
const BEGINNINGS: [&str; 3] = ["`milepost ", "<(milepost ", "  milepost "];

/// The words of a shell that start this program: `milepost`, `npx milepost`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramName(String);

impl ProgramName {
    /// The program that these words of a shell start.
    pub fn new(words: impl Into<String>) -> Self {
        ProgramName(words.into())
    }

    /// The program that is a component, by its first word, which is the name of its file unless `--argv0` says
    /// another, and by the folders that the runtime opened to it. Unless `is_here` finds that file in the working
    /// folder, a placeholder stands for where it is, which no component is shown.
    pub fn of_component<'a>(
        word: &str,
        folders: impl Iterator<Item = &'a str>,
        is_here: impl FnOnce(&str) -> bool,
    ) -> Self {
        let is_compiled = word.ends_with(".cwasm");
        if word.is_empty() {
            return ProgramName::default();
        }
        if !is_compiled && !word.ends_with(".wasm") {
            return ProgramName::new(word);
        }
        let mut words = RUNTIME.to_owned();
        if is_compiled {
            words.push_str(" --allow-precompiled");
        }
        for folder in folders {
            words.push_str(" --dir ");
            words.push_str(&shell_word(folder));
        }
        words.push(' ');
        let is_placed = word.contains('/') || is_here(word);
        words.push_str(if is_placed { "" } else { "PATH/" });
        words.push_str(&shell_word(word));
        ProgramName(words)
    }

    /// Returns true for a component.
    pub(super) fn is_component(&self) -> bool {
        self.0.starts_with(RUNTIME)
    }

    /// The words.
    pub(super) fn words(&self) -> &str {
        &self.0
    }

    /// A text of this program, whose commands begin with the words that start it here.
    pub(super) fn named<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        if self.0 == NAME {
            return text;
        }
        for beginning in BEGINNINGS {
            if text.contains(beginning) {
                let named = beginning.replace(NAME, &self.0);
                text = Cow::Owned(text.replace(beginning, &named));
            }
        }
        text
    }
}

impl Default for ProgramName {
    /// The program by its name alone, as where it is on the path.
    fn default() -> Self {
        ProgramName::new(NAME)
    }
}

#[cfg(test)]
mod tests {
    use super::ProgramName;

    #[test]
    fn a_command_in_a_sentence_begins_with_the_words_that_start_the_program() {
        let sentence = "`milepost log` lists them, `milepost undo` goes back; milepost keeps both";
        assert_eq!(ProgramName::default().named(sentence), sentence);
        assert_eq!(
            ProgramName::new("pnpm exec milepost").named(sentence),
            "`pnpm exec milepost log` lists them, `pnpm exec milepost undo` goes back; milepost keeps both"
        );
        let page = "To do:\n  milepost init\n  source <(milepost completions bash)";
        assert_eq!(
            ProgramName::new("npx milepost").named(page),
            "To do:\n  npx milepost init\n  source <(npx milepost completions bash)"
        );
    }

    #[test]
    fn a_component_is_started_by_its_runtime_with_the_folders_that_it_sees_unless_it_was_given_a_name()
     {
        for (word, folders, expected) in [
            (
                "milepost.wasm",
                &["."][..],
                "wasmtime run --dir . milepost.wasm",
            ),
            (
                "milepost.cwasm",
                &[".", "/my home"],
                "wasmtime run --allow-precompiled --dir . --dir '/my home' PATH/milepost.cwasm",
            ),
            (
                "/opt/milepost.cwasm",
                &["."],
                "wasmtime run --allow-precompiled --dir . /opt/milepost.cwasm",
            ),
            ("mp", &["."], "mp"),
            ("", &["."], "milepost"),
        ] {
            let is_here = |name: &str| name == "milepost.wasm";
            let program = ProgramName::of_component(word, folders.iter().copied(), is_here);
            assert_eq!(program.words(), expected);
            let is_component = expected.starts_with("wasmtime");
            assert_eq!(program.is_component(), is_component, "{word}");
        }
    }

    #[test]
    fn a_sentence_that_was_given_its_words_stays_as_it_is() {
        let program = ProgramName::new("npx milepost");
        let once = program
            .named("`milepost --help` shows the commands")
            .into_owned();
        assert_eq!(program.named(&once), once);
    }
}
