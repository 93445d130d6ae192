//! Hooks that are registered in the settings of coding agents.

use crate::agent::registration::{Program, find};
use crate::doctor::facts::{DoctorInput, RegisteredSettings, Runs, SettingsLocation};
use crate::effect::{Io, Links, PathKind};
use crate::json::{self, Json};
use crate::root::Root;

/// No settings, and no description of a package, are larger.
const MAX_BYTES: u32 = 1024 * 1024;

/// The package of a workspace is at most so many folders above a project in it.
const MAX_ABOVE: usize = 4;

/// The files in which hooks are registered. What cannot be read has none that an agent could run.
pub(super) async fn scan(io: &Io, root: &Root, known: &DoctorInput<'_>) -> Vec<RegisteredSettings> {
    let mut all = Vec::new();
    for SettingsLocation { agent, shown, host } in known.settings {
        let Some(text) = text(io, host.clone()).await else {
            continue;
        };
        let Ok(found) = find(*agent, &text) else {
            continue;
        };
        if found.events > 0 {
            let runs = runs(io, root, found.program.as_ref()).await;
            let run = known.runs.of(&found.commands).cloned();
            all.push(RegisteredSettings {
                agent: *agent,
                path: shown.clone(),
                found,
                runs,
                run,
            });
        }
    }
    all
}

async fn runs(io: &Io, root: &Root, program: Option<&Program>) -> Runs {
    match program {
        None => Runs::Package(None),
        Some(Program::Native(None)) => Runs::OnPath,
        Some(Program::Compiled(path) | Program::Native(Some(path))) => {
            let looked = io.inspect(vec![path.clone()]).await;
            let is_gone =
                looked.is_ok_and(|it| it.iter().all(|entry| entry.kind == PathKind::Absent));
            match is_gone {
                true => Runs::Nothing(path.clone()),
                false => Runs::File,
            }
        }
        Some(Program::Installed(folder)) => {
            let path = format!("{folder}/package.json");
            match text(io, path).await {
                Some(text) => Runs::Package(version(&text)),
                None => Runs::Nothing(folder.clone()),
            }
        }
        Some(Program::Dependency { above }) => {
            let below = "node_modules/milepost/package.json";
            for above in *above..=MAX_ABOVE {
                let path = root.join(&format!("{}{below}", "../".repeat(above)));
                if let Some(text) = text(io, path).await {
                    return Runs::Package(version(&text));
                }
            }
            Runs::Nothing("node_modules/milepost".to_owned())
        }
    }
}

async fn text(io: &Io, path: String) -> Option<String> {
    let read = io.read(path, MAX_BYTES, Links::Follow).await;
    String::from_utf8(read.ok()?).ok()
}

fn version(package: &str) -> Option<String> {
    let package = json::read(package.as_bytes()).ok()?.value;
    let version = package.as_object()?.get("version").and_then(Json::as_str);
    version.map(str::to_owned)
}
