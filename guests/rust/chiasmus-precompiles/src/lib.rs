//! Ethereum's precompiled contracts for BN254, BLS12-381 and modular powers, with the accelerators. Inputs and outputs
//! are bytes, as in the EIPs; gas is not counted.
//!
//! ```no_run
//! # let (points, pairs) = (&[][..], &[][..]);
//! let sum = chiasmus_precompiles::bn254::add(points)?; // two points of 64 bytes each
//! let holds = chiasmus_precompiles::bls12_381::pairing_check(pairs)?; // pairs of 384 bytes each
//! # Ok::<(), chiasmus_precompiles::Invalid>(())
//! ```
#![no_std]

extern crate alloc;

pub mod bls12_381;
pub mod bn254;
mod modexp;

pub use modexp::{eip198, modexp};

use chiasmus_guest::library::Bytes;
use core::fmt;

/// An input that a contract refuses.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Invalid {
    /// The function does not accept the input's length.
    Length,
    /// A number is not below its field's prime, or a point is not on its curve or not in its group.
    Value,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Invalid::Length => "the input's length is no number of points and scalars",
            Invalid::Value => "a number is too large, or a point is not on its curve or not in its group",
        })
    }
}

impl core::error::Error for Invalid {}

/// The result of a function of the kit's library that returned a code.
fn unless<T>(code: i32, result: T) -> Result<T, Invalid> {
    if code == 0 { Ok(result) } else { Err(Invalid::Value) }
}

/// Splits an input into parts of a length.
fn parts(input: &[u8], length: usize) -> Result<impl Iterator<Item = &[u8]>, Invalid> {
    if input.len() % length == 0 { Ok(input.chunks_exact(length)) } else { Err(Invalid::Length) }
}

/// Bytes at a multiple of eight.
fn aligned<const N: usize>(bytes: &[u8]) -> Bytes<N> {
    Bytes::of(bytes)
}
