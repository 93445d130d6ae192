//! A new session checkpoint.

use crate::checkpoint::session::document;
use crate::checkpoint::session::draft::{Draft, Request, draft};
use crate::checkpoint::session::id::Id;
use crate::checkpoint::session::reason::Reason;
use crate::checkpoint::session::redact::redact;
use crate::checkpoint::session::register;
use crate::effect::{Io, boxed};
use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::operation::command::list::{Wanted, read_all};
use crate::operation::command::load::{Loaded, load};
use crate::operation::reply::{Noticed, noticing};
use crate::operation::row::{
    Answering, Arguments, FEATURE, Operation, Wing, optional, required, shape,
};
use crate::operation::{Reply, Settings, Target};
use crate::root::{self, Head};
use crate::schema::{Kind, Shape};
use crate::secret::redact_field;
use crate::time;

use super::clean_up::{Removed, clean_up_now};
use super::opened::{Known, Opened, stem};
use super::work;

/// Another creator may take an id first; so often, somebody holds the folder up.
const TRIES: u32 = 100;

pub(super) const OPERATION: Operation = Operation::at(
    "create_session",
    "Makes a session checkpoint of what the command checkpoints know and of what is given.",
    &ARGUMENTS,
    Kind::Object(&CREATED),
    perform,
)
.of(Wing::Sessions);

const ARGUMENTS: Shape = shape(
    "CreateSessionArguments",
    "The occasion, and what is to be in it.",
    &[
        required(
            "reason",
            Kind::String,
            "`phase_complete`, `handoff`, `error`, `mode_switch` or `user_requested`.",
        ),
        optional("message", &Kind::String, "What its maker says of it."),
        optional(
            "given",
            &Kind::Record,
            "Fields of the document, which stand in place of what would be filled in.",
        ),
        optional(
            "command",
            &Kind::String,
            "The command checkpoint to make it of; without it, the one that was updated last.",
        ),
        FEATURE,
    ],
);

const CREATED: Shape = shape(
    "CreatedSession",
    "A session checkpoint that was made.",
    &[
        required("id", Kind::String, "Its id."),
        required("path", Kind::String, "Its file, relative to the root."),
        required(
            "redacted",
            Kind::Integer,
            "How many texts had secrets in them, which were taken out.",
        ),
        required(
            "summary_left_out",
            Kind::Nullable(&Kind::String),
            "What of the context had no room in its summary.",
        ),
        required(
            "removed",
            Kind::List(&Kind::String),
            "The ids of older ones that were removed, as the settings say.",
        ),
    ],
);

fn perform<'a>(io: &'a Io, settings: &'a Settings, arguments: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reason = arguments.text("reason").parse::<Reason>();
        let reason = match reason {
            Ok(reason) => reason,
            Err(error) => return Noticed::default().reply(Err(error)),
        };
        let command = arguments.optional_text("command");
        let given = arguments.value("given").and_then(Json::as_object);
        let create = Create {
            reason,
            message: arguments.optional_text("message"),
            given: given.cloned().unwrap_or_default(),
            target: command.map(|command| Target {
                command: command.to_owned(),
                feature: arguments.optional_text("feature").map(str::to_owned),
            }),
        };
        create_session(io, settings, create).await.map(Json::from)
    })
}

/// What a session checkpoint is asked for with.
#[derive(Clone, Debug)]
pub struct Create<'a> {
    /// The occasion.
    pub reason: Reason,
    /// What its maker says of it.
    pub message: Option<&'a str>,
    /// Fields of the document.
    pub given: Object,
    /// The command checkpoint to make it of; the one that was updated last where none is named.
    pub target: Option<Target>,
}

/// What came of [`create_session`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// Its id.
    pub id: Id,
    /// Its file, relative to the root.
    pub path: String,
    /// How many texts had secrets in them.
    pub redacted: u64,
    /// What of the context had no room in its summary.
    pub summary_left_out: Option<String>,
    /// The older ones that were removed.
    pub removed: Vec<Id>,
}

impl From<Created> for Json {
    fn from(created: Created) -> Self {
        let removed: Vec<Json> = created
            .removed
            .iter()
            .map(|id| id.to_string().into())
            .collect();
        Object::new()
            .with("id", created.id.to_string())
            .with("path", created.path)
            .with("redacted", created.redacted)
            .with("summary_left_out", created.summary_left_out)
            .with("removed", removed)
            .into()
    }
}

/// Makes a session checkpoint, and publishes it under an id that was never used. Then older ones that the
/// settings do not keep are removed; where that fails, it is a warning.
///
/// Secrets in any text are replaced before anything is written. Fails with `invalid_document` and
/// `summary_too_long` for what was given, with `not_found` where the command checkpoint that was named is
/// not there, and with `usage`, `too_large`, `unsafe_path`, `busy`, `io`.
pub async fn create_session(io: &Io, settings: &Settings, create: Create<'_>) -> Reply<Created> {
    noticing(async |noticed| {
        let opened = Opened::open(io, settings).await?;
        root::expect_known(io, &opened.root, &opened.folder).await?;
        let (target, loaded) = source(&opened, create.target.clone(), noticed).await?;
        let drafted = make(&create, target.as_ref().zip(loaded.as_ref()));
        let Draft {
            mut document,
            left_out,
        } = drafted;
        match root::head(io, &opened.root).await {
            Head::Commit(commit) => document.set("head_commit", commit),
            Head::NoRepository | Head::Unborn => document.set("head_commit", Json::Null),
            Head::OutOfSight => {}
            Head::Unreadable(why) => noticed.warn(WarningCode::HeadUnreadable, why),
        }
        let redacted = hide(&mut document);
        let id = publish(&opened, &document, noticed).await?;
        let removed = match boxed(clean_up_now(&opened, noticed)).await {
            Ok(removed) => removed.into_iter().map(|it: Removed| it.id).collect(),
            Err(error) => {
                noticed.add(Warning::passed_over(&error));
                Vec::new()
            }
        };
        let known = Known {
            id,
            is_archived: false,
        };
        Ok(Created {
            id,
            path: opened.shown(known),
            redacted,
            summary_left_out: (!left_out.is_nothing()).then(|| left_out.to_string()),
            removed,
        })
    })
    .await
}

/// The command checkpoint to make it of: the one that is named, which has to be there, or the one that
/// was updated last, if there is any.
async fn source(
    opened: &Opened<'_>,
    named: Option<Target>,
    noticed: &mut Noticed,
) -> Result<(Option<Target>, Option<Loaded>), Error> {
    let Opened { io, settings, .. } = *opened;
    let is_named = named.is_some();
    let target = match named {
        Some(target) => Some(target),
        None => latest(opened, noticed).await?,
    };
    let Some(target) = target else {
        return Ok((None, None));
    };
    let reply = load(io, settings, &target).await;
    for warning in reply.warnings {
        noticed.add(warning);
    }
    match reply.result {
        Ok(None) if is_named => Err(Error::no_checkpoint(&target)),
        // It was removed in the meantime.
        Ok(None) => Ok((None, None)),
        Ok(loaded) => Ok((Some(target), loaded)),
        Err(error) => Err(error),
    }
}

/// The command checkpoint that was updated last, be it complete. One that cannot be read is passed over,
/// with a warning.
async fn latest(opened: &Opened<'_>, noticed: &mut Noticed) -> Result<Option<Target>, Error> {
    let mut newest = None;
    for (target, read) in boxed(read_all(opened.io, opened.settings, Wanted::All)).await? {
        match read {
            Ok(summary) => {
                let updated = summary.updated_at().and_then(time::parse);
                if newest.as_ref().is_none_or(|(latest, _)| *latest < updated) {
                    newest = Some((updated, target));
                }
            }
            Err(error) => noticed.add(Warning::passed_over(&error).about(&target)),
        }
    }
    Ok(newest.map(|(_, target)| target))
}

fn make(create: &Create<'_>, source: Option<(&Target, &Loaded)>) -> Draft {
    let known = source.map(|(_, loaded)| work::Known::of(&loaded.object));
    let work = source.zip(known.as_ref());
    let work =
        work.map(|((target, loaded), known)| known.work(target, &loaded.object, loaded.revision));
    draft(Request {
        reason: create.reason,
        message: create.message,
        work: work.as_ref(),
        given: create.given.clone(),
    })
}

/// Takes the secrets out of every text; how many had some.
fn hide(document: &mut Object) -> u64 {
    let mut count = 0;
    redact(document, &mut |shown| {
        let redacted = redact_field(shown.names, shown.text);
        (!redacted.findings.is_empty()).then(|| {
            count += 1;
            redacted.text.into_owned()
        })
    });
    count
}

/// Publishes a document under the next id.
async fn publish(
    opened: &Opened<'_>,
    document: &Object,
    noticed: &mut Noticed,
) -> Result<Id, Error> {
    for _ in 0..TRIES {
        let now = opened.now().await?;
        let register = read_register(opened, noticed).await?;
        let all = opened.all().await?;
        let names: Vec<String> = all.iter().map(|one| one.id.to_string()).collect();
        let names = names.iter().map(String::as_str);
        let id = Id::next(now, names.chain(register::removed(&register)));
        let id = id.ok_or_else(|| {
            Error::conflict(
                "There is no greater id for a session checkpoint than the greatest one that was \
                 used: remove the one with the wrong date"
                    .to_owned(),
                Vec::new(),
            )
        })?;
        let text = document::write(document.clone(), id, now)?;
        let published = opened
            .shelf(false)
            .publish(&stem(id)?, text.as_bytes())
            .await;
        match published {
            Ok(()) if was_used(opened, id, noticed).await? => {
                // Whoever was slow published what had come and gone meanwhile.
                opened.shelf(false).remove(&stem(id)?).await?;
            }
            Ok(()) => return Ok(id),
            Err(error) if error.code() == Code::Conflict => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::busy(opened.folder.shown("")))
}

/// Whether an id that was published just now belonged to another checkpoint before.
async fn was_used(opened: &Opened<'_>, id: Id, noticed: &mut Noticed) -> Result<bool, Error> {
    let register = read_register(opened, noticed).await?;
    let gone = register::removed(&register).into_iter();
    let greatest = gone.filter_map(|name| name.parse::<Id>().ok()).max();
    if greatest.is_some_and(|greatest| greatest >= id) {
        return Ok(true);
    }
    let archived = opened.ids(true).await?;
    Ok(archived.iter().any(|one| one.id == id))
}

/// The register; a new checkpoint is made without it where it cannot be read.
async fn read_register(opened: &Opened<'_>, noticed: &mut Noticed) -> Result<Object, Error> {
    match super::register::read(opened).await {
        Err(error) if error.code() == Code::Corrupt => {
            noticed.add(Warning::passed_over(&error));
            Ok(Object::new())
        }
        read => read,
    }
}
