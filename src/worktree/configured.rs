//! The configuration of git, as far as it changes the differences.
//!
//! The repository's own file is read. The configuration of the user and the system is where only
//! git finds it: git is asked for it once, on hosts that have it, and only where the answer
//! matters.
//!
//! No program of the repository's own configuration runs: a command that may run filters goes through
//! [`Configuration::run`].

use crate::effect::{Failed, Fault, Io, Links};
use crate::git::config::Config;
use crate::git::folder::{join, resolve};
use crate::git::id::Hash;
use crate::git::ignore::Case;
use crate::git::programs::{FilterEffect, Programs};
use crate::root::RepositoryFolders;

const CONFIG_BYTES: u32 = 4 << 20;

/// The configuration of a worktree.
#[derive(Debug)]
pub(crate) struct Configuration {
    repository: Option<RepositoryFolders>,
    /// The configuration in the repository's files.
    own: Config,
    all: All,
    programs: ConfiguredPrograms,
}

#[derive(Debug)]
enum All {
    NotAsked,
    Known(Config),
    /// There is no git to ask.
    Unknown,
}

/// The programs that are configured, by the file that configures them.
#[derive(Debug)]
enum ConfiguredPrograms {
    NotAsked,
    Known(Programs),
    /// Git was not asked, or did not say.
    Unknown(Failed),
}

/// `core.autocrlf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AutoCrlf {
    Off,
    On,
    Input,
    /// Unknown: the user or the system may have set it.
    Unknown,
}

impl Configuration {
    /// Reads the repository's own configuration; empty without a repository.
    pub(crate) async fn read(
        io: &Io,
        repository: Option<&RepositoryFolders>,
    ) -> Result<Configuration, Failed> {
        let mut own = Config::default();
        if let Some(repository) = repository {
            own = file(io, join(&repository.common, "config")).await?;
            if own.flag("extensions.worktreeconfig") == Some(true) {
                own.add(file(io, join(&repository.own, "config.worktree")).await?);
            }
        }
        Ok(Configuration {
            repository: repository.cloned(),
            own,
            all: All::NotAsked,
            programs: ConfiguredPrograms::NotAsked,
        })
    }

    /// Leaves git unasked: what the user and the system have configured is unknown.
    pub(crate) fn without_git(&mut self) {
        self.all = All::Unknown;
        self.programs = ConfiguredPrograms::Unknown(unasked());
    }

    /// Lets git be asked again, where the answer matters.
    pub(crate) fn with_git(&mut self) {
        self.all = All::NotAsked;
    }

    /// Returns whether the execute bits of files mean something.
    pub(crate) fn has_modes(&self) -> bool {
        self.own.flag("core.filemode") != Some(false)
    }

    /// Returns whether symbolic links are links in the worktree.
    pub(crate) fn has_links(&self) -> bool {
        self.own.flag("core.symlinks") != Some(false)
    }

    /// Returns whether paths that the index leaves out of the worktree count as soon as they are
    /// there.
    pub(crate) fn is_sparse(&self) -> bool {
        self.own.flag("core.sparsecheckout") == Some(true)
            && self.own.flag("sparse.expectfilesoutsideofpatterns") != Some(true)
    }

    /// Returns the hash that names objects, where no commit shows it.
    pub(crate) fn hash(&self) -> Hash {
        match self.own.text("extensions.objectformat") {
            Some(b"sha256") => Hash::Sha256,
            _ => Hash::Sha1,
        }
    }

    /// Returns whether letter case counts in patterns.
    pub(crate) fn case(&self) -> Case {
        match self.own.flag("core.ignorecase") {
            Some(true) => Case::Folded,
            _ => Case::Exact,
        }
    }

    /// Returns the conversion of line ends where no attribute says it.
    pub(crate) async fn auto_crlf(&mut self, io: &Io) -> AutoCrlf {
        if let Some(said) = auto_crlf(&self.own).filter(|_| !self.own.has_includes) {
            return said;
        }
        match self.all(io).await {
            Some(all) => auto_crlf(all).unwrap_or(AutoCrlf::Off),
            None => AutoCrlf::Unknown,
        }
    }

    /// Returns the effect of the filter of this name on a file; [`FilterEffect::Runs`] where only git
    /// knows it.
    pub(crate) async fn filter(&mut self, io: &Io, name: &[u8]) -> FilterEffect {
        let Ok(name) = std::str::from_utf8(name) else {
            return FilterEffect::Runs;
        };
        match self.programs(io).await {
            Ok(programs) => programs.filter(name),
            Err(_) => FilterEffect::Runs,
        }
    }

    /// Runs a command of git that may run filters: with those of the user and the system, and with no program that
    /// the repository's own configuration names. Where that cannot be had, git is not run.
    ///
    /// # Errors
    ///
    /// The reason why git was not run, or failed.
    pub(crate) async fn run(
        &mut self,
        io: &Io,
        folder: &str,
        arguments: &[&str],
    ) -> Result<Vec<u8>, Failed> {
        let options = self.programs(io).await?.options();
        let options = options.ok_or_else(|| Failed {
            effect: "git",
            fault: Fault::Other,
            detail:
                "the repository's own configuration names programs that options cannot turn off"
                    .to_owned(),
        })?;
        let options = options.iter().map(String::as_str);
        let words: Vec<&str> = options.chain(arguments.iter().copied()).collect();
        io.git(folder, &words).await
    }

    /// The programs that are configured for this worktree, listed once.
    async fn programs(&mut self, io: &Io) -> Result<&Programs, Failed> {
        if matches!(self.programs, ConfiguredPrograms::NotAsked) {
            let listed = match &self.repository {
                Some(repository) => listed(io, &repository.top).await,
                None => Err(unasked()),
            };
            self.programs = match listed {
                Ok(programs) => ConfiguredPrograms::Known(programs),
                Err(failed) => ConfiguredPrograms::Unknown(failed),
            };
        }
        match &self.programs {
            ConfiguredPrograms::Known(programs) => Ok(programs),
            ConfiguredPrograms::Unknown(failed) => Err(failed.clone()),
            ConfiguredPrograms::NotAsked => Err(unasked()),
        }
    }

    /// The user's file of patterns that are ignored everywhere, if git can be asked.
    pub(crate) async fn excludes(&mut self, io: &Io) -> Option<String> {
        let top = self.repository.as_ref()?.top.clone();
        let name = "core.excludesfile";
        let is_whole = |path: &&str| !path.starts_with(['~', '%']);
        // The repository's own word counts before all others.
        if let Some(path) =
            text(&self.own, name).filter(|it| is_whole(it) && !self.own.has_includes)
        {
            return Some(resolve(&top, path));
        }
        let all = self.all(io).await?;
        if let Some(path) = all.text(name) {
            let path = std::str::from_utf8(path).ok().filter(is_whole);
            if let Some(path) = path {
                return Some(resolve(&top, path));
            }
        } else if all.text("core.attributesfile").is_none()
            && let Some(folder) = text(all, "GIT_ATTR_GLOBAL")
            && let Some(folder) = folder.strip_suffix("attributes")
        {
            // The two files have the same folder, unless they are configured.
            return Some([folder, "ignore"].concat());
        }
        let wanted = "core.excludesFile";
        let usual = "~/.config/git/ignore";
        let arguments = ["config", "--type=path", "--default", usual, "--get", wanted];
        let printed = io.git(&top, &arguments).await.ok()?;
        let path = String::from_utf8(printed).ok()?;
        Some(path.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// The files of attributes that count everywhere, the system's first; `None` where git cannot be
    /// asked.
    pub(crate) async fn attributes(&mut self, io: &Io) -> Option<Vec<String>> {
        let all = self.all(io).await?;
        let names = ["GIT_ATTR_SYSTEM", "GIT_ATTR_GLOBAL"];
        let files = names.iter().filter_map(|name| text(all, name));
        Some(files.map(str::to_owned).collect())
    }

    /// All that is configured for this worktree, with the names of git's files; `None` without git.
    async fn all(&mut self, io: &Io) -> Option<&Config> {
        if matches!(self.all, All::NotAsked) {
            self.all = All::Unknown;
            if let Some(repository) = &self.repository
                && let Ok(printed) = io.git(&repository.top, &["var", "-l"]).await
            {
                self.all = All::Known(Config::from_lines(&printed));
            }
        }
        match &self.all {
            All::Known(all) => Some(all),
            All::NotAsked | All::Unknown => None,
        }
    }
}

async fn listed(io: &Io, top: &str) -> Result<Programs, Failed> {
    let scoped = io.git(top, &["config", "--list", "--show-scope", "-z"]);
    match scoped.await {
        Ok(printed) => Ok(Programs::of_scopes(&printed)),
        Err(failed) if failed.fault == Fault::Unsupported => Err(failed),
        // Git before 2.26 does not say who sets what.
        Err(_) => {
            let printed = io.git(top, &["config", "--list", "-z"]).await?;
            Ok(Programs::without_scopes(&printed))
        }
    }
}

fn unasked() -> Failed {
    Failed {
        effect: "git",
        fault: Fault::Unsupported,
        detail: "git is not asked here".to_owned(),
    }
}

fn text<'a>(config: &'a Config, name: &str) -> Option<&'a str> {
    let value = std::str::from_utf8(config.text(name)?).ok()?;
    Some(value).filter(|it| !it.is_empty())
}

fn auto_crlf(config: &Config) -> Option<AutoCrlf> {
    if config.text("core.autocrlf")?.eq_ignore_ascii_case(b"input") {
        return Some(AutoCrlf::Input);
    }
    match config.flag("core.autocrlf") {
        Some(true) => Some(AutoCrlf::On),
        _ => Some(AutoCrlf::Off),
    }
}

async fn file(io: &Io, path: String) -> Result<Config, Failed> {
    match io.read(path, CONFIG_BYTES, Links::Follow).await {
        // Git does nothing at all with one that is malformed, so that none is in use.
        Ok(bytes) => Ok(Config::parse(&bytes).unwrap_or_default()),
        Err(failed) if failed.fault == Fault::NotFound => Ok(Config::default()),
        Err(failed) => Err(failed),
    }
}
