//! The run that was updated last.

use crate::effect::{Io, boxed};
use crate::operation::command::latest::{newest_of, now_ms};
use crate::operation::command::list::{RunSelection, read_all};
use crate::operation::reply::with_warnings;
use crate::operation::row::{Answering, Arguments, Capability, Operation};
use crate::operation::{Reply, Settings, Target};
use crate::root;

use super::run_here::RunHere;

pub(super) const OPERATION: Operation = Operation::at::<(), Option<RunHere>>(
    "newest_run",
    "The run that was updated last, complete or not; null where no run exists.",
    perform,
)
.of(Capability::Agents);

fn perform<'a>(io: &'a Io, settings: &'a Settings, _: &'a Arguments) -> Answering<'a> {
    boxed(async move {
        let reply = newest_run(io, settings).await;
        reply.map(|run| run.map(|target| RunHere { target }).into())
    })
}

/// The run that was updated last, complete or not, of those that can be read. `None` where no run exists.
///
/// Fails as a list does.
pub async fn newest_run(io: &Io, settings: &Settings) -> Reply<Option<Target>> {
    with_warnings(async |_| {
        let root = root::locate(io, settings).await?;
        let now_ms = now_ms(io).await;
        let all = read_all(io, settings, &root, RunSelection::All).await?;
        Ok(newest_of(all, now_ms))
    })
    .await
}
