//! The preview of all that is sent from now on.

use milepost::json::{Json, Object};

use super::{due, items, notified_world};
use crate::operations::{ask, value};

#[test]
fn a_preview_shows_more_than_waits_at_one_time() {
    let world = notified_world();
    due(&world, &[]);
    for feature in ["a", "b", "c", "d", "e", "f"] {
        let mut entries = Object::new();
        for at in 0..100 {
            let entry = Object::new().with("status", "complete");
            entries.set(&format!("p{at}"), entry);
        }
        let document = Object::new().with("phases", entries);
        let more = [
            ("feature", Json::from(feature)),
            ("document", document.into()),
        ];
        value(&ask(&world, "save", &more));
    }
    let shown = due(&world, &[("preview", true.into())]);
    assert_eq!(items(&shown).len(), 600);
    assert_eq!(value(&shown).at("/waiting").unwrap().as_u64(), Some(0));
}
