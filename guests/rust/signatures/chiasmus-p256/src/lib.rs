//! Crate p256, with verification of signatures by accelerators. All else is p256's own code.
#![no_std]

pub use upstream::*;

#[cfg(feature = "ecdsa")]
#[path = "../../keys.rs"]
pub mod ecdsa;

/// Verifies a signature.
#[cfg(feature = "ecdsa")]
fn verify(hash: &[u8; 32], signature: &ecdsa::Signature, key: &chiasmus_guest::library::Bytes<64>) -> bool {
    use chiasmus_guest::library::{Bytes, zkvm_secp256r1_verify};
    let (mut verified, bytes) = (false, Bytes::of(&signature.to_bytes()));
    unsafe { zkvm_secp256r1_verify(&Bytes(*hash), &bytes, key, &mut verified) == 0 && verified }
}
