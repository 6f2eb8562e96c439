//! Traits of [Scalar].
use crate::Scalar;
use crate::operators::{assign, by_value, negate};
use core::borrow::Borrow;
use core::fmt;
use core::iter::{Product, Sum};
use core::ops::{Add, Mul, Neg, Sub};
use ff::{Field, PrimeField};
use rand_core::RngCore;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "0x{d:016x}{c:016x}{b:016x}{a:016x}")
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Default for Scalar {
    #[inline]
    fn default() -> Self {
        Self::zero()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::DefaultIsZeroes for Scalar {}

impl From<u64> for Scalar {
    fn from(number: u64) -> Scalar {
        Scalar([number, 0, 0, 0])
    }
}

impl From<Scalar> for [u8; 32] {
    fn from(scalar: Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }
}

impl From<&Scalar> for [u8; 32] {
    fn from(scalar: &Scalar) -> [u8; 32] {
        scalar.to_bytes()
    }
}

impl PartialEq for Scalar {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl ConstantTimeEq for Scalar {
    fn ct_eq(&self, other: &Self) -> Choice {
        Choice::from((self == other) as u8)
    }
}

impl ConditionallySelectable for Scalar {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        if choice.into() { *b } else { *a }
    }
}

impl Neg for &Scalar {
    type Output = Scalar;

    #[inline]
    fn neg(self) -> Scalar {
        self.neg()
    }
}

impl Add<&Scalar> for &Scalar {
    type Output = Scalar;

    #[inline]
    fn add(self, right: &Scalar) -> Scalar {
        self.add(right)
    }
}

impl Sub<&Scalar> for &Scalar {
    type Output = Scalar;

    #[inline]
    fn sub(self, right: &Scalar) -> Scalar {
        self.sub(right)
    }
}

impl Mul<&Scalar> for &Scalar {
    type Output = Scalar;

    #[inline]
    fn mul(self, right: &Scalar) -> Scalar {
        self.mul(right)
    }
}

negate!([] Scalar);
by_value!([] Add::add, Scalar, Scalar => Scalar);
by_value!([] Sub::sub, Scalar, Scalar => Scalar);
by_value!([] Mul::mul, Scalar, Scalar => Scalar);
assign!([] AddAssign::add_assign by Add::add, Scalar, Scalar);
assign!([] SubAssign::sub_assign by Sub::sub, Scalar, Scalar);
assign!([] MulAssign::mul_assign by Mul::mul, Scalar, Scalar);

impl<T: Borrow<Scalar>> Sum<T> for Scalar {
    fn sum<I: Iterator<Item = T>>(scalars: I) -> Self {
        scalars.fold(Self::zero(), |sum, scalar| sum + scalar.borrow())
    }
}

impl<T: Borrow<Scalar>> Product<T> for Scalar {
    fn product<I: Iterator<Item = T>>(scalars: I) -> Self {
        scalars.fold(Self::one(), |product, scalar| product * scalar.borrow())
    }
}

impl Field for Scalar {
    const ZERO: Self = Self::zero();
    const ONE: Self = Self::one();

    fn random(mut rng: impl RngCore) -> Self {
        let mut bytes = [0; 64];
        rng.fill_bytes(&mut bytes);
        Self::from_bytes_wide(&bytes)
    }

    fn square(&self) -> Self {
        self.square()
    }

    fn double(&self) -> Self {
        self.double()
    }

    fn invert(&self) -> CtOption<Self> {
        self.invert()
    }

    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        ff::helpers::sqrt_ratio_generic(num, div)
    }

    fn sqrt(&self) -> CtOption<Self> {
        // (t - 1)/2 for t = (r - 1)/2^32
        const EXPONENT: [u64; 4] = [0x7fff2dff7fffffff, 0x04d0ec02a9ded201, 0x94cebea4199cec04, 0x0000000039f6d3a9];
        ff::helpers::sqrt_tonelli_shanks(self, EXPONENT)
    }

    fn is_zero_vartime(&self) -> bool {
        *self == Self::zero()
    }
}

impl PrimeField for Scalar {
    type Repr = [u8; 32];

    const MODULUS: &'static str = "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
    const NUM_BITS: u32 = 255;
    const CAPACITY: u32 = Self::NUM_BITS - 1;
    const TWO_INV: Self = Scalar([0x7fffffff80000001, 0xa9ded2017fff2dff, 0x199cec0404d0ec02, 0x39f6d3a994cebea4]);
    const MULTIPLICATIVE_GENERATOR: Self = Scalar([7, 0, 0, 0]);
    const S: u32 = 32;
    const ROOT_OF_UNITY: Self =
        Scalar([0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4, 0x16a2a19edfe81f20]);
    const ROOT_OF_UNITY_INV: Self =
        Scalar([0x0fb4d6e13cf19a78, 0x6f67d4a2b566f833, 0xed4f2f74a35d0168, 0x0538a6f66e19c653]);
    const DELTA: Self = Scalar([0x6c083479590189d7, 0xf6502437c6a09c00, 0x43cab354fabb0062, 0x08634d0aa021aaf8]);

    fn from_repr(bytes: Self::Repr) -> CtOption<Self> {
        Self::from_bytes(&bytes)
    }

    fn to_repr(&self) -> Self::Repr {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Choice::from(self.0[0] as u8 & 1)
    }
}

#[cfg(feature = "bits")]
impl ff::PrimeFieldBits for Scalar {
    type ReprBits = [u64; 4];

    fn to_le_bits(&self) -> ff::FieldBits<Self::ReprBits> {
        ff::FieldBits::new(self.0)
    }

    fn char_le_bits() -> ff::FieldBits<Self::ReprBits> {
        ff::FieldBits::new(crate::scalar::MODULUS)
    }
}
