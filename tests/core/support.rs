//! The statements of SUPPORT.md, `llms.txt` and the manifests, against the sources that make them true.

use std::fs;

use milepost::checkpoint::{command, task, thread};
use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(crate::in_package(path)).unwrap()
}

fn package() -> Value {
    serde_json::from_str(&read("pkg/package.json")).unwrap()
}

/// The value of a line `name = "value"` of the crate's own table.
fn in_manifest(name: &str) -> String {
    let manifest = read("Cargo.toml");
    let (own, _) = manifest.split_once("\n[lib]").unwrap();
    let start = format!("{name} = ");
    let line = own.lines().find_map(|line| line.strip_prefix(&start));
    line.unwrap().trim_matches('"').to_owned()
}

/// The cells of the row of SUPPORT.md that begins with a word.
fn row(first: &str) -> Vec<String> {
    let page = read("SUPPORT.md");
    let line = page.lines().find(|line| {
        let start = line.strip_prefix("| ");
        start.is_some_and(|it| it.starts_with(first))
    });
    let cells = line.unwrap_or_else(|| panic!("no row of {first}"));
    cells
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

#[test]
fn the_oldest_rust_is_the_same_everywhere() {
    let oldest = in_manifest("rust-version");
    assert_eq!(row("Rust")[2..4], [oldest.clone(), oldest.clone()]);
    for page in ["README.md", "CONTRIBUTING.md"] {
        let says = format!("Rust {oldest} or newer");
        assert!(read(page).contains(&says), "{page}: {says}");
    }
    for workflow in ["ci.yml", "release.yml"] {
        let text = read(&format!(".github/workflows/{workflow}"));
        let chosen = format!("RUSTUP_TOOLCHAIN: \"{oldest}\"\n");
        assert!(text.contains(&chosen), "{workflow}: {chosen}");
        let installed = format!("run: rustup toolchain install {oldest} ");
        assert!(text.contains(&installed), "{workflow}: {installed}");
    }
}

#[test]
fn the_oldest_node_is_the_same_everywhere() {
    let package = package();
    let engines = package["engines"]["node"].as_str().unwrap();
    let oldest = engines.strip_prefix(">=").unwrap();
    assert_eq!(row("Node")[2], oldest);
    assert!(read("README.md").contains(&format!("Node {oldest} or newer")));
    let major = oldest.split('.').next().unwrap();
    let ci = read(".github/workflows/ci.yml");
    assert!(ci.contains(&format!("node-version: \"{major}\"\n")));
}

#[test]
fn each_node_that_is_said_to_be_tested_is_there_for_the_tests() {
    let hosts: Value = serde_json::from_str(&read("xtask/npm-hosts/package.json")).unwrap();
    let hosts = hosts["optionalDependencies"].as_object().unwrap();
    let tested = row("Node")[3].replace(" and ", ", ");
    let tested: Vec<&str> = tested.split(", ").collect();
    assert!(tested.len() > 1, "{tested:?}");
    for major in tested {
        let name = format!("node-{major}-linux-x64");
        assert!(hosts.contains_key(&name), "{name}");
    }
}

#[test]
fn all_parts_of_a_release_have_one_version() {
    let version = in_manifest("version");
    assert_eq!(package()["version"], version.as_str());
    let wit = read("wit/milepost.wit");
    assert!(wit.contains(&format!("\npackage milepost:checkpoint@{version};\n")));
    // The plugin's manifest takes its version of the package's.
    assert!(read("pkg/build/plugin.mjs").contains("const { version, description, license } ="));
}

#[test]
fn the_page_says_the_form_of_each_document() {
    for (document, version) in [
        ("run", command::definition::VERSION),
        ("task checkpoints", task::definition::VERSION),
        ("thread", thread::index::VERSION),
    ] {
        assert_eq!(row(document)[2], format!("`version` is {version}"));
    }
    let schema = read("pkg/src/host/postgres/schema.js");
    let (_, list) = schema.split_once("\nconst MIGRATIONS = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let migrations = format!(
        "{} migrations, in the table `migrations`",
        list.split(',').count()
    );
    assert_eq!(row("schema in PostgreSQL")[2], migrations);
}

#[test]
fn the_manifests_describe_one_thing() {
    let package = package();
    for (member, name) in [("description", "description"), ("license", "license")] {
        assert_eq!(package[member], in_manifest(name).as_str(), "{member}");
    }
    assert_eq!(package["publishConfig"]["provenance"], true);
    let keywords = package["keywords"].as_array().unwrap();
    let keywords: Vec<&str> = keywords.iter().map(|it| it.as_str().unwrap()).collect();
    assert!(keywords.is_sorted(), "{keywords:?}");
    let crates: Vec<String> = serde_json::from_str(&in_manifest("keywords")).unwrap();
    assert!(crates.len() <= 5, "{crates:?}");
    for keyword in &crates {
        assert!(keywords.contains(&keyword.as_str()), "{keyword}");
    }
}

#[test]
fn the_crate_includes_what_it_is_compiled_from() {
    let included: Vec<String> = serde_json::from_str(&in_manifest("include")).unwrap();
    let is_included = |path: &str| {
        let within = |it: &String| path == &it[1..] || path.starts_with(&format!("{}/", &it[1..]));
        included.iter().any(within)
    };
    let build = in_manifest("build");
    let papers = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
    for path in [
        "src/lib.rs",
        "native/main.rs",
        build.as_str(),
        "wit/milepost.wit",
    ]
    .into_iter()
    .chain(papers)
    {
        assert!(is_included(path), "{path}");
    }
    for path in &included {
        assert!(crate::in_package(&path[1..]).exists(), "{path}");
    }
    for path in ["pkg/package.json", "tests/core/main.rs", "xtask/Cargo.toml"] {
        assert!(!is_included(path), "{path}");
    }
}

/// The targets of the links of `llms.txt`.
fn links(text: &str) -> Vec<&str> {
    let parts = text.split("](").skip(1);
    parts.filter_map(|it| Some(it.split_once(')')?.0)).collect()
}

#[test]
fn the_page_for_language_models_leads_to_every_page_for_users() {
    let text = read("llms.txt");
    let linked = links(&text);
    for link in &linked {
        assert!(crate::in_package(link).is_file(), "{link}");
    }
    for folder in ["docs/guide", "docs/hosts", "docs/reference"] {
        for entry in fs::read_dir(crate::in_package(folder)).unwrap() {
            let name = entry.unwrap().file_name();
            let path = format!("{folder}/{}", name.to_str().unwrap());
            let is_page = path.ends_with(".md");
            assert!(!is_page || linked.contains(&path.as_str()), "{path}");
        }
    }
}

#[test]
fn the_forms_for_issues_are_whole() {
    for (name, asked) in [("bug", 7), ("feature", 3)] {
        let text = read(&format!(".github/ISSUE_TEMPLATE/{name}.yml"));
        let form: yaml_serde::Value = yaml_serde::from_str(&text).unwrap();
        for member in ["name", "description"] {
            assert!(form[member].is_string(), "{name}: {member}");
        }
        let body = form["body"].as_sequence().unwrap();
        let questions = body.iter().filter(|part| part["type"] != "markdown");
        let mut ids: Vec<&str> = questions
            .map(|part| {
                assert!(part["attributes"]["label"].is_string(), "{name}: {part:?}");
                part["id"].as_str().unwrap()
            })
            .collect();
        assert_eq!(ids.len(), asked, "{name}");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), asked, "{name}");
    }
}
