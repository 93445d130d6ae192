//! Histories that chance makes, of turns, edits, commits and rewinds: the plan is compared with what copies of the
//! worktree at each moment and the test's own book of who did what say.
//!
//! `MILEPOST_REWIND_HISTORIES` says how many there are, or which: `1000..2000`.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use fastrand::Rng;
use milepost::json::Json;

use super::rewind::{at_home, end, kill, of, paths, prompt, rewind, stop, stop_again, write};
use super::worktree::TempWorktree;
use crate::git::unconfigured;

/// So many histories by default.
const HISTORIES: u64 = 8;

/// And so many where everything is tested.
const ALL_HISTORIES: u64 = 1_000;

/// So many events has a history.
const EVENTS: usize = 22;

const PATHS: [&str; 7] = ["a", "b", "d/a", "d/e/f", "run.sh", "ü", "ignored/x"];
const SESSIONS: [&str; 2] = ["s", "t"];

/// The kind and content of each path that is not ignored.
type Contents = BTreeMap<String, (char, bool, Vec<u8>)>;

/// One who may have changed something between two moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    Person,
    /// The one session whose turn is under way, by the position of its prompt.
    Turn(&'static str, usize),
    Several,
    /// A tool that named the path.
    Tool(&'static str),
    Rewind(&'static str),
}

/// A moment, and who may change something from it on.
struct Moment {
    copy: Contents,
    from_here: Author,
    /// The path that a tool of a session wrote since the moment before.
    wrote: Option<(&'static str, &'static str)>,
}

struct History {
    worktree: TempWorktree,
    random: Rng,
    moments: Vec<Moment>,
    /// The session whose prompt it is, the position of its moment, and the branch, the oldest first.
    prompts: Vec<(&'static str, usize, &'static str)>,
    /// The branch that is checked out.
    branch: &'static str,
    /// The positions of prompts whose turns ended.
    ended: BTreeSet<usize>,
    /// The sessions whose turns are under way, with the positions of their prompts.
    open: Vec<(&'static str, usize)>,
    /// Those of them whose processes are gone.
    killed: Vec<&'static str>,
    /// The sessions whose turns ended without a prompt since, with the positions of the begins and the ends.
    stopped: Vec<(&'static str, usize, usize)>,
    /// True if tools name files: then all is done by one session, because a run lists those of earlier turns as well.
    has_tools: bool,
}

impl History {
    fn copy(&self) -> Contents {
        let nodes = of(&self.worktree).into_iter();
        let nodes = nodes.filter(|(path, ..)| !path.starts_with("ignored/"));
        nodes
            .map(|(path, kind, is_executable, bytes)| (path, (kind, is_executable, bytes)))
            .collect()
    }

    fn mark(&mut self) {
        let from_here = match self.open.as_slice() {
            [] => Author::Person,
            [(session, at)] => Author::Turn(session, *at),
            _ => Author::Several,
        };
        let copy = self.copy();
        self.moments.push(Moment {
            copy,
            from_here,
            wrote: None,
        });
    }

    fn edit(&mut self) {
        let path = PATHS[self.random.usize(..PATHS.len())];
        match self.random.u8(..8) {
            0 | 1 => self.worktree.remove(path),
            3 if path == "a" => self.worktree.link(path, "d/a"),
            2 if self.worktree.at(path).is_file() => {
                self.worktree
                    .mode(path, [0o644, 0o755][self.random.usize(..2)]);
            }
            _ => {
                self.worktree.remove(path);
                self.worktree
                    .write(path, format!("{}", self.random.u8(..4)));
            }
        }
    }

    /// Goes to another branch, which takes the changes along, or to an earlier one, where git allows that.
    fn switch(&mut self) {
        let name = ["main", "other"][self.random.usize(..2)];
        let option = match self.random.bool() {
            true => "-B",
            false => "-q",
        };
        let mut git = unconfigured(&self.worktree.top);
        let done = git.args(["checkout", "-q", option, name]).output().unwrap();
        if done.status.success() {
            self.branch = name;
        }
    }

    fn prompt(&mut self) {
        let session = SESSIONS[usize::from(!self.has_tools && self.random.u8(..4) == 0)];
        prompt(&self.worktree, session, "a prompt");
        let gone = std::mem::take(&mut self.killed);
        self.open
            .retain(|(it, _)| *it != session && !gone.contains(it));
        self.stopped.retain(|(it, ..)| *it != session);
        let at = self.moments.len();
        self.open.push((session, at));
        self.prompts.push((session, at, self.branch));
        self.mark();
    }

    /// A turn that is under way, by its position in the list of them.
    fn turn(&mut self) -> Option<usize> {
        let open = self.open.iter().enumerate();
        let alive = open.filter(|(_, (it, _))| !self.killed.contains(it));
        let alive: Vec<usize> = alive.map(|(at, _)| at).collect();
        self.random.choice(alive)
    }

    fn stop(&mut self) {
        let Some(at) = self.turn() else { return };
        let (session, prompt) = self.open.swap_remove(at);
        stop(&self.worktree, session);
        self.ended.insert(prompt);
        self.stopped.retain(|(it, ..)| *it != session);
        self.stopped.push((session, prompt, self.moments.len()));
        self.mark();
    }

    /// A turn goes on after its end, by a tool or because a hook refused the end.
    fn go_on(&mut self) {
        let Some(at) = self.random.choice(0..self.stopped.len()) else {
            return;
        };
        let (session, prompt, end) = self.stopped[at];
        if self.open.iter().any(|(it, _)| *it == session) || self.killed.contains(&session) {
            return;
        }
        if self.has_tools && self.random.bool() {
            let path = ["a", "b", "d/a"][self.random.usize(..3)];
            let text = format!("{}", self.random.u8(..4));
            write(&self.worktree, session, path, &text);
            self.open.push((session, self.moments.len()));
            self.mark();
            self.moments.last_mut().unwrap().wrote = Some((path, session));
        } else if self.open.is_empty() {
            self.edit();
            stop_again(&self.worktree, session);
            for moment in &mut self.moments[end..] {
                moment.from_here = match moment.from_here {
                    Author::Person => Author::Turn(session, prompt),
                    Author::Turn(of, _) if of != session => Author::Several,
                    other => other,
                };
            }
            self.stopped[at].2 = self.moments.len();
            self.mark();
        }
    }

    /// A session ends in the middle of a turn, with an event or without one.
    fn give_up(&mut self) {
        let Some(at) = self.turn() else { return };
        if self.random.bool() {
            let (session, _) = self.open[at];
            kill(&self.worktree, session);
            self.killed.push(session);
            return;
        }
        let (session, _) = self.open.swap_remove(at);
        end(&self.worktree, session);
        self.stopped.retain(|(it, ..)| *it != session);
        self.mark();
    }

    /// The paths that a rewind to a prompt is to take back, and those that it is to leave and name.
    fn expected(&self, (session, from): (&str, usize)) -> (Vec<String>, Vec<String>) {
        let now = self.copy();
        let copies = self.moments[from..].iter().map(|it| &it.copy);
        let copies: Vec<&Contents> = copies.chain([&now]).collect();
        let all: BTreeSet<&String> = copies.iter().flat_map(|it| it.keys()).collect();
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for path in all {
            let states: Vec<_> = copies.iter().map(|it| it.get(path)).collect();
            if states.first() == states.last() {
                continue;
            }
            let begin = states.iter().rposition(|it| *it == states[0]).unwrap();
            let changes = (begin..states.len() - 1).filter(|at| states[*at] != states[at + 1]);
            let wrote = |at: usize| self.moments.get(at + 1).and_then(|it| it.wrote);
            let mut authors = changes.map(|at| match wrote(from + at) {
                Some((it, of)) if it == path => Author::Tool(of),
                _ => self.moments[from + at].from_here,
            });
            let is_agents = authors.all(|author| match author {
                Author::Tool(of) => of == session,
                Author::Turn(of, prompt) => of == session && self.ended.contains(&prompt),
                Author::Rewind(of) => of == session,
                Author::Person | Author::Several => false,
            });
            match is_agents {
                true => taken.push(path.clone()),
                false => left.push(path.clone()),
            }
        }
        (taken, left)
    }

    fn rewind(&mut self) {
        let here = self.prompts.iter().filter(|it| it.2 == self.branch);
        let here: Vec<_> = here.copied().collect();
        if here.is_empty() {
            return;
        }
        let number = self.random.usize(..here.len());
        let (session, from, _) = here[here.len() - 1 - number];
        let target = [
            ("to", Json::from((number + 1).to_string())),
            ("state", false.into()),
        ];
        let before = self.copy();
        let (taken, left) = self.expected((session, from));
        let rewound = rewind(&self.worktree, &target);
        assert_eq!(paths(&rewound, "/plan/changes"), taken, "{rewound:?}");
        assert_eq!(paths(&rewound, "/plan/left"), left, "{rewound:?}");
        let then = self.moments[from].copy.clone();
        let mut expected = before.clone();
        for path in &taken {
            match then.get(path) {
                Some(content) => drop(expected.insert(path.clone(), content.clone())),
                None => drop(expected.remove(path)),
            }
        }
        assert_eq!(self.copy(), expected);
        if taken.is_empty() {
            return;
        }
        self.note(before.clone(), session);
        if self.random.bool() {
            let undo = [("undo", true.into()), ("state", false.into())];
            let undone = rewind(&self.worktree, &undo);
            assert_eq!(paths(&undone, "/plan/changes"), taken, "{undone:?}");
            assert_eq!(self.copy(), before);
            self.note(expected, session);
        }
    }

    /// Notes a rewind: the moment before it, and the one after it.
    fn note(&mut self, before: Contents, session: &'static str) {
        let from_here = Author::Rewind(session);
        self.moments.push(Moment {
            copy: before,
            from_here,
            wrote: None,
        });
        self.mark();
    }
}

/// The seeds of the histories.
fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("MILEPOST_REWIND_HISTORIES") else {
        return 0..milepost_property::rounds(HISTORIES, ALL_HISTORIES);
    };
    let number = |text: &str| text.parse().unwrap();
    match asked.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&asked),
    }
}

fn run(seed: u64) {
    let files = [("a", "0"), ("d/a", "0"), (".gitignore", "ignored/\n")];
    let mut history = History {
        worktree: at_home(&files),
        random: Rng::with_seed(seed),
        moments: Vec::new(),
        prompts: Vec::new(),
        branch: "main",
        ended: BTreeSet::new(),
        open: Vec::new(),
        killed: Vec::new(),
        stopped: Vec::new(),
        has_tools: seed % 2 == 1,
    };
    if seed % 5 == 4 {
        // Of such an index git says what differs.
        history.worktree.git(&["update-index", "--split-index"]);
    }
    let _run = milepost_property::seed("a rewind takes back exactly what the agent changed", seed);
    for _ in 0..EVENTS {
        match history.random.u8(..16) {
            0..=2 => history.prompt(),
            3 if history.random.u8(..4) == 0 => history.give_up(),
            5 if history.random.bool() => history.go_on(),
            3..=5 => history.stop(),
            6 if history.random.bool() => history.switch(),
            6 => history.worktree.commit(),
            7 | 8 => history.rewind(),
            _ => history.edit(),
        }
    }
    history.rewind();
}

#[test]
fn a_rewind_takes_back_exactly_what_the_agent_changed() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        return;
                    }
                    run(seed);
                }
            });
        }
    });
}
