//! The programs that git's configuration names, and whether the user or the repository names them (git-config).
//!
//! A repository's own configuration is part of every copy of its folder, so that no program that it names is run.
//! Git reads it all the same: [`Programs::options`] puts what the user and the system say in its place.

use super::config::as_flag;

/// The user's word that the filters of a repository's own configuration run.
pub const ALLOWED: &str = "milepost.sessions.filters";

/// More settings than this that name programs are not taken out one by one.
const MAX_SETTINGS: usize = 256;

/// So many bytes of options fit beside the paths of a command on every system.
const MAX_BYTES: usize = 8 << 10;

/// The settings of a filter that name a program.
const OF_FILTER: [&str; 3] = ["clean", "smudge", "process"];

/// The effect of a filter on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterEffect {
    /// No program is configured for it.
    None,
    /// The program of the user or the system runs.
    Runs,
    /// The repository alone configures a program, which is not run.
    Refused,
}

/// The programs that a configuration names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// In the order in which git reads them: the last one of a name counts.
    settings: Vec<Setting>,
    /// The number of the repository's settings that were seen, which are not all kept.
    own: usize,
    is_allowed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    /// With section and key in small letters.
    name: Vec<u8>,
    value: Vec<u8>,
    /// True if the user or the system says it, not the repository.
    is_users: bool,
}

impl Programs {
    /// Reads what `git config --list --show-scope -z` printed. Files that are included have the scope of the file
    /// that includes them, and the environment is the user's.
    pub fn of_scopes(printed: &[u8]) -> Programs {
        let mut programs = Programs::default();
        let mut parts = printed.split(|&byte| byte == 0);
        while let (Some(scope), Some(entry)) = (parts.next(), parts.next()) {
            let is_users = matches!(scope, b"system" | b"global" | b"command");
            programs.add(entry, is_users);
        }
        programs
    }

    /// Reads what `git config --list -z` printed. All of it counts as the repository's.
    pub fn without_scopes(printed: &[u8]) -> Programs {
        let mut programs = Programs::default();
        for entry in printed.split(|&byte| byte == 0) {
            programs.add(entry, false);
        }
        programs
    }

    fn add(&mut self, entry: &[u8], is_users: bool) {
        let end = entry.iter().position(|&byte| byte == b'\n');
        let name = &entry[..end.unwrap_or(entry.len())];
        let value = end.map(|at| &entry[at + 1..]);
        if name == ALLOWED.as_bytes() {
            if is_users {
                self.is_allowed = as_flag(value) == Some(true);
            }
            return;
        }
        if neutral(name).is_none() {
            return;
        }
        if !is_users {
            self.own += 1;
            if self.own > MAX_SETTINGS {
                return;
            }
        }
        self.settings.push(Setting {
            name: name.to_vec(),
            value: value.unwrap_or(b"true").to_vec(),
            is_users,
        });
    }

    /// The effect of the filter of this name on a file.
    pub fn filter(&self, name: &str) -> FilterEffect {
        let values = |of: &dyn Fn(&str) -> bool| {
            let mut keys = OF_FILTER.iter().map(|key| format!("filter.{name}.{key}"));
            keys.any(|key| of(&key))
        };
        if self.is_allowed {
            let has_any = values(&|key| is_program(self.last(key).map(|it| it.value.as_slice())));
            return match has_any {
                true => FilterEffect::Runs,
                false => FilterEffect::None,
            };
        }
        let effective = |key: &str| self.effective(&format!("filter.{name}.{key}"));
        let runs = match effective("process") {
            // Git asks no other one then, be it empty.
            Some(process) => !process.is_empty(),
            None => is_program(effective("clean")) || is_program(effective("smudge")),
        };
        match (runs, values(&|key| is_program(self.own(key)))) {
            (true, _) => FilterEffect::Runs,
            (false, true) => FilterEffect::Refused,
            (false, false) => FilterEffect::None,
        }
    }

    /// The options before a command of git with which it runs no program of the repository; `None` where options
    /// cannot say it, and git must not be run.
    pub fn options(&self) -> Option<Vec<String>> {
        let mut options = Options::default();
        if self.is_allowed {
            return Some(options.words);
        }
        if self.own > MAX_SETTINGS {
            return None;
        }
        let mut done: Vec<&[u8]> = Vec::new();
        let mut refused: Vec<&str> = Vec::new();
        for setting in self.settings.iter().filter(|it| !it.is_users) {
            if done.contains(&setting.name.as_slice()) {
                continue;
            }
            done.push(&setting.name);
            let name = std::str::from_utf8(&setting.name).ok()?;
            // Where the environment says something else, that counts.
            let Some(own) = self.own(name) else {
                continue;
            };
            match filter_of(name) {
                Some((filter, _)) if refused.contains(&filter) => {}
                Some((filter, _)) if self.filter(filter) == FilterEffect::Refused => {
                    refused.push(filter);
                    for key in OF_FILTER {
                        options.put(&format!("filter.{filter}.{key}"), "")?;
                    }
                    options.put(&format!("filter.{filter}.required"), "false")?;
                }
                // An empty one takes the program away.
                Some((_, key)) if own.is_empty() && key != "required" => {}
                _ if name.ends_with(".helper") => {
                    // The empty one takes all before it away.
                    options.put(name, "")?;
                    for value in self.of_user(name) {
                        options.put(name, std::str::from_utf8(value).ok()?)?;
                    }
                }
                _ => {
                    let neutral = neutral(&setting.name).unwrap_or_default();
                    let value = self.of_user(name).last().unwrap_or(neutral.as_bytes());
                    if value != own {
                        options.put(name, std::str::from_utf8(value).ok()?)?;
                    }
                }
            }
        }
        Some(options.words)
    }

    fn last(&self, name: &str) -> Option<&Setting> {
        let mut last = self.settings.iter().rev();
        last.find(|it| it.name == name.as_bytes())
    }

    /// The repository's value, where it is the one that counts.
    fn own(&self, name: &str) -> Option<&[u8]> {
        let last = self.last(name).filter(|it| !it.is_users)?;
        Some(&last.value)
    }

    /// The values of the user and the system, in the order in which git reads them.
    fn of_user<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let named = self.settings.iter();
        let named = named.filter(move |it| it.is_users && it.name == name.as_bytes());
        named.map(|it| it.value.as_slice())
    }

    /// The value that counts behind the options.
    fn effective(&self, name: &str) -> Option<&[u8]> {
        let users = self.settings.iter().rev();
        let mut users = users.filter(|it| it.is_users && it.name == name.as_bytes());
        let users = users.next().map(|it| it.value.as_slice());
        match self.own(name) {
            None => users,
            Some(own) if own.is_empty() => Some(own),
            Some(_) => Some(users.unwrap_or_default()),
        }
    }
}

/// Options, as long as they can say it.
#[derive(Default)]
struct Options {
    words: Vec<String>,
    bytes: usize,
}

impl Options {
    fn put(&mut self, name: &str, value: &str) -> Option<()> {
        self.bytes += name.len() + value.len();
        // Git takes the first `=` for the end of the name.
        if name.contains('=') || self.bytes > MAX_BYTES {
            return None;
        }
        self.words.push("-c".to_owned());
        self.words.push([name, "=", value].concat());
        Some(())
    }
}

fn is_program(value: Option<&[u8]>) -> bool {
    value.is_some_and(|it| !it.is_empty())
}

/// The filter and the key of a setting of a filter.
fn filter_of(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("filter.")?.rsplit_once('.')
}

/// The value with which a setting names no program; `None` where it names none.
///
/// Those of filters, and what a filter of the user (such as git-lfs) asks the configuration for. What the commands
/// that are run here would run by themselves is turned off by their words and by the host.
fn neutral(name: &[u8]) -> Option<&'static str> {
    let first = name.iter().position(|&byte| byte == b'.')?;
    let last = name.iter().rposition(|&byte| byte == b'.')?;
    let between = name.get(first + 1..last).unwrap_or_default();
    match (&name[..first], &name[last + 1..]) {
        (b"filter", b"clean" | b"smudge" | b"process") if first < last => Some(""),
        (b"filter", b"required") if first < last => Some("false"),
        (b"core", b"sshcommand") => Some("ssh"),
        (b"core", b"askpass") => Some(""),
        (b"credential", b"helper") => Some(""),
        (b"lfs", b"standalonetransferagent") => Some(""),
        (b"lfs", _) if between.starts_with(b"extension.") => Some(""),
        (b"lfs", _) if between.starts_with(b"customtransfer.") => Some(""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FilterEffect, MAX_SETTINGS, Programs};

    /// Scopes, names and values as git prints them.
    fn programs(settings: &[(&str, &str, &str)]) -> Programs {
        let lines = settings.iter();
        let lines = lines.map(|(scope, name, value)| format!("{scope}\0{name}\n{value}\0"));
        Programs::of_scopes(lines.collect::<String>().as_bytes())
    }

    #[test]
    fn a_filter_runs_where_the_user_or_the_system_defines_it() {
        use FilterEffect::{None, Refused, Runs};
        let (user, own) = ("global", "local");
        let clean = "filter.a.clean";
        let process = "filter.a.process";
        let allowed = "milepost.sessions.filters";
        for (settings, expected) in [
            (&[][..], None),
            (&[(user, clean, "x")], Runs),
            (&[("system", clean, "x")], Runs),
            (&[("command", clean, "x")], Runs),
            (&[(own, clean, "x")], Refused),
            (&[("worktree", process, "x")], Refused),
            (&[("unknown", clean, "x")], Refused),
            (&[(user, "filter.b.clean", "x")], None),
            (&[(user, "filter.A.clean", "x")], None),
            // The user's own takes its place.
            (&[(user, clean, "x"), (own, clean, "y")], Runs),
            // A process that is taken out takes the others along.
            (&[(user, clean, "x"), (own, process, "y")], Refused),
            (&[(user, process, "x"), (own, process, "y")], Runs),
            (&[(user, process, "x"), (own, clean, "y")], Runs),
            // The repository may do without.
            (&[(user, clean, "x"), (own, clean, "")], None),
            (&[(user, process, "x"), (own, process, "")], None),
            (&[(own, clean, "x"), ("command", clean, "y")], Runs),
            (&[(own, allowed, "true"), (own, clean, "x")], Refused),
            (&[("worktree", allowed, "true"), (own, clean, "x")], Refused),
            (&[(user, allowed, "true"), (own, clean, "x")], Runs),
            (&[(user, allowed, "false"), (own, clean, "x")], Refused),
            (&[("command", allowed, "1"), (own, process, "x")], Runs),
        ] {
            assert_eq!(programs(settings).filter("a"), expected, "{settings:?}");
        }
        let all = Programs::without_scopes(b"filter.a.clean\nx\0milepost.sessions.filters\ntrue\0");
        assert_eq!(all.filter("a"), Refused);
    }

    #[test]
    fn options_put_what_the_user_says_in_the_place_of_the_repository() {
        let (user, own) = ("global", "local");
        let none: &[&str] = &[];
        for (settings, expected) in [
            (&[][..], none),
            (&[(user, "filter.a.clean", "x")], none),
            (
                &[(own, "filter.a.clean", "x"), (own, "filter.a.smudge", "y")],
                &[
                    "filter.a.clean=",
                    "filter.a.smudge=",
                    "filter.a.process=",
                    "filter.a.required=false",
                ],
            ),
            (
                &[
                    (user, "filter.a.b c.clean", "x"),
                    (own, "filter.a.b c.clean", "y"),
                ],
                &["filter.a.b c.clean=x"],
            ),
            (
                &[
                    (user, "filter.a.clean", "x"),
                    (own, "filter.a.clean", "x"),
                    (own, "filter.a.required", "true"),
                ],
                &["filter.a.required=false"],
            ),
            (
                &[(user, "filter.a.clean", "x"), (own, "filter.a.clean", "")],
                none,
            ),
            (
                &[
                    (user, "filter.a.clean", "x"),
                    (user, "filter.a.required", "true"),
                    (own, "filter.a.process", "y"),
                ],
                &[
                    "filter.a.clean=",
                    "filter.a.smudge=",
                    "filter.a.process=",
                    "filter.a.required=false",
                ],
            ),
            (&[(own, "core.sshcommand", "x")], &["core.sshcommand=ssh"]),
            (
                &[
                    (user, "core.sshcommand", "mine"),
                    (own, "core.sshcommand", "x"),
                ],
                &["core.sshcommand=mine"],
            ),
            (
                &[
                    (user, "credential.helper", "one"),
                    (user, "credential.helper", "two"),
                    (own, "credential.helper", "x"),
                ],
                &[
                    "credential.helper=",
                    "credential.helper=one",
                    "credential.helper=two",
                ],
            ),
            (
                &[
                    (own, "lfs.extension.e.clean", "x"),
                    (own, "lfs.customtransfer.t.path", "x"),
                    (own, "lfs.https://a.example/.standalonetransferagent", "t"),
                ],
                &[
                    "lfs.extension.e.clean=",
                    "lfs.customtransfer.t.path=",
                    "lfs.https://a.example/.standalonetransferagent=",
                ],
            ),
            (
                &[
                    (user, "milepost.sessions.filters", "true"),
                    (own, "filter.a.clean", "x"),
                ],
                none,
            ),
        ] {
            let options = programs(settings).options().unwrap();
            let (words, options): (Vec<_>, Vec<_>) = options.iter().partition(|it| *it == "-c");
            assert_eq!(words.len(), options.len());
            assert_eq!(options, expected, "{settings:?}");
        }
    }

    #[test]
    fn an_option_that_cannot_be_expressed_is_reported() {
        // Git would take `filter.a` for the name.
        let equals = programs(&[("local", "filter.a=b.clean", "x")]);
        assert_eq!(equals.filter("a=b"), FilterEffect::Refused);
        assert_eq!(equals.options(), None);
        let users = programs(&[("global", "filter.a=b.clean", "x")]);
        assert_eq!(users.options(), Some(Vec::new()));
        let strange = Programs::of_scopes(b"local\0filter.\xff.clean\nx\0");
        assert_eq!(strange.options(), None);
        let value = Programs::of_scopes(b"global\0core.askpass\n\xff\0local\0core.askpass\nx\0");
        assert_eq!(value.options(), None);
        let many = (0..=MAX_SETTINGS).map(|at| format!("local\0filter.f{at}.clean\nx\0"));
        let many = Programs::of_scopes(many.collect::<String>().as_bytes());
        assert_eq!(many.options(), None);
        let long = "x".repeat(9_000);
        let long = programs(&[
            ("global", "filter.a.clean", long.as_str()),
            ("local", "filter.a.clean", "y"),
        ]);
        assert_eq!(long.options(), None);
    }
}
