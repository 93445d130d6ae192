//! All texts of a thread, and its entries with others in their places. A text that its maker has bound to the thread, as
//! encryption does, is another one in a copy.

use super::entry::{ThreadCheckpoint, ThreadEntry};
use super::log::{Log, ThreadStop};
use super::tuple::writes_json;
use super::value::{Fit, LoggedValue, Ref, Typed, store};
use super::writes::ChannelWrite;
use crate::digest::digest;
use crate::error::Error;
use crate::json::{Json, Object};

/// The texts of one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EntryTexts<'a> {
    entry: &'a ThreadEntry,
    /// The values that are stored with it.
    values: Vec<(&'a str, Typed)>,
}

/// The texts of all entries, the oldest first, and the state that they are of. Of each entry, in this order:
/// `checkpoint`, `metadata`, those of `values`, those of `writes`; the first two are null where the writes alone are
/// there.
///
/// # Errors
///
/// [`ThreadStop`]: a part is needed, or one is not what it should be.
pub fn all_texts(log: Log<'_>) -> Result<(Vec<Json>, String), ThreadStop> {
    let mut entries = Vec::new();
    for entry in log.all()? {
        let mut values = Vec::new();
        for (channel, place) in stored_here(entry) {
            values.push((channel.as_str(), log.value(channel, place)?));
        }
        entries.push(EntryTexts { entry, values }.into_json());
    }
    let lines: Vec<String> = entries.iter().map(Json::to_line).collect();
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    Ok((entries, digest(&lines)))
}

/// The entries of a thread with these texts in the place of its own, in the order of [`all_texts`].
///
/// # Errors
///
/// As [`all_texts`], and [`Error::usage`] where there are more texts, or fewer.
pub fn with_texts(log: Log<'_>, texts: &[Typed]) -> Result<Vec<ThreadEntry>, ThreadStop> {
    let salt = log.thread.salt()?;
    let all = log.all()?;
    let mut texts = texts.iter().cloned();
    let mut next = || texts.next().ok_or_else(other_count);
    let mut places: Vec<Vec<(String, Ref)>> = Vec::new();
    let mut entries = Vec::new();
    for before in &all {
        let mut entry = ThreadEntry::clone(before);
        let mut own = Vec::new();
        if let Some(checkpoint) = &mut entry.checkpoint {
            checkpoint.body = next()?;
            checkpoint.metadata = next()?;
            checkpoint.values.clear();
            for (channel, place) in &mut checkpoint.channels {
                if place.at != before.number {
                    let stored = all.binary_search_by_key(&place.at, |it| it.number);
                    let stored = stored.ok().and_then(|at| places.get(at));
                    let mut stored = stored.into_iter().flatten();
                    let found = stored.find(|(name, _)| name == channel);
                    *place = found.ok_or_else(|| log.broken(channel))?.1.clone();
                    continue;
                }
                let (value, reference) = match store(before.number, next()?, None, salt) {
                    Fit::Stored(value, reference) => (value, reference),
                    Fit::Unknown(typed, reference) => {
                        (LoggedValue { typed, base: None }, reference)
                    }
                };
                *place = reference.clone();
                own.push((channel.clone(), reference));
                checkpoint.values.push((channel.clone(), value));
            }
        }
        for write in &mut entry.writes {
            write.value = next()?;
        }
        places.push(own);
        entries.push(entry);
    }
    match texts.next() {
        None => Ok(entries),
        Some(_) => Err(other_count().into()),
    }
}

/// The channels whose values are stored with an entry.
fn stored_here(entry: &ThreadEntry) -> impl Iterator<Item = &(String, Ref)> {
    let channels = entry.checkpoint.iter().flat_map(|it| &it.channels);
    channels.filter(|(_, place)| place.at == entry.number)
}

fn other_count() -> Error {
    Error::usage("Expected `texts` to have as many texts as the thread".to_owned())
}

impl EntryTexts<'_> {
    fn into_json(self) -> Json {
        let EntryTexts { entry, values } = self;
        let checkpoint = entry.checkpoint.as_ref();
        let text =
            |of: fn(&ThreadCheckpoint) -> &Typed| checkpoint.map(|it| of(it).clone().into_json());
        let values = values.into_iter();
        let values = values.map(|(name, it)| Json::from(vec![Json::from(name), it.into_json()]));
        let writes: Vec<ChannelWrite> = entry.writes.clone();
        Object::new()
            .with("namespace", entry.namespace.as_str())
            .with("id", entry.id.as_str())
            .with("parent", checkpoint.and_then(|it| it.parent.as_deref()))
            .with("checkpoint", text(|it| &it.body))
            .with("metadata", text(|it| &it.metadata))
            .with("values", values.collect::<Vec<_>>())
            .with("writes", writes_json(writes))
            .into()
    }
}
