//! Secrets in what is stored: of older versions, other programs and hands.

use crate::doctor::facts::Secret;
use crate::json::Json;
use crate::json::Object;
use crate::secret::find_secrets;

/// Notes what looks like a secret in a run.
pub(super) fn of_document(path: &str, document: &Object, found: &mut Vec<Secret>) {
    let text = Json::from(document.clone()).to_document();
    of_text(path, text.as_bytes(), found);
}

/// Notes it in any other text.
pub(super) fn of_text(path: &str, bytes: &[u8], found: &mut Vec<Secret>) {
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
