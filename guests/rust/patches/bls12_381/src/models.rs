//! Points of G1 and G2, which differ in the field of their coordinates.
use crate::Scalar;
use crate::curves::U;
use crate::points::{self, Point, Sums, multiples};
use core::fmt::Debug;
use core::ops::{Add, Mul, Neg};
use rand_core::RngCore;
use subtle::{Choice, CtOption};

/// The field of a curve.
pub trait Coordinate:
    Copy + Debug + Eq + Send + Sync + 'static + Add<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    /// The length of an encoding.
    const BYTES: usize;

    /// Decodes bytes. Returns None for a number that is not below the prime.
    fn read(bytes: &[u8]) -> Option<Self>;
    fn write(&self, bytes: &mut [u8]);
    fn random(rng: &mut impl RngCore) -> Self;

    /// A root, of two the same as in the original crate: random points depend on it.
    fn root(&self) -> Option<Self>;

    /// Whether the element's encoding is above that of its opposite.
    fn is_largest(&self) -> bool;
}

/// A curve. Its functions are for points on it.
pub trait Curve: Sums<Coordinate: Coordinate> + Copy + Debug + Send + Sync + 'static {
    type Compressed: Array;
    type Uncompressed: Array;
    /// The names of the types of its points.
    const NAMES: [&'static str; 2];
    const B: Self::Coordinate;
    const GENERATOR: [Self::Coordinate; 2];

    fn is_torsion_free(p: &Projective<Self>) -> bool;
    fn clear_cofactor(p: &Projective<Self>) -> Projective<Self>;
}

/// An array of bytes.
pub trait Array: Copy + Send + Sync + 'static + AsRef<[u8]> + AsMut<[u8]> {
    const ZERO: Self;
}

impl<const N: usize> Array for [u8; N] {
    const ZERO: Self = [0; N];
}

/// A point of a group in the affine model.
#[derive(Clone, Copy)]
pub struct Affine<C: Curve>(pub(crate) Point<C>);

/// A point of a group.
#[derive(Clone, Copy)]
pub struct Projective<C: Curve>(pub(crate) Point<C>);

fn choice(is: bool) -> Choice {
    Choice::from(is as u8)
}

pub(crate) fn is_on_curve<C: Curve>(p: &Point<C>) -> bool {
    p.is_none_or(|[x, y]| y * y == x * x * x + C::B)
}

impl<C: Curve> Affine<C> {
    /// The point at infinity.
    pub fn identity() -> Self {
        Affine(None)
    }

    /// The fixed generator of the group.
    pub fn generator() -> Self {
        Affine(Some(C::GENERATOR))
    }

    /// Whether the point is at infinity.
    #[inline]
    pub fn is_identity(&self) -> Choice {
        choice(self.0.is_none())
    }

    /// Whether the point has the group's order.
    pub fn is_torsion_free(&self) -> Choice {
        choice(C::is_torsion_free(&Projective(self.0)))
    }

    /// Whether the point is on the curve.
    pub fn is_on_curve(&self) -> Choice {
        choice(is_on_curve::<C>(&self.0))
    }

    /// The point with an x and the larger or smaller y.
    fn with_x(x: C::Coordinate, largest: bool) -> Option<Self> {
        let y = (x * x * x + C::B).root()?;
        Some(Affine(Some([x, if y.is_largest() == largest { y } else { -y }])))
    }

    /// The encoding of x, with flags in the first byte.
    pub fn to_compressed(&self) -> C::Compressed {
        let mut bytes = C::Compressed::ZERO;
        let flags = match &self.0 {
            Some([x, y]) => {
                x.write(bytes.as_mut());
                if y.is_largest() { COMPRESSED | LARGEST } else { COMPRESSED }
            }
            None => COMPRESSED | INFINITE,
        };
        bytes.as_mut()[0] |= flags;
        bytes
    }

    /// The encodings of x and y, with flags in the first byte.
    pub fn to_uncompressed(&self) -> C::Uncompressed {
        let mut bytes = C::Uncompressed::ZERO;
        match &self.0 {
            Some([x, y]) => {
                let (first, second) = bytes.as_mut().split_at_mut(C::Coordinate::BYTES);
                x.write(first);
                y.write(second);
            }
            None => bytes.as_mut()[0] |= INFINITE,
        }
        bytes
    }

    /// Decodes a point of the group.
    pub fn from_uncompressed(bytes: &C::Uncompressed) -> CtOption<Self> {
        let p = Self::from_both(bytes).filter(|p| is_on_curve::<C>(&p.0) && p.is_torsion_free().into());
        option(p)
    }

    /// Decodes a point that may be outside the group and even the curve.
    pub fn from_uncompressed_unchecked(bytes: &C::Uncompressed) -> CtOption<Self> {
        option(Self::from_both(bytes))
    }

    /// Decodes a point of the group.
    pub fn from_compressed(bytes: &C::Compressed) -> CtOption<Self> {
        option(Self::from_one(bytes).filter(|p| p.is_torsion_free().into()))
    }

    /// Decodes a point of the curve that may be outside the group.
    pub fn from_compressed_unchecked(bytes: &C::Compressed) -> CtOption<Self> {
        option(Self::from_one(bytes))
    }

    fn from_both(bytes: &C::Uncompressed) -> Option<Self> {
        let (mut bytes, size) = (*bytes, C::Coordinate::BYTES);
        let flags = take_flags(bytes.as_mut());
        let x = C::Coordinate::read(&bytes.as_ref()[..size])?;
        let y = C::Coordinate::read(&bytes.as_ref()[size..])?;
        match flags {
            0 => Some(Affine(Some([x, y]))),
            INFINITE if x == C::Coordinate::ZERO && y == C::Coordinate::ZERO => Some(Affine(None)),
            _ => None,
        }
    }

    fn from_one(bytes: &C::Compressed) -> Option<Self> {
        const INFINITY: u8 = COMPRESSED | INFINITE;
        const LARGER: u8 = COMPRESSED | LARGEST;
        let mut bytes = *bytes;
        let flags = take_flags(bytes.as_mut());
        let x = C::Coordinate::read(bytes.as_ref())?;
        match flags {
            COMPRESSED => Self::with_x(x, false),
            LARGER => Self::with_x(x, true),
            INFINITY if x == C::Coordinate::ZERO => Some(Affine(None)),
            _ => None,
        }
    }
}

// Flags in the first byte of an encoding.
const COMPRESSED: u8 = 1 << 7;
const INFINITE: u8 = 1 << 6;
const LARGEST: u8 = 1 << 5;

fn take_flags(bytes: &mut [u8]) -> u8 {
    let flags = bytes[0] & (COMPRESSED | INFINITE | LARGEST);
    bytes[0] ^= flags;
    flags
}

fn option<C: Curve>(p: Option<Affine<C>>) -> CtOption<Affine<C>> {
    CtOption::new(p.unwrap_or(Affine::identity()), choice(p.is_some()))
}

impl<C: Curve> Projective<C> {
    /// The point at infinity.
    pub fn identity() -> Self {
        Projective(None)
    }

    /// The fixed generator of the group.
    pub fn generator() -> Self {
        Projective(Some(C::GENERATOR))
    }

    /// Twice the point.
    pub fn double(&self) -> Self {
        let mut double = *self;
        double.double_in_place();
        double
    }

    fn double_in_place(&mut self) {
        if let Some(p) = &mut self.0 {
            C::double(p);
        }
    }

    /// The sum of two points.
    pub fn add(&self, rhs: &Self) -> Self {
        let mut sum = *self;
        points::add::<C>(&mut sum.0, &rhs.0);
        sum
    }

    /// The sum of two points, one of them in the affine model.
    pub fn add_mixed(&self, rhs: &Affine<C>) -> Self {
        Self::add(self, &Projective(rhs.0))
    }

    /// Maps a point of the curve to the group.
    pub fn clear_cofactor(&self) -> Self {
        C::clear_cofactor(self)
    }

    /// Writes points in the affine model to a list of the same length.
    pub fn batch_normalize(p: &[Self], q: &mut [Affine<C>]) {
        assert_eq!(p.len(), q.len());
        for (p, q) in p.iter().zip(q) {
            *q = Affine(p.0);
        }
    }

    /// Whether the point is at infinity.
    #[inline]
    pub fn is_identity(&self) -> Choice {
        choice(self.0.is_none())
    }

    /// Whether the point is on the curve.
    pub fn is_on_curve(&self) -> Choice {
        choice(is_on_curve::<C>(&self.0))
    }

    pub(crate) fn times(&self, scalar: &Scalar) -> Self {
        Projective(points::sum::<C>(&[(multiples::<C>(&self.0), &scalar.0)]))
    }

    pub(crate) fn times_u(&self) -> Self {
        let mut product = *self;
        for i in (0..U.ilog2()).rev() {
            product.double_in_place();
            if U >> i & 1 != 0 {
                points::add::<C>(&mut product.0, &self.0);
            }
        }
        product
    }
}
