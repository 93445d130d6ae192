//! Runs that hooks keep in files because the database that their command names could not be used when an event arrived.

#[cfg(not(all(feature = "hot", target_family = "wasm")))]
pub use enabled::KeptInFiles;
#[cfg(all(feature = "hot", target_family = "wasm"))]
pub use stub::KeptInFiles;

#[cfg(not(all(feature = "hot", target_family = "wasm")))]
mod enabled {
    use crate::json::{Json, Object};

    /// The database that could not be used, and why.
    #[derive(Clone, Copy, Debug)]
    pub struct KeptInFiles<'a> {
        /// The variable that holds the connection string; `None` for those that the driver knows.
        pub variable: Option<&'a str>,
        /// The project in the database.
        pub project: &'a str,
        /// Why it could not be used; `None` where the variable is not set.
        pub reason: Option<&'a str>,
    }

    impl<'a> KeptInFiles<'a> {
        /// What a host says in a request.
        pub(in super::super) fn read(request: Option<&'a Json>) -> Option<Self> {
            let object: &Object = request?.as_object()?;
            let text = |key: &str| object.get(key).and_then(Json::as_str);
            Some(KeptInFiles {
                variable: text("variable"),
                project: text("project")?,
                reason: text("reason"),
            })
        }

        /// The sentence that a session is given as it starts.
        pub(in super::super) fn sentence(&self) -> String {
            let KeptInFiles {
                variable,
                project,
                reason,
            } = self;
            let variable = variable.unwrap_or("PGHOST");
            let (what, then) = match reason {
                None => (
                    format!("The environment variable {variable} is not set here"),
                    "with the variable set",
                ),
                Some(reason) => (
                    format!("Runs cannot be kept in the database of {variable}: {reason}"),
                    "once it can be used",
                ),
            };
            format!(
                "{what}. Runs of this session are kept in files and not in the database, where other machines see those of \
                 project {project}. `milepost doctor --fix`, {then}, brings them into the database."
            )
        }
    }
}

/// The wasm of hooks is never asked by a hook that names a database.
#[cfg(all(feature = "hot", target_family = "wasm"))]
mod stub {
    use std::convert::Infallible;
    use std::marker::PhantomData;

    use crate::json::Json;

    #[derive(Clone, Copy, Debug)]
    pub struct KeptInFiles<'a>(Infallible, PhantomData<&'a ()>);

    impl<'a> KeptInFiles<'a> {
        pub(in super::super) fn read(_: Option<&'a Json>) -> Option<Self> {
            None
        }

        pub(in super::super) fn sentence(&self) -> String {
            match self.0 {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeptInFiles;

    #[test]
    fn a_session_is_given_what_is_wrong_where_its_runs_are_and_what_brings_them_on() {
        let unset = KeptInFiles {
            variable: Some("DATABASE_URL"),
            project: "shop",
            reason: None,
        };
        let away = KeptInFiles {
            reason: Some("connect ECONNREFUSED"),
            ..unset
        };
        for (kept, why) in [(unset, "is not set"), (away, "connect ECONNREFUSED")] {
            let sentence = kept.sentence();
            for part in [
                why,
                "DATABASE_URL",
                "project shop",
                "kept in files",
                "`milepost doctor --fix`",
            ] {
                assert!(sentence.contains(part), "{part}: {sentence}");
            }
        }
    }
}
