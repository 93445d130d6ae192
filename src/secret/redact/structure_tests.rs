//! Secrets that are found by what stands around them.

use fastrand::Rng;

use super::super::suspect::suspect;
use super::redact;
use super::tests::{BASE62, random};
use super::token_sample::HEX;

/// A secret within what gives it away.
fn structures(seed: u64) -> Vec<(&'static str, String, String)> {
    let mut chance = Rng::with_seed(seed);
    let word = format!("a1B2c3{}", random(&mut chance, 12, BASE62));
    let login = "bWU6aHVudGVyMjM0NQ==".to_owned();
    let base64 = format!("{}Ab1/", random(&mut chance, 40, BASE62));
    let hex = format!("a1{}", random(&mut chance, 30, HEX));
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
        ("curl -su", "curl -su me:", " https://example.org"),
        ("curl -sSku", "curl -sSku 'me:", "' https://a.example"),
        ("curl -sU", "curl -sU me:", " https://example.org"),
        ("httpie", "http -a me:", " example.org"),
        ("httpie -va", "http -va me:", " example.org"),
        ("mysql -p", "mysql -h db -u root -p", " shop"),
        ("mysqldump -p quoted", "mysqldump -u root -p'", "' shop"),
        ("mysqladmin", "mysqladmin -u root -p", " status"),
        ("mariadb", "mariadb -p", ""),
        ("mariadb-dump", "mariadb-dump -u root -p", " shop"),
        ("mysqlimport", "mysqlimport -u root -p", " shop a.txt"),
        ("mysqlcheck", "/usr/bin/mysqlcheck -p'", "' shop"),
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
        ("ldapadd", "ldapadd -D cn=me -w ", " -f a.ldif"),
        ("sqlcmd", "sqlcmd -S db -U sa -P ", ""),
        ("mosquitto_pub", "mosquitto_pub -u me -P ", " -t a"),
        ("mongosh", "mongosh -u me -p ", ""),
        ("mongorestore", "mongorestore -u me -p ", " dump"),
        ("mongoexport", "mongoexport -u me -p ", " -c a"),
        ("smbclient", "smbclient //host/x -U me%", ""),
        ("lftp", "lftp -u me,", " sftp://a.example"),
        ("openssl", "openssl rsa -passin pass:", " -in a.pem"),
        ("openssl quoted", "openssl enc -pass 'pass:", "' -d"),
        ("htpasswd -b", "htpasswd -b .htpasswd me ", ""),
        ("htpasswd -cb", "htpasswd -cb \"a b\" me '", "' && ls"),
        ("htpasswd -nbB", "htpasswd -nbB me ", " > a"),
        ("7z", "7z a -p", " a.7z b"),
        ("zip", "zip -r -P ", " a.zip b"),
        ("zip -rP", "zip -rP ", " a.zip b"),
        ("zip -eP", "zip -eP '", "' a.zip b"),
        (
            "curl behind a quoted header",
            "curl -H 'Accept: a; q=1, b' -u me:",
            " https://a.example",
        ),
        (
            "curl behind an escaped body",
            "curl -d \\\"a; b | c\\\" -u me:",
            " https://a.example",
        ),
        (
            "curl behind parameters",
            "curl https://a.example/?a=1&b=2 -u me:",
            "",
        ),
        (
            "curl in two lines of JSON",
            "\"curl -s \\\\\\n  -u me:",
            " https://a.example\"",
        ),
        ("login of a second command", "cd a && docker login -p ", ""),
        ("helm registry login", "helm registry login -u me -p ", " r"),
        ("unzip", "unzip -P ", " a.zip"),
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
        ("pass of a database", "DB_PASS=", "\n"),
        ("pass of mails", "export EMAIL_HOST_PASS='", "'"),
        ("pass of SMTP", "SMTP_PASS: \"", "\""),
        ("pwd of MySQL", "MYSQL_PWD=", " mysqldump shop"),
        ("pw of a user", "user_pw = \"", "\""),
        ("pass of a mailer", "auth: { user: 'me', pass: '", "' }"),
        ("Rails secret", "SECRET_KEY_BASE=", "\n"),
        ("Rails key", "RAILS_MASTER_KEY=", "\n"),
        ("hmac key", "hmac_key: \"", "\""),
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
            "Rails key" | "hmac key" => hex.clone(),
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
