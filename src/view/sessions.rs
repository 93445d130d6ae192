//! The snapshots.

use crate::blocking::operation::session::list::{ListedSnapshot, list};
use crate::blocking::operation::session::load::{LoadedSnapshot, SnapshotSelector, load};
use crate::checkpoint::session::id::SnapshotId;
use crate::checkpoint::session::snapshot::Snapshot;
use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::schema::Shaped;
use crate::text::{visible, visible_lines};

use super::index::{Badge, ShownBadge};
use super::page::Page;
use super::problem::RunProblem;
use super::version_ref::{CheckpointKey, settle};
use super::viewer::Viewer;

/// Answers a page of the list, the newest first.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let page = Page::of(question)?;
    let reply = list(&viewer.io(), &viewer.settings(), true, None);
    let all = settle(viewer, reply)?;
    let total = all.len();
    let found: Vec<ListedSnapshot> = all.into_iter().filter(|it| matches(it, &page)).collect();
    let matching = found.len();
    let rows = page.cut(found).into_iter();
    let rows = rows.filter_map(|listed| row(viewer, listed)).collect();
    let answer = SessionsAnswer {
        total,
        matching,
        rows,
    };
    Ok(answer.into())
}

/// The snapshots that a filter leaves, as far as they are asked for.
#[derive(Shaped)]
#[shape(name = "Sessions")]
pub(super) struct SessionsAnswer {
    /// The number of all of them.
    #[shape(with = Json::from_count)]
    total: usize,
    /// The number of those that the filter leaves.
    #[shape(with = Json::from_count)]
    matching: usize,
    /// The rows, the newest first.
    rows: Vec<SessionRow>,
}

/// One snapshot.
#[derive(Shaped)]
struct SessionRow {
    /// The key that questions about it have.
    key: String,
    /// Its id.
    id: SnapshotId,
    /// The time at which it was made.
    created_at: Option<String>,
    /// The occasion.
    reason: Option<String>,
    /// The remarks of its maker.
    message: Option<String>,
    /// The task's id.
    task: Option<String>,
    /// True if it is never removed.
    pinned: bool,
    /// True if the work that it belongs to is complete.
    archived: bool,
    /// The number of files that it keeps; null without such.
    files: Option<u64>,
    /// Its warnings.
    badges: Vec<ShownBadge>,
    /// Why it cannot be read, if it cannot.
    problem: Option<RunProblem>,
}

fn matches(listed: &ListedSnapshot, page: &Page) -> bool {
    let id = listed.id.to_string();
    let texts = [
        &listed.reason,
        &listed.message,
        &listed.task,
        &listed.created_at,
    ];
    let texts = texts.into_iter().flatten().map(String::as_str);
    page.finds(texts.chain([id.as_str()]))
}

/// A row; `None` where the checkpoint has gone since it was listed.
fn row(viewer: &Viewer, listed: ListedSnapshot) -> Option<SessionRow> {
    let reply = load(
        &viewer.io(),
        &viewer.settings(),
        SnapshotSelector::Id(listed.id),
    );
    let mut badges: Vec<Badge> = reply.warnings.iter().filter_map(of_warning).collect();
    let mut problem = None;
    let files = match reply.result {
        Ok(LoadedSnapshot { document, .. }) => {
            Snapshot::of(&document).map(|it| it.files.len() as u64)
        }
        Err(error) if error.code() == Code::NotFound => return None,
        Err(error) => {
            badges.extend(of_error(&error));
            problem = Some(super::problem::shown(&error));
            None
        }
    };
    let shown = |text: &Option<String>| text.as_deref().map(|it| visible(it).into_owned());
    let message = listed
        .message
        .as_deref()
        .map(|it| visible_lines(it).into_owned());
    let badges = badges.into_iter();
    Some(SessionRow {
        key: CheckpointKey::Session(listed.id).to_string(),
        id: listed.id,
        created_at: shown(&listed.created_at),
        reason: shown(&listed.reason),
        message,
        task: shown(&listed.task),
        pinned: listed.is_pinned,
        archived: listed.is_archived,
        files,
        badges: badges.map(|badge| ShownBadge::new(badge, None)).collect(),
        problem,
    })
}

/// The badge that a failure gives the file.
fn of_error(error: &Error) -> Option<Badge> {
    match error.code() {
        Code::Corrupt => Some(Badge::Corrupt),
        Code::TooLarge => Some(Badge::TooLarge),
        Code::UnsafePath => Some(Badge::UnsafePath),
        Code::UnsupportedVersion => Some(Badge::UnsupportedVersion),
        _ => None,
    }
}

fn of_warning(warning: &Warning) -> Option<Badge> {
    (warning.code == WarningCode::UntrustedOrigin).then_some(Badge::UntrustedOrigin)
}
