//! Texts that are suspected, and those that stay: ordinary ones, and secrets that a project allows.

use fastrand::Rng;

use super::super::suspect::{suspect, suspect_field};
use super::any_text::any_text;
use super::ordinary_sample::ordinary;
use super::tests::positives;
use super::{Allowed, Rule, redact, redact_except, redact_field};

#[test]
fn of_100_ordinary_texts_one_is_hidden_at_most() {
    let texts = ordinary();
    assert!(texts.len() >= 300, "{}", texts.len());
    let found: Vec<_> = texts
        .iter()
        .filter(|text| redact(text).text != text.as_str())
        .collect();
    assert!(
        found.len() * 100 <= texts.len(),
        "{}: {found:#?}",
        found.len()
    );
    let suspected = texts.iter().filter(|text| suspect(text)).count();
    // The wasm of hooks leaves so many to the library.
    assert!(suspected * 4 <= texts.len(), "{suspected}");
}

#[test]
fn every_found_secret_is_suspected() {
    let _run = milepost_property::seed("every found secret is suspected", 23);
    let mut chance = Rng::with_seed(23);
    for _ in 0..4_000 {
        let text = any_text(&mut chance);
        assert!(
            redact(&text).findings.is_empty() || suspect(&text),
            "{text:?}"
        );
    }
    for rule in Rule::ALL {
        for seed in 0..20 {
            for (before, secret, behind) in positives(rule, seed) {
                let text = format!("{before}{secret}{behind}");
                assert!(suspect(&text), "{rule:?}: {text:?}");
            }
        }
    }
}

#[test]
fn a_field_that_is_called_a_secret_is_suspected() {
    for name in [
        "token",
        "githubToken",
        "SECRETS",
        "db-password",
        "passphrase",
        "PASSCODE",
        "passwd",
        "credentials",
        "api_key",
        "apikey",
        "privateKey",
        "signing-key",
        "pat",
        "bearer",
        "authorization",
        "ssh_key",
        "DB_PASS",
        "dbPass",
        "MYSQL_PWD",
        "smtp_pw",
        "pass",
        "pwd",
        "SECRET_KEY_BASE",
        "master_key",
    ] {
        let names = ["own", name];
        assert!(
            !redact_field(&names, "a1b2c3d4e5f6a7b8").findings.is_empty(),
            "{name}"
        );
        assert!(suspect_field(&names, "a"), "{name}");
    }
    assert!(!suspect_field(&["own", "note"], "a"));
}

#[test]
fn secrets_that_a_project_allows_stay_and_all_others_go() {
    let token = ["gh", "p_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let text = format!("{token} and password=hunter27");
    let allowed = Allowed::of(["named_secret", "nothing"].into_iter());
    assert_eq!(
        redact_except(&text, &allowed).text,
        "[REDACTED:token] and password=hunter27"
    );
    let allowed = Allowed::of(["token"].into_iter());
    let expected = format!("{token} and password=[REDACTED:named_secret]");
    assert_eq!(redact_except(&text, &allowed).text, expected);
}
