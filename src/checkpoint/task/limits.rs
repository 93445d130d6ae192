//! The limits on what is kept of each task, and of all of them.

use crate::error::Error;
use crate::json::Json;
use crate::schema::MAX_INTEGER;

/// The number of checkpoints of a task that are kept, unless the caller says otherwise.
pub const KEPT: u64 = 10;

/// The most bytes of a checkpoint, as of every document, unless the caller says otherwise.
pub const MAX_BYTES: u64 = 16 << 20;

/// The most bytes that a caller can allow a checkpoint: a longer text may not fit a string of
/// JavaScript, and then it could not be read again there.
pub const MOST_BYTES: u64 = (1 << 29) - 24;

/// The most bytes of a task's checkpoints together, unless the caller says otherwise.
pub const MAX_TASK_BYTES: u64 = 1 << 30;

/// The values that a caller has set, unchanged and of any kind; `None` where nothing was given.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitSettings<'a> {
    /// `maxPerTask`
    pub max_per_task: Option<&'a Json>,
    /// `storage.maxPerTask`, which counts where the outer one was not given.
    pub storage_max_per_task: Option<&'a Json>,
    /// `storage.autoCleanup`
    pub auto_cleanup: Option<&'a Json>,
    /// `storage.maxBytes`
    pub max_bytes: Option<&'a Json>,
    /// `storage.maxTaskBytes`
    pub max_task_bytes: Option<&'a Json>,
    /// `storage.maxStoreBytes`
    pub max_store_bytes: Option<&'a Json>,
}

/// The fate of a task's other checkpoints when one is saved that has nothing left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// They stay, as many as are kept.
    Never,
    /// They go: the last one says that the task is done.
    OnceDone,
}

/// The limits on what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskLimits {
    /// The number of checkpoints of a task.
    pub per_task: u64,
    /// The checkpoints to remove when a task is done.
    pub cleanup: Cleanup,
    /// The most bytes of a checkpoint.
    pub max_bytes: u64,
    /// The most bytes of a task's checkpoints together.
    pub max_task_bytes: u64,
    /// The most bytes of all checkpoints together, about: a save does not wait for others to count.
    /// `None` where the caller has set none: counting means to read the index of every task.
    pub max_store_bytes: Option<u64>,
}

impl Default for TaskLimits {
    fn default() -> Self {
        TaskLimits {
            per_task: KEPT,
            cleanup: Cleanup::Never,
            max_bytes: MAX_BYTES,
            max_task_bytes: MAX_TASK_BYTES,
            max_store_bytes: None,
        }
    }
}

impl TaskLimits {
    /// Returns the limits that a caller has set, and the defaults for the rest.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] for the first invalid value: each is checked, also one that does not count.
    pub fn new(given: LimitSettings<'_>) -> Result<Self, Error> {
        let outer = whole("maxPerTask", given.max_per_task, MAX_INTEGER)?;
        let inner = whole(
            "storage.maxPerTask",
            given.storage_max_per_task,
            MAX_INTEGER,
        )?;
        let bytes =
            |name, value, most, usual| whole(name, value, most).map(|it| it.unwrap_or(usual));
        Ok(TaskLimits {
            per_task: outer.or(inner).unwrap_or(KEPT),
            cleanup: cleanup(given.auto_cleanup)?,
            max_bytes: bytes("storage.maxBytes", given.max_bytes, MOST_BYTES, MAX_BYTES)?,
            max_task_bytes: bytes(
                "storage.maxTaskBytes",
                given.max_task_bytes,
                MAX_INTEGER,
                MAX_TASK_BYTES,
            )?,
            max_store_bytes: whole("storage.maxStoreBytes", given.max_store_bytes, MAX_INTEGER)?,
        })
    }

    /// Refuses a checkpoint of so many bytes, from its size alone.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`]
    pub fn check_checkpoint(&self, bytes: u64) -> Result<(), Error> {
        let subject = "The checkpoint has";
        check(
            "checkpoint",
            subject,
            bytes,
            self.max_bytes,
            "storage.maxBytes",
        )
    }

    /// Refuses a change after which a task's checkpoints would have so many bytes.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`]
    pub fn check_task(&self, bytes: u64) -> Result<(), Error> {
        let subject = "With this one the checkpoints of its task would have";
        let option = "storage.maxTaskBytes";
        check("task", subject, bytes, self.max_task_bytes, option)
    }

    /// Refuses a change after which all checkpoints would have so many bytes.
    ///
    /// # Errors
    ///
    /// [`Error::too_large`]
    pub fn check_store(&self, bytes: u64) -> Result<(), Error> {
        let subject = "With this one all checkpoints would have";
        let option = "storage.maxStoreBytes";
        let most = self.max_store_bytes.unwrap_or(u64::MAX);
        check("store", subject, bytes, most, option)
    }
}

fn whole(name: &str, value: Option<&Json>, most: u64) -> Result<Option<u64>, Error> {
    let Some(value) = value else {
        return Ok(None);
    };
    let number = value.as_u64().filter(|number| (1..=most).contains(number));
    number.map(Some).ok_or_else(|| {
        let found = shown_value(value);
        Error::usage(format!(
            "Expected `{name}` to be a whole number from 1 to {most}, got {found}"
        ))
    })
}

fn cleanup(value: Option<&Json>) -> Result<Cleanup, Error> {
    match value {
        None | Some(Json::Bool(false)) => Ok(Cleanup::Never),
        Some(Json::Bool(true)) => Ok(Cleanup::OnceDone),
        Some(value) => Err(Error::usage(format!(
            "Expected `storage.autoCleanup` to be true or false, got {}",
            shown_value(value)
        ))),
    }
}

/// Returns a wrong value in a sentence: a number unchanged, and of anything else its kind.
fn shown_value(value: &Json) -> &str {
    const SHORT: usize = 40;
    match value {
        Json::Number(text) if text.len() <= SHORT => text,
        value => value.kind(),
    }
}

fn check(input: &str, subject: &str, bytes: u64, most: u64, option: &str) -> Result<(), Error> {
    if bytes <= most {
        return Ok(());
    }
    let message = format!(
        "{subject} {bytes} bytes; expected at most {most}: save less, or raise `{option}`; nothing \
         was written"
    );
    Err(Error::too_large(input.to_owned(), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;
    use crate::json;

    fn value(text: &str) -> Json {
        json::read(text.as_bytes()).unwrap().value
    }

    #[test]
    fn the_outer_number_wins_over_the_inner_one() {
        let [three, five] = ["3", "5"].map(value);
        for (outer, inner, expected) in [
            (None, None, 10),
            (None, Some(&five), 5),
            (Some(&three), None, 3),
            (Some(&three), Some(&five), 3),
        ] {
            let given = LimitSettings {
                max_per_task: outer,
                storage_max_per_task: inner,
                ..LimitSettings::default()
            };
            assert_eq!(TaskLimits::new(given).unwrap().per_task, expected);
        }
    }

    #[test]
    fn a_limit_is_a_whole_number_above_zero() {
        let fields: [fn(&Json) -> LimitSettings<'_>; 5] = [
            |it| LimitSettings {
                max_per_task: Some(it),
                ..LimitSettings::default()
            },
            |it| LimitSettings {
                storage_max_per_task: Some(it),
                ..LimitSettings::default()
            },
            |it| LimitSettings {
                max_bytes: Some(it),
                ..LimitSettings::default()
            },
            |it| LimitSettings {
                max_task_bytes: Some(it),
                ..LimitSettings::default()
            },
            |it| LimitSettings {
                max_store_bytes: Some(it),
                ..LimitSettings::default()
            },
        ];
        for field in fields {
            assert!(TaskLimits::new(field(&value("1"))).is_ok());
            assert!(TaskLimits::new(field(&value("1e1"))).is_ok());
            for text in [
                "0",
                "-1",
                "1.5",
                "\"7\"",
                "null",
                "true",
                "[]",
                "{}",
                "1e400",
                "9007199254740992",
            ] {
                let error = TaskLimits::new(field(&value(text))).unwrap_err();
                assert_eq!(error.code(), Code::Usage, "{text}");
            }
        }
    }

    #[test]
    fn a_number_that_does_not_count_is_checked_too() {
        let [good, bad] = ["3", "0"].map(value);
        let given = LimitSettings {
            max_per_task: Some(&good),
            storage_max_per_task: Some(&bad),
            ..LimitSettings::default()
        };
        assert_eq!(
            TaskLimits::new(given).unwrap_err().to_string(),
            "Expected `storage.maxPerTask` to be a whole number from 1 to 9007199254740991, got 0"
        );
    }

    #[test]
    fn the_cleanup_option_is_either_valid_or_refused() {
        let cleanup = |text: &str| {
            let value = value(text);
            let auto_cleanup = Some(&value);
            TaskLimits::new(LimitSettings {
                auto_cleanup,
                ..LimitSettings::default()
            })
            .map(|limits| limits.cleanup)
        };
        assert_eq!(cleanup("true"), Ok(Cleanup::OnceDone));
        assert_eq!(cleanup("false"), Ok(Cleanup::Never));
        assert_eq!(TaskLimits::default().cleanup, Cleanup::Never);
        for text in ["null", "1", "\"true\""] {
            assert_eq!(cleanup(text).unwrap_err().code(), Code::Usage, "{text}");
        }
    }

    #[test]
    fn a_size_is_accepted_at_its_limit_and_refused_above_it() {
        let limits = TaskLimits {
            max_bytes: 10,
            max_task_bytes: 20,
            max_store_bytes: Some(30),
            ..TaskLimits::default()
        };
        type Check = fn(&TaskLimits, u64) -> Result<(), Error>;
        let checks: [(u64, Check, &str); 3] = [
            (10, TaskLimits::check_checkpoint, "storage.maxBytes"),
            (20, TaskLimits::check_task, "storage.maxTaskBytes"),
            (30, TaskLimits::check_store, "storage.maxStoreBytes"),
        ];
        for (most, check, option) in checks {
            assert_eq!(check(&limits, most), Ok(()));
            let error = check(&limits, most + 1).unwrap_err();
            assert_eq!(error.code(), Code::TooLarge);
            assert!(error.to_string().contains(&format!("raise `{option}`")));
        }
        let error = limits.check_checkpoint(11).unwrap_err().to_string();
        assert_eq!(
            error,
            "The checkpoint has 11 bytes; expected at most 10: save less, or raise \
             `storage.maxBytes`; nothing was written"
        );
    }
}
