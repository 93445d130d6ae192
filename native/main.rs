//! `milepost`, the command line as a program of the operating system.

// Tests of the library are built with this program beside them, on Windows as well.
#[cfg(all(not(unix), not(debug_assertions)))]
compile_error!(
    "the program `milepost` of this crate is for Unix; on Windows use the npm package `milepost`"
);

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    milepost::surface::native::run()
}

#[cfg(not(unix))]
fn main() {}
