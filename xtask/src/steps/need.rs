//! The things that steps need before they can run: tools, and what is built.

use anyhow::Result;

use crate::building::BuildContext;
use crate::building::compile::CompileMode;
use crate::building::component::Component;
use crate::building::program::Program;
use crate::building::wasm::Build;
use crate::test::{Lane, Lock};
use crate::tools::ToolLookup;

/// Made once, however many steps need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Wasmtime,
    TestRunner,
    NodeTools,
    Toolchain,
    Hosts,
    Chromium,
    Firefox,
    Postgres,
    Strace,
    Valgrind,
    Wine,
    Wasm(Build),
    Component(Component),
    Vocabularies,
    Package,
    Project,
    Compiled,
    Program(Program),
}

impl Need {
    /// For people who watch.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wasmtime => "wasmtime",
            Self::TestRunner => "wasm-bindgen-test-runner",
            Self::NodeTools => "npm tools of the build",
            Self::Toolchain => "Rust for wasm",
            Self::Hosts => "npm tools of the tests",
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
            Self::Postgres => "PostgreSQL",
            Self::Strace => "strace",
            Self::Valgrind => "valgrind",
            Self::Wine => "wine",
            Self::Wasm(Build::Hook) => "hook wasm",
            Self::Wasm(Build::AgentHook) => "agent-hook wasm",
            Self::Wasm(Build::Library) => "library wasm",
            Self::Wasm(Build::Deferred) => "deferred wasm",
            Self::Wasm(Build::Cli) => "cli wasm",
            Self::Wasm(Build::Viewer) => "viewer wasm",
            Self::Wasm(Build::ExactTokens) => "exact-tokens wasm",
            Self::Vocabularies => "vocabularies",
            Self::Component(Component::Core) => "core component",
            Self::Component(Component::Command) => "command component",
            Self::Package => "npm package",
            Self::Project => "project with the package",
            Self::Compiled => "command component for this machine",
            Self::Program(Program::Fuzz) => "program of the fuzzing",
            Self::Program(Program::Simulator) => "program of the simulator",
            Self::Program(Program::Corpus) => "program of the corpus",
            Self::Program(Program::Chaos) => "program of the chaos run",
            Self::Program(Program::CommandLine) => "native command line",
        }
    }

    /// The things that it needs itself.
    pub(crate) fn needs(self) -> &'static [Need] {
        match self {
            Self::Wasm(_) | Self::Component(_) => &[Self::NodeTools, Self::Toolchain],
            Self::Package => &[
                Self::Wasm(Build::Hook),
                Self::Wasm(Build::AgentHook),
                Self::Wasm(Build::Library),
                Self::Wasm(Build::Deferred),
                Self::Wasm(Build::Cli),
                Self::Wasm(Build::Viewer),
                Self::Wasm(Build::ExactTokens),
                Self::Vocabularies,
            ],
            Self::Vocabularies => &[Self::NodeTools],
            Self::Project => &[Self::Package],
            Self::Compiled => &[Self::Wasmtime, Self::Component(Component::Command)],
            Self::Wasmtime
            | Self::TestRunner
            | Self::NodeTools
            | Self::Toolchain
            | Self::Hosts
            | Self::Chromium
            | Self::Firefox
            | Self::Postgres
            | Self::Strace
            | Self::Valgrind
            | Self::Wine
            | Self::Program(_) => &[],
        }
    }

    pub(crate) fn lane(self) -> Lane {
        match self {
            Self::Wasmtime | Self::TestRunner => Lane::Tool,
            Self::NodeTools
            | Self::Toolchain
            | Self::Hosts
            | Self::Chromium
            | Self::Firefox
            | Self::Postgres
            | Self::Strace
            | Self::Valgrind
            | Self::Wine => Lane::Download,
            Self::Wasm(_)
            | Self::Component(_)
            | Self::Vocabularies
            | Self::Package
            | Self::Project
            | Self::Compiled
            | Self::Program(_) => Lane::Work,
        }
    }

    pub(crate) fn locks(self) -> &'static [Lock] {
        match self {
            Self::Toolchain
            | Self::Chromium
            | Self::Firefox
            | Self::Postgres
            | Self::Strace
            | Self::Valgrind
            | Self::Wine => &[Lock::Packages],
            Self::Program(_) => &[Lock::NativeTarget],
            Self::Wasm(build) => match build.mode() {
                CompileMode::Fast => &[Lock::Compiling(CompileMode::Fast)],
                CompileMode::FastCompact => &[Lock::Compiling(CompileMode::FastCompact)],
                CompileMode::Small => &[Lock::Compiling(CompileMode::Small)],
                CompileMode::SmallCompact => &[Lock::Compiling(CompileMode::SmallCompact)],
                CompileMode::Counting => &[Lock::Compiling(CompileMode::Counting)],
            },
            Self::Component(_) => &[Lock::Compiling(CompileMode::SmallCompact)],
            _ => &[],
        }
    }

    /// The files that it is made of, in the clone.
    pub(crate) fn reads(self) -> &'static [&'static str] {
        match self {
            Self::Wasm(_) => &["src/"],
            Self::Component(_) => &["src/", "wit/"],
            // The files that it only shows (README.md and the licences) change nothing for its users.
            Self::Package | Self::Vocabularies => &["pkg/"],
            // The files that nearly all tests in it begin with.
            Self::Project => &["tests/hosts/environment.mjs", "tests/hosts/gitconfig"],
            Self::Program(Program::Fuzz) => &[
                "src/",
                "fuzz/",
                "tests/faults/disk/",
                "tests/faults/property/",
                "tests/scenarios/",
            ],
            Self::Program(Program::Simulator) => &[
                "src/",
                "tests/faults/disk/",
                "tests/faults/property/",
                "tests/faults/simulator/",
            ],
            Self::Program(Program::Corpus) => &["src/", "tests/faults/disk/", "tests/scenarios/"],
            Self::Program(Program::Chaos) => &["tests/faults/chaos/", "tests/faults/property/"],
            Self::Program(Program::CommandLine) => &["src/", "native/"],
            _ => &[],
        }
    }

    /// Makes it. The steps that need a missing thing name it.
    pub(crate) fn prepare(self, context: &BuildContext) -> Result<()> {
        match self {
            Self::Wasmtime => drop(context.wasmtime()?),
            Self::TestRunner => drop(context.test_runner()?),
            Self::NodeTools => drop(context.node()?),
            Self::Toolchain => drop(context.toolchain()?),
            Self::Hosts => drop(context.hosts()?),
            Self::Chromium => drop(context.chromium()?),
            Self::Firefox => drop(context.firefox()?),
            Self::Postgres => drop(context.postgres()?),
            Self::Strace => drop(context.strace()?),
            Self::Valgrind => drop(context.valgrind()?),
            Self::Wine => drop(context.wine()?),
            Self::Wasm(build) => drop(context.wasm(build)?),
            Self::Component(component) => drop(context.component(component)?),
            Self::Vocabularies => drop(context.vocabularies()?),
            Self::Package => drop(context.package()?),
            Self::Project => drop(context.project()?),
            Self::Compiled => {
                if let ToolLookup::At(wasmtime) = context.wasmtime()? {
                    context.compiled(wasmtime)?;
                }
            }
            Self::Program(program) => drop(context.program(program)?),
        }
        Ok(())
    }
}
