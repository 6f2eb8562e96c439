//! The group of pairings' values.
use crate::Scalar;
use crate::fp2::Fp2;
use crate::fp12::Fp12;
use crate::operators::{assign, by_value, negate, subtract};
use crate::pairings::MillerLoopResult;
use core::borrow::Borrow;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, Mul, Neg};
use group::Group;
use rand_core::RngCore;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// A pairing's value. The group is written additively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gt(pub(crate) Fp12);

/// The pairing of the generators.
const GENERATOR: Fp12 = Fp12::of_tower([
    Fp2::new(
        [
            0xa84305aaca1789b6, 0xb6d194f60839c508, 0x3dd8e90ce98db3e7, 0x272d441befa15c50, 0xa7b2d83168d0d727,
            0x1250ebd871fc0a92,
        ],
        [
            0x59882a98eaa0170f, 0xf1a8943e50439f1d, 0xaf5af689452eafab, 0x68a84045483c92b7, 0x86750ec6a5323488,
            0x089a1c5b46e5110b,
        ],
    ),
    Fp2::new(
        [
            0x881c4c849ec23e87, 0xddff57309396b38c, 0x16da0e22a5031b54, 0x0378a68e72a6b3b2, 0x9703f239689ce34c,
            0x1368bb445c7c2d20,
        ],
        [
            0x315021ec3c19934f, 0xffe51d7a579973b1, 0x7c90d8bd66065b1f, 0x37e0794e1e65a761, 0xc273fa075a505129,
            0x193502b86edb8857,
        ],
    ),
    Fp2::new(
        [
            0x1dad1c1fb597aaa5, 0x19c34dffbbaad843, 0x185203fcca589ac7, 0xfbf2f8da752f7c74, 0x91125ba84dc4007c,
            0x01b2f522473d1713,
        ],
        [
            0x8beae9624045b4b6, 0x23f7dacaa35c8ca7, 0x8061e55cceba478b, 0x46da634b8f6be14a, 0xbd3c79937a45b845,
            0x018107154f25a764,
        ],
    ),
    Fp2::new(
        [
            0x0f948226e47ee89d, 0xbb12d58386a8703e, 0xdea54d43b2b73f2c, 0xc88784fbb3d0b2db, 0x9cd6bd15c3d5a04d,
            0x19f26337d205fb46,
        ],
        [
            0x102ae1c2d5d5ab1a, 0x1bfd1b68ff02f0b8, 0xa7d2809d61bfe02e, 0xd5857baaf222eb95, 0x9f80940ca771b6ff,
            0x06fba23eb7c5af0d,
        ],
    ),
    Fp2::new(
        [
            0x1b93b47333e2ba57, 0x78ef48881e32fac9, 0x7d0d15ff7b984e89, 0xc81a93b330ee1a67, 0xfcef68083b0b0ec5,
            0x11b8b424cd48bf38,
        ],
        [
            0xbe2291a0c25a99a2, 0x7ba810c5a09ffdd9, 0x20c806ad36082910, 0xc6a0e9786ab59733, 0xc31b4fcb6ce5771c,
            0x03350f55a7aefcd3,
        ],
    ),
    Fp2::new(
        [
            0x9108f0242d0fe3ef, 0xa4fafc05066245cb, 0x1c7cdba7b3872629, 0xa189e87935a95405, 0x02249b64728ffd21,
            0x04c581234d086a99,
        ],
        [
            0xfde449383b676631, 0xd48eaa24afe47e1e, 0xdeff686bfd6df543, 0x3baca4d72ca93544, 0x068672cbd01a7ec7,
            0x0f41e58663bf08cf,
        ],
    ),
]);

impl Gt {
    /// The neutral element.
    pub fn identity() -> Gt {
        Gt(Fp12::ONE)
    }

    /// Twice the element.
    pub fn double(&self) -> Gt {
        Gt(self.0.square_cyclotomic())
    }
}

impl Default for Gt {
    fn default() -> Self {
        Self::identity()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::DefaultIsZeroes for Gt {}

impl fmt::Display for Gt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl ConstantTimeEq for Gt {
    fn ct_eq(&self, other: &Self) -> Choice {
        Choice::from((self == other) as u8)
    }
}

impl ConditionallySelectable for Gt {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        if choice.into() { *b } else { *a }
    }
}

impl Neg for &Gt {
    type Output = Gt;

    #[inline]
    fn neg(self) -> Gt {
        Gt(self.0.conjugate())
    }
}

impl Add<&Gt> for &Gt {
    type Output = Gt;

    #[inline]
    fn add(self, other: &Gt) -> Gt {
        Gt(self.0.mul(&other.0))
    }
}

impl Mul<&Scalar> for &Gt {
    type Output = Gt;

    /// Four bits of the scalar at a time.
    fn mul(self, scalar: &Scalar) -> Gt {
        let mut multiples = [*self; 15];
        for i in 1..multiples.len() {
            multiples[i] = multiples[i - 1] + self;
        }
        let mut product = Gt::identity();
        for window in (0..64).rev() {
            if product != Gt::identity() {
                (0..4).for_each(|_| product = product.double());
            }
            let digit = scalar.0[window / 16] >> (window % 16 * 4) & 15;
            if digit != 0 {
                product += multiples[digit as usize - 1];
            }
        }
        product
    }
}

negate!([] Gt);
subtract!([] Gt, Gt => Gt);
by_value!([] Add::add, Gt, Gt => Gt);
by_value!([] Sub::sub, Gt, Gt => Gt);
by_value!([] Mul::mul, Gt, Scalar => Gt);
assign!([] AddAssign::add_assign by Add::add, Gt, Gt);
assign!([] SubAssign::sub_assign by Sub::sub, Gt, Gt);
assign!([] MulAssign::mul_assign by Mul::mul, Gt, Scalar);

impl<T: Borrow<Gt>> Sum<T> for Gt {
    fn sum<I: Iterator<Item = T>>(elements: I) -> Self {
        elements.fold(Self::identity(), |sum, element| sum + element.borrow())
    }
}

impl Group for Gt {
    type Scalar = Scalar;

    fn random(mut rng: impl RngCore) -> Self {
        loop {
            let element = Fp12::random(&mut rng);
            if element != Fp12::ZERO {
                return MillerLoopResult(element).final_exponentiation();
            }
        }
    }

    fn identity() -> Self {
        Self::identity()
    }

    fn generator() -> Self {
        Gt(GENERATOR)
    }

    fn is_identity(&self) -> Choice {
        Choice::from((*self == Self::identity()) as u8)
    }

    fn double(&self) -> Self {
        self.double()
    }
}
