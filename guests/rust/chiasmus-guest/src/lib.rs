//! The runtime of programs for the RISC-V machine of Chiasmus: start, inputs and output, notes for the user, a heap,
//! and the accelerators.
//!
//! ```no_run
//! use chiasmus_guest::io;
//!
//! fn main() {
//!     let numbers: Vec<u64> = io::read(); // from the private input
//!     println!("{} numbers", numbers.len()); // shown by prover run, proves nothing
//!     io::commit(&numbers.iter().sum::<u64>()); // public
//! }
//! ```
//!
//! A panic shows its message with file and line and ends the program with exit code 134. There are no files, no clock,
//! no threads and no randomness: std returns errors of kind `Unsupported` or panics, and getrandom panics.
#![no_std]

extern crate alloc;

pub mod calls;
#[cfg(feature = "revm")]
pub mod ethereum;
mod hash;
mod heap;
#[cfg(all(feature = "std", not(feature = "own-hooks")))]
mod hooks;
pub mod io;
#[cfg(feature = "library")]
pub mod library;
mod note;
mod random;
mod start;

pub use hash::{keccak256, sha256};
pub use note::{Note, note};
pub use start::{Ended, exit};

/// Exit codes that the kit itself uses.
pub mod code {
    /// A panic, or no memory.
    pub const PANIC: u32 = 134;
    /// The input's length is invalid.
    pub const INPUT: u32 = 135;
    /// More than 64 KiB of output.
    pub const OUTPUT: u32 = 136;
}
