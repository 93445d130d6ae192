//! Every shape of a secret, wherever it may stand, and texts that only look alike.
//!
//! Each token is made when the test runs, from what its issuer's begin with and from random characters.

use fastrand::Rng;

use super::super::issuer::{Alphabet, Shape, starts_of_issuers};
use super::super::suspect::{suspect, suspect_field};
use super::any_text::any_text;
use super::ordinary_sample::ordinary;
use super::tests::{BASE62, positives, random};
use super::{Allowed, Rule, find_secrets, redact, redact_except, redact_field, secret_in};

const HEX: &str = "0123456789abcdef";
const SMALL: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A secret, what it is called, and whether it stands alone.
pub(in crate::secret) struct Sample {
    pub(in crate::secret) name: String,
    pub(in crate::secret) text: String,
    is_alone: bool,
}

fn token(shape: &Shape, chance: &mut Rng) -> Sample {
    let length = shape.length;
    let rest = match shape.of {
        _ if shape.is_uuid => uuid(chance),
        Alphabet::Hex => format!("a1{}", random(chance, length - 2, HEX)),
        Alphabet::Lower => format!("a1{}", random(chance, length - 2, SMALL)),
        Alphabet::Upper => format!("A2{}", random(chance, length - 2, CAPITALS)),
        // Four digits, two letters of each case, and no hyphen that another token could end at.
        _ => format!("aB1c2D34{}", random(chance, length.max(24) - 8, BASE62)),
    };
    // Of one length is what has that length.
    let rest = match shape.is_uuid {
        true => rest,
        false => rest[..length.max(rest.len().min(length))].to_owned(),
    };
    Sample {
        name: shape.start.to_owned(),
        text: format!("{}{rest}", shape.start),
        is_alone: shape.is_alone,
    }
}

fn uuid(chance: &mut Rng) -> String {
    let parts = [8, 4, 4, 4, 12].map(|length| random(chance, length, HEX));
    parts.join("-")
}

/// Tokens of every issuer, and those that have a pattern.
pub(in crate::secret) fn tokens(seed: u64) -> Vec<Sample> {
    let mut chance = Rng::with_seed(seed);
    let mut samples: Vec<Sample> = starts_of_issuers()
        .map(|shape| token(&shape, &mut chance))
        .collect();
    let mut patterned = |name: &str, text: String| {
        samples.push(Sample {
            name: name.to_owned(),
            text,
            is_alone: true,
        });
    };
    let b62 = |chance: &mut Rng, length: usize| random(chance, length, BASE62);
    let telegram = format!("1234567890:AA{}", b62(&mut chance, 33));
    patterned("Telegram", telegram);
    let discord = format!("MTIzNDU2Nzg5MDEyMzQ1Njc4.Ga1b2C.{}", b62(&mut chance, 38));
    patterned("Discord", discord);
    let airtable = format!(
        "pat{}.{}",
        b62(&mut chance, 14),
        random(&mut chance, 64, HEX)
    );
    patterned("Airtable", airtable);
    let azure = format!("aB38Q~{}", b62(&mut chance, 34));
    patterned("Azure", azure);
    let mailchimp = format!("{}-us12", random(&mut chance, 32, HEX));
    patterned("Mailchimp", mailchimp);
    let header = ["eyJ", "hbGciOiJIUzI1NiJ9"].concat();
    let web_token = format!("{header}.{}.{}", b62(&mut chance, 40), b62(&mut chance, 43));
    patterned("JSON Web Token", web_token);
    samples
}

/// Returns whether a piece of the secret is left that is long enough to be recognised.
fn is_left(text: &str, secret: &str) -> bool {
    const LONG: usize = 12;
    let pieces = secret.as_bytes().windows(LONG);
    let mut pieces = pieces.filter_map(|it| str::from_utf8(it).ok());
    // The beginning of a token may stand.
    pieces.next_back().is_some_and(|last| text.contains(last))
        || pieces.skip(secret.len() / 2).any(|it| text.contains(it))
}

#[track_caller]
fn assert_hidden(text: &str, secret: &str, name: &str) {
    let redacted = redact(text);
    assert!(
        !redacted.findings.is_empty() && !is_left(&redacted.text, secret),
        "{name}: {text:?} gave {:?}",
        redacted.text
    );
    assert!(suspect(text), "{name}: {text:?} is not suspected");
    assert_eq!(secret_in(text), Some(redacted.findings[0].rule));
}

#[test]
fn a_token_of_every_issuer_is_found_behind_any_text() {
    let mut shapes = 0;
    for Sample {
        name,
        text: secret,
        is_alone,
    } in tokens(1)
    {
        shapes += 1;
        for before in [
            "",
            " ",
            "a = \"",
            "{\"out\":\"done\\n",
            "{\\\"out\\\":\\\"done\\\\n",
            "\u{1b}[32m",
            "\\u001b[1;32m",
            "token%3D",
            "TOKEN\\u003d",
            "(",
            "@",
        ] {
            assert_hidden(&format!("{before}{secret}"), &secret, &name);
            assert_hidden(&format!("{before}{secret}\u{1b}[0m\nnext"), &secret, &name);
        }
        if is_alone {
            continue;
        }
        for before in [
            "x",
            "Z",
            "7",
            "my_",
            "my-",
            "my.",
            "done\u{fc}",
            "https://example.org/",
        ] {
            assert_hidden(&format!("{before}{secret} and"), &secret, &name);
        }
    }
    assert!(shapes >= 240, "{shapes}");
}

#[test]
fn a_token_with_invisible_characters_in_it_is_found() {
    for Sample {
        name, text: secret, ..
    } in tokens(2)
    {
        let middle = secret.len() / 2;
        let (first, last) = secret.split_at(middle);
        for hidden in [
            "\u{200b}",
            "\u{200d}",
            "\u{ad}",
            "\u{2060}",
            "\u{feff}",
            "\u{e0041}",
            "\u{1b}[0m",
            "\\u200b",
            "\0",
        ] {
            let text = format!("a {first}{hidden}{last} b");
            let redacted = redact(&text);
            let left = redacted.text.replace(hidden, "");
            assert!(!is_left(&left, &secret), "{name}: {text:?} gave {left:?}");
            assert!(redacted.text.starts_with("a ") && redacted.text.ends_with(" b"));
            assert!(suspect(&text), "{name}: {text:?} is not suspected");
        }
    }
}

#[test]
fn a_token_is_found_in_utf_16() {
    for Sample {
        name, text: secret, ..
    } in tokens(3)
    {
        let text = format!("x = {secret}\r\n");
        let units = || text.encode_utf16();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        for (mark, bytes) in [
            (&[][..], &little),
            (&[0xff, 0xfe], &little),
            (&[0xfe, 0xff], &big),
        ] {
            let bytes = [mark, bytes].concat();
            assert!(!find_secrets(&bytes).is_empty(), "{name}: {bytes:?}");
        }
    }
}

/// A secret within what gives it away.
fn structures(seed: u64) -> Vec<(&'static str, String, String)> {
    let mut chance = Rng::with_seed(seed);
    let word = format!("a1B2c3{}", random(&mut chance, 12, BASE62));
    let login = "bWU6aHVudGVyMjM0NQ==".to_owned();
    let base64 = format!("{}Ab1/", random(&mut chance, 40, BASE62));
    [
        ("netrc", "machine example.org login me password ", " "),
        (
            "netrc of lines",
            "machine example.org\nlogin me\npassword ",
            "\n",
        ),
        (
            "netrc of an account",
            "machine a.example\n\tlogin me\n\taccount x\n\tpassword ",
            "",
        ),
        ("pgpass", "db.example.org:5432:shop:app:", "\n"),
        ("pgpass of any", "*:*:shop:app:", ""),
        ("npm _auth", "_auth=", "\n"),
        (
            "npm _authToken",
            "//registry.example.org/:_authToken=",
            "\n",
        ),
        (
            "npm _password",
            "//registry.example.org/:_password=\"",
            "\"",
        ),
        ("curl -u", "curl -u me:", " https://example.org"),
        ("curl -u quoted", "curl -s -u 'me:", "' https://example.org"),
        ("curl --user", "curl --user me:", " https://example.org"),
        ("curl --user=", "curl --user=me:", " https://example.org"),
        ("curl --proxy-user", "curl --proxy-user me:", " x"),
        (
            "curl of a header",
            "curl -H \"X-Api-Key: ",
            "\" https://example.org",
        ),
        ("httpie", "http -a me:", " example.org"),
        ("mysql -p", "mysql -h db -u root -p", " shop"),
        ("mysqldump -p quoted", "mysqldump -u root -p'", "' shop"),
        ("mysqladmin", "mysqladmin -u root -p", " status"),
        ("mariadb", "mariadb -p", ""),
        ("sshpass", "sshpass -p ", " ssh me@host"),
        ("sshpass glued", "sshpass -p", " ssh me@host"),
        ("redis-cli", "redis-cli -h cache -a ", " ping"),
        ("docker login -p", "docker login -u me -p ", " registry"),
        (
            "docker login --password",
            "docker login -u me --password ",
            "",
        ),
        ("ldapsearch", "ldapsearch -D cn=me -w ", " -b x"),
        ("sqlcmd", "sqlcmd -S db -U sa -P ", ""),
        ("mosquitto_pub", "mosquitto_pub -u me -P ", " -t a"),
        ("mongosh", "mongosh -u me -p ", ""),
        ("smbclient", "smbclient //host/x -U me%", ""),
        ("Cookie", "Cookie: a=b; session=", ""),
        ("Cookie of curl", "curl -H 'cookie: session=", "' x"),
        ("Set-Cookie", "set-cookie: sid=", "; Path=/; Secure"),
        ("Cookie of JSON", "{\"Cookie\": \"sid=", "\"}"),
        ("Authorization: Token", "Authorization: Token ", "\n"),
        ("Authorization: ApiKey", "'Authorization': 'ApiKey ", "'"),
        ("Authorization alone", "Authorization: ", "\n"),
        ("PRIVATE-TOKEN", "PRIVATE-TOKEN: ", "\n"),
        ("X-Auth-Token", "x-auth-token: ", "\n"),
        ("postgres with a slash", "postgres://u:pa/", "@h/db"),
        ("redis", "redis://:", "@cache:6379/0"),
        ("amqp with a question mark", "amqp://me:x?", "@mq:5672/v"),
        ("mongodb+srv", "mongodb+srv://me:", "@c.example.org/"),
        ("git over https", "https://me:", "@example.org/a.git"),
        ("jdbc", "jdbc:mysql://db/shop?user=me&password=", "&x=1"),
        ("odbc", "Driver=x;Server=db;Uid=me;Pwd=", ";"),
        ("signed address", "https://a.example/b?sig=", "&se=1"),
        ("environment", "export AWS_SECRET_ACCESS_KEY=", "\n"),
        ("environment escaped", "DB_PASSWORD\\u003d", ""),
        ("form escaped", "grant=1&client_secret%3D", ""),
        ("terraform", "  password = \"", "\""),
        ("kubernetes", "  token: ", "\n"),
        ("python", "api_key='", "',"),
        ("rust", "let password: &str = \"", "\";"),
        ("php", "'secret' => '", "',"),
        ("properties", "spring.datasource.password=", "\n"),
        ("wireguard", "PrivateKey = ", "=\n"),
    ]
    .into_iter()
    .map(|(name, before, behind)| {
        let secret = match name {
            "npm _auth" => base64.clone(),
            "wireguard" => base64.replace('/', "a"),
            _ => word.clone(),
        };
        (name, format!("{before}{secret}{behind}"), secret)
    })
    .chain([
        (
            "login of Docker",
            "{\"auths\": {\"r\": {\"auth\": \"bWU6aHVudGVyMg==\"}}}".to_owned(),
            "bWU6aHVudGVyMg==".to_owned(),
        ),
        (
            "Basic",
            format!("Authorization: Basic {login}"),
            login.clone(),
        ),
        (
            "Bearer",
            format!("Authorization: Bearer {word}"),
            word.clone(),
        ),
        (
            "webhook of Slack",
            format!("https://hooks.slack.com/services/T01/B01/{word}"),
            word.clone(),
        ),
        (
            "webhook of Discord",
            format!("https://discord.com/api/webhooks/12345/{word}"),
            word.clone(),
        ),
    ])
    .collect()
}

#[test]
fn a_secret_is_found_by_what_stands_around_it() {
    for seed in 0..20 {
        for (name, text, secret) in structures(seed) {
            let redacted = redact(&text);
            assert!(
                !redacted.text.contains(&secret),
                "{name}: {text:?} gave {redacted:?}"
            );
            assert!(suspect(&text), "{name}: {text:?} is not suspected");
        }
    }
}

#[test]
fn a_key_is_hidden_behind_quotations_numbers_and_comments() {
    let dashes = "-".repeat(5);
    let mut chance = Rng::with_seed(9);
    let lines: Vec<String> = (0..4).map(|_| random(&mut chance, 64, BASE62)).collect();
    let body = [
        vec![format!("{dashes}BEGIN RSA PRIVATE KEY{dashes}")],
        lines.clone(),
        vec![format!("{dashes}END RSA PRIVATE KEY{dashes}")],
    ]
    .concat();
    let numbered = |separator: &str| {
        let lines = body.iter().zip(41..);
        let lines = lines.map(|(line, number)| format!("{number}{separator}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let marked = |mark: &str| {
        let lines = body.iter().map(|line| format!("{mark}{line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    for text in [
        marked("> "),
        marked(">> "),
        marked("> > "),
        marked("+ "),
        marked("    "),
        marked("# "),
        marked("// "),
        marked(" * "),
        marked("| "),
        numbered(": "),
        numbered(":"),
        numbered("\t"),
        numbered(" | "),
        numbered(") "),
        marked("\u{1b}[31m"),
        body.join("\\n"),
        body.join("\\\\n"),
        body.join("\\u000a"),
        body.join("\u{200b}\n"),
        marked("") + "\r",
    ] {
        let redacted = redact(&text);
        let is_hidden = |line: &&String| !redacted.text.contains(&line[..20]);
        assert!(
            lines.iter().all(|it| is_hidden(&it)),
            "{text:?} gave {:?}",
            redacted.text
        );
        assert_eq!(
            text.matches('\n').count(),
            redacted.text.matches('\n').count()
        );
        assert!(suspect(&text), "{text:?}");
    }
}

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
    // The wasm of hooks leaves so many to the whole library.
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
