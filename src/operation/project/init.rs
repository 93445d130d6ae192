//! The folders and pages of a project, made where they are absent.

use crate::checkpoint::command::publish;
use crate::effect::Io;
use crate::error::{Error, Written};
use crate::json::{Json, Object};
use crate::operation::reply::noticing;
use crate::operation::row::{Answering, Arguments, NONE, Operation, optional, required, shape};
use crate::operation::{Reply, Settings};
use crate::root::{self, Root};
use crate::schema::{Kind, Shape};
use crate::store::Storage;
use crate::{handoff, integrations, store};

use super::files::{create, read};
use super::load_integrations::INTEGRATIONS;

pub(super) const OPERATION: Operation = Operation::at(
    "init",
    "Makes the state folder and, where they are absent, the configuration and the protocol pages.",
    &NONE,
    Kind::List(&Kind::Object(&MADE)),
    perform,
);

const MADE: Shape = shape(
    "Made",
    "What became of one file or folder.",
    &[
        required("path", Kind::String, "Relative to the root."),
        required(
            "outcome",
            Kind::Enum(&["created", "kept", "missing_section", "in_records"]),
            "Whether it was made, was there, was there without a section, or is no folder, since the \
             host keeps records.",
        ),
        optional("section", &Kind::String, "The section that is not in it."),
    ],
);

const SCHEMA_PAGE: &str = ".claude/protocols/checkpoint-schema.md";
const HANDOFF_PAGE: &str = ".claude/sub-agents/protocols/handoff.md";

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    Box::pin(async move {
        let reply = init(io, settings).await;
        reply.map(|made| made.into_iter().map(Json::from).collect::<Vec<_>>().into())
    })
}

/// What [`init`] did about one file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Relative to the root.
    pub path: String,
    /// What came of it.
    pub outcome: MadeOutcome,
}

/// See [`Made`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadeOutcome {
    /// It was absent and is there now.
    Created,
    /// It was there and is as it was.
    Kept,
    /// It was there and is as it was; this section is not in it.
    MissingSection(String),
    /// There is no such folder: the host keeps documents in records.
    InRecords,
}

impl From<Made> for Json {
    fn from(Made { path, outcome }: Made) -> Self {
        let (word, section) = match outcome {
            MadeOutcome::Created => ("created", None),
            MadeOutcome::Kept => ("kept", None),
            MadeOutcome::MissingSection(section) => ("missing_section", Some(section)),
            MadeOutcome::InRecords => ("in_records", None),
        };
        let mut object = Object::new().with("path", path).with("outcome", word);
        if let Some(section) = section {
            object.set("section", section);
        }
        object.into()
    }
}

/// Makes the state folder and, where they are absent, the configuration and the protocol pages.
///
/// Fails with `unsafe_path`, `io`, `usage`. What was made before a failure stays, which then says
/// that what was written is unknown; running it again goes on from there.
pub async fn init(io: &Io, settings: &Settings) -> Reply<Vec<Made>> {
    noticing(async |_| {
        let mut made = Vec::new();
        match make(io, settings, &mut made).await {
            Ok(()) => Ok(made),
            Err(error) if made.iter().any(|it| it.outcome == MadeOutcome::Created) => {
                Err(error.with_written(Written::Unknown))
            }
            Err(error) => Err(error),
        }
    })
    .await
}

async fn make(io: &Io, settings: &Settings, made: &mut Vec<Made>) -> Result<(), Error> {
    let root = root::locate(io, settings).await?;
    let folder = root::state_folder(&root, settings)?;
    root::expect_known(io, &root, &folder).await?;
    root::expect_there(io, &root, &folder).await?;
    let state = match folder.storage() {
        Storage::Records => MadeOutcome::InRecords,
        Storage::Files => match store::make_folder(io, &folder, settings.durability).await? {
            true => MadeOutcome::Created,
            false => MadeOutcome::Kept,
        },
    };
    made.push(Made {
        path: folder.path().to_owned(),
        outcome: state,
    });
    let pages = [
        (
            INTEGRATIONS,
            Json::Object(integrations::default_document()).to_document(),
            None,
        ),
        (SCHEMA_PAGE, publish::markdown(), None),
        (
            HANDOFF_PAGE,
            handoff::page().to_owned(),
            Some(handoff::enforcement_section()),
        ),
    ];
    for (path, text, section) in pages {
        let outcome = match create(io, &root, path, &text).await? {
            true => MadeOutcome::Created,
            false => match section {
                Some(section) if !has_heading(io, &root, path, section).await? => {
                    MadeOutcome::MissingSection(section.to_owned())
                }
                _ => MadeOutcome::Kept,
            },
        };
        made.push(Made {
            path: path.to_owned(),
            outcome,
        });
    }
    Ok(())
}

async fn has_heading(io: &Io, root: &Root, path: &str, section: &str) -> Result<bool, Error> {
    let heading = section.lines().next().unwrap_or_default();
    let page = read(io, root, path).await?.unwrap_or_default();
    let page = String::from_utf8_lossy(&page);
    Ok(page.lines().any(|line| line.trim_end() == heading))
}
