//! On the real file system, with the real git.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use milepost::checkpoint::command::additions::Creation;
use milepost::doctor::{Check, Finding, Fix, Level};
use milepost::effect::{Effect, Machine};
use milepost::json::Object;
use milepost::operation::command;
use milepost::operation::project::doctor;
use milepost::operation::{Settings, Target};
use tempfile::TempDir;

use super::{assert_nothing_is_wrong, of, only, settings, steps};
use crate::disk::Disk;

struct Project(TempDir);

impl Project {
    /// A repository with a checkpoint of `design`.
    fn new() -> Self {
        let project = Project(tempfile::tempdir().unwrap());
        project.git(&["init", "-q"]);
        let settings = project.settings();
        let reply = Disk::new().run(|io| async move {
            let target = Target {
                command: "design".into(),
                feature: None,
            };
            let patch = Object::from_iter([("status", "in_progress")]);
            let update = command::update_phase::PhaseUpdate {
                phase: "a",
                patch: &patch,
                task: None,
                add: None,
                creation: Creation::Allowed,
            };
            command::update_phase::update_phase(&io, &settings, &target, &update).await
        });
        reply.result.unwrap();
        project
    }

    fn settings(&self) -> Settings {
        settings(self.0.path().to_str().unwrap())
    }

    fn at(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn git(&self, arguments: &[&str]) {
        git_in(self.0.path(), arguments);
    }

    fn examine(&self, fix_mode: Fix) -> Vec<Finding> {
        let settings = self.settings();
        let reply =
            Disk::new().run(|io| async move { doctor::doctor(&io, &settings, fix_mode).await });
        reply.result.unwrap()
    }
}

fn git_in(folder: &Path, arguments: &[&str]) {
    let mut git = crate::git::with_identity(folder);
    let status = git.args(arguments).status().unwrap();
    assert!(status.success());
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_project_is_sound_after_its_first_save() {
    let project = Project::new();
    let findings = project.examine(Fix::None);
    assert_eq!(findings.len(), Check::ALL.len());
    assert!(
        findings.iter().all(|it| it.level == Level::Ok),
        "{findings:#?}"
    );
}

/// Everything below a folder with the moment of its last change, which every write moves.
fn change_times(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime)> {
    let mut found = vec![(
        folder.to_owned(),
        fs::metadata(folder).unwrap().modified().unwrap(),
    )];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(change_times(&path)),
            false => found.push((
                path.clone(),
                fs::metadata(path).unwrap().modified().unwrap(),
            )),
        }
    }
    found
}

#[test]
fn an_examination_without_a_fix_writes_nothing() {
    let project = Project::new();
    let state = project.at(".claude/state");
    let before = change_times(&state);
    let findings = project.examine(Fix::Look);
    assert_eq!(change_times(&state), before);
    // Of what was not tried nothing is said.
    assert_eq!(findings.len(), Check::ALL.len() - 1);
    assert!(of(&findings, Check::FileSystem).is_empty());
    // A clock that files are dated by may be coarser than this is slow.
    for (path, _) in before.into_iter().filter(|(path, _)| path.is_dir()) {
        let folder = fs::File::open(path).unwrap();
        folder.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let before = change_times(&state);
    project.examine(Fix::None);
    assert_ne!(change_times(&state), before);
}

#[test]
fn a_state_folder_that_others_can_read_is_closed() {
    let project = Project::new();
    let folders = [".claude/state", ".claude/state/.milepost"].map(|path| project.at(path));
    for folder in &folders {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let findings = project.examine(Fix::None);
    let found: Vec<_> = of(&findings, Check::Modes)
        .iter()
        .map(|it| (it.level, it.found.as_str(), it.path.as_deref().unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            (Level::Warning, "Its mode is 0755", ".claude/state"),
            (
                Level::Warning,
                "Its mode is 0755",
                ".claude/state/.milepost"
            ),
        ]
    );
    assert_nothing_is_wrong(&project.examine(Fix::Safe));
    assert_eq!(folders.each_ref().map(|it| mode(it)), [0o700; 2]);
}

#[test]
fn a_fix_gives_the_side_folder_the_mode_that_it_is_made_with() {
    let project = Project::new();
    let folder = project.at(".claude/state/.milepost");
    for given in [0o555, 0o500, 0o700, 0o755] {
        fs::set_permissions(&folder, fs::Permissions::from_mode(given)).unwrap();
        assert_nothing_is_wrong(&project.examine(Fix::Safe));
        assert_eq!(mode(&folder), 0o700, "{given:o}");
    }
}

/// The side folder of the checkpoint, and those in it that every save writes to.
const WRITTEN: [&str; 3] = [
    ".claude/state/.milepost/design-checkpoint",
    ".claude/state/.milepost/design-checkpoint/history",
    ".claude/state/.milepost/design-checkpoint/tokens",
];

#[test]
fn one_examination_finds_every_folder_that_cannot_be_written_to_and_a_fix_opens_all() {
    let project = Project::new();
    for path in WRITTEN {
        fs::set_permissions(project.at(path), fs::Permissions::from_mode(0o500)).unwrap();
    }
    let findings = project.examine(Fix::None);
    let found = of(&findings, Check::Folder);
    let paths: Vec<_> = found.iter().filter_map(|it| it.path.as_deref()).collect();
    assert_eq!(paths, WRITTEN, "{findings:#?}");
    for error in found {
        assert_eq!(error.level, Level::Error);
        assert_eq!(
            error.found,
            "Its mode is 0500, so that its owner cannot write to it"
        );
        assert_eq!(steps(error).as_deref(), Some("fix"));
    }
    assert_nothing_is_wrong(&project.examine(Fix::Safe));
    assert_eq!(WRITTEN.map(|path| mode(&project.at(path))), [0o700; 3]);
}

#[test]
fn a_fix_opens_the_folders_in_a_folder_that_could_not_be_searched() {
    let project = Project::new();
    let [side, history, tokens] = WRITTEN.map(|path| project.at(path));
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(&history, fs::Permissions::from_mode(0o500)).unwrap();
    fs::set_permissions(&side, fs::Permissions::from_mode(0o600)).unwrap();
    let findings = project.examine(Fix::None);
    let found = of(&findings, Check::Folder);
    // Of what is in it nothing is known, and nothing there is to be moved away.
    let first = found.first().unwrap();
    assert_eq!(first.path.as_deref(), Some(WRITTEN[0]), "{findings:#?}");
    assert!(first.found.contains("cannot search it"), "{first:?}");
    let lines = found.iter().filter_map(|it| steps(it));
    assert!(lines.into_iter().all(|line| line == "fix"), "{findings:#?}");
    assert_nothing_is_wrong(&project.examine(Fix::Safe));
    let modes = [&side, &history, &tokens].map(|path| mode(path));
    assert_eq!(modes, [0o700; 3]);
}

#[test]
fn a_fix_opens_the_folder_of_snapshots_and_the_archive_in_it() {
    let project = Project::new();
    let folders =
        [".claude/checkpoints", ".claude/checkpoints/archive"].map(|path| project.at(path));
    fs::create_dir_all(&folders[1]).unwrap();
    for folder in folders.iter().rev() {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o600)).unwrap();
    }
    project.examine(Fix::Safe);
    assert_eq!(folders.map(|folder| mode(&folder)), [0o700; 2]);
}

#[test]
fn a_closed_folder_beyond_a_symbolic_link_is_left_alone() {
    let project = Project::new();
    let outside = tempfile::tempdir().unwrap();
    let beyond = outside.path().join("state");
    fs::create_dir(&beyond).unwrap();
    fs::set_permissions(&beyond, fs::Permissions::from_mode(0o500)).unwrap();
    fs::remove_dir_all(project.at(".claude")).unwrap();
    symlink(outside.path(), project.at(".claude")).unwrap();
    project.examine(Fix::Safe);
    assert_eq!(mode(&beyond), 0o500);
}

#[test]
fn a_closed_folder_of_another_program_is_left_alone() {
    let project = Project::new();
    let other = project.at(".claude/state/other");
    fs::create_dir(&other).unwrap();
    fs::set_permissions(&other, fs::Permissions::from_mode(0o500)).unwrap();
    assert_nothing_is_wrong(&project.examine(Fix::Safe));
    assert_eq!(mode(&other), 0o500);
}

#[test]
fn a_state_file_that_git_tracks_comes_with_the_command_that_untracks_it() {
    let project = Project::new();
    let file = ".claude/state/design-checkpoint.json";
    project.git(&["add", "-f", file]);
    let findings = project.examine(Fix::Safe);
    let warning = only(&findings, Check::Tracked);
    let remedy = steps(warning).unwrap();
    assert_eq!(remedy, "git rm -r --cached -- .claude/state");
    let words: Vec<&str> = remedy.split(' ').skip(1).collect();
    project.git(&words);
    assert_nothing_is_wrong(&project.examine(Fix::None));
    assert!(project.at(file).exists());
}

#[test]
fn tracked_files_are_found_in_a_split_index_and_from_a_folder_below_the_top() {
    let project = Project::new();
    project.git(&["add", "-f", ".claude/state"]);
    project.git(&["update-index", "--split-index"]);
    let findings = project.examine(Fix::None);
    let warning = only(&findings, Check::Tracked);
    let expected = "Git tracks 3 files of it, such as .claude/state/.gitignore";
    assert_eq!(warning.found, expected);

    // The index as before, seen from the folder below which its paths are.
    let top = tempfile::tempdir().unwrap();
    let below = top.path().join("below");
    fs::rename(project.0.path(), &below).unwrap();
    fs::remove_dir_all(below.join(".git")).unwrap();
    git_in(top.path(), &["init", "-q"]);
    git_in(top.path(), &["add", "-f", "below/.claude/state"]);
    let below = below.to_str().unwrap();
    let settings = Settings {
        root: Some(below.to_owned()),
        ..settings(below)
    };
    let reply =
        Disk::new().run(|io| async move { doctor::doctor(&io, &settings, Fix::None).await });
    assert_eq!(only(&reply.result.unwrap(), Check::Tracked).found, expected);
}

#[test]
fn a_fifo_in_the_place_of_any_file_is_reported_without_waiting_for_it() {
    let side = ".claude/state/.milepost/design-checkpoint";
    for part in [
        ".claude/state/design-checkpoint.json".to_owned(),
        format!("{side}/lock"),
        format!("{side}/tokens/00112233445566778899aabbccddeeff"),
        format!("{side}/history"),
        ".claude/state/.milepost".to_owned(),
    ] {
        let project = Project::new();
        let path = project.at(&part);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        let findings = project.examine(Fix::Safe);
        let error = only(&findings, Check::Folder);
        assert_eq!(error.path.as_deref(), Some(part.as_str()));
    }
}

#[test]
fn nothing_behind_a_symlink_is_read_changed_or_removed() {
    let side = ".claude/state/.milepost/design-checkpoint";
    for part in [
        ".claude".to_owned(),
        ".claude/state".to_owned(),
        ".claude/state/.milepost".to_owned(),
        side.to_owned(),
        format!("{side}/tokens"),
        format!("{side}/history"),
        format!("{side}/quarantine"),
    ] {
        let project = Project::new();
        let outside = tempfile::tempdir().unwrap();
        // Leftovers, folders open to others, and a probe, if they were looked at.
        fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["00112233445566778899aabbccddeeff", "lock", "1-x.tmp"] {
            fs::write(outside.path().join(name), "mine").unwrap();
        }
        let path = project.at(&part);
        let _ = fs::remove_dir_all(&path);
        symlink(outside.path(), &path).unwrap();
        let findings = project.examine(Fix::Safe);
        let error = only(&findings, Check::Folder);
        assert_eq!(error.path.as_deref(), Some(part.as_str()));
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 3, "{part}");
        assert_eq!(mode(outside.path()), 0o755, "{part}");
    }
}

#[test]
fn tasks_behind_a_symlink_are_not_looked_at() {
    let project = Project::new();
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir(outside.path().join("task-1")).unwrap();
    fs::write(outside.path().join("task-1/index.json"), "mine").unwrap();
    let tasks = ".claude/state/tasks";
    symlink(outside.path(), project.at(tasks)).unwrap();
    let findings = project.examine(Fix::Safe);
    let error = only(&findings, Check::Tasks);
    assert_eq!(error.path.as_deref(), Some(tasks));
    assert_eq!(error.level, Level::Error);
}

#[test]
fn more_strays_than_a_listing_holds_are_examined_in_bounded_time() {
    let project = Project::new();
    let (folder, count, kept) = milepost_property::rounds(
        (
            ".claude/state/.milepost/design-checkpoint/tokens",
            10_001,
            "",
        ),
        (".claude/state/.milepost", 100_000, " ! -name .gitignore"),
    );
    for stray in 0..count {
        fs::File::create(project.at(folder).join(format!("design-{stray}"))).unwrap();
    }
    let start = Instant::now();
    let findings = project.examine(Fix::None);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(120), "{took:?}");
    let error = only(&findings, Check::Strays);
    assert_eq!(error.level, Level::Error);
    let remedy = steps(error).unwrap();
    assert_eq!(
        remedy,
        format!("find {folder} -maxdepth 1 -type f{kept} -delete")
    );
    let mut find = Command::new("sh");
    find.args(["-c", &remedy]).current_dir(project.0.path());
    assert!(find.status().unwrap().success());
    assert_nothing_is_wrong(&project.examine(Fix::None));
}

#[test]
fn a_folder_of_the_users_own_keeps_its_mode_and_its_gitignore() {
    let project = Project::new();
    let settings = Settings {
        dir: Some("my state".into()),
        ..project.settings()
    };
    let folder = project.at("my state");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let at = settings.clone();
    let saved = Disk::new().run(|io| async move {
        let target = Target {
            command: "ship".into(),
            feature: None,
        };
        let given = command::save::RunInput::Text("{}");
        command::save::save(&io, &at, &target, given, Creation::Allowed).await
    });
    saved.result.unwrap();
    let findings = Disk::new()
        .run(|io| async move { doctor::doctor(&io, &settings, Fix::Safe).await })
        .result
        .unwrap();
    assert_nothing_is_wrong(&findings);
    let note = only(&findings, Check::Modes);
    assert_eq!(steps(note).as_deref(), Some("chmod go-rwx 'my state'"));
    assert_eq!(mode(&folder), 0o755);
    assert!(!folder.join(".gitignore").exists());
}

#[test]
fn a_link_with_the_name_of_a_leftover_probe_costs_no_file_of_the_folder_it_leads_to() {
    let probe = "probe-00112233445566778899aabbccddeeff";
    for folder in [".claude/state", ".claude/state/.milepost"] {
        let project = Project::new();
        let outside = tempfile::tempdir().unwrap();
        // By name, what an examination makes, and what it does not.
        for name in ["one", "stays-1", "thesis.txt"] {
            fs::write(outside.path().join(name), "mine").unwrap();
        }
        let link = project.at(&format!("{folder}/{probe}"));
        symlink(outside.path(), &link).unwrap();
        let findings = project.examine(Fix::Safe);
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 3, "{folder}");
        assert!(link.is_symlink(), "{folder}");
        assert!(of(&findings, Check::Leftovers).is_empty(), "{findings:#?}");
        let error = only(&findings, Check::Folder);
        let path = format!("{folder}/{probe}");
        assert_eq!(error.path.as_deref(), Some(path.as_str()));
        assert_eq!(steps(error), Some(format!("mv {path} '{path}~'")));
    }
}

#[test]
fn a_probe_that_becomes_a_link_after_it_was_found_leads_no_fix_out_of_the_project() {
    let project = Project::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("one"), "mine").unwrap();
    let probe = project.at(".claude/state/.milepost/probe-00112233445566778899aabbccddeeff");
    fs::create_dir(&probe).unwrap();
    let settings = project.settings();
    let machine = Machine::start(move |io| async move {
        doctor::doctor(&io, &settings, Fix::Safe)
            .await
            .result
            .unwrap()
    });
    let mut disk = Disk::new();
    let mut inspections = 0;
    let findings = machine.run(|effect| {
        let outcome = disk.perform(effect.clone());
        // The last of the inspections by which a leftover is found; those before it look at its mode.
        if matches!(&effect, Effect::Inspect { paths } if paths.last().is_some_and(|it| it.ends_with("ccddeeff")))
        {
            inspections += 1;
            if inspections == 5 {
                fs::remove_dir(&probe).unwrap();
                symlink(outside.path(), &probe).unwrap();
            }
        }
        outcome
    });
    assert!(outside.path().join("one").exists());
    assert!(!only(&findings, Check::Leftovers).is_fixed);
}
