//! The snapshots.

use crate::blocking::operation::session::list::{ListedSnapshot, list};
use crate::blocking::operation::session::load::{LoadedSnapshot, SnapshotSelector, load};
use crate::checkpoint::session::snapshot::Snapshot;
use crate::error::{Code, Error, Warning, WarningCode};
use crate::json::{Json, Object};
use crate::text::{visible, visible_lines};

use super::index::Badge;
use super::page::{Page, rows_json};
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
    Ok(rows_json(total, matching, rows))
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
fn row(viewer: &Viewer, listed: ListedSnapshot) -> Option<Object> {
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
    let row = Object::new()
        .with("key", CheckpointKey::Session(listed.id).to_string())
        .with("id", listed.id.to_string())
        .with("created_at", shown(&listed.created_at))
        .with("reason", shown(&listed.reason))
        .with("message", message)
        .with("task", shown(&listed.task))
        .with("pinned", listed.is_pinned)
        .with("archived", listed.is_archived)
        .with("files", files)
        .with(
            "badges",
            badges.into_iter().map(shown_badge).collect::<Vec<_>>(),
        )
        .with("problem", problem);
    Some(row)
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

fn shown_badge(badge: Badge) -> Object {
    Object::new()
        .with("code", badge.code())
        .with("text", badge.text())
}
