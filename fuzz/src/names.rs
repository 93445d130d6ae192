//! From names to paths: any text is refused, or leads to files in the state folder whose names mean
//! the same on every file system.

use milepost::checkpoint::command::definition::COMMANDS;
use milepost::checkpoint::command::name;
use milepost::error::Code;
use milepost::json::{self, Json, Object};
use milepost::operation::request;
use milepost::store::{Stem, StoreFolder};

use crate::host::{Host, ROOT, STATE};
use crate::input::{Result, Unstructured, check, document, one_in, text};

/// Names that Windows keeps for devices, without their digits.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Two features, a phase, and a folder for documents.
pub fn run(data: &[u8]) {
    check(data, |u| {
        let command = *u.choose(&COMMANDS)?;
        let feature = text::feature(u)?;
        let other = text::feature(u)?;
        let stem = stem(command, &feature);
        assert_eq!(stem.is_some(), is_allowed(&feature), "{feature:?}");
        if let Some(stem) = &stem {
            is_one_portable_part(&stem.file());
            is_one_portable_part(&stem.side());
            assert_eq!(Stem::of_file(&stem.file()).as_ref(), Some(stem));
            assert_eq!(
                name::of_stem(stem.as_str()),
                Some((command, Some(&*feature)))
            );
            if let Some(other) = self::stem(command, &other) {
                let folded = stem.file().eq_ignore_ascii_case(&other.file());
                assert_eq!(
                    stem.side() == other.side(),
                    folded,
                    "{feature:?} and another"
                );
            }
        }
        let phase = match one_in(u, 2)? {
            true => text::any(u)?,
            false => document::phase_name(u)?.to_owned(),
        };
        stays_in_the_state_folder(command, &feature, &phase, stem.is_some());
        folder_stays_below_its_root(&dir(u)?);
        Ok(())
    });
}

/// The stem that a checkpoint is stored under; `None` where its feature is refused.
fn stem(command: &str, feature: &str) -> Option<Stem> {
    let stem = name::stem(command, Some(feature)).ok()?;
    Some(Stem::new(stem).unwrap())
}

/// The rule of names, from its other side.
fn is_allowed(feature: &str) -> bool {
    let Some(first) = feature.chars().next() else {
        return false;
    };
    let is_plain = |it: char| matches!(it, '0'..='9' | 'A'..='Z' | 'a'..='z');
    let stem = feature.to_lowercase();
    is_plain(first)
        && feature.chars().count() <= 100
        && feature.chars().all(|it| is_plain(it) || "._-".contains(it))
        && !feature.ends_with('.')
        && !is_device(&stem)
        && stem != "checkpoint"
}

/// Returns whether Windows opens a device under this name, regardless of what follows its first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let (letters, digits) = stem.split_at(stem.len().min(3));
    DEVICES.contains(&letters)
        && match digits {
            "" => !matches!(letters, "com" | "lpt"),
            "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" => matches!(letters, "com" | "lpt"),
            _ => false,
        }
}

/// One part of a path, on every file system.
fn is_one_portable_part(part: &str) {
    let odd = |it: char| !it.is_ascii_graphic() || "<>:\"/\\|?*".contains(it);
    assert!(!part.contains(odd), "{part:?}");
    assert!(!part.is_empty() && part.len() <= 255, "{part:?}");
    assert!(!part.ends_with('.') && part != "..", "{part:?}");
    assert!(!is_device(part), "{part:?}");
}

/// Expects a whole operation with the names to stay in the state folder.
fn stays_in_the_state_folder(command: &str, feature: &str, phase: &str, is_name: bool) {
    let place = Object::new().with("root", ROOT).with("working", ROOT);
    let request = Object::new()
        .with("operation", "update_phase")
        .with("command", command)
        .with("feature", feature)
        .with("phase", phase)
        .with("patch", Object::from_iter([("status", "in_progress")]))
        .with("place", place);
    let mut host = Host::new(Vec::new(), None);
    let machine = request::start(Json::Object(request).to_line().as_bytes());
    let reply = machine.run(|effect| host.perform(&effect));

    let reply = json::read(reply.as_bytes()).unwrap().value;
    let reply = reply.as_object().unwrap();
    let error = reply
        .get("error")
        .and_then(|error| error.as_object()?.get("code")?.as_str());
    let is_phase = (1..=100).contains(&phase.chars().count()) && !phase.contains(char::is_control);
    if !is_name || !is_phase {
        assert_eq!(error, Some(Code::InvalidName.as_str()));
    } else {
        assert_eq!(error, None);
    }
    if !is_name {
        assert_eq!(host.paths, [""; 0], "a path was asked for");
    }
    // The folders above it are made durable, and the nearest repository is looked for.
    let above = [ROOT, "/repo/.claude", STATE];
    for path in host
        .paths
        .iter()
        .filter(|path| !above.contains(&path.as_str()))
    {
        let below = path
            .strip_prefix(STATE)
            .and_then(|below| below.strip_prefix('/'));
        let below = below.unwrap_or_else(|| panic!("{path:?} is outside"));
        below.split('/').for_each(is_one_portable_part);
    }
}

/// A folder of documents that a caller may give.
fn dir(u: &mut Unstructured<'_>) -> Result<String> {
    const PARTS: [&str; 16] = [
        "..",
        ".",
        "",
        "/",
        "\\",
        "\\\\",
        "a",
        "a b",
        "C:",
        "c:x",
        "/repo",
        "/repository",
        "...",
        ".. ",
        "\0",
        "~",
    ];
    let parts = crate::input::several(u, 6, |u| {
        Ok(match one_in(u, 4)? {
            true => text::any(u)?,
            false => (*u.choose(&PARTS)?).to_owned(),
        })
    })?;
    let between = ["/", "\\", ""];
    Ok(parts.join(u.choose(&between)?))
}

/// Refused, absolute by the caller's choice, or below the root.
fn folder_stays_below_its_root(dir: &str) {
    let Ok(folder) = StoreFolder::new(ROOT, Some(dir), ".claude/state") else {
        return;
    };
    let path = folder.host("design-checkpoint.json");
    let slashes = path.replace('\\', "/");
    assert!(
        slashes.split('/').all(|part| part != ".."),
        "{dir:?} gives {path:?}"
    );
    let drive = |text: &str| text.as_bytes().get(1) == Some(&b':');
    let chosen = dir.starts_with(['/', '\\']) || drive(dir);
    assert!(
        chosen || path.starts_with("/repo/"),
        "{dir:?} gives {path:?}"
    );
    assert!(
        path.ends_with("/design-checkpoint.json"),
        "{dir:?} gives {path:?}"
    );
}
