//! Verifies proofs inside of programs: a proof of a program's run also proves that the proofs verified here are valid.
//!
//! ```no_run
//! # let (proof, program) = (&[][..], &[0; 32]);
//! let run = chiasmus_verify::verify(proof, program)?; // the program of this id ran, and ended with 0
//! chiasmus_guest::io::commit_bytes(run.output); // its public output
//! # Ok::<(), chiasmus_verify::Refusal>(())
//! ```
//!
//! The verifier is the kit's verifier in C, `zkvm_verify.h`. It accepts whole proofs and proofs in shards, with at
//! least 128 proven bits.
#![no_std]

mod check;

pub use check::Check;

use chiasmus_guest as _; // the C code calls functions of its library
use core::fmt;
use core::mem::MaybeUninit;

/// The statement of an accepted proof about the run of a program.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Run<'a> {
    /// The program, as `prover program-id` prints it.
    pub program_id: [u8; 32],
    /// The exit code.
    pub exit: u64,
    pub cycles: u64,
    /// The public input.
    pub input: &'a [u8],
    /// The public output.
    pub output: &'a [u8],
}

/// The reason for refusing a proof.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// A check of the verifier failed.
    Check(Check),
    /// The proof is valid, and proves that the program ended with another exit code than 0.
    Exit(u64),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Check(check) => check.fmt(f),
            Refusal::Exit(code) => write!(f, "exit code: the program ended with {code}, want 0"),
        }
    }
}

impl core::error::Error for Refusal {}

/// Verifies that the program of an id ran and ended with exit code 0.
pub fn verify<'a>(proof: &'a [u8], program_id: &[u8; 32]) -> Result<Run<'a>, Refusal> {
    let run = accept(proof, Some(program_id))?;
    if run.exit == 0 { Ok(run) } else { Err(Refusal::Exit(run.exit)) }
}

/// Verifies that any program ran, with any exit code. The caller must compare both.
pub fn verify_any(proof: &[u8]) -> Result<Run<'_>, Refusal> {
    accept(proof, None)
}

/// C's struct zkvm_verified.
#[repr(C)]
struct Verified {
    program_id: [u8; 32],
    exit: u64,
    cycles: u64,
    input: *const u8,
    output: *const u8,
    input_size: usize,
    output_size: usize,
}

unsafe extern "C" {
    fn zkvm_verify(proof: *const u8, size: usize, program_id: *const u8, stated: *mut Verified) -> i32;
}

fn accept<'a>(proof: &'a [u8], program_id: Option<&[u8; 32]>) -> Result<Run<'a>, Refusal> {
    let id = program_id.map_or(core::ptr::null(), |id| id.as_ptr());
    let mut stated = MaybeUninit::uninit();
    let code = unsafe { zkvm_verify(proof.as_ptr(), proof.len(), id, stated.as_mut_ptr()) };
    if code != 0 {
        return Err(Refusal::Check(Check::of(code)));
    }
    // The statement has been written, and its pointers point into the proof.
    let stated = unsafe { stated.assume_init() };
    let bytes = |start, size| if size == 0 { &[] } else { unsafe { core::slice::from_raw_parts(start, size) } };
    Ok(Run {
        program_id: stated.program_id,
        exit: stated.exit,
        cycles: stated.cycles,
        input: bytes(stated.input, stated.input_size),
        output: bytes(stated.output, stated.output_size),
    })
}
