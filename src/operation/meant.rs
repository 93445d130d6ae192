//! The task or thread that is meant by an incomplete or mistyped id.

use crate::error::Error;
use crate::spelling::nearest;
use crate::text::quoted;

/// The most names that are read to find out what is meant.
pub(super) const MOST_READ: usize = 1_000;

/// The only known name that begins with this one, as git takes the beginning of a commit's id. `known` is `None` where
/// there are more than [`MOST_READ`]: the only one among some of them may be another one than is meant.
///
/// # Errors
///
/// [`Error::not_found`] where no name fits, or more than one, with a name that is near; `noun` is the kind of thing.
pub(super) fn meant(noun: &str, name: &str, known: Option<&[String]>) -> Result<String, Error> {
    let Some(known) = known else {
        return Err(Error::not_found(format!(
            "There is no {noun} {}, and there are too many {noun}s to complete a part of an id",
            quoted(name)
        )));
    };
    let mut longer = known.iter().filter(|it| it.starts_with(name));
    match (longer.next(), longer.next()) {
        (Some(found), None) => Ok(found.clone()),
        (Some(one), Some(other)) => Err(Error::not_found(format!(
            "There is no {noun} {}; {} and {} begin with it",
            quoted(name),
            quoted(one),
            quoted(other)
        ))),
        (None, _) => Err(unknown(noun, name, known)),
    }
}

/// The failure for an unknown name, with a name that is near.
pub(super) fn unknown(noun: &str, name: &str, known: &[String]) -> Error {
    let near = nearest(name, known.iter().map(String::as_str));
    let hint = near.map(|it| format!("; did you mean {}?", quoted(it)));
    Error::not_found(format!(
        "There is no {noun} {}{}",
        quoted(name),
        hint.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::meant;

    fn known(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_beginning_of_one_name_stands_for_it() {
        let known = known(&["chat-1", "review"]);
        assert_eq!(meant("thread", "rev", Some(&known)).unwrap(), "review");
    }

    #[test]
    fn a_beginning_of_two_names_names_both() {
        let error = meant("thread", "chat", Some(&known(&["chat-1", "chat-2"]))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "There is no thread \"chat\"; \"chat-1\" and \"chat-2\" begin with it"
        );
    }

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest_and_any_other_without_one() {
        let known = known(&["chat-1", "review"]);
        for (name, expected) in [
            (
                "chta-1",
                "There is no task \"chta-1\"; did you mean \"chat-1\"?",
            ),
            (
                "Review 2",
                "There is no task \"Review 2\"; did you mean \"review\"?",
            ),
            (
                "REVIEW",
                "There is no task \"REVIEW\"; did you mean \"review\"?",
            ),
            ("deploy", "There is no task \"deploy\""),
        ] {
            assert_eq!(
                meant("task", name, Some(&known)).unwrap_err().to_string(),
                expected
            );
        }
    }
}
