//! `milepost`, the command line as a program of the operating system.

use std::process::ExitCode;

fn main() -> ExitCode {
    milepost::surface::native::run()
}
