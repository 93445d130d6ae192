//! The size of each crate in the components, and of each module of this one.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use wasmparser::{KnownCustom, Name, Parser, Payload};

use crate::building::BuildContext;
use crate::building::component::{self, Component};
use crate::workspace::Workspace;

/// Bytes by what they belong to.
type Space = BTreeMap<String, usize>;

/// Prints a Markdown table, the largest first.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let context = BuildContext::new(workspace);
    let (toolchain, node) = (context.toolchain()?, context.node()?);
    let mut columns = Vec::new();
    for component in Component::ALL {
        let named = component::with_names(workspace, toolchain, node, component)?;
        let whole = fs::read(context.component(component)?)?.len();
        columns.push(space(&named, whole)?);
    }
    print!("{}", table(&columns));
    Ok(())
}

/// The bytes of a module's functions and data; what the component adds to them is the rest.
fn space(module: &[u8], whole: usize) -> Result<Space> {
    let mut space = Space::new();
    let mut bodies = Vec::new();
    let mut imported = 0;
    let mut names = BTreeMap::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => imported = section.into_imports().count(),
            Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
            Payload::DataSection(section) => {
                space.insert("constants".to_owned(), section.range().len());
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(section) = section.as_known() {
                    for part in section {
                        if let Name::Function(map) = part? {
                            for naming in map {
                                let naming = naming?;
                                names.insert(naming.index as usize, naming.name);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for (at, bytes) in bodies.into_iter().enumerate() {
        // wasm imports functions alone here, and they come first.
        let name = names.get(&(imported + at)).copied().unwrap_or_default();
        *space.entry(owner(name)).or_default() += bytes;
    }
    let counted: usize = space.values().sum();
    let rest = whole.checked_sub(counted);
    let rest = rest.context("the component is smaller than its functions")?;
    space.insert("the component around it".to_owned(), rest);
    Ok(space)
}

/// The module of a function of this crate, else its crate.
fn owner(name: &str) -> String {
    if name.starts_with("milepost:checkpoint/")
        || name.starts_with("cabi_")
        || name.starts_with("wasi:")
    {
        return "exports of wit-bindgen".to_owned();
    }
    let demangled = format!("{:#}", rustc_demangle::demangle(name));
    let path = demangled.trim_start_matches(['<', '&', '(', '[', '*']);
    let mut parts = path
        .split("::")
        .map(|part| part.trim_start_matches(['<', '&']));
    let first = parts.next().unwrap_or_default();
    match first {
        "milepost" => {
            let module: Vec<&str> = parts.take(1).collect();
            let module = module.concat();
            let end = module.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            format!("`{}`", &module[..end.unwrap_or(module.len())])
        }
        "clap" | "clap_builder" | "clap_lex" | "clap_complete" | "strsim" => "clap".to_owned(),
        "sha2" | "serde_json" | "dlmalloc" => first.to_owned(),
        _ => "standard library".to_owned(),
    }
}

fn table(columns: &[Space]) -> String {
    let mut owners: Vec<&String> = columns.iter().flat_map(Space::keys).collect();
    owners.sort_unstable();
    owners.dedup();
    let bytes = |column: &Space, owner: &String| column.get(owner).copied().unwrap_or(0);
    owners.sort_by_key(|owner| {
        std::cmp::Reverse(
            columns
                .iter()
                .map(|column| bytes(column, owner))
                .sum::<usize>(),
        )
    });

    let worlds: Vec<&str> = Component::ALL.map(Component::world).to_vec();
    let mut text = format!("| bytes of | {} |\n|---|", worlds.join(" | "));
    text.push_str(&"---:|".repeat(columns.len()));
    text.push('\n');
    for owner in owners {
        let cells = columns
            .iter()
            .map(|column| bytes(column, owner).to_string());
        text.push_str(&format!(
            "| {owner} | {} |\n",
            cells.collect::<Vec<_>>().join(" | ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn a_function_belongs_to_the_module_of_its_type() {
        for (name, expected) in [
            ("milepost::json::read::read", "`json`"),
            ("<milepost::store::folder::Folder>::new", "`store`"),
            (
                "<milepost::json::Json as core::clone::Clone>::clone",
                "`json`",
            ),
            (
                "core::ptr::drop_in_place::<milepost::json::Json>",
                "standard library",
            ),
            (
                "<alloc::vec::Vec<milepost::json::Json>>::push",
                "standard library",
            ),
            ("clap_builder::parser::parse", "clap"),
            (
                "milepost:checkpoint/tokens@0.1.0#count",
                "exports of wit-bindgen",
            ),
            ("", "standard library"),
        ] {
            assert_eq!(owner(name), expected, "{name}");
        }
    }
}
