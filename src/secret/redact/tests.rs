//! Every secret here is made up, and put together when the test runs: none stands in this file as it is.

use fastrand::Rng;

use super::any_text::any_text;
use super::{Rule, find_secrets, redact, redact_field};
use crate::secret::form::tests::{ORDINARY, SECRETS};

/// Random text of a length, of these characters.
pub(super) fn random(random: &mut Rng, length: usize, characters: &str) -> String {
    let characters: Vec<char> = characters.chars().collect();
    let mut one = || characters[random.usize(..characters.len())];
    (0..length).map(|_| one()).collect()
}

pub(super) const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// A text with a secret in it, as often as asked: the text before, the secret, the text behind.
pub(super) fn positives(rule: Rule, seed: u64) -> Vec<(String, String, String)> {
    let mut chance = Rng::with_seed(seed);
    let mut make = |length: usize, of: &str| random(&mut chance, length, of);
    let b62 = make(40, BASE62);
    // A token always has a digit and a letter.
    let token = format!("{}a1", make(38, BASE62));
    let hex = format!("a1{}", make(38, HEX));
    let dense = format!("a1B2c3{}", make(26, BASE62));
    let base64 = make(64, BASE62);
    let triple =
        |before: &str, secret: String, behind: &str| (before.to_owned(), secret, behind.to_owned());
    match rule {
        Rule::PrivateKey => {
            let dashes = "-".repeat(5);
            let key = |label: &str, end: &str| {
                format!(
                    "{dashes}BEGIN {label}{dashes}{end}{base64}{end}{b62}=={end}{dashes}END {label}{dashes}"
                )
            };
            vec![
                triple("", key("RSA PRIVATE KEY", "\n"), "\n"),
                triple("key: |\n  ", key("PRIVATE KEY", "\n  "), "\nmore: 1\n"),
                triple("{\"private_key\": \"", key("PRIVATE KEY", "\\n"), "\\n\"}"),
                triple("+", key("OPENSSH PRIVATE KEY", "\n+"), "\n"),
                triple("x\r\n", key("EC PRIVATE KEY", "\r\n"), "\r\ny"),
                triple("", key("PGP PRIVATE KEY BLOCK", "\n\n"), "\n"),
            ]
        }
        Rule::CloudKey => vec![
            triple("id = ", ["AK", "IA", &make(16, CAPITALS)].concat(), ""),
            triple("(", ["AS", "IA", &make(16, CAPITALS)].concat(), ")"),
            triple("\"", ["AI", "za", "Sy", &token[7..]].concat(), "\","),
            triple("x: ", ["GOC", "SPX-", &token[12..]].concat(), "\n"),
        ],
        Rule::Token => [
            "gh|p_",
            "git|hub_pat_",
            "gl|pat-",
            "np|m_",
            "h|f_",
            "s|k-ant-api03-",
            "s|k_live_",
            "s|k-proj-",
            "lin_a|pi_",
            "shp|at_",
            "dckr_p|at_",
            "hv|s.",
            "whs|ec_",
            "S|G.",
        ]
        .iter()
        .flat_map(|prefix| {
            let secret = format!("{}{token}", prefix.replace('|', ""));
            ["", "token ", "-", "+\"", "x=", "https://example.org/"]
                .map(|before| triple(before, secret.clone(), " \u{fc}."))
        })
        .collect(),
        Rule::WebToken => vec![triple(
            "cookie ",
            ["ey", "JhbGciOiJIUzI1NiJ9.", "ey", "J", &b62, ".", &token].concat(),
            ";",
        )],
        Rule::Bearer => vec![
            triple("curl -H \"Authorization: Bearer ", token.clone(), "\""),
            triple("authorization: bearer ", hex, "\n"),
            triple("headers = {'Authorization': 'Bearer ", dense, "'}"),
        ],
        Rule::Basic => vec![triple(
            "Authorization: Basic ",
            ["dXNlcjpw", "YXNzd29yZA=="].concat(),
            "\n",
        )],
        Rule::UrlPassword => ["postgres", "https", "mongodb+srv", "redis"]
            .iter()
            .map(|scheme| {
                let before = format!("DATABASE_URL={scheme}://app:");
                triple(
                    &before,
                    format!("Tr0ub{}", &b62[..9]),
                    "@db.internal:5432/app",
                )
            })
            .collect(),
        Rule::UrlParameter => vec![
            triple("GET https://api.test/v1?page=2&access_token=", hex, " 200"),
            triple("<https://h.test/c?sv=1&sig=", token, ">"),
        ],
        Rule::ConnectionString => vec![
            triple(
                "Server=db;User Id=sa;Password=",
                b62[..10].to_owned(),
                ";Encrypt=1",
            ),
            triple(
                "\"AccountName=a;AccountKey=",
                format!("{base64}=="),
                ";E=core\"",
            ),
            triple("host=db user=app password=", format!("{}7", &b62[..9]), ""),
        ],
        Rule::Webhook => vec![triple(
            "notify https://hooks.slack.com/services/",
            format!("T0{}/B0{}/{b62}", &hex[..8], &hex[8..16]),
            " now",
        )],
        Rule::Login => vec![
            triple("curl -u me:", dense.clone(), " https://example.org"),
            triple("curl --user 'me:", dense.clone(), "' https://example.org"),
            triple("mysql -u root -p", dense.clone(), " shop"),
            triple("sshpass -p '", dense.clone(), "' ssh host"),
            triple("redis-cli -h cache -a ", dense.clone(), " ping"),
            triple(
                "docker login -u me -p ",
                dense.clone(),
                " registry.example.org",
            ),
            triple(
                "machine example.org login me password ",
                dense.clone(),
                "\n",
            ),
            triple(
                "machine example.org\n  login me\n  password ",
                dense.clone(),
                "\n",
            ),
            triple("db.internal:5432:shop:app:", dense.clone(), "\n"),
            triple("*:*:*:app:", dense, ""),
        ],
        Rule::Cookie => vec![
            triple("Cookie: theme=dark; session=", dense.clone(), ""),
            triple("curl -H 'Cookie: sid=", dense.clone(), "; a=b' x"),
            triple("Set-Cookie: sid=", token, "; Path=/; HttpOnly"),
            triple("{\"Cookie\": \"session=", dense, "\"}"),
        ],
        Rule::Named => vec![
            triple("api_key = \"", dense.clone(), "\"\n"),
            triple("  \"clientSecret\": \"", dense.clone(), "\","),
            triple("AWS_SECRET_ACCESS_KEY=", format!("{dense}/a+b"), ""),
            triple("export GITHUB_TOKEN='", dense.clone(), "'"),
            triple("+token: ", hex.clone(), "\n"),
            triple("const password: string = '", dense.clone(), "';"),
            triple("let token: &'static str = \"", dense.clone(), "\";"),
            triple("{\\\"password\\\":\\\"", dense.clone(), "\\\"}"),
            triple("'secret' => '", dense.clone(), "',"),
            triple("client --api-key ", hex, " --verbose"),
            triple("DB_PASSWORD=", "hunter27".to_owned(), "\r\n"),
            triple("      SMTP_PASS: ", "Xk29sLq8Zt".to_owned(), "\n"),
            triple("  POSTGRES_PASSWORD: ", "hunter27".to_owned(), ""),
            triple("pass: '", "Xk29sLq8Zt".to_owned(), "',"),
            triple("password: \"", "c0rrect-horse".to_owned(), "\""),
            triple("config[\"api_key\"] = \"", dense.clone(), "\""),
            triple("token := \"", dense.clone(), "\""),
            triple("_auth=", dense.clone(), "\n"),
            triple("//registry.example.org/:_authToken=", dense.clone(), "\n"),
            triple("Authorization: Token ", dense, "\n"),
        ],
    }
}

#[test]
fn a_secret_of_every_rule_is_hidden_and_what_stands_around_it_stays() {
    for rule in Rule::ALL {
        for seed in 0..40 {
            let _run = milepost_property::seed(
                "a secret of every rule is hidden and what stands around it stays",
                seed,
            );
            let cases = positives(rule, seed);
            assert!(!cases.is_empty());
            for (before, secret, behind) in cases {
                let text = format!("{before}{secret}{behind}");
                let redacted = redact(&text);
                let mark = format!("[REDACTED:{}]", rule.as_str());
                assert!(
                    redacted.text.contains(&mark),
                    "{rule:?}: {text:?} gave {redacted:?}"
                );
                assert!(
                    redacted.text.starts_with(&before),
                    "{text:?} gave {redacted:?}"
                );
                assert!(
                    redacted.text.ends_with(&behind),
                    "{text:?} gave {redacted:?}"
                );
                for line in secret.lines().map(|it| it.trim_start_matches(['+', ' '])) {
                    let is_left = !line.is_empty() && redacted.text.contains(line);
                    assert!(!is_left, "{text:?} gave {redacted:?}");
                }
                check(&text);
            }
        }
    }
}

#[test]
fn a_secret_of_settings_is_hidden_in_a_text() {
    for value in SECRETS {
        let redacted = redact(value);
        assert!(!redacted.findings.is_empty(), "{value}");
        check(value);
    }
}

#[test]
fn an_ordinary_value_of_settings_stays_in_a_text() {
    for value in ORDINARY {
        assert_eq!(redact(value).text, value);
    }
}

#[test]
fn hashes_ids_pictures_and_code_about_secrets_stay() {
    for text in [
        "commit d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
        "index d36b6b4a1e2f..0a1b2c3d4e5f 100644",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "key: 123e4567-e89b-12d3-a456-426614174000",
        "sha256 = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "\"integrity\": \"sha512-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6+/ab1c2d3e4f5g6h7==\",",
        "checksum = \"d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6dba7816bf8f01cfea414140de\"",
        "+<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ\">",
        "+  \"icon\": \"data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmci\"",
        "token_count: 500",
        "max_tokens = 4096",
        "tokens_used: 45000",
        "token: $GITHUB_TOKEN",
        "token: ${{ secrets.GITHUB_TOKEN_2 }}",
        "API_KEY=env:SERVICE_API_KEY_1",
        "password=$(cat /run/secrets/db_password_1)",
        "password = os.environ[\"DB_PASSWORD_2\"]",
        "const token = process.env.GITHUB_TOKEN2;",
        "let token = tokens.next().unwrap_or(token0);",
        "password: string",
        "password: string32;",
        "  secret: Uint8Array,",
        "password: z.string().min(8).max(128),",
        "token: config.auth2.token3",
        "fn token(self: &Token2) -> Token2 {",
        "  token: token1234,",
        "[Tokenizer.CHARACTER_TOKEN]: tokenInHeadNoScript,",
        "token = 'accessTokenOfTheFirstUser'",
        "https://a:b@example.org",
        "expect(login('me', password1)).toBe(true)",
        "password: \"password123\"",
        "\"password\": \"Password\"",
        "token: \"your-token-goes-here-1\"",
        "api_key: \"<your api key 1>\"",
        "api_key = \"XXXXXXXXXXXXXXXXXXXXXXX1\"",
        "api_key: YOUR_API_KEY_1",
        "secret_name: projects/a1b2/secrets/c3d4e5f6g7/versions/1",
        "password_file = \"/run/secrets/db1/p4ss/w0rd/x1\"",
        "secret = \"/etc/keys/app01/v2/key3.pem\"",
        "token_url: https://auth.example.org/oauth2/token",
        "postgres://user:password@localhost:5432/app",
        "postgres://${USER}:${PASSWORD}@db/app",
        "postgres://%s:%s@%s/%s",
        "the token is checked: see src/tokens/mod.rs",
        "std::token::Token2::new(a1b2c3d4e5f6g7h8)",
        "if (token === null) { return password; }",
        "x = a?token=b12345:c",
        "a&&token=abcdef1",
        "var a=1;token=getToken2(b);c=3",
        "connect(host=host, password=password)",
        "uses Bearer access_token",
        "Bearer tokens are read from $TOKEN",
        "a Basic authentication header",
        "basic test",
        "-----BEGIN CERTIFICATE-----\nMIIDXTCCAkWgAwIBAgIJAKL0UG+mRkSvMA0GCSqGSIb3DQEBCwUAMEUxCzAJBgNV\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8x1 me@example.org",
        "class=\"sk-folding-cube-delay-1\"",
        "key: v1-dependencies-{{ checksum \"package-lock.json\" }}",
        "cache-key: linux-node-20-d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f3a4b5c6d",
        "<li key=\"a1b2c3d4e5f6a7b8c9d0e1f2\">",
        "diff --git a/src/secret.rs b/src/secret.rs\n@@ -1,2 +1,2 @@ fn token() {",
        "bypass=a1b2c3d4e5f6",
        "compass: \"a1b2c3d4e5f6\"",
        "passes: 12, passed=a1b2c3d4",
        "PWD=/home/me/Project2",
        "OLDPWD=/home/me/Project2/src1",
        "\"pwd\": \"/Users/Me/Project2\"",
        "pwd: \"C:\\\\Users\\\\Me\\\\app1\"",
        "\"pass\": 1234567890",
        "pass = \"2026-01-29T10:30:00Z\"",
        "first_pass: \"inline-v2\"",
        "render_pass = 'shadow/map-1'",
        "tests pass: 1.2.3-rc4",
        "--- PASS: TestBase64Encoding (0.00s)",
        "--- PASS: TestHTTP2ServerName (0.00s)",
        "--- PASS: TestIPv6ParseAddr (0.00s)",
        "--- PASS: TestOAuth2ClientRefresh (0.00s)",
        "PASS: TestRestoreV2Snapshot",
        "PASS: g++.dg/cpp0x/Wfoo1.C",
        "PASS: fast/dom/Window2.html",
        "PASS: aB3xY9zz7Q",
        "UNIT_PASS: TestX509V3Ext",
        "first pass: 12ms/3.4MB",
        "first pass: GPT-4o-mini",
        "second pass: Issue#12345",
        "CI pass: build#4411",
        "pass: macOS-14/arm64",
        "pass: GPT-4o-mini",
        "\"pass\":\"Chrome-120\"",
        "pass = \"GBuffer01\"",
        "pass = \"TestX509V3Ext\"",
        "pass=Opaque2D",
        "pwd: packages/App2",
        "pw: playwright@1.49.0",
        "proxy_pass: backend1:8080",
        "proxy_pass=backend1:8080",
        "proxy_pass: \"http://backend1:8080\"",
        "password: Xk29sLq8Zt",
        "API_TOKEN: string32;",
        "DB_PASSWORD: password1",
        "DB_PASSWORD: ${DB_PASSWORD_1}",
        "const pass = 'test-user-1';",
        "DB_PASS=$DB_PASSWORD_1",
        "DB_PASS=your-password-1",
        "SMTP_PW=/run/secrets/smtp1",
        "session_key: 123e4567-e89b-12d3-a456-426614174000",
        "key_base: \"d36b6b4a1e2f3c4d5e6f7a8b9c0d1e2f\"",
        "curl -fsSL https://example.org:8080/x1",
        "curl -sSo out:a1b2c3 https://example.org",
        "curl -su $USER:$PASSWORD1 https://example.org",
        "ls -la me:a1b2c3d4",
        "find . -name '*.7z' -print1234",
        "rm a.zip && cp -P link1 target1",
        "mkdir -p build1/dist && docker login",
        "login works; cargo test -p core-auth passes",
        "docker login ghcr.io && docker run -p 8080:80 app",
        "docker login works | cargo test -p core-auth1",
        "docker login & cargo test -p core-auth1",
        "npm login, then mkdir -p src/auth",
        "npm login -p src/auth1",
        "ran `docker login` and `cargo test -p core-auth1`",
        "\"docker login\\ncargo test -p core-auth1\"",
        "{\\\"docker login\\\\ncargo test -p core-auth1\\\"}",
        "docker login doesn't work; cargo test -p core-auth1",
        "after login: git log -p src/auth.rs",
        "zip -r a.zip src1 && cp -P link1 target1",
        "zip -r a.zip src1; cp -rP link1 target1",
        "cp -rP link1 target1",
        "7z x a.7z && find . -print",
        "7z x a.7z and find . -path ./a -prune -o -print0 -perm 0644",
        "mysql in docker -p3306:3306 -p127.0.0.1:3306:3306",
        "zip -r out1.zip src1",
        "unzip -o out1.zip -d dest1",
        "openssl rsa -passin env:KEY_PASS_1 -in key1.pem",
        "openssl rsa -passin file:secret1.txt",
        "htpasswd -c .htpasswd1 someone1",
        "git checkout -b htpasswd one1 two2 three3",
        "lftp -u someone1 sftp://example.org",
        "[REDACTED:token] and password: [REDACTED:named_secret]",
        "https://[REDACTED:token]@example.org",
        "Fälle: Größe=10, Übergang:ja — 世界",
    ] {
        let redacted = redact(text);
        assert_eq!(redacted.text, text, "{:?}", redacted.findings);
        check(text);
    }
}

#[test]
fn a_finding_names_its_rule_and_place_and_quotes_nothing() {
    let secret = ["AK", "IA", "IOSFODNN7EXAMPLE"].concat();
    let text = format!("one\ntwo\n  id: {secret}\n");
    let redacted = redact(&text);
    assert_eq!(redacted.text, "one\ntwo\n  id: [REDACTED:cloud_key]\n");
    let [found] = redacted.findings[..] else {
        panic!("{redacted:?}");
    };
    assert_eq!(
        (found.rule, found.line, found.column),
        (Rule::CloudKey, 3, 7)
    );
    assert!(!format!("{found:?}").contains(&secret));
}

#[test]
fn a_key_in_a_diff_without_its_end_is_hidden_and_the_diff_keeps_its_lines() {
    let dashes = "-".repeat(5);
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let text = format!(
        "@@ -1,4 +1,4 @@\n {dashes}BEGIN PRIVATE KEY{dashes}\n-{body}\n+{body}\n {body}\n@@ -9 +9 @@\n-word\n"
    );
    assert_eq!(
        redact(&text).text,
        "@@ -1,4 +1,4 @@\n [REDACTED:private_key]\n-[REDACTED:private_key]\n\
         +[REDACTED:private_key]\n [REDACTED:private_key]\n@@ -9 +9 @@\n-word\n"
    );
}

#[test]
fn a_page_that_names_the_first_line_of_a_key_keeps_its_words() {
    let dashes = "-".repeat(5);
    let text =
        format!("It begins with {dashes}BEGIN PRIVATE KEY{dashes}\nwords\nthat stand alone\n");
    let redacted = redact(&text);
    assert!(
        redacted.text.ends_with("]\nwords\nthat stand alone\n"),
        "{redacted:?}"
    );
}

#[test]
fn a_secret_is_found_in_bytes_that_are_no_text() {
    let secret = ["gh", "p_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let bytes = [b"\0\xff\xfe\n\n\x80", secret.as_bytes(), b"\xff\n"].concat();
    let found = find_secrets(&bytes);
    let places: Vec<_> = found.iter().map(|it| (it.rule, it.line)).collect();
    assert_eq!(places, [(Rule::Token, 3)]);
}

#[test]
fn a_name_that_says_secret_counts_in_every_spelling() {
    let dense = ["a1B2c3", "D4e5F6g7", "H8i9J0"].concat();
    for name in [
        "token",
        "SECRETS",
        "githubToken",
        "db-password",
        "passphrase",
        "PASSCODE",
        "passwd",
        "credentials",
        "api_key",
        "apikey",
        "private_key",
        "signing-key",
        "x-api-key",
        "pat",
        "bearer",
        "authorization",
        "token_value",
        "ssh_key",
        "DB_PASS",
        "smtpPass",
        "MYSQL_PWD",
        "user_pw",
        "pass",
        "SECRET_KEY_BASE",
        "RAILS_MASTER_KEY",
        "webhook-key",
    ] {
        let text = format!("{name}=\"{dense}\"");
        assert_eq!(
            redact(&text).text,
            format!("{name}=\"[REDACTED:named_secret]\"")
        );
    }
}

#[test]
fn a_field_that_is_called_a_secret_is_hidden_as_a_whole() {
    for (names, text, expected) in [
        (
            &["password"][..],
            "correct horse",
            "[REDACTED:named_secret]",
        ),
        (&["tokens", "github"], "abc", "[REDACTED:named_secret]"),
        (&["secrets", "list"], "abc", "[REDACTED:named_secret]"),
        (&["password"], "$PASSWORD", "$PASSWORD"),
        (&["password"], "", ""),
        (
            &["task", "input"],
            "rotate the password",
            "rotate the password",
        ),
        (
            &["password"],
            "[REDACTED:named_secret]",
            "[REDACTED:named_secret]",
        ),
        (
            &["password"],
            "[REDACTED:token] hunter2",
            "[REDACTED:named_secret]",
        ),
        (&["db_pass"], "correct horse", "[REDACTED:named_secret]"),
        (&["auth", "pass"], "Xk29sLq8Zt", "[REDACTED:named_secret]"),
        (&["server_pass"], "hunter2", "[REDACTED:named_secret]"),
        (&["login_pass"], "12", "12"),
        (&["server_pass"], "ok", "ok"),
        (&["admin_pass"], "yes", "yes"),
        (
            &["proxy_pass"],
            "http://backend:8080",
            "http://backend:8080",
        ),
        (&["pass"], "12", "12"),
        (&["pass"], "TestBase64Encoding", "TestBase64Encoding"),
        (&["pass"], "all of them in 12s", "all of them in 12s"),
        (&["pwd"], "/home/me/Project2", "/home/me/Project2"),
        (&["key"], "BAS", "BAS"),
        (&["tokens"], "500", "500"),
        (&["token"], "500", "[REDACTED:named_secret]"),
    ] {
        assert_eq!(
            redact_field(names, text).text,
            expected,
            "{names:?} {text:?}"
        );
    }
}

/// Checks what holds for every text.
fn check(text: &str) {
    let once = redact(text);
    let twice = redact(&once.text);
    assert_eq!(twice.text, once.text, "redacting again changed {text:?}");
    assert_eq!(twice.findings, [], "{text:?} gave {once:?}");
    let lines = |text: &str| text.matches('\n').count();
    assert_eq!(lines(&once.text), lines(text), "{text:?}");
    let marks = once.text.matches("[REDACTED:").count();
    let before = text.matches("[REDACTED:").count();
    assert!(marks <= before + once.findings.len(), "{text:?}");
    // A secret that only a mark brings to light comes last.
    let found = find_secrets(text.as_bytes());
    assert!(once.findings.starts_with(&found), "{text:?}");
    assert_eq!(found.is_empty(), once.findings.is_empty(), "{text:?}");
}

#[test]
fn redacting_any_text_again_changes_nothing_and_no_line_is_lost() {
    let _run = milepost_property::seed(
        "redacting any text again changes nothing and no line is lost",
        11,
    );
    let mut chance = Rng::with_seed(11);
    for _ in 0..6_000 {
        check(&any_text(&mut chance));
    }
}
