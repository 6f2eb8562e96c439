//! Crate k256, in software. The public input is a key and its signature of the private input's hash, which the program
//! verifies. Without a public input, it signs with a key of its own, recovers the key and verifies.
use chiasmus_guest::{io, keccak256};
use k256::ecdsa::signature::hazmat::PrehashVerifier;
use k256::ecdsa::{Signature, SigningKey, VerifyingKey};

fn main() {
    let hash = keccak256(io::private());
    let (key, signature) = match io::public() {
        [] => {
            let key = SigningKey::from_slice(&[0x46; 32]).unwrap();
            let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
            let recovered = VerifyingKey::recover_from_prehash(&hash, &signature, id).unwrap();
            assert_eq!(recovered, *key.verifying_key());
            (recovered, signature)
        }
        signed => {
            let (key, signature) = signed.split_at(65);
            (VerifyingKey::from_sec1_bytes(key).unwrap(), Signature::from_slice(signature).unwrap())
        }
    };
    key.verify_prehash(&hash, &signature).unwrap();
    // The account of key 0x46...46, known from EIP-155's example.
    io::commit_bytes(&keccak256(&key.to_encoded_point(false).as_bytes()[1..])[12..]);
}
