//! Secrets by their form, under any name, in one line. What a form is, `secret::form` says.

use super::cover::Cover;
use super::rule::Rule;
use super::{find, has_mark, is_placeholder, is_word, word_end};
use crate::secret::form::{
    is_aws_key_id, is_bearer, is_known_token, is_login, is_reference, is_said_of_bearer,
    is_web_token, looks_mixed, secret_of_parameter, secret_of_webhook,
};

/// Tokens with the prefix of a well-known issuer, ids of keys, and web tokens.
pub(super) fn tokens(line: &str, cover: &mut Cover) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = word_end(bytes, at).max(at + 1);
        let is_edge = |it: char| matches!(it, '-' | '.');
        let word = &line[at..end];
        let start = end - word.trim_start_matches(is_edge).len();
        let word = word.trim_matches(is_edge);
        if is_known_token(word) && !is_name_of_words(word) {
            cover.mark(rule_of(word), start, start + word.len());
        }
        at = end;
    }
}

fn rule_of(word: &str) -> Rule {
    const CLOUDS: [&str; 8] = [
        "AIza", "GOCSPX-", "ya29.", "dop_v1_", "doo_v1_", "dor_v1_", "nvapi-", "pul-",
    ];
    if is_web_token(word) {
        return Rule::WebToken;
    }
    match is_aws_key_id(word) || CLOUDS.iter().any(|it| word.starts_with(it)) {
        true => Rule::CloudKey,
        false => Rule::Token,
    }
}

/// `sk-folding-cube-with-delay-1`: a class of a style sheet, or the name of a package.
fn is_name_of_words(word: &str) -> bool {
    let is_plain = |part: &&str| part.len() > 2 && part.bytes().all(|it| it.is_ascii_lowercase());
    word.split('-').skip(1).filter(is_plain).count() > 2
}

/// `scheme://user:password@host`
pub(super) fn passwords_in_addresses(line: &str, cover: &mut Cover) {
    const BETWEEN: &[u8] = b"://";
    /// Shorter ones stand in examples: `https://a:b@c`.
    const LEAST: usize = 3;
    let bytes = line.as_bytes();
    let ends = |it: &u8| b"/?#\"'`\\".contains(it) || it.is_ascii_whitespace();
    let mut at = 0;
    while let Some(found) = find(bytes, at, BETWEEN) {
        let start = found + BETWEEN.len();
        let rest = &bytes[start..];
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        at = start;
        let authority = &line[start..start + length];
        let Some(login) = authority.rfind('@').map(|end| &authority[..end]) else {
            continue;
        };
        let Some((user, password)) = login.split_once(':') else {
            continue;
        };
        let is_open = is_reference(password) || is_placeholder(password) || has_mark(login);
        if password.len() >= LEAST && !is_open {
            let from = start + user.len() + 1;
            cover.mark(Rule::UrlPassword, from, from + password.len());
        }
    }
}

/// Webhooks, and parameters that are called secrets.
pub(super) fn addresses(line: &str, cover: &mut Cover) {
    let is_between = |it: u8| it.is_ascii_whitespace() || b"\"'`".contains(&it);
    let mut from = 0;
    for word in line.split(|it: char| u8::try_from(it).is_ok_and(is_between)) {
        let start = from;
        from += word.len() + 1;
        if !word.contains('/') || has_mark(word) {
            continue;
        }
        if is_of_webhook_host(word)
            && let Some(length) = secret_of_webhook(word)
        {
            let secret = &word[word.len() - length..];
            let secret = secret.trim_end_matches(closes);
            let at = start + word.len() - length;
            cover.mark(Rule::Webhook, at, at + secret.len());
        }
        parameters(word, start, cover);
    }
}

/// Whether one of the top-level domains stands in it that webhooks have; the rest is looked at for those.
fn is_of_webhook_host(word: &str) -> bool {
    let mut windows = word.as_bytes().windows(5);
    windows.any(|it| {
        it[0] == b'.'
            && [b".com/", b".org/", b".cn/o"]
                .iter()
                .any(|end| it.eq_ignore_ascii_case(*end))
    })
}

/// The parameters behind the `?` of an address.
fn parameters(word: &str, start: usize, cover: &mut Cover) {
    let Some((path, query)) = word.split_once('?') else {
        return;
    };
    // In `a?b=c` nothing says that this is an address.
    if !path.contains('/') {
        return;
    }
    let mut from = start + path.len() + 1;
    for parameter in query.split(['?', '&', ';', '#']) {
        let end = from + parameter.len();
        let shown = parameter.trim_end_matches(closes);
        if let Some(value) = secret_of_parameter(shown)
            && !is_placeholder(value)
            && !value.contains(['(', '$', '{'])
        {
            let until = from + shown.len();
            cover.mark(Rule::UrlParameter, until - value.len(), until);
        }
        from = end + 1;
    }
}

/// What stands behind an address, not in it.
fn closes(character: char) -> bool {
    matches!(character, ')' | ']' | '}' | '>' | ',' | ';' | '.')
}

/// `Server=db;User Id=sa;Password=…;`, `host=db user=app password=…`
pub(super) fn connection_string(line: &str, cover: &mut Cover) {
    /// Said of where to connect, and as whom.
    const ABOUT: [&str; 9] = [
        "server",
        "data source",
        "source",
        "host",
        "endpoint",
        "accountname",
        "defaultendpointsprotocol",
        "database",
        "dbname",
    ];
    let bytes = line.as_bytes();
    let mut values = (0..bytes.len()).filter(|at| bytes[*at] == b'=');
    let is_about = |name: &[u8]| {
        let ends = |it: &&str| ends_with(name, it.as_bytes());
        ABOUT.iter().any(ends)
    };
    if !values.any(|at| is_about(&bytes[..at])) {
        return;
    }
    let mut is_one = false;
    let mut from = 0;
    let mut follows_semicolon = false;
    for parameter in line.split([';', ' ', '"', '\'', '`']) {
        let start = from;
        from += parameter.len() + 1;
        let before = follows_semicolon;
        follows_semicolon = line.as_bytes().get(from - 1) == Some(&b';');
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let is_about = ABOUT.iter().any(|it| it.eq_ignore_ascii_case(name));
        is_one |= is_about && !value.is_empty();
        if !is_one {
            continue;
        }
        let shown = parameter.trim_end_matches([')', ',']);
        let Some(value) = secret_of_parameter(shown) else {
            continue;
        };
        let is_sure = before || value.bytes().any(|it| it.is_ascii_digit());
        // A mark has such a bracket too.
        let is_expression = value.contains(['(', '$', '{', '[']);
        if is_sure && !is_expression && !is_placeholder(value) {
            let until = start + shown.len();
            cover.mark(Rule::ConnectionString, until - value.len(), until);
        }
    }
}

/// `Bearer TOKEN` and `Basic LOGIN`, as HTTP has them.
pub(super) fn schemes(line: &str, cover: &mut Cover) {
    let whole = line.trim().len();
    let mut scheme = "";
    let mut from = 0;
    for word in line.split([' ', '\t', '\r', '"', '\'', '`', ',']) {
        let start = from;
        from += word.len() + 1;
        if word.is_empty() {
            continue;
        }
        let before = std::mem::replace(&mut scheme, word);
        let (is_bearer_before, is_basic_before) = (
            ends_with_scheme(before, "bearer"),
            ends_with_scheme(before, "basic"),
        );
        if !is_bearer_before && !is_basic_before {
            continue;
        }
        if is_reference(word) || is_placeholder(word) || has_mark(word) {
            continue;
        }
        if is_bearer_before {
            // With nothing beside them, these two words are no sentence.
            let is_alone = before.len() + word.len() + 1 >= whole && !has_mark(before);
            let is_token = is_bearer(word)
                && (word.bytes().any(|it| it.is_ascii_digit()) || looks_mixed(word));
            if is_token || is_alone && !is_said_of_bearer(word) {
                let word = word.trim_end_matches(closes);
                cover.mark(Rule::Bearer, start, start + word.len());
            }
        } else if is_login(word) {
            cover.mark(Rule::Basic, start, start + word.len());
        }
    }
}

/// Whether a text ends so, in whatever case.
fn ends_with(text: &[u8], end: &[u8]) -> bool {
    let from = text.len().checked_sub(end.len());
    from.is_some_and(|from| text[from..].eq_ignore_ascii_case(end))
}

/// The scheme alone, or behind a colon (`Authorization:Bearer`).
fn ends_with_scheme(word: &str, scheme: &str) -> bool {
    let last = word.rsplit([':', '=', '+']).next().unwrap_or(word);
    last.eq_ignore_ascii_case(scheme)
}
