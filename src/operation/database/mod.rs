//! The operation that brings runs from files into the database that hooks of a project name.

pub mod import;
