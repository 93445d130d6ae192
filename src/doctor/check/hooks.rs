//! Hooks that are registered with coding agents.

use crate::agent::Agent;
use crate::doctor::facts::{Read, RegisteredSettings, Runs, StateFolderFacts};
use crate::doctor::finding::{Level, Report};
use crate::time;

/// The release of this program.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

pub(super) fn registered(facts: &StateFolderFacts<'_>, report: &mut Report) {
    for registered in &facts.hooks {
        one(registered, report);
    }
    for (at, RegisteredSettings { agent, path, .. }) in facts.hooks.iter().enumerate() {
        // An agent may have them in more than one file.
        if facts.hooks[..at].iter().all(|it| it.agent != *agent) {
            last_run(facts, *agent, path, report);
        }
    }
}

/// The time at which a hook of the agent last ran. One that keeps nothing leaves no trace.
fn last_run(facts: &StateFolderFacts<'_>, agent: Agent, path: &str, report: &mut Report) {
    let name = agent.name();
    let checkpoints = facts.inside.iter().flat_map(|it| &it.checkpoints);
    let heard = checkpoints.flat_map(|it| match &it.read {
        Read::Document(content) => content.heard.as_slice(),
        Read::Failed(..) | Read::Nothing => &[],
    });
    let own = heard.filter(|(of, _)| *of == agent).map(|(_, at)| *at);
    match own.max_by(f64::total_cmp) {
        Some(at) => {
            let at = time::format(at);
            let sentence = format!("A hook of {name} last ran at {at}, by what checkpoints say");
            report.add(Level::Ok, path, &sentence, "");
        }
        None => {
            let sentence = format!("No hook of {name} has run yet, by what checkpoints say");
            let why = "They begin with the next session, and keep something once it writes a file or a \
                       plan. The agent may ask first whether it may run them.";
            report.add(Level::Note, path, &sentence, why);
        }
    }
}

fn one(registered: &RegisteredSettings, report: &mut Report) {
    let RegisteredSettings {
        agent,
        path,
        found,
        runs,
        run,
    } = registered;
    let name = agent.name();
    if !found.missing.is_empty() {
        let missing = found.missing.join(", ");
        let sentence = format!("The hooks of {name} lack {missing}");
        let why = "What happens there is not kept. Install them again.";
        report.add(Level::Warning, path, &sentence, why);
    }
    if let (Runs::Package(_) | Runs::File, Some(Err(reason))) = (runs, run) {
        let sentence = format!("The hooks of {name} do not work: {reason}");
        let why = "The registered line was run once, as the agent runs it. Until it works, nothing of the agent's work is \
                   kept. Install the package, or the hooks, again.";
        report.add(Level::Warning, path, &sentence, why);
        return;
    }
    match runs {
        Runs::Nothing(lacking) => {
            let sentence = format!("The hooks of {name} run nothing: {lacking} is not there");
            let why = "Nothing of the agent's work is kept. Install the package that the project depends \
                       on, or the hooks again.";
            report.add(Level::Warning, path, &sentence, why);
        }
        Runs::Package(Some(version)) if version != RELEASE => {
            let sentence =
                format!("The hooks of {name} run release {version}, and this program is {RELEASE}");
            let why =
                "Both read and write the same files. Install the hooks again after an upgrade.";
            report.add(Level::Note, path, &sentence, why);
        }
        Runs::Package(_) | Runs::File if found.missing.is_empty() => {
            let there = match run {
                Some(_) => "works",
                None => "is there",
            };
            let sentence = format!(
                "{name} has hooks for all of its {} events, and what they run {there}",
                found.events
            );
            report.add(Level::Ok, path, &sentence, "");
        }
        Runs::Package(_) | Runs::File => {}
    }
}
