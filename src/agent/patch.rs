//! The files that a patch writes, in the form of patches that Codex applies.

/// A file that a tool wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path, as the agent said it: absolute, or from the folder that the agent works in.
    pub path: String,
    /// Set where the agent said whether the file is new.
    pub is_new: Option<bool>,
}

const ADDED: &str = "*** Add File: ";
const UPDATED: &str = "*** Update File: ";
const MOVED: &str = "*** Move to: ";

/// The files that a patch writes, each once, in its order. A file that it only deletes is left out.
pub(super) fn written(patch: &str) -> Vec<WrittenFile> {
    let mut files: Vec<WrittenFile> = Vec::new();
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix(ADDED) {
            // An existing file is written over by the same words.
            add(&mut files, path, None);
        } else if let Some(path) = line.strip_prefix(UPDATED) {
            add(&mut files, path, Some(false));
        } else if let Some(path) = line.strip_prefix(MOVED) {
            // It is the file of the line before, under its new name.
            files.pop();
            add(&mut files, path, None);
        }
    }
    files
}

fn add(files: &mut Vec<WrittenFile>, path: &str, is_new: Option<bool>) {
    let path = path.trim();
    if path.is_empty() || files.iter().any(|file| file.path == path) {
        return;
    }
    files.push(WrittenFile {
        path: path.to_owned(),
        is_new,
    });
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn a_patch_names_what_it_writes_and_not_what_it_deletes() {
        let patch = "*** Begin Patch\n*** Update File: existing.txt\n*** Move to: moved.txt\n@@\n\
                     -a\n+*** Add File: no.txt\n*** Add File: /project/second.txt\n+second\n\
                     *** Delete File: notes/phase.md\n*** Update File: b\n*** End Patch\n";
        let files: Vec<(String, Option<bool>)> = written(patch)
            .into_iter()
            .map(|it| (it.path, it.is_new))
            .collect();
        let expected = [
            ("moved.txt".to_owned(), None),
            ("/project/second.txt".to_owned(), None),
            ("b".to_owned(), Some(false)),
        ];
        assert_eq!(files, expected);
    }
}
