//! Build, test and measuring steps.
fn main() {}
