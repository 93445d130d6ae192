//! The lines of a text's difference in an answer.

use crate::json::Json;
use crate::schema::{Kind, Shaped};

/// A line of a difference in an answer.
#[derive(Shaped)]
pub(super) enum ShownLine {
    Text(TextLine),
    Folded(FoldedLines),
}

/// A line of a text's difference.
#[derive(Shaped)]
pub(super) struct TextLine {
    /// The side that has it.
    pub(super) op: LineSign,
    /// Its number in the first text, from 1; null where that lacks it.
    #[shape(kind = Kind::Nullable(&Kind::Integer), with = line_number)]
    pub(super) a: Option<usize>,
    /// Its number in the second text.
    #[shape(kind = Kind::Nullable(&Kind::Integer), with = line_number)]
    pub(super) b: Option<usize>,
    /// The text.
    pub(super) parts: Vec<LinePiece>,
}

/// Unchanged lines that are folded.
#[derive(Shaped)]
pub(super) struct FoldedLines {
    /// Tells them from a line.
    op: FoldSign,
    /// The number of lines.
    #[shape(with = Json::from_count)]
    count: usize,
}

/// The sign of a line.
#[derive(Clone, Copy, Shaped)]
pub(super) enum LineSign {
    #[shape(name = "=")]
    Same,
    #[shape(name = "-")]
    Old,
    #[shape(name = "+")]
    New,
}

#[derive(Clone, Copy, Shaped)]
enum FoldSign {
    #[shape(name = "…")]
    Folded,
}

fn line_number(number: Option<usize>) -> Option<u64> {
    number.map(|it| it as u64)
}

impl ShownLine {
    /// So many unchanged lines.
    pub(super) fn folded(count: usize) -> Self {
        let op = FoldSign::Folded;
        ShownLine::Folded(FoldedLines { op, count })
    }
}

/// A piece of a line, made visible.
#[derive(Clone, Debug, PartialEq, Eq, Shaped)]
pub struct LinePiece {
    /// The text.
    pub text: String,
    /// True if the other line lacks it.
    #[shape(name = "mark")]
    pub is_marked: bool,
}
