//! Secrets by their form, under any name.

use super::issuer::{WebTokens, pattern_at, token_at};

/// Returns whether the text only says where the secret is (`$NAME`, `${NAME}`, `env:NAME`), or that one
/// belongs there (`<token>`, `{token}`, `%TOKEN%`).
pub(super) fn is_reference(text: &str) -> bool {
    let stands_between = |first: char, last: char| {
        let inner = text
            .strip_prefix(first)
            .and_then(|it| it.strip_suffix(last));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains([first, last]))
    };
    if stands_between('<', '>') || stands_between('{', '}') || stands_between('%', '%') {
        return true;
    }
    let inner = text.strip_prefix("${{").or_else(|| text.strip_prefix("{{"));
    if inner.is_some_and(|inner| inner.ends_with("}}")) {
        return true;
    }
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

/// Nothing shorter looks like chance.
const SHORTEST: usize = 16;

/// Long, without white space, with letters and digits.
pub(super) fn looks_random(text: &str) -> bool {
    text.len() >= SHORTEST
        && !text.contains(char::is_whitespace)
        && text.contains(|it: char| it.is_ascii_digit())
        && text.contains(|it: char| it.is_ascii_alphabetic())
}

/// Returns whether a text looks like a password where names, versions and results of tests stand too: letters and
/// digits that change as often as in no word, or an exclamation mark beside them, without white space, and no path, no
/// time, no words with signs between them and no name of a test.
pub(super) fn looks_like_password(text: &str) -> bool {
    const LEAST: usize = 8;
    let bytes = text.as_bytes();
    let has = |is_one: fn(&u8) -> bool| bytes.iter().any(is_one);
    let is_place = text.starts_with(['/', '~', '.'])
        || matches!(bytes, [_, b':', b'/' | b'\\', ..])
        || behind(text, "://").is_some();
    let digits = bytes.iter().take_while(|it| it.is_ascii_digit()).count();
    let is_time = digits == 4 && bytes.get(digits) == Some(&b'-');
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let has_other_sign = has(|it| !it.is_ascii_alphanumeric() && !stands_between_words(it));
    let is_of_words = has(stands_between_words) && !is_mixed && !has_other_sign;
    bytes.len() >= LEAST
        && !text.contains(char::is_whitespace)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !is_place
        && !is_time
        && !is_of_words
        && (changes_often(bytes) || is_exclaimed(bytes))
        && !repeats_name(text)
}

/// Returns whether letters, digits and case change as often as in a random text: `Opaque2D`, `GPT-4o-mini` and
/// `Base64Encoding` have one to three changes, and one in four bytes is more than names have.
fn changes_often(bytes: &[u8]) -> bool {
    const LEAST: usize = 4;
    let turns = turns(bytes);
    turns >= LEAST && turns * 4 >= bytes.len()
}

/// Returns whether a text has an exclamation mark behind its first byte that is no operator: `Winter24!`.
fn is_exclaimed(bytes: &[u8]) -> bool {
    let is_mark = |at: usize| bytes[at] == b'!' && bytes.get(at + 1) != Some(&b'=');
    !bytes.contains(&b'/') && (1..bytes.len()).any(is_mark)
}

/// The number of times a letter follows a digit, a digit a letter, or a capital a small letter.
pub(super) fn turns(bytes: &[u8]) -> usize {
    let pairs = bytes.windows(2);
    let is_turn = |pair: &&[u8]| {
        matches!(
            pair,
            [b'0'..=b'9', b'a'..=b'z' | b'A'..=b'Z']
                | [b'a'..=b'z' | b'A'..=b'Z', b'0'..=b'9']
                | [b'a'..=b'z', b'A'..=b'Z']
        )
    };
    pairs.filter(is_turn).count()
}

/// `password1`, `userPass2`, `test-secret-1`: written to be read.
pub(super) fn repeats_name(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let mut words = ["pass", "secret", "token", "test", "pwd"].iter();
    words.any(|word| value.contains(word))
}

fn stands_between_words(byte: &u8) -> bool {
    matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b',')
}

/// Returns whether a secret of a well-known form stands anywhere in the text.
pub(crate) fn has_form_of_secret(text: &str) -> bool {
    is_private_key(text)
        || has_password_in_url(text)
        || is_webhook(text)
        || has_secret_parameter(text)
        || follows_scheme(text)
        || has_known_token(text)
}

/// The parts between such characters. (One kind of separator for all of them is one copy of the
/// standard library's code.)
fn words(text: &str, is_between: fn(char) -> bool) -> std::str::Split<'_, fn(char) -> bool> {
    text.split(is_between)
}

fn is_private_key(text: &str) -> bool {
    let pem = behind(text, "-----BEGIN ").is_some_and(|it| behind(it, "PRIVATE KEY").is_some());
    pem || behind(text, "PuTTY-User-Key-File-").is_some()
}

/// Returns whether a token of a well-known issuer stands anywhere in the text.
fn has_known_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut web_tokens = WebTokens::default();
    (0..bytes.len()).any(|at| {
        web_tokens.end(bytes, at).is_some()
            || token_at(bytes, at).is_some()
            || pattern_at(bytes, at).is_some()
    })
}

/// The text behind the first occurrence. (The standard library's search is made for long texts,
/// and 3 KB.)
fn behind<'a>(text: &'a str, part: &str) -> Option<&'a str> {
    let mut places = text.as_bytes().windows(part.len());
    let at = places.position(|window| window == part.as_bytes())?;
    Some(&text[at + part.len()..])
}

/// The text behind each `://`.
fn urls(text: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(behind(text, "://"), |rest| behind(rest, "://"))
}

/// `scheme://user:password@host`
fn has_password_in_url(text: &str) -> bool {
    urls(text).any(|rest| {
        let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        let login = authority.rsplit_once('@').map(|(login, _)| login);
        let password = login.and_then(|login| login.split_once(':'));
        password.is_some_and(|(_, password)| !password.is_empty() && !is_reference(password))
    })
}

/// An address that takes messages or starts a deployment for anyone who knows it.
fn is_webhook(text: &str) -> bool {
    words(text, char::is_whitespace).any(|url| secret_of_webhook(url).is_some())
}

/// Returns the number of secret bytes at the end of such an address.
pub(super) fn secret_of_webhook(url: &str) -> Option<usize> {
    /// A host, or the end of one, and the path before what is secret.
    const HOOKS: [&str; 16] = [
        "hooks.slack.com/services/",
        "hooks.slack.com/workflows/",
        "hooks.slack.com/triggers/",
        "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/",
        "webhook.office.com/webhook",
        "outlook.office.com/webhook/",
        "outlook.office365.com/webhook/",
        "api.telegram.org/bot",
        "hooks.zapier.com/hooks/",
        "maker.ifttt.com/trigger/",
        "api.vercel.com/v1/integrations/deploy/",
        "api.netlify.com/build_hooks/",
        "open.feishu.cn/open-apis/bot/",
        "open.larksuite.com/open-apis/bot/",
        "events.pagerduty.com/integration/",
    ];
    /// The shortest name and token.
    const LEAST: usize = 8;
    let lower = url.to_ascii_lowercase();
    HOOKS.iter().find_map(|hook| {
        let rest = behind(&lower, hook)?;
        let names = rest.split('/').find(|part| is_reference(part));
        (rest.len() >= LEAST && names.is_none()).then_some(rest.len())
    })
}

/// A parameter of an address, or of a connection string, that is called a secret.
fn has_secret_parameter(text: &str) -> bool {
    words(text, |it| matches!(it, '?' | '&' | ';' | '#' | ' '))
        .any(|parameter| secret_of_parameter(parameter).is_some())
}

/// The value of such a parameter.
pub(super) fn secret_of_parameter(parameter: &str) -> Option<&str> {
    /// Without `_` and `-`; `sig` is that of a signed address.
    const NAMES: [&str; 16] = [
        "token",
        "accesstoken",
        "authtoken",
        "apitoken",
        "privatetoken",
        "bearertoken",
        "secret",
        "clientsecret",
        "apikey",
        "password",
        "passwd",
        "pwd",
        "sig",
        "accountkey",
        "sharedaccesskey",
        "authorization",
    ];
    /// Shorter ones are words: `?token=none`.
    const LEAST: usize = 6;
    let (name, value) = parameter.split_once('=')?;
    let mut name = name.to_ascii_lowercase();
    name.retain(|it| it.is_ascii_alphabetic());
    let is_named = NAMES.contains(&name.as_str()) && value.len() >= LEAST;
    let is_secret = is_named || name == "key" && looks_random(value);
    (is_secret && !is_reference(value)).then_some(value)
}

/// `Bearer TOKEN` and `Basic LOGIN`, as HTTP has them.
fn follows_scheme(text: &str) -> bool {
    let is_between = |it| matches!(it, ' ' | '\t' | '\n' | '"' | '\'' | ',');
    let mut words = words(text, is_between).filter(|it| !it.is_empty());
    let mut before = "";
    words.any(|word| {
        let scheme = std::mem::replace(&mut before, word);
        if is_reference(word) {
            return false;
        }
        if scheme.eq_ignore_ascii_case("bearer") {
            // With nothing beside them, these two words are no sentence.
            let is_alone = scheme.len() + word.len() + 1 >= text.trim().len();
            return is_bearer(word) || is_alone && !is_said_of_bearer(word);
        }
        scheme.eq_ignore_ascii_case("basic") && is_login(word)
    })
}

/// A token, and no word of a sentence about tokens.
pub(super) fn is_bearer(word: &str) -> bool {
    const LEAST: usize = 6;
    let is_said = |it: char| matches!(it, '.' | ';' | ':' | '!' | '?' | ')');
    let word = word.trim_end_matches(is_said);
    let is_token = |it: u8| it.is_ascii_alphanumeric() || b"-._~+/=".contains(&it);
    let is_letter = |it: u8| it.is_ascii_alphabetic() || it == b'-';
    word.len() >= LEAST
        && word.bytes().all(is_token)
        && (!word.bytes().all(is_letter) || looks_mixed(word))
}

/// Returns whether this is what follows in the name of a thing, or of a company: `Bearer token`, `Bearer Inc`.
pub(super) fn is_said_of_bearer(word: &str) -> bool {
    const SAID: [&str; 5] = ["token", "auth", "scheme", "only", "header"];
    let is_name = word.starts_with(|it: char| it.is_ascii_uppercase());
    is_name || SAID.iter().any(|said| word.starts_with(said))
}

/// Capitals behind small letters more than once, as no name has them.
pub(super) fn looks_mixed(word: &str) -> bool {
    let pairs = word.as_bytes().windows(2);
    let turns = pairs.filter(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
    turns.count() > 1
}

/// `user:password` in base64.
pub(super) fn is_login(word: &str) -> bool {
    let mut bits = 0_u32;
    let mut count = 0;
    let mut has_colon = false;
    let digits = word.trim_end_matches('=');
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            let byte = (bits >> count) as u8;
            has_colon |= byte == b':';
            // A login is text; a word that is no base64 makes anything.
            if byte < b' ' || byte == 0x7f {
                return false;
            }
        }
    }
    has_colon
}

#[cfg(test)]
pub(super) mod tests {
    use super::has_form_of_secret;

    /// Secrets by their form.
    pub(in crate::secret) const SECRETS: [&str; 51] = [
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
        "postgres://app:hunter2@db.example.org:5432/app",
        "redis://:hunter2@cache:6379/0",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----",
        "PuTTY-User-Key-File-3: ssh-ed25519",
        "Bearer abc123",
        "bearer  s3cr3t.value",
        "Bearer hunter-two",
        "Bearer abcdefGhijklMnop",
        "Authorization: Bearer abc.def.ghi123",
        "curl -H 'Authorization: Bearer abc123def' https://example.org",
        "Basic dXNlcjpwYXNz",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "hooks.slack.com/services/T00000000/B00000000/x",
        "https://discord.com/api/webhooks/1234567890/abcdefghij",
        "https://ptb.discord.com/api/webhooks/1234567890/abcdefghij",
        "https://discordapp.com/api/webhooks/1234567890/abcdefghij",
        "https://acme.webhook.office.com/webhookb2/0d8f-4a/IncomingWebhook/1/2",
        "https://outlook.office.com/webhook/0d8f4a@11/IncomingWebhook/1/2",
        "https://api.vercel.com/v1/integrations/deploy/prj_1/abcdef",
        "https://api.telegram.org/bot123456:ABC-DEF/sendMessage",
        "https://example.org/hook?token=abcdef",
        "https://example.org/hook?a=1&access_token=abcdef#x",
        "https://prod-1.westus.logic.azure.com/workflows/1/run?sv=1.0&sig=abcdefgh",
        "https://chat.googleapis.com/v1/spaces/A/messages?key=x&token=abcdefgh",
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6-7xxx-4bc4",
        "Server=db;User Id=sa;Password=hunter2;",
        "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aGVsbG8gd29ybGQ=",
        "glrt-abcdefghij0123456789",
        "hvs.CAESIJ0123456789abcdef",
        "whsec_0123456789abcdef",
        "shpat_0123456789abcdef0123456789abcdef",
        "SG.0123456789abcdefghijkl.0123456789",
        "dckr_pat_0123456789abcdefg",
        "GOCSPX-0123456789abcdefghij",
    ];

    /// Words that are no secret when alone in a value.
    pub(in crate::secret) const ORDINARY: [&str; 44] = [
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
        "Bearer",
        "Bearer token",
        "Bearer authentication",
        "Bearer token-based",
        "Bearer Inc",
        "Bearer $TOKEN",
        "Bearer <token>",
        "uses bearer tokens.",
        "the bearer decides whether it is",
        "Basic",
        "Basic Fit",
        "Basic Authentication",
        "basic plan",
        "Basic $LOGIN",
        "https://hooks.slack.com/services/",
        "https://hooks.slack.com/services/${SLACK_PATH}",
        "https://discord.com/developers/docs/resources/webhook",
        "https://example.org/hook?token=$TOKEN",
        "https://example.org/hook?token=<token>",
        "https://example.org/hook?token=none",
        "https://example.org/?max_tokens=500000",
        "https://example.org/?key=BAS",
        "https://example.org/?page=2&sort=token",
        "https://me:<password>@example.org",
        "-----BEGIN PUBLIC KEY-----",
        "SG.",
        "pul-request-template-of-2026",
        "d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
    ];

    #[test]
    fn values_of_well_known_forms_are_found_under_any_name() {
        for value in SECRETS {
            assert!(has_form_of_secret(value), "{value}");
        }
    }

    #[test]
    fn ordinary_values_are_fine_under_any_name() {
        for value in ORDINARY {
            assert!(!has_form_of_secret(value), "{value}");
        }
    }
}
