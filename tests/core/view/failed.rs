//! A row of a run that has failed.

use milepost::json::{Json, Object};

use super::overview::{ask, world};
use super::page::Page;

#[test]
fn failed_row_has_the_error_of_the_phase_to_resume() {
    let world = world();
    let change = |feature: &'static str, name: &str, status: &str, error: &str| {
        world.now_ms.set(world.now_ms.get() + 1_000.0);
        let patch = Object::from_iter([("status", status), ("error", error)]);
        let more = [("phase", name.into()), ("patch", patch.into())];
        let reply = ask(&world, "update_phase", ("design", Some(feature)), &more);
        assert_eq!(reply.get("ok"), Some(&Json::Bool(true)), "{reply:?}");
    };
    change("one", "verify", "failed", "npm test ended\nwith 1");
    // The phase that failed last is the one to retry.
    change("two", "read", "failed", "no such file");
    change("two", "verify", "failed", "npm test ended with 1");
    // A phase in progress is resumed before a failed one, and has no error to show.
    change("beside", "read", "failed", "no such file");
    change("beside", "verify", "in_progress", "of an earlier try");
    change("silent", "read", "failed", "");
    change("retried", "read", "failed", "no such file");
    change("retried", "read", "in_progress", "no such file");

    let rows = Page::open(&world).rows();
    for (feature, status, error) in [
        ("one", "failed", Some("verify: npm test ended with 1")),
        ("two", "failed", Some("verify: npm test ended with 1")),
        ("beside", "failed", Some("read: no such file")),
        ("silent", "failed", None),
        ("retried", "in_progress", None),
    ] {
        let has_feature = |row: &&Object| row.get("feature").unwrap().as_str() == Some(feature);
        let row = rows.iter().find(has_feature).unwrap();
        let text = |key: &str| row.get(key).and_then(Json::as_str);
        assert_eq!(text("status"), Some(status), "{feature}");
        assert_eq!(text("error"), error, "{feature}");
    }
}
