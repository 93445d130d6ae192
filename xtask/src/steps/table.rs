//! Every step: what it needs, what it takes, what it reads.
//!
//! They begin in this order, as far as they can: what others wait for and what takes long, first.

use super::need::Need;
use super::{
    Step, agents, binding, chaos, components, consumers, corpus, cost, exact_tokens, fuzz, hosts,
    jco, langgraph, mcp, node, package, plugin, postgres, rust, simulator, syscalls, viewer, wasm,
    wasmtime, windows,
};
use crate::building::component::Component;
use crate::building::program::Program;
use crate::building::wasm::Build;
use crate::test::Lock;

const HOT: Need = Need::Wasm(Build::Hot);
const HOOK: Need = Need::Wasm(Build::Hook);
const LIBRARY: Need = Need::Wasm(Build::Library);
const SESSIONS: Need = Need::Wasm(Build::Sessions);
const TASKS: Need = Need::Wasm(Build::Tasks);
const ASYNC: Need = Need::Wasm(Build::Async);
const COMMAND_LINE: Need = Need::Wasm(Build::CommandLine);
const VIEWER: Need = Need::Wasm(Build::Viewer);
const VIEWER_ALL: Need = Need::Wasm(Build::ViewerAll);
const EXACT_TOKENS: Need = Need::Wasm(Build::ExactTokens);
const EVERY_WASM: &[Need] = &[
    HOT,
    HOOK,
    LIBRARY,
    SESSIONS,
    TASKS,
    ASYNC,
    COMMAND_LINE,
    VIEWER,
    VIEWER_ALL,
    EXACT_TOKENS,
];
const CORE: Need = Need::Component(Component::Core);
const COMMAND: Need = Need::Component(Component::Command);

/// What the tests in JavaScript share with each other.
const SCRIPTS: &[&str] = &[
    "tests/agents/",
    "tests/golden/agents/",
    "tests/hosts/node/",
    "tests/scenarios/hand/",
    "tests/scenarios/js/",
];

/// What the tests of the viewer share, and what they read of others.
const VIEWER_TESTS: &[&str] = &[
    "tests/hosts/viewer/",
    "tests/hosts/node/ground.mjs",
    "tests/hosts/node/task-ground.mjs",
    "tests/hosts/node/scenarios/",
    "tests/scenarios/hand/",
    "tests/scenarios/js/",
];

pub(crate) const ALL: &[Step] = &[
    Step {
        name: "format",
        run: rust::format,
        needs: &[],
        locks: &[],
        reads: &["*.rs", "rustfmt.toml"],
    },
    Step {
        name: "cargo test",
        run: rust::cargo_test,
        needs: &[],
        locks: &[Lock::NativeTarget],
        reads: &[
            "src/",
            "wit/",
            "fuzz/",
            "tests/agents/",
            "tests/core/",
            "tests/faults/chaos/",
            "tests/faults/disk/",
            "tests/faults/simulator/",
            "tests/golden/",
            "tests/hosts/binding/",
            "tests/scenarios/",
        ],
    },
    Step {
        name: "simulator",
        run: simulator::promise,
        needs: &[Need::Program(Program::Simulator)],
        locks: &[],
        reads: &[],
    },
    Step {
        name: "clippy",
        run: rust::clippy,
        needs: &[],
        locks: &[Lock::NativeTarget],
        reads: &["*.rs", "*Cargo.toml", "wit/"],
    },
    Step {
        name: "fuzzing",
        run: fuzz::properties,
        needs: &[Need::Program(Program::Fuzz)],
        locks: &[],
        reads: &[],
    },
    Step {
        name: "build",
        run: wasm::build,
        needs: &[Need::Package, CORE, COMMAND],
        locks: &[],
        reads: &["README.md", "LICENSE-MIT", "LICENSE-APACHE"],
    },
    Step {
        name: "corpus",
        run: corpus::same_bytes,
        needs: &[
            Need::Program(Program::Corpus),
            Need::Project,
            Need::Hosts,
            Need::Chromium,
            Need::Wasmtime,
            CORE,
        ],
        locks: &[],
        reads: &["tests/scenarios/", "tests/hosts/jco/"],
    },
    Step {
        name: "viewer",
        run: viewer::in_chromium,
        needs: &[Need::Project, Need::Hosts, Need::Chromium],
        locks: &[],
        reads: VIEWER_TESTS,
    },
    Step {
        name: "wasmtime tests",
        run: wasmtime::wasmtime_tests,
        needs: &[Need::Compiled, Need::Project],
        locks: &[],
        reads: &[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/wasmtime/",
            "tests/hosts/node/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
            "host-examples/wasmtime/",
        ],
    },
    Step {
        name: "chaos",
        run: chaos::nothing_is_lost,
        needs: &[
            Need::Program(Program::Chaos),
            Need::Project,
            Need::Hosts,
            Need::Compiled,
        ],
        locks: &[],
        reads: &[],
    },
    Step {
        name: "node tests",
        run: |ground| node::node_tests(ground, "tests/hosts/node"),
        needs: &[Need::Project],
        locks: &[],
        reads: SCRIPTS,
    },
    Step {
        name: "package on Windows",
        run: windows::package,
        needs: &[Need::Project, Need::Wine],
        locks: &[],
        reads: SCRIPTS,
    },
    Step {
        name: "consumers of the package",
        run: consumers::consumers,
        needs: &[Need::Package, Need::Hosts],
        locks: &[],
        reads: &["tests/packaging/"],
    },
    Step {
        name: "package on Deno and Bun",
        run: hosts::runtimes,
        needs: &[Need::Project, Need::Hosts],
        locks: &[],
        reads: &[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/runtimes/",
            "tests/agents/",
            "tests/golden/agents/",
            "tests/hosts/node/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
            "host-examples/deno/",
        ],
    },
    Step {
        name: "exact tokens against tiktoken",
        run: exact_tokens::against_tiktoken,
        needs: &[
            Need::Project,
            Need::Vocabularies,
            Need::Hosts,
            Need::Chromium,
        ],
        locks: &[],
        reads: &["tests/hosts/exact-tokens/"],
    },
    Step {
        name: "faults at system calls",
        run: syscalls::faults,
        needs: &[Need::Compiled, Need::Project, Need::Strace],
        locks: &[],
        reads: &[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/faults/syscalls/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/node/",
            "tests/hosts/wasmtime/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
        ],
    },
    Step {
        name: "paths of system calls",
        run: syscalls::audit,
        needs: &[Need::Compiled, Need::Project, Need::Strace],
        locks: &[],
        reads: &[
            "tests/agents/",
            "tests/golden/agents/",
            "tests/faults/syscalls/",
            "tests/hosts/exact-tokens/",
            "tests/hosts/node/",
            "tests/hosts/wasmtime/",
            "tests/scenarios/hand/",
            "tests/scenarios/js/",
        ],
    },
    Step {
        name: "binding in Node",
        run: binding::in_node,
        needs: &[Need::TestRunner, Need::Toolchain],
        locks: &[Lock::BindingTarget],
        reads: &["src/", "tests/hosts/binding/"],
    },
    Step {
        name: "binding in Chromium",
        run: binding::in_chromium,
        needs: &[Need::TestRunner, Need::Toolchain, Need::Chromium],
        locks: &[Lock::BindingTarget],
        reads: &["src/", "tests/hosts/binding/"],
    },
    Step {
        name: "package on PostgreSQL",
        run: postgres::tests,
        needs: &[Need::Project, Need::Postgres],
        locks: &[],
        reads: &[
            "tests/hosts/postgres/",
            "tests/hosts/node/ground.mjs",
            "tests/hosts/node/task-ground.mjs",
            "tests/hosts/node/task-values.test.mjs",
            "tests/hosts/node/tasks.test.mjs",
            "xtask/npm-postgres/",
        ],
    },
    Step {
        name: "notifications",
        run: |ground| node::node_tests(ground, "tests/hosts/notify"),
        needs: &[Need::Project],
        locks: &[],
        reads: &["tests/hosts/notify/", "tests/hosts/node/ground.mjs"],
    },
    Step {
        name: "viewer server",
        run: |ground| node::node_tests(ground, "tests/hosts/viewer/server"),
        needs: &[Need::Project],
        locks: &[],
        reads: &[
            "tests/hosts/viewer/server/",
            "tests/hosts/viewer/core.mjs",
            "tests/hosts/node/ground.mjs",
            "tests/hosts/node/task-ground.mjs",
        ],
    },
    Step {
        name: "node hook",
        run: |ground| node::node_tests(ground, "host-examples/node-hook"),
        needs: &[Need::Project],
        locks: &[],
        reads: &["host-examples/node-hook/"],
    },
    Step {
        name: "LangGraph.js",
        run: langgraph::langgraph,
        needs: &[Need::Project, Need::NodeTools, Need::Postgres],
        locks: &[],
        reads: &[
            "tests/hosts/langgraph/",
            "tests/hosts/postgres/server.mjs",
            "host-examples/langgraph/",
            "xtask/npm-postgres/",
        ],
    },
    Step {
        name: "MCP server",
        run: mcp::server,
        needs: &[Need::Project, Need::NodeTools],
        locks: &[],
        reads: &["tests/hosts/mcp/", "tests/hosts/node/ground.mjs"],
    },
    Step {
        name: "MCP Inspector and conformance",
        run: mcp::suites,
        needs: &[Need::Project, Need::Hosts],
        locks: &[],
        reads: &["tests/hosts/mcp-suites/", "tests/hosts/node/ground.mjs"],
    },
    Step {
        name: "Claude Code plugin",
        run: plugin::claude_code,
        needs: &[Need::Project],
        locks: &[],
        reads: &[
            "tests/hosts/claude-plugin/",
            "tests/hosts/mcp/client.mjs",
            "tests/hosts/node/ground.mjs",
            "LICENSE-MIT",
            "LICENSE-APACHE",
        ],
    },
    Step {
        name: "Codex and Gemini CLI",
        run: agents::free,
        needs: &[Need::Project],
        locks: &[],
        reads: &["tests/hosts/cli-agents/", "tests/hosts/node/ground.mjs"],
    },
    Step {
        name: "core component on jco",
        run: jco::jco_tests,
        needs: &[Need::Project, Need::Hosts, CORE],
        locks: &[],
        reads: &["tests/hosts/jco/"],
    },
    Step {
        name: "page in Chromium",
        run: hosts::page,
        needs: &[Need::Project, Need::Hosts, Need::Chromium],
        locks: &[],
        reads: &["host-examples/browser/"],
    },
    Step {
        name: "viewer in Firefox",
        run: viewer::in_firefox,
        needs: &[Need::Project, Need::Hosts, Need::Firefox],
        locks: &[],
        reads: VIEWER_TESTS,
    },
    Step {
        name: "cargo doc",
        run: rust::cargo_doc,
        needs: &[],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/", "wit/"],
    },
    Step {
        name: "clippy of the hot wasm",
        run: |ground| wasm::clippy(ground, Build::Hot.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the library's wasm",
        run: |ground| wasm::clippy(ground, Build::Library.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the sessions' wasm",
        run: |ground| wasm::clippy(ground, Build::Sessions.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the tasks' wasm",
        run: |ground| wasm::clippy(ground, Build::Tasks.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the wasm for hosts that answer later",
        run: |ground| wasm::clippy(ground, Build::Async.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the cli's wasm",
        run: |ground| wasm::clippy(ground, Build::CommandLine.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the viewer's wasm",
        run: |ground| wasm::clippy(ground, Build::Viewer.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the viewer's wasm with everything",
        run: |ground| wasm::clippy(ground, Build::ViewerAll.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the wasm of exact tokens",
        run: |ground| wasm::clippy(ground, Build::ExactTokens.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/"],
    },
    Step {
        name: "clippy of the core component",
        run: |ground| wasm::clippy(ground, Component::Core.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/", "wit/"],
    },
    Step {
        name: "clippy of the command component",
        run: |ground| wasm::clippy(ground, Component::Command.features()),
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "build/", "wit/"],
    },
    Step {
        name: "clippy of the binding's tests",
        run: wasm::clippy_of_binding_tests,
        needs: &[Need::Toolchain],
        locks: &[Lock::NativeTarget],
        reads: &["src/", "tests/hosts/binding/"],
    },
    Step {
        name: "types of the package",
        run: package::types,
        needs: &[Need::NodeTools],
        locks: &[],
        reads: &["pkg/"],
    },
    Step {
        name: "imports of the wasm",
        run: wasm::imports,
        needs: EVERY_WASM,
        locks: &[],
        reads: &[],
    },
    Step {
        name: "size of the wasm",
        run: wasm::size,
        needs: EVERY_WASM,
        locks: &[],
        reads: &[],
    },
    Step {
        name: "cost of a hook",
        run: cost::of_a_hook,
        needs: &[Need::Project, Need::Hosts, Need::Valgrind],
        locks: &[],
        reads: &["benches/"],
    },
    Step {
        name: "WIT of the components",
        run: components::wit,
        needs: &[CORE, COMMAND],
        locks: &[],
        reads: &["tests/golden/wit/"],
    },
    Step {
        name: "size of the components",
        run: components::size,
        needs: &[CORE, COMMAND],
        locks: &[],
        reads: &[],
    },
    Step {
        name: "publint",
        run: package::publint,
        needs: &[Need::Package],
        locks: &[],
        reads: &["README.md", "LICENSE-MIT", "LICENSE-APACHE"],
    },
    Step {
        name: "attw",
        run: package::attw,
        needs: &[Need::Package],
        locks: &[],
        reads: &["README.md", "LICENSE-MIT", "LICENSE-APACHE"],
    },
];

/// What runs only where somebody asks for it: no part of CI.
pub(crate) const ASKED_FOR: Step = Step {
    name: "Claude Code",
    run: agents::claude_code,
    needs: &[Need::Project],
    locks: &[],
    reads: &[
        "tests/hosts/claude-code/",
        "tests/hosts/cli-agents/",
        "tests/hosts/node/ground.mjs",
    ],
};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
