//! The distance of HEAD from the commit of a run, as git counts it.

use std::fs;

use milepost::checkpoint::command::additions::Creation;
use milepost::json::{Json, Object};
use milepost::operation::Target;
use milepost::operation::agent::resume_here::resume_here;
use milepost::operation::command::update_phase::{PhaseUpdate, update_phase};
use milepost::operation::request::ParsedRequest;

use super::{Repository, working};
use crate::disk::Disk;

/// Records a run with these files at HEAD.
fn record(repository: &Repository, files: &[&str]) {
    let settings = working(&repository.top());
    let files: Vec<String> = files.iter().map(|&it| it.to_owned()).collect();
    let reply = Disk::new().run(|io| async move {
        let patch = Object::new()
            .with("status", "in_progress")
            .with("files_modified", files);
        let update = PhaseUpdate {
            phase: "a",
            patch: &patch,
            task: None,
            add: None,
            creation: Creation::Allowed,
        };
        update_phase(&io, &settings, &target(), &update).await
    });
    reply.result.unwrap();
}

fn target() -> Target {
    Target {
        command: "implement".to_owned(),
        feature: None,
    }
}

fn since(repository: &Repository) -> Option<String> {
    let settings = working(&repository.top());
    let reply =
        Disk::new().run(|io| async move { resume_here(&io, &settings, Some(&target())).await });
    reply.result.unwrap().unwrap().facts.since_recorded
}

fn commit(repository: &Repository, file: &str, text: &str) {
    let path = repository.top().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    repository.git(&["add", "--all", "--", file]);
    repository.git(&["commit", "-q", "-m", text]);
}

#[test]
fn commits_since_a_run_are_counted_as_git_counts_them() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repository = Repository::new(options);
        for file in ["a", "b/c", "b/d", "e"] {
            commit(&repository, file, "one");
        }
        record(&repository, &["a", "b/c", "b/d", "e", "gone"]);
        assert_eq!(since(&repository), None);
        commit(&repository, "a", "two");
        commit(&repository, "b/c", "two");
        let two = "2 commits since this was recorded; 2 of its 5 files changed in them";
        assert_eq!(since(&repository).as_deref(), Some(two));
        // A merge of a branch that began before, packed: what it brings is new here as well.
        repository.git(&["switch", "-q", "-c", "side", "HEAD~3"]);
        commit(&repository, "side", "one");
        repository.git(&["switch", "-q", "main"]);
        repository.git(&["merge", "-q", "--no-edit", "side"]);
        repository.git(&["rm", "-q", "e"]);
        repository.git(&["commit", "-q", "-m", "without e"]);
        repository.git(&["gc", "-q"]);
        let five = "5 commits since this was recorded; 3 of its 5 files changed in them";
        assert_eq!(since(&repository).as_deref(), Some(five));
    }
}

#[test]
fn a_viewer_gets_the_distance_of_head_from_every_unfinished_run() {
    let repository = Repository::new(&[]);
    commit(&repository, "a", "one");
    let ask = |operation: &str, more: Object| {
        let mut request = Object::new().with("operation", operation).with(
            "place",
            Object::new().with("root", repository.top().to_str().unwrap()),
        );
        more.into_iter()
            .for_each(|(key, value)| request.set(&key, value));
        Disk::new().run(|io| async move {
            let asked = ParsedRequest::read(request.to_line().as_bytes());
            asked.reply(&io).await.result.unwrap()
        })
    };
    record(&repository, &["a"]);
    let done = Object::new().with("command", "design").with("phase", "a");
    let patch = Object::new().with("status", "complete");
    ask("update_phase", done.with("patch", patch));
    ask("complete", Object::new().with("command", "design"));
    let distances = || {
        ask("since_recorded", Object::new())
            .as_array()
            .unwrap()
            .to_vec()
    };
    assert_eq!(distances(), []);
    commit(&repository, "a", "two");
    let [distance] = &distances()[..] else {
        panic!("the run that is complete is counted, too");
    };
    let text = |key: &str| {
        distance
            .as_object()
            .unwrap()
            .get(key)
            .and_then(Json::as_str)
    };
    assert_eq!(
        text("document"),
        Some(".claude/state/implement-checkpoint.json")
    );
    let recorded = repository.git(&["rev-parse", "HEAD~1"]);
    assert_eq!(text("head_commit"), Some(recorded.trim()));
    assert_eq!(text("text"), since(&repository).as_deref());
}

#[test]
fn a_history_without_the_recorded_commit_is_said_to_be_one() {
    let repository = Repository::new(&[]);
    commit(&repository, "a", "one");
    commit(&repository, "a", "two");
    record(&repository, &["a"]);
    let recorded = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["reset", "-q", "--hard", "HEAD~1"]);
    let before = format!(
        "HEAD is before the commit at which this was recorded: `git log HEAD..{}` lists what it lacks; 1 of its 1 \
         files differ",
        &recorded[..7]
    );
    assert_eq!(since(&repository), Some(before));
    commit(&repository, "b", "three");
    let other = "1 commit since this was recorded, on a history that does not have the recorded \
                 commit; its 1 file changed in them";
    assert_eq!(since(&repository).as_deref(), Some(other));
    // Where the commit is not in the repository any more, nothing is counted, and the run is stale all the same.
    repository.git(&["reflog", "expire", "--expire=now", "--all"]);
    repository.git(&["update-ref", "-d", "ORIG_HEAD"]);
    repository.git(&["gc", "-q", "--prune=now"]);
    let gone = format!(
        "recorded at {}, which this repository does not have",
        &recorded[..7]
    );
    assert_eq!(since(&repository), Some(gone));
    // Nor is it counted from what is no commit.
    let file = repository
        .top()
        .join(".claude/state/implement-checkpoint.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(&recorded, "v1.2")).unwrap();
    let odd = "recorded at v1.2; the commits since then cannot be counted";
    assert_eq!(since(&repository).as_deref(), Some(odd));
}
