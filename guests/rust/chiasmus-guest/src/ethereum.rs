//! The provider of signatures and precompiles for Ethereum's crates. It uses functions of the kit's library, and so the
//! accelerators. Programs call [`install`] first.
use crate::{keccak256, library::*, sha256};
#[cfg(feature = "ethereum")]
use alloc::sync::Arc;
use alloc::{vec, vec::Vec};
#[cfg(feature = "ethereum")]
use alloy_consensus::crypto::{RecoveryError, backend};
use alloy_primitives::Address;
use revm_precompile::{
    Crypto, PrecompileHalt, install_crypto,
    bls12_381::{G1Point, G1PointScalar, G2Point, G2PointScalar},
};

/// The provider of the kit.
#[derive(Clone, Copy, Debug)]
pub struct Library;

/// Makes revm's precompiles use the kit's library, and with feature `ethereum` alloy's recovery of signers too. Providers
/// that were installed before remain.
pub fn install() {
    install_crypto(Library);
    #[cfg(feature = "ethereum")]
    let _ = backend::install_default_provider(Arc::new(Library));
}

type Halted<T> = Result<T, PrecompileHalt>;

/// The result of a function of the library, or the reason for a precompile's failure.
fn unless(code: i32, halt: PrecompileHalt) -> Halted<()> {
    if code == 0 { Ok(()) } else { Err(halt) }
}

fn address(key: &Bytes<64>) -> Address {
    Address::from_slice(&keccak256(&key.0)[12..])
}

fn recover(signature: &[u8], id: u8, hash: &[u8; 32]) -> Option<Address> {
    let mut key = Bytes::ZERO;
    let code = unsafe { zkvm_secp256k1_ecrecover(&Bytes(*hash), &Bytes::of(signature), id, &mut key) };
    (code == 0).then(|| address(&key))
}

#[cfg(feature = "ethereum")]
impl backend::CryptoProvider for Library {
    fn recover_signer_unchecked(&self, signature: &[u8; 65], hash: &[u8; 32]) -> Result<Address, RecoveryError> {
        recover(&signature[..64], signature[64], hash).ok_or_else(RecoveryError::new)
    }

    fn verify_and_compute_signer_unchecked(
        &self,
        key: &[u8; 65],
        signature: &[u8; 64],
        hash: &[u8; 32],
    ) -> Result<Address, RecoveryError> {
        let (mut verified, point) = (false, Bytes::of(&key[1..]));
        let code = unsafe { zkvm_secp256k1_verify(&Bytes(*hash), &Bytes(*signature), &point, &mut verified) };
        if key[0] == 4 && code == 0 && verified { Ok(address(&point)) } else { Err(RecoveryError::new()) }
    }
}

fn g1((x, y): &G1Point) -> Bytes<96> {
    Bytes::join(&[x, y])
}

fn g2((x0, x1, y0, y1): &G2Point) -> Bytes<192> {
    Bytes::join(&[x0, x1, y0, y1])
}

const NO_G1: PrecompileHalt = PrecompileHalt::Bls12381G1NotOnCurve;
const NO_G2: PrecompileHalt = PrecompileHalt::Bls12381G2NotOnCurve;

impl Crypto for Library {
    fn sha256(&self, input: &[u8]) -> [u8; 32] {
        sha256(input)
    }

    fn ripemd160(&self, input: &[u8]) -> [u8; 32] {
        let mut hash = Bytes::ZERO;
        unsafe { zkvm_ripemd160(input.as_ptr(), input.len(), &mut hash) };
        hash.0
    }

    fn bn254_g1_add(&self, p: &[u8], q: &[u8]) -> Halted<[u8; 64]> {
        let mut sum = Bytes::ZERO;
        let code = unsafe { zkvm_bn254_g1_add(&Bytes::of(p), &Bytes::of(q), &mut sum) };
        unless(code, PrecompileHalt::Bn254AffineGFailedToCreate).map(|_| sum.0)
    }

    fn bn254_g1_mul(&self, p: &[u8], scalar: &[u8]) -> Halted<[u8; 64]> {
        let mut product = Bytes::ZERO;
        let code = unsafe { zkvm_bn254_g1_mul(&Bytes::of(p), &Bytes::of(scalar), &mut product) };
        unless(code, PrecompileHalt::Bn254AffineGFailedToCreate).map(|_| product.0)
    }

    fn bn254_pairing_check(&self, pairs: &[(&[u8], &[u8])]) -> Halted<bool> {
        let pairs: Vec<_> = pairs.iter().map(|(p, q)| Pair(Bytes::of(p), Bytes::of(q))).collect();
        let mut verified = false;
        let code = unsafe { zkvm_bn254_pairing(pairs.as_ptr(), pairs.len(), &mut verified) };
        unless(code, PrecompileHalt::Bn254AffineGFailedToCreate).map(|_| verified)
    }

    fn secp256k1_ecrecover(&self, signature: &[u8; 64], id: u8, hash: &[u8; 32]) -> Halted<[u8; 32]> {
        let address = recover(signature, id, hash).ok_or(PrecompileHalt::Secp256k1RecoverFailed)?;
        Ok(address.into_word().0)
    }

    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Halted<Vec<u8>> {
        let mut result = vec![0; modulus.len()];
        let code = unsafe {
            zkvm_modexp(
                base.as_ptr(), base.len(), exponent.as_ptr(), exponent.len(),
                modulus.as_ptr(), modulus.len(), result.as_mut_ptr(),
            )
        };
        unless(code, PrecompileHalt::ModexpModOverflow).map(|_| result)
    }

    fn blake2_compress(&self, rounds: u32, h: &mut [u64; 8], m: &[u64; 16], t: &[u64; 2], last: bool) {
        // The last argument is 0 or 1: the function has no other errors.
        unsafe { zkvm_blake2f(rounds, h, m, t, last as u8) };
    }

    fn secp256r1_verify_signature(&self, hash: &[u8; 32], signature: &[u8; 64], key: &[u8; 64]) -> bool {
        let mut verified = false;
        let code = unsafe { zkvm_secp256r1_verify(&Bytes(*hash), &Bytes(*signature), &Bytes(*key), &mut verified) };
        code == 0 && verified
    }

    fn verify_kzg_proof(&self, z: &[u8; 32], y: &[u8; 32], commitment: &[u8; 48], proof: &[u8; 48]) -> Halted<()> {
        let mut verified = false;
        let code = unsafe {
            zkvm_kzg_point_eval(&Bytes(*commitment), &Bytes(*z), &Bytes(*y), &Bytes(*proof), &mut verified)
        };
        unless(code | !verified as i32, PrecompileHalt::BlobVerifyKzgProofFailed)
    }

    fn bls12_381_g1_add(&self, p: G1Point, q: G1Point) -> Halted<[u8; 96]> {
        let mut sum = Bytes::ZERO;
        unless(unsafe { zkvm_bls12_g1_add(&g1(&p), &g1(&q), &mut sum) }, NO_G1).map(|_| sum.0)
    }

    fn bls12_381_g1_msm(&self, terms: &mut dyn Iterator<Item = Halted<G1PointScalar>>) -> Halted<[u8; 96]> {
        let terms = terms.map(|t| t.map(|(p, k)| Pair(g1(&p), Bytes(k)))).collect::<Halted<Vec<_>>>()?;
        let mut sum = Bytes::ZERO;
        unless(unsafe { zkvm_bls12_g1_msm(terms.as_ptr(), terms.len(), &mut sum) }, NO_G1).map(|_| sum.0)
    }

    fn bls12_381_g2_add(&self, p: G2Point, q: G2Point) -> Halted<[u8; 192]> {
        let mut sum = Bytes::ZERO;
        unless(unsafe { zkvm_bls12_g2_add(&g2(&p), &g2(&q), &mut sum) }, NO_G2).map(|_| sum.0)
    }

    fn bls12_381_g2_msm(&self, terms: &mut dyn Iterator<Item = Halted<G2PointScalar>>) -> Halted<[u8; 192]> {
        let terms = terms.map(|t| t.map(|(p, k)| Pair(g2(&p), Bytes(k)))).collect::<Halted<Vec<_>>>()?;
        let mut sum = Bytes::ZERO;
        unless(unsafe { zkvm_bls12_g2_msm(terms.as_ptr(), terms.len(), &mut sum) }, NO_G2).map(|_| sum.0)
    }

    fn bls12_381_pairing_check(&self, pairs: &[(G1Point, G2Point)]) -> Halted<bool> {
        let pairs: Vec<_> = pairs.iter().map(|(p, q)| Pair(g1(p), g2(q))).collect();
        let mut verified = false;
        unless(unsafe { zkvm_bls12_pairing(pairs.as_ptr(), pairs.len(), &mut verified) }, NO_G1).map(|_| verified)
    }

    fn bls12_381_fp_to_g1(&self, element: &[u8; 48]) -> Halted<[u8; 96]> {
        let mut point = Bytes::ZERO;
        let code = unsafe { zkvm_bls12_map_fp_to_g1(&Bytes(*element), &mut point) };
        unless(code, PrecompileHalt::NonCanonicalFp).map(|_| point.0)
    }

    fn bls12_381_fp2_to_g2(&self, (x0, x1): ([u8; 48], [u8; 48])) -> Halted<[u8; 192]> {
        let mut point = Bytes::ZERO;
        let code = unsafe { zkvm_bls12_map_fp2_to_g2(&Bytes::join(&[&x0, &x1]), &mut point) };
        unless(code, PrecompileHalt::NonCanonicalFp).map(|_| point.0)
    }
}
