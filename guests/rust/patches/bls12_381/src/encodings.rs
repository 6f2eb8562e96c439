//! Encodings of coordinates and of points.
use crate::fp::Fp;
use crate::fp2::Fp2;
use crate::models::{Affine, Array, Coordinate, Curve, Projective};
use crate::tower::Extension;
use core::fmt;
use group::{GroupEncoding, UncompressedEncoding};
use rand_core::RngCore;
use subtle::{Choice, ConstantTimeEq, CtOption};

impl Coordinate for Fp {
    const ZERO: Fp = Fp::ZERO;
    const ONE: Fp = Fp::ONE;
    const BYTES: usize = 48;

    fn read(bytes: &[u8]) -> Option<Fp> {
        Fp::read(bytes)
    }

    fn write(&self, bytes: &mut [u8]) {
        Fp::write(self, bytes)
    }

    fn random(rng: &mut impl RngCore) -> Fp {
        Fp::random(rng)
    }

    fn root(&self) -> Option<Fp> {
        let (root, of_it) = Fp::root(self);
        of_it.then(|| if root.root().1 { root } else { -root })
    }

    fn is_largest(&self) -> bool {
        Fp::is_largest(self)
    }
}

/// The coefficient of u comes before the real part.
impl Coordinate for Fp2 {
    const ZERO: Fp2 = <Fp2 as Extension>::ZERO;
    const ONE: Fp2 = Fp2::ONE;
    const BYTES: usize = 96;

    fn read(bytes: &[u8]) -> Option<Fp2> {
        let (c1, c0) = bytes.split_at(48);
        Some(Fp2 { c0: Fp::read(c0)?, c1: Fp::read(c1)? })
    }

    fn write(&self, bytes: &mut [u8]) {
        let (c1, c0) = bytes.split_at_mut(48);
        self.c0.write(c0);
        self.c1.write(c1);
    }

    fn random(rng: &mut impl RngCore) -> Fp2 {
        Fp2::random(rng)
    }

    /// The root whose real part is not a square, or whose other part is not a square if the real part is 0. For any
    /// root s, algorithm 9 of Adj and Rodriguez-Henriquez (2012) computes s times the Legendre symbol of s^p + s. That
    /// is twice the real part, and 2 is not a square.
    fn root(&self) -> Option<Fp2> {
        let root = Fp2::root(self)?;
        let deciding = if root.c0 == Fp::ZERO { root.c1 } else { root.c0 };
        Some(if deciding.root().1 { -root } else { root })
    }

    fn is_largest(&self) -> bool {
        if self.c1 == Fp::ZERO { self.c0.is_largest() } else { self.c1.is_largest() }
    }
}

/// A point's encoding.
#[derive(Clone, Copy)]
pub struct Bytes<A>(A);

impl<A: Array> fmt::Debug for Bytes<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl<A: Array> Default for Bytes<A> {
    fn default() -> Self {
        Bytes(A::ZERO)
    }
}

#[cfg(feature = "zeroize")]
impl<A: Array> zeroize::DefaultIsZeroes for Bytes<A> {}

impl<A: Array> AsRef<[u8]> for Bytes<A> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl<A: Array> AsMut<[u8]> for Bytes<A> {
    fn as_mut(&mut self) -> &mut [u8] {
        self.0.as_mut()
    }
}

impl<A: Array> PartialEq for Bytes<A> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl<A: Array> Eq for Bytes<A> {}

impl<A: Array> ConstantTimeEq for Bytes<A> {
    fn ct_eq(&self, other: &Self) -> Choice {
        Choice::from((self == other) as u8)
    }
}

impl<C: Curve> GroupEncoding for Affine<C> {
    type Repr = Bytes<C::Compressed>;

    fn from_bytes(bytes: &Self::Repr) -> CtOption<Self> {
        Self::from_compressed(&bytes.0)
    }

    fn from_bytes_unchecked(bytes: &Self::Repr) -> CtOption<Self> {
        Self::from_compressed_unchecked(&bytes.0)
    }

    fn to_bytes(&self) -> Self::Repr {
        Bytes(self.to_compressed())
    }
}

impl<C: Curve> GroupEncoding for Projective<C> {
    type Repr = Bytes<C::Compressed>;

    fn from_bytes(bytes: &Self::Repr) -> CtOption<Self> {
        Affine::from_bytes(bytes).map(Self::from)
    }

    fn from_bytes_unchecked(bytes: &Self::Repr) -> CtOption<Self> {
        Affine::from_bytes_unchecked(bytes).map(Self::from)
    }

    fn to_bytes(&self) -> Self::Repr {
        Affine::<C>(self.0).to_bytes()
    }
}

impl<C: Curve> UncompressedEncoding for Affine<C> {
    type Uncompressed = Bytes<C::Uncompressed>;

    fn from_uncompressed(bytes: &Self::Uncompressed) -> CtOption<Self> {
        Self::from_uncompressed(&bytes.0)
    }

    fn from_uncompressed_unchecked(bytes: &Self::Uncompressed) -> CtOption<Self> {
        Self::from_uncompressed_unchecked(&bytes.0)
    }

    fn to_uncompressed(&self) -> Self::Uncompressed {
        Bytes(self.to_uncompressed())
    }
}
