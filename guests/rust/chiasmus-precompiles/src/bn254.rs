//! BN254: EIP-196 and EIP-197. Numbers have 32 bytes, the most significant first; zeros are infinity.
use crate::{Invalid, aligned, parts, unless};
use alloc::vec::Vec;
use chiasmus_guest::library::{Bytes, Pair, zkvm_bn254_g1_add, zkvm_bn254_g1_mul, zkvm_bn254_pairing};

/// An input of N bytes: a contract reads zeros after the input's end, and ignores further bytes.
fn padded<const N: usize>(input: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    let length = input.len().min(N);
    bytes[..length].copy_from_slice(&input[..length]);
    bytes
}

/// The sum of two points of G1.
pub fn add(input: &[u8]) -> Result<[u8; 64], Invalid> {
    let (input, mut sum) = (padded::<128>(input), Bytes::ZERO);
    let code = unsafe { zkvm_bn254_g1_add(&aligned(&input[..64]), &aligned(&input[64..]), &mut sum) };
    unless(code, sum.0)
}

/// A point of G1 times a number of 32 bytes.
pub fn mul(input: &[u8]) -> Result<[u8; 64], Invalid> {
    let (input, mut product) = (padded::<96>(input), Bytes::ZERO);
    let code = unsafe { zkvm_bn254_g1_mul(&aligned(&input[..64]), &aligned(&input[64..]), &mut product) };
    unless(code, product.0)
}

/// Whether the product of pairings is 1. A pair has a point of G1 and one of G2, whose coordinates have the imaginary
/// part first. The product of no pairs is 1.
pub fn pairing_check(input: &[u8]) -> Result<bool, Invalid> {
    let pairs: Vec<_> = parts(input, 192)?.map(|p| Pair(aligned(&p[..64]), aligned(&p[64..]))).collect();
    let mut holds = false;
    unless(unsafe { zkvm_bn254_pairing(pairs.as_ptr(), pairs.len(), &mut holds) }, ())?;
    Ok(holds)
}
