//! The files of a project that belong to its repository: configuration and protocol pages.
//!
//! They are the user's. They are made where they are absent, and never rewritten.

mod doctor;

use crate::checkpoint::command::publish;
use crate::effect::{Failed, Fault, Io, Kind, Links, Sync};
use crate::error::Error;
use crate::json::{self, Json, Object};
use crate::{handoff, integrations, store};

use super::{Noticed, Reply, Settings};
use crate::root::{self, Root};
pub use doctor::doctor;

const INTEGRATIONS: &str = ".claude/config/integrations.json";
const SCHEMA_PAGE: &str = ".claude/protocols/checkpoint-schema.md";
const HANDOFF_PAGE: &str = ".claude/sub-agents/protocols/handoff.md";

/// No page or configuration that people write is larger.
const MAX_BYTES: u32 = 1024 * 1024;

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
}

/// Makes the state folder and, where they are absent, the configuration and the protocol pages.
///
/// Fails with `unsafe_path`, `io`, `usage`. What was made before a failure stays; running it again
/// goes on from there.
pub async fn init(io: &Io, settings: &Settings) -> Reply<Vec<Made>> {
    let result = async {
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        root::expect_known(io, &root, &folder).await?;
        let state = match store::make_folder(io, &folder, settings.durability).await? {
            true => MadeOutcome::Created,
            false => MadeOutcome::Kept,
        };
        let mut made = vec![Made {
            path: folder.path().to_owned(),
            outcome: state,
        }];
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
        Ok(made)
    };
    Noticed::default().reply(result.await)
}

/// The project's integrations: its `integrations.json` over the defaults.
///
/// Fails with `invalid_document` when a field is wrong or looks like a secret, and with `corrupt`,
/// `unsafe_path`, `too_large`, `io`.
pub async fn load_integrations(io: &Io, settings: &Settings) -> Reply<Object> {
    let mut noticed = Noticed::default();
    let result = async {
        let root = root::locate(io, settings).await?;
        stand(io, &root, INTEGRATIONS).await?;
        let Some(bytes) = read(io, &root, INTEGRATIONS).await? else {
            return Ok(integrations::default_document());
        };
        let reading = json::read(&bytes).map_err(|malformed| {
            Error::corrupt(INTEGRATIONS.to_owned(), malformed.to_string(), None)
        })?;
        noticed.reading(
            INTEGRATIONS,
            reading.duplicate_key.as_deref(),
            reading.text_replaced,
        );
        integrations::parse(reading.value)
    };
    let result = result.await;
    noticed.reply(result)
}

async fn create(io: &Io, root: &Root, path: &str, text: &str) -> Result<bool, Error> {
    if stand(io, root, path).await? != Kind::Absent {
        return Ok(false);
    }
    for (at, _) in path.match_indices('/') {
        match io.make_folder(root.join(&path[..at])).await {
            Ok(())
            | Err(Failed {
                fault: Fault::Exists,
                ..
            }) => {}
            Err(failed) => return Err(cannot("make", &path[..at], &failed)),
        }
    }
    match io
        .create(root.join(path), text.as_bytes().to_owned(), Sync::Durable)
        .await
    {
        Ok(()) => Ok(true),
        Err(Failed {
            fault: Fault::Exists,
            ..
        }) => Ok(false),
        Err(failed) => Err(cannot("write", path, &failed)),
    }
}

async fn has_heading(io: &Io, root: &Root, path: &str, section: &str) -> Result<bool, Error> {
    let heading = section.lines().next().unwrap_or_default();
    let page = read(io, root, path).await?.unwrap_or_default();
    let page = String::from_utf8_lossy(&page);
    Ok(page.lines().any(|line| line.trim_end() == heading))
}

async fn read(io: &Io, root: &Root, path: &str) -> Result<Option<Vec<u8>>, Error> {
    match io.read(root.join(path), MAX_BYTES, Links::Refuse).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Failed {
            fault: Fault::NotFound,
            ..
        }) => Ok(None),
        Err(Failed {
            fault: Fault::TooLarge,
            ..
        }) => {
            let message = format!("{path} is larger than 1 MiB");
            Err(Error::too_large(path.to_owned(), message))
        }
        Err(failed) => Err(cannot("read", path, &failed)),
    }
}

/// What stands at a path below the root; nothing on the way may be a symbolic link.
async fn stand(io: &Io, root: &Root, path: &str) -> Result<Kind, Error> {
    let ends: Vec<usize> = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()])
        .collect();
    let paths = ends.iter().map(|&end| root.join(&path[..end])).collect();
    let entries = io
        .inspect(paths)
        .await
        .map_err(|failed| cannot("look at", path, &failed))?;
    for (&end, entry) in ends.iter().zip(&entries) {
        let expected = if end == path.len() {
            Kind::File
        } else {
            Kind::Folder
        };
        if entry.kind != Kind::Absent && entry.kind != expected {
            let part = &path[..end];
            let noun = if expected == Kind::File {
                "a regular file"
            } else {
                "a folder"
            };
            return Err(Error::unsafe_path(
                part.to_owned(),
                format!("{part} is not {noun}; symbolic links are not followed here"),
            ));
        }
    }
    Ok(entries.last().map_or(Kind::Absent, |entry| entry.kind))
}

fn cannot(doing: &str, path: &str, failed: &Failed) -> Error {
    failed.cannot(doing, path)
}
