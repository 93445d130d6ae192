//! The examination of the state folder.

use crate::agent::Agent;
use crate::agent::registration::{LineRuns, SettingsScope, file};
use crate::doctor::{self, Finding, Fix, FixStep, SettingsLocation};
use crate::effect::{Io, boxed};
use crate::error::Error;
use crate::json::Json;
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
use crate::operation::hooks::{User, settings_locations};
use crate::operation::reply::with_warnings;
use crate::operation::row::{
    Answering, Arguments, Capability, Operation, optional, required, shape,
};
use crate::operation::{Reply, Settings, Warnings};
use crate::root::{self, Root};
use crate::schema::{Kind, Shape};

use super::load_integrations::added_commands;

pub(super) const OPERATION: Operation = Operation::changing(
    "doctor",
    "Examines the state folder and its file system, and says how to fix each problem.",
    &ARGUMENTS,
    Kind::List(&Kind::Object(&FINDING)),
    perform,
)
.of(Capability::Disks);

const ARGUMENTS: Shape = shape(
    "DoctorArguments",
    "The changes that it may make.",
    &[
        optional(
            "fix",
            &Kind::Boolean,
            "Fix what can be fixed without a risk.",
        ),
        optional(
            "look_only",
            &Kind::Boolean,
            "Leave out trying the file system, so that nothing at all is written. Not with `fix`.",
        ),
    ],
);

const FINDING: Shape = shape(
    "Finding",
    "One thing that an examination found.",
    &[
        required("check", Kind::String, "The check, such as `modes`."),
        required(
            "level",
            Kind::Enum(&["ok", "note", "warning", "error"]),
            "Its weight.",
        ),
        optional("path", &Kind::String, "The location, relative to the root."),
        required("found", Kind::String, "The result."),
        optional("why", &Kind::String, "Why it matters."),
        optional(
            "mend",
            &Kind::List(&Kind::Object(&STEP)),
            "The steps that fix it, in their order; absent where none is known.",
        ),
        optional("mended", &Kind::Boolean, "True if it was fixed just now."),
    ],
);

const STEP: Shape = shape(
    "MendStep",
    "One step that fixes a finding. Paths are relative to the root.",
    &[
        required(
            "kind",
            Kind::Enum(&FixStep::KINDS),
            "The step; `fix` is an examination that may fix.",
        ),
        optional(
            "path",
            &Kind::String,
            "The file or folder that it is done to.",
        ),
        optional("from", &Kind::String, "The name that it has, for `move`."),
        optional("to", &Kind::String, "The name that it gets, for `move`."),
        optional("command", &Kind::String, "The command, for `recover`."),
        optional("feature", &Kind::String, "The feature, for `recover`."),
        optional("thread", &Kind::String, "The thread, for `recover_thread`."),
        optional(
            "kept",
            &Kind::List(&Kind::String),
            "Patterns of the names that stay, for `clear`.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let fix = match (arguments.flag("fix"), arguments.flag("look_only")) {
            (true, true) => {
                let message = "Expected one of `fix` and `look_only`, got both".to_owned();
                return Warnings::default().reply(Err(Error::usage(message)));
            }
            (true, false) => Fix::Safe,
            (false, true) => Fix::Look,
            (false, false) => Fix::None,
        };
        let reply = doctor(io, settings, fix).await;
        reply.map(|found| found.into_iter().map(Json::from).collect::<Vec<_>>().into())
    })
}

/// Examines the state folder, as [`doctor::examine`] does.
///
/// Fails with `usage`, `io` where not even the place can be found.
pub async fn doctor(io: &Io, settings: &Settings, fix: Fix) -> Reply<Vec<Finding>> {
    examined(io, settings, fix, &LineRuns::default(), of_project).await
}

/// Examines with the user's own settings of agents, and with the results of the registered lines that the host ran.
///
/// Fails as [`doctor()`].
#[cfg(any(feature = "cli", not(target_family = "wasm")))]
pub async fn doctor_of(io: &Io, settings: &Settings, fix: Fix, user: &User) -> Reply<Vec<Finding>> {
    let places = |root: &Root| settings_locations(root, user);
    examined(io, settings, fix, &user.runs, places).await
}

async fn examined(
    io: &Io,
    settings: &Settings,
    fix: Fix,
    runs: &LineRuns,
    places: impl FnOnce(&Root) -> Vec<SettingsLocation>,
) -> Reply<Vec<Finding>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        root::expect_there(io, &root, &folder).await?;
        let added = added_commands(io, &root).await;
        let sessions = root::sessions_folder(&root, settings)?;
        let sessions = [root::archive_folder(&root, &sessions)?, sessions];
        let known = doctor::DoctorInput {
            sessions: &sessions,
            added: &added,
            settings: &places(&root),
            runs,
        };
        doctor::examine(io, &root, &folder, &known, fix).await
    })
    .await
}

/// The files of a project that agents read hooks from.
fn of_project(root: &Root) -> Vec<SettingsLocation> {
    let of = |agent: Agent| {
        let scopes = [SettingsScope::Project, SettingsScope::Local].into_iter();
        let files = scopes.filter_map(move |scope| file(agent, scope));
        files.map(move |file| SettingsLocation {
            agent,
            shown: file.path.to_owned(),
            host: root.join(file.path),
        })
    };
    Agent::ALL.into_iter().flat_map(of).collect()
}
