//! Operators and traits of points.
use crate::Scalar;
use crate::models::{Affine, Coordinate, Curve, Projective};
use crate::operators::{assign, by_value, negate, subtract};
use crate::points::Point;
use core::borrow::Borrow;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, Mul, Neg};
use group::prime::{PrimeCurve, PrimeCurveAffine, PrimeGroup};
use group::{Curve as GroupCurve, Group};
use rand_core::RngCore;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

/// Coordinates x, y with y = 1 at infinity, and z.
fn coordinates<C: Curve>(p: &Point<C>) -> [C::Coordinate; 3] {
    let (zero, one) = (C::Coordinate::ZERO, C::Coordinate::ONE);
    p.map_or([zero, one, zero], |[x, y]| [x, y, one])
}

impl<C: Curve> fmt::Debug for Affine<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, _] = coordinates::<C>(&self.0);
        f.debug_struct(C::NAMES[0]).field("x", &x).field("y", &y).field("infinity", &self.is_identity()).finish()
    }
}

impl<C: Curve> fmt::Debug for Projective<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = coordinates::<C>(&self.0);
        f.debug_struct(C::NAMES[1]).field("x", &x).field("y", &y).field("z", &z).finish()
    }
}

macro_rules! point {
    ($type:ident) => {
        impl<C: Curve> fmt::Display for $type<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self:?}")
            }
        }

        impl<C: Curve> Default for $type<C> {
            fn default() -> Self {
                Self::identity()
            }
        }

        #[cfg(feature = "zeroize")]
        impl<C: Curve> zeroize::DefaultIsZeroes for $type<C> {}

        impl<C: Curve> PartialEq for $type<C> {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<C: Curve> Eq for $type<C> {}

        impl<C: Curve> ConstantTimeEq for $type<C> {
            fn ct_eq(&self, other: &Self) -> Choice {
                Choice::from((self == other) as u8)
            }
        }

        impl<C: Curve> ConditionallySelectable for $type<C> {
            fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
                if choice.into() { *b } else { *a }
            }
        }

        impl<C: Curve> Neg for &$type<C> {
            type Output = $type<C>;

            #[inline]
            fn neg(self) -> $type<C> {
                $type(self.0.map(|[x, y]| [x, -y]))
            }
        }

        impl<C: Curve> Mul<&Scalar> for &$type<C> {
            type Output = Projective<C>;

            fn mul(self, scalar: &Scalar) -> Projective<C> {
                Projective(self.0).times(scalar)
            }
        }

        impl<C: Curve> Mul<&$type<C>> for &Scalar {
            type Output = Projective<C>;

            fn mul(self, p: &$type<C>) -> Projective<C> {
                p * self
            }
        }

        negate!([C: Curve] $type<C>);
        by_value!([C: Curve] Mul::mul, $type<C>, Scalar => Projective<C>);
        by_value!([C: Curve] Mul::mul, Scalar, $type<C> => Projective<C>);
    };
}

point!(Affine);
point!(Projective);
assign!([C: Curve] MulAssign::mul_assign by Mul::mul, Projective<C>, Scalar);

macro_rules! sum {
    ($left:ident, $right:ident) => {
        impl<C: Curve> Add<&$right<C>> for &$left<C> {
            type Output = Projective<C>;

            #[inline]
            fn add(self, other: &$right<C>) -> Projective<C> {
                Projective::add(&Projective(self.0), &Projective(other.0))
            }
        }

        subtract!([C: Curve] $left<C>, $right<C> => Projective<C>);
        by_value!([C: Curve] Add::add, $left<C>, $right<C> => Projective<C>);
        by_value!([C: Curve] Sub::sub, $left<C>, $right<C> => Projective<C>);
    };
}

sum!(Projective, Projective);
sum!(Projective, Affine);
sum!(Affine, Projective);
assign!([C: Curve] AddAssign::add_assign by Add::add, Projective<C>, Projective<C>);
assign!([C: Curve] AddAssign::add_assign by Add::add, Projective<C>, Affine<C>);
assign!([C: Curve] SubAssign::sub_assign by Sub::sub, Projective<C>, Projective<C>);
assign!([C: Curve] SubAssign::sub_assign by Sub::sub, Projective<C>, Affine<C>);

impl<C: Curve, T: Borrow<Projective<C>>> Sum<T> for Projective<C> {
    fn sum<I: Iterator<Item = T>>(points: I) -> Self {
        points.fold(Self::identity(), |sum, p| sum + p.borrow())
    }
}

macro_rules! from {
    ($from:ident, $to:ident) => {
        impl<C: Curve> From<$from<C>> for $to<C> {
            fn from(p: $from<C>) -> Self {
                $to(p.0)
            }
        }

        impl<C: Curve> From<&$from<C>> for $to<C> {
            fn from(p: &$from<C>) -> Self {
                $to(p.0)
            }
        }
    };
}

from!(Affine, Projective);
from!(Projective, Affine);

impl<C: Curve> Group for Projective<C> {
    type Scalar = Scalar;

    fn random(mut rng: impl RngCore) -> Self {
        loop {
            let x = C::Coordinate::random(&mut rng);
            let negative = rng.next_u32() % 2 != 0;
            let Some(y) = (x * x * x + C::B).root() else { continue };
            let p = C::clear_cofactor(&Projective(Some([x, if negative { -y } else { y }])));
            if p.0.is_some() {
                return p;
            }
        }
    }

    fn identity() -> Self {
        Self::identity()
    }

    fn generator() -> Self {
        Self::generator()
    }

    fn is_identity(&self) -> Choice {
        self.is_identity()
    }

    fn double(&self) -> Self {
        self.double()
    }
}

#[cfg(feature = "alloc")]
impl<C: Curve> group::WnafGroup for Projective<C> {
    /// The window has 4 bits, and one more from each of these numbers on.
    fn recommended_wnaf_for_num_scalars(scalars: usize) -> usize {
        4 + [1, 3, 7, 20, 43, 120, 273, 563, 1630, 3128, 7933, 62569].iter().take_while(|n| scalars > **n).count()
    }
}

impl<C: Curve> PrimeGroup for Projective<C> {}

impl<C: Curve> GroupCurve for Projective<C> {
    type AffineRepr = Affine<C>;

    fn batch_normalize(p: &[Self], q: &mut [Self::AffineRepr]) {
        Self::batch_normalize(p, q);
    }

    fn to_affine(&self) -> Self::AffineRepr {
        self.into()
    }
}

impl<C: Curve> PrimeCurve for Projective<C> {
    type Affine = Affine<C>;
}

impl<C: Curve> PrimeCurveAffine for Affine<C> {
    type Scalar = Scalar;
    type Curve = Projective<C>;

    fn identity() -> Self {
        Self::identity()
    }

    fn generator() -> Self {
        Self::generator()
    }

    fn is_identity(&self) -> Choice {
        self.is_identity()
    }

    fn to_curve(&self) -> Self::Curve {
        self.into()
    }
}
