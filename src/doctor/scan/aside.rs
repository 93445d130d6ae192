//! Files that restores have moved aside and not put back.

use crate::doctor::facts::LeftAside;
use crate::doctor::fix_step::PutBack;
use crate::effect::Io;
use crate::restore::{has_room, left_aside};
use crate::root::Root;
use crate::store::StoreFolder;

/// Looks beside the snapshots of a folder; `state` is the folder of the others. Where that cannot be listed,
/// a look at the snapshots themselves says why.
pub(super) async fn scan(
    io: &Io,
    root: &Root,
    state: &StoreFolder,
    folder: &StoreFolder,
    found: &mut Vec<LeftAside>,
) {
    let own: Vec<String> = [state, folder]
        .into_iter()
        .filter(|it| it.is_below_root())
        .map(|it| it.path().to_owned())
        .collect();
    let own_paths: Vec<&str> = own.iter().map(String::as_str).collect();
    for aside in left_aside(io, folder).await.unwrap_or_default() {
        let has_room = has_room(io, root.path(), &own_paths, &aside).await;
        found.push(LeftAside {
            shown: folder.shown(&aside.below),
            path: aside.path.clone(),
            put_back: has_room.then(|| {
                Box::new(PutBack {
                    root: root.path().to_owned(),
                    own: own.clone(),
                    folder: folder.clone(),
                    aside,
                })
            }),
        });
    }
}
