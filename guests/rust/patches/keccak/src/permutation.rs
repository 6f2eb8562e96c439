//! Keccak-p by its definition (FIPS 202, section 3).
use core::fmt::Debug;
use core::ops::{BitAnd, BitAndAssign, BitXor, BitXorAssign, Not};

/// A lane.
pub trait LaneSize:
    Copy + Debug + Default + PartialEq + BitAnd<Output = Self> + BitAndAssign + BitXor<Output = Self> + BitXorAssign
    + Not<Output = Self>
{
    /// The number of rounds of Keccak-f with such lanes.
    const KECCAK_F_ROUND_COUNT: usize;

    /// The low bits of a round constant.
    fn truncate_rc(rc: u64) -> Self;

    fn rotate_left(self, n: u32) -> Self;
}

macro_rules! lane {
    ($type:ident, $rounds:literal) => {
        impl LaneSize for $type {
            const KECCAK_F_ROUND_COUNT: usize = $rounds;

            fn truncate_rc(rc: u64) -> Self {
                rc as $type
            }

            fn rotate_left(self, n: u32) -> Self {
                $type::rotate_left(self, n % $type::BITS)
            }
        }
    };
}

lane!(u8, 18);
lane!(u16, 20);
lane!(u32, 22);
lane!(u64, 24);

/// The constants of 24 rounds: bit 2^j - 1 of constant i is bit j + 7i of a shift register.
const CONSTANTS: [u64; 24] = {
    let (mut list, mut register, mut i) = ([0; 24], 1u8, 0);
    while i < 24 {
        let mut j = 0;
        while j < 7 {
            list[i] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = register << 1 ^ if register >> 7 == 1 { 0x71 } else { 0 };
            j += 1;
        }
        i += 1;
    }
    list
};

/// The last rounds of Keccak-f. The count is at most the number of all rounds.
pub fn keccak_p<L: LaneSize>(state: &mut [L; 25], round_count: usize) {
    assert!(round_count <= L::KECCAK_F_ROUND_COUNT, "Keccak-f has {} rounds", L::KECCAK_F_ROUND_COUNT);
    for round in L::KECCAK_F_ROUND_COUNT - round_count..L::KECCAK_F_ROUND_COUNT {
        let mut parity = [L::default(); 5];
        for i in 0..25 {
            parity[i % 5] ^= state[i];
        }
        for i in 0..25 {
            state[i] ^= parity[(i + 4) % 5] ^ parity[(i + 1) % 5].rotate_left(1);
        }
        let mut moved = [state[0]; 25];
        let (mut x, mut y) = (1, 0);
        for t in 1..25 {
            let next = (2 * x + 3 * y) % 5;
            moved[y + 5 * next] = state[x + 5 * y].rotate_left((t * (t + 1) / 2) as u32);
            (x, y) = (y, next);
        }
        for i in 0..25 {
            let row = i / 5 * 5;
            state[i] = moved[i] ^ (!moved[row + (i + 1) % 5] & moved[row + (i + 2) % 5]);
        }
        state[0] ^= L::truncate_rc(CONSTANTS[round]);
    }
}
