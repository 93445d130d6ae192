//! HEAD and the refs that it leads to: loose, symbolic and packed.

/// The greatest number of files that are read from HEAD to a commit: git's own limit for symbolic refs.
pub const MAX_SYMBOLIC_DEPTH: usize = 5;

/// The content of HEAD or of a loose ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// A commit id in lower case, of 40 (SHA-1) or 64 (SHA-256) hexadecimal digits.
    Commit(String),
    /// The name of another ref.
    Symbolic(RefName),
    /// The content of HEAD in a repository that keeps its refs in `reftable/`.
    InReftable,
}

/// The name of a ref that git itself would accept, so that it can become part of a path: it begins
/// with `refs/` and leads nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefName(String);

/// The bytes are not what git writes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedHead;

/// The first seven characters of a commit's id, as git shortens it.
pub fn short(commit: &str) -> &str {
    let end = commit.char_indices().nth(7);
    end.map_or(commit, |(end, _)| &commit[..end])
}

/// Returns the commit that something was saved at, where it is stale: HEAD is at another one. What was saved at none
/// is never stale, nor is anything where HEAD is not known. Every surface that says so asks here.
pub fn stale<'a>(saved: Option<&'a str>, head: Option<&str>) -> Option<&'a str> {
    saved.filter(|saved| !saved.is_empty() && head.is_some_and(|head| head != *saved))
}

/// Reads HEAD or a loose ref.
///
/// # Errors
///
/// [`MalformedHead`] when it holds neither a commit id nor the valid name of a ref.
pub fn reference(bytes: &[u8]) -> Result<Reference, MalformedHead> {
    if let Some(name) = bytes.strip_prefix(b"ref:") {
        let name = std::str::from_utf8(name).map_err(|_| MalformedHead)?;
        return match name.trim_matches(is_space) {
            "refs/heads/.invalid" => Ok(Reference::InReftable),
            name => RefName::new(name)
                .map(Reference::Symbolic)
                .ok_or(MalformedHead),
        };
    }
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    // Git ignores what follows a space: FETCH_HEAD and its like carry more on the line.
    match bytes.get(digits) {
        Some(&next) if !is_space(char::from(next)) => Err(MalformedHead),
        _ => commit_id(&bytes[..digits])
            .map(Reference::Commit)
            .ok_or(MalformedHead),
    }
}

/// The time at which a branch was created from another one, in ms: what the first line of its reflog says.
pub fn created_from_other(reflog: &[u8]) -> Option<f64> {
    let line = String::from_utf8_lossy(first_line(reflog));
    let (who, message) = line.split_once('\t')?;
    // A branch of a remote was there before.
    match message.strip_prefix("branch: Created from ") {
        Some(from) if !from.starts_with("refs/remotes/") => time_of(who),
        _ => None,
    }
}

/// The time at which a reflog begins, in ms.
pub fn began(reflog: &[u8]) -> Option<f64> {
    let line = String::from_utf8_lossy(first_line(reflog));
    // A line without a message ends with the time.
    time_of(line.split('\t').next()?)
}

fn first_line(reflog: &[u8]) -> &[u8] {
    let end = reflog.iter().position(|&byte| byte == b'\n');
    &reflog[..end.unwrap_or(reflog.len())]
}

/// The time in a line of a reflog up to its message.
fn time_of(who: &str) -> Option<f64> {
    let (seconds, _) = who.rsplit_once("> ")?.1.split_once(' ')?;
    let seconds: f64 = seconds.parse().ok()?;
    Some(seconds * 1_000.0)
}

/// The commit of one ref in `packed-refs`; `None` when it is not there. Linear in the file, and
/// nothing is copied but the answer.
///
/// # Errors
///
/// [`MalformedHead`] when the line of that ref does not begin with an id.
pub fn packed(bytes: &[u8], name: &RefName) -> Result<Option<String>, MalformedHead> {
    for line in bytes.split(|&byte| byte == b'\n') {
        // A line of a comment (`#`) or a peeled tag (`^`) never ends in a space and a ref's name.
        let Some(id) = line
            .strip_suffix(name.0.as_bytes())
            .and_then(|id| id.strip_suffix(b" "))
        else {
            continue;
        };
        return commit_id(id).map(Some).ok_or(MalformedHead);
    }
    Ok(None)
}

impl RefName {
    /// The name, when it begins with `refs/` and follows the rules of git-check-ref-format.
    pub fn new(name: &str) -> Option<RefName> {
        let forbidden = |c: char| {
            c.is_ascii_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\')
        };
        let valid = name.starts_with("refs/")
            && !name.ends_with('.')
            && !name.contains(forbidden)
            && !name
                .as_bytes()
                .windows(2)
                .any(|pair| pair == b".." || pair == b"@{")
            && name
                .split('/')
                .all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"));
        valid.then(|| RefName(name.to_owned()))
    }

    /// The name, such as `refs/heads/main`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether each linked worktree has a ref of this name for itself.
    pub fn is_per_worktree(&self) -> bool {
        ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]
            .iter()
            .any(|prefix| self.0.starts_with(prefix))
    }
}

/// White space as git's own `isspace` has it.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn commit_id(digits: &[u8]) -> Option<String> {
    let is_id = matches!(digits.len(), 40 | 64) && digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok()?;
    is_id.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{MalformedHead, RefName, Reference, began, created_from_other, packed, reference};

    const SHA1: &str = "0123456789abcdef0123456789abcdef01234567";
    const SHA256: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    fn symbolic(name: &str) -> Result<Reference, MalformedHead> {
        Ok(Reference::Symbolic(RefName::new(name).unwrap()))
    }

    fn commit(id: &str) -> Result<Reference, MalformedHead> {
        Ok(Reference::Commit(id.to_owned()))
    }

    #[test]
    fn the_first_line_of_a_reflog_says_when_its_branch_was_created() {
        let line =
            |message: &str| format!("{SHA1} {SHA1} A > B <a@b> 1732600000 +0100\t{message}\n");
        for (log, expected) in [
            (line("branch: Created from HEAD"), Some(1_732_600_000_000.0)),
            (
                line("branch: Created from main") + "x",
                Some(1_732_600_000_000.0),
            ),
            (line("branch: Created from refs/remotes/origin/x"), None),
            (line("commit (initial): one"), None),
            (String::new(), None),
            ("no line of a reflog".to_owned(), None),
        ] {
            assert_eq!(created_from_other(log.as_bytes()), expected, "{log}");
        }
    }

    #[test]
    fn a_reflog_begins_at_the_time_of_its_first_line() {
        let start = format!("{SHA1} {SHA1} A > B <a@b> 1732600000 +0100");
        for (rest, expected) in [
            ("\n", Some(1_732_600_000_000.0)),
            ("\treset: moving to HEAD\nx", Some(1_732_600_000_000.0)),
            ("", Some(1_732_600_000_000.0)),
        ] {
            assert_eq!(
                began(format!("{start}{rest}").as_bytes()),
                expected,
                "{rest:?}"
            );
        }
        assert_eq!(began(b""), None);
    }

    #[test]
    fn head_is_a_commit_or_the_name_of_a_ref() {
        for (text, expected) in [
            ("ref: refs/heads/main\n", symbolic("refs/heads/main")),
            ("ref:\trefs/heads/a/b \r\n\n", symbolic("refs/heads/a/b")),
            ("ref:refs/heads/überblick", symbolic("refs/heads/überblick")),
            ("ref: refs/heads/.invalid\n", Ok(Reference::InReftable)),
            (&format!("{SHA1}\n"), commit(SHA1)),
            (SHA1, commit(SHA1)),
            (&format!("{SHA256}\r\n"), commit(SHA256)),
            (&SHA1.to_uppercase(), commit(SHA1)),
            (&format!("{SHA1}\tnot-for-merge"), commit(SHA1)),
            (&format!("{SHA1}0\n"), Err(MalformedHead)),
            (&format!("{SHA1}g\n"), Err(MalformedHead)),
            (&SHA1[1..], Err(MalformedHead)),
            (&format!("\n{SHA1}\n"), Err(MalformedHead)),
            ("ref: \n", Err(MalformedHead)),
            ("", Err(MalformedHead)),
            ("\0\0\0", Err(MalformedHead)),
        ] {
            assert_eq!(reference(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(reference(b"ref: refs/heads/\xff\n"), Err(MalformedHead));
    }

    #[test]
    fn a_name_that_could_leave_the_git_folder_is_no_ref() {
        for name in [
            "",
            "HEAD",
            "refs",
            "refs/",
            "/refs/heads/main",
            "refs/heads/",
            "refs//heads/main",
            "refs/../config",
            "refs/heads/..",
            "refs/heads/a..b",
            "refs/heads/../../../etc/passwd",
            "refs/./heads",
            "refs/heads/.hidden",
            "refs/heads/main.lock",
            "refs/heads/main.lock/a",
            "refs/heads/main.",
            "refs/heads\\..\\config",
            "refs/heads/C:main",
            "refs/heads/a b",
            "refs/heads/a\0b",
            "refs/heads/a\nb",
            "refs/heads/a\x7f",
            "refs/heads/a~1",
            "refs/heads/a^",
            "refs/heads/a?",
            "refs/heads/a*",
            "refs/heads/a[b",
            "refs/heads/a@{1}",
            "../refs/heads/main",
            "C:/refs/heads/main",
            "\\refs\\heads\\main",
        ] {
            assert_eq!(RefName::new(name), None, "{name:?}");
        }
        for name in [
            "refs/heads/main",
            "refs/a",
            "refs/heads/feature/a-b_c.d@e",
            "refs/heads/日本",
        ] {
            assert!(RefName::new(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn bisect_worktree_and_rewritten_refs_belong_to_one_worktree() {
        for (name, own) in [
            ("refs/bisect/bad", true),
            ("refs/worktree/a", true),
            ("refs/rewritten/onto", true),
            ("refs/bisected/bad", false),
            ("refs/heads/bisect/bad", false),
        ] {
            assert_eq!(RefName::new(name).unwrap().is_per_worktree(), own, "{name}");
        }
    }

    #[test]
    fn a_packed_ref_is_found_among_comments_tags_and_names_that_end_alike() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let file = format!(
            "# pack-refs with: peeled fully-peeled sorted \n\
             {a} refs/heads/feature/refs/heads/main\n\
             {b} refs/heads/main\n\
             {a} refs/heads/main-2\n\
             {a} refs/tags/v1\n^{b}\n\
             {SHA256} refs/heads/wide\n\
             {} refs/heads/short\n\
             {b} refs/heads/last",
            &a[1..],
        );
        for (name, expected) in [
            ("refs/heads/main", Ok(Some(b.clone()))),
            ("refs/tags/v1", Ok(Some(a))),
            ("refs/heads/wide", Ok(Some(SHA256.to_owned()))),
            ("refs/heads/last", Ok(Some(b))),
            ("refs/heads/mai", Ok(None)),
            ("refs/heads/short", Err(MalformedHead)),
        ] {
            let name = RefName::new(name).unwrap();
            assert_eq!(
                packed(file.as_bytes(), &name),
                expected,
                "{}",
                name.as_str()
            );
        }
        assert_eq!(packed(b"", &RefName::new("refs/a").unwrap()), Ok(None));
    }
}
