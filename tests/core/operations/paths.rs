//! Typed paths are those of the repository, from any folder.

use milepost::json::{Json, Object};

use super::{ask, code, value, warnings, world};
use crate::memory::Memory;

fn repository_paths(world: &Memory, place: &[(&str, &str)], typed: &[&str]) -> Object {
    repository_paths_in(world, Object::from_iter(place.iter().copied()), typed)
}

fn repository_paths_in(world: &Memory, place: Object, typed: &[&str]) -> Object {
    let more = [
        ("place", Json::from(place)),
        ("paths", Json::from(typed.to_vec())),
    ];
    ask(world, "repository_paths", &more)
}

fn paths(reply: &Object) -> String {
    let answer = value(reply).as_object().unwrap();
    answer.get("paths").unwrap().to_line()
}

#[test]
fn a_path_typed_in_a_folder_is_kept_from_the_root_on() {
    let world = world();
    world.put("/repo/packages/api/src/router.js", "");
    world.put("/repo/README.md", "");
    let place = [("working", "/repo/packages/api")];
    let typed = ["src/router.js", "../../README.md", "/repo/README.md"];
    let reply = repository_paths(&world, &place, &typed);
    assert_eq!(
        paths(&reply),
        r#"["packages/api/src/router.js","README.md","README.md"]"#
    );
    assert_eq!(warnings(&reply), Vec::<&str>::new());
}

#[test]
fn a_path_that_does_not_exist_is_kept_with_a_warning() {
    let world = world();
    world.put("/repo/a.js", "");
    let reply = repository_paths(&world, &[("working", "/repo")], &["a.js", "b.js"]);
    assert_eq!(paths(&reply), r#"["a.js","b.js"]"#);
    assert_eq!(warnings(&reply), ["missing_file"]);
    let said = Json::from(reply).to_line();
    assert!(said.contains("b.js does not exist"), "{said}");
}

#[test]
fn a_path_outside_of_the_repository_is_refused_with_its_reason() {
    let world = world();
    for typed in ["../x.js", "/etc/passwd"] {
        let reply = repository_paths(&world, &[("working", "/repo")], &["a.js", typed]);
        assert_eq!(code(&reply), "usage");
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
        assert_eq!(
            paths(&repository_paths(&world, &place, &["a.js"])),
            r#"["a.js"]"#
        );
    }
    let place = [("working", "/repo/sub"), ("root", "/repo")];
    assert_eq!(
        paths(&repository_paths(&world, &place, &["../a.js"])),
        r#"["a.js"]"#
    );
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
        let reply = repository_paths_in(&world, place.clone(), &typed);
        assert_eq!(paths(&reply), r#"["sub/a.js","b.js"]"#, "{name}");
        assert_eq!(warnings(&reply), Vec::<&str>::new(), "{name}");
        for outside in ["/home/x.js", "/l/x.js", "/home/work/../x.js", "../../x.js"] {
            let reply = repository_paths_in(&world, place.clone(), &[outside]);
            assert_eq!(code(&reply), "usage", "{name} {outside}");
        }
    }
}
