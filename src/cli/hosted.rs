//! Verbs that the host does by itself, because what they are made of runs on Node alone, and those before which it
//! starts a program. Their words and their help are those of the command line on every host.

use crate::json::{Json, Object};

use super::definition::{self, Arguments};
use super::input;
use super::program::ProgramName;
use super::store;
use super::verb::{Verb, hooks};

/// The request to the host; `None` where the command line goes on, which also refuses wrong words.
pub(super) fn request(words: Vec<String>, working: &str) -> Option<Json> {
    let Arguments { global, verb, .. } =
        definition::of_call(words, &ProgramName::default()).ok()?;
    let verb = verb?;
    let store = store::host_database(&global, &verb).ok()?;
    let (name, options) = match &verb {
        Verb::Mcp(_) => ("mcp", Object::new()),
        Verb::Notify(arguments) => ("notify", arguments.options()),
        Verb::View(arguments) => ("view", arguments.options()),
        Verb::Export(arguments) => ("export", arguments.options(working)),
        Verb::Hooks(arguments) => match hooks::to_compile(arguments, working) {
            Some((component, compiled)) => {
                let options = Object::new().with("component", component);
                ("hooks", options.with("compiled", compiled))
            }
            None if arguments.is_status() => ("doctor", Object::new()),
            None => return None,
        },
        Verb::Doctor(arguments) => ("doctor", arguments.options()),
        _ => return None,
    };
    let root = global.root.map(|root| input::resolve(working, &root));
    let mut options = options
        .with("root", root)
        .with("dir", global.dir)
        .with("json", global.json)
        .with("quiet", global.quiet);
    if let Some(store) = store {
        options.set("store", Json::from(store));
    }
    let request = Object::new().with("verb", name).with("options", options);
    Some(Json::from(request))
}

/// The registered lines that a host which starts programs runs before a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTrials {
    /// The root that the words name.
    pub root: Option<String>,
    /// Set where the time of an event is asked for.
    pub are_timed: bool,
}

/// The trials before a call of these words; `None` where none is asked for.
pub(super) fn hook_trials(words: &[String], working: &str) -> Option<HookTrials> {
    // Few calls ask for them, and every call has to be read once more for it.
    let may_ask = words.iter().any(|word| word == "doctor" || word == "hooks");
    let called = may_ask.then(|| definition::of_call(words.to_vec(), &ProgramName::default()));
    let Arguments { global, verb, .. } = called?.ok()?;
    let are_timed = match verb? {
        Verb::Doctor(_) => true,
        Verb::Hooks(arguments) if arguments.is_status() => false,
        _ => return None,
    };
    let root = global.root.map(|root| input::resolve(working, &root));
    Some(HookTrials { root, are_timed })
}
