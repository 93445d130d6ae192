//! The search for secrets in a file that is to be kept.

use crate::secret::{find_secrets, is_binary};
use crate::store::objects::{KeepDecision, ShownFilePart};

/// The beginning of the reason for a file that has one.
pub(super) const HAS_SECRET: &str = "holds what looks like a secret";

/// A secret that begins in one part of a file and ends in the next one is looked for in this much of both.
const OVERLAP: usize = 16 << 10;

/// Looks for secrets in the parts of a file.
#[derive(Default)]
pub(super) struct SecretScan {
    /// The kind by its first bytes; `None` before them.
    is_binary: Option<bool>,
    /// The end of what was seen.
    tail: Vec<u8>,
    /// The number of lines that came before it.
    lines: usize,
    /// The first secret, in words.
    pub(super) found: Option<String>,
}

impl SecretScan {
    /// Looks at the next part.
    pub(super) fn sees(&mut self, shown: ShownFilePart<'_>) -> KeepDecision {
        let ShownFilePart::Bytes(bytes) = shown else {
            return KeepDecision::Continue;
        };
        if *self.is_binary.get_or_insert_with(|| is_binary(bytes)) {
            return KeepDecision::Continue;
        }
        let text = match self.tail.is_empty() {
            true => std::borrow::Cow::Borrowed(bytes),
            false => std::borrow::Cow::Owned([&self.tail, bytes].concat()),
        };
        if let Some(finding) = find_secrets(&text).first() {
            self.found = Some(format!(
                "{HAS_SECRET} ({}) in line {}",
                finding.rule.as_str(),
                finding.line + self.lines
            ));
            return KeepDecision::Stop;
        }
        let from = text.len().saturating_sub(OVERLAP);
        self.lines += text[..from].iter().filter(|it| **it == b'\n').count();
        self.tail = text[from..].to_vec();
        KeepDecision::Continue
    }
}
