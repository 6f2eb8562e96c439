//! Crate k256, with verification of signatures and recovery of keys by accelerators. All else is k256's own code.
#![no_std]

pub use upstream::*;

#[cfg(feature = "ecdsa")]
#[path = "../../keys.rs"]
pub mod ecdsa;

#[cfg(feature = "ecdsa")]
mod recovery;

/// Verifies a signature.
#[cfg(feature = "ecdsa")]
fn verify(hash: &[u8; 32], signature: &ecdsa::Signature, key: &chiasmus_guest::library::Bytes<64>) -> bool {
    use chiasmus_guest::library::{Bytes, zkvm_secp256k1_verify};
    let (mut verified, bytes) = (false, Bytes::of(&signature.to_bytes()));
    // k256 refuses the larger of the two values of s.
    signature.normalize_s().is_none()
        && unsafe { zkvm_secp256k1_verify(&Bytes(*hash), &bytes, key, &mut verified) } == 0
        && verified
}
