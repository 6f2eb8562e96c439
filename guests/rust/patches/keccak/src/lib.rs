//! Crate keccak for guests, with keccak's interface. Keccak-f[1600] uses an accelerator; permutations of other widths
//! or numbers of rounds are computed.
#![no_std]
#![allow(non_upper_case_globals)]

#[cfg(feature = "simd")]
compile_error!("a guest has no vectors: build keccak without its feature simd");

mod permutation;

pub use permutation::{LaneSize, keccak_p};

/// Keccak-f[1600].
#[inline]
pub fn f1600(state: &mut [u64; 25]) {
    chiasmus_guest::calls::keccak_f(state)
}

/// The last rounds of Keccak-f[1600].
#[inline]
pub fn p1600(state: &mut [u64; 25], round_count: usize) {
    if round_count == u64::KECCAK_F_ROUND_COUNT { f1600(state) } else { keccak_p(state, round_count) }
}

macro_rules! computed {
    ($f:ident, $p:ident, $lane:ty) => {
        /// All rounds.
        pub fn $f(state: &mut [$lane; 25]) {
            keccak_p(state, <$lane>::KECCAK_F_ROUND_COUNT)
        }

        /// The last rounds.
        pub fn $p(state: &mut [$lane; 25], round_count: usize) {
            keccak_p(state, round_count)
        }
    };
}

computed!(f200, p200, u8);
computed!(f400, p400, u16);
computed!(f800, p800, u32);
