//! Files that are held back from snapshots because of their names: they are made to hold secrets.
//!
//! [`LISTS`] has all of them, as `docs/reference/secrets.md` prints them.

/// Names of environments, alone or with more behind `.`, `-` or `_`.
const ENVIRONMENTS: [&str; 3] = [".env", ".envrc", ".dev.vars"];

/// The ending of an environment that has a name.
const OF_ENVIRONMENT: &str = ".env";

/// Endings of keys, of stores of keys and of what a tool keeps of its secrets.
const ENDINGS: [&str; 22] = [
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".pkcs12",
    ".p8",
    ".pk8",
    ".jks",
    ".jceks",
    ".bks",
    ".keystore",
    ".kdbx",
    ".kdb",
    ".psafe3",
    ".ppk",
    ".agekey",
    ".ovpn",
    ".tfvars",
    ".tfvars.json",
    ".tfstate",
    ".kubeconfig",
    ".mobileconfig",
];

/// Beginnings of the names of keys; with `.pub` behind them it is the public part.
const KEYS: [&str; 5] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];

/// Names of files with keys, tokens or passwords in them.
const NAMES: [&str; 69] = [
    ".netrc",
    "_netrc",
    ".authinfo",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    "pgpass.conf",
    ".my.cnf",
    ".mylogin.cnf",
    ".htpasswd",
    ".git-credentials",
    ".credentials.json",
    ".claude.json",
    "oauth_creds.json",
    "credentials",
    "credentials.toml",
    "credentials.tfrc.json",
    ".terraformrc",
    "terraform.rc",
    ".dockercfg",
    ".dockerconfigjson",
    ".s3cfg",
    ".databrickscfg",
    ".sentryclirc",
    ".boto",
    ".passwd-s3fs",
    "rclone.conf",
    ".rclone.conf",
    ".vault-token",
    ".vault_pass",
    ".vault_pass.txt",
    ".vault-password",
    "vault_pass.txt",
    ".ansible_vault",
    ".msmtprc",
    ".esmtprc",
    ".fetchmailrc",
    ".offlineimaprc",
    ".davfs2",
    ".smbcredentials",
    ".ftpconfig",
    ".remote-sync.json",
    "sftp-config.json",
    "sftp.json",
    "filezilla.xml",
    "sitemanager.xml",
    "recentservers.xml",
    "application_default_credentials.json",
    "msal_token_cache.json",
    "accesstokens.json",
    "azureprofile.json",
    "local.settings.json",
    "fish_history",
    "consolehost_history.txt",
    ".dbshell",
    "cookies.txt",
    "cookies.sqlite",
    "logins.json",
    "key3.db",
    "key4.db",
    "wallet.dat",
    "secring.gpg",
    "otr.private_key",
    "hudson.util.secret",
    "proftpdpasswd",
    ".secrets",
    "kubeconfig",
    "super-admin.conf",
    "k3s.yaml",
];

/// Ends of paths: the last name alone says nothing.
const PATHS: [&str; 15] = [
    ".kube/config",
    ".docker/config.json",
    ".podman/auth.json",
    "containers/auth.json",
    ".composer/auth.json",
    "composer/auth.json",
    "gh/hosts.yml",
    "hub/config",
    "doctl/config.yaml",
    "flyctl/config.yml",
    ".codex/auth.json",
    "opencode/auth.json",
    "github-copilot/apps.json",
    "github-copilot/hosts.json",
    "kubernetes/admin.conf",
];

/// Folders with nothing else in them.
const FOLDERS: [&str; 2] = [".gnupg/private-keys-v1.d/", ".password-store/"];

/// The names of files of secrets, before the ending of a file of data.
const DATA: [&str; 7] = [
    "secret",
    "secrets",
    "credential",
    "credentials",
    "password",
    "passwords",
    "kubeconfig",
];

/// Last words, in the singular, of files about secrets: pages that ask for one, messages, manifests that only name
/// one, and lists that anyone may have.
const DATA_WITHOUT: [&str; 9] = [
    "reset-password",
    "forgot-password",
    "change-password",
    "new-password",
    "common-password",
    "external-secret",
    "sealed-secret",
    "login-credential",
    "invalid-credential",
];

/// Endings of files of data, and not of programs.
const DATA_ENDINGS: [&str; 12] = [
    "yml",
    "yaml",
    "json",
    "toml",
    "properties",
    "txt",
    "ini",
    "xml",
    "conf",
    "cfg",
    "csv",
    "plist",
];

/// Names with any text in the place of each `*`, of which one has two at most.
const PATTERNS: [&str; 10] = [
    "ssh_host_*_key",
    "service-account*.json",
    "service_account*.json",
    "serviceaccount*.json",
    "client_secret*.json",
    "gha-creds-*.json",
    "*firebase-adminsdk*.json",
    OF_WIREGUARD,
    "*-kubeconfig",
    ".*_history",
];

/// Digits alone stand in its middle: `wg0.conf`, and not `wgpu.conf`.
const OF_WIREGUARD: &str = "wg*.conf";

/// A copy that an editor or a hand made has as much in it.
const COPIES: [&str; 19] = [
    ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".swp", ".swo", ".tmp", "~", "-bak",
    "_bak", "-backup", "_backup", "-old", "_old", "-copy", "_copy", " copy",
];

/// The parts of a name that mark a file as a public example.
const EXAMPLES: [&str; 6] = [
    "example", "sample", "template", "dist", "defaults", "schema",
];

/// Endings of programs and pages, which an environment or a key of SSH has not.
const PROGRAMS: [&str; 8] = [".ts", ".js", ".mjs", ".rs", ".py", ".go", ".md", ".rb"];

/// Endings of scripts: an environment may be one.
const SCRIPTS: [&str; 1] = [".sh"];

/// Every list of this module, behind what it says of a name.
pub const LISTS: [(&str, &[&str]); 15] = [
    (
        "is an environment, alone or before `.`, `-` or `_`",
        &ENVIRONMENTS,
    ),
    ("ends so, as an environment", &[OF_ENVIRONMENT]),
    ("ends so", &ENDINGS),
    ("begins so, as a key of SSH, and has no `.pub`", &KEYS),
    ("is one of these", &NAMES),
    ("has one of these forms", &PATTERNS),
    ("ends its path so", &PATHS),
    ("is in such a folder", &FOLDERS),
    ("has this as a last word, before an ending of data", &DATA),
    ("ends so, as data", &DATA_ENDINGS),
    (
        "has these last words, also in the plural: such a file of data is kept",
        &DATA_WITHOUT,
    ),
    (
        "ends so or with a number, as a copy of any of these",
        &COPIES,
    ),
    (
        "has this among its parts: such an environment, key of SSH or file of data is kept",
        &EXAMPLES,
    ),
    (
        "ends so: such an environment or key of SSH is kept",
        &PROGRAMS,
    ),
    ("ends so: such a key of SSH is kept", &SCRIPTS),
];

/// Returns the reason why a file is held back, as a sentence goes on after its path; `None` for any
/// other file. Letter case makes no difference.
pub fn reason(path: &str) -> Option<&'static str> {
    const OF_SECRETS: &str = "is a file of secrets by its name";
    const OF_KEYS: &str = "is a file of keys by its name";
    let path = path.to_ascii_lowercase();
    let path = original(&path);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_example = name
        .split(['.', '-', '_'])
        .any(|part| EXAMPLES.contains(&part));
    let is_program = PROGRAMS.iter().any(|ending| name.ends_with(ending));
    if is_environment(name) {
        return (!is_example && !is_program).then_some(OF_SECRETS);
    }
    let is_script = SCRIPTS.iter().any(|ending| name.ends_with(ending));
    let is_key = ENDINGS.iter().any(|ending| name.ends_with(ending))
        || !is_example && !is_program && !is_script && is_key_of_ssh(name);
    if is_key || NAMES.contains(&name) {
        return Some(OF_KEYS);
    }
    let is_path = |end: &&str| {
        let before = path.strip_suffix(*end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_found = PATHS.iter().any(is_path)
        || FOLDERS.iter().any(|folder| path.contains(folder))
        || PATTERNS.iter().any(|pattern| is_like(name, pattern))
        || !is_example && is_data(name);
    is_found.then_some(OF_SECRETS)
}

/// `.env`, `.env.local`, `.envrc.local`, `prod.env`, and the `.dev.vars` of Wrangler.
fn is_environment(name: &str) -> bool {
    let is_one = |begin: &&str| {
        let rest = name.strip_prefix(*begin);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
    };
    ENVIRONMENTS.iter().any(is_one) || name.ends_with(OF_ENVIRONMENT)
}

/// `id_rsa`, `id_ed25519_sk`, `id_rsa_work`.
fn is_key_of_ssh(name: &str) -> bool {
    KEYS.iter().any(|key| {
        let rest = name.strip_prefix(*key);
        rest.is_some_and(|it| {
            !it.starts_with(|it: char| it.is_ascii_alphanumeric()) && !it.contains(".pub")
        })
    })
}

/// Returns whether a name has the form of a pattern.
fn is_like(name: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else {
        return name == pattern;
    };
    let (part, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let middle = name
        .strip_prefix(begin)
        .and_then(|rest| rest.strip_suffix(end));
    middle.is_some_and(|it| {
        it.contains(part) && (pattern != OF_WIREGUARD || it.bytes().all(|it| it.is_ascii_digit()))
    })
}

/// `secrets.yml`, `secrets.prod.json`, `db-credentials.json`, `db_password.txt`.
fn is_data(name: &str) -> bool {
    let Some((begin, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let is_one = |part: &str| {
        let mut words = part.rsplit(['-', '_', ' ']);
        let last = words.next().unwrap_or(part);
        let says_little = words.next().is_some_and(|before| {
            let pair = (before, last.trim_end_matches('s'));
            // `set-password.json` has the words of a page.
            last == "password" && ending != "txt"
                || DATA_WITHOUT
                    .iter()
                    .any(|it| it.split_once('-') == Some(pair))
        });
        DATA.contains(&last) && !says_little
    };
    // `devise.passwords.en.yml`: what stands in the middle says what it is about.
    let (first, rest) = begin.split_once('.').unwrap_or((begin, begin));
    let last = rest.rsplit('.').next().unwrap_or(rest);
    DATA_ENDINGS.contains(&ending) && (is_one(first) || is_one(last))
}

/// The path of the file that this is a copy of.
fn original(path: &str) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, mut name) = path.split_at(start);
    let is_swap = name.ends_with(".swp") || name.ends_with(".swo");
    while let Some(rest) = without_tail(name) {
        name = rest;
    }
    // Vim hides what it swaps: `.id_rsa.swp`, and `.env.swp` of `.env`.
    let hidden = name
        .strip_prefix('.')
        .filter(|it| is_swap && is_key_of_ssh(it));
    let name = hidden.unwrap_or(name);
    // `credentials (1).json`
    match name.rsplit_once('.') {
        Some((begin, ending)) if begin.ends_with(')') || begin.ends_with(" copy") => {
            let begin = without_tail(begin).unwrap_or(begin);
            format!("{folder}{begin}.{ending}")
        }
        _ => format!("{folder}{name}"),
    }
}

/// The name of the file that this is a copy of by its last part: `.bak`, `.1699`, ` (2)`, ` copy 2`.
fn without_tail(name: &str) -> Option<&str> {
    let is_number = |text: &str| {
        let is_part = |it: u8| it.is_ascii_digit() || matches!(it, b'-' | b'_');
        text.bytes().all(is_part) && text.bytes().any(|it| it.is_ascii_digit())
    };
    let of_copy = COPIES.iter().find_map(|copy| name.strip_suffix(*copy));
    let numbered = || {
        // `credentials.5` is a page of the manual.
        let is_page = |(rest, number): (&str, &str)| !rest.contains('.') && number.len() == 1;
        let (rest, number) = name
            .rsplit_once(" copy ")
            .or_else(|| name.rsplit_once('.').filter(|parts| !is_page(*parts)))?;
        is_number(number).then_some(rest)
    };
    let in_brackets = || {
        let (rest, inner) = name.strip_suffix(')')?.rsplit_once(" (")?;
        (is_number(inner) || inner.contains("copy")).then_some(rest)
    };
    let rest = of_copy.or_else(numbered).or_else(in_brackets)?;
    // Nothing is a copy of a file without a name.
    Some(rest.trim_end_matches(" -")).filter(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::reason;

    const HELD_BACK: [&str; 193] = [
        ".env",
        "app/.env.local",
        ".ENV.production",
        ".env.staging",
        ".env-prod",
        ".env_local",
        ".envrc",
        "prod.env",
        "docker/web.env",
        "config/production.env",
        ".env.bak",
        ".env~",
        "prod.env.old",
        "deploy/server.pem",
        "deploy/server.pem.bak",
        "a.KEY",
        "tls/tls.key",
        "config/master.key",
        "cert.p12",
        "cert.pfx",
        "cert.pkcs12",
        "AuthKey_ABC.p8",
        "release.pk8",
        "release.jks",
        "store.jceks",
        "app.bks",
        "android/debug.keystore",
        "passwords.kdbx",
        "passwords.kdb",
        "safe.psafe3",
        "putty.ppk",
        "team.agekey",
        "office.ovpn",
        "prod.tfvars",
        "terraform.tfvars",
        "prod.auto.tfvars.json",
        "terraform.tfstate",
        "terraform.tfstate.backup",
        "prod.kubeconfig",
        "vpn.mobileconfig",
        "id_rsa",
        "id_rsa.bak",
        "id_rsa.old",
        "id_dsa",
        "home/.ssh/id_ecdsa",
        "id_ecdsa_sk",
        "home/.ssh/id_ed25519",
        "id_ed25519_sk",
        "id_xmss",
        ".netrc",
        "_netrc",
        ".authinfo",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        "pgpass.conf",
        ".my.cnf",
        ".mylogin.cnf",
        ".htpasswd",
        ".git-credentials",
        ".aws/credentials",
        ".cargo/credentials.toml",
        ".terraform.d/credentials.tfrc.json",
        ".terraformrc",
        "terraform.rc",
        ".dockercfg",
        ".dockerconfigjson",
        ".s3cfg",
        ".boto",
        ".passwd-s3fs",
        "rclone.conf",
        ".rclone.conf",
        ".vault-token",
        ".vault_pass",
        "ansible/.vault_pass.txt",
        "vault_pass.txt",
        ".vault-password",
        ".ansible_vault",
        ".msmtprc",
        ".esmtprc",
        ".fetchmailrc",
        ".offlineimaprc",
        ".smbcredentials",
        ".ftpconfig",
        ".remote-sync.json",
        "sftp-config.json",
        ".vscode/sftp.json",
        "FileZilla.xml",
        "sitemanager.xml",
        "recentservers.xml",
        "application_default_credentials.json",
        "msal_token_cache.json",
        "accessTokens.json",
        "azureProfile.json",
        "local.settings.json",
        ".bash_history",
        ".zsh_history",
        ".psql_history",
        ".mysql_history",
        ".rediscli_history",
        ".python_history",
        ".node_repl_history",
        "cookies.txt",
        "cookies.sqlite",
        "logins.json",
        "key3.db",
        "key4.db",
        "wallet.dat",
        "secring.gpg",
        "otr.private_key",
        "hudson.util.Secret",
        "proftpdpasswd",
        ".secrets",
        "kubeconfig",
        "kubeconfig.yaml",
        "kubeconfig.prod.yml",
        "prod-kubeconfig",
        ".kube/config",
        "home/.docker/config.json",
        ".composer/auth.json",
        ".config/gh/hosts.yml",
        "home/.gnupg/private-keys-v1.d/A1.key",
        ".password-store/mail.gpg",
        "ssh_host_rsa_key",
        "service-account.json",
        "service-account-prod.json",
        "client_secret_1.apps.json",
        "wg0.conf",
        "secrets.yml",
        "config/secrets.prod.json",
        "credentials.json",
        "passwords.txt",
        ".envrc.local",
        ".envrc.bak",
        ".dev.vars",
        "worker/.dev.vars.production",
        ".databrickscfg",
        ".sentryclirc",
        ".credentials.json",
        ".claude/.credentials.json",
        ".claude.json",
        ".gemini/oauth_creds.json",
        ".codex/auth.json",
        ".local/share/opencode/auth.json",
        ".config/github-copilot/apps.json",
        "db-credentials.json",
        "app-secrets.yaml",
        "db_passwords.csv",
        "db_password.txt",
        "k8s/db-secret.yml",
        "values.secrets.yaml",
        ".secrets.toml",
        "shop-firebase-adminsdk-x1y2z-0123456789.json",
        "firebase-adminsdk-x.json",
        "kubernetes/admin.conf",
        "etc/kubernetes/admin.conf",
        "super-admin.conf",
        "k3s.yaml",
        "terraform.tfstate.1699.backup",
        "terraform.tfstate.1699",
        "id_rsa_work",
        "id_rsa-work",
        "id_rsa.1",
        "id_rsa.2024-01-31",
        "id_rsa (copy)",
        "id_rsa (another copy)",
        "id_rsa (2)",
        "id_rsa copy",
        "id_rsa copy 2",
        "id_rsa - Copy (3)",
        "id_ed25519.work.old",
        ".id_rsa.swp",
        "id_rsa.bak~",
        ".env copy",
        "prod.env (1)",
        "server.pem_old",
        "server (1).pem",
        "server copy.key",
        "credentials (1).json",
        "secrets copy.yml",
        ".netrc.bak.1",
        "fish_history",
        ".irb_history",
        ".sh_history",
        ".lua_history.1",
        "ConsoleHost_history.txt",
        ".dbshell",
        ".davfs2",
        "k8s/secret.yaml",
        "prod.app-secrets.yaml",
        "root_password.txt",
        ".env.sh",
        "credentials.1699",
    ];

    const ORDINARY: [&str; 125] = [
        ".env.example",
        ".env.local.sample",
        ".env.template",
        ".env.dist",
        ".env.d.ts",
        ".environment",
        ".env/readme",
        "src/env.rs",
        "env.ts",
        "environment.yml",
        "example.env",
        "docs/prod.env.md",
        "id_rsa.pub",
        "id_rsa.pub.bak",
        "id_ed25519.pub",
        "known_hosts",
        "ssh_host_rsa_key.pub",
        "src/credentials.rs",
        "credentials.ts",
        "credentials.md",
        "secrets.rs",
        "secrets.test.ts",
        "secrets/mod.rs",
        "secrets.example.yml",
        "secrets.schema.json",
        "secretary.json",
        "password.rs",
        "password_reset.html",
        "passwordless.yml",
        "token.rs",
        "tokens.json",
        "design-tokens.json",
        "keys.ts",
        "keyboard.json",
        "monkey",
        "a.key.md",
        "keyring.py",
        "config.json",
        "docker/config.json",
        "kube/deployment.yaml",
        "kubeconfig.go",
        "kubernetes/config.yaml",
        "hosts.yml",
        "auth.json.ts",
        "src/auth.json",
        "history.rs",
        "bash_history.md",
        "wgpu.conf",
        "wg-easy.md",
        "terraform/main.tf",
        "terraform.lock.hcl",
        "variables.tf",
        "service-account.yaml.md",
        "service.json",
        "client.json",
        "package-lock.json",
        "npmrc.md",
        "netrc.go",
        "cookies.ts",
        "README.old",
        ".envrc.example",
        ".environment.1",
        ".dev.vars.example",
        "dev.vars",
        "dev.vars.md",
        ".devcontainer",
        ".claude/settings.json",
        "claude.json",
        ".yarnrc",
        "yarn.lock",
        "forgot-password.json",
        "reset_password.yml",
        "reset-password-en.txt",
        "credentials-provider.json",
        "secrets-manager.yaml",
        "secret-santa.json",
        "app-secrets.example.yaml",
        "db-credentials.ts",
        "firebase.json",
        "admin.conf.md",
        "admin.json",
        "k3s.md",
        "id_rsa_work.pub",
        "id_rsa.work.pub",
        "id_rsa.pub.1",
        "id_rsa.pub (copy)",
        "id_rsa.md",
        "id_rsa_test.go",
        "id_rsa.example",
        "id_rsaless",
        "id_token",
        "valid_rsa",
        "auth.json",
        "src/codex/auth.ts",
        "history",
        "browser_history",
        "_history.rs",
        "fish_history.rs",
        "1",
        ".1",
        ".bak",
        "(1)",
        "README (1).md",
        "README copy.md",
        "notes.2024-01-31",
        "v1.2",
        "main.tf.1",
        "copy",
        "terraform.tf.1699.backup",
        "app/templates/email/reset_password.txt",
        "forgot-password.txt",
        "change_password.txt",
        ".yarnrc.yml",
        "admin.conf",
        "nginx/sites/admin.conf",
        "k8s/external-secret.yaml",
        "k8s/external-secrets.yaml",
        "sealed-secret.yaml",
        "config/locales/devise.passwords.en.yml",
        "i18n/de/login-credentials.json",
        "fixtures/invalid-credentials.json",
        "common-passwords.txt",
        "id_rsa_setup.sh",
        "docs/man/credentials.5",
        "kubeconfig.1",
    ];

    #[test]
    fn files_of_secrets_are_held_back_by_their_names() {
        for path in HELD_BACK {
            assert!(reason(path).is_some(), "{path}");
        }
    }

    #[test]
    fn names_that_only_resemble_those_of_secrets_are_ordinary() {
        for path in ORDINARY {
            assert_eq!(reason(path), None, "{path}");
        }
    }
}
