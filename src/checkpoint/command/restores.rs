//! The revision whose content a document has, after an undo, a redo or a recovery.

use crate::json::{Json, Object};

/// The member of a document that says so.
const RESTORES: &str = "restores";

/// The revision that a document says it restores.
pub fn restored_by(object: &Object) -> Option<u64> {
    object.get(RESTORES).and_then(Json::as_u64)
}

/// A document that restores this revision.
pub fn restoring(mut object: Object, revision: u64) -> Object {
    object.set(RESTORES, revision);
    object
}

/// A document after any change of its own.
pub fn changed(mut object: Object) -> Object {
    object.remove(RESTORES);
    object
}
