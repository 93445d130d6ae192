//! Published texts about the schema, against the files in `tests/golden/`.
//!
//! `MILEPOST_BLESS=1 cargo test` writes the files again; the difference is for review.

use milepost::agent;
use milepost::agent::registration::{claude_plugin, precedence};
use milepost::checkpoint::command::publish;
use milepost::checkpoint::session::publish as session;
use milepost::operation;
use milepost::text;

fn matches_the_golden_file(name: &str, actual: &str) {
    let path = crate::in_package("tests/golden").join(name);
    if std::env::var_os("MILEPOST_BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert_eq!(actual, expected, "{name} differs");
}

#[test]
fn the_json_schema_is_as_published() {
    matches_the_golden_file("checkpoint.schema.json", &publish::json_schema(&[]));
}

#[test]
fn the_typescript_is_as_published() {
    matches_the_golden_file("checkpoint.d.ts", &publish::typescript(&[]));
}

#[test]
fn the_page_is_as_published() {
    matches_the_golden_file("checkpoint-schema.md", &publish::markdown(&[]));
}

#[test]
fn the_requests_and_replies_are_as_published() {
    matches_the_golden_file("../../pkg/types/wire.d.ts", &operation::publish::wire());
}

#[test]
fn the_schemas_of_the_tools_are_as_published() {
    matches_the_golden_file(
        "../../pkg/src/verb/mcp/schemas.js",
        &operation::schemas::module(),
    );
}

#[test]
fn every_published_schema_belongs_to_a_tool() {
    let read = |name: &str| {
        let path = format!("pkg/src/verb/mcp/{name}");
        std::fs::read_to_string(crate::in_package(&path)).unwrap()
    };
    let tools = ["tools.js", "session-tools.js"].map(read).concat();
    let module = operation::schemas::module();
    let exports = module.split("export const ").skip(1);
    for name in exports.map(|rest| rest.split(' ').next().unwrap()) {
        assert!(tools.contains(&format!("schemas.{name}")), "{name}");
    }
}

#[test]
fn the_answers_to_the_page_are_as_published() {
    matches_the_golden_file(
        "../../pkg/viewer/work/answers.ts",
        &milepost::view::answers(),
    );
}

#[cfg(feature = "js")]
#[test]
fn the_effects_are_as_published() {
    use milepost::surface::js::effect_modules;
    let printed = [
        ("src/wasm/effects.js", effect_modules::numbers()),
        ("src/wasm/effect-objects.js", effect_modules::objects()),
        ("types/effect.d.ts", effect_modules::types()),
    ];
    for (name, text) in printed {
        matches_the_golden_file(&format!("../../pkg/{name}"), &text);
    }
}

#[test]
fn the_agents_known_to_the_hook_are_as_published() {
    let known = milepost::agent::published().to_document();
    matches_the_golden_file("../../pkg/src/base/agents.json", &known);
    let unread = milepost::agent::UNREAD
        .map(milepost::json::Json::from)
        .to_vec();
    let unread = milepost::json::Json::from(unread).to_document();
    matches_the_golden_file("../../pkg/src/base/unread.json", &unread);
}

#[test]
fn the_rules_of_hidden_text_are_as_published() {
    let listed = |ranges: Vec<(char, char)>| {
        let digits = |it: char| format!("{:x}", u32::from(it));
        let ranges = ranges.into_iter().map(|(first, last)| match first == last {
            true => digits(first),
            false => format!("{}-{}", digits(first), digits(last)),
        });
        ranges.collect::<Vec<String>>().join(" ")
    };
    let published = milepost::json::Object::new()
        .with("hidden", listed(text::hidden()))
        .with("selectors", listed(text::selectors()))
        .with("asData", agent::AS_DATA);
    matches_the_golden_file("../../pkg/src/base/text.json", &published.to_document());
}

#[test]
fn the_hooks_of_the_plugin_are_as_published() {
    let hooks = claude_plugin::hooks().to_document();
    matches_the_golden_file("../../pkg/plugin/hooks/hooks.json", &hooks);
}

#[test]
fn the_order_of_entries_is_as_published() {
    let published = precedence::published().to_document();
    matches_the_golden_file("../../pkg/src/base/precedence.json", &published);
}

#[test]
fn the_methods_of_the_store_are_as_published() {
    matches_the_golden_file(
        "../../pkg/types/store-operations.d.ts",
        &operation::publish::store(),
    );
}

#[test]
fn the_methods_of_snapshots_are_as_published() {
    matches_the_golden_file(
        "../../pkg/types/session-operations.d.ts",
        &operation::publish::sessions(),
    );
}

#[test]
fn the_types_of_task_checkpoints_are_as_published() {
    matches_the_golden_file(
        "../../pkg/types/task-checkpoints.d.ts",
        &operation::publish::tasks(),
    );
}

#[test]
fn snapshots_are_as_published() {
    matches_the_golden_file("session.schema.json", &session::json_schema());
    matches_the_golden_file("session.d.ts", &session::typescript());
    matches_the_golden_file("session-checkpoints.md", &session::markdown());
}
