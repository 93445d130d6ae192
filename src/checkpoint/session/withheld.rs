//! Files that are held back from snapshots because of their names: they are made to hold secrets.

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

/// Names of files with keys, tokens or passwords in them.
const NAMES: [&str; 74] = [
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
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
    "credentials",
    "credentials.toml",
    "credentials.tfrc.json",
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
    ".bash_history",
    ".zsh_history",
    ".sh_history",
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
    "hudson.util.secret",
    "proftpdpasswd",
    ".secrets",
    "kubeconfig",
];

/// Ends of paths: the last name alone says nothing.
const PATHS: [&str; 10] = [
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

/// The beginnings and endings of names that stand for many.
const AROUND: [(&str, &str); 8] = [
    ("ssh_host_", "_key"),
    ("service-account", ".json"),
    ("service_account", ".json"),
    ("serviceaccount", ".json"),
    ("client_secret", ".json"),
    ("gha-creds-", ".json"),
    ("wg", ".conf"),
    ("", "-kubeconfig"),
];

/// A copy that an editor or a hand made has as much in it.
const COPIES: [&str; 9] = [
    ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".swp", ".tmp", "~",
];

/// The parts of a name that mark a file as a public example.
const EXAMPLES: [&str; 6] = [
    "example", "sample", "template", "dist", "defaults", "schema",
];

/// Endings of programs and pages, which a file of an environment has not.
const PROGRAMS: [&str; 8] = [".ts", ".js", ".mjs", ".rs", ".py", ".go", ".md", ".rb"];

/// Returns the reason why a file is held back, as a sentence goes on after its path; `None` for any
/// other file. Letter case makes no difference.
pub fn reason(path: &str) -> Option<&'static str> {
    const SECRETS: &str = "is a file of secrets by its name";
    const KEYS: &str = "is a file of keys by its name";
    let path = path.to_ascii_lowercase();
    let path = without_copy(&path);
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_example = name
        .split(['.', '-', '_'])
        .any(|part| EXAMPLES.contains(&part));
    let is_program = PROGRAMS.iter().any(|ending| name.ends_with(ending));
    if is_environment(name) {
        return (!is_example && !is_program).then_some(SECRETS);
    }
    let is_key = ENDINGS.iter().any(|ending| name.ends_with(ending));
    if is_key || NAMES.contains(&name) {
        return Some(KEYS);
    }
    let is_path = |end: &&str| {
        let before = path.strip_suffix(*end);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let is_around = |(begin, end): &(&str, &str)| {
        let middle = name
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(end));
        // `wg0.conf`, and not `wgpu.conf`.
        middle.is_some_and(|it| *begin != "wg" || it.bytes().all(|it| it.is_ascii_digit()))
    };
    let is_found = PATHS.iter().any(is_path)
        || FOLDERS.iter().any(|folder| path.contains(folder))
        || AROUND.iter().any(is_around)
        || !is_example && is_data(name);
    is_found.then_some(SECRETS)
}

/// `.env`, `.env.local`, `.envrc`, `prod.env`.
fn is_environment(name: &str) -> bool {
    match name.strip_prefix(".env") {
        Some(rest) => rest.is_empty() || rest == "rc" || rest.starts_with(['.', '-', '_']),
        None => name.ends_with(".env"),
    }
}

/// `secrets.yml`, `secrets.prod.json`.
fn is_data(name: &str) -> bool {
    let Some((begin, rest)) = name.split_once('.') else {
        return false;
    };
    let ending = rest.rsplit('.').next().unwrap_or(rest);
    DATA.contains(&begin) && DATA_ENDINGS.contains(&ending)
}

/// The path of the file that this is a copy of.
fn without_copy(path: &str) -> &str {
    let ending = COPIES.iter().find(|ending| path.ends_with(**ending));
    match ending {
        Some(ending) => &path[..path.len() - ending.len()],
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    const HELD_BACK: [&str; 132] = [
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
    ];

    const ORDINARY: [&str; 60] = [
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
