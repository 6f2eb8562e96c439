//! Modular powers of numbers of any length: for RSA, and EIP-198.
use crate::{Invalid, unless};
use alloc::{vec, vec::Vec};
use chiasmus_guest::library::zkvm_modexp;

/// The longest number, in bytes.
const LONGEST: usize = 1 << 20;

/// base^exponent mod modulus, with the modulus's length. Numbers have the most significant byte first. The power modulo 0
/// is 0. Numbers of more than a mebibyte are invalid.
pub fn modexp(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, Invalid> {
    if [base, exponent, modulus].iter().any(|n| n.len() > LONGEST) {
        return Err(Invalid::Length);
    }
    let mut power = vec![0; modulus.len()];
    let code = unsafe {
        zkvm_modexp(
            base.as_ptr(), base.len(), exponent.as_ptr(), exponent.len(),
            modulus.as_ptr(), modulus.len(), power.as_mut_ptr(),
        )
    };
    unless(code, power)
}

/// The contract: three lengths of 32 bytes each, then base, exponent and modulus. Missing bytes are zeros.
pub fn eip198(input: &[u8]) -> Result<Vec<u8>, Invalid> {
    let from = |at: usize, length: usize| {
        let mut bytes = vec![0; length];
        let there = input.get(at..).unwrap_or(&[]);
        let copied = there.len().min(length);
        bytes[..copied].copy_from_slice(&there[..copied]);
        bytes
    };
    let mut lengths = [0; 3];
    for (i, length) in lengths.iter_mut().enumerate() {
        let word = from(32 * i, 32);
        *length = u64::from_be_bytes(*word.last_chunk().unwrap()) as usize;
        if word[..24] != [0; 24] || *length > LONGEST {
            return Err(Invalid::Length);
        }
    }
    let [base, exponent, modulus] = lengths;
    if base == 0 && modulus == 0 {
        return Ok(vec![]);
    }
    modexp(&from(96, base), &from(96 + base, exponent), &from(96 + base + exponent, modulus))
}
