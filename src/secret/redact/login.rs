//! Passwords that have no name beside them: where a program's flag, a file of logins or a cookie says what they
//! are.
//!
//! A line is searched one time for flags, once for its fields and once for its cookies.

use super::mask::Mask;
use super::rule::Rule;
use super::{MARK, find, has_mark, is_placeholder};
use crate::secret::form::{is_reference, looks_random};
use crate::step_count::step;

/// The form in which a program takes a password behind a flag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PasswordForm {
    /// It follows immediately: `-pPASSWORD`.
    Glued,
    /// It is the next word, or follows immediately.
    Next,
    /// It stands behind the user in such a word: `-u USER:PASSWORD`.
    Behind(u8),
    /// It stands behind `pass:` in such a word.
    Pass,
    /// It is the last of the words that follow: `-b FILE USER PASSWORD`, and with `n`, `-nb USER PASSWORD`.
    Last,
}

/// Programs that take a password, and their flags.
const PROGRAMS: [(&str, &str, PasswordForm); 37] = [
    ("curl", "-u", PasswordForm::Behind(b':')),
    ("curl", "-U", PasswordForm::Behind(b':')),
    ("curl", "--user", PasswordForm::Behind(b':')),
    ("curl", "--proxy-user", PasswordForm::Behind(b':')),
    ("http", "-a", PasswordForm::Behind(b':')),
    ("mysql", "-p", PasswordForm::Glued),
    ("mysqldump", "-p", PasswordForm::Glued),
    ("mysqladmin", "-p", PasswordForm::Glued),
    ("mysqlimport", "-p", PasswordForm::Glued),
    ("mysqlcheck", "-p", PasswordForm::Glued),
    ("mariadb", "-p", PasswordForm::Glued),
    ("mariadb-dump", "-p", PasswordForm::Glued),
    ("mariadb-admin", "-p", PasswordForm::Glued),
    ("sshpass", "-p", PasswordForm::Next),
    ("redis-cli", "-a", PasswordForm::Next),
    ("login", "-p", PasswordForm::Next),
    ("ldapsearch", "-w", PasswordForm::Next),
    ("ldapmodify", "-w", PasswordForm::Next),
    ("ldapadd", "-w", PasswordForm::Next),
    ("ldapdelete", "-w", PasswordForm::Next),
    ("sqlcmd", "-P", PasswordForm::Next),
    ("mosquitto_pub", "-P", PasswordForm::Next),
    ("mongosh", "-p", PasswordForm::Next),
    ("mongodump", "-p", PasswordForm::Next),
    ("mongorestore", "-p", PasswordForm::Next),
    ("mongoexport", "-p", PasswordForm::Next),
    ("mongoimport", "-p", PasswordForm::Next),
    ("smbclient", "-U", PasswordForm::Behind(b'%')),
    ("lftp", "-u", PasswordForm::Behind(b',')),
    ("openssl", "-passin", PasswordForm::Pass),
    ("openssl", "-passout", PasswordForm::Pass),
    ("openssl", "-pass", PasswordForm::Pass),
    ("htpasswd", "-b", PasswordForm::Last),
    ("7z", "-p", PasswordForm::Glued),
    ("7za", "-p", PasswordForm::Glued),
    ("zip", "-P", PasswordForm::Next),
    ("unzip", "-P", PasswordForm::Next),
];

/// Each program has a bit.
const _: () = assert!(PROGRAMS.len() <= u64::BITS as usize);

/// Returns whether a dash begins a flag that some program takes a password behind.
pub(in crate::secret) fn begins_flag(text: &[u8], at: usize) -> bool {
    let begins = at > 0 && matches!(text[at - 1], b' ' | b'\t');
    begins
        && match text.get(at + 1) {
            Some(b'u' | b'U' | b'p' | b'P' | b'a' | b'w') => true,
            Some(b'-') => matches!(text.get(at + 2), Some(b'u' | b'p')),
            Some(_) => together(text, at).is_some_and(|end| {
                matches!(text[end - 1], b'u' | b'U' | b'a' | b'P') || is_of_htpasswd(text, at, end)
            }),
            None => false,
        }
}

/// Returns the end of letters of flags that stand together behind a dash, before a word: `-sSku me:…`.
fn together(text: &[u8], at: usize) -> Option<usize> {
    const MOST: usize = 7;
    let letters = text[at + 1..].iter().take(MOST);
    let letters = letters.take_while(|it| it.is_ascii_alphabetic()).count();
    let end = at + 1 + letters;
    let is_apart = matches!(text.get(end), Some(b' ' | b'\t' | b'=' | b'"' | b'\''));
    (letters > 0 && is_apart).then_some(end)
}

/// Returns whether such letters stand behind the program's name, and say that a password follows.
#[cold]
fn is_of_htpasswd(text: &[u8], at: usize, end: usize) -> bool {
    text[at..end].contains(&b'b') && text[..at - 1].ends_with(b"htpasswd")
}

/// Returns the end of the flag of a program that begins at a dash.
fn flag_end(text: &[u8], at: usize, flag: &str, value: PasswordForm) -> Option<usize> {
    if value == PasswordForm::Last {
        return together(text, at).filter(|end| is_of_htpasswd(text, at, *end));
    }
    if text[at..].starts_with(flag.as_bytes()) {
        return Some(at + flag.len());
    }
    // `zip -rP`; a small `p` is another flag among such letters, as in `cp -rp`.
    let is_letter = matches!(value, PasswordForm::Behind(_)) && flag.len() == 2
        || value == PasswordForm::Next && flag == "-P";
    let end = together(text, at)?;
    (is_letter && text[end - 1] == flag.as_bytes()[1]).then_some(end)
}

/// Passwords behind flags: `curl -u me:…`, `mysql -p…`.
pub(super) fn flags(line: &str, mask: &mut Mask<'_>) {
    let bytes = line.as_bytes();
    step(bytes.len());
    // A flag belongs to a program that stands before it, in the same command.
    let mut programs = 0_u64;
    // Within quotes, since the program: no command ends there.
    let mut quote = None;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'-' || programs == 0 || !begins_flag(bytes, at) {
            if programs != 0 {
                quote = quote_after(quote, bytes, at);
                if quote.is_none() && ends_command(bytes, at) {
                    programs = 0;
                }
            }
            programs |= programs_at(bytes, at);
            at += 1;
            continue;
        }
        let rows = PROGRAMS.iter().enumerate();
        let mut rows = rows.filter(|(row, _)| programs & (1_u64 << *row) != 0);
        let found = rows.find_map(|(_, (_, flag, value))| {
            let end = flag_end(bytes, at, flag, *value)?;
            match value {
                PasswordForm::Last => last_word(line, at, end),
                _ => behind_flag(line, end, *value),
            }
        });
        match found {
            Some((start, end)) => {
                mask.mark(Rule::Login, start, end);
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
}

/// The quote that is open behind a byte. An apostrophe within a word opens none, and neither does what closes a quote
/// that was opened before the program.
fn quote_after(open: Option<u8>, text: &[u8], at: usize) -> Option<u8> {
    let byte = text[at];
    match open {
        Some(quote) if quote == byte => None,
        None if matches!(byte, b'"' | b'\'') => {
            // JSON within JSON has more of them before a quote.
            const MOST_SLASHES: usize = 8;
            let mut before = text[..at].iter().rev().take(MOST_SLASHES);
            let last = before.find(|it| **it != b'\\');
            matches!(last, Some(b' ' | b'\t' | b'=')).then_some(byte)
        }
        open => open,
    }
}

/// Returns whether a command ends here, or a part of a sentence.
fn ends_command(text: &[u8], at: usize) -> bool {
    let next = text.get(at + 1);
    match text[at] {
        b';' | b'|' | b'`' => true,
        // In `?a=1&b=2` none does.
        b'&' => next.is_none_or(|it| matches!(it, b'&' | b' ' | b'\t')),
        b',' => next == Some(&b' '),
        b'\\' => matches!(next, Some(b'n' | b'r')) && is_line_end(&text[..=at]),
        _ => false,
    }
}

/// Returns whether these backslashes make the end of a line, in JSON or in JSON within JSON: one, two or four. A line
/// that goes on has one more, and so three or six.
fn is_line_end(text: &[u8]) -> bool {
    const MOST: usize = 8;
    let slashes = text.iter().rev().take(MOST);
    let slashes = slashes.take_while(|it| **it == b'\\').count();
    slashes.is_power_of_two()
}

/// Returns whether a program that takes a password is named anywhere in a text.
pub(in crate::secret) fn names_program(text: &[u8]) -> bool {
    (0..text.len()).any(|at| programs_at(text, at) != 0)
}

/// The programs whose name begins at a place and is no part of another one, as bits.
fn programs_at(text: &[u8], at: usize) -> u64 {
    let is_part = |it: &u8| it.is_ascii_alphanumeric() || *it == b'-';
    // `a.zip` is a file.
    let is_within = at > 0 && (is_part(&text[at - 1]) || text[at - 1] == b'.');
    if is_within || !text[at].is_ascii_alphanumeric() {
        return 0;
    }
    step(PROGRAMS.len());
    let mut programs = 0_u64;
    for (row, (name, ..)) in PROGRAMS.iter().enumerate() {
        let is_one = text[at..].starts_with(name.as_bytes())
            && text.get(at + name.len()).is_none_or(|it| !is_part(it))
            && (*name != "login" || is_of_registry(&text[..at]));
        programs |= u64::from(is_one) << row;
    }
    // `[REDACTED:login]`
    match programs != 0 && text[..at].ends_with(MARK.as_bytes()) {
        true => 0,
        false => programs,
    }
}

/// Returns whether a word ends here that `login` is a command of.
fn is_of_registry(before: &[u8]) -> bool {
    const REGISTRIES: [&[u8]; 12] = [
        b"docker",
        b"podman",
        b"buildah",
        b"skopeo",
        b"helm",
        b"oras",
        b"nerdctl",
        b"az",
        b"acr",
        b"registry",
        b"cf",
        b"oc",
    ];
    const MOST_BLANKS: usize = 4;
    let blanks = before.iter().rev().take(MOST_BLANKS);
    let blanks = blanks.take_while(|it| matches!(it, b' ' | b'\t')).count();
    let before = &before[..before.len() - blanks];
    blanks > 0
        && REGISTRIES.iter().any(|word| {
            let rest = before.strip_suffix(*word);
            rest.is_some_and(|rest| rest.last().is_none_or(|it| !it.is_ascii_alphanumeric()))
        })
}

/// The password behind a flag that ends here.
fn behind_flag(line: &str, end: usize, value: PasswordForm) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let next = bytes.get(end)?;
    let is_apart = matches!(next, b' ' | b'\t' | b'=');
    if is_apart && value == PasswordForm::Glued {
        return None;
    }
    let (start, until) = word_at(bytes, end + usize::from(is_apart))?;
    let word = &line[start..until];
    if value == PasswordForm::Glued && is_rest_of_flag(word) {
        return None;
    }
    let from = match value {
        PasswordForm::Behind(separator) => word.bytes().position(|it| it == separator)? + 1,
        PasswordForm::Pass => word.starts_with("pass:").then_some("pass:".len())?,
        PasswordForm::Glued | PasswordForm::Next | PasswordForm::Last => 0,
    };
    is_password(&word[from..]).then_some((start + from, until))
}

/// Returns whether this makes a longer flag of `-p`, as `find` and others have.
fn is_rest_of_flag(word: &str) -> bool {
    matches!(word, "ath" | "rune" | "erm") || word.starts_with("rint")
}

/// The password at the end of the words behind flags that stand together.
fn last_word(line: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    /// The file, the user, the password, and some flags.
    const MOST: usize = 6;
    const MOST_BLANKS: usize = 16;
    let bytes = line.as_bytes();
    let mut missing = match line[at..end].contains('n') {
        true => 2,
        false => 3,
    };
    let mut from = end;
    for _ in 0..MOST {
        let blanks = bytes[from..].iter().take(MOST_BLANKS);
        from += blanks.take_while(|it| matches!(it, b' ' | b'\t')).count();
        let (start, until) = word_at(bytes, from)?;
        let word = &line[start..until];
        if word.is_empty() {
            return None;
        }
        missing -= usize::from(!word.starts_with('-'));
        if missing == 0 {
            return is_password(word).then_some((start, until));
        }
        // Behind a quote that closes.
        from = until + usize::from(start > from && until < bytes.len());
    }
    None
}

/// The word that begins at a place, without the quotes around it.
fn word_at(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let quote = text.get(at).filter(|it| matches!(it, b'"' | b'\''));
    let start = at + usize::from(quote.is_some());
    let rest = text.get(start..)?;
    let closes = |byte: &u8| match quote {
        Some(quote) => byte == quote,
        None => {
            byte.is_ascii_whitespace()
                || matches!(byte, b'"' | b'\'' | b'`' | b';' | b'|' | b'&' | b')')
        }
    };
    let length = rest.iter().position(closes).unwrap_or(rest.len());
    step(length);
    Some((start, start + length))
}

/// Returns whether this may be a password where one is expected.
fn is_password(word: &str) -> bool {
    const LEAST: usize = 4;
    word.len() >= LEAST
        // Ports and addresses, or another flag.
        && !word.bytes().all(|it| it.is_ascii_digit() || matches!(it, b':' | b'.'))
        && !word.starts_with(['-', '$', '<', '{', '/', '%'])
        && !is_reference(word)
        && !is_placeholder(word)
        && !has_mark(word)
}

/// Returns whether a word looks like a password beside other words: it has a digit or a sign in it.
pub(in crate::secret) fn is_strong(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', '.', ':', ')', '"', '\'']);
    let is_sign =
        |it: u8| it.is_ascii_digit() || it.is_ascii_punctuation() && !b"-_/.,'".contains(&it);
    word.len() >= 6 && word.bytes().any(is_sign)
}

/// `host:port:database:user:password`, as a line of `.pgpass`.
pub(super) fn fields(line: &str, mask: &mut Mask<'_>) {
    let shown = line.trim_end_matches('\r');
    let Some(start) = password_of_fields(shown) else {
        return;
    };
    if is_password(&shown[start..]) {
        mask.mark(Rule::Login, start, shown.len());
    }
}

/// Returns the offset of the last of such fields.
pub(in crate::secret) fn password_of_fields(line: &str) -> Option<usize> {
    if line
        .bytes()
        .any(|it| it.is_ascii_whitespace() || matches!(it, b'"' | b'\'' | b'`' | b'/' | b'\\'))
    {
        return None;
    }
    let mut fields = line.split(':');
    let host = fields.next()?;
    let port = fields.next()?;
    let database = fields.next()?;
    let user = fields.next()?;
    let password = fields.next()?;
    let is_port = port == "*" || port.len() >= 3 && port.bytes().all(|it| it.is_ascii_digit());
    let is_name = |it: &str| !it.is_empty() && !it.bytes().all(|it| it.is_ascii_digit());
    let is_one = is_port
        && port.len() < 6
        && [host, database, user].into_iter().all(is_name)
        && is_strong(password)
        && fields.next().is_none();
    is_one.then(|| line.len() - password.len())
}

/// The password of a file of logins, in the line of its user or in one that follows.
#[derive(Default)]
pub(super) struct Netrc {
    /// The number of lines since a machine or a user was named, at most.
    since: Option<u32>,
}

impl Netrc {
    /// So many lines may stand between a user and the password.
    const MOST: u32 = 3;

    /// Returns whether a text may come from such a file.
    pub(super) fn may_be_in(text: &str) -> bool {
        let bytes = text.as_bytes();
        step(3 * bytes.len());
        let has = |part: &[u8]| find(bytes, 0, part).is_some();
        (has(b"password ") || has(b"password\t")) && (has(b"machine") || has(b"login"))
    }

    /// Looks at the next line.
    pub(super) fn mark(&mut self, line: &str, mask: &mut Mask<'_>) {
        step(line.len());
        self.since = self
            .since
            .map(|since| since + 1)
            .filter(|since| *since <= Self::MOST);
        let mut from = 0;
        let mut before = "";
        let mut words = 0;
        let mut found = None;
        for word in line.split([' ', '\t', '\r']) {
            let start = from;
            from += word.len() + 1;
            if word.is_empty() {
                continue;
            }
            words += 1;
            if before == "password" && self.since.is_some() && is_strong(word) && is_password(word)
            {
                found = Some((start, word, words));
            }
            if matches!(before, "machine" | "login") {
                self.since = Some(0);
            }
            before = word;
        }
        // Alone in its line, or in that of a user: not in a sentence.
        if let Some((start, word, at)) = found
            && (at == 2 || at == words)
        {
            mask.mark(Rule::Login, start, start + word.len());
        }
    }
}

/// Values of cookies: `Cookie: session=…; theme=dark`.
pub(super) fn cookies(line: &str, mask: &mut Mask<'_>) {
    let bytes = line.as_bytes();
    let mut from = 0;
    while let Some(at) = find(bytes, from, b"ookie") {
        step(at - from);
        from = at + b"ookie".len();
        let Some(start) = header(bytes, from) else {
            continue;
        };
        let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
        let length = bytes[start..]
            .iter()
            .position(ends)
            .unwrap_or(bytes.len() - start);
        step(length);
        let mut at = start;
        for cookie in line[start..start + length].split(';') {
            if let Some((name, value)) = cookie.split_once('=')
                && is_cookie(name.trim(), value.trim_end())
            {
                let begin = at + name.len() + 1;
                mask.mark(Rule::Cookie, begin, begin + value.trim_end().len());
            }
            at += cookie.len() + 1;
        }
        from = start + length;
    }
}

/// Returns the offset of the value of a header whose name ends here.
fn header(line: &[u8], mut at: usize) -> Option<usize> {
    at += usize::from(matches!(line.get(at), Some(b'"' | b'\'')));
    if line.get(at) != Some(&b':') {
        return None;
    }
    at += 1;
    while matches!(line.get(at), Some(b' ' | b'\t' | b'"' | b'\'')) {
        at += 1;
    }
    Some(at)
}

fn is_cookie(name: &str, value: &str) -> bool {
    /// Said of how long and where a cookie holds.
    const ATTRIBUTES: [&str; 6] = [
        "path", "domain", "expires", "max-age", "samesite", "version",
    ];
    let is_attribute = ATTRIBUTES.iter().any(|it| it.eq_ignore_ascii_case(name));
    let is_open = is_reference(value)
        || is_placeholder(value)
        || has_mark(value)
        || value.starts_with('$')
        || value.contains(char::is_whitespace);
    !is_attribute && !is_open && looks_random(value)
}
