//! A file without its secrets, to be handed on.

use crate::checkpoint::session::redact::{SnapshotText, redact};
use crate::checkpoint::session::yaml;
use crate::json::{self, Json, Object};
use crate::operation::row::{Arguments, Capability, Operation};
use crate::operation::{Reply, Warnings};
use crate::schema::{ArgumentMembers, Shaped};
use crate::secret::{redact as redact_text, redact_field};
use crate::store::copied;

pub(super) const OPERATION: Operation = Operation::alone::<RedactFileArguments, RedactedFile>(
    "redact_file",
    "A stored file without its secrets, each replaced by `[REDACTED:rule]`. What was sealed has a seal that holds.",
    run,
)
.of(Capability::Viewing);

/// A file of the state folder, or of that of snapshots.
#[derive(ArgumentMembers)]
struct RedactFileArguments<'a> {
    /// Its name, without a folder.
    name: &'a str,
    /// Its content.
    text: &'a str,
}

/// The text that may be handed on in its place.
#[derive(Shaped)]
struct RedactedFile {
    /// Its name: another one where that shows the digest of its content.
    name: String,
    /// Its content, unchanged where nothing was found.
    text: String,
    /// The number of texts that had a secret.
    count: u64,
}

/// No field is made by a program in all documents; see `redact`.
const DOCUMENT: &str = "document";

fn run(arguments: &Arguments) -> Reply<Json> {
    let RedactFileArguments { name, text } = arguments.read();
    let (name, text, count) = redacted(name, text);
    Warnings::default().reply(Ok(RedactedFile { name, text, count }.into()))
}

fn redacted(name: &str, text: &str) -> (String, String, u64) {
    if name.ends_with(".yaml") {
        if let Ok(mut document) = yaml::read(text.as_bytes()) {
            let count = hide(&mut document);
            let text = match count {
                0 => text.to_owned(),
                _ => yaml::write(&document),
            };
            return unless_text_has_more(name.to_owned(), text, count);
        }
    } else if let Ok(Json::Object(document)) = json::read(text.as_bytes()).map(|it| it.value) {
        let mut wrapped = Object::new().with(DOCUMENT, document);
        let count = hide(&mut wrapped);
        if let (1.., Some(Json::Object(document))) = (count, wrapped.remove(DOCUMENT)) {
            let (name, bytes) = copied(name, text.as_bytes(), document);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return (name, text, count);
        }
        return (name.to_owned(), text.to_owned(), 0);
    }
    unless_text_has_more(name.to_owned(), text.to_owned(), 0)
}

/// A file that is no document is a text as any other.
fn unless_text_has_more(name: String, text: String, count: u64) -> (String, String, u64) {
    let redacted = redact_text(&text);
    let more = redacted.findings.len() as u64;
    let text = redacted.text.into_owned();
    (name, text, count + more)
}

/// Takes the secrets out of every text; how many had some.
fn hide(document: &mut Object) -> u64 {
    let mut count = 0;
    redact(document, &mut |shown: SnapshotText<'_>| {
        let redacted = redact_field(shown.names, shown.text);
        (!redacted.findings.is_empty()).then(|| {
            count += 1;
            redacted.text.into_owned()
        })
    });
    count
}

#[cfg(test)]
mod tests {
    use super::redacted;

    const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ456789";

    #[test]
    fn a_document_keeps_no_secret_in_an_unknown_field() {
        for document in [
            format!("{{\"note\": \"{TOKEN}\"}}"),
            format!("{{\"id\": \"{TOKEN}\"}}"),
            format!("{{\"a\": [{{\"{TOKEN}\": 1}}]}}"),
            "{\"password\": \"correct horse\"}".to_owned(),
        ] {
            let (_, text, count) = redacted("x.json", &document);
            assert!(count >= 1, "{document}");
            assert!(!text.contains(TOKEN) && !text.contains("horse"), "{text}");
            assert!(text.contains("[REDACTED:"), "{text}");
        }
    }

    #[test]
    fn a_snapshot_keeps_no_secret() {
        let yaml = format!("id: \"chk-20260101-000000\"\nmessage: \"see {TOKEN}\"\n");
        let (_, text, count) = redacted("chk-20260101-000000.yaml", &yaml);
        assert_eq!(count, 1);
        assert!(!text.contains(TOKEN), "{text}");
        assert!(text.starts_with("id: \"chk-20260101-000000\"\n"));
    }

    #[test]
    fn a_file_that_is_no_document_keeps_no_secret() {
        for (name, text) in [
            ("design-checkpoint.json", format!("{{\"note\": \"{TOKEN}")),
            ("chk-1.yaml", format!("- [ {TOKEN}")),
            ("log", format!("token {TOKEN}\n")),
        ] {
            let (_, text, count) = redacted(name, &text);
            assert_eq!(count, 1, "{name}");
            assert!(!text.contains(TOKEN), "{text}");
        }
    }

    #[test]
    fn a_document_without_secrets_is_unchanged() {
        let text = "{ \"b\":1,\n\"a\" : [ 1.50 ] }";
        assert_eq!(redacted("x.json", text), ("x.json".into(), text.into(), 0));
    }
}
