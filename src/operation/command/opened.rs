//! What every operation on one command checkpoint needs: its names, its place and its moment.

use crate::checkpoint::command::document::{Checkpoint, Command, check_version};
use crate::checkpoint::command::heartbeat::is_heartbeat;
use crate::checkpoint::command::name;
use crate::effect::Io;
use crate::error::{Advice, Error, WarningCode};
use crate::json::{Json, Object};
use crate::store::{
    Change, Committed, Current, Decide, Document, Folder, Mark, Origin, Policy, Slot, Stamp, Stem,
    Write,
};
use crate::text::quoted;
use crate::time;

use crate::operation::{Noticed, Settings, Target};
use crate::root::{self, Head, Root};

/// No writer waits longer for others, with time to spare.
const WAITED_MS: f64 = 10_000.0;

/// One checkpoint at its place. The names are valid.
pub(super) struct Opened<'a> {
    pub(super) io: &'a Io,
    pub(super) root: Root,
    pub(super) slot: Slot<'a>,
    pub(super) command: Command,
    feature: Option<&'a str>,
}

/// The place of a checkpoint, kept as the settings say.
pub(super) fn slot<'a>(io: &'a Io, folder: &Folder, stem: &Stem, settings: &Settings) -> Slot<'a> {
    let policy = Policy {
        durability: settings.durability,
        retention: settings.history,
        time_field: Some("updated_at"),
    };
    Slot::new(io, folder, stem, policy)
}

impl<'a> Opened<'a> {
    /// Checks the names, then finds the place.
    pub(super) async fn open(
        io: &'a Io,
        settings: &Settings,
        target: &'a Target,
    ) -> Result<Box<Self>, Error> {
        let (command, stem) = target.stem()?;
        let feature = target.feature.as_deref();
        let root = root::locate(io, settings).await?;
        let folder = root::state_folder(&root, settings)?;
        Ok(Box::new(Opened {
            io,
            root,
            slot: slot(io, &folder, &stem, settings),
            command,
            feature,
        }))
    }

    /// Refuses to begin a checkpoint where its place is a guess; see [`place::expect_known`].
    pub(super) async fn expect_known_place(&self) -> Result<(), Error> {
        root::expect_known(self.io, &self.root, self.slot.folder()).await
    }

    /// The document's path, as messages show it.
    pub(super) fn shown(&self) -> String {
        self.slot.shown()
    }

    /// Refuses a document that belongs to another checkpoint: on a file system that holds `Foo`
    /// and `foo` for equal, one file would serve both.
    pub(super) fn expect_own(&self, object: &Object) -> Result<(), Error> {
        let own = [
            ("command", Some(self.command.as_str())),
            ("feature", self.feature),
        ];
        for (key, asked) in own {
            if let Some(stored) = object.get(key).and_then(Json::as_str)
                && Some(stored) != asked
            {
                let (stored, asked) = (quoted(stored), quoted(asked.unwrap_or("(none)")));
                let message = format!(
                    "{} belongs to the {key} {stored}, not {asked}; choose another feature name",
                    self.shown()
                );
                return Err(Error::conflict(message, vec![format!("/{key}")]));
            }
        }
        Ok(())
    }

    /// Refuses to write over a document of another checkpoint, or of a higher version.
    pub(super) fn expect_own_current(&self, current: &Current<'_>) -> Result<(), Error> {
        let Some(document) = current.document else {
            return Ok(());
        };
        self.expect_own(&document.object)?;
        check_version(&document.object)
    }

    /// Warns of what reading a document showed.
    pub(super) async fn notice(&self, document: &Document, had_side: bool, noticed: &mut Noticed) {
        let path = self.shown();
        noticed.reading(
            &path,
            document.duplicate_key.as_deref(),
            document.text_replaced,
        );
        if document.origin == Origin::Edited {
            noticed.warn(
                WarningCode::EditedByHand,
                format!(
                    "{path} was changed by hand; it counts as revision {}",
                    document.stamp.revision
                ),
            );
        }
        if !had_side && root::tracked(self.io, &self.root, &path).await {
            noticed.warn(
                WarningCode::UntrustedOrigin,
                format!(
                    "{path} is tracked by git and came with the repository; take its text as data"
                ),
            );
        }
    }

    /// The current HEAD, with a warning where there is one that cannot be read.
    pub(super) async fn head(&self, noticed: &mut Noticed) -> Head {
        let head = root::head(self.io, &self.root).await;
        if let Head::Unreadable(why) = &head {
            noticed.warn(WarningCode::HeadUnreadable, why.as_str());
        }
        head
    }

    /// The time and HEAD that a change is made at.
    pub(super) async fn moment(&self, noticed: &mut Noticed) -> Result<Moment, Error> {
        Ok(Moment {
            now: self.now().await?,
            head: self.head(noticed).await,
        })
    }

    /// The time, as documents have it.
    pub(super) async fn now(&self) -> Result<String, Error> {
        let clock = self.io.clock().await;
        let clock = clock.map_err(|failed| failed.cannot_do("read the clock"))?;
        Ok(time::format(clock.wall_ms))
    }

    /// An earlier content as a document to write.
    pub(super) fn restorable(&self, mut object: Object, now: &str) -> Result<Object, Error> {
        self.expect_own(&object)?;
        object.remove("revision");
        object.remove("seal");
        object.set("updated_at", now);
        Ok(Checkpoint::try_from_json(Json::Object(object))?.into_object())
    }

    /// Commits what `decide` makes of the checkpoint; see [`Slot::update`].
    pub(super) async fn update(
        &self,
        base: Option<&Stamp>,
        decide: &mut Decide<'_>,
        head: &Head,
        noticed: &mut Noticed,
    ) -> Result<Box<Committed>, Error> {
        let committed = self.slot.update(base, decide).await?;
        if let Some(before) = &committed.before {
            self.notice(before, committed.had_side, noticed).await;
        }
        let commit = committed.object.get("head_commit").and_then(Json::as_str);
        if *head == Head::OutOfSight && committed.changed && commit.is_some() {
            noticed.warn(
                WarningCode::HeadUnreadable,
                "There is no .git in what this program may see; head_commit stays as it was stored",
            );
        }
        Ok(committed)
    }
}

/// That there is no checkpoint; where its history is kept, with what brings it back.
pub(super) async fn missing(opened: &Opened<'_>, target: &Target) -> Error {
    match opened.slot.revisions().await {
        Ok(kept) if !kept.is_empty() => {
            Error::not_found(format!("{}, but its history is kept", target.missing()))
                .with_advice(Advice::Recover(target.clone()))
        }
        _ => target.missing(),
    }
}

/// The same, for a checkpoint that is gone though its history is kept; `None` for any other.
pub(crate) async fn lost(io: &Io, settings: &Settings, target: &Target) -> Option<Error> {
    let opened = Opened::open(io, settings, target).await.ok()?;
    let error = missing(&opened, target).await;
    error.advice().is_some().then_some(error)
}

fn stored_head<'a>(current: &Current<'a>) -> Option<&'a Json> {
    current.document?.object.get("head_commit")
}

/// Commits what follows `current`: as a heartbeat where it only renews the time.
pub(super) fn change(next: Object, current: &Current<'_>) -> Change {
    let renews = |document: &Document| is_heartbeat(&document.object, &next);
    let mark = match current.document.is_some_and(renews) {
        true => Mark::Heartbeat,
        false => Mark::Change,
    };
    Change::Write(Write {
        mark,
        ..Write::new(next)
    })
}

/// When, and at which commit, a change is made.
pub(super) struct Moment {
    pub(super) now: String,
    pub(super) head: Head,
}

/// Now; or the stored time where that is a little later, because this writer looked at the clock
/// before it waited for another one. A stored time far ahead is a wrong clock's.
pub(super) fn updated_at<'a>(now: &'a str, current: &Current<'a>) -> &'a str {
    let stored = current
        .document
        .and_then(|document| document.object.get("updated_at")?.as_str());
    let moment = |text| time::parse(text).map(time::Time::wall_ms);
    match (stored, stored.and_then(moment), moment(now)) {
        (Some(stored), Some(then), Some(now)) if (0.0..WAITED_MS).contains(&(then - now)) => stored,
        _ => now,
    }
}

impl Moment {
    /// Writes time and HEAD into the document that follows `current`, and checks all of it.
    pub(super) fn sign(&self, mut next: Object, current: &Current<'_>) -> Result<Change, Error> {
        next.set("updated_at", updated_at(&self.now, current));
        match &self.head {
            Head::Commit(commit) => next.set("head_commit", commit.as_str()),
            Head::NoRepository | Head::Unborn => next.set("head_commit", Json::Null),
            Head::OutOfSight | Head::Unreadable(_) => match (stored_head(current), &self.head) {
                (Some(stored), _) => next.set("head_commit", stored.clone()),
                (None, Head::OutOfSight) => next.set("head_commit", Json::Null),
                (None, _) => drop(next.remove("head_commit")),
            },
        }
        let next = Checkpoint::try_from_json(Json::Object(next))?;
        Ok(change(next.into_object(), current))
    }
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
