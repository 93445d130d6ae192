//! In which row a checkpoint stands.

use crate::error::Error;
use crate::json::{Json, Object};

use super::index::{RunFilter, Sort};
use super::overview::stem;
use super::viewer::Viewer;

/// Says in which row of an overview the checkpoint of `key` stands; null where it is not in it.
pub(super) fn answer(viewer: &mut Viewer, question: &Object) -> Result<Json, Error> {
    let filter = RunFilter::of(question)?;
    let key = question.get("key").and_then(Json::as_str);
    let selected = key.and_then(stem).unwrap_or_default();
    let all = viewer.index().searched(&filter);
    let found = filter.find(&all, Sort::of(question));
    let at = found.places.iter().position(|at| all[*at].0 == selected);
    Ok(Object::new().with("at", at.map(|at| at as u64)).into())
}
