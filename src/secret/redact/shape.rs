//! Secrets by their form, under any name, in one line. What a form is, `secret::form` and `secret::issuer` say.

use super::mask::Mask;
use super::rule::Rule;
use super::{find, has_mark, is_placeholder};
use crate::secret::form::{
    is_bearer, is_login, is_reference, is_said_of_bearer, looks_mixed, secret_of_parameter,
    secret_of_webhook,
};
use crate::secret::issuer::{WebTokens, pattern_at, token_at};
use crate::step_count::step;

/// Tokens of well-known issuers, ids of keys, and web tokens, wherever they stand.
pub(super) fn tokens(line: &str, mask: &mut Mask<'_>) {
    let bytes = line.as_bytes();
    let mut web_tokens = WebTokens::default();
    step(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if let Some(end) = web_tokens.end(bytes, at) {
            mask.mark(Rule::WebToken, at, end);
            at = end;
        } else if let Some((rule, end)) = token_at(bytes, at) {
            mask.mark(rule, at, end);
            if rule == Rule::CloudKey
                && let Some((start, end)) = secret_of_key_id(bytes, end)
            {
                mask.mark(rule, start, end);
            }
            at = end;
        } else if let Some((rule, start, end)) = pattern_at(bytes, at) {
            mask.mark(rule, start, end);
            at = end;
        } else {
            at += 1;
        }
    }
}

/// The key that stands right behind its id, as in a file of keys: 40 characters of base64.
fn secret_of_key_id(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const LENGTH: usize = 40;
    const MOST_BETWEEN: usize = 4;
    let is_between = |it: &&u8| {
        matches!(
            **it,
            b',' | b';' | b':' | b' ' | b'\t' | b'"' | b'\'' | b'|'
        )
    };
    let between = text[end..]
        .iter()
        .take(MOST_BETWEEN)
        .take_while(is_between)
        .count();
    let start = end + between;
    let is_part = |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'+' | b'/');
    let length = text[start..]
        .iter()
        .take(LENGTH + 1)
        .take_while(is_part)
        .count();
    let has_capital = text[start..start + length]
        .iter()
        .any(u8::is_ascii_uppercase);
    let has_small = text[start..start + length]
        .iter()
        .any(u8::is_ascii_lowercase);
    (between > 0 && length == LENGTH && has_capital && has_small).then_some((start, start + length))
}

/// `scheme://user:password@host`
pub(super) fn passwords_in_addresses(line: &str, mask: &mut Mask<'_>) {
    const BETWEEN: &[u8] = b"://";
    /// Shorter ones stand in examples: `https://a:b@c`.
    const LEAST: usize = 3;
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(found) = find(bytes, at, BETWEEN) {
        let start = found + BETWEEN.len();
        step(start - at);
        at = start;
        let Some(end) = login_end(&bytes[start..], is_of_pages(&bytes[..found])) else {
            continue;
        };
        let login = &line[start..start + end];
        let Some((user, password)) = login.split_once(':') else {
            continue;
        };
        let is_open = is_reference(password) || is_placeholder(password) || has_mark(login);
        if password.len() >= LEAST && !is_open {
            let from = start + user.len() + 1;
            mask.mark(Rule::UrlPassword, from, from + password.len());
        }
    }
}

/// Returns whether a scheme is that of pages, in whose addresses `@` may stand behind the host as well.
fn is_of_pages(before: &[u8]) -> bool {
    let schemes: [&[u8]; 4] = [b"http", b"https", b"ws", b"wss"];
    schemes.iter().any(|scheme| ends_with(before, scheme))
}

/// Returns the end of the login of an address of which this is the rest. A password may have `/` in it that was not
/// escaped, where no port stands in its place.
fn login_end(rest: &[u8], is_of_pages: bool) -> Option<usize> {
    let ends = |it: &u8| b"\"'`\\".contains(it) || it.is_ascii_whitespace();
    let is_behind_host = |it: &u8| b"/?#".contains(it) || ends(it);
    let length = rest.iter().position(is_behind_host).unwrap_or(rest.len());
    step(length);
    let authority = &rest[..length];
    if let Some(end) = authority.iter().rposition(|it| *it == b'@') {
        return Some(end);
    }
    let colon = authority.iter().position(|it| *it == b':')?;
    let port = &authority[colon + 1..];
    if is_of_pages
        || port.iter().all(u8::is_ascii_digit)
        || port.starts_with(b"$")
        || port.starts_with(b"{")
    {
        return None;
    }
    // Another address is not of this one.
    let other = find(rest, length, b"://").unwrap_or(rest.len());
    let mut behind = rest[length..other].iter();
    let end = behind.position(|it| *it == b'@' || ends(it))? + length;
    step(end - length);
    (rest[end] == b'@').then_some(end)
}

/// Webhooks, and parameters that are called secrets.
pub(super) fn addresses(line: &str, mask: &mut Mask<'_>) {
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
            mask.mark(Rule::Webhook, at, at + secret.len());
        }
        parameters(word, start, mask);
    }
}

/// Returns whether one of the top-level domains stands in it that webhooks have; the rest is looked at for those.
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
fn parameters(word: &str, start: usize, mask: &mut Mask<'_>) {
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
            mask.mark(Rule::UrlParameter, until - value.len(), until);
        }
        from = end + 1;
    }
}

/// Returns whether a character stands behind an address, not in it.
fn closes(character: char) -> bool {
    matches!(character, ')' | ']' | '}' | '>' | ',' | ';' | '.')
}

/// `Server=db;User Id=sa;Password=…;`, `host=db user=app password=…`
pub(super) fn connection_string(line: &str, mask: &mut Mask<'_>) {
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
            mask.mark(Rule::ConnectionString, until - value.len(), until);
        }
    }
}

/// `Bearer TOKEN` and `Basic LOGIN`, as HTTP has them.
pub(super) fn schemes(line: &str, mask: &mut Mask<'_>) {
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
                mask.mark(Rule::Bearer, start, start + word.len());
            }
        } else if is_login(word) {
            mask.mark(Rule::Basic, start, start + word.len());
        }
    }
}

/// Returns whether a text ends so, in any letter case.
fn ends_with(text: &[u8], end: &[u8]) -> bool {
    let from = text.len().checked_sub(end.len());
    from.is_some_and(|from| text[from..].eq_ignore_ascii_case(end))
}

/// The scheme alone, or behind a colon (`Authorization:Bearer`).
fn ends_with_scheme(word: &str, scheme: &str) -> bool {
    let last = word.rsplit([':', '=', '+']).next().unwrap_or(word);
    last.eq_ignore_ascii_case(scheme)
}
