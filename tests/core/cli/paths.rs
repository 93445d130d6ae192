//! Paths that a user types, in any folder of the repository.

use super::{User, at, parse};

/// A user in a package of a repository.
fn user_in_a_package() -> User {
    let mut user = User::new();
    user.write("packages/api/src/router.js", "");
    user.write("README.md", "");
    user.within = "packages/api";
    user
}

#[test]
fn files_of_a_phase_are_kept_from_the_root_on() {
    let mut user = user_in_a_package();
    user.line("phase design a --created src/router.js --modified ../../README.md")
        .answer();
    let document = parse(&user.read(".claude/state/design-checkpoint.json"));
    let list = |name: &str| at(&document, &format!("phases.a.{name}")).to_line();
    assert_eq!(list("files_created"), r#"["packages/api/src/router.js"]"#);
    assert_eq!(list("files_modified"), r#"["README.md"]"#);
}

#[test]
fn a_file_outside_of_the_repository_is_no_file_of_a_phase() {
    let mut user = user_in_a_package();
    for option in ["--created", "--modified"] {
        let line = format!("phase design a {option} ../../../x.js");
        let reason = user.line(&line).refusal(64);
        assert!(reason.contains("'../../../x.js' is outside"), "{reason}");
    }
    user.line("show design").refusal(1);
}

#[test]
fn a_file_that_does_not_exist_is_a_warning() {
    let mut user = user_in_a_package();
    let said = user.line("phase design a --created src/ruoter.js");
    assert_eq!(said.exit, 0);
    let expected = "packages/api/src/ruoter.js does not exist";
    assert!(said.error.contains(expected), "{}", said.error);
}

#[test]
fn files_that_a_snapshot_allows_or_may_lose_are_typed_from_the_working_directory() {
    let mut user = user_in_a_package();
    user.write("packages/api/.env", "A=1\n");
    user.line("create --reason handoff --allow .env").answer();
    user.write("packages/api/.env", "A=2\n");
    user.line("restore --latest --files --yes --lose .env --no-state")
        .answer();
    assert_eq!(user.read("packages/api/.env"), "A=1\n");
    for line in [
        "create --reason handoff --allow ../../../.env",
        "restore --latest --files --lose ../../../.env",
    ] {
        let reason = user.line(line).refusal(64);
        assert!(reason.contains("is outside"), "{reason}");
    }
}
