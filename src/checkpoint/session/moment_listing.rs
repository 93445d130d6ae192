//! The files of a moment that was kept for rewinds, which may be listed as the difference from an earlier moment.

use std::rc::Rc;

use super::id::SnapshotId;
use super::listing_lines;
use super::snapshot::{Snapshot, SnapshotFile};
use crate::json::{Json, Object};
use crate::str_map::StrSet;

/// The member of a snapshot that names the moment from which it differs.
const SINCE: &str = "since";

/// The member with the paths that the other moment lists and this one does not.
const GONE: &str = "gone";

/// The member that says that all else is listed as well, and not as the other moment has it.
const REST: &str = "rest";

/// The difference of a snapshot from an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingDifference {
    /// The earlier one.
    pub since: SnapshotId,
    /// The paths that it lists and this one does not, sorted.
    pub gone: Vec<String>,
    /// True if permission bits, what is left out and notes are listed as well.
    pub has_rest: bool,
}

impl ListingDifference {
    /// The stored form of a snapshot that has only what differs.
    pub fn to_object(&self, snapshot: &Snapshot) -> Object {
        let mut object = listing_lines::to_object(snapshot)
            .with(SINCE, self.since.to_string())
            .with(REST, self.has_rest);
        if !self.gone.is_empty() {
            object.set(GONE, self.gone.clone());
        }
        object
    }

    /// The difference in a document, which is `None` where that lists all.
    pub fn of(document: &Object) -> Option<ListingDifference> {
        let snapshot = document.get("snapshot")?.as_object()?;
        let gone = snapshot.get(GONE).and_then(Json::as_array);
        let gone = gone.unwrap_or_default().iter().filter_map(Json::as_str);
        Some(ListingDifference {
            since: snapshot.get(SINCE)?.as_str()?.parse().ok()?,
            gone: gone.map(str::to_owned).collect(),
            has_rest: snapshot.get(REST).and_then(Json::as_bool) == Some(true),
        })
    }
}

/// The listing of a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MomentListing {
    /// The files that count where this one says nothing of them.
    base: Option<Rc<Snapshot>>,
    own: Rc<Snapshot>,
    /// The paths of the base that do not count, sorted.
    gone: Vec<String>,
    has_rest: bool,
}

impl MomentListing {
    /// The listing of a document; `earlier` gives those of earlier moments. `None` for a document without one, and where
    /// the earlier one is missing.
    pub fn of(
        document: &Object,
        earlier: &dyn Fn(SnapshotId) -> Option<Rc<MomentListing>>,
    ) -> Option<Rc<MomentListing>> {
        let snapshot = Snapshot::of(document)?;
        let Some(difference) = ListingDifference::of(document) else {
            return Some(Rc::new(MomentListing {
                base: None,
                own: Rc::new(snapshot),
                gone: Vec::new(),
                has_rest: true,
            }));
        };
        let base = earlier(difference.since)?;
        let is_nothing = snapshot.files.is_empty() && difference.gone.is_empty();
        if is_nothing && !difference.has_rest {
            return Some(base);
        }
        if base.base.is_some() {
            // No such document is made.
            return None;
        }
        Some(Rc::new(MomentListing {
            base: Some(base.own.clone()),
            own: Rc::new(snapshot),
            gone: difference.gone,
            has_rest: difference.has_rest,
        }))
    }

    /// Returns what it lists at a path.
    pub fn find(&self, path: &str) -> Option<&SnapshotFile> {
        self.own.find(path).or_else(|| {
            let is_gone = self.gone.binary_search_by(|it| it.as_str().cmp(path));
            self.base.as_ref().filter(|_| is_gone.is_err())?.find(path)
        })
    }

    /// The files that it lists, in no order.
    pub fn files(&self) -> impl Iterator<Item = &SnapshotFile> {
        let own: StrSet<'_> = self.own.files.iter().map(|it| it.path.as_str()).collect();
        let gone: StrSet<'_> = self.gone.iter().map(String::as_str).collect();
        let base = self.base.iter().flat_map(|it| &it.files);
        let base = base.filter(move |it| !own.contains(&it.path) && !gone.contains(&it.path));
        self.own.files.iter().chain(base)
    }

    /// All else that it says.
    pub fn rest(&self) -> &Snapshot {
        match &self.base {
            Some(base) if !self.has_rest => base,
            _ => &self.own,
        }
    }

    /// All of it, as a snapshot.
    pub fn to_snapshot(&self) -> Snapshot {
        let mut files: Vec<SnapshotFile> = self.files().cloned().collect();
        files.sort_by(SnapshotFile::by_path);
        let rest = self.rest();
        Snapshot {
            files,
            modes: rest.modes.clone(),
            left_out: rest.left_out.clone(),
            notes: rest.notes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{ListingDifference, MomentListing};
    use crate::checkpoint::session::id::SnapshotId;
    use crate::checkpoint::session::snapshot::{Snapshot, SnapshotChange, SnapshotFile};
    use crate::json::Object;

    fn id(text: &str) -> SnapshotId {
        text.parse().unwrap()
    }

    fn snapshot(paths: &[(&str, SnapshotChange)], note: &str) -> Snapshot {
        let files = paths.iter().map(|(path, change)| SnapshotFile {
            path: (*path).to_owned(),
            change: *change,
            content: None,
            is_staged: false,
            within: None,
        });
        Snapshot {
            files: files.collect(),
            notes: vec![note.to_owned()],
            ..Snapshot::default()
        }
    }

    #[test]
    fn a_difference_and_what_it_differs_from_make_the_whole() {
        use SnapshotChange::{Added, Deleted};
        let base = snapshot(&[("a", Added), ("b", Added), ("c", Added)], "then");
        let base_document = Object::new().with("snapshot", base.to_object());
        let nothing = |_| None;
        let base_listing = MomentListing::of(&base_document, &nothing).unwrap();
        assert_eq!(base_listing.to_snapshot(), base);
        let since = id("chk-20260101-000000");
        let earlier = |it| (it == since).then(|| Rc::clone(&base_listing));
        let gone = vec!["c".to_owned()];
        for (has_rest, note) in [(true, "now"), (false, "then")] {
            let difference = ListingDifference {
                since,
                gone: gone.clone(),
                has_rest,
            };
            let own = snapshot(&[("b", Deleted), ("d", Added)], "now");
            let document = Object::new().with("snapshot", difference.to_object(&own));
            assert_eq!(ListingDifference::of(&document), Some(difference));
            let listing = MomentListing::of(&document, &earlier).unwrap();
            let expected = [("a", Added), ("b", Deleted), ("d", Added)];
            assert_eq!(listing.to_snapshot(), snapshot(&expected, note));
            assert_eq!(listing.find("b").unwrap().change, Deleted);
            assert_eq!(listing.find("c"), None);
            assert_eq!(MomentListing::of(&document, &nothing), None);
        }
        let same = ListingDifference {
            since,
            gone: Vec::new(),
            has_rest: false,
        };
        let document = Object::new().with("snapshot", same.to_object(&Snapshot::default()));
        let listing = MomentListing::of(&document, &earlier).unwrap();
        assert!(Rc::ptr_eq(&listing, &base_listing));
    }
}
