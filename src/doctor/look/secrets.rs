//! Secrets in what is stored: of older versions, other programs and hands.

use crate::doctor::facts::Secret;
use crate::effect::{Io, Sync};
use crate::json::Json;
use crate::json::Object;
use crate::secret::find_secrets;
use crate::store::{Folder, Shelf};

/// Notes what looks like a secret in a command checkpoint.
pub(super) fn of_document(path: &str, document: &Object, found: &mut Vec<Secret>) {
    let text = Json::from(document.clone()).to_document();
    note(path, text.as_bytes(), found);
}

/// The same of every session checkpoint. What cannot be read is told where sessions are listed.
pub(super) async fn of_sessions(io: &Io, sessions: &Folder, found: &mut Vec<Secret>) {
    let shelf = Shelf::new(io, sessions, ".yaml", Sync::Lazy);
    for stem in shelf.list().await.unwrap_or_default() {
        if let Ok(Some(bytes)) = shelf.read(&stem).await {
            let path = sessions.shown(&format!("{}.yaml", stem.as_str()));
            note(&path, &bytes, found);
        }
    }
}

fn note(path: &str, bytes: &[u8], found: &mut Vec<Secret>) {
    let secrets = find_secrets(bytes);
    if let Some(first) = secrets.first() {
        found.push(Secret {
            path: path.to_owned(),
            rule: first.rule.as_str(),
            line: first.line,
            count: secrets.len(),
        });
    }
}
