//! The statement of SECURITY.md that nothing is sent anywhere but where the user says: which sources may reach a
//! network at all, and what they reach.

use std::collections::BTreeSet;
use std::fs;

/// Every source that names a way to a network, and what it reaches by it.
const REACHES: [(&str, &str); 7] = [
    ("pkg/src/verb/notify/address.js", RECEIVERS),
    ("pkg/src/verb/notify/request.js", RECEIVERS),
    ("pkg/src/program/answering.js", DATABASE),
    ("pkg/src/host/postgres/database.js", DATABASE),
    ("pkg/src/verb/view/server.js", LOOPBACK),
    ("pkg/viewer/work/source/server.ts", OWN_SERVER),
    ("pkg/viewer/work/worker.ts", OWN_SERVER),
];

const RECEIVERS: &str = "the receivers of `milepost notify`, which the environment names";
const DATABASE: &str = "the database that the user names, by way of `pg`";
const LOOPBACK: &str = "the loopback, on which it listens";
const OWN_SERVER: &str = "the server that the page came from, and by its policy no other";

/// The modules of Node that reach a network, packages that do, and the part of the build that loads one.
const MODULES: [&str; 12] = [
    "http",
    "https",
    "http2",
    "net",
    "tls",
    "dns",
    "dgram",
    "inspector",
    "undici",
    "ws",
    "pg",
    "milepost:driver",
];

/// Functions and classes of Node, Deno, Bun and browsers that reach a network.
const CALLS: [&str; 13] = [
    "fetch(",
    "WebSocket(",
    "WebTransport(",
    "EventSource(",
    "XMLHttpRequest(",
    "RTCPeerConnection(",
    "sendBeacon(",
    "importScripts(",
    "Deno.connect",
    "Deno.listen",
    "Deno.serve",
    "Bun.connect",
    "Bun.serve",
];

/// Every source that starts programs, and which.
const STARTS: [(&str, &str); 5] = [
    (
        "pkg/src/verb/compile.js",
        "`wasmtime`, which compiles a file",
    ),
    ("pkg/src/host/node/system.js", "git, without any transport"),
    (
        "pkg/src/program/status-line.js",
        "the status line that the user had before",
    ),
    (
        "pkg/src/verb/try-hooks.js",
        "a line that `hooks install` wrote",
    ),
    (
        "pkg/src/verb/view/browser.js",
        "the browser, with a file that leads to the loopback",
    ),
];

/// The ways to start a program.
const STARTERS: [&str; 3] = ["node:child_process", "Deno.Command", "Bun.spawn"];

const SOURCES: [&str; 4] = [".js", ".ts", ".tsx", ".mjs"];

fn read(path: &str) -> String {
    fs::read_to_string(crate::in_package(path)).unwrap()
}

/// The sources below a folder of the package, with their paths from its root.
fn sources(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(crate::in_package(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            found.extend(sources(&path));
        } else if SOURCES.iter().any(|end| path.ends_with(end)) {
            found.push(path);
        }
    }
    found
}

/// The lines of a source that are no comment, with one kind of quotes.
fn code(text: &str) -> impl Iterator<Item = String> {
    let is_comment = |line: &&str| ["//", "/*", "*"].iter().any(|it| line.starts_with(it));
    let lines = text.lines().map(str::trim);
    lines
        .filter(move |line| !is_comment(line))
        .map(|line| line.replace(['"', '`'], "'"))
}

/// Returns whether a line of code names a way to a network. A type does not count.
fn reaches(line: &str) -> bool {
    let names = |module: &&str| {
        [format!("'{module}'"), format!("'node:{module}'")]
            .iter()
            .any(|quoted| {
                let loads = [
                    "from ",
                    "import ",
                    "import(",
                    "require(",
                    "resolve(",
                    "getBuiltinModule(",
                ];
                loads
                    .iter()
                    .any(|load| line.contains(&format!("{load}{quoted}")))
            })
    };
    let is_call = |call: &&str| {
        line.match_indices(*call).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            // A method of that name is another thing.
            !before.is_some_and(|it| it.is_alphanumeric() || "_#.".contains(it))
        })
    };
    MODULES.iter().any(names) || CALLS.iter().any(is_call)
}

#[test]
fn only_the_sources_of_the_list_reach_a_network() {
    let files = ["pkg/src", "pkg/viewer", "pkg/plugin"]
        .map(sources)
        .concat();
    assert!(files.len() > 200, "{} sources", files.len());
    let reaching = files
        .iter()
        .filter(|path| code(&read(path)).any(|it| reaches(&it)));
    let reaching: BTreeSet<&str> = reaching.map(String::as_str).collect();
    assert_eq!(reaching, REACHES.iter().map(|(path, _)| *path).collect());
}

#[test]
fn a_way_to_a_network_is_known_by_its_name() {
    for line in [
        "import https from 'node:https';",
        "const net = require('net');",
        "const tls = process.getBuiltinModule('node:tls');",
        "const { Client } = await import('pg');",
        "const response = await fetch(address);",
        "const events = new EventSource('api/changes');",
    ] {
        assert!(reaches(line), "{line}");
    }
    for line in [
        "await this.#prefetch(stem);",
        "store.fetch(stem);",
        "import fs from 'node:fs';",
        "const network = 'https';",
    ] {
        assert!(!reaches(line), "{line}");
    }
    let text = "/** @typedef {import('node:http').Request} Request */\n // fetch(a)\n * fetch(b)";
    assert_eq!(code(text).count(), 0);
}

#[test]
fn only_the_sources_of_the_list_start_programs() {
    let files = ["pkg/src", "pkg/viewer", "pkg/plugin"]
        .map(sources)
        .concat();
    let starts = |path: &&String| {
        let is_start = |line: String| STARTERS.iter().any(|it| line.contains(it));
        code(&read(path)).any(is_start)
    };
    let starting: BTreeSet<&str> = files.iter().filter(starts).map(String::as_str).collect();
    assert_eq!(starting, STARTS.iter().map(|(path, _)| *path).collect());
}

#[test]
fn the_one_address_in_the_sources_is_that_of_linear() {
    let mut addresses = BTreeSet::new();
    for path in sources("pkg/src") {
        for line in code(&read(&path)) {
            let quoted = line.split('\'').skip(1).step_by(2);
            let whole = quoted.filter(|it| it.starts_with("https://") && it.len() > 8);
            addresses.extend(whole.map(|it| format!("{path}: {it}")));
        }
    }
    let linear = "pkg/src/verb/notify/linear.js: https://api.linear.app/graphql".to_owned();
    assert_eq!(addresses, BTreeSet::from([linear]));
}

#[test]
fn a_page_may_connect_to_its_own_server_alone() {
    for path in [
        "pkg/src/verb/view/guard.js",
        "pkg/viewer/_headers",
        "pkg/viewer/index.html",
    ] {
        let text = read(path);
        assert!(text.contains("default-src 'none'"), "{path}");
        assert!(text.contains("connect-src 'self'"), "{path}");
        let connects = text.matches("connect-src").count();
        assert_eq!(connects, 1, "{path}");
    }
    let server = read("pkg/src/verb/view/server.js");
    assert!(server.contains("[FIRST, SECOND] = ['127.0.0.1', '::1']"));
}

#[test]
fn git_is_started_without_any_transport() {
    let system = read("pkg/src/host/node/system.js");
    for setting in ["GIT_NO_LAZY_FETCH: '1'", "GIT_ALLOW_PROTOCOL: 'none'"] {
        assert!(system.contains(setting), "{setting}");
    }
}

#[test]
fn the_components_import_no_network() {
    for path in ["core.wit", "command.wit"] {
        let text = read(&format!("tests/golden/wit/{path}"));
        assert!(text.contains("world "), "{path}");
        for name in ["wasi:sockets", "wasi:http"] {
            assert!(!text.contains(name), "{path} imports {name}");
        }
    }
}

#[test]
fn the_page_on_security_says_where_this_is_held() {
    let page = read("SECURITY.md");
    assert!(page.contains("`tests/core/network.rs`"));
    assert!(page.contains("There is no telemetry"));
}
