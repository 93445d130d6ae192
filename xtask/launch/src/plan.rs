//! The builds of `cargo xtask run`: the steps, and the time that they take where nothing is there yet.

use std::path::{Path, PathBuf};

/// One thing to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The program that performs all commands.
    Tool,
    /// The wasm that agents' hooks load first.
    AgentHook,
    /// The wasm of the library, with the events that have a snapshot.
    Library,
    /// The command line.
    Cli,
    /// The wasm that the package's functions of hooks load.
    Hook,
    /// Exact token counts.
    ExactTokens,
    /// The viewer's page.
    Viewer,
    /// The library for hosts that answer later.
    Deferred,
    /// All of it, bundled as a package.
    Package,
}

impl Step {
    /// For a line of progress.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "the build tool",
            Self::AgentHook => "the agents' hook",
            Self::Library => "the library",
            Self::Cli => "the command line",
            Self::Hook => "hook scripts",
            Self::ExactTokens => "exact token counts",
            Self::Viewer => "the viewer's page",
            Self::Deferred => "the library for databases",
            Self::Package => "the package",
        }
    }

    /// The folder of its wasm, below `target/milepost/wasm`.
    #[must_use]
    pub fn wasm(self) -> Option<&'static str> {
        match self {
            Self::Tool | Self::Package => None,
            Self::AgentHook => Some("agent-hook"),
            Self::Library => Some("library"),
            Self::Cli => Some("cli"),
            Self::Hook => Some("hook"),
            Self::ExactTokens => Some("exact-tokens"),
            Self::Viewer => Some("viewer"),
            Self::Deferred => Some("deferred"),
        }
    }

    /// Seconds of one core from nothing, the standard library that is built with it included: those of the tour and
    /// the command line as measured with an empty `target` and tools that are there on an AMD EPYC, the others by
    /// their size beside these.
    fn cost(self) -> u64 {
        match self {
            Self::Tool => 120,
            Self::AgentHook => 60,
            Self::Library => 110,
            Self::Cli => 95,
            Self::Hook => 15,
            Self::ExactTokens => 60,
            Self::Viewer => 75,
            Self::Deferred => 45,
            Self::Package => 10,
        }
    }
}

/// The part of the package that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The command line and the agents' hook.
    Tour,
    /// The part that any verb but the next ones may load: a project may count exact tokens.
    CommandLine,
    /// The command line with the viewer's page.
    Viewing,
    /// All of it, packed and installed: a database is reached by a package of its project.
    Whole,
}

const TOUR: [Step; 3] = [Step::Library, Step::Cli, Step::AgentHook];

impl Part {
    /// The part that `milepost ARGUMENTS` may load, without arguments the tour. The words are looked at, not
    /// understood: a word too many builds too much, which only takes time.
    #[must_use]
    pub fn of<S: AsRef<str>>(arguments: &[S]) -> Self {
        let any = |is: fn(&str) -> bool| arguments.iter().any(|word| is(word.as_ref()));
        if arguments.is_empty() {
            Self::Tour
        } else if any(|word| word.starts_with("--store")) {
            Self::Whole
        } else if any(|word| matches!(word, "view" | "export")) {
            Self::Viewing
        } else {
            Self::CommandLine
        }
    }

    /// The name of its folder in `target/milepost`.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Tour => "tour",
            Self::CommandLine => "command-line",
            Self::Viewing => "viewing",
            Self::Whole => "project",
        }
    }

    /// The steps with a wasm, those first that take longest.
    #[must_use]
    pub fn builds(self) -> Vec<Step> {
        let more: &[Step] = match self {
            Self::Tour => &[],
            Self::CommandLine => &[Step::Hook, Step::ExactTokens],
            Self::Viewing => &[Step::Viewer, Step::Hook, Step::ExactTokens],
            Self::Whole => &[Step::Viewer, Step::Deferred, Step::Hook, Step::ExactTokens],
        };
        [&TOUR, more].concat()
    }

    /// Every step, the tool included.
    #[must_use]
    pub fn steps(self) -> Vec<Step> {
        let mut steps = vec![Step::Tool];
        steps.extend(self.builds());
        steps.push(Step::Package);
        steps
    }

    /// The steps of which nothing is there yet. What is there may be out of date, which only cargo can say.
    #[must_use]
    pub fn missing(self, root: &Path, tool: &Path) -> Vec<Step> {
        let artefacts = root.join("target/milepost");
        let output = |step: Step| -> PathBuf {
            match step.wasm() {
                Some(name) => artefacts.join("wasm").join(name).join("milepost_bg.wasm"),
                None if step == Step::Tool => tool.to_owned(),
                None => artefacts.join(self.folder()),
            }
        };
        let mut steps = self.steps();
        steps.retain(|&step| !output(step).exists());
        steps
    }
}

/// The sentence that comes first: how long the missing ones of the steps take. `None` where that is no time worth a
/// sentence.
#[must_use]
pub fn announcement(steps: usize, missing: &[Step], cores: usize) -> Option<String> {
    const WORTH_A_SENTENCE: u64 = 20;
    let work: u64 = missing.iter().map(|step| step.cost()).sum();
    // More cores help the compiler little: one wasm after the other is linked and optimised by one of them.
    let longest = missing.iter().map(|step| step.cost() / 2).sum::<u64>() / 2;
    let seconds = (work / cores.max(1) as u64).max(longest);
    if seconds < WORTH_A_SENTENCE {
        return None;
    }
    let time = match seconds.div_ceil(60) {
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    };
    let on = match cores {
        1 => "1 core".to_owned(),
        _ => format!("{cores} cores"),
    };
    Some(format!("about {time} on {on}, in {steps} steps"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Part, Step, announcement};
    use std::fs;

    #[test]
    fn tour_builds_the_tool_three_wasm_files_and_a_package() {
        let steps = Part::of::<&str>(&[]).steps();
        let expected = [
            Step::Tool,
            Step::Library,
            Step::Cli,
            Step::AgentHook,
            Step::Package,
        ];
        assert_eq!(steps, expected);
    }

    #[test]
    fn words_of_the_command_line_choose_what_is_built() {
        for (words, part) in [
            (&["status"][..], Part::CommandLine),
            (&["tokens", "-", "--encoding", "o200k"], Part::CommandLine),
            (&["--root", "..", "view", "--no-open"], Part::Viewing),
            (&["export", "--html", "-"], Part::Viewing),
            (&["--store", "env:URL", "status"], Part::Whole),
            (&["--store=env:URL", "view"], Part::Whole),
        ] {
            assert_eq!(Part::of(words), part, "{words:?}");
        }
    }

    #[test]
    fn larger_part_has_every_step_of_a_smaller_one() {
        let parts = [Part::Tour, Part::CommandLine, Part::Viewing, Part::Whole];
        for pair in parts.windows(2) {
            let larger = pair[1].steps();
            assert!(pair[0].steps().iter().all(|step| larger.contains(step)));
        }
    }

    #[test]
    fn estimate_counts_only_what_is_not_there() {
        let root = std::env::temp_dir().join(format!("xtask-plan-{}", std::process::id()));
        let tool = root.join("tool");
        assert_eq!(Part::Tour.missing(&root, &tool), Part::Tour.steps());
        let hook = root.join("target/milepost/wasm/agent-hook");
        fs::create_dir_all(&hook).unwrap();
        fs::write(hook.join("milepost_bg.wasm"), "").unwrap();
        fs::write(&tool, "").unwrap();
        let missing = Part::Tour.missing(&root, &tool);
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(missing, [Step::Library, Step::Cli, Step::Package]);
    }

    #[test]
    fn announcement_names_minutes_cores_and_steps() {
        let steps = Part::Tour.steps();
        assert_eq!(
            announcement(steps.len(), &steps, 2).as_deref(),
            Some("about 4 minutes on 2 cores, in 5 steps")
        );
        let one = announcement(steps.len(), &steps, 1).unwrap();
        assert!(one.starts_with("about 7 minutes on 1 core,"), "{one}");
    }

    #[test]
    fn nothing_is_announced_where_everything_is_there() {
        assert_eq!(announcement(5, &[], 2), None);
        assert_eq!(announcement(5, &[Step::Package], 2), None);
    }
}
