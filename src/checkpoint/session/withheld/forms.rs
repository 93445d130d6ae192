//! The forms of names of files with secrets: environments, keys, patterns, data.

use super::lists::{
    DATA, DATA_ENDINGS, DATA_WITHOUT, ENVIRONMENTS, KEYS, OF_ENVIRONMENT, OF_WIREGUARD,
};

/// `.env`, `.env.local`, `.envrc.local`, `prod.env`, and the `.dev.vars` of Wrangler.
pub(super) fn is_environment(name: &str) -> bool {
    let is_one = |begin: &&str| {
        let rest = name.strip_prefix(*begin);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
    };
    ENVIRONMENTS.iter().any(is_one) || name.ends_with(OF_ENVIRONMENT)
}

/// `id_rsa`, `id_ed25519_sk`, `id_rsa_work`.
pub(super) fn is_key_of_ssh(name: &str) -> bool {
    KEYS.iter().any(|key| {
        let rest = name.strip_prefix(*key);
        rest.is_some_and(|it| {
            !it.starts_with(|it: char| it.is_ascii_alphanumeric()) && !it.contains(".pub")
        })
    })
}

/// Returns whether a name has the form of a pattern.
pub(super) fn is_like(name: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let (part, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let middle = name
        .strip_prefix(begin)
        .and_then(|rest| rest.strip_suffix(end));
    middle.is_some_and(|it| {
        it.contains(part) && (pattern != OF_WIREGUARD || it.bytes().all(|it| it.is_ascii_digit()))
    })
}

/// `secrets.yml`, `secrets.prod.json`, `db-credentials.json`, `db_password.txt`.
pub(super) fn is_data(name: &str) -> bool {
    let Some((begin, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let is_one = |part: &str| {
        let mut words = part.rsplit(['-', '_', ' ']);
        let last = words.next().unwrap_or(part);
        let says_little = words.next().is_some_and(|before| {
            let pair = (before, last.trim_end_matches('s'));
            // `set-password.json` has the words of a page.
            last == "password" && ending != "txt"
                || DATA_WITHOUT
                    .iter()
                    .any(|it| it.split_once('-') == Some(pair))
        });
        DATA.contains(&last) && !says_little
    };
    // `devise.passwords.en.yml`: what stands in the middle says what it is about.
    let (first, rest) = begin.split_once('.').unwrap_or((begin, begin));
    let last = rest.rsplit('.').next().unwrap_or(rest);
    DATA_ENDINGS.contains(&ending) && (is_one(first) || is_one(last))
}
