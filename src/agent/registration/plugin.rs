//! OpenCode's plugin, which starts the hook: OpenCode reads no settings for hooks, and loads each file of
//! its folder for plugins.

use crate::agent::Agent;
use crate::json::Json;

use super::command::Launch;

const TEXT: &str = include_str!("plugin.js");

/// The beginning of the line that has the words which start the hook.
pub(super) const PLUGIN_WORDS: &str = "const [program, ...words] = ";

/// The placeholders in the text for the words that start the hook, and for the tools that it looks at.
const WORDS: &str = "WORDS";
const TOOLS: &str = "TOOLS";

/// The text of the plugin.
pub(super) fn text(launch: &Launch) -> String {
    let tools = Agent::OpenCode.row().tools.iter();
    let tools: Vec<Json> = tools.map(|(name, _)| Json::from(*name)).collect();
    let [words, tools] = [Json::from(launch.words()), Json::from(tools)].map(|it| it.to_line());
    TEXT.replacen(WORDS, &words, 1).replacen(TOOLS, &tools, 1)
}

/// Returns whether a file is the plugin, of any release.
pub(super) fn is_own(text: &str) -> bool {
    text.lines().next() == TEXT.lines().next()
}
