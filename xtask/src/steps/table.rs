//! Every step: in which range it is, what it needs, what it takes, what it reads.
//!
//! They begin in this order, as far as they can: what others wait for and what takes long, first.

use super::need::Need;
use super::{
    Step, agents, binding, chaos, checkers, components, consumers, corpus, cost, exact_tokens,
    fuzz, hosts, jco, langgraph, mcp, native, node, package, pages, plugin, postgres, registries,
    rust, simulator, syscalls, test_runners, tour, viewer, wasm, wasmtime, windows,
};
use crate::building::component::Component;
use crate::building::program::Program;
use crate::building::wasm::Build;
use crate::test::Lock;

const HOOK: Need = Need::Wasm(Build::Hook);
const AGENT_HOOK: Need = Need::Wasm(Build::AgentHook);
const LIBRARY: Need = Need::Wasm(Build::Library);
const DEFERRED: Need = Need::Wasm(Build::Deferred);
const CLI: Need = Need::Wasm(Build::Cli);
const VIEWER: Need = Need::Wasm(Build::Viewer);
const EXACT_TOKENS: Need = Need::Wasm(Build::ExactTokens);
const EVERY_WASM: &[Need] = &[
    HOOK,
    AGENT_HOOK,
    LIBRARY,
    DEFERRED,
    CLI,
    VIEWER,
    EXACT_TOKENS,
];
const CORE: Need = Need::Component(Component::Core);
const COMMAND: Need = Need::Component(Component::Command);

/// The files that the tests in JavaScript share with each other.
const SCRIPTS: &[&str] = &[
    "tests/agents/",
    "tests/golden/agents/",
    "tests/golden/hooks/",
    "tests/hosts/node/",
    "tests/scenarios/hand/",
    "tests/scenarios/js/",
];

/// The files that the tests of the viewer share, and those that they read of others.
const VIEWER_TESTS: &[&str] = &[
    "tests/hosts/viewer/",
    "tests/hosts/node/fixture.mjs",
    "tests/hosts/node/task-fixture.mjs",
    "tests/hosts/node/scenarios/",
    "tests/scenarios/hand/",
    "tests/scenarios/js/",
];

pub(crate) const ALL: &[Step] = &[
    Step::new("format", rust::format).reading(&["*.rs", "rustfmt.toml"]),
    Step::new("cargo test", rust::cargo_test)
        .locks(&[Lock::NativeTarget])
        .reading(&[
            "src/",
            "wit/",
            "fuzz/",
            "tests/agents/",
            "tests/core/",
            "tests/faults/",
            "tests/golden/",
            "tests/hosts/binding/",
            "tests/scenarios/",
            "docs/",
            // The files that the statements for users and for a release are compared with.
            ".github/",
            "LICENSE-MIT",
            "llms.txt",
            "owner.json",
            "pkg/package.json",
            "pkg/viewer/_headers",
            // Every text of the project, for its words: the endings that `tests/core/wording.rs` has.
            "*.rs",
            "*.js",
            "*.mjs",
            "*.cjs",
            "*.ts",
            "*.mts",
            "*.cts",
            "*.tsx",
            "*.css",
            "*.html",
            "*.md",
            "*.wit",
            "*.toml",
            "*.sh",
            "*.py",
        ]),
    Step::new("simulator", simulator::promise).needs(&[Need::Program(Program::Simulator)]),
    Step::new("clippy", rust::clippy)
        .locks(&[Lock::NativeTarget])
        .reading(&["*.rs", "*Cargo.toml", "wit/"]),
    Step::new("clippy of the wasm", wasm::clippy)
        .needs(&[Need::Toolchain])
        .locks(&[Lock::ClippyTarget])
        .reading(&["src/", "build/", "wit/", "tests/hosts/binding/"]),
    Step::new("fuzzing", fuzz::properties).needs(&[Need::Program(Program::Fuzz)]),
    Step::new("build", wasm::build)
        .needs(&[Need::Package, CORE, COMMAND])
        .reading(&["README.md", "LICENSE-MIT", "LICENSE-APACHE"]),
    Step::new("corpus", corpus::same_bytes)
        .needs(&[
            Need::Program(Program::Corpus),
            Need::Project,
            Need::Hosts,
            Need::Chromium,
            Need::Wasmtime,
            CORE,
        ])
        .reading(&["tests/scenarios/", "tests/hosts/jco/"]),
    Step::new("viewer", viewer::in_chromium)
        .needs(&[Need::Project, Need::Hosts, Need::Chromium])
        .reading(VIEWER_TESTS),
    Step::new("wasmtime tests", wasmtime::wasmtime_tests)
        .needs(&[Need::Compiled, Need::Project])
        .reading(&[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/wasmtime/",
            "tests/hosts/node/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
            "host-examples/wasmtime/",
        ]),
    Step::new("native command line", native::native_tests)
        .needs(&[Need::Program(Program::CommandLine), Need::Project])
        .reading(&[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/native/",
            "tests/hosts/node/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
        ]),
    Step::new("chaos", chaos::nothing_is_lost)
        .only_with_all()
        .needs(&[
            Need::Program(Program::Chaos),
            Need::Program(Program::CommandLine),
            Need::Project,
            Need::Hosts,
            Need::Compiled,
        ]),
    Step::new("node tests", |context, range| {
        node::node_tests(context, range, "tests/hosts/node")
    })
    .needs(&[Need::Project])
    .reading(SCRIPTS),
    Step::new("package on Windows", windows::package)
        .only_with_all()
        .needs(&[Need::Project, Need::Wine])
        .reading(SCRIPTS),
    Step::new("consumers of the package", consumers::consumers)
        .needs(&[Need::Package, Need::Hosts])
        .reading(&["tests/packaging/"]),
    Step::new("test runners", test_runners::test_runners)
        .only_with_all()
        .needs(&[Need::Project])
        .reading(&["tests/packaging/test-runners/"]),
    Step::new("workerd", test_runners::workerd)
        .only_with_all()
        .needs(&[Need::Project])
        .reading(&["tests/packaging/workerd/"]),
    Step::new("agents' SDK", test_runners::agents_sdk)
        .only_with_all()
        .needs(&[Need::Project])
        .reading(&["tests/packaging/agents-sdk/"]),
    Step::new("package on Deno and Bun", hosts::runtimes)
        .needs(&[Need::Project, Need::Hosts])
        .reading(&[
            "tests/hosts/runtimes/",
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/node/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
            "host-examples/deno/",
        ]),
    Step::new(
        "exact tokens against tiktoken",
        exact_tokens::against_tiktoken,
    )
    .only_with_all()
    .needs(&[
        Need::Project,
        Need::Vocabularies,
        Need::Hosts,
        Need::Chromium,
    ])
    .reading(&["tests/hosts/exact-tokens/"]),
    Step::new("faults at system calls", syscalls::faults)
        .only_with_all()
        .needs(&[
            Need::Compiled,
            Need::Program(Program::CommandLine),
            Need::Project,
            Need::Strace,
        ])
        .reading(&[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/faults/syscalls/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/native/",
            "tests/hosts/node/",
            "tests/hosts/wasmtime/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
        ]),
    Step::new("paths of system calls", syscalls::audit)
        .only_with_all()
        .needs(&[
            Need::Compiled,
            Need::Program(Program::CommandLine),
            Need::Project,
            Need::Strace,
        ])
        .reading(&[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/faults/syscalls/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/native/",
            "tests/hosts/node/",
            "tests/hosts/wasmtime/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
        ]),
    Step::new("binding in Node", binding::in_node)
        .only_with_all()
        .needs(&[Need::TestRunner, Need::Toolchain])
        .locks(&[Lock::BindingTarget])
        .reading(&["src/", "tests/hosts/binding/"]),
    Step::new("binding in Chromium", binding::in_chromium)
        .only_with_all()
        .needs(&[Need::TestRunner, Need::Toolchain, Need::Chromium])
        .locks(&[Lock::BindingTarget])
        .reading(&["src/", "tests/hosts/binding/"]),
    Step::new("package on PostgreSQL", postgres::tests)
        .needs(&[Need::Project, Need::Postgres])
        .reading(&[
            "tests/hosts/postgres/",
            "tests/hosts/node/fixture.mjs",
            "tests/hosts/node/upgrade/",
            "tests/hosts/node/task-fixture.mjs",
            "tests/hosts/node/task-manager.mjs",
            "tests/hosts/node/task-values.mjs",
            "tests/hosts/node/transcript-writer.mjs",
            "tests/hosts/node/transcripts.mjs",
            "tests/hosts/pages/snippets.mjs",
            "xtask/npm-postgres/",
            "docs/guide/",
            "README.md",
        ]),
    Step::new("notifications", |context, range| {
        node::node_tests(context, range, "tests/hosts/notify")
    })
    .needs(&[Need::Project])
    .reading(&["tests/hosts/notify/", "tests/hosts/node/fixture.mjs"]),
    Step::new("viewer server", |context, range| {
        node::node_tests(context, range, "tests/hosts/viewer/server")
    })
    .needs(&[Need::Project])
    .reading(&[
        "tests/hosts/viewer/server/",
        "tests/hosts/viewer/core.mjs",
        "tests/hosts/viewer/fixture.mjs",
        "tests/hosts/node/fixture.mjs",
        "tests/hosts/node/task-fixture.mjs",
    ]),
    Step::new("pages", pages::snippets)
        .needs(&[Need::Project])
        .reading(&["tests/hosts/pages/", "docs/guide/", "README.md"]),
    Step::new("node hook", |context, range| {
        node::node_tests(context, range, "host-examples/node-hook")
    })
    .needs(&[Need::Project])
    .reading(&["host-examples/node-hook/"]),
    Step::new("LangGraph.js", langgraph::langgraph)
        .needs(&[Need::Project, Need::NodeTools])
        .needs_with_all(&[Need::Postgres])
        .reading(&[
            "tests/hosts/langgraph/",
            "tests/hosts/pages/snippets.mjs",
            "tests/hosts/postgres/server.mjs",
            "host-examples/langgraph/",
            "xtask/npm-postgres/",
            "docs/guide/",
            "README.md",
        ]),
    Step::new("MCP server", mcp::server)
        .needs(&[Need::Project, Need::NodeTools])
        .reading(&[
            "tests/hosts/mcp/",
            "tests/hosts/node/fixture.mjs",
            "tests/hosts/viewer/core.mjs",
            "docs/reference/mcp.md",
        ]),
    Step::new("MCP Inspector and conformance", mcp::suites)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts])
        .reading(&["tests/hosts/mcp-suites/", "tests/hosts/node/fixture.mjs"]),
    Step::new("Claude Code plugin", plugin::claude_code)
        .needs(&[Need::Project])
        .reading(&[
            "tests/hosts/claude-plugin/",
            "tests/hosts/mcp/client.mjs",
            "tests/hosts/node/fixture.mjs",
            "LICENSE-MIT",
            "LICENSE-APACHE",
        ]),
    Step::new("command lines of agents", agents::command_lines)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts])
        .reading(&[
            "tests/agents/",
            "tests/hosts/cli-agents/",
            "tests/hosts/node/fixture.mjs",
        ]),
    Step::new("core component on jco", jco::jco_tests)
        .needs(&[Need::Project, Need::Hosts, CORE])
        .reading(&["tests/hosts/jco/"]),
    Step::new("page in Chromium", hosts::page)
        .needs(&[Need::Project, Need::Hosts, Need::Chromium])
        .reading(&["host-examples/browser/"]),
    Step::new("viewer in Firefox", viewer::in_firefox)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts, Need::Firefox])
        .reading(VIEWER_TESTS),
    Step::new("pictures of the page", viewer::pictures)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts, Need::Chromium])
        .reading(VIEWER_TESTS),
    Step::new("cargo doc", rust::cargo_doc)
        .only_with_all()
        .locks(&[Lock::NativeTarget])
        .reading(&["src/", "build/", "wit/"]),
    Step::new("dependencies of the crates", checkers::dependencies)
        .only_with_all()
        .reading(&["deny.toml"]),
    Step::new("rights of the workflows", checkers::workflows)
        .only_with_all()
        .reading(&[".github/"]),
    Step::new("npm from a registry", registries::npm)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts])
        .reading(&[
            "tests/hosts/registries/",
            "tests/hosts/environment.mjs",
            "tests/packaging/",
        ]),
    Step::new("package of JSR", registries::jsr)
        .only_with_all()
        .needs(&[Need::Project, Need::Hosts])
        .reading(&["tests/hosts/registries/", "tests/hosts/environment.mjs"]),
    Step::new("components from a registry", registries::components)
        .only_with_all()
        .needs(&[Need::Project, Need::Wasmtime, CORE, COMMAND])
        .locks(&[Lock::Packages])
        .reading(&["tests/hosts/registries/", "tests/hosts/environment.mjs"]),
    Step::new("packed crates", registries::crates)
        .only_with_all()
        .locks(&[Lock::NativeTarget])
        .reading(&[
            "src/",
            "native/",
            "build/",
            "wit/",
            "README.md",
            "CHANGELOG.md",
            "LICENSE-MIT",
            "LICENSE-APACHE",
        ]),
    Step::new("expressions of the workflows", checkers::expressions)
        .only_with_all()
        .needs(&[Need::Project])
        .reading(&[
            ".github/",
            "tests/hosts/workflows/",
            "tests/hosts/environment.mjs",
        ]),
    Step::new("types of the package", package::types)
        .needs(&[Need::NodeTools])
        .reading(&["pkg/"]),
    Step::new("imports of the wasm", wasm::imports).needs(EVERY_WASM),
    Step::new("size of the wasm", wasm::size).needs(EVERY_WASM),
    Step::new("cost of a hook", cost::of_a_hook)
        .needs(&[Need::Project, Need::Hosts])
        .needs_with_all(&[Need::Valgrind])
        .reading(&["benches/"]),
    Step::new("size of the package", package::size).needs(&[Need::Package]),
    Step::new("WIT of the components", components::wit)
        .needs(&[CORE, COMMAND])
        .reading(&["tests/golden/wit/"]),
    Step::new("size of the components", components::size).needs(&[CORE, COMMAND]),
    Step::new("publint", package::publint)
        .needs(&[Need::Package])
        .reading(&["README.md", "LICENSE-MIT", "LICENSE-APACHE"]),
    Step::new("tour", tour::first_command)
        .needs(&[AGENT_HOOK, LIBRARY, CLI])
        .reading(&["pkg/", "xtask/tour/"]),
    Step::new("attw", package::attw)
        .needs(&[Need::Package])
        .reading(&["README.md", "LICENSE-MIT", "LICENSE-APACHE"]),
];

/// The step that runs only on request: no part of CI.
pub(crate) const ASKED_FOR: Step = Step::new("Claude Code", agents::claude_code)
    .only_with_all()
    .needs(&[Need::Project])
    .reading(&[
        "tests/agents/",
        "tests/hosts/claude-code/",
        "tests/hosts/cli-agents/",
        "tests/hosts/node/fixture.mjs",
    ]);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
