//! The way in which a host runs git, so that no program of a repository runs: the one list for all
//! hosts.

/// The options before the arguments of an effect: no pager, no monitor of files, no hooks.
pub const GIT_OPTIONS: [&str; 5] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
];

/// The variables that are added to the environment. Nothing is locked, asked or fetched: no lazy
/// fetch of a partial clone starts a transport (`ssh`, a helper, `ext::`), and where git is older
/// than 2.45 the transport itself is refused.
pub const GIT_VARIABLES: [(&str, &str); 5] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("LC_ALL", "C"),
];

/// The variables that are taken out of the environment: they lead git to another repository than
/// that of the folder, or to another configuration than the one that git reads by itself.
pub const GIT_ELSEWHERE: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_NAMESPACE",
    "GIT_CONFIG",
];
