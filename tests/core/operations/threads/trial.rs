//! Changes of threads and of transcripts, each with a death and with a fault at every effect.

use milepost::effect::Fault;
use milepost::json::{Json, Object};

use super::super::value;
use super::{SETTINGS, Setting, ask, until};
use crate::memory::{Injected, Memory};

/// Documents, and changes of them.
pub(super) struct Trial {
    /// A world that has some.
    pub(super) begun: fn(Setting) -> Memory,
    /// All of them that can be read.
    pub(super) all: fn(&Memory, Setting) -> String,
    /// The requests that change them.
    pub(super) changes: fn(Setting) -> Vec<String>,
    /// The next caller can go on.
    pub(super) expect_usable: fn(&Memory, Setting, &str),
}

/// A change that had a fault.
pub(super) struct FaultyChange<'a> {
    pub(super) world: &'a Memory,
    pub(super) setting: Setting,
    /// The request.
    pub(super) change: &'a str,
    pub(super) reply: &'a Object,
    /// All that can be read.
    pub(super) now: &'a str,
    /// All that can be read once the change was made.
    pub(super) after: &'a str,
    pub(super) context: &'a str,
}

impl FaultyChange<'_> {
    /// Returns whether it was acknowledged.
    pub(super) fn is_well(&self) -> bool {
        self.reply.get("ok") == Some(&Json::Bool(true))
    }
}

impl Trial {
    /// The states before and after a change.
    pub(super) fn ends(&self, setting: Setting, number: usize) -> [String; 2] {
        let world = (self.begun)(setting);
        let before = (self.all)(&world, setting);
        value(&ask(&world, &(self.changes)(setting)[number]));
        [before, (self.all)(&world, setting)]
    }

    /// Tries each change with a death at every effect.
    pub(super) fn die(&self) {
        self.each(|setting, change, ends, at| {
            let world = (self.begun)(setting);
            let reply = until(&world, at, change);
            let context = format!("{setting:?}, {} at {at}", start_of(change));
            let now = (self.all)(&world, setting);
            assert!(ends.contains(&now), "{context}: {now}");
            if let Some(reply) = &reply {
                value(reply);
                assert_eq!(now, ends[1], "{context}: acknowledged and lost");
            }
            (self.expect_usable)(&world, setting, &context);
            reply.is_some()
        });
    }

    /// Tries each change with a fault at every effect, of which `check` says whether its reply is true.
    pub(super) fn fail(&self, check: impl Fn(&FaultyChange<'_>)) {
        self.each(|setting, change, ends, at| {
            let world = (self.begun)(setting);
            let first = world.performed.get();
            world.injected.set(Some(Injected {
                at: first + at,
                for_good: false,
                fault: Fault::Other,
            }));
            let reply = ask(&world, change);
            let came_through = world.performed.get() <= first + at;
            world.injected.set(None);
            let context = format!("{setting:?}, {} at {at}: {reply:?}", start_of(change));
            let now = (self.all)(&world, setting);
            assert!(ends.contains(&now), "{context}: {now}");
            check(&FaultyChange {
                world: &world,
                setting,
                change,
                reply: &reply,
                now: &now,
                after: &ends[1],
                context: &context,
            });
            (self.expect_usable)(&world, setting, &context);
            came_through
        });
    }

    /// Tries each change in each setting, with the states before and after it, at the first effect, the second and so
    /// on, until it comes through.
    fn each(&self, mut attempt: impl FnMut(Setting, &str, &[String; 2], usize) -> bool) {
        for setting in SETTINGS {
            for (number, change) in (self.changes)(setting).iter().enumerate() {
                let ends = self.ends(setting, number);
                let mut at = 0;
                while !attempt(setting, change, &ends, at) {
                    at += 1;
                }
            }
        }
    }
}

/// The beginning of a request, which may have large texts.
fn start_of(change: &str) -> String {
    change.chars().take(200).collect()
}
