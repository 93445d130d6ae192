//! The paths of agents' settings on this machine.

use crate::agent::Agent;
use crate::agent::registration::{
    AgentSettingsFile, DatabaseRef, LineRuns, SettingsFolder, SettingsScope, VARIABLES, file,
};
use crate::doctor::SettingsLocation;
use crate::error::Error;
use crate::git::folder::{is_absolute, join};
use crate::json::Json;
use crate::root::Root;

/// The facts that a host knows about its user, and about the program that it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The user's home.
    pub home: Option<String>,
    /// The variables of [`VARIABLES`] that are set.
    pub variables: Vec<(String, String)>,
    /// The folder of the package that runs.
    pub package: Option<String>,
    /// The file of the native program that runs: absolute.
    pub program: Option<String>,
    /// Set where the host was asked to compile the component that the words name: the result, or why it failed; `None`
    /// where it was not asked to, or cannot.
    pub compiled: Option<Result<(), String>>,
    /// The results of the registered lines that the host ran.
    pub runs: LineRuns,
    /// The database that hooks of the project name, where the host has looked for it.
    pub database: Option<HookDatabase>,
}

/// A database that hooks of a project name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookDatabase {
    /// The database.
    pub database: DatabaseRef,
    /// The place of the project's records, `None` where nothing was ever kept in the database; or why it cannot be
    /// used.
    pub dir: Result<Option<String>, String>,
    /// Set where the user has named it: in the call, or in settings that no clone brings.
    pub is_of_user: bool,
}

impl HookDatabase {
    /// Reads the host's account of it: `variable`, `project`, `is_of_user`, and one of `dir`, `is_empty` and
    /// `reason`.
    fn read(given: &Json) -> Option<Self> {
        let text = |name: &str| given.as_object()?.get(name)?.as_str().map(str::to_owned);
        let is_set = |name: &str| {
            let value = given.as_object().and_then(|it| it.get(name));
            matches!(value, Some(Json::Bool(true)))
        };
        Some(HookDatabase {
            database: DatabaseRef {
                variable: text("variable"),
                project: text("project")?,
            },
            dir: match text("dir") {
                None if !is_set("is_empty") => Err(text("reason").unwrap_or_default()),
                dir => Ok(dir),
            },
            is_of_user: is_set("is_of_user"),
        })
    }
}

impl User {
    /// Reads the host's facts: an object with `home`, `package`, `variables` and `compiled` (true, or a sentence), each
    /// of which may be absent; `runs`, see [`LineRuns::read`]; and `database`, see [`HookDatabase`].
    pub fn read(known: &Json) -> Self {
        let member = |name: &str| known.as_object().and_then(|it| it.get(name));
        let text = |name: &str| {
            let text = member(name).and_then(Json::as_str);
            text.filter(|it| !it.is_empty()).map(str::to_owned)
        };
        let variables = member("variables").and_then(Json::as_object);
        let value = |name: &str| variables.and_then(|it| it.get(name)?.as_str());
        let set = VARIABLES.iter().filter_map(|&name| {
            let value = value(name).filter(|it| !it.is_empty())?;
            Some((name.to_owned(), value.to_owned()))
        });
        User {
            home: text("home"),
            package: text("package"),
            program: None,
            variables: set.collect(),
            runs: LineRuns::read(member("runs")),
            database: member("database").and_then(HookDatabase::read),
            compiled: match member("compiled") {
                Some(Json::Bool(true)) => Some(Ok(())),
                _ => text("compiled").map(Err),
            },
        }
    }

    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let found = self.variables.iter().find(|(set, _)| set == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The path of a settings file on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SettingsPath {
    /// The folder that the agent may have to be given first, as the host names it.
    base: String,
    /// The path of the file below that, with `/`.
    pub(super) below: String,
    /// The name of the file in messages.
    pub(super) shown: String,
}

impl SettingsPath {
    /// The file that an agent reads hooks from in a scope.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] where the agent has no such scope, or the host has not named the user's home.
    pub(super) fn of(
        agent: Agent,
        scope: SettingsScope,
        root: &Root,
        user: &User,
    ) -> Result<Self, Error> {
        let Some(file) = file(agent, scope) else {
            let scopes = SettingsScope::ALL
                .into_iter()
                .filter(|it| self::file(agent, *it).is_some());
            let names: Vec<&str> = scopes.map(SettingsScope::name).collect();
            let message = format!(
                "{} has no settings of scope {}: expected {}",
                agent.name(),
                scope.name(),
                names.join(" or ")
            );
            return Err(Error::usage(message));
        };
        SettingsPath::of_file(file, root, user)
    }

    /// The place of a file below the project or the user's home.
    ///
    /// # Errors
    ///
    /// [`Error::usage`] where the host has not named the user's home.
    pub(super) fn of_file(
        file: AgentSettingsFile,
        root: &Root,
        user: &User,
    ) -> Result<Self, Error> {
        let (base, below, shown) = match file.base {
            SettingsFolder::Project => (
                root.path().to_owned(),
                file.path.to_owned(),
                file.path.to_owned(),
            ),
            SettingsFolder::Home => below_home(user, file.path.to_owned())?,
            SettingsFolder::Configured(name, folder) => match user.variable(name) {
                Some(base) if is_absolute(base) => {
                    (base.to_owned(), file.path.to_owned(), join(base, file.path))
                }
                Some(_) => {
                    let message = format!("Expected an absolute path in the variable {name}");
                    return Err(Error::usage(message));
                }
                None => below_home(user, format!("{folder}/{}", file.path))?,
            },
        };
        Ok(SettingsPath { base, below, shown })
    }

    /// The path of something below the base, as the host names it.
    pub(super) fn host(&self, below: &str) -> String {
        join(&self.base, below)
    }
}

/// Every file that agents read hooks from, as far as the user's home is known.
pub(in crate::operation) fn settings_locations(root: &Root, user: &User) -> Vec<SettingsLocation> {
    let mut all = Vec::new();
    for agent in Agent::ALL {
        for scope in SettingsScope::ALL {
            if let Ok(place) = SettingsPath::of(agent, scope, root, user) {
                all.push(SettingsLocation {
                    agent,
                    host: place.host(&place.below),
                    shown: place.shown,
                });
            }
        }
    }
    all
}

fn below_home(user: &User, below: String) -> Result<(String, String, String), Error> {
    match user.home.as_deref().filter(|home| is_absolute(home)) {
        Some(home) => Ok((home.to_owned(), below.clone(), format!("~/{below}"))),
        None => Err(Error::usage(
            "The user's home is not known: expected HOME, or USERPROFILE on Windows, in what this \
             program sees of the environment, and the folder to be open to it"
                .to_owned(),
        )),
    }
}
