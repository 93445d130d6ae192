//! The smallest update: it adds one member to the document, and knows nothing of checkpoints.

use milepost::effect::{Machine, MachineStep};
use milepost::error::Error;
use milepost::store::{
    self, Change, Committed, RetentionPolicy, Stem, StoreFolder, VersionedDocument,
};
use milepost_disk::Disk;

use crate::calm::Calm;
use crate::job::ROOT;
use crate::sabotage::Sabotaged;

/// The member that a writer adds.
pub(crate) fn key(writer: usize) -> String {
    format!("w{writer}")
}

/// The update of a writer.
pub(crate) fn adding(writer: usize) -> Sabotaged<Result<Box<Committed>, Error>> {
    Sabotaged::new(Machine::start(move |io| async move {
        let folder = StoreFolder::new(ROOT, None, ".claude/state")?;
        let stem = Stem::new("design-checkpoint".to_owned())?;
        let mut decide = |current: &store::Current<'_>| {
            let there = current.document.map(|document| document.object.clone());
            let mut object = there.unwrap_or_default();
            object.set(&key(writer), true);
            Ok(Change::write(object))
        };
        let place = VersionedDocument::new(&io, &folder, &stem, RetentionPolicy::default());
        place.update(None, &mut decide).await
    }))
}

/// The update of a writer who is alone.
pub(crate) fn add_in_peace(writer: usize, disk: &mut Disk) -> Result<(), Error> {
    let mut calm = Calm::new(writer as u64);
    let mut machine = adding(writer);
    loop {
        match machine
            .step()
            .expect("each step is followed by its outcome")
        {
            MachineStep::Effect(effect) => machine
                .resume(calm.perform(disk, &effect))
                .expect("the effect of this step is in flight"),
            MachineStep::Done(committed) => return committed.map(|_| ()),
        }
    }
}
