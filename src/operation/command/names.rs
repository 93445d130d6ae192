//! From what a checkpoint is called to where it is kept.

use crate::checkpoint::command::document::Command;
use crate::checkpoint::command::{name, tombstone};
use crate::effect::Io;
use crate::error::Error;
use crate::json::{Json, Object};
use crate::operation::{Settings, Target};
use crate::store::{Folder, Policy, Slot, Stem};
use crate::text::quoted;

/// The place of a checkpoint, kept as the settings say.
pub(super) fn slot<'a>(io: &'a Io, folder: &Folder, stem: &Stem, settings: &Settings) -> Slot<'a> {
    let policy = Policy {
        durability: settings.durability,
        retention: settings.history,
        time_field: Some("updated_at"),
        is_tombstone: tombstone::is_tombstone,
    };
    Slot::new(io, folder, stem, policy)
}

impl Target {
    /// The command, and the stem that the checkpoint is stored under.
    pub(in crate::operation) fn stem(&self) -> Result<(Command, Stem), Error> {
        let command = Command::parse(&self.command).ok_or_else(|| {
            let known = Command::ALL.map(Command::as_str).join(", ");
            Error::invalid_name(format!(
                "Invalid command {}: expected one of {known}",
                quoted(&self.command)
            ))
        })?;
        let stem = name::stem(command.as_str(), self.feature.as_deref())?;
        Ok((command, Stem::new(stem)?))
    }

    /// The same checkpoint of another feature.
    pub(super) fn of_feature(&self, feature: &str) -> Target {
        Target {
            command: self.command.clone(),
            feature: Some(feature.to_owned()),
        }
    }

    /// Refuses a document that belongs to another checkpoint: on a file system that holds `Foo`
    /// and `foo` for equal, one file would serve both.
    pub(super) fn expect_own(&self, object: &Object, shown: &str) -> Result<(), Error> {
        let own = [
            ("command", Some(self.command.as_str())),
            ("feature", self.feature.as_deref()),
        ];
        for (key, asked) in own {
            if let Some(stored) = object.get(key).and_then(Json::as_str)
                && Some(stored) != asked
            {
                let (stored, asked) = (quoted(stored), quoted(asked.unwrap_or("(none)")));
                let message = format!(
                    "{shown} belongs to the {key} {stored}, not {asked}; choose another feature name"
                );
                return Err(Error::conflict(message, vec![format!("/{key}")]));
            }
        }
        Ok(())
    }

    /// That there is no such checkpoint.
    pub(super) fn missing(&self) -> Error {
        let feature = self.feature.iter();
        let feature: String = feature.map(|it| format!(" for {it}")).collect();
        Error::not_found(format!(
            "There is no checkpoint of {}{feature}",
            self.command
        ))
    }
}
