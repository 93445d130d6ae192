//! The files and texts that the user names.

use crate::effect::{Failed, Fault, Io, Links, Until};
use crate::error::Error;
use crate::git::folder::is_absolute;
use crate::json::Pointer;
use crate::schema::{Problem, ProblemCode};
use crate::store::{MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MIB};

/// The word that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The bytes of a file, or of standard input for `-`.
pub(super) async fn bytes(io: &Io, working: &str, name: &str) -> Result<Vec<u8>, Error> {
    let read = if name == STANDARD_INPUT {
        io.input(MAX_DOCUMENT_BYTES, Until::End).await
    } else {
        io.read(resolve(working, name), MAX_DOCUMENT_BYTES, Links::Follow)
            .await
    };
    read.map_err(|failed| unreadable(name, &failed))
}

/// The text of a file, or of standard input for `-`.
pub(super) async fn text(io: &Io, working: &str, name: &str) -> Result<String, Error> {
    let bytes = bytes(io, working, name).await?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::invalid_document(vec![Problem {
            at: Pointer::root(),
            code: ProblemCode::Type,
            message: format!("{} is not UTF-8 from byte {} on", title(name), at + 1),
        }])
    })
}

/// The text of an option: itself, or standard input for `-`, without the newline that ends it.
pub(super) async fn option(io: &Io, working: &str, value: String) -> Result<String, Error> {
    if value != STANDARD_INPUT {
        return Ok(value);
    }
    let mut text = text(io, working, STANDARD_INPUT).await?;
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// The name of an input in messages.
pub(super) fn title(name: &str) -> &str {
    match name {
        STANDARD_INPUT => "standard input",
        file => file,
    }
}

/// A path as the host opens it: relative ones begin at the working directory.
pub(super) fn resolve(working: &str, path: &str) -> String {
    // An empty path stays empty, so that it is refused instead of meaning the working directory.
    let is_of_drive = path.as_bytes().get(1) == Some(&b':');
    if path.is_empty() || is_absolute(path) || is_of_drive || working.is_empty() {
        return path.to_owned();
    }
    match working.ends_with(['/', '\\']) {
        true => format!("{working}{path}"),
        false => format!("{working}/{path}"),
    }
}

fn unreadable(name: &str, failed: &Failed) -> Error {
    let title = title(name);
    let io = |message| Error::io(failed.effect, title.to_owned(), message);
    match failed.fault {
        Fault::TooLarge => Error::too_large(
            title.to_owned(),
            format!("{title} is larger than the limit of {MAX_DOCUMENT_MIB} MiB"),
        ),
        Fault::NotFound => io(format!("There is no file {title}")),
        Fault::WrongKind => io(format!(
            "{title} is no regular file; pipe it in and give - instead"
        )),
        _ => io(format!("Cannot read {title} ({})", failed.detail)),
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn relative_paths_begin_at_the_working_directory() {
        let cases = [
            ("/home", "a.json", "/home/a.json"),
            ("/", "a.json", "/a.json"),
            ("/home", "/tmp/a.json", "/tmp/a.json"),
            ("C:\\work", "a.json", "C:\\work/a.json"),
            ("C:\\work", "D:\\a.json", "D:\\a.json"),
            ("", "a.json", "a.json"),
        ];
        for (working, path, expected) in cases {
            assert_eq!(resolve(working, path), expected, "{path} in {working}");
        }
    }
}
