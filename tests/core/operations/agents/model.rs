//! Random histories of sessions over branches, against a plain reading of the rule.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use milepost::json::Json;
use milepost_property::{rounds, seed};

use super::steps::{end, holders, prompt, stop, switch, todos, world_on};
use super::*;

const BRANCHES: [&str; 4] = ["main", "feature-a", "fix/b", "功能/登录"];
const SESSIONS: [&str; 4] = ["a", "b", "c", "d"];
const STEPS: usize = 60;
/// A session lives for as long after its last event, in minutes.
const IDLE: f64 = 30.0;

/// The facts of the past that the rule needs.
struct History {
    world: Memory,
    branch: &'static str,
    now: f64,
    /// The items of each session's list, and whether it has completed them.
    plans: BTreeMap<&'static str, Vec<(String, &'static str)>>,
    completed: BTreeSet<String>,
    files: usize,
    log: Vec<String>,
}

impl History {
    fn new() -> Self {
        History {
            world: world_on("main"),
            branch: "main",
            now: 0.0,
            plans: BTreeMap::new(),
            completed: BTreeSet::new(),
            files: 0,
            log: Vec::new(),
        }
    }

    fn fails(&self, why: &str) -> ! {
        panic!("{why}\n{}", self.log.join("\n"))
    }

    fn runs(&self) -> Vec<(String, Json)> {
        let names = checkpoints(&self.world).into_iter();
        names
            .map(|name| (name.clone(), stored(&self.world, &name)))
            .collect()
    }

    /// Checks that a session that gets these facts may take them for its own.
    fn check_facts(&self, session: &str, facts: &Json) {
        let feature = at(facts, "/feature");
        if at(facts, "/command").is_empty() {
            return;
        }
        let run = self.runs().into_iter().find(|(_, run)| {
            at(run, "/feature") == feature || feature.is_empty() && at(run, "/feature") == "null"
        });
        let Some((name, run)) = run else {
            self.fails(&format!(
                "{session} gets a run that is not there: {feature}"
            ));
        };
        let branch = at(&run, "/branch");
        if branch != format!("\"{}\"", self.branch) {
            self.fails(&format!(
                "{session} on {} gets {name} of {branch}",
                self.branch
            ));
        }
    }

    /// Checks that a session that begins gets every unfinished run, each where it belongs.
    fn check_all_facts(&self, session: &str, facts: Option<&Json>) {
        let has_phases = |run: &Json| {
            let phases = run.at("/phases").and_then(Json::as_object);
            phases.is_some_and(|phases| !phases.is_empty())
        };
        for (name, run) in self.runs().into_iter().filter(|(_, run)| has_phases(run)) {
            let feature = at(&run, "/feature").trim_matches('"').to_owned();
            let own = facts.map_or_else(String::new, |facts| at(facts, "/feature"));
            let is_shown = facts.is_some_and(|facts| !at(facts, "/command").is_empty())
                && own.trim_matches('"') == feature.replace("null", "");
            let title = match feature.as_str() {
                "null" => "implement:".to_owned(),
                feature => format!("(feature {feature}):"),
            };
            let lists = |key: &str| facts.is_some_and(|facts| at(facts, key).contains(&title));
            let is_here = at(&run, "/branch") == format!("\"{}\"", self.branch);
            let expected = match is_here {
                true => is_shown || lists("/also_unfinished_here"),
                false => lists("/other_work_here"),
            };
            if !expected {
                self.fails(&format!(
                    "{session} on {} does not get {name} as it should",
                    self.branch
                ));
            }
        }
    }

    /// Checks that a file went to a run of this branch that no other living session works on.
    fn check_written(&self, session: &str, path: &str) {
        let holders = holders(&self.world, path);
        let [holder] = holders.as_slice() else {
            self.fails(&format!("{path} of {session} is in {holders:?}"));
        };
        let run = stored(&self.world, holder);
        if at(&run, "/branch") != format!("\"{}\"", self.branch) {
            self.fails(&format!(
                "{path} of {session} is in {holder} of another branch"
            ));
        }
        let sessions = run.at("/agent_sessions").and_then(Json::as_object).unwrap();
        let working = sessions.iter().filter(|(id, it)| {
            *id != session
                && it
                    .as_object()
                    .is_some_and(|it| it.get("ended_at").is_none())
        });
        let working: Vec<&str> = working.map(|(id, _)| id).collect();
        if !working.is_empty() {
            self.fails(&format!("{session} writes to {holder} beside {working:?}"));
        }
    }

    /// Checks that phases are complete that their session has completed, and no others.
    fn check_phases(&self) {
        for (name, run) in self.runs() {
            let phases = run.at("/phases").and_then(Json::as_object).unwrap();
            for (phase, value) in phases.iter() {
                let is_complete = at(value, "/status") == "\"complete\"";
                let may_be = self.completed.contains(phase) || phase == "work";
                if is_complete && !may_be {
                    self.fails(&format!(
                        "{phase} of {name} is complete, and was not completed"
                    ));
                }
            }
        }
    }

    fn plan(&mut self, random: &mut Rng, session: &'static str) {
        let plan = self.plans.entry(session).or_default();
        match random.u8(0..3) {
            0 => {
                let text = format!("{session} step {}", random.u16(..));
                plan.insert(random.usize(0..=plan.len()), (text, "pending"));
            }
            1 if !plan.is_empty() => {
                let at = random.usize(0..plan.len());
                plan[at].1 = ["pending", "in_progress", "completed"][random.usize(0..3)];
            }
            _ if !plan.is_empty() => drop(plan.remove(random.usize(0..plan.len()))),
            _ => {}
        }
        for (text, status) in plan.iter() {
            if *status == "completed" {
                self.completed.insert(text.clone());
            }
        }
        let items = plan
            .iter()
            .map(|(text, status)| format!(r#"{{"content":"{text}","status":"{status}"}}"#));
        let items = format!("[{}]", items.collect::<Vec<_>>().join(","));
        todos(&self.world, session, &items);
    }

    fn step(&mut self, random: &mut Rng) {
        let session = SESSIONS[random.usize(0..SESSIONS.len())];
        let what = random.u8(0..12);
        self.log.push(format!(
            "{what} {session} on {} at {} min",
            self.branch, self.now
        ));
        match what {
            0 | 1 => {
                let source = ["startup", "resume", "clear", "compact"][random.usize(0..4)];
                let facts = start_context(&self.world, session, source);
                if let Some(facts) = &facts {
                    self.check_facts(session, facts);
                }
                self.check_all_facts(session, facts.as_ref());
            }
            2 => {
                if let Some(facts) = prompt(&self.world, session, "go on") {
                    self.check_facts(session, &facts);
                }
            }
            3 => {
                if let Some(facts) = prompt(&self.world, session, "/implement") {
                    self.check_facts(session, &facts);
                }
            }
            4 | 5 => self.plan(random, session),
            6 | 7 => {
                self.files += 1;
                let path = format!("file-{}", self.files);
                claude(&self.world, &edit(session, &path));
                self.check_written(session, &path);
            }
            8 => stop(&self.world, session, "so far"),
            9 => {
                let plan = r#""agent_id":"sub","tool_name":"TodoWrite","tool_input":{"todos":[{"content":"of a subagent","status":"completed"}]}"#;
                claude(&self.world, &event(session, "PostToolUse", plan));
            }
            // Half of the sessions die instead.
            10 if random.bool() => end(&self.world, session),
            10 => self.log.push(format!("{session} is killed")),
            _ if random.bool() => {
                self.branch = BRANCHES[random.usize(0..BRANCHES.len())];
                switch(&self.world, self.branch);
            }
            _ => {
                let minutes = [0.5, 4.0, IDLE + 1.0][random.usize(0..3)];
                self.now += minutes;
                pass(&self.world, minutes);
            }
        }
        self.check_phases();
    }
}

#[test]
fn in_any_history_a_run_is_shown_to_the_sessions_that_may_carry_on_with_it() {
    for round in 0..rounds(60, 2_000) {
        let _run = seed(
            "in any history a run is shown to the sessions that may carry on with it",
            round,
        );
        let mut random = Rng::with_seed(round);
        let mut history = History::new();
        for _ in 0..STEPS {
            history.step(&mut random);
        }
    }
}
