//! The times when files were last changed.

use crate::effect::Io;

/// Returns when each of these files in a folder was last changed, in ms of the clock, or `None` for
/// one that is gone; nothing on a host without dates.
pub(in crate::store) async fn dates(
    io: &Io,
    folder: String,
    files: Vec<String>,
) -> Option<Vec<Option<f64>>> {
    let stamps = io.survey(folder, files).await.ok()?;
    let date = |text: &String| text.split(' ').next().and_then(|it| it.parse().ok());
    Some(stamps.iter().map(date).collect())
}
