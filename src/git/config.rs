//! One file of git's configuration (git-config).

use super::unreadable::Unreadable;

/// The settings of some files, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Names, with section and key in small letters, and values; `None` for a name alone.
    values: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// True if it includes other files, which are not read here.
    pub has_includes: bool,
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Unreadable::Malformed`] for what git refuses as a whole.
    pub fn parse(text: &[u8]) -> Result<Config, Unreadable> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut reader = GitConfigReader { text, at: 0 };
        let mut config = Config::default();
        let mut section = Vec::new();
        while let Some(byte) = reader.take() {
            match byte {
                _ if byte.is_ascii_whitespace() => {}
                b'#' | b';' => reader.skip_line(),
                b'[' => section = reader.section().ok_or(Unreadable::Malformed)?,
                _ if byte.is_ascii_alphabetic() && !section.is_empty() => {
                    let (key, value) = reader.value(byte).ok_or(Unreadable::Malformed)?;
                    let name = [&section[..], b".", &key].concat();
                    config.has_includes |= name.starts_with(b"include") && name.ends_with(b".path");
                    config.values.push((name, value));
                }
                _ => return Err(Unreadable::Malformed),
            }
        }
        Ok(config)
    }

    /// Reads the output of `git var -l`, a line for each name.
    pub fn from_lines(text: &[u8]) -> Config {
        let lines = text.split(|&byte| byte == b'\n');
        let named = lines.filter(|line| !line.is_empty()).map(|line| {
            let equals = line.iter().position(|&byte| byte == b'=');
            let name = line[..equals.unwrap_or(line.len())].to_vec();
            (name, equals.map(|at| line[at + 1..].to_vec()))
        });
        Config {
            values: named.collect(),
            has_includes: false,
        }
    }

    /// Adds another file, which counts before this one.
    pub fn add(&mut self, other: Config) {
        self.has_includes |= other.has_includes;
        self.values.extend(other.values);
    }

    /// The last value of a name, as text; empty for a name alone.
    pub fn text(&self, name: &str) -> Option<&[u8]> {
        let values = self.values.iter().rev();
        let mut named = values.filter(|(it, _)| it == name.as_bytes());
        let (_, value) = named.next()?;
        Some(value.as_deref().unwrap_or_default())
    }

    /// The last value of a name, as yes or no; `None` as well for what is neither.
    pub fn flag(&self, name: &str) -> Option<bool> {
        let values = self.values.iter().rev();
        let mut named = values.filter(|(it, _)| it == name.as_bytes());
        let (_, value) = named.next()?;
        as_flag(value.as_deref())
    }
}

/// A value as yes or no, and a name alone as yes; `None` for what is neither.
pub(super) fn as_flag(value: Option<&[u8]>) -> Option<bool> {
    let Some(value) = value else {
        return Some(true);
    };
    let is = |words: &[&str]| {
        let mut words = words.iter().map(|it| it.as_bytes());
        words.any(|word| value.eq_ignore_ascii_case(word))
    };
    if is(&["false", "no", "off", "0", ""]) {
        return Some(false);
    }
    let is_yes = is(&["true", "yes", "on"]) || value.iter().all(u8::is_ascii_digit);
    is_yes.then_some(true)
}

struct GitConfigReader<'a> {
    text: &'a [u8],
    at: usize,
}

impl GitConfigReader<'_> {
    /// The next byte, where CRLF is one line end.
    fn take(&mut self) -> Option<u8> {
        let mut byte = *self.text.get(self.at)?;
        self.at += 1;
        if byte == b'\r' && self.text.get(self.at) == Some(&b'\n') {
            self.at += 1;
            byte = b'\n';
        }
        Some(byte)
    }

    fn skip_line(&mut self) {
        while self.take().is_some_and(|byte| byte != b'\n') {}
    }

    /// The name of a section behind its bracket, with its subsection.
    fn section(&mut self) -> Option<Vec<u8>> {
        let mut name = Vec::new();
        loop {
            match self.take()? {
                b']' => return Some(name),
                byte if byte.is_ascii_alphanumeric() || b"-.".contains(&byte) => {
                    name.push(byte.to_ascii_lowercase());
                }
                b' ' | b'\t' => break,
                _ => return None,
            }
        }
        name.push(b'.');
        loop {
            match self.take()? {
                b' ' | b'\t' => {}
                b'"' => break,
                _ => return None,
            }
        }
        loop {
            match self.take()? {
                b'\n' => return None,
                b'"' => return (self.take()? == b']').then_some(name),
                b'\\' => name.push(self.take().filter(|&byte| byte != b'\n')?),
                byte => name.push(byte),
            }
        }
    }

    /// A key that begins with this byte, and its value.
    fn value(&mut self, first: u8) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
        let mut key = vec![first.to_ascii_lowercase()];
        let mut next = self.take();
        while let Some(byte) = next.filter(|it| it.is_ascii_alphanumeric() || *it == b'-') {
            key.push(byte.to_ascii_lowercase());
            next = self.take();
        }
        while matches!(next, Some(b' ' | b'\t')) {
            next = self.take();
        }
        match next {
            None | Some(b'\n') => Some((key, None)),
            Some(b'=') => Some((key, Some(self.text()?))),
            Some(_) => None,
        }
    }

    fn text(&mut self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        // The length of it without blanks at its end.
        let mut kept = 0;
        let mut is_quoted = false;
        loop {
            match self.take() {
                None | Some(b'\n') if is_quoted => return None,
                None | Some(b'\n') => break,
                Some(b'#' | b';') if !is_quoted => {
                    self.skip_line();
                    break;
                }
                Some(byte) if byte.is_ascii_whitespace() && !is_quoted => {
                    if !text.is_empty() {
                        text.push(byte);
                    }
                    continue;
                }
                Some(b'"') => is_quoted = !is_quoted,
                Some(b'\\') => match self.take()? {
                    b'\n' => {}
                    b't' => text.push(b'\t'),
                    b'b' => text.push(0x08),
                    b'n' => text.push(b'\n'),
                    byte @ (b'\\' | b'"') => text.push(byte),
                    _ => return None,
                },
                Some(byte) => text.push(byte),
            }
            kept = text.len();
        }
        text.truncate(kept);
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn values_are_read_as_git_reads_them() {
        let text = b"# of all\n[core]\n\tfileMode = false ; no\n\tbare\n\texcludesFile = \" a b \"c \\\n d\r\n\
            [filter \"Lfs.X\"] clean = git-lfs \\\"%f\\\"\n[Core \"\"]\n[include]\npath=x\n[core] fileMode=yes\n";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.flag("core.filemode"), Some(true));
        assert_eq!(config.flag("core.bare"), Some(true));
        assert_eq!(config.text("core.excludesfile"), Some(&b" a b c  d"[..]));
        assert_eq!(
            config.text("filter.Lfs.X.clean"),
            Some(&b"git-lfs \"%f\""[..])
        );
        assert!(config.has_includes);
        assert_eq!(config.text("core.eol"), None);
        for text in ["x", "[core", "[core]\n=x", "[core]\na=\"x", "[a \"b]\n"] {
            assert!(Config::parse(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn printed_lines_are_names_and_values() {
        let config = Config::from_lines(b"core.autocrlf=input\na.b\nx=y=z\n");
        assert_eq!(config.text("core.autocrlf"), Some(&b"input"[..]));
        assert_eq!(config.text("x"), Some(&b"y=z"[..]));
        assert_eq!(config.flag("a.b"), Some(true));
    }
}
