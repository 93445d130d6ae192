//! The lists of names and endings by which a file is held back, or is not.

/// Names of environments, alone or with more behind `.`, `-` or `_`.
pub(super) const ENVIRONMENTS: [&str; 3] = [".env", ".envrc", ".dev.vars"];

/// The ending of an environment that has a name.
pub(super) const OF_ENVIRONMENT: &str = ".env";

/// Endings of keys, of stores of keys and of what a tool keeps of its secrets.
pub(super) const ENDINGS: [&str; 22] = [
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
pub(super) const KEYS: [&str; 5] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];

/// Names of files with keys, tokens or passwords in them.
pub(super) const NAMES: [&str; 69] = [
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
pub(super) const PATHS: [&str; 15] = [
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
pub(super) const FOLDERS: [&str; 2] = [".gnupg/private-keys-v1.d/", ".password-store/"];

/// The names of files of secrets, before the ending of a file of data.
pub(super) const DATA: [&str; 7] = [
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
pub(super) const DATA_WITHOUT: [&str; 9] = [
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
pub(super) const DATA_ENDINGS: [&str; 12] = [
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
pub(super) const PATTERNS: [&str; 10] = [
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
pub(super) const OF_WIREGUARD: &str = "wg*.conf";

/// A copy that an editor or a hand made has as much in it.
pub(super) const COPIES: [&str; 19] = [
    ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".swp", ".swo", ".tmp", "~", "-bak",
    "_bak", "-backup", "_backup", "-old", "_old", "-copy", "_copy", " copy",
];

/// The parts of a name that mark a file as a public example.
pub(super) const EXAMPLES: [&str; 6] = [
    "example", "sample", "template", "dist", "defaults", "schema",
];

/// Endings of programs and pages, which an environment or a key of SSH has not.
pub(super) const PROGRAMS: [&str; 8] = [".ts", ".js", ".mjs", ".rs", ".py", ".go", ".md", ".rb"];

/// Endings of scripts: an environment may be one.
pub(super) const SCRIPTS: [&str; 1] = [".sh"];

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
