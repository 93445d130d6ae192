//! Patterns over paths, as git's `wildmatch` has them.
//!
//! A pattern is followed at all places in one pass, so that the time is that of the pattern times the
//! path. One that goes back where it was wrong takes minutes for a pattern of some stars.

use super::Case;

/// A pattern.
#[derive(Clone, Debug)]
pub(in crate::git) struct Glob {
    case: Case,
    /// The bytes before the first special character.
    start: Vec<u8>,
    rest: Rest,
}

/// The rest after that.
#[derive(Clone, Debug)]
enum Rest {
    /// Nothing.
    Nothing,
    /// A star, then no special character any more, as in `*.o`.
    Ending(Vec<u8>),
    /// Anything else.
    Tokens(Vec<Token>),
}

#[derive(Clone, Debug)]
enum Token {
    Byte(u8),
    /// `?`
    Any,
    /// `[…]`
    Set(Box<ByteSet>),
    /// `*`: anything but `/`.
    Star,
    /// `**` at the end: anything.
    All,
    /// `**/`: no folder, or some.
    Folders,
}

impl Glob {
    /// Reads a pattern; `None` for one that matches nothing, such as `[`.
    pub(in crate::git) fn new(pattern: &[u8], case: Case) -> Option<Glob> {
        let special = pattern.iter().position(|byte| b"*?[\\".contains(byte));
        let (start, rest) = pattern.split_at(special.unwrap_or(pattern.len()));
        let tokens = tokens(rest, case)?;
        let byte = |token: &Token| match token {
            Token::Byte(byte) => Some(*byte),
            _ => None,
        };
        let rest = match tokens.split_first() {
            None => Rest::Nothing,
            Some((Token::Star, after)) => match after.iter().map(byte).collect() {
                Some(ending) => Rest::Ending(ending),
                None => Rest::Tokens(tokens),
            },
            Some(_) => Rest::Tokens(tokens),
        };
        Some(Glob {
            case,
            start: start.iter().map(|byte| folded(*byte, case)).collect(),
            rest,
        })
    }

    /// Returns whether it matches the whole of a path.
    pub(in crate::git) fn matches(&self, path: &[u8]) -> bool {
        let is = |text: &[u8], pattern: &[u8]| match self.case {
            Case::Exact => text == pattern,
            Case::Folded => {
                let text = text.iter().map(u8::to_ascii_lowercase);
                text.eq(pattern.iter().copied())
            }
        };
        let Some((start, rest)) = path.split_at_checked(self.start.len()) else {
            return false;
        };
        if !is(start, &self.start) {
            return false;
        }
        match &self.rest {
            Rest::Nothing => rest.is_empty(),
            Rest::Ending(ending) => {
                let end = rest.len().checked_sub(ending.len());
                let ends = end.map(|end| rest.split_at(end));
                ends.is_some_and(|(star, end)| is(end, ending) && !star.contains(&b'/'))
            }
            Rest::Tokens(tokens) => follow(tokens, rest, self.case),
        }
    }
}

fn folded(byte: u8, case: Case) -> u8 {
    match case {
        Case::Exact => byte,
        Case::Folded => byte.to_ascii_lowercase(),
    }
}

/// The tokens of what follows the start.
fn tokens(rest: &[u8], case: Case) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        at += 1;
        let token = match byte {
            b'?' => Token::Any,
            b'\\' => {
                at += 1;
                // Not folded, which is how git has it.
                Token::Byte(*rest.get(at - 1)?)
            }
            b'[' => {
                let (set, length) = ByteSet::read(&rest[at..], case)?;
                at += length;
                Token::Set(Box::new(set))
            }
            b'*' => {
                let first = at - 1;
                let stars = rest[at..].iter().take_while(|&&byte| byte == b'*').count();
                at += stars;
                // Git takes off what stands before the first star, so that any may be first.
                let is_first = first == 0 || rest[first - 1] == b'/';
                match (stars > 0 && is_first, &rest[at..]) {
                    (true, [b'/', ..]) => {
                        at += 1;
                        Token::Folders
                    }
                    (true, [] | [b'\\', b'/', ..]) => Token::All,
                    _ => Token::Star,
                }
            }
            byte => Token::Byte(folded(byte, case)),
        };
        tokens.push(token);
    }
    Some(tokens)
}

/// Behind how many tokens one can be: at the place itself, or within folders that `**/` passes over.
const THERE: u8 = 1;
const WITHIN: u8 = 2;

fn follow(tokens: &[Token], text: &[u8], case: Case) -> bool {
    let mut now = vec![0; tokens.len() + 1];
    let mut next = now.clone();
    now[0] = THERE;
    pass_empty(tokens, &mut now);
    for &byte in text {
        let byte = folded(byte, case);
        next.fill(0);
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| now[*at] != 0) {
            let is_there = now[at] & THERE != 0;
            let takes = match token {
                Token::Byte(expected) => byte == *expected,
                Token::Any => byte != b'/',
                Token::Set(set) => set.has(byte),
                Token::Star => {
                    next[at] |= if byte == b'/' { 0 } else { now[at] };
                    false
                }
                Token::All => {
                    next[at] |= now[at];
                    false
                }
                // It is left where a folder begins: at its own start, or after a slash.
                Token::Folders => {
                    next[at] |= WITHIN;
                    next[at + 1] |= if byte == b'/' { THERE } else { 0 };
                    false
                }
            };
            next[at + 1] |= if takes && is_there { THERE } else { 0 };
        }
        std::mem::swap(&mut now, &mut next);
        pass_empty(tokens, &mut now);
    }
    now[tokens.len()] & THERE != 0
}

/// Goes on behind tokens that may stand for nothing.
fn pass_empty(tokens: &[Token], places: &mut [u8]) {
    for (at, token) in tokens.iter().enumerate() {
        let may_be_empty = matches!(token, Token::Star | Token::All | Token::Folders);
        if may_be_empty && places[at] & THERE != 0 {
            places[at + 1] |= THERE;
        }
    }
}

/// The bytes of `[…]`.
#[derive(Clone, Debug)]
struct ByteSet([u64; 4]);

impl ByteSet {
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn add(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    /// Reads one from behind its `[`, and how many bytes it takes with its `]`.
    fn read(text: &[u8], case: Case) -> Option<(ByteSet, usize)> {
        let mut set = ByteSet([0; 4]);
        let is_negated = matches!(text.first(), Some(b'!' | b'^'));
        let first = usize::from(is_negated);
        let mut at = first;
        // The byte that a range can begin with.
        let mut last = None;
        loop {
            let byte = *text.get(at)?;
            if byte == b']' && at > first {
                break;
            }
            match (byte, last) {
                (b'\\', _) => {
                    at += 1;
                    last = Some(*text.get(at)?);
                    last.into_iter().for_each(|byte| set.add(byte));
                }
                (b'-', Some(low)) if text.get(at + 1).is_some_and(|&next| next != b']') => {
                    at += if text[at + 1] == b'\\' { 2 } else { 1 };
                    set.add_range(low, *text.get(at)?, case);
                    last = None;
                }
                (b'[', _) if text.get(at + 1) == Some(&b':') => {
                    let name = &text[at + 2..];
                    let end = name.iter().position(|&byte| byte == b']')?;
                    match name[..end].strip_suffix(b":") {
                        Some(name) => {
                            set.add_class(name, case)?;
                            at += 2 + end;
                            last = None;
                        }
                        // No class, but a bracket and what follows.
                        None => {
                            set.add(b'[');
                            last = Some(b'[');
                        }
                    }
                }
                _ => {
                    set.add(byte);
                    last = Some(byte);
                }
            }
            at += 1;
        }
        if is_negated {
            set.0 = set.0.map(|bits| !bits);
        }
        set.0[0] &= !(1 << b'/');
        Some((set, at + 1))
    }

    fn add_range(&mut self, low: u8, high: u8, case: Case) {
        for byte in low..=high {
            self.add(byte);
            // Git compares the path's letter in both forms here, and nowhere else.
            self.add(folded(byte, case));
        }
    }

    /// Adds a class of ASCII, such as `alpha`; `None` when no class has this name.
    fn add_class(&mut self, name: &[u8], case: Case) -> Option<()> {
        let is_in: fn(&u8) -> bool = match name {
            b"alnum" => u8::is_ascii_alphanumeric,
            b"alpha" => u8::is_ascii_alphabetic,
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => u8::is_ascii_control,
            b"digit" => u8::is_ascii_digit,
            b"graph" => u8::is_ascii_graphic,
            b"lower" => u8::is_ascii_lowercase,
            b"print" => |byte| matches!(byte, b' '..=b'~'),
            b"punct" => u8::is_ascii_punctuation,
            b"space" => |byte| matches!(byte, b'\t'..=b'\r' | b' '),
            b"upper" => u8::is_ascii_uppercase,
            b"xdigit" => u8::is_ascii_hexdigit,
            _ => return None,
        };
        for byte in (0..=u8::MAX).filter(is_in) {
            self.add(byte);
            self.add(folded(byte, case));
        }
        Some(())
    }
}
