//! Hooks that are registered with coding agents.

use crate::doctor::facts::{Facts, Registered, Runs};
use crate::doctor::finding::{Level, Report};

/// The release of this program.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

pub(super) fn registered(facts: &Facts<'_>, report: &mut Report) {
    for registered in &facts.hooks {
        one(registered, report);
    }
}

fn one(registered: &Registered, report: &mut Report) {
    let Registered {
        agent,
        path,
        found,
        runs,
    } = registered;
    let name = agent.name();
    if !found.missing.is_empty() {
        let missing = found.missing.join(", ");
        let sentence = format!("The hooks of {name} lack {missing}");
        let why = "What happens there is not kept. Install them again.";
        report.add(Level::Warning, path, &sentence, why);
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
            let sentence = format!(
                "{name} has hooks for all of its {} events, and what they run is there",
                found.events
            );
            report.add(Level::Ok, path, &sentence, "");
        }
        Runs::Package(_) | Runs::File => {}
    }
}
