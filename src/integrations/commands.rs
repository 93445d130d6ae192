//! The commands that a project adds to the seven: `commands` of the settings.

use crate::file_name;
use crate::json::{Json, Object, Pointer};
use crate::schema::{Problem, ProblemCode};

/// With a feature, and a temporary name made of both, it fits any file system's 255 bytes.
const MAX_COMMAND: usize = 50;

/// The commands that the settings add.
pub fn commands(settings: &Object) -> Vec<String> {
    let commands = settings.get("commands").and_then(Json::as_array);
    let commands = commands.unwrap_or_default().iter();
    commands
        .filter_map(Json::as_str)
        .map(str::to_owned)
        .collect()
}

/// Checks what a command may be called that a project adds.
///
/// # Errors
///
/// A sentence with the expected form.
pub fn check_command_name(command: &str) -> Result<(), String> {
    file_name::check_word(command, MAX_COMMAND)
}

/// A command is the first part of a file's name.
pub(super) fn problems(file: &Json) -> Vec<Problem> {
    let commands = file
        .as_object()
        .and_then(|file| file.get("commands")?.as_array());
    let mut problems = Vec::new();
    for (at, command) in commands.unwrap_or_default().iter().enumerate() {
        if let Some(Err(message)) = command.as_str().map(check_command_name) {
            problems.push(Problem {
                at: Pointer::root().key("commands").item(at),
                code: ProblemCode::Name,
                message,
            });
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Error, ErrorKind};
    use crate::integrations::default_document;
    use crate::integrations::tests::parse_text;

    #[test]
    fn a_command_that_is_no_first_part_of_a_file_name_is_refused() {
        let added = parse_text(r#"{"commands": ["build", "e2e_test", "7"]}"#).unwrap();
        assert_eq!(commands(&added), ["build", "e2e_test", "7"]);
        assert_eq!(commands(&default_document()), [""; 0]);
        let long = "a".repeat(51);
        for command in ["", "Build", "a-b", "a.b", "../x", "a b", "é", &long] {
            let text = format!(r#"{{"commands": ["build", "{command}"]}}"#);
            let Err(ErrorKind::InvalidDocument(problems)) =
                parse_text(&text).map_err(Error::into_kind)
            else {
                panic!("{command} is refused");
            };
            assert_eq!(problems[0].at.as_str(), "/commands/1");
        }
        assert!(parse_text(r#"{"commands": {"build": true}}"#).is_err());
        assert!(parse_text(r#"{"commands": [5]}"#).is_err());
    }
}
