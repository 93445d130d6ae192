//! The names in a source text: its paths, its types and its string literals. Enough of Rust for rustfmt's output.

use std::collections::BTreeMap;

/// One file of the crate, as far as the rules of the layers look at it.
pub(super) struct Source {
    /// The module that it is, such as `["store", "lock"]`; empty for the crate itself.
    pub(super) module: Vec<String>,
    /// Its path below `src`.
    pub(super) path: String,
    /// The text without comments, without the content of literals, and without its tests.
    pub(super) code: String,
    /// Its string literals.
    pub(super) literals: Vec<String>,
    /// The items that its `use` lines bring in, by the name that each has here.
    pub(super) imports: BTreeMap<String, Vec<String>>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let (code, literals) = split_literals(text);
        let mut module: Vec<String> = path
            .trim_end_matches(".rs")
            .split('/')
            .map(str::to_owned)
            .collect();
        if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
            module.pop();
        }
        let source = Source {
            module,
            path: path.to_owned(),
            code,
            literals,
            imports: BTreeMap::new(),
        };
        let roots = ["crate", "self", "super"].map(str::to_owned);
        let own = [source.children(), roots.to_vec()].concat();
        let imports = source.uses().flat_map(|item| leaves(item.tree));
        let imports = imports.filter(|(_, path)| own.contains(&path[0])).collect();
        Source { imports, ..source }
    }

    /// The paths that it names, apart from those that it only passes on by `pub use`.
    pub(super) fn paths(&self) -> Vec<Vec<String>> {
        let passed_on: Vec<&str> = self
            .uses()
            .filter(|item| item.is_public)
            .map(|item| item.tree)
            .collect();
        let mut code = self.code.clone();
        for tree in passed_on {
            code = code.replace(&format!("use {tree};"), "");
        }
        starts(&code, &self.children())
            .into_iter()
            .flat_map(|at| paths_at(&code[at..]))
            .collect()
    }

    /// The paths that it names, those that it passes on as well.
    pub(super) fn all_paths(&self) -> Vec<Vec<String>> {
        starts(&self.code, &self.children())
            .into_iter()
            .flat_map(|at| paths_at(&self.code[at..]))
            .collect()
    }

    /// The modules that it declares.
    pub(super) fn children(&self) -> Vec<String> {
        let declared = self.code.lines().filter_map(|line| {
            let (before, name) = line.strip_suffix(';')?.rsplit_once("mod ")?;
            (before.is_empty() || before.ends_with(' ')).then(|| name.to_owned())
        });
        declared.collect()
    }

    /// The types that it defines.
    pub(super) fn types(&self) -> Vec<&str> {
        let words: Vec<&str> = words(&self.code).collect();
        let kinds = ["struct", "enum", "union"];
        words
            .windows(2)
            .filter(|pair| kinds.contains(&pair[0]))
            .map(|pair| pair[1])
            .collect()
    }

    /// The types that it gives methods of their own.
    pub(super) fn extends(&self) -> Vec<&str> {
        let heads = self.code.lines().filter_map(|line| {
            let head = line.strip_prefix("impl")?.trim_end();
            let head = head.strip_suffix('{').unwrap_or(head).trim();
            let of = match head.strip_prefix('<') {
                Some(generics) => generics.split_once('>')?.1,
                None => head,
            };
            let is_of_trait = of.split(' ').any(|word| word == "for");
            (!is_of_trait).then(|| last_word(of))?
        });
        heads.collect()
    }

    fn uses(&self) -> impl Iterator<Item = Use<'_>> {
        self.code.match_indices("use ").filter_map(|(at, _)| {
            let before = self.code[..at].rsplit('\n').next().unwrap().trim();
            let is_public = before.starts_with("pub");
            let tree = self.code[at + "use ".len()..].split(';').next().unwrap();
            (before.is_empty() || is_public).then_some(Use { is_public, tree })
        })
    }
}

struct Use<'a> {
    is_public: bool,
    tree: &'a str,
}

/// The words of a text, in order.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty())
}

/// The type that a path names, before its own generics.
fn last_word(path: &str) -> Option<&str> {
    let path = path.split('<').next()?.trim();
    path.rsplit("::").next().filter(|name| !name.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The beginnings of paths: at `crate`, `self` and `super`, and at a module that is declared here.
fn starts(code: &str, children: &[String]) -> Vec<usize> {
    let roots = ["crate", "self", "super"];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = code[at..].find(is_word) {
        let start = at + offset;
        let length = code[start..]
            .find(|c| !is_word(c))
            .unwrap_or(code.len() - start);
        let (before, after) = (&code[..start], &code[start + length..]);
        at = start + length;
        let word = &code[start..at];
        let goes_on = after.starts_with("::");
        let is_inside = before.ends_with("::") || before.ends_with('.');
        let is_visibility = before.ends_with("pub(") || before.ends_with("pub(in ");
        let is_alias = word == "super" && after.starts_with(" as ");
        let is_root = roots.contains(&word) && (goes_on || is_alias);
        let is_child = goes_on && children.iter().any(|child| child == word);
        if (is_root || is_child) && !is_inside && !is_visibility {
            found.push(start);
        }
    }
    found
}

/// The paths of the tree that a text begins with.
fn paths_at(text: &str) -> Vec<Vec<String>> {
    leaves(text).into_iter().map(|(_, path)| path).collect()
}

/// The paths of a tree such as `a::{b, c as d}`, each with the name that it gives.
fn leaves(tree: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut stack: Vec<Vec<String>> = Vec::new();
    let mut prefix: Vec<String> = Vec::new();
    let mut name: Option<String> = None;
    let mut rest = tree;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() && !stack.is_empty());
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length > 0 {
            name = Some(rest[..length].to_owned());
            prefix.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
        if let Some(alias) = rest.strip_prefix(" as ") {
            let end = alias.find(|c| !is_word(c)).unwrap_or(alias.len());
            name = Some(alias[..end].to_owned());
            rest = &alias[end..];
        }
        if let Some(next) = rest.strip_prefix("::{") {
            stack.push(prefix.clone());
            name = None;
            rest = next;
            continue;
        }
        if let Some(next) = rest
            .strip_prefix("::")
            .filter(|next| next.starts_with(is_word))
        {
            rest = next;
            continue;
        }
        // The end of one path.
        let outer = stack.last().cloned().unwrap_or_default();
        if let Some(name) = name.take() {
            let is_itself = name == "self" && prefix.last().is_some_and(|last| last == "self");
            if is_itself && prefix.len() > 1 {
                prefix.pop();
            }
            let name = if is_itself {
                prefix.last().cloned().unwrap_or_default()
            } else {
                name
            };
            found.push((name, prefix.clone()));
        }
        if stack.is_empty() {
            return found;
        }
        let separator = rest.chars().next();
        rest = rest.get(1..).unwrap_or_default();
        match separator {
            Some(',') => prefix = outer,
            Some('}') => {
                stack.pop();
                prefix = stack.last().cloned().unwrap_or_default();
                if stack.is_empty() {
                    return found;
                }
            }
            _ => return found,
        }
    }
}

/// The text without comments and without what stands in literals, and the string literals.
fn split_literals(text: &str) -> (String, Vec<String>) {
    let mut code = String::with_capacity(text.len());
    let mut literals = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after_word = code.chars().next_back().is_some_and(is_word);
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(length) = raw_string(rest).filter(|_| !after_word) {
            literals.push(rest[..length].to_owned());
            code.push_str("\"\"");
            rest = &rest[length..];
        } else if c == '"' {
            let length = end_of_string(&rest[1..]);
            literals.push(rest[1..=length].to_owned());
            code.push_str("\"\"");
            rest = &rest[length + 2..];
        } else if let Some(length) = character(rest) {
            code.push_str("' '");
            rest = &rest[length..];
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    (code, literals)
}

/// The length of a raw string that a text begins with.
fn raw_string(text: &str) -> Option<usize> {
    let start = text.find('"')?;
    let opening = &text[..start];
    let fences = opening.trim_start_matches('b').strip_prefix('r')?;
    if !fences.bytes().all(|byte| byte == b'#') {
        return None;
    }
    let closing = format!("\"{fences}");
    let length = text[start + 1..].find(&closing)?;
    Some(start + 1 + length + closing.len())
}

/// The length of the content of a string, up to its closing quote.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !is_escaped => return at,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    panic!("a string has no end: {text:.80}");
}

/// The length of a character literal that a text begins with; a lifetime has none.
fn character(text: &str) -> Option<usize> {
    let content = text.strip_prefix('\'')?;
    let first = content.chars().next()?;
    let length = match first {
        '\\' => 1 + content[1..].chars().next()?.len_utf8() + content[2..].find('\'')?,
        other => other.len_utf8(),
    };
    content
        .get(length..)?
        .starts_with('\'')
        .then_some(length + 2)
}
