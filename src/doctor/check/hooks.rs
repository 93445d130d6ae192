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
    if let (Runs::Package(_) | Runs::File | Runs::OnPath, Some(Err(reason))) = (runs, run) {
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
        Runs::Package(_) | Runs::File | Runs::OnPath if found.missing.is_empty() => {
            report.add(Level::Ok, path, &sound(registered), "");
        }
        Runs::Package(_) | Runs::File | Runs::OnPath => {}
    }
}

/// The sentence about hooks that lack nothing: their runtime, and the time of an event where it was measured.
fn sound(registered: &RegisteredSettings) -> String {
    let RegisteredSettings { agent, found, .. } = registered;
    let name = agent.name();
    let mut sentence = format!("{name} has hooks for all of its {} events", found.events);
    if let Some(program) = &found.program {
        sentence.push_str(", ");
        sentence.push_str(program.runs_on());
    }
    sentence.push_str(match (&registered.run, &registered.runs) {
        (Some(_), _) => ", and what they run works",
        (None, Runs::OnPath) => ", where the PATH of the agent has it",
        (None, _) => ", and what they run is there",
    });
    if let Some(Ok(Some(time))) = registered.run {
        let ms = time.as_secs_f64() * 1e3;
        sentence.push_str(&format!(
            ": an event that means nothing takes {ms:.1} ms here"
        ));
    }
    sentence
}
