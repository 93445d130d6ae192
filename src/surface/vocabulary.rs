//! Counts exact tokens by the vocabulary in a file, which `--vocabulary` names.

use std::cell::RefCell;

use crate::effect::{Failed, Fault, Outcome};
use crate::encoding::{Encoding, Tokenizer};
use crate::git::folder::is_absolute;

/// The vocabularies that there are have less than a megabyte.
const MAX_BYTES: u32 = 16 << 20;

/// The access of a host to the file.
pub(super) trait VocabularyFiles {
    /// The folder that a relative path begins in.
    fn working(&self) -> String;

    /// All of a file, through a symbolic link too.
    fn read(&self, path: &str, limit: u32) -> Result<Outcome, Failed>;
}

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
        files: &impl VocabularyFiles,
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
            none => match self.load(files, encoding) {
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
    fn load(&self, files: &impl VocabularyFiles, encoding: Encoding) -> Result<Tokenizer, String> {
        let name = encoding.name();
        let Some(file) = &self.file else {
            return Err(format!(
                "no vocabulary is loaded; name its file with `--vocabulary FILE`, which is \
                 `dist/{name}.vocabulary.mjs` in the npm package `milepost-exact-tokens`"
            ));
        };
        let path = match is_absolute(file) {
            true => file.clone(),
            false => format!("{}/{file}", files.working()),
        };
        let wrong = |why: &str| format!("--vocabulary {file}: {why}");
        let bytes = match files.read(&path, MAX_BYTES) {
            Ok(Outcome::Bytes(bytes)) => bytes,
            Ok(_) => return Err(wrong("not a regular file")),
            Err(failed) => return Err(wrong(&failed.detail)),
        };
        let packed = of_module(&bytes);
        let loaded = Tokenizer::load(packed.as_deref().unwrap_or(&bytes), encoding);
        loaded.map_err(|error| wrong(&format!("{error}; expected that of {name}")))
    }
}

/// The bytes that a module of the npm package has as text, `export default '…';` with base64. `None` for any other file.
fn of_module(file: &[u8]) -> Option<Vec<u8>> {
    let text = file.strip_prefix(b"export default '")?;
    let end = text.iter().position(|byte| *byte == b'\'')?;
    let mut bytes = Vec::with_capacity(end / 4 * 3);
    for group in text[..end].chunks(4) {
        let digits = group.iter().filter(|byte| **byte != b'=');
        let mut bits = 0;
        let mut count = 0;
        for digit in digits {
            bits = bits << 6 | value_of(*digit)?;
            count += 1;
        }
        let [_, decoded @ ..] = (bits << (6 * (4 - count))).to_be_bytes();
        bytes.extend(&decoded[..count * 3 / 4]);
    }
    Some(bytes)
}

/// The six bits of a character of base64.
fn value_of(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::of_module;

    #[test]
    fn module_of_the_package_has_the_bytes_of_its_text() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("AA==", b"\0"),
            ("bWk=", b"mi"),
            ("bWls", b"mil"),
            ("+/+/ZQ==", b"\xfb\xff\xbfe"),
        ] {
            let module = format!("export default '{text}';\n");
            assert_eq!(
                of_module(module.as_bytes()).as_deref(),
                Some(bytes),
                "{text}"
            );
        }
    }

    #[test]
    fn file_that_is_no_such_module_is_taken_unchanged() {
        for file in [
            "milepost-vocabulary 1 o200k 5\n",
            "export default 'bWls",
            "export default 'b!ls';",
        ] {
            assert_eq!(of_module(file.as_bytes()), None, "{file}");
        }
    }
}
