//! In which row a checkpoint stands.

use crate::error::Error;
use crate::json::{Json, Object};
use crate::schema::Shaped;

use super::index::{RunFilter, Sort};
use super::overview::stem;
use super::viewer::Viewer;

/// The place of a checkpoint among the rows.
#[derive(Shaped)]
#[shape(name = "Position")]
pub(super) struct PositionAnswer {
    /// Its row, from 0; null where it is in none.
    at: Option<u64>,
}

/// Says in which row of an overview the checkpoint of `key` stands; null where it is not in it.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let filter = RunFilter::of(question)?;
    let key = question.get("key").and_then(Json::as_str);
    let selected = key.and_then(stem).unwrap_or_default();
    let all = viewer.index().searched(&filter);
    let found = filter.find(&all, Sort::of(question));
    let at = found.places.iter().position(|at| all[*at].0 == selected);
    let at = at.map(|at| at as u64);
    Ok(PositionAnswer { at }.into())
}
