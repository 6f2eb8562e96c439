//! The base field: numbers below the prime p.
use crate::calls::{self, Operation, Others};
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, Mul, Neg};
use rand_core::RngCore;

/// An element, the lowest word first.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Fp(pub [u64; 6]);

const MODULUS: [u64; 6] = words(0xb9feffffffffaaab);
static MULTIPLY: Operation<6> = Operation::multiply(MODULUS);
static INVERT: Operation<6> = Operation::invert(MODULUS);
static ROOT: Operation<6> = Operation::root(MODULUS);
static OPPOSITE: Others<6> = Others { y: Fp::minus(1).0, z: [0; 6] };

/// The words of p except the lowest.
const fn words(lowest: u64) -> [u64; 6] {
    [lowest, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a]
}

fn compare(x: &[u64; 6], y: &[u64; 6]) -> Ordering {
    x.iter().rev().cmp(y.iter().rev())
}

/// 48 bytes as words, the highest byte first.
fn words_of(bytes: &[u8]) -> [u64; 6] {
    core::array::from_fn(|i| u64::from_be_bytes(bytes[40 - 8 * i..48 - 8 * i].try_into().expect("it is eight bytes")))
}

impl Fp {
    pub const ZERO: Fp = Fp::small(0);
    pub const ONE: Fp = Fp::small(1);

    pub const fn small(number: u64) -> Fp {
        Fp([number, 0, 0, 0, 0, 0])
    }

    /// -n for a number that is not 0.
    pub const fn minus(n: u64) -> Fp {
        Fp(words(0xb9feffffffffaaab - n))
    }

    /// Decodes 48 bytes, the highest first.
    pub fn read(bytes: &[u8]) -> Option<Fp> {
        let words = words_of(bytes);
        (compare(&words, &MODULUS) == Ordering::Less).then_some(Fp(words))
    }

    pub fn write(&self, bytes: &mut [u8]) {
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.0.iter().rev()) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
    }

    pub fn random(rng: &mut impl RngCore) -> Fp {
        /// 2^384
        const WIDE: [u64; 6] = [
            0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745, 0x5c071a97a256ec6d,
            0x15f65ec3fa80e493,
        ];
        let mut bytes = [0; 96];
        rng.fill_bytes(&mut bytes);
        let (low, high) = bytes.split_at(48); // as in the original
        let mut words = words_of(high);
        calls::multiply_add(&mut words, &WIDE, &words_of(low), &MULTIPLY);
        Fp(words)
    }

    /// x = 1/x for an x that is not 0.
    #[inline(always)]
    pub fn invert(&mut self) {
        calls::operate(&mut self.0, &INVERT);
    }

    #[inline(always)]
    pub fn negate(&mut self) {
        calls::linear(&mut self.0, &OPPOSITE, &MULTIPLY);
    }

    /// The even root of the element or, if it has none, of its opposite; and whether it is one of the element.
    pub fn root(&self) -> (Fp, bool) {
        let mut r = *self;
        calls::operate(&mut r.0, &ROOT);
        (r, r * r == *self)
    }

    /// Whether the element is above its opposite.
    pub fn is_largest(&self) -> bool {
        /// (p - 1)/2
        const HALF: [u64; 6] = [
            0xdcff7fffffffd555, 0x0f55ffff58a9ffff, 0xb39869507b587b12, 0xb23ba5c279c2895f, 0x258dd3db21a5d66b,
            0x0d0088f51cbff34d,
        ];
        compare(&self.0, &HALF) == Ordering::Greater
    }
}

impl fmt::Debug for Fp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

impl Neg for Fp {
    type Output = Fp;

    #[inline]
    fn neg(mut self) -> Fp {
        self.negate();
        self
    }
}

impl Add for Fp {
    type Output = Fp;

    fn add(mut self, other: Fp) -> Fp {
        calls::multiply_add(&mut self.0, &Fp::ONE.0, &other.0, &MULTIPLY);
        self
    }
}

impl Mul for Fp {
    type Output = Fp;

    fn mul(mut self, other: Fp) -> Fp {
        unsafe { calls::multiply(&mut self.0, &other.0, &MULTIPLY) }
        self
    }
}
