//! The news of a verb that makes something, what was probably meant, and `--existing` and `--remove`.

use super::{User, at, parse};

#[test]
fn a_new_run_a_new_feature_and_a_new_phase_are_said() {
    let mut user = User::new();
    assert_eq!(
        user.line("begin implement plan build --feature payments")
            .answer(),
        "implement (feature payments): saved revision 1; new run, new feature, 2 new phases; go on with plan\n"
    );
    assert_eq!(
        user.line("phase implement docs --feature payments")
            .answer(),
        "implement (feature payments): saved revision 2; new phase docs\n"
    );
    assert_eq!(
        user.line("phase implement docs complete --feature payments")
            .answer(),
        "implement (feature payments): saved revision 3\n"
    );
    let said = user
        .line("phase implement docs --feature payments --json")
        .answer();
    let said = parse(&said);
    assert_eq!(at(&said, "created").as_bool(), Some(false));
    assert_eq!(at(&said, "new_phases").to_line(), "[]");
}

#[test]
fn a_phase_that_is_nearly_another_one_is_said_with_that() {
    let mut user = User::new();
    user.line("begin implement plan build").answer();
    let said = user.line("phase implement bulid in_progress").answer();
    assert_eq!(
        said,
        "implement: saved revision 2; new phase bulid\n\
         did you mean build? `milepost phase implement bulid --remove` takes the new one back\n"
    );
    let said = user.line("phase implement paln --json").answer();
    let said = parse(&said);
    assert_eq!(at(&said, "created").as_bool(), Some(true));
    assert_eq!(at(&said, "new_run").as_bool(), Some(false));
    assert_eq!(
        at(&said, "similar_phases").to_line(),
        r#"[{"phase":"paln","similar":"plan"}]"#
    );
}

#[test]
fn a_mistyped_phase_that_is_complete_is_said_with_the_command_that_takes_it_out_of_the_count() {
    let mut user = User::new();
    user.line("begin implement plan build").answer();
    let said = user.line("phase implement bulid complete").answer();
    let back = "phase implement bulid --remove";
    assert_eq!(
        said,
        format!(
            "implement: saved revision 2; new phase bulid\n\
             did you mean build? `milepost {back}` takes the new one back\n"
        )
    );
    let shown = user.line("show implement").answer();
    assert!(shown.contains("done       1/3"), "{shown}");
    user.line(back).answer();
    let shown = user.line("show implement").answer();
    assert!(shown.contains("done       0/2"), "{shown}");
}

#[test]
fn a_completed_run_that_is_open_again_is_said() {
    let mut user = User::new();
    user.line("phase implement build complete").answer();
    user.line("complete implement").answer();
    assert_eq!(
        user.line("phase implement build complete").answer(),
        "implement: saved revision 3; completed run reopened\n"
    );
    let said = parse(&user.line("phase implement build --json").answer());
    assert_eq!(at(&said, "reopened").as_bool(), Some(false));
    user.line("complete implement").answer();
    let said = parse(&user.line("phase implement docs --json").answer());
    assert_eq!(at(&said, "reopened").as_bool(), Some(true));
    user.line("complete implement --force").answer();
    let said = user.line("begin implement build").answer();
    assert!(said.contains("; completed run reopened; "), "{said}");
}

#[test]
fn a_run_that_is_nearly_another_one_is_said_with_that() {
    let mut user = User::new();
    user.line("begin implement plan --feature payments")
        .answer();
    let hint = "did you mean implement (feature payments)? ";
    let said = user.line("phase implement plan --feature paymnet").answer();
    let back = "`milepost remove implement --feature paymnet` takes the new one back\n";
    assert!(said.ends_with(&format!("\n{hint}{back}")), "{said}");
    user.line("remove implement --feature paymnet").answer();
    // Left out, it is the one without a feature, and one alone is unfinished.
    let said = user.line("phase implement plan").answer();
    let back = "`milepost remove implement` takes the new one back\n";
    assert!(said.ends_with(&format!("\n{hint}{back}")), "{said}");
}

#[test]
fn a_feature_that_is_nearly_one_of_another_command_is_said_with_that() {
    let mut user = User::new();
    user.line("begin implement plan --feature dark-mode")
        .answer();
    for (line, command) in [
        ("phase review x --feature dark-mod", "review"),
        ("begin design x --feature dark-mod", "design"),
    ] {
        let said = user.line(line).answer();
        let hint = format!(
            "\ndid you mean {command} (feature dark-mode)? \
             `milepost remove {command} --feature dark-mod` takes the new one back\n"
        );
        assert!(
            said.contains("new feature") && said.ends_with(&hint),
            "{said}"
        );
        user.line(&format!("remove {command} --feature dark-mod"))
            .answer();
    }
}

#[test]
fn existing_makes_nothing_and_names_what_is_there() {
    let mut user = User::new();
    let none = user.line("phase implement plan --existing").refusal(1);
    assert!(none.contains("no run is here yet"), "{none}");
    user.line("begin implement plan build").answer();
    user.write("plan.json", r#"{"phases":{"paln":{"status":"pending"}}}"#);
    for line in [
        "phase implement paln --existing",
        "begin implement paln --existing",
        "save implement plan.json --existing",
    ] {
        let said = user.line(line).refusal(1);
        assert!(said.contains("it has plan, build"), "{said}");
    }
    let other = user.line("phase design plan --existing").refusal(1);
    assert!(other.contains("runs here: implement"), "{other}");
    user.line("phase implement plan complete --existing")
        .answer();
}

#[test]
fn a_phase_that_was_added_by_mistake_is_taken_back_and_comes_back() {
    let mut user = User::new();
    user.line("begin implement plan build").answer();
    user.line("phase implement bulid in_progress").answer();
    assert_eq!(
        user.line("phase implement bulid --remove").answer(),
        "implement: saved revision 3, without phase bulid\n"
    );
    let again = user.line("phase implement bulid --remove").refusal(1);
    assert!(again.contains("it has plan, build"), "{again}");
    user.line("phase implement plan complete --remove")
        .refusal(64);
    user.line("undo implement").answer();
    let stored = parse(&user.line("show implement --json").answer());
    assert_eq!(at(&stored, "state.current_phase").as_str(), Some("bulid"));
}
