//! The steps that a change can touch.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{EVERYTHING, Step, has};
use crate::workspace::Workspace;

/// The paths that differ from a revision: in the working tree, in the index and in commits since, and what
/// git does not know yet.
pub(super) fn changed(workspace: &Workspace, revision: &str) -> Result<Vec<String>> {
    let differing = ["diff", "--name-only", "-z", "--no-renames", revision, "--"];
    let unknown = ["ls-files", "--others", "--exclude-standard", "-z"];
    let mut paths = git(workspace, &differing)?;
    paths.extend(git(workspace, &unknown)?);
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(workspace.root()).args(arguments);
    // Where a git hook starts the tests, these would lead elsewhere.
    git.env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
    let output = git.output().context("--since needs git")?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("git does not say what has changed: {}", why.trim());
    }
    let names = output.stdout.split(|&byte| byte == 0);
    let names = names.filter(|name| !name.is_empty());
    Ok(names
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect())
}

/// The steps that these paths can touch, and the others.
pub(super) fn divide(steps: &[Step], paths: &[String]) -> (Vec<Step>, Vec<Step>) {
    let concerns_all = paths.iter().any(|path| has(EVERYTHING, path));
    steps.iter().partition(|step| {
        let reads = step.reads();
        concerns_all || paths.iter().any(|path| has(&reads, path))
    })
}

/// Says which steps are left out, and why.
pub(super) fn explain(left_out: &[Step], revision: &str, paths: &[String]) -> String {
    let changed = match paths {
        [] => "nothing has changed".to_owned(),
        [one] => format!("{one} alone has changed"),
        many => format!("{} files have changed", many.len()),
    };
    let mut text = format!("Since {revision}, {changed}. Left out, because none of it is read:\n");
    for step in left_out {
        text.push_str(&format!(
            "  {} (reads {})\n",
            step.name,
            step.reads().join(" ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{changed, divide, explain};
    use crate::steps::ALL;
    use crate::workspace::Workspace;

    fn touched(path: &str) -> Vec<&'static str> {
        let (touched, _) = divide(ALL, &[path.to_owned()]);
        touched.iter().map(|step| step.name).collect()
    }

    #[test]
    fn the_readme_touches_its_tests_and_what_looks_at_the_tarball_itself() {
        assert_eq!(
            touched("README.md"),
            [
                "cargo test",
                "build",
                "package on PostgreSQL",
                "pages",
                "LangGraph.js",
                "packed crates",
                "publint",
                "attw"
            ]
        );
    }

    #[test]
    fn the_core_touches_everything_that_compiles_it() {
        let spared: Vec<_> = divide(ALL, &["src/store/mod.rs".to_owned()])
            .1
            .iter()
            .map(|step| step.name)
            .collect();
        assert_eq!(
            spared,
            [
                "dependencies of the crates",
                "rights of the workflows",
                "types of the package"
            ]
        );
    }

    #[test]
    fn these_steps_themselves_and_the_manifest_touch_everything() {
        for path in ["xtask/src/main.rs", "Cargo.lock", ".ci/run"] {
            assert_eq!(touched(path).len(), ALL.len(), "{path}");
        }
    }

    #[test]
    fn the_javascript_of_the_package_touches_no_rust_but_the_test_of_its_words() {
        let touched = touched("pkg/src/client/store.js");
        for step in ["cargo test", "node tests", "types of the package"] {
            assert!(touched.contains(&step), "{step}");
        }
        for rust in ["clippy", "simulator", "size of the components"] {
            assert!(!touched.contains(&rust), "{rust}");
        }
    }

    #[test]
    fn a_text_touches_the_test_of_its_words_and_a_document_does_not() {
        for text in ["benches/README.md", "tests/packaging/source/use.mts"] {
            assert!(touched(text).contains(&"cargo test"), "{text}");
        }
        let document = touched("host-examples/langgraph/package.json");
        assert!(!document.contains(&"cargo test"));
    }

    #[test]
    fn a_test_touches_the_steps_that_run_it() {
        assert_eq!(
            touched("host-examples/node-hook/hook.cjs"),
            ["cargo test", "node hook"]
        );
        assert_eq!(
            touched("tests/core/layers.rs"),
            ["format", "cargo test", "clippy"]
        );
        assert_eq!(touched("docs/internals/durability.md"), ["cargo test"]);
    }

    #[test]
    fn a_left_out_step_is_named_with_what_it_reads() {
        let paths = ["README.md".to_owned()];
        let (_, left_out) = divide(ALL, &paths);
        let text = explain(&left_out, "main", &paths);
        assert!(text.contains("README.md alone has changed"), "{text}");
        assert!(
            text.contains("node hook (reads host-examples/node-hook/ pkg/ src/ "),
            "{text}"
        );
    }

    #[test]
    fn a_revision_that_git_does_not_know_is_named_in_the_error() {
        let workspace = Workspace::find().expect("the clone of these tests");
        let error = changed(&workspace, "no-such-revision").expect_err("it does not exist");
        assert!(error.to_string().contains("no-such-revision"), "{error}");
    }
}
