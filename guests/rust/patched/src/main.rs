//! Hashes of many lengths, and signatures on two curves, good and bad: one line each, the same in a guest and on a host.
use std::fmt::Write;

use k256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use k256::ecdsa::signature::{Signer, Verifier};
use k256::ecdsa::{self as k, RecoveryId};
use p256::ecdsa as p;
use sha2::{Digest, Sha224, Sha256, Sha512};
use sha3::digest::{ExtendableOutput, Update};
use tiny_keccak::Hasher;

fn line(text: &mut String, name: &str, bytes: &[u8]) {
    write!(text, "{name} ").unwrap();
    bytes.iter().for_each(|b| write!(text, "{b:02x}").unwrap());
    text.push('\n');
}

fn tiny(mut hash: impl Hasher, message: &[u8], bytes: usize, digest: &mut [u8]) {
    for part in message.chunks(bytes) {
        hash.update(part);
    }
    hash.finalize(digest);
}

fn hashes(text: &mut String, message: &[u8]) {
    line(text, "sha256", &Sha256::digest(message));
    line(text, "sha224", &Sha224::digest(message));
    line(text, "sha512", &Sha512::digest(message));
    let mut hash = Sha256::new();
    message.chunks(7).for_each(|part| Update::update(&mut hash, part));
    line(text, "sha256 in parts", &hash.finalize());
    line(text, "keccak256", &sha3::Keccak256::digest(message));
    line(text, "sha3-512", &sha3::Sha3_512::digest(message));
    let mut long = [0; 300];
    sha3::Shake128::default().chain(message).finalize_xof_into(&mut long);
    line(text, "shake128", &long);
    let mut digest = [0; 64];
    tiny(tiny_keccak::Keccak::v256(), message, 11, &mut digest[..32]);
    tiny(tiny_keccak::Sha3::v384(), message, 11, &mut digest[16..]);
    line(text, "tiny-keccak", &digest);
    tiny(tiny_keccak::Keccak::v256(), message, 150, &mut digest[..32]);
    tiny(tiny_keccak::Sha3::v256(), message, 1000, &mut digest[32..]);
    line(text, "tiny-keccak in longer parts", &digest);
    #[cfg(target_os = "zkvm")]
    for at in 0..message.len().min(9) { // at any address
        let rest = &message[at..];
        assert_eq!(chiasmus_guest::keccak256(rest)[..], sha3::Keccak256::digest(rest)[..], "{at} of {}", message.len());
    }
}

fn k256_signatures(text: &mut String, message: &[u8], hash: &[u8; 32]) {
    let key = k::SigningKey::from_slice(hash).unwrap();
    let (signature, id) = key.sign_prehash_recoverable(hash).unwrap();
    line(text, "k256", &signature.to_bytes());
    let public = *key.verifying_key();
    let recovered = k::VerifyingKey::recover_from_prehash(hash, &signature, id).unwrap();
    assert_eq!(recovered, public);
    line(text, "recovered", recovered.to_encoded_point(true).as_bytes());
    let other = k::VerifyingKey::recover_from_prehash(hash, &signature, RecoveryId::new(!id.is_y_odd(), false));
    line(text, "another", &other.map_or(vec![], |key| key.to_encoded_point(false).as_bytes().to_vec()));
    let high = k::Signature::from_scalars(signature.r().to_bytes(), (-*signature.s()).to_bytes()).unwrap();
    let signed: k::Signature = key.sign(message);
    let results = [
        public.verify_prehash(hash, &signature).is_ok(),
        public.verify_prehash(&hash[1..], &signature).is_ok(),
        public.verify_prehash(&[7; 32], &signature).is_ok(),
        public.verify_prehash(hash, &high).is_ok(),
        k::VerifyingKey::recover_from_prehash(hash, &high, id).is_ok(),
        public.verify(message, &signed).is_ok(),
        public.verify(message, &signed.to_der()).is_ok(),
        k::VerifyingKey::from_sec1_bytes(&[4; 65]).is_ok(),
    ];
    line(text, "k256 results", &results.map(u8::from));
}

fn p256_signatures(text: &mut String, message: &[u8], hash: &[u8; 32]) {
    let key = p::SigningKey::from_slice(hash).unwrap();
    let signature: p::Signature = key.sign_prehash(hash).unwrap();
    line(text, "p256", &signature.to_bytes());
    let public = p::VerifyingKey::from_sec1_bytes(key.verifying_key().to_encoded_point(true).as_bytes()).unwrap();
    let high = p::Signature::from_scalars(signature.r().to_bytes(), (-*signature.s()).to_bytes()).unwrap();
    let signed: p::Signature = key.sign(message);
    let results = [
        public.verify_prehash(hash, &signature).is_ok(),
        public.verify_prehash(&[7; 32], &signature).is_ok(),
        public.verify_prehash(hash, &high).is_ok(), // p256 accepts both
        public.verify(message, &signed).is_ok(),
        public.verify(&message[1..], &signed).is_ok(),
    ];
    line(text, "p256 results", &results.map(u8::from));
}

fn main() {
    let message: Vec<u8> = (0..400u32).map(|i| (i * i + 7) as u8).collect();
    let mut text = String::new();
    for length in [0, 1, 55, 56, 64, 71, 104, 135, 136, 137, 272, 400] {
        hashes(&mut text, &message[..length]);
    }
    let hash: [u8; 32] = Sha256::digest(&message).into();
    k256_signatures(&mut text, &message, &hash);
    p256_signatures(&mut text, &message, &hash);
    #[cfg(target_os = "zkvm")]
    chiasmus_guest::io::commit_bytes(text.as_bytes());
    #[cfg(not(target_os = "zkvm"))]
    print!("{text}");
}
