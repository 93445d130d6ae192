//! A word that the rules check, of which shells offer some.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

/// Takes any word, so that the rules say what is wrong with one. Shells offer these.
#[derive(Clone, Debug)]
pub(super) struct AnyWord(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for AnyWord {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = (self.0)().into_iter().map(PossibleValue::new);
        Some(Box::new(words))
    }
}
