//! The secret bytes of one line.

use super::rule::{Allowed, Rule};

/// For each byte of a line the rule that hides it.
///
/// Rules overlap: a token can be the password of an address. Each of them marks bytes that it marks once,
/// so that all of it is linear, and nothing has to be sorted.
pub(super) struct Mask<'a> {
    allowed: &'a Allowed,
    bytes: Vec<Option<Rule>>,
    is_marked: bool,
}

impl<'a> Mask<'a> {
    /// A mask without what these rules find.
    pub(super) fn new(allowed: &'a Allowed) -> Self {
        Mask {
            allowed,
            bytes: Vec::new(),
            is_marked: false,
        }
    }

    /// Begins a line.
    pub(super) fn begin(&mut self, length: usize) {
        if self.is_marked {
            self.bytes.fill(None);
            self.is_marked = false;
        }
        self.bytes.resize(length, None);
    }

    /// Marks a part of the line; what is marked keeps its rule.
    pub(super) fn mark(&mut self, rule: Rule, start: usize, end: usize) {
        if start >= end || self.allowed.has(rule) {
            return;
        }
        self.is_marked = true;
        for byte in &mut self.bytes[start..end] {
            byte.get_or_insert(rule);
        }
    }

    /// Shows what is marked without a gap as one, with its first rule.
    pub(super) fn show(&self, found: &mut dyn FnMut(Rule, usize, usize)) {
        if !self.is_marked {
            return;
        }
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            let start = at;
            at += 1;
            if let Some(rule) = byte {
                while matches!(self.bytes.get(at), Some(Some(_))) {
                    at += 1;
                }
                found(*rule, start, at);
            }
        }
    }
}
