//! Files that are held back from snapshots because of their names: they are made to hold secrets.
//!
//! [`LISTS`] has all of the names, as `docs/reference/secrets.md` prints them.

mod forms;
mod lists;
mod original;
#[cfg(test)]
mod tests;

use forms::{is_data, is_environment, is_key_of_ssh, is_like};
use lists::{ENDINGS, EXAMPLES, FOLDERS, NAMES, PATHS, PATTERNS, PROGRAMS, SCRIPTS};
use original::original;

pub use lists::LISTS;

/// Returns the reason why a file is held back, as a sentence goes on after its path; `None` for any
/// other file. Letter case makes no difference.
pub fn reason(path: &str) -> Option<&'static str> {
    const OF_SECRETS: &str = "is a file of secrets by its name";
    const OF_KEYS: &str = "is a file of keys by its name";
    let path = path.to_ascii_lowercase();
    let path = original(&path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_example = name
        .split(['.', '-', '_'])
        .any(|part| EXAMPLES.contains(&part));
    let is_program = PROGRAMS.iter().any(|ending| name.ends_with(ending));
    if is_environment(name) {
        return (!is_example && !is_program).then_some(OF_SECRETS);
    }
    let is_script = SCRIPTS.iter().any(|ending| name.ends_with(ending));
    let is_key = ENDINGS.iter().any(|ending| name.ends_with(ending))
        || !is_example && !is_program && !is_script && is_key_of_ssh(name);
    if is_key || NAMES.contains(&name) {
        return Some(OF_KEYS);
    }
    let is_path = |end: &&str| {
        let before = path.strip_suffix(*end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_found = PATHS.iter().any(is_path)
        || FOLDERS.iter().any(|folder| path.contains(folder))
        || PATTERNS.iter().any(|pattern| is_like(name, pattern))
        || !is_example && is_data(name);
    is_found.then_some(OF_SECRETS)
}
