//! The rules of the layers, over any sources.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// The modules of the crate from the base up. A module uses modules that stand before it only.
pub(super) const ORDER: [&str; 33] = [
    "extent",
    "step_count",
    "text",
    "file_name",
    "repository_path",
    "str_map",
    "sorting",
    "spelling",
    "diff",
    "digest",
    "time",
    "tokens",
    "encoding",
    "json",
    "schema",
    "error",
    "effect",
    "git",
    "secret",
    "checkpoint",
    "handoff",
    "notification",
    "integrations",
    "agent",
    "store",
    "root",
    "worktree",
    "restore",
    "doctor",
    "operation",
    "view",
    "cli",
    "surface",
];

/// Modules that must not know modules before them: rules are pure, and none needs another.
const STRANGERS: [(&str, &[&str]); 7] = [
    ("git", &["effect"]),
    ("secret", &["effect"]),
    ("checkpoint", &["effect", "secret"]),
    ("handoff", &["effect", "secret", "checkpoint"]),
    ("notification", &["effect", "checkpoint", "handoff"]),
    (
        "integrations",
        &["effect", "checkpoint", "handoff", "notification"],
    ),
    (
        "agent",
        &["effect", "secret", "checkpoint", "handoff", "integrations"],
    ),
];

/// Modules in which no two files need each other, nor two folders, not through methods either.
const STRAIGHT: [&str; 10] = [
    "checkpoint",
    "agent",
    "store",
    "root",
    "worktree",
    "restore",
    "doctor",
    "operation",
    "view",
    "cli",
];

/// A module whose parts do not know each other.
const CAPABILITIES: &str = "checkpoint";

/// Pages for the people of a project, which name commands as any page does, and what an agent is asked to
/// type: it has a shell, regardless of the host of the hook.
const PAGES: [&str; 3] = [
    "agent/handoff.rs",
    "agent/kept_in_files.rs",
    "checkpoint/command/publish.rs",
];

/// Everything that breaks a rule: a use of a module above, a circle of files or of folders, methods
/// of a type outside its file, a module in no layer, a word of the command line below it. `files` are
/// paths below `src` and what they hold.
pub(super) fn violations(files: &[(String, String)]) -> Vec<String> {
    let sources: Vec<Source> = files
        .iter()
        .filter(|(path, _)| !is_test(path))
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let graph = ModuleGraph::new(&sources);
    let mut wrong = graph.order();
    wrong.extend(graph.circles());
    wrong.extend(graph.scattered_types());
    wrong.extend(graph.words_of_the_command_line());
    wrong
}

/// Returns whether a file holds tests, or only code for tests.
pub(super) fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap().trim_end_matches(".rs");
    name.ends_with("tests") || name == "sample"
}

struct ModuleGraph<'a> {
    sources: &'a [Source],
    modules: BTreeMap<&'a [String], usize>,
}

impl<'a> ModuleGraph<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let modules = sources.iter().enumerate();
        ModuleGraph {
            sources,
            modules: modules
                .map(|(at, source)| (source.module.as_slice(), at))
                .collect(),
        }
    }

    fn order(&self) -> Vec<String> {
        let mut wrong = BTreeSet::new();
        for source in self.sources {
            let Some(own) = source.module.first() else {
                continue;
            };
            let Some(position) = position(own) else {
                wrong.insert(format!("the module {own} is in no layer"));
                continue;
            };
            for path in source.all_paths() {
                let used = self.absolute(source, &path);
                let Some(other) = used.first().filter(|other| *other != own) else {
                    continue;
                };
                if is_above(other, position) || are_strangers(own, other) {
                    wrong.insert(format!("{} uses {other}", source.path));
                }
            }
        }
        for (from, to) in self.uses() {
            let [from, to] = [from, to].map(|at| &self.sources[at]);
            let is_capability =
                |source: &Source| source.module.first().is_some_and(|it| it == CAPABILITIES);
            let capability = |source: &Source| source.module.get(1).cloned();
            if is_capability(from)
                && is_capability(to)
                && capability(from) != capability(to)
                && capability(from).is_some()
            {
                wrong.insert(format!("{} uses {}", from.path, to.path));
            }
        }
        wrong.into_iter().collect()
    }

    /// The uses of files by files.
    fn uses(&self) -> BTreeSet<(usize, usize)> {
        let mut uses = BTreeSet::new();
        for (at, source) in self.sources.iter().enumerate() {
            for path in source.paths() {
                let path = self.absolute(source, &path);
                if let Some(used) = self.home(&path).filter(|used| *used != at) {
                    uses.insert((at, used));
                }
            }
        }
        uses
    }

    /// Circles of files, and of the folders that they are in, at every depth.
    fn circles(&self) -> Vec<String> {
        let uses = self.uses();
        let depth = self.sources.iter().map(|source| source.module.len()).max();
        let mut found = BTreeSet::new();
        for depth in 2..=depth.unwrap_or_default() {
            let group = |at: usize| {
                let module = &self.sources[at].module;
                module[..depth.min(module.len())].join("/")
            };
            let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for &(from, to) in uses
                .iter()
                .filter(|(at, _)| is_straight(&self.sources[*at]))
            {
                let (from, to) = (group(from), group(to));
                if from != to {
                    graph.entry(from).or_default().insert(to);
                }
            }
            found.extend(graph.keys().filter_map(|start| circle(&graph, start)));
        }
        found.into_iter().collect()
    }

    fn scattered_types(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for source in self.sources.iter().filter(|it| is_straight(it)) {
            let own = source.types();
            for name in source.extends() {
                if !own.contains(&name) {
                    wrong.push(format!(
                        "{} has methods of {name}, which is another file's",
                        source.path
                    ));
                }
            }
        }
        wrong
    }

    /// Sentences that ask a user to run a command: what would help is data below `cli`, because a
    /// package or a server has other words for it.
    fn words_of_the_command_line(&self) -> Vec<String> {
        let above = ["view", "cli", "surface"];
        let below = self.sources.iter().filter(|source| {
            let module = source.module.first();
            let is_above = module.is_some_and(|module| above.contains(&module.as_str()));
            !is_above && !PAGES.contains(&source.path.as_str())
        });
        let names_one =
            |literal: &&String| literal.contains("milepost ") || literal.contains("`--");
        below
            .filter_map(|source| {
                let literal = source.literals.iter().find(names_one)?;
                let path = &source.path;
                Some(format!("{path} has words of the command line: {literal}"))
            })
            .collect()
    }

    /// A path from the crate on.
    fn absolute(&self, source: &Source, path: &[String]) -> Vec<String> {
        let mut absolute = match path[0].as_str() {
            "crate" => Vec::new(),
            _ => source.module.clone(),
        };
        for part in path {
            match part.as_str() {
                // The blocking variant has the same modules.
                "crate" | "self" | "blocking" => {}
                "super" => drop(absolute.pop()),
                other => absolute.push(other.to_owned()),
            }
        }
        absolute
    }

    /// The file that defines what a path names, through what modules pass on.
    fn home(&self, path: &[String]) -> Option<usize> {
        let mut path = path.to_vec();
        let mut seen = BTreeSet::new();
        loop {
            let (depth, at) = (0..=path.len())
                .rev()
                .find_map(|depth| Some((depth, *self.modules.get(&path[..depth])?)))?;
            let source = &self.sources[at];
            let passed_on = path
                .get(depth)
                .and_then(|name| source.imports.get(name))
                .map(|path| self.absolute(source, path));
            match passed_on {
                Some(next) if seen.insert(next.clone()) => path = next,
                _ => return Some(at),
            }
        }
    }
}

fn is_straight(source: &Source) -> bool {
    let module = source.module.first();
    module.is_some_and(|module| STRAIGHT.contains(&module.as_str()))
}

fn position(module: &str) -> Option<usize> {
    ORDER.iter().position(|name| *name == module)
}

/// Returns whether a module stands above a position; one in no layer is reported where it is.
fn is_above(module: &str, own: usize) -> bool {
    position(module).is_some_and(|position| position > own)
}

fn are_strangers(own: &str, other: &str) -> bool {
    STRANGERS
        .iter()
        .any(|(module, unknown)| *module == own && unknown.contains(&other))
}

/// The shortest path from a node back to it, written from its smallest node on.
fn circle(graph: &BTreeMap<String, BTreeSet<String>>, start: &str) -> Option<String> {
    let mut paths: Vec<Vec<&str>> = vec![vec![start]];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while let Some(path) = paths.get(next).cloned() {
        next += 1;
        for to in graph.get(*path.last()?).into_iter().flatten() {
            if to == start {
                let least = (0..path.len()).min_by_key(|at| path[*at])?;
                let order = path.iter().cycle().skip(least).take(path.len() + 1);
                return Some(order.copied().collect::<Vec<_>>().join(" → "));
            }
            if seen.insert(to.as_str()) {
                let mut longer = path.clone();
                longer.push(to);
                paths.push(longer);
            }
        }
    }
    None
}
