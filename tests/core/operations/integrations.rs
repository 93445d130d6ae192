//! The project's integrations.

use super::{ask, code, value, warnings, world};
use crate::memory::Node;

#[test]
fn integrations_come_from_the_file_over_the_defaults_and_secrets_are_refused() {
    let world = world();
    let defaults = value(&ask(&world, "load_integrations", &[])).to_line();
    assert!(defaults.contains("\"team\":\"Basecamp\""), "{defaults}");
    let file = "/repo/.claude/config/integrations.json";
    world.put(file, r#"{"linear":{"team":"Blue"},"extra":1.0}"#);
    let merged = value(&ask(&world, "load_integrations", &[])).to_line();
    assert!(
        merged.contains("\"team\":\"Blue\"") && merged.contains("\"extra\":1.0"),
        "{merged}"
    );
    world.put(file, r#"{"linear":{"api_key":"lin_api_0123456789"}}"#);
    let refused = ask(&world, "load_integrations", &[]);
    assert_eq!(code(&refused), "invalid_document");
    assert!(
        !refused
            .get("error")
            .unwrap()
            .to_line()
            .contains("0123456789")
    );
    world.put(file, "{");
    assert_eq!(code(&ask(&world, "load_integrations", &[])), "corrupt");
    world.put_node(file, Node::dangling());
    assert_eq!(code(&ask(&world, "load_integrations", &[])), "unsafe_path");
}

#[test]
fn init_names_no_integration_and_what_is_loaded_has_the_defaults_all_the_same() {
    let world = world();
    value(&ask(&world, "init", &[]));
    let file = "/repo/.claude/config/integrations.json";
    assert_eq!(world.text(file), "{}\n");
    let made = value(&ask(&world, "load_integrations", &[])).to_line();
    assert!(made.contains("\"wait_for_preview\":true"), "{made}");
    world.delete(file);
    let absent = value(&ask(&world, "load_integrations", &[])).to_line();
    assert_eq!(made, absent);
}

#[test]
fn a_secret_that_is_a_key_twice_is_quoted_in_a_warning() {
    const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let world = world();
    let file = "/repo/.claude/config/integrations.json";
    world.put(file, format!(r#"{{"{SECRET}":1,"{SECRET}":2}}"#));
    let reply = ask(&world, "load_integrations", &[]);
    assert_eq!(code(&reply), "invalid_document");
    assert!(warnings(&reply).is_empty());
    let said = [reply.get("error"), reply.get("warnings")].map(|it| it.unwrap().to_line());
    assert!(!said.concat().contains("ghp_"), "{said:?}");
    world.put(file, r#"{"extra":1,"extra":2}"#);
    assert_eq!(
        warnings(&ask(&world, "load_integrations", &[])),
        ["duplicate_key"]
    );
}
