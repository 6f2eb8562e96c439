//! The functions of the C library that use accelerators, as the standard declares them (zkvm_accelerators.h). Guests in
//! C call the same functions. Numbers and points are bytes, most significant first.

/// Bytes at a multiple of eight, as the library requires.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct Bytes<const N: usize>(pub [u8; N]);

impl<const N: usize> Bytes<N> {
    pub const ZERO: Bytes<N> = Bytes([0; N]);

    /// A copy. There must be N bytes.
    #[inline]
    pub fn of(bytes: &[u8]) -> Bytes<N> {
        Bytes(bytes.try_into().unwrap())
    }

    /// Concatenates parts. Together they must have N bytes.
    pub fn join(parts: &[&[u8]]) -> Bytes<N> {
        let (mut all, mut at) = ([0; N], 0);
        for part in parts {
            all[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        assert_eq!(at, N);
        Bytes(all)
    }
}

/// A point and its partner, in the layout of the library's lists.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair<const A: usize, const B: usize>(pub Bytes<A>, pub Bytes<B>);

// Zero is success. Otherwise the arguments are invalid, such as a point off its curve.
unsafe extern "C" {
    pub fn zkvm_ripemd160(data: *const u8, n: usize, hash: *mut Bytes<32>) -> i32;
    pub fn zkvm_secp256k1_ecrecover(hash: &Bytes<32>, signature: &Bytes<64>, id: u8, key: &mut Bytes<64>) -> i32;
    pub fn zkvm_secp256k1_verify(hash: &Bytes<32>, signature: &Bytes<64>, key: &Bytes<64>, verified: &mut bool) -> i32;
    pub fn zkvm_secp256r1_verify(hash: &Bytes<32>, signature: &Bytes<64>, key: &Bytes<64>, verified: &mut bool) -> i32;
    pub fn zkvm_modexp(
        base: *const u8, base_n: usize, exponent: *const u8, exponent_n: usize,
        modulus: *const u8, modulus_n: usize, result: *mut u8,
    ) -> i32;
    pub fn zkvm_blake2f(rounds: u32, h: &mut [u64; 8], m: &[u64; 16], t: &[u64; 2], last: u8) -> i32;
    pub fn zkvm_bn254_g1_add(p: &Bytes<64>, q: &Bytes<64>, sum: &mut Bytes<64>) -> i32;
    pub fn zkvm_bn254_g1_mul(p: &Bytes<64>, scalar: &Bytes<32>, product: &mut Bytes<64>) -> i32;
    pub fn zkvm_bn254_pairing(pairs: *const Pair<64, 128>, n: usize, verified: &mut bool) -> i32;
    pub fn zkvm_kzg_point_eval(
        commitment: &Bytes<48>, z: &Bytes<32>, y: &Bytes<32>, proof: &Bytes<48>, verified: &mut bool,
    ) -> i32;
    pub fn zkvm_bls12_g1_add(p: &Bytes<96>, q: &Bytes<96>, sum: &mut Bytes<96>) -> i32;
    pub fn zkvm_bls12_g1_msm(pairs: *const Pair<96, 32>, n: usize, sum: &mut Bytes<96>) -> i32;
    pub fn zkvm_bls12_g2_add(p: &Bytes<192>, q: &Bytes<192>, sum: &mut Bytes<192>) -> i32;
    pub fn zkvm_bls12_g2_msm(pairs: *const Pair<192, 32>, n: usize, sum: &mut Bytes<192>) -> i32;
    pub fn zkvm_bls12_pairing(pairs: *const Pair<96, 192>, n: usize, verified: &mut bool) -> i32;
    pub fn zkvm_bls12_map_fp_to_g1(element: &Bytes<48>, point: &mut Bytes<96>) -> i32;
    pub fn zkvm_bls12_map_fp2_to_g2(element: &Bytes<96>, point: &mut Bytes<192>) -> i32;
}
