//! Finds what looks like a token, key or password, by the name of its field or by its form.

use crate::json::{Json, Pointer};
use crate::schema::{Problem, ProblemCode};

/// A problem for every secret in the document. None of them quotes a value.
pub(crate) fn problems(document: &Json) -> Vec<Problem> {
    let mut problems = Vec::new();
    look(document, Name::Plain, &Pointer::root(), &mut problems);
    problems
}

/// What the name of a field says about its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// Nothing.
    Plain,
    /// It is called a key, as both secrets and team keys are.
    Key,
    /// It is called a secret.
    Secret,
}

fn look(value: &Json, name: Name, place: &Pointer, problems: &mut Vec<Problem>) {
    match value {
        Json::String(text) if is_secret(name, text) => problems.push(Problem {
            at: place.clone(),
            code: ProblemCode::Secret,
            message: "this looks like a secret, and the file is committed; keep it in the \
                      environment instead"
                .to_owned(),
        }),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                look(item, name, &place.item(index), problems);
            }
        }
        Json::Object(object) => {
            for (key, value) in object.iter() {
                if has_form_of_secret(key) {
                    problems.push(Problem {
                        at: place.clone(),
                        code: ProblemCode::Secret,
                        message: "the name of a field in here looks like a secret, and the file \
                                  is committed"
                            .to_owned(),
                    });
                    continue;
                }
                // Below `"tokens": { … }` the names are those of services.
                let name = match name {
                    Name::Secret => Name::Secret,
                    Name::Plain | Name::Key => name_of(key),
                };
                look(value, name, &place.key(key), problems);
            }
        }
        _ => {}
    }
}

fn is_secret(name: Name, text: &str) -> bool {
    let by_name = match name {
        Name::Plain => false,
        Name::Key => looks_random(text),
        Name::Secret => !text.trim().is_empty() && !is_reference(text),
    };
    by_name || has_form_of_secret(text)
}

/// What a key says, by its last words: `githubToken` is a secret, `tokenizer`, `token_url` and
/// `pattern` are not.
fn name_of(key: &str) -> Name {
    const SECRETS: [&str; 18] = [
        "token",
        "tokens",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "pat",
        "pats",
        "credential",
        "credentials",
        "apikey",
        "apikeys",
        "authtoken",
        "accesstoken",
        "privatekey",
        "secretkey",
    ];
    const BEFORE_KEY: [&str; 11] = [
        "api",
        "access",
        "private",
        "secret",
        "signing",
        "deploy",
        "auth",
        "client",
        "encryption",
        "service",
        "ssh",
    ];
    let words = words(key);
    let mut words = words.iter().rev().map(String::as_str);
    match (words.next(), words.next()) {
        (Some(last), _) if SECRETS.contains(&last) => Name::Secret,
        (Some("key" | "keys"), Some(before)) if BEFORE_KEY.contains(&before) => Name::Secret,
        (Some("key" | "keys"), _) => Name::Key,
        _ => Name::Plain,
    }
}

/// The words of `snake_case`, `kebab-case`, `camelCase` and `HTTPCase`, in lower case and without
/// numbers at their ends.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = key.chars().peekable();
    let mut before = None;
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(char::is_ascii_lowercase);
        let begins_word = character.is_ascii_uppercase()
            && before.is_some_and(|before: char| {
                before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_is_lower
            });
        if begins_word || !character.is_alphabetic() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && character.is_alphabetic()
        {
            word.push(character.to_ascii_lowercase());
        }
        before = Some(character);
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the text only says where the secret is: `$NAME`, `${NAME}` or `env:NAME`.
fn is_reference(text: &str) -> bool {
    let name = text
        .strip_prefix("${")
        .and_then(|text| text.strip_suffix('}'))
        .or_else(|| text.strip_prefix('$'))
        .or_else(|| text.strip_prefix("env:"));
    name.is_some_and(|name| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_')
    })
}

/// Long, without white space, with letters and digits.
fn looks_random(text: &str) -> bool {
    text.len() >= 16
        && !text.contains(char::is_whitespace)
        && text.contains(|it: char| it.is_ascii_digit())
        && text.contains(|it: char| it.is_ascii_alphabetic())
}

/// Whether a secret of a well-known form stands anywhere in the text.
fn has_form_of_secret(text: &str) -> bool {
    let is_private_key =
        behind(text, "-----BEGIN ").is_some_and(|rest| behind(rest, "PRIVATE KEY").is_some());
    is_private_key
        || has_password_in_url(text)
        || text
            .split(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '_' | '-' | '.'))
            .any(is_known_token)
}

/// Whether this one word is a token of a well-known issuer.
fn is_known_token(word: &str) -> bool {
    /// What tokens begin with, and the least length of the rest.
    const PREFIXES: [(&str, usize); 24] = [
        ("ghp_", 20),
        ("gho_", 20),
        ("ghu_", 20),
        ("ghs_", 20),
        ("ghr_", 20),
        ("github_pat_", 20),
        ("glpat-", 20),
        ("lin_api_", 16),
        ("lin_oauth_", 16),
        ("sk-", 20),
        ("sk_live_", 16),
        ("sk_test_", 16),
        ("rk_live_", 16),
        ("xoxa-", 10),
        ("xoxb-", 10),
        ("xoxe-", 10),
        ("xoxp-", 10),
        ("xoxr-", 10),
        ("xoxs-", 10),
        ("xapp-", 10),
        ("npm_", 30),
        ("pypi-", 40),
        ("hf_", 30),
        ("AIza", 30),
    ];
    let by_prefix = PREFIXES.iter().any(|(prefix, least)| {
        word.strip_prefix(prefix)
            .is_some_and(|rest| rest.len() >= *least && looks_random(word))
    });
    by_prefix || is_aws_key_id(word) || is_web_token(word)
}

/// `AKIA` or `ASIA` and 16 capitals or digits.
fn is_aws_key_id(word: &str) -> bool {
    let rest = word.strip_prefix("AKIA").or(word.strip_prefix("ASIA"));
    rest.is_some_and(|rest| {
        rest.len() == 16
            && rest
                .bytes()
                .all(|it| it.is_ascii_uppercase() || it.is_ascii_digit())
    })
}

/// A JSON Web Token: three parts, of which the first is an object in base64.
fn is_web_token(word: &str) -> bool {
    let parts: Vec<_> = word.split('.').collect();
    parts.len() == 3 && parts[0].starts_with("eyJ") && parts.iter().all(|part| part.len() >= 10)
}

/// What stands behind the first occurrence. (The standard library's search is made for long texts,
/// and 3 KB.)
fn behind<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let mut places = text.as_bytes().windows(part.len());
    let at = places.position(|window| window == part.as_bytes())?;
    Some(&text[at + part.len()..])
}

/// `scheme://user:password@host`
fn has_password_in_url(text: &str) -> bool {
    let mut urls = std::iter::successors(behind(text, "://"), |rest| behind(rest, "://"));
    urls.any(|rest| {
        let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        let login = authority.rsplit_once('@').map(|(login, _)| login);
        let password = login.and_then(|login| login.split_once(':'));
        password.is_some_and(|(_, password)| !password.is_empty() && !is_reference(password))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn places(text: &str) -> Vec<String> {
        let document = json::read(text.as_bytes()).unwrap().value;
        let problems = problems(&document).into_iter();
        problems.map(|problem| problem.at.to_string()).collect()
    }

    #[test]
    fn fields_that_are_called_secrets_are_named() {
        for key in [
            "token",
            "TOKEN",
            "linear_token",
            "githubToken",
            "access-token",
            "api_key",
            "apiKey",
            "APIKey",
            "apikey",
            "LINEAR_API_KEY",
            "private_key",
            "password",
            "linear_pat",
            "PAT",
            "githubPAT",
            "client_secret",
            "clientSecret",
            "token_2",
            "credentials",
        ] {
            let text = format!(r#"{{"linear": {{"{key}": "hunter2"}}}}"#);
            assert_eq!(places(&text), [format!("/linear/{key}")], "{text}");
        }
    }

    #[test]
    fn fields_whose_names_only_resemble_secrets_are_fine() {
        for key in [
            "use_native_automation",
            "branch_prefix",
            "tokenizer",
            "token_url",
            "tokenization",
            "max_tokens_per_call",
            "pattern",
            "path",
            "patch",
            "passing",
            "secretary",
            "key",
            "team_key",
            "keyboard",
            "monkey",
            "author",
            "secret_name",
            "password_file",
        ] {
            let text = format!(r#"{{"linear": {{"{key}": "basecamp"}}}}"#);
            assert_eq!(places(&text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_field_called_secret_may_be_empty_or_say_where_the_secret_is() {
        for value in [
            "null",
            "true",
            "500",
            r#""""#,
            r#"" ""#,
            r#""$LINEAR_TOKEN""#,
            r#""${LINEAR_TOKEN}""#,
            r#""env:LINEAR_TOKEN""#,
        ] {
            let text = format!(r#"{{"token": {value}}}"#);
            assert_eq!(places(&text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(places(r#"{"token": "$2b$10$abc"}"#), ["/token"]);
    }

    #[test]
    fn values_of_well_known_forms_are_found_under_any_name() {
        for value in [
            "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
            "glpat-abcdefghij0123456789",
            "lin_api_0123456789abcdefABCDEF",
            "sk-0123456789abcdefghijABCDEFGHIJ",
            "sk-ant-api03-0123456789abcdefghij",
            "xoxb-123456789012-abcdefghijkl",
            "AKIAIOSFODNN7EXAMPLE",
            "npm_0123456789abcdefghijABCDEFGHIJ012345",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLWhlcmU",
            "-----BEGIN RSA PRIVATE KEY-----\\nMIIE",
            "-----BEGIN PRIVATE KEY-----",
            "Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "https://me:hunter2@example.org/x.git",
            "https://ghp_0123456789abcdefghijABCDEFGHIJ012345@example.org/x.git",
        ] {
            let text = format!(r#"{{"linear": {{"team": ["{value}"]}}}}"#);
            assert_eq!(places(&text), ["/linear/team/0"], "{value}");
        }
    }

    #[test]
    fn ordinary_values_are_fine_under_any_name() {
        for value in [
            "Basecamp",
            "feature",
            "feature/BAS-6",
            "sk-learn",
            "sk-a-name-of-many-words-in-it",
            "npm_config",
            "risk-management-of-2026-projects",
            "AKIA",
            "xoxo",
            "hf_transfer",
            "https://example.org:8080/x",
            "https://me@example.org/x",
            "https://example.org/a:b@c",
            "https://me:${TOKEN}@example.org",
            "-----BEGIN CERTIFICATE-----",
            "1.2.3",
            "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
        ] {
            let text = format!(r#"{{"linear": {{"team": "{value}"}}}}"#);
            assert_eq!(places(&text), Vec::<String>::new(), "{value}");
        }
    }

    #[test]
    fn a_field_called_key_is_a_secret_only_when_its_value_looks_random() {
        assert_eq!(places(r#"{"key": "BAS"}"#), Vec::<String>::new());
        assert_eq!(places(r#"{"key": "a1b2c3d4e5f6a7b8c9d0"}"#), ["/key"]);
    }

    #[test]
    fn what_stands_below_a_field_called_secrets_is_secret() {
        assert_eq!(
            places(r#"{"tokens": {"github": "abc", "list": ["x", ""]}}"#),
            ["/tokens/github", "/tokens/list/0"]
        );
    }

    #[test]
    fn a_secret_that_is_the_name_of_a_field_is_told_by_the_object_that_holds_it() {
        let text = r#"{"a": {"ghp_0123456789abcdefghijABCDEFGHIJ012345": true}}"#;
        assert_eq!(places(text), ["/a"]);
    }
}
