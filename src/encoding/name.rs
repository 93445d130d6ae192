//! The names of the encodings.

/// A way in which text becomes tokens: what OpenAI publishes as `o200k_base` and `cl100k_base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Of GPT-4o and the models after it.
    O200k,
    /// Of GPT-4 and GPT-3.5.
    Cl100k,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

    /// As documents and settings name it.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::O200k => "o200k",
            Encoding::Cl100k => "cl100k",
        }
    }

    /// As tiktoken names it.
    pub const fn name_in_tiktoken(self) -> &'static str {
        match self {
            Encoding::O200k => "o200k_base",
            Encoding::Cl100k => "cl100k_base",
        }
    }

    /// The encoding of this name, which may be tiktoken's, too: `o200k` or `o200k_base`.
    pub fn of(name: &str) -> Option<Encoding> {
        let is_named = |one: &Encoding| name == one.name() || name == one.name_in_tiktoken();
        Encoding::ALL.into_iter().find(is_named)
    }
}
