//! Counts exact tokens by the vocabulary in a file, which `--vocabulary` names.

use std::cell::RefCell;

use crate::effect::{Fault, Links, Outcome};
use crate::encoding::{Encoding, Tokenizer};
use crate::git::folder::is_absolute;

use super::files;
use super::view::OpenedFolders;

/// The vocabularies that there are have less than a megabyte.
const MAX_BYTES: u32 = 16 << 20;

/// The vocabulary of a call, read when tokens are counted for the first time.
pub(super) struct CallVocabulary {
    file: Option<String>,
    loaded: RefCell<Option<(Encoding, Tokenizer)>>,
}

impl CallVocabulary {
    /// The one in this file.
    pub(super) fn new(file: Option<String>) -> Self {
        CallVocabulary {
            file,
            loaded: RefCell::default(),
        }
    }

    /// The tokens of a text, or what is missing to count them.
    pub(super) fn count(
        &self,
        view: &OpenedFolders,
        encoding: Encoding,
        text: &str,
        limit: u32,
    ) -> Outcome {
        let mut loaded = self.loaded.borrow_mut();
        if loaded.as_ref().is_none_or(|(known, _)| *known != encoding) {
            *loaded = None;
        }
        let tokenizer = match &mut *loaded {
            Some((_, tokenizer)) => tokenizer,
            none => match self.load(view, encoding) {
                Ok(tokenizer) => &mut none.insert((encoding, tokenizer)).1,
                Err(detail) => {
                    let fault = Fault::Unsupported;
                    return Outcome::Failed { fault, detail };
                }
            },
        };
        let tokens = tokenizer.count(text);
        let kept = match tokens <= u64::from(limit) {
            true => text.len(),
            false => tokenizer.truncate(text, limit.into()).bytes,
        };
        Outcome::Counted {
            tokens,
            kept: kept as u64,
        }
    }

    /// Reads the file; what is wrong with it, as a sentence.
    fn load(&self, view: &OpenedFolders, encoding: Encoding) -> Result<Tokenizer, String> {
        let name = encoding.name();
        let Some(file) = &self.file else {
            return Err(format!(
                "no vocabulary is loaded; name its file with `--vocabulary FILE`, which is \
                 `dist/{name}.vocabulary` in the npm package `milepost`"
            ));
        };
        let path = match is_absolute(file) {
            true => file.clone(),
            false => format!("{}/{file}", view.working()),
        };
        let wrong = |why: &str| format!("--vocabulary {file}: {why}");
        let bytes = match files::read(view, &path, MAX_BYTES, Links::Follow) {
            Ok(Outcome::Bytes(bytes)) => bytes,
            Ok(_) => return Err(wrong("not a regular file")),
            Err(failed) => return Err(wrong(&failed.detail)),
        };
        let loaded = Tokenizer::load(&bytes, encoding);
        loaded.map_err(|error| wrong(&format!("{error}; expected that of {name}")))
    }
}
