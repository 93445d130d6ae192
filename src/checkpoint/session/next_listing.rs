//! The form in which a moment lists its files: in full, as the difference from an earlier moment, or as the same.

use super::id::SnapshotId;
use super::known_files::{BaseListing, KnownFile, KnownFiles};
use super::listing_lines;
use super::moment_listing::ListingDifference;
use super::snapshot::{Snapshot, SnapshotFile};
use crate::digest::digest;
use crate::json::{Json, Object};

/// The form of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingForm {
    /// Nothing has changed since this moment.
    Same(SnapshotId),
    /// These files differ.
    Difference(ListingDifference, Snapshot),
    /// All of them.
    All,
    /// Those that were seen before the time was over.
    Partial,
}

impl ListingForm {
    /// The stored form of the listing of a snapshot.
    pub fn to_object(&self, snapshot: &Snapshot) -> Object {
        match self {
            ListingForm::Same(since) => {
                let same = ListingDifference {
                    since: *since,
                    gone: Vec::new(),
                    has_rest: false,
                };
                same.to_object(&Snapshot::default())
            }
            ListingForm::Difference(difference, own) => difference.to_object(own),
            ListingForm::All | ListingForm::Partial => listing_lines::to_object(snapshot),
        }
    }
}

/// The form of a listing, and what is known with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextListing {
    /// The form.
    pub form: ListingForm,
    known: KnownFiles,
    head: String,
    rest: String,
}

impl NextListing {
    /// Of a snapshot of which this was known before. `seen` are the files that were looked at, sorted by path.
    pub fn new(
        known: KnownFiles,
        seen: Vec<KnownFile>,
        (snapshot, head): (&Snapshot, Option<&str>),
        is_complete: bool,
    ) -> Self {
        let rest = rest_of(snapshot);
        let head = head.unwrap_or_default().to_owned();
        let Merged { files, is_changed } = merged(&known, seen, is_complete);
        let last = known.last.as_deref().and_then(|it| it.parse().ok());
        let is_unchanged = !is_changed && known.head == head && known.rest == rest;
        let form = match last {
            _ if !is_complete => ListingForm::Partial,
            Some(last) if is_unchanged => ListingForm::Same(last),
            _ => difference(&known, &files, snapshot, rest != known.base_rest),
        };
        NextListing {
            form,
            known: KnownFiles { files, ..known },
            head,
            rest,
        }
    }

    /// Returns all that is known once the moment is stored under an id.
    pub fn known(self, id: SnapshotId) -> KnownFiles {
        let NextListing {
            form,
            mut known,
            head,
            rest,
        } = self;
        match form {
            ListingForm::Same(_) => return known,
            ListingForm::Partial => {
                known.last = None;
                return known;
            }
            ListingForm::Difference(..) => {}
            ListingForm::All => {
                known.base = Some(id.to_string());
                known.base_rest.clone_from(&rest);
                for file in &mut known.files {
                    file.base = match file.listed.is_some() {
                        true => BaseListing::Same,
                        false => BaseListing::None,
                    };
                }
                known.files.retain(|it| !it.is_nothing());
            }
        }
        known.last = Some(id.to_string());
        known.rest = rest;
        known.head = head;
        known
    }
}

/// The digest of all that a snapshot says but for its files.
fn rest_of(snapshot: &Snapshot) -> String {
    let rest = Snapshot {
        files: Vec::new(),
        ..snapshot.clone()
    };
    digest(&[Json::Object(rest.to_object()).to_line().as_bytes()])
}

struct Merged {
    files: Vec<KnownFile>,
    /// True if a path is listed otherwise than before.
    is_changed: bool,
}

/// Puts what was seen in the place of what was known. After a look that came to its end, the rest is gone.
fn merged(known: &KnownFiles, seen: Vec<KnownFile>, is_complete: bool) -> Merged {
    let mut earlier = known.files.iter().peekable();
    let mut files = Vec::with_capacity(seen.len());
    let mut is_changed = false;
    let unseen = |old: &KnownFile, files: &mut Vec<KnownFile>| {
        if !is_complete {
            files.push(old.clone());
            return false;
        }
        if old.base != BaseListing::None {
            files.push(KnownFile {
                base: BaseListing::Other,
                ..KnownFile::new(old.path.clone())
            });
        }
        old.listed.is_some()
    };
    for mut file in seen {
        while let Some(old) = earlier.next_if(|it| it.path < file.path) {
            is_changed |= unseen(old, &mut files);
        }
        let old = earlier.next_if(|it| it.path == file.path);
        if let Some(old) = old.filter(|it| !is_complete && it.stamp == file.stamp)
            && file.listed.is_none()
            && file.omitted.is_none()
        {
            // It was not its turn before the time was over.
            file.listed.clone_from(&old.listed);
            file.omitted.clone_from(&old.omitted);
        }
        let was: Option<&SnapshotFile> = old.and_then(|it| it.listed.as_ref());
        let is_same = was == file.listed.as_ref();
        is_changed |= !is_same;
        file.base = match old.map(|it| it.base) {
            None | Some(BaseListing::None) => BaseListing::None,
            Some(BaseListing::Same) if is_same => BaseListing::Same,
            Some(_) => BaseListing::Other,
        };
        if !file.is_nothing() {
            files.push(file);
        }
    }
    for old in earlier {
        is_changed |= unseen(old, &mut files);
    }
    Merged { files, is_changed }
}

/// The difference from the moment that lists all files; or all, where that is not much more.
fn difference(
    known: &KnownFiles,
    files: &[KnownFile],
    snapshot: &Snapshot,
    has_rest: bool,
) -> ListingForm {
    let base = known.base.as_deref().and_then(|it| it.parse().ok());
    let Some(since) = base else {
        return ListingForm::All;
    };
    let differing = files.iter().filter(|it| it.base != BaseListing::Same);
    let own: Vec<SnapshotFile> = differing
        .clone()
        .filter_map(|it| it.listed.clone())
        .collect();
    let gone = differing.filter(|it| it.base == BaseListing::Other && it.listed.is_none());
    let gone: Vec<String> = gone.map(|it| it.path.clone()).collect();
    if 2 * (own.len() + gone.len()) > snapshot.files.len() {
        return ListingForm::All;
    }
    let own = match has_rest {
        true => Snapshot {
            files: own,
            ..snapshot.clone()
        },
        false => Snapshot {
            files: own,
            ..Snapshot::default()
        },
    };
    let difference = ListingDifference {
        since,
        gone,
        has_rest,
    };
    ListingForm::Difference(difference, own)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use fastrand::Rng;

    use super::{ListingForm, NextListing};
    use crate::checkpoint::session::id::SnapshotId;
    use crate::checkpoint::session::known_files::{KnownFile, KnownFiles};
    use crate::checkpoint::session::moment_listing::MomentListing;
    use crate::checkpoint::session::plan::fact::{ContentKind, PathContent};
    use crate::checkpoint::session::snapshot::{Snapshot, SnapshotChange, SnapshotFile};
    use crate::json::Object;

    fn file(path: &str, content: u8) -> SnapshotFile {
        SnapshotFile {
            path: path.to_owned(),
            change: SnapshotChange::Added,
            content: Some(PathContent {
                kind: ContentKind::File,
                is_executable: None,
                permissions: None,
                size: 1,
                sha256: content.to_string(),
            }),
            is_staged: false,
            within: None,
        }
    }

    /// A moment of these files: its document, and what is known then.
    fn moment(
        known: KnownFiles,
        files: &BTreeMap<String, u8>,
        (note, head): (u8, u8),
        id: SnapshotId,
    ) -> (Object, KnownFiles, ListingForm) {
        let snapshot = Snapshot {
            files: files.iter().map(|(path, it)| file(path, *it)).collect(),
            notes: vec![note.to_string()],
            ..Snapshot::default()
        };
        let seen = snapshot.files.iter().map(|it| KnownFile {
            listed: Some(it.clone()),
            ..KnownFile::new(it.path.clone())
        });
        let head = head.to_string();
        let next = NextListing::new(known, seen.collect(), (&snapshot, Some(&head)), true);
        let form = next.form.clone();
        let document = Object::new().with("snapshot", form.to_object(&snapshot));
        (document, next.known(id), form)
    }

    #[test]
    fn every_listing_in_a_history_that_chance_makes_is_read_back_whole() {
        for seed in 0..200 {
            let mut random = Rng::with_seed(seed);
            let mut files: BTreeMap<String, u8> = BTreeMap::new();
            let mut known = KnownFiles::default();
            let mut listings: BTreeMap<SnapshotId, Rc<MomentListing>> = BTreeMap::new();
            let (mut note, mut head) = (0, 0);
            let mut forms = [0; 3];
            for number in 0..60 {
                for _ in 0..random.usize(..3) {
                    let path = format!("f{:02}", random.u8(..20));
                    match random.u8(..4) {
                        0 => drop(files.remove(&path)),
                        _ => drop(files.insert(path, random.u8(..3))),
                    }
                }
                note = if random.u8(..8) == 0 { note + 1 } else { note };
                head = if random.u8(..8) == 0 { head + 1 } else { head };
                if random.u8(..10) == 0 {
                    known = KnownFiles::default();
                }
                let id: SnapshotId = format!("chk-20260101-0000{number:02}").parse().unwrap();
                let stored = KnownFiles::of(known.to_text().as_bytes()).unwrap();
                let (document, next, form) = moment(stored, &files, (note, head), id);
                known = next;
                let earlier = |id: SnapshotId| listings.get(&id).cloned();
                let listing = MomentListing::of(&document, &earlier).unwrap();
                let snapshot = listing.to_snapshot();
                let listed = files.iter().map(|(path, it)| file(path, *it));
                assert!(listed.eq(snapshot.files), "{seed} {number}");
                assert_eq!(snapshot.notes, [note.to_string()], "{seed} {number}");
                listings.insert(id, listing);
                forms[match form {
                    ListingForm::Same(_) => 0,
                    ListingForm::Difference(..) => 1,
                    _ => 2,
                }] += 1;
            }
            assert!(forms.iter().all(|it| *it > 0), "{seed} {forms:?}");
        }
    }

    #[test]
    fn a_look_that_was_cut_keeps_what_is_known_of_the_rest() {
        let id: SnapshotId = "chk-20260101-000000".parse().unwrap();
        let files: BTreeMap<String, u8> = [("a", 1), ("b", 1)]
            .map(|(path, it)| (path.to_owned(), it))
            .into();
        let (_, known, form) = moment(KnownFiles::default(), &files, (0, 0), id);
        assert_eq!(form, ListingForm::All);
        let seen = vec![KnownFile {
            listed: Some(file("a", 2)),
            ..KnownFile::new("a".to_owned())
        }];
        let next = NextListing::new(known, seen, (&Snapshot::default(), Some("0")), false);
        assert_eq!(next.form, ListingForm::Partial);
        let known = next.known(id);
        assert_eq!(known.last, None);
        let listed = |path: &str| known.find(path).unwrap().listed.clone();
        assert_eq!(listed("a"), Some(file("a", 2)));
        assert_eq!(listed("b"), Some(file("b", 1)));
    }
}
