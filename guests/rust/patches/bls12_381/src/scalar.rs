//! The field of scalars: numbers below the groups' order.
use crate::calls::{self, Operation};
use core::intrinsics::const_eval_select;
use subtle::{Choice, CtOption};

/// An element of the field of scalars.
#[derive(Clone, Copy, Eq)]
pub struct Scalar(pub(crate) [u64; 4]);

pub const MODULUS: [u64; 4] = [0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48];

static MULTIPLY: Operation<4> = Operation::multiply(MODULUS);
static INVERT: Operation<4> = Operation::invert(MODULUS);

/// 2^256
const WIDE: [u64; 4] = [0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f];

/// x - y modulo 2^256, and whether x is below y.
const fn difference(x: &[u64; 4], y: &[u64; 4]) -> ([u64; 4], bool) {
    let (mut r, mut borrow, mut i) = ([0; 4], false, 0);
    while i < 4 {
        let (less, one) = x[i].overflowing_sub(y[i]);
        let (less, other) = less.overflowing_sub(borrow as u64);
        (r[i], borrow) = (less, one | other);
        i += 1;
    }
    (r, borrow)
}

/// x + y modulo 2^256
const fn sum(x: &[u64; 4], y: &[u64; 4]) -> [u64; 4] {
    let (mut r, mut carry, mut i) = ([0; 4], false, 0);
    while i < 4 {
        let (more, one) = x[i].overflowing_add(y[i]);
        let (more, other) = more.overflowing_add(carry as u64);
        (r[i], carry) = (more, one | other);
        i += 1;
    }
    r
}

const fn multiply_constants(x: &Scalar, y: &Scalar) -> Scalar {
    let (mut r, mut i) = (Scalar::zero(), 256);
    while i > 0 {
        i -= 1;
        r = r.double();
        if y.0[i / 64] >> (i % 64) & 1 != 0 {
            r = r.add(x);
        }
    }
    r
}

#[inline(always)]
fn multiply(x: &Scalar, y: &Scalar) -> Scalar {
    let mut r = *x;
    unsafe { calls::multiply(&mut r.0, &y.0, &MULTIPLY) }
    r
}

impl Scalar {
    /// The neutral element of addition.
    #[inline]
    pub const fn zero() -> Scalar {
        Scalar([0; 4])
    }

    /// The neutral element of multiplication.
    #[inline]
    pub const fn one() -> Scalar {
        Scalar([1, 0, 0, 0])
    }

    /// Twice the element.
    #[inline]
    pub const fn double(&self) -> Scalar {
        self.add(self)
    }

    /// Decodes a number, the lowest byte first, that is below the modulus.
    pub fn from_bytes(bytes: &[u8; 32]) -> CtOption<Scalar> {
        let words = words_of(bytes);
        CtOption::new(Scalar(words), Choice::from(difference(&words, &MODULUS).1 as u8))
    }

    /// The number's bytes, the lowest first.
    pub fn to_bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// A number of 512 bits, the lowest byte first, modulo the field's modulus.
    pub fn from_bytes_wide(bytes: &[u8; 64]) -> Scalar {
        let (low, high) = bytes.split_at(32);
        let mut words = words_of(high);
        calls::multiply_add(&mut words, &WIDE, &words_of(low), &MULTIPLY);
        Scalar(words)
    }

    /// A number modulo the field's modulus, the lowest word first.
    pub const fn from_raw(mut words: [u64; 4]) -> Self {
        loop {
            match difference(&words, &MODULUS) {
                (_, true) => return Scalar(words),
                (less, false) => words = less,
            }
        }
    }

    /// The square of the element.
    #[inline]
    pub const fn square(&self) -> Scalar {
        self.mul(self)
    }

    /// The power with an exponent, the lowest word first.
    pub fn pow(&self, by: &[u64; 4]) -> Self {
        let mut power = Self::one();
        for i in (0..256).rev().skip_while(|i| by[i / 64] >> (i % 64) & 1 == 0) {
            power = power.square();
            if by[i / 64] >> (i % 64) & 1 != 0 {
                power *= self;
            }
        }
        power
    }

    /// The power with an exponent, the lowest word first.
    pub fn pow_vartime(&self, by: &[u64; 4]) -> Self {
        self.pow(by)
    }

    /// The inverse of an element other than zero.
    pub fn invert(&self) -> CtOption<Self> {
        let mut inverse = *self;
        let some = self.0 != [0; 4];
        if some {
            calls::operate(&mut inverse.0, &INVERT);
        }
        CtOption::new(inverse, Choice::from(some as u8))
    }

    /// The product of two elements.
    #[inline]
    pub const fn mul(&self, rhs: &Self) -> Self {
        const_eval_select((self, rhs), multiply_constants, multiply)
    }

    /// The difference of two elements.
    #[inline]
    pub const fn sub(&self, rhs: &Self) -> Self {
        let (less, wrapped) = difference(&self.0, &rhs.0);
        Scalar(if wrapped { sum(&less, &MODULUS) } else { less })
    }

    /// The sum of two elements.
    #[inline]
    pub const fn add(&self, rhs: &Self) -> Self {
        let more = sum(&self.0, &rhs.0); // below 2^256
        let (less, reduced) = difference(&more, &MODULUS);
        Scalar(if reduced { more } else { less })
    }

    /// The opposite of the element.
    #[inline]
    pub const fn neg(&self) -> Self {
        Self::zero().sub(self)
    }
}

/// 32 bytes as words, the lowest first.
fn words_of(bytes: &[u8]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("it is eight bytes")))
}
