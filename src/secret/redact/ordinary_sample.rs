//! Texts of every day that have no secret in them: sentences, hashes, pictures, lock files, code, diffs.

use fastrand::Rng;

use super::tests::{BASE62, random};

const HEX: &str = "0123456789abcdef";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NAMES: [&str; 12] = [
    "parser", "session", "checkout", "tokens", "auth", "printer", "cache", "worker", "keyboard",
    "password", "secret", "disk",
];

/// At least 300 of them, the same in each run.
pub(super) fn ordinary() -> Vec<String> {
    let mut chance = Rng::with_seed(31);
    let mut texts = Vec::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let hex = |chance: &mut Rng, length| random(chance, length, HEX);
        let b64 = |chance: &mut Rng, length| random(chance, length, BASE64);
        let commit = hex(&mut chance, 40);
        let short = hex(&mut chance, 9);
        let sha256 = hex(&mut chance, 64);
        let uuid = [8, 4, 4, 4, 12]
            .map(|length| hex(&mut chance, length))
            .join("-");
        let integrity = b64(&mut chance, 86);
        let id = random(&mut chance, 12, BASE62);
        texts.extend([
            // Sentences.
            format!("The {name} now reads a file in parts; {number} tests pass, 2 are skipped."),
            format!("Fixed the {name}: it kept a token in memory after logout. See src/{name}/mod.rs:12."),
            format!("Password reset sends a mail with a link; the {name} keeps no secret, and the key is in the vault."),
            format!("Ran `cargo test --features {name}` and `npm run build`: all green in {number}2.4s."),
            format!("Added basic validation to the {name}, bearer tokens are checked in `auth.rs`, next: docs/{name}.md."),
            format!("TODO: rename `{name}_key` to `{name}Key`, drop `use_{name}_v2`, ask about max_tokens=4096."),
            format!("Deployed {name} 1.{number}.0 to https://{name}.example.org/releases?page=2&sort=desc#top"),
            format!("Next: login page, then machine settings; the password field stays as it is for {name}."),
            // Ids and hashes.
            format!("commit {commit}"),
            format!("HEAD is now at {short} {name}: read lines as they come"),
            format!("sha256:{sha256}  {name}.tar.gz"),
            format!("{sha256}  target/release/{name}"),
            format!("request {uuid} took {number}7 ms"),
            format!("\"etag\": \"W/\\\"{number}a-{id}\\\"\", \"id\": \"{uuid}\""),
            format!("cache-key-{}-{}", name, hex(&mut chance, 32)),
            // Lock files.
            format!("      \"integrity\": \"sha512-{integrity}==\","),
            format!("checksum = \"{sha256}\""),
            format!("\"node_modules/{name}-core\": {{\"version\": \"7.{number}.1\", \"resolved\": \"https://registry.example.org/{name}/-/{name}-7.{number}.1.tgz\"}}"),
            format!("{name}@^4.{number}.0:\n  version \"4.{number}.2\"\n  resolved \"https://registry.example.org/{name}-4.{number}.2.tgz#{commit}\""),
            format!("github.com/example/{name} v1.{number}.0 h1:{}=", b64(&mut chance, 43)),
            format!("    {name} (2.{number}.4) sha256=\"{sha256}\""),
            // Code, and code made small.
            format!("if (!user.{name}Token) {{ throw new Error('no token for ' + user.id); }}"),
            format!("const {name}Key = process.env.{}_KEY ?? config.get('{name}.key');", name.to_uppercase()),
            format!("!function(e,t){{\"object\"==typeof exports?module.exports=t():e.{name}=t()}}(this,function(){{var n={{a{number}:1}},r=n.a{number};return function(e){{return r?e.key:e.token}}}});"),
            format!("var a=b?c.{name}Id:d,e=f(g,{{key:h,token:i.j}}),k=l.m(n=>n.{name}.password===o.p);"),
            format!("pub fn {name}(token: &str, key: Key<'_>) -> Result<Secret, {number}Error> {{ token.parse() }}"),
            format!("    password: str = Field(..., min_length=8, alias=\"{name}Password\")"),
            format!(".sk-{name}-cube{number}{{-webkit-animation:sk-{name}-delay 2.4s infinite linear both;color:#{}}}", &sha256[..6]),
            format!("@media (min-width:{number}40px){{.task-{name}{{background:url(data:image/png;base64,{})}}}}", b64(&mut chance, 200)),
            format!("<path d=\"M12.{number} 3.5c0-1.38 1.12-2.5 2.5-2.5s2.5 1.12 2.5 2.5-1.12 2.5-2.5 2.5z\" fill=\"#{}\"/>", &sha256[..6]),
            format!("<img src=\"data:image/svg+xml;base64,{}\" alt=\"{name}\">", b64(&mut chance, 160)),
            format!("//# sourceMappingURL=data:application/json;base64,{}", b64(&mut chance, 240)),
            // Diffs, logs, settings.
            format!("diff --git a/src/{name}.rs b/src/{name}.rs\nindex {short}..{} 100644\n@@ -1,3 +1,3 @@ fn {name}() {{\n-    let token = next();\n+    let token = self.next()?;", &commit[..9]),
            format!("2026-01-29T10:30:0{}.123Z INFO  {name}: session={id} user=42 key=users:{number}", number % 10),
            format!("error[E0425]: cannot find value `{name}_token` in this scope\n  --> src/{name}.rs:{number}7:13"),
            format!("{name}:\n  image: example/{name}:1.{number}\n  environment:\n    - TOKEN=${{TOKEN}}\n    - PASSWORD_FILE=/run/secrets/{name}"),
            format!("uses: actions/{name}@{commit} # v4.{number}.0"),
            format!("[remote \"origin\"]\n\turl = git@example.org:team/{name}.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*"),
        ]);
    }
    texts
}
