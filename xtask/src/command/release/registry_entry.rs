//! The entry of the server `milepost mcp` in the registry of the Model Context Protocol.

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The form of the entry, by its address.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The longest description that the registry takes.
const LONGEST: usize = 100;

/// The text of `server.json`, from the manifest of the npm package.
///
/// # Errors
///
/// The manifest lacks a member, or its description is longer than the registry takes.
pub(super) fn text(manifest: &str) -> Result<String> {
    let manifest: Value = serde_json::from_str(manifest)?;
    let member = |pointer: &str| {
        let text = manifest.pointer(pointer).and_then(Value::as_str);
        text.with_context(|| format!("the package has no {pointer}"))
    };
    let description = member("/description")?;
    anyhow::ensure!(
        description.chars().count() <= LONGEST,
        "the description has more than {LONGEST} characters"
    );
    let repository = member("/repository/url")?;
    let repository = repository
        .trim_start_matches("git+")
        .trim_end_matches(".git");
    let mut repository = json!({ "url": repository });
    if repository["url"]
        .as_str()
        .is_some_and(|url| url.starts_with("https://github.com/"))
    {
        repository["source"] = "github".into();
    }
    let entry = json!({
        "$schema": SCHEMA,
        "name": member("/mcpName")?,
        "title": "Milepost",
        "description": description,
        "repository": repository,
        "version": member("/version")?,
        "packages": [{
            "registryType": "npm",
            "identifier": member("/name")?,
            "version": member("/version")?,
            "runtimeHint": "npx",
            "packageArguments": [{ "type": "positional", "value": "mcp" }],
            "transport": { "type": "stdio" },
        }],
    });
    Ok(format!("{entry:#}\n"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::Value;

    use super::text;

    const MANIFEST: &str = r#"{
        "name": "milepost", "version": "1.2.3", "description": "Keeps state",
        "mcpName": "io.github.someone/milepost",
        "repository": { "type": "git", "url": "git+https://github.com/someone/milepost.git" }
    }"#;

    #[test]
    fn the_entry_starts_the_released_version_of_the_package() {
        let entry: Value = serde_json::from_str(&text(MANIFEST).unwrap()).unwrap();
        for (pointer, expected) in [
            ("/name", "io.github.someone/milepost"),
            ("/version", "1.2.3"),
            ("/packages/0/identifier", "milepost"),
            ("/packages/0/version", "1.2.3"),
            ("/packages/0/packageArguments/0/value", "mcp"),
            ("/repository/url", "https://github.com/someone/milepost"),
            ("/repository/source", "github"),
        ] {
            assert_eq!(entry.pointer(pointer).unwrap(), expected, "{pointer}");
        }
    }

    #[test]
    fn a_package_that_the_registry_would_refuse_is_an_error() {
        let unnamed = MANIFEST.replace("mcpName", "other");
        assert!(text(&unnamed).unwrap_err().to_string().contains("/mcpName"));
        let long = MANIFEST.replace("Keeps state", &"x".repeat(101));
        assert!(text(&long).unwrap_err().to_string().contains("100"));
    }
}
