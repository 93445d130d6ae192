//! The folders and pages of a project, made where they are absent.

use crate::checkpoint::command::publish;
use crate::effect::{Io, boxed};
use crate::error::{Error, Written};
use crate::handoff::{self, Missing};
use crate::integrations;
use crate::json::{Json, Object};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings};
use crate::root;
use crate::schema::{Kind, Shaped};
use crate::store;
use crate::store::Storage;

use super::files::{create, read, stand};

pub(super) const OPERATION: Operation = Operation::changing::<(), Vec<InitEntry>>(
    "init",
    "Makes the state folder and, where they are absent, the configuration and the protocol pages.",
    perform,
)
.of(Capability::Disks);

const SCHEMA_PAGE: &str = ".claude/protocols/checkpoint-schema.md";
const HANDOFF_PAGE: &str = ".claude/sub-agents/protocols/handoff.md";

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move { init(io, settings).await.map(Json::from) })
}

/// The outcome for one file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
#[shape(name = "Made")]
pub struct InitEntry {
    /// Relative to the root.
    pub path: String,
    /// The outcome.
    #[shape(flatten, into = InitMembers)]
    pub outcome: InitOutcome,
}

/// The outcome in an answer.
#[derive(Shaped)]
struct InitMembers {
    /// The outcome: it was made, was there, was there without something that it needs, or is no folder, since the host
    /// keeps records.
    #[shape(kind = Kind::Enum(&["created", "kept", "missing_section", "in_records"]))]
    outcome: &'static str,
    /// All that is not in it and is to be added, as Markdown.
    #[shape(left_out)]
    section: Option<String>,
    /// The names of what is not in it: `mode`, `previous_summary`, `enforcement`.
    #[shape(left_out)]
    missing: Vec<String>,
}

impl From<InitOutcome> for InitMembers {
    fn from(outcome: InitOutcome) -> Self {
        let (outcome, missing) = match outcome {
            InitOutcome::Created => ("created", Vec::new()),
            InitOutcome::Unchanged => ("kept", Vec::new()),
            InitOutcome::MissingSections(missing) => ("missing_section", missing),
            InitOutcome::InRecords => ("in_records", Vec::new()),
        };
        let texts: Vec<&str> = missing.iter().map(|it| it.text.as_str()).collect();
        InitMembers {
            outcome,
            section: (!missing.is_empty()).then(|| texts.join("\n\n")),
            missing: missing.iter().map(|it| it.name.to_owned()).collect(),
        }
    }
}

/// See [`InitEntry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitOutcome {
    /// It was absent and is there now.
    Created,
    /// It was there and is unchanged.
    Unchanged,
    /// It was there and is unchanged; these are not in it.
    MissingSections(Vec<Missing>),
    /// There is no such folder: the host keeps documents in records.
    InRecords,
}

/// Makes the state folder and, where they are absent, the configuration and the protocol pages.
///
/// Fails with `unsafe_path`, `io`, `usage`. What was made before a failure stays, which then says
/// that what was written is unknown; running it again goes on from there.
pub async fn init(io: &Io, settings: &Settings) -> Reply<Vec<InitEntry>> {
    with_warnings(async |_| {
        let mut entries = Vec::new();
        match make(io, settings, &mut entries).await {
            Ok(()) => Ok(entries),
            Err(error) if entries.iter().any(|it| it.outcome == InitOutcome::Created) => {
                Err(error.with_written(Written::Unknown))
            }
            Err(error) => Err(error),
        }
    })
    .await
}

/// Returns true where the configuration that [`init`] makes is there; false where the host cannot look.
pub async fn is_initialized(io: &Io, settings: &Settings) -> bool {
    let Ok(root) = root::locate(io, settings).await else {
        return false;
    };
    let found = stand(io, &root, integrations::FILE).await;
    found.is_ok_and(|kind| kind == crate::effect::PathKind::File)
}

async fn make(io: &Io, settings: &Settings, entries: &mut Vec<InitEntry>) -> Result<(), Error> {
    let root = root::locate(io, settings).await?;
    let folder = root::state_folder(&root, settings)?;
    root::expect_known(io, &root, &folder).await?;
    root::expect_there(io, &root, &folder).await?;
    let state = match folder.storage() {
        Storage::Records => InitOutcome::InRecords,
        Storage::Files => match store::make_folder(io, &folder, settings.durability).await? {
            true => InitOutcome::Created,
            false => InitOutcome::Unchanged,
        },
    };
    entries.push(InitEntry {
        path: folder.path().to_owned(),
        outcome: state,
    });
    let pages = [
        (
            integrations::FILE,
            // A project names its integrations itself.
            Json::Object(Object::new()).to_document(),
        ),
        (SCHEMA_PAGE, publish::markdown(&[])),
        (HANDOFF_PAGE, handoff::page().to_owned()),
    ];
    for (path, text) in pages {
        let outcome = match create(io, &root, path, &text).await? {
            true => InitOutcome::Created,
            false if path == HANDOFF_PAGE => {
                let page = read(io, &root, path).await?.unwrap_or_default();
                let missing = handoff::missing(&String::from_utf8_lossy(&page));
                match missing.is_empty() {
                    true => InitOutcome::Unchanged,
                    false => InitOutcome::MissingSections(missing),
                }
            }
            false => InitOutcome::Unchanged,
        };
        entries.push(InitEntry {
            path: path.to_owned(),
            outcome,
        });
    }
    Ok(())
}
