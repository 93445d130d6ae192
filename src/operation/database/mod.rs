//! What stands between files and the database that hooks of a project name.

pub mod bring_in;
