//! The checkpoint to carry on with: nothing that is unfinished is hidden.

use std::collections::{BTreeMap, BTreeSet};

use milepost::checkpoint::command::phases::Status;
use milepost::effect::Machine;
use milepost::json::{self, Json, Object};
use milepost::operation::request;

use super::{ask, code, value, warnings, world};
use crate::memory::Memory;
use crate::variants;

fn phase(world: &Memory, command: &str, phase: &str, status: &str) -> Object {
    let patch = Object::from_iter([("status", status)]);
    let more = [
        ("command", command.into()),
        ("phase", phase.into()),
        ("patch", patch.into()),
    ];
    ask(world, "update_phase", &more)
}

/// Completes a checkpoint, though phases of it are still to be done.
fn complete(world: &Memory, of: &[(&str, Json)]) {
    let keep_open = [("keep_open", Json::from(true))];
    value(&ask(world, "complete", &[of, &keep_open[..]].concat()));
}

fn file(command: &str) -> String {
    format!("/repo/.claude/state/{command}-checkpoint.json")
}

fn latest(world: &Memory) -> Object {
    ask(world, "latest", &[])
}

fn text<'a>(reply: &'a Object, key: &str) -> Option<&'a str> {
    value(reply).as_object()?.get(key)?.as_str()
}

#[test]
fn a_corrupt_checkpoint_is_warned_of_beside_the_latest_one() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    phase(&world, "ship", "b", "in_progress");
    world.put(&file("ship"), "{ torn");
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["corrupt"]);
    let said = Json::from(reply).to_line();
    assert!(
        said.contains(": .claude/state/ship-checkpoint.json"),
        "{said}"
    );
    assert!(
        said.contains(r#""advice":{"kind":"recover","command":"ship""#),
        "{said}"
    );
}

#[test]
fn a_checkpoint_whose_file_is_gone_is_warned_of_until_it_was_complete() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    phase(&world, "review", "a", "in_progress");
    complete(&world, &[("command", "review".into())]);
    phase(&world, "ship", "b", "in_progress");
    let feature = [("command", "ship".into()), ("feature", "Dark".into())];
    let more = [("phase", "a".into()), ("patch", Object::new().into())];
    ask(&world, "update_phase", &[feature.clone(), more].concat());
    for name in ["review-checkpoint", "ship-checkpoint", "ship-Dark"] {
        world.delete(&format!("/repo/.claude/state/{name}.json"));
    }
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["vanished", "vanished"]);
    let said = Json::from(reply).to_line();
    for named in [
        r#""advice":{"kind":"recover","command":"ship","feature":null}"#,
        r#""advice":{"kind":"recover","command":"ship","feature":"Dark"}"#,
    ] {
        assert!(said.contains(named), "{said}");
    }
    let listed = value(&ask(&world, "list", &[])).to_line();
    assert_eq!(listed.matches("its history is kept").count(), 2, "{listed}");

    complete(&world, &[]);
    assert_eq!(code(&latest(&world)), "not_found");
    ask(&world, "recover", &feature);
    assert_eq!(text(&latest(&world), "feature"), Some("Dark"));
}

#[test]
fn other_unfinished_checkpoints_are_named_beside_the_latest_one() {
    let world = world();
    for command in ["design", "review", "ship"] {
        phase(&world, command, "a", "in_progress");
    }
    complete(&world, &[("command", "review".into())]);
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    let others = value(&reply).as_object().unwrap().get("others").unwrap();
    assert_eq!(others.to_line(), r#"[{"command":"ship","feature":null}]"#);
}

#[test]
fn a_corrupt_checkpoint_is_the_failure_where_nothing_else_is_unfinished() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    complete(&world, &[]);
    phase(&world, "review", "b", "in_progress");
    phase(&world, "ship", "b", "in_progress");
    for command in ["review", "ship"] {
        world.put(&file(command), "{ torn");
    }
    let reply = latest(&world);
    assert_eq!(code(&reply), "corrupt");
    assert_eq!(warnings(&reply), ["corrupt"]);
}

#[test]
fn a_file_that_is_too_large_or_a_link_or_a_folder_is_warned_of() {
    let world = world();
    phase(&world, "design", "a", "in_progress");
    world.put(&file("review"), vec![b' '; 17 * 1024 * 1024]);
    world.put_node(&file("ship"), crate::memory::Node::dangling());
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(warnings(&reply), ["too_large", "unsafe_path"]);
}

#[test]
fn a_checkpoint_without_anything_to_do_hides_none_that_has_something() {
    let world = world();
    phase(&world, "implement", "printer", "in_progress");
    phase(&world, "review", "a", "complete");
    ask(&world, "save", &[("document", Object::new().into())]);
    assert_eq!(text(&latest(&world), "command"), Some("implement"));
    let more = [("command", "implement".into())];
    complete(&world, &more);
    let reply = latest(&world);
    assert_eq!(text(&reply, "command"), Some("design"));
    assert_eq!(text(&reply, "phase"), None);
}

#[test]
fn a_run_that_begins_during_a_search_is_not_called_gone() {
    for (operation, name) in [
        ("latest", ""),
        ("list", ""),
        ("resume_point", r#","command":"design""#),
    ] {
        for begin_after in 0..12 {
            let world = world();
            let request =
                format!(r#"{{"operation":"{operation}","place":{{"working":"/repo"}}{name}}}"#);
            let mut effects = 0;
            let reply = variants::reply(request.as_bytes(), |effect| {
                let outcome = world.perform(&effect);
                if effects == begin_after {
                    world.run(begin(("design", None), "a", Status::InProgress));
                }
                effects += 1;
                outcome
            });
            let note = format!("{operation} after effect {begin_after}: {reply}");
            assert!(reply.starts_with(r#"{"ok":true"#), "{note}");
            assert!(reply.ends_with(r#""warnings":[]}"#), "{note}");
            assert!(!reply.contains("its history is kept"), "{note}");
        }
    }
}

#[test]
fn folders_that_all_runs_share_are_inspected_one_time() {
    let world = world();
    let features = ["a", "b", "c", "d", "e"];
    for feature in features {
        world.run(begin(("ship", Some(feature)), "a", Status::Pending));
    }
    let inspections = |operation| {
        world.log.borrow_mut().clear();
        ask(&world, operation, &[]);
        let log = world.log.borrow();
        let inspected = log.iter().filter(|it| it.starts_with("Inspect"));
        let inspected = inspected.flat_map(|it| it.split('"').skip(1).step_by(2));
        let inspected = inspected.map(str::to_owned).collect::<Vec<_>>();
        let of = |path: &str| inspected.iter().filter(|it| *it == path).count();
        let below = |it: &&String| it.starts_with("/repo/.claude/state/.milepost/ship-");
        let own = inspected.iter().filter(below).count();
        (
            of("/repo/.claude"),
            of("/repo/.claude/state/.milepost"),
            own,
        )
    };
    // Of each, its side folder, the tokens and the history.
    assert_eq!(inspections("list"), (1, 1, 3 * features.len()));
}

#[test]
fn a_side_folder_that_is_a_link_is_not_followed() {
    let world = world();
    for feature in ["a", "b"] {
        world.run(begin(("ship", Some(feature)), "a", Status::Pending));
    }
    let side = "/repo/.claude/state/.milepost";
    for below in world.files_below(side) {
        world.delete(&format!("{side}/{below}"));
    }
    world.put_node(side, crate::memory::Node::dangling());
    assert_eq!(code(&latest(&world)), "unsafe_path");
    assert_eq!(warnings(&latest(&world)), ["unsafe_path"]);
}

/// A checkpoint of the model: a command and a feature.
pub(super) type Name = (&'static str, Option<&'static str>);

const NAMES: [Name; 5] = [
    ("design", None),
    ("implement", None),
    ("implement", Some("Dark")),
    ("review", None),
    ("ship", None),
];

const WRITERS: usize = 3;

/// The facts of a checkpoint in a model.
#[derive(Default)]
struct Model {
    statuses: BTreeMap<String, Status>,
    is_completed: bool,
    is_corrupt: bool,
    /// True if its file is gone while it was unfinished.
    is_gone: bool,
}

impl Model {
    fn of(&self, status: Status) -> BTreeSet<&str> {
        let statuses = self.statuses.iter();
        let of = statuses.filter(|(_, it)| **it == status);
        of.map(|(name, _)| name.as_str()).collect()
    }

    /// The phases of which one is to be done now; none where the run is over.
    fn next(&self) -> BTreeSet<&str> {
        let kinds = [Status::InProgress, Status::Failed, Status::Pending];
        let mut kinds = kinds.into_iter().map(|status| self.of(status));
        let next = kinds.find(|phases| !phases.is_empty());
        next.filter(|_| !self.is_completed).unwrap_or_default()
    }

    fn is_lost(&self) -> bool {
        self.is_corrupt || self.is_gone
    }

    fn is_unfinished(&self) -> bool {
        !self.is_completed && !self.is_lost()
    }
}

pub(super) fn document_path((command, feature): Name) -> String {
    let feature = feature.unwrap_or("checkpoint");
    format!("/repo/.claude/state/{command}-{feature}.json")
}

fn of((command, feature): Name) -> [(&'static str, Json); 2] {
    let feature = feature.map_or(Json::Null, Json::from);
    [("command", command.into()), ("feature", feature)]
}

pub(super) fn begin(name: Name, phase: &str, status: Status) -> Machine<String> {
    let mut request = Object::from_iter([
        ("operation", Json::from("update_phase")),
        ("place", Object::from_iter([("working", "/repo")]).into()),
        ("phase", phase.into()),
        (
            "patch",
            Object::from_iter([("status", status.as_str())]).into(),
        ),
    ]);
    for (key, value) in of(name) {
        request.set(key, value);
    }
    request::start(Json::Object(request).to_line().as_bytes())
}

/// A few writers at the same time, each on phases of its own; then something is damaged.
fn round(
    world: &Memory,
    random: &mut fastrand::Rng,
    names: &[Name],
    models: &mut BTreeMap<Name, Model>,
) {
    let mut updates = Vec::new();
    for writer in 0..WRITERS {
        let name = names[random.usize(..names.len())];
        let phase = format!("{writer}-{}", ["a", "b"][random.usize(..2)]);
        let status = Status::ALL[random.usize(..Status::ALL.len())];
        updates.push((name, phase, status));
    }
    let machines = updates
        .iter()
        .map(|(name, phase, it)| begin(*name, phase, *it));
    let replies = world.interleave(machines.collect(), random.u64(..));
    for ((name, phase, status), reply) in updates.into_iter().zip(replies) {
        let model = models.entry(name).or_default();
        let is_saved = reply.starts_with(r#"{"ok":true"#);
        assert_eq!(is_saved, !model.is_corrupt, "{reply}");
        if is_saved {
            // It begins again.
            if std::mem::take(&mut model.is_gone) {
                model.statuses.clear();
            }
            model.statuses.insert(phase, status);
            model.is_completed = false;
        }
    }

    for name in names {
        let Some(model) = models.get_mut(name) else {
            continue;
        };
        match random.u8(..8) {
            0 => {
                world.put(
                    &document_path(*name),
                    ["{ torn", "[]", ""][random.usize(..3)],
                );
                (model.is_corrupt, model.is_gone) = (true, false);
            }
            1 => {
                world.delete(&document_path(*name));
                (model.is_corrupt, model.is_gone) = (false, true);
                // Nothing is missed of what was complete.
                if model.is_completed {
                    models.remove(name);
                }
            }
            2 | 3 if !model.is_lost() => {
                complete(world, &of(*name));
                model.is_completed = true;
            }
            _ => {}
        }
    }
}

/// Asserts what one of them says where it is asked for by its name.
fn assert_resumed(world: &Memory, name: Name, model: &Model, note: &str) {
    let reply = ask(world, "resume_point", &of(name));
    let said = Json::from(reply.clone()).to_line();
    if model.is_corrupt {
        assert_eq!(code(&reply), "corrupt", "{note}: {said}");
        return;
    }
    if model.is_gone {
        assert_eq!(warnings(&reply), ["vanished"], "{note}: {said}");
        return;
    }
    assert_named(&reply, model, note);
}

/// Asserts that a reply names everything that is in progress, and what is to be done now.
fn assert_named(reply: &Object, model: &Model, note: &str) {
    let said = Json::from(reply.clone()).to_line();
    let next = model.next();
    let phase = text(reply, "phase");
    assert_eq!(phase.is_some(), !next.is_empty(), "{note}: {said}");
    assert!(phase.is_none_or(|it| next.contains(it)), "{note}: {said}");
    let alongside = value(reply).as_object().unwrap().get("alongside").unwrap();
    let alongside = alongside.as_array().unwrap().iter();
    let alongside = alongside.map(|it| it.as_str().unwrap());
    let named: Vec<&str> = phase.into_iter().chain(alongside).collect();
    let all: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(named.len(), all.len(), "{note}: named twice: {said}");
    if !model.is_completed {
        let in_progress = model.of(Status::InProgress);
        assert!(in_progress.is_subset(&all), "{note}: {said}");
        assert!(in_progress.len() + 1 >= all.len(), "{note}: {said}");
    }
}

fn updated_at(world: &Memory, name: Name) -> String {
    let object = json::read(world.text(&document_path(name)).as_bytes())
        .unwrap()
        .value;
    let updated = object.as_object().unwrap().get("updated_at").unwrap();
    updated.as_str().unwrap().to_owned()
}

/// Every checkpoint is listed, and those that cannot be read with a problem.
fn assert_listed(world: &Memory, models: &BTreeMap<Name, Model>, note: &str) {
    let reply = ask(world, "list", &[]);
    let listed = value(&reply).as_array().unwrap().iter();
    let listed: BTreeMap<(&str, Option<&str>), bool> = listed
        .map(|it| {
            let it = it.as_object().unwrap();
            let member = |key: &str| it.get(key).unwrap().as_str();
            let name = (member("command").unwrap(), member("feature"));
            (name, member("problem").is_some())
        })
        .collect();
    let expected = models.iter().map(|(name, model)| (*name, model.is_lost()));
    assert_eq!(listed, expected.collect(), "{note}");
}

#[test]
fn everything_unfinished_is_named_by_latest_or_by_its_warnings() {
    let mut seen = [0; 4];
    for seed in 0..300 {
        let _run = milepost_property::seed(
            "everything unfinished is named by latest or by its warnings",
            seed,
        );
        let note = format!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let world = world();
        let mut models = BTreeMap::new();
        let names = &NAMES[..random.usize(1..=NAMES.len())];
        for _ in 0..random.usize(1..9) {
            round(&world, &mut random, names, &mut models);
        }

        for (name, model) in &models {
            assert_resumed(&world, *name, model, &note);
        }
        assert_listed(&world, &models, &note);

        let reply = latest(&world);
        let said = Json::from(reply.clone()).to_line();
        // Documents that cannot be read may be unfinished: each is named, and nothing else is.
        for (name, model) in &models {
            let is_named = said.contains(document_path(*name).strip_prefix("/repo/").unwrap());
            assert_eq!(is_named, model.is_corrupt, "{note}: {said}");
            let target = Json::Object(Object::from_iter(of(*name))).to_line();
            let advice = format!(r#""advice":{{"kind":"recover",{}"#, &target[1..]);
            assert!(!model.is_gone || said.contains(&advice), "{note}: {said}");
        }
        let unfinished = || models.iter().filter(|(_, model)| model.is_unfinished());
        let has_failed = reply.get("ok") == Some(&Json::Bool(false));
        if has_failed || text(&reply, "command").is_none() {
            assert_eq!(unfinished().count(), 0, "{note}: {said}");
            let is_lost = models.values().any(Model::is_lost);
            assert_eq!(has_failed, is_lost, "{note}: {said}");
            seen[usize::from(has_failed)] += 1;
            continue;
        }
        let member = |key| text(&reply, key);
        let chosen = unfinished().find(|((command, feature), _)| {
            (member("command"), member("feature")) == (Some(command), *feature)
        });
        let (name, model) = chosen.unwrap_or_else(|| panic!("{note}: it is over: {said}"));
        assert_named(&reply, model, &note);
        let others = value(&reply).as_object().unwrap().get("others").unwrap();
        let others = others.as_array().unwrap().iter();
        let others: BTreeSet<String> = others.map(Json::to_line).collect();
        let expected = unfinished().map(|(name, _)| *name).filter(|it| it != name);
        let expected = expected.map(|it| Json::Object(Object::from_iter(of(it))).to_line());
        assert_eq!(others, expected.collect(), "{note}: {said}");
        // None that has something to do is passed over for one that has less, or is older.
        let has_work = !model.next().is_empty();
        let updated = updated_at(&world, *name);
        for (other, _) in unfinished().filter(|(_, it)| !has_work || !it.next().is_empty()) {
            let later = updated_at(&world, *other);
            assert!(later <= updated, "{note}: {other:?} is later: {said}");
        }
        if !has_work {
            assert!(
                unfinished().all(|(_, it)| it.next().is_empty()),
                "{note}: {said}"
            );
        }
        seen[2 + usize::from(has_work)] += 1;
    }
    // Each of the four answers was given: nothing, a failure, nothing to do, something to do.
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}
