//! BLS12-381: EIP-2537. Numbers of the field have 64 bytes, the most significant first, of which 16 are 0; points are
//! two or four numbers, and zeros are infinity. Scalars have 32 bytes.
use crate::{Invalid, aligned, parts, unless};
use alloc::vec::Vec;
use chiasmus_guest::library::{
    Bytes, Pair, zkvm_bls12_g1_add, zkvm_bls12_g1_msm, zkvm_bls12_g2_add, zkvm_bls12_g2_msm, zkvm_bls12_map_fp_to_g1,
    zkvm_bls12_map_fp2_to_g2, zkvm_bls12_pairing,
};

/// Numbers without their zeros: 48 bytes each, N in all.
fn read<const N: usize>(input: &[u8]) -> Result<Bytes<N>, Invalid> {
    let mut bytes = Bytes::ZERO;
    if input.len() / 64 * 48 != N || input.len() % 64 != 0 {
        return Err(Invalid::Length);
    }
    for (from, to) in input.chunks_exact(64).zip(bytes.0.chunks_exact_mut(48)) {
        if from[..16] != [0; 16] {
            return Err(Invalid::Value);
        }
        to.copy_from_slice(&from[16..]);
    }
    Ok(bytes)
}

/// Numbers with their zeros.
fn write<const N: usize, const M: usize>(point: &Bytes<N>) -> [u8; M] {
    let mut bytes = [0; M];
    for (from, to) in point.0.chunks_exact(48).zip(bytes.chunks_exact_mut(64)) {
        to[16..].copy_from_slice(from);
    }
    bytes
}

macro_rules! group {
    ($point:literal, $bytes:literal, $add:ident, $add_of:ident, $msm:ident, $msm_of:ident, $group:literal) => {
        #[doc = concat!("The sum of two points of the curve of ", $group, ".")]
        pub fn $add(input: &[u8]) -> Result<[u8; $bytes], Invalid> {
            if input.len() != 2 * $bytes {
                return Err(Invalid::Length);
            }
            let (p, q) = (read::<$point>(&input[..$bytes])?, read(&input[$bytes..])?);
            let mut sum = Bytes::ZERO;
            unless(unsafe { $add_of(&p, &q, &mut sum) }, ())?;
            Ok(write(&sum))
        }

        #[doc = concat!("The sum of points of ", $group, " times scalars; the input has at least one pair.")]
        pub fn $msm(input: &[u8]) -> Result<[u8; $bytes], Invalid> {
            let terms = parts(input, $bytes + 32)?;
            let terms = terms.map(|t| Ok(Pair(read::<$point>(&t[..$bytes])?, aligned::<32>(&t[$bytes..]))));
            let terms = terms.collect::<Result<Vec<_>, Invalid>>()?;
            if terms.is_empty() {
                return Err(Invalid::Length);
            }
            let mut sum = Bytes::ZERO;
            unless(unsafe { $msm_of(terms.as_ptr(), terms.len(), &mut sum) }, ())?;
            Ok(write(&sum))
        }
    };
}

group!(96, 128, g1_add, zkvm_bls12_g1_add, g1_msm, zkvm_bls12_g1_msm, "G1");
group!(192, 256, g2_add, zkvm_bls12_g2_add, g2_msm, zkvm_bls12_g2_msm, "G2");

/// Whether the product of pairings is 1. The input has at least one pair of a point of G1 and one of G2.
pub fn pairing_check(input: &[u8]) -> Result<bool, Invalid> {
    let pairs = parts(input, 384)?.map(|p| Ok(Pair(read(&p[..128])?, read(&p[128..])?)));
    let pairs = pairs.collect::<Result<Vec<_>, Invalid>>()?;
    if pairs.is_empty() {
        return Err(Invalid::Length);
    }
    let mut holds = false;
    unless(unsafe { zkvm_bls12_pairing(pairs.as_ptr(), pairs.len(), &mut holds) }, ())?;
    Ok(holds)
}

/// Maps a number to a point of G1.
pub fn map_fp_to_g1(input: &[u8]) -> Result<[u8; 128], Invalid> {
    let (element, mut point) = (read(input)?, Bytes::ZERO);
    unless(unsafe { zkvm_bls12_map_fp_to_g1(&element, &mut point) }, ())?;
    Ok(write(&point))
}

/// Maps two numbers to a point of G2.
pub fn map_fp2_to_g2(input: &[u8]) -> Result<[u8; 256], Invalid> {
    let (element, mut point) = (read(input)?, Bytes::ZERO);
    unless(unsafe { zkvm_bls12_map_fp2_to_g2(&element, &mut point) }, ())?;
    Ok(write(&point))
}
