//! The distance of HEAD from the commit at which a run was recorded.

use crate::checkpoint::command::files::files;
use crate::effect::Io;
use crate::git::head::{short, stale};
use crate::json::{Json, Object};
use crate::root::{self, Root};
use crate::text::visible;
use crate::worktree::{ChangesSince, Unknown, since};

/// Returns the distance in words: `2 commits since this was recorded; 3 of its 5 files changed in them`. Where HEAD is
/// before the recorded commit, or the repository does not have that one, as after a rebase, the sentence says so.
/// `None` for a run that is not [`stale`].
pub(in crate::operation) async fn since_recorded(
    io: &Io,
    root: &Root,
    run: &Object,
) -> Option<String> {
    let saved = run.get("head_commit").and_then(Json::as_str);
    let head = root::head(io, root).await;
    let head = head.commit()?;
    let saved = stale(saved, Some(head))?;
    let files = files(run);
    let since = match root::repository(io, root).await {
        Ok(Some(place)) => since(io, &place, (saved, head), &files).await,
        Ok(None) | Err(_) => Err(Unknown::Unreadable),
    };
    Some(match since {
        // HEAD has nothing that the recorded commit lacks.
        Ok(since) if since.commits == Some(0) => before(saved, &since),
        Ok(since) => sentence(&since),
        Err(why) => unknown(saved, why),
    })
}

fn unknown(saved: &str, why: Unknown) -> String {
    let saved = visible(short(saved));
    match why {
        Unknown::NoCommit => format!("recorded at {saved}, which this repository does not have"),
        Unknown::Unreadable => {
            format!("recorded at {saved}; the commits since then cannot be counted")
        }
    }
}

fn before(saved: &str, since: &ChangesSince) -> String {
    let saved = visible(short(saved));
    let sentence = format!(
        "HEAD is before the commit at which this was recorded: `git log HEAD..{saved}` lists what it lacks"
    );
    match since.files {
        0 => sentence,
        files => format!("{sentence}; {} of its {files} files differ", since.changed),
    }
}

fn sentence(since: &ChangesSince) -> String {
    let commits = match since.commits {
        Some(1) => "1 commit".to_owned(),
        Some(count) => format!("{count} commits"),
        None => "many commits".to_owned(),
    };
    let mut sentence = format!("{commits} since this was recorded");
    if since.is_ancestor == Some(false) {
        sentence.push_str(", on a history that does not have the recorded commit");
    }
    match since.files {
        0 => {}
        1 if since.changed == 1 => sentence.push_str("; its 1 file changed in them"),
        files => {
            let verb = format!("; {} of its {files} files changed in them", since.changed);
            sentence.push_str(&verb);
        }
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::{ChangesSince, Unknown, before, sentence, unknown};

    #[test]
    fn a_head_before_the_recorded_commit_is_said_to_be_there() {
        let saved = "1".repeat(40);
        let mut since = ChangesSince {
            commits: Some(0),
            is_ancestor: Some(false),
            changed: 1,
            files: 2,
        };
        let expected = "HEAD is before the commit at which this was recorded: `git log HEAD..1111111` lists what it \
                        lacks";
        assert_eq!(
            before(&saved, &since),
            format!("{expected}; 1 of its 2 files differ")
        );
        since.files = 0;
        assert_eq!(before(&saved, &since), expected);
    }

    #[test]
    fn a_commit_of_which_nothing_is_known_is_named_and_acts_on_no_terminal() {
        let gone = unknown(&"1".repeat(40), Unknown::NoCommit);
        assert_eq!(
            gone,
            "recorded at 1111111, which this repository does not have"
        );
        let odd = unknown("v1\u{1b}[2", Unknown::Unreadable);
        assert_eq!(
            odd,
            "recorded at v1\\u{1b}[2; the commits since then cannot be counted"
        );
    }

    #[test]
    fn the_sentence_counts_commits_and_files() {
        for (commits, is_ancestor, changed, files, expected) in [
            (
                Some(2),
                true,
                3,
                5,
                "2 commits since this was recorded; 3 of its 5 files changed in them",
            ),
            (Some(1), true, 0, 0, "1 commit since this was recorded"),
            (
                Some(1),
                true,
                1,
                1,
                "1 commit since this was recorded; its 1 file changed in them",
            ),
            (
                Some(1),
                true,
                0,
                1,
                "1 commit since this was recorded; 0 of its 1 files changed in them",
            ),
            (
                Some(4),
                false,
                0,
                2,
                "4 commits since this was recorded, on a history that does not have the recorded commit; 0 of its 2 \
                 files changed in them",
            ),
        ] {
            let since = ChangesSince {
                commits,
                is_ancestor: Some(is_ancestor),
                changed,
                files,
            };
            assert_eq!(sentence(&since), expected);
        }
    }
}
