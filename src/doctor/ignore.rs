//! The effect of a `.gitignore` on the state: whether the file has rules at all, and whether they ignore everything.

use crate::effect::Fault;
use crate::store::IGNORE_ALL;

/// The most bytes of a `.gitignore` that is read; a larger one is not worth it.
pub(super) const MAX_IGNORE_BYTES: u32 = 64 * 1024;

/// Returns whether there are no rules: the file is absent, or a write of it was cut short.
pub(super) fn is_missing(read: &Result<Vec<u8>, Fault>) -> bool {
    match read {
        Ok(bytes) => IGNORE_ALL.as_bytes().starts_with(bytes),
        Err(fault) => *fault == Fault::NotFound,
    }
}

/// Returns whether nothing of the folder is committed: a rule for everything, and no exception to it.
pub(super) fn ignores_all(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut rules = text.lines().map(str::trim_end);
    let all = IGNORE_ALL.trim_end();
    rules.clone().any(|rule| rule == all) && !rules.any(|rule| rule.starts_with('!'))
}

#[cfg(test)]
mod tests {
    use super::ignores_all;

    #[test]
    fn only_a_rule_for_everything_without_exceptions_ignores_all() {
        for (rules, expected) in [
            ("*\n", true),
            ("*", true),
            ("# made by milepost\r\n*\r\n", true),
            ("*\n!design-checkpoint.json\n", false),
            ("*.json\n", false),
            ("", false),
            ("/*", false),
        ] {
            assert_eq!(ignores_all(rules.as_bytes()), expected, "{rules:?}");
        }
    }
}
