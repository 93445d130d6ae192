//! The steps that run at the moment, for people who wait.

// A command line speaks on its streams.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::cell::RefCell;

use crate::process::{self, Spinner};

/// On a terminal one line that changes; elsewhere a line for each beginning.
pub(super) struct Watch {
    running: RefCell<Vec<&'static str>>,
    spinner: Option<Spinner>,
}

impl Watch {
    pub(super) fn start() -> Self {
        Self {
            running: RefCell::new(Vec::new()),
            spinner: process::spinner("cargo xtask test"),
        }
    }

    pub(super) fn begin(&self, name: &'static str) {
        self.running.borrow_mut().push(name);
        match &self.spinner {
            Some(_) => self.show(),
            None => eprintln!("{name} …"),
        }
    }

    pub(super) fn end(&self, name: &'static str) {
        self.running.borrow_mut().retain(|other| *other != name);
        self.show();
    }

    fn show(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.show(&self.running.borrow().join(", "));
        }
    }

    /// In one piece.
    pub(super) fn print(&self, notes: &str, text: Option<&str>) {
        process::undisturbed(|| {
            eprint!("{notes}");
            if let Some(text) = text {
                println!("{text}");
            }
        });
    }
}
