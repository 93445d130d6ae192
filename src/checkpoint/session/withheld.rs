//! Files that are held back from snapshots because of their names: they are made to hold secrets.

/// Endings of keys and of stores of keys.
const ENDINGS: [&str; 8] = [
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
];

/// Names of files with keys, tokens or passwords in them.
const NAMES: [&str; 13] = [
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    "credentials",
    "credentials.json",
];

/// Behind `.env` these say that a file is an example, for everybody to read.
const EXAMPLES: [&str; 5] = [".example", ".sample", ".template", ".dist", ".defaults"];

/// Why a file is held back, as it goes on after its path; `None` for any other one. Letter case makes no
/// difference.
pub fn reason(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if let Some(rest) = name.strip_prefix(".env") {
        let is_env = rest.is_empty() || rest.starts_with('.');
        let is_example = EXAMPLES.iter().any(|ending| rest.ends_with(ending));
        return (is_env && !is_example).then_some("is a file of secrets by its name");
    }
    let is_key = ENDINGS.iter().any(|ending| name.ends_with(ending));
    let is_named = NAMES.contains(&name.as_str());
    (is_key || is_named).then_some("is a file of keys by its name")
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn a_file_of_secrets_was_taken_or_an_ordinary_one_held_back() {
        for path in [
            ".env",
            "app/.env.local",
            ".ENV.production",
            "deploy/server.pem",
            "id_rsa",
            "home/.ssh/id_ed25519",
            ".aws/credentials",
            ".npmrc",
            "a.KEY",
        ] {
            assert!(reason(path).is_some(), "{path}");
        }
        for path in [
            ".env.example",
            ".env.local.sample",
            ".environment",
            "src/env.rs",
            "id_rsa.pub",
            "src/credentials.rs",
            "keys.ts",
            "monkey",
            "a.key.md",
            ".env/readme",
        ] {
            assert_eq!(reason(path), None, "{path}");
        }
    }
}
