//! Crate k256: signs, verifies and recovers the key, in software.
use chiasmus_guest::{io, keccak256};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{SigningKey, VerifyingKey};

fn main() {
    let hash = keccak256(io::private());
    let key = SigningKey::from_slice(&[0x46; 32]).unwrap();
    let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
    let public = VerifyingKey::recover_from_prehash(&hash, &signature, id).unwrap();
    assert_eq!(public, *key.verifying_key());
    public.verify_prehash(&hash, &signature).unwrap();
    // The account of key 0x46...46, known from EIP-155's example.
    io::commit_bytes(&keccak256(&public.to_encoded_point(false).as_bytes()[1..])[12..]);
}
