//! Files that are added to a phase are those of the repository, from any folder; those of a patch are kept as given.

use milepost::json::{self, Json, Object};

use super::{FILE, ask, code, value, warnings, world};
use crate::memory::Memory;

fn add(world: &Memory, place: &[(&str, &str)], typed: &[&str]) -> Object {
    add_in(world, Object::from_iter(place.iter().copied()), typed)
}

/// Adds files to a phase that has none.
fn add_in(world: &Memory, place: Object, typed: &[&str]) -> Object {
    let patch = Object::new().with("files_created", Json::Null);
    let files = Object::new().with("files_created", typed.to_vec());
    update(world, place, patch, Some(files))
}

fn update(world: &Memory, place: Object, patch: Object, add: Option<Object>) -> Object {
    let more = [
        ("place", Json::from(place)),
        ("phase", Json::from("a")),
        ("patch", Json::from(patch)),
        ("add", Json::from(add)),
    ];
    ask(world, "update_phase", &more)
}

/// The files that the phase is stored with, after a change that did not fail.
fn paths(world: &Memory, reply: &Object) -> String {
    value(reply);
    let stored = json::read(world.text(FILE).as_bytes()).unwrap().value;
    stored.at("/phases/a/files_created").unwrap().to_line()
}

#[test]
fn a_path_typed_in_a_folder_is_kept_from_the_root_on() {
    let world = world();
    world.put("/repo/packages/api/src/router.js", "");
    world.put("/repo/README.md", "");
    let place = [("working", "/repo/packages/api")];
    let typed = ["src/router.js", "../../README.md", "/repo/README.md"];
    let reply = add(&world, &place, &typed);
    assert_eq!(
        paths(&world, &reply),
        r#"["packages/api/src/router.js","README.md"]"#
    );
    assert_eq!(warnings(&reply), Vec::<&str>::new());
}

#[test]
fn a_path_that_does_not_exist_is_kept_with_a_warning() {
    let world = world();
    world.put("/repo/a.js", "");
    let reply = add(&world, &[("working", "/repo")], &["a.js", "b.js"]);
    assert_eq!(paths(&world, &reply), r#"["a.js","b.js"]"#);
    assert_eq!(warnings(&reply), ["missing_file"]);
    let said = Json::from(reply).to_line();
    assert!(said.contains("b.js does not exist"), "{said}");
}

#[test]
fn a_path_outside_of_the_repository_is_refused_with_its_reason() {
    let world = world();
    for typed in ["../x.js", "/etc/passwd"] {
        let reply = add(&world, &[("working", "/repo")], &["a.js", typed]);
        assert_eq!(code(&reply), "usage");
        assert_eq!(world.bytes(FILE), None, "{typed}");
        let said = Json::from(reply).to_line();
        assert!(
            said.contains(typed) && said.contains("is outside"),
            "{said}"
        );
    }
}

#[test]
fn a_working_folder_outside_of_a_named_root_has_paths_from_the_root_on() {
    let world = world();
    world.put("/repo/a.js", "");
    for (working, root) in [("/home", "/repo"), ("/repo", "/repo")] {
        let place = [("working", working), ("root", root)];
        let reply = add(&world, &place, &["a.js"]);
        assert_eq!(paths(&world, &reply), r#"["a.js"]"#);
    }
    let place = [("working", "/repo/sub"), ("root", "/repo")];
    let reply = add(&world, &place, &["../a.js"]);
    assert_eq!(paths(&world, &reply), r#"["a.js"]"#);
}

#[test]
fn an_absolute_path_by_another_name_of_a_folder_is_kept_from_the_root_on() {
    let world = world();
    world.put("/repo/sub/a.js", "");
    world.put("/repo/b.js", "");
    // A link to a folder above the root, to the root, and to the working folder.
    for (name, folder, typed) in [
        ("/l", "/", ["/l/repo/sub/a.js", "/l/repo/b.js"]),
        (
            "/home/work",
            "/repo",
            ["/home/work/sub/a.js", "/home/work/sub/../b.js"],
        ),
        ("/home/sub", "/repo/sub", ["/home/sub/a.js", "/repo/b.js"]),
    ] {
        let alias = Object::new().with("name", name).with("folder", folder);
        let place = Object::new()
            .with("working", "/repo/sub")
            .with("alias", alias);
        let reply = add_in(&world, place.clone(), &typed);
        assert_eq!(paths(&world, &reply), r#"["sub/a.js","b.js"]"#, "{name}");
        assert_eq!(warnings(&reply), Vec::<&str>::new(), "{name}");
        for outside in ["/home/x.js", "/l/x.js", "/home/work/../x.js", "../../x.js"] {
            let reply = add_in(&world, place.clone(), &[outside]);
            assert_eq!(code(&reply), "usage", "{name} {outside}");
        }
    }
}

#[test]
fn files_of_a_patch_are_kept_as_given_and_those_outside_of_the_repository_are_a_warning() {
    for (given, outside) in [
        (vec!["src/a.js", "./b..js", "/repo/c.js", "x/../d.js"], None),
        (vec!["../x.js"], Some("../x.js is outside")),
        (
            vec!["a.js", "/etc/passwd", "../../../etc/passwd"],
            Some("/etc/passwd is outside of the repository, and 1 more"),
        ),
    ] {
        let world = world();
        world.put("/repo/packages/api/index.js", "");
        let place = Object::from_iter([("working", "/repo/packages/api")]);
        let patch = Object::new().with("files_created", given.clone());
        let reply = update(&world, place, patch, None);
        assert_eq!(paths(&world, &reply), Json::from(given).to_line());
        let codes = match outside {
            Some(_) => vec!["outside_repository"],
            None => Vec::new(),
        };
        assert_eq!(warnings(&reply), codes);
        let said = Json::from(reply).to_line();
        assert!(said.contains(outside.unwrap_or_default()), "{said}");
    }
}
