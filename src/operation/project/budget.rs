//! The project's budget in exact tokens: what holds, and whether a text keeps to it.
//!
//! A project asks for it in `tokens` of its settings. Counting is an effect, because the core has no vocabulary:
//! where the host has none either, the operation ends there, and no other count stands in.

use crate::effect::{Failed, Fault, Io, Links};
use crate::encoding::Encoding;
use crate::error::whole;
use crate::error::{Error, ErrorKind};
use crate::integrations;
use crate::operation::reply::Warnings;
use crate::root::Root;
use crate::schema::{Budget, Problem};

use super::files::MAX_BYTES;
use super::load_integrations::read_unchecked;

/// A file without it says nothing of a budget.
const NAME: &[u8] = br#""tokens""#;

/// The project's budget; `None` where words alone are counted. Settings that do not say `"tokens"` are not
/// looked at any further, so that nothing in them stops who never asked for a budget.
///
/// # Errors
///
/// Those of a file that may have one: `invalid_document` where that is wrong, `corrupt`, `unsafe_path`, `too_large`,
/// `io`.
pub(crate) async fn budget(io: &Io, root: &Root) -> Result<Option<Budget>, Error> {
    if !may_be_set(io, root).await {
        return Ok(None);
    }
    whole::needed()?;
    // Loading the settings reports how the file is written.
    let file = read_unchecked(io, root, &mut Warnings::default()).await?;
    match &file {
        Some(file) => integrations::budget(file).map_err(of_settings),
        None => Ok(None),
    }
}

/// Says which file is meant: the call was about another document.
#[cold]
fn of_settings(error: Error) -> Error {
    let ErrorKind::InvalidDocument(problems) = error.kind() else {
        return error;
    };
    let named = |problem: &Problem| {
        let message = format!("{} (in {})", problem.message, integrations::FILE);
        Problem {
            message,
            ..problem.clone()
        }
    };
    Error::invalid_document(problems.iter().map(named).collect())
}

/// Returns whether the settings mention a budget, or cannot be read.
async fn may_be_set(io: &Io, root: &Root) -> bool {
    let path = root.join(integrations::FILE);
    match io.read(path, MAX_BYTES, Links::Follow).await {
        Ok(bytes) => bytes.windows(NAME.len()).any(|it| it == NAME),
        Err(Failed { fault, .. }) => !matches!(
            fault,
            Fault::NotFound | Fault::WrongKind | Fault::Unsupported
        ),
    }
}

/// The tokens of a text, and how many bytes of it the first `limit` of them are.
///
/// # Errors
///
/// [`Error::io`] where the host cannot count them; its words say what is missing.
pub(crate) async fn count(
    io: &Io,
    encoding: Encoding,
    text: &str,
    limit: u32,
) -> Result<(u64, usize), Error> {
    let doing = || format!("count the tokens of a text in {}", encoding.name());
    match io.count_tokens(encoding, text, limit).await {
        Ok(counted) => {
            let kept = usize::try_from(counted.kept).unwrap_or(usize::MAX);
            match text.is_char_boundary(kept) {
                true => Ok((counted.tokens, kept)),
                false => Err(unfitting().cannot_do(&doing())),
            }
        }
        Err(failed) => Err(failed.cannot_do(&doing())),
    }
}

#[cold]
fn unfitting() -> Failed {
    Failed {
        effect: "count_tokens",
        fault: Fault::Other,
        detail: "the host named a prefix that ends within a character, or behind the text"
            .to_owned(),
    }
}

/// The sentence, where a text is above the budget.
///
/// # Errors
///
/// Those of [`count`].
pub(crate) async fn excess(io: &Io, budget: Budget, text: &str) -> Result<Option<String>, Error> {
    let (tokens, _) = count(io, budget.encoding, text, budget.limit).await?;
    Ok(budget.excess(tokens))
}

/// The beginning of a text that keeps to the budget, and the sentence where that is not all of it.
///
/// # Errors
///
/// Those of [`count`].
pub(crate) async fn fit<'a>(
    io: &Io,
    budget: Budget,
    text: &'a str,
) -> Result<(&'a str, Option<String>), Error> {
    let (tokens, kept) = count(io, budget.encoding, text, budget.limit).await?;
    match budget.excess(tokens) {
        None => Ok((text, None)),
        Some(why) => Ok((&text[..kept], Some(why))),
    }
}
