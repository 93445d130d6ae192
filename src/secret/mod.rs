//! Finds what looks like a token, key or password, by the name of its field or by its form.
//!
//! In settings, which are committed, every such field is a problem; in any text, `redact` takes secrets out.

mod binary;
mod form;
mod issuer;
mod redact;
mod suspect;
mod value;

use crate::json::{Json, Pointer};
use crate::schema::{Problem, ProblemCode};

pub use binary::is_binary;
pub(crate) use form::has_form_of_secret;
use form::{is_reference, looks_like_password, looks_random};
pub use redact::{
    Allowed, Redacted, Rule, SecretFinding, find_secrets, redact, redact_except, redact_field,
    redact_field_except, secret_in,
};
pub use suspect::{suspect, suspect_field};
pub use value::{redact_members, redact_text, redact_value};

/// A problem for every secret in the document. None of them quotes a value.
pub(crate) fn problems(document: &Json) -> Vec<Problem> {
    let mut problems = Vec::new();
    scan(
        document,
        FieldNameKind::Plain,
        &Pointer::root(),
        &mut problems,
    );
    problems
}

/// The kind of value that the name of a field announces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FieldNameKind {
    /// Nothing.
    Plain,
    /// It is called a key, as both secrets and team keys are.
    Key,
    /// It is called `pass` or `pwd`, as passwords, steps of a test and the folder of a shell are.
    Pass,
    /// It is called the `pass` of a login, as passwords and numbers of tests that pass are.
    Login,
    /// It is called secrets, as both a list of them and a number of them are.
    Secrets,
    /// It is called a secret.
    Secret,
}

fn scan(value: &Json, name: FieldNameKind, pointer: &Pointer, problems: &mut Vec<Problem>) {
    match value {
        Json::String(text) if is_secret(name, text) => problems.push(problem_at(pointer)),
        Json::Number(_) if name == FieldNameKind::Secret => problems.push(problem_at(pointer)),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                scan(item, within(name), &pointer.item(index), problems);
            }
        }
        Json::Object(object) => {
            for (key, value) in object.iter() {
                if has_form_of_secret(key) {
                    problems.push(Problem {
                        at: pointer.clone(),
                        code: ProblemCode::Secret,
                        message: "the name of a field in here looks like a secret, and the file \
                                  is committed"
                            .to_owned(),
                    });
                    continue;
                }
                // Below `"tokens": { … }` the names are those of services.
                let name = match within(name) {
                    // `tokens` of the settings counts them.
                    FieldNameKind::Secret if is_budget(pointer, key) => FieldNameKind::Plain,
                    FieldNameKind::Secret => FieldNameKind::Secret,
                    _ => name_of(key),
                };
                scan(value, name, &pointer.key(key), problems);
            }
        }
        // An absent, empty or boolean value is no secret.
        _ => {}
    }
}

/// Returns whether this names a part of the budget in tokens, which settings have below `tokens`.
fn is_budget(pointer: &Pointer, key: &str) -> bool {
    pointer.as_str() == "/tokens" && matches!(key, "encoding" | "limit")
}

fn problem_at(pointer: &Pointer) -> Problem {
    Problem {
        at: pointer.clone(),
        code: ProblemCode::Secret,
        message: "this looks like a secret, and the file is committed; keep it in the environment \
                  instead, and write `$NAME` or `env:NAME` here"
            .to_owned(),
    }
}

/// The name that counts within a list or an object of this name.
fn within(name: FieldNameKind) -> FieldNameKind {
    match name {
        FieldNameKind::Secrets => FieldNameKind::Secret,
        name => name,
    }
}

fn is_secret(name: FieldNameKind, text: &str) -> bool {
    is_secret_by_name(name, text) || has_form_of_secret(text)
}

fn is_secret_by_name(name: FieldNameKind, text: &str) -> bool {
    match name {
        FieldNameKind::Plain => false,
        FieldNameKind::Key => looks_random(text),
        FieldNameKind::Pass => looks_like_password(text) && !is_reference(text),
        FieldNameKind::Login => !is_result(text) && !is_reference(text),
        FieldNameKind::Secrets | FieldNameKind::Secret => {
            !text.trim().is_empty() && !is_reference(text)
        }
    }
}

/// A number, or what is said of a test: `{"login_pass": 12}`, `{"server_pass": "ok"}`.
fn is_result(text: &str) -> bool {
    /// Shorter ones are words.
    const LEAST: usize = 6;
    const RESULTS: [&str; 6] = [
        "passed", "failed", "failure", "skipped", "success", "pending",
    ];
    let text = text.trim();
    let is_of_number =
        |it: u8| it.is_ascii_digit() || matches!(it, b'.' | b'-' | b'+' | b'e' | b'%');
    text.len() < LEAST
        || text.bytes().all(is_of_number)
        || RESULTS.iter().any(|it| it.eq_ignore_ascii_case(text))
}

/// The meaning of a key, by its last words: `githubToken` is a secret, `tokenizer`, `token_url` and
/// `pattern` are not.
fn name_of(key: &str) -> FieldNameKind {
    /// Also at the end of a longer word: `mytoken`.
    const ENDS: [&str; 6] = [
        "token",
        "secret",
        "password",
        "passphrase",
        "credential",
        "apikey",
    ];
    const WORDS: [&str; 13] = [
        "passwd",
        "dbpass",
        "dbpwd",
        "userpass",
        "userpwd",
        "passcode",
        "pat",
        "bearer",
        "authorization",
        "privatekey",
        "secretkey",
        "accesskey",
        "signingkey",
    ];
    const BEFORE_KEY: [&str; 14] = [
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
        "master",
        "hmac",
        "webhook",
    ];
    const PASS: [&str; 3] = ["pass", "pwd", "pw"];
    /// Said of a login; `first_pass` and `render_pass` are none.
    const BEFORE_PASS: [&str; 19] = [
        "db", "database", "mysql", "postgres", "pg", "mongo", "redis", "smtp", "mail", "email",
        "host", "server", "user", "admin", "root", "login", "ldap", "ftp", "ssh",
    ];
    /// Said of a secret's value after its name.
    const AFTER: [&str; 6] = ["value", "raw", "plaintext", "prod", "production", "staging"];
    /// Said of how many there may be.
    const COUNTS: [&str; 5] = ["max", "min", "count", "total", "budget"];

    let words = words(key);
    // `SECRET_KEY_BASE`, which keys are made of.
    let named = match words.as_slice() {
        [named @ .., base] if base == "base" && named.last().is_some_and(|it| it == "key") => named,
        named => named,
    };
    let last = named.iter().rev().map(String::as_str);
    let mut last = last.skip_while(|word| AFTER.contains(word));
    let (Some(word), before) = (last.next(), last.next()) else {
        return FieldNameKind::Plain;
    };
    let one = word.strip_suffix('s').unwrap_or(word);
    if ENDS.iter().any(|end| one.ends_with(end)) || [word, one].iter().any(|it| WORDS.contains(it))
    {
        let is_count = words.iter().any(|word| COUNTS.contains(&word.as_str()));
        return match word.ends_with('s') {
            _ if is_count => FieldNameKind::Plain,
            true => FieldNameKind::Secrets,
            false => FieldNameKind::Secret,
        };
    }
    match (one, before) {
        ("key", Some(before)) if BEFORE_KEY.contains(&before) => FieldNameKind::Secret,
        ("key", _) => FieldNameKind::Key,
        _ if !PASS.contains(&word) => FieldNameKind::Plain,
        (_, Some(before)) if BEFORE_PASS.contains(&before) => FieldNameKind::Login,
        _ => FieldNameKind::Pass,
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
            "credential",
            "mytoken",
            "clientsecret",
            "dbpassword",
            "bearer",
            "authorization",
            "Authorization",
            "passcode",
            "api_key_prod",
            "tokenValue",
            "DB_PASS",
            "dbPass",
            "dbpwd",
            "MYSQL_PWD",
            "SMTP_PW",
            "EMAIL_HOST_PASS",
            "secret_key_base",
            "SECRET_KEY_BASE",
            "RAILS_MASTER_KEY",
            "hmac_key",
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
            "password_policy",
            "secret_scanning",
            "token_type",
            "authorization_server",
            "auth",
            "pwd",
            "OLDPWD",
            "pass",
            "first_pass",
            "bypass",
            "compass",
            "passes",
            "key_base",
            "database",
            "session_key",
            "max_tokens",
            "value",
            "raw_value",
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
            "false",
            "[]",
            "{}",
            "[null, false, \"\"]",
            r#""""#,
            r#"" ""#,
            r#""$LINEAR_TOKEN""#,
            r#""${LINEAR_TOKEN}""#,
            r#""env:LINEAR_TOKEN""#,
            r#""${{ secrets.LINEAR_TOKEN }}""#,
            r#""{{linear_token}}""#,
            r#""<your token>""#,
            r#""%LINEAR_TOKEN%""#,
        ] {
            let text = format!(r#"{{"token": {value}}}"#);
            assert_eq!(places(&text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(places(r#"{"token": "$2b$10$abc"}"#), ["/token"]);
    }

    #[test]
    fn a_secret_that_is_no_string_is_named() {
        for (text, expected) in [
            (r#"{"token": 12345}"#, &["/token"][..]),
            (r#"{"password": 1e6}"#, &["/password"]),
            (
                r#"{"api_key": ["a", 7, null, true]}"#,
                &["/api_key/0", "/api_key/1"],
            ),
            (r#"{"secret": {"a": {"b": 7}}}"#, &["/secret/a/b"]),
            (r#"{"tokens": {"github": 7}}"#, &["/tokens/github"]),
            (r#"{"tokens": [7]}"#, &["/tokens/0"]),
            (r#"{"tokens": 500}"#, &[]),
            (r#"{"max_tokens": 500, "max_token": 500}"#, &[]),
            (r#"{"token_limit": 500}"#, &[]),
            (r#"{"tokens": {"encoding": "o200k", "limit": 500}}"#, &[]),
            (
                r#"{"tokens": {"encoding": "ghp_0123456789abcdefghijABCDEFGHIJ012345", "key": "x"}}"#,
                &["/tokens/encoding", "/tokens/key"],
            ),
            (
                r#"{"a": {"tokens": {"encoding": "o200k", "limit": 500}}}"#,
                &["/a/tokens/encoding", "/a/tokens/limit"],
            ),
            (
                r#"{"token_budget": {"encoding": "o200k", "limit": 500}}"#,
                &[],
            ),
            (r#"{"password_policy": "strict"}"#, &[]),
            (r#"{"secret_scanning": true, "use_token": true}"#, &[]),
            (r#"{"token": false, "secret": null}"#, &[]),
            (r#"{"key": 7}"#, &[]),
        ] {
            assert_eq!(places(text), expected, "{text}");
        }
    }

    #[test]
    fn a_field_called_key_is_a_secret_only_when_its_value_looks_random() {
        assert_eq!(places(r#"{"key": "BAS"}"#), Vec::<String>::new());
        assert_eq!(places(r#"{"key": "a1b2c3d4e5f6a7b8c9d0"}"#), ["/key"]);
    }

    #[test]
    fn a_field_called_pass_or_pwd_is_a_secret_only_when_its_value_looks_like_a_password() {
        for value in ["Xk29sLq8Zt", "Winter24!", "c0rrect!horse", "aB3-xY9_zz"] {
            for name in ["pass", "PWD", "grafana_pass"] {
                let text = format!(r#"{{"{name}": "{value}"}}"#);
                assert_eq!(places(&text), [format!("/{name}")], "{text}");
            }
        }
        for value in [
            r#""/home/me/Project2""#,
            r#""~/Project2""#,
            r#""./Project2""#,
            r#""C:\\Users\\Me\\app1""#,
            r#""file:///home/Me/app1""#,
            r#""2026-01-29T10:30:00Z""#,
            r#""inline-v2""#,
            r#""step-2/of-3""#,
            r#""1.2.3-rc4""#,
            r#""$DB_PASS_2""#,
            r#""12 of 12 in 3s""#,
            r#""hunter2""#,
            r#""hunter27""#,
            r#""TestBase64Encoding""#,
            r#""Base64Encoding""#,
            r#""IPv6ParseAddr""#,
            r#""Chrome-120""#,
            r#""GPT-4o-mini""#,
            r#""macOS-14/arm64""#,
            r#""GBuffer01""#,
            r#""Opaque2D""#,
            r#""g++.dg/cpp0x/Wfoo1.C""#,
            r#""12ms/3.4MB""#,
            r#""playwright@1.49.0""#,
            r#""v2!=Beta3""#,
            "12345678",
            "true",
        ] {
            for name in ["pass", "PWD", "first_pass"] {
                let text = format!(r#"{{"{name}": {value}}}"#);
                assert_eq!(places(&text), Vec::<String>::new(), "{text}");
            }
        }
    }

    #[test]
    fn a_field_called_the_pass_of_a_login_is_no_secret_where_it_has_a_number_or_a_result() {
        for text in [
            r#"{"login_pass": 12, "login_fail": 1}"#,
            r#"{"server_pass": "ok"}"#,
            r#"{"admin_pass": "yes"}"#,
            r#"{"user_pass": "Passed"}"#,
            r#"{"mail_pass": "97.25%"}"#,
            r#"{"proxy_pass": "http://backend:8080"}"#,
            r#"{"db_pass": "$DB_PASS"}"#,
        ] {
            assert_eq!(places(text), Vec::<String>::new(), "{text}");
        }
        for value in ["hunter2", "correct horse", "secret"] {
            let text = format!(r#"{{"login_pass": "{value}"}}"#);
            assert_eq!(places(&text), ["/login_pass"], "{text}");
        }
    }

    #[test]
    fn values_below_a_field_called_secrets_are_secret() {
        assert_eq!(
            places(r#"{"tokens": {"github": "abc", "list": ["x", ""]}}"#),
            ["/tokens/github", "/tokens/list/0"]
        );
    }

    #[test]
    fn a_secret_that_is_the_name_of_a_field_is_reported_at_its_object() {
        let text = r#"{"a": {"ghp_0123456789abcdefghijABCDEFGHIJ012345": true}}"#;
        assert_eq!(places(text), ["/a"]);
    }
}
