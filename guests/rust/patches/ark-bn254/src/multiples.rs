//! Products of points and scalars, for arkworks' curve configurations.
use crate::points::{self, Point, Sums, multiples};
use alloc::vec::Vec;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{PrimeField, Zero};

/// A configuration of arkworks whose points are summed by accelerators.
pub trait Curve: SWCurveConfig + Sums<Coordinate = <Self as ark_ec::CurveConfig>::BaseField> {}

fn of<C: Curve>(p: &Affine<C>) -> Point<C> {
    (!p.infinity).then_some([p.x, p.y])
}

fn projective<C: Curve>(p: Point<C>) -> Projective<C> {
    p.map_or(Projective::zero(), |[x, y]| Affine::<C>::new_unchecked(x, y).into())
}

/// A point times a scalar.
pub fn multiply<C: Curve>(p: &Affine<C>, scalar: &[u64]) -> Projective<C> {
    projective(points::sum::<C>(&[(multiples::<C>(&of(p)), scalar)]))
}

/// The sum of points times scalars, or the smaller of their numbers if these differ.
pub fn multiply_all<C: Curve>(bases: &[Affine<C>], scalars: &[C::ScalarField]) -> Result<Projective<C>, usize> {
    if bases.len() != scalars.len() {
        return Err(bases.len().min(scalars.len()));
    }
    let scalars: Vec<_> = scalars.iter().map(|k| k.into_bigint()).collect();
    let terms: Vec<_> = bases.iter().zip(&scalars).map(|(p, k)| (multiples::<C>(&of(p)), k.as_ref())).collect();
    Ok(projective(points::sum::<C>(&terms)))
}

/// The functions that a curve's configuration overrides.
macro_rules! sums {
    () => {
        fn mul_projective(base: &Projective<Self>, scalar: &[u64]) -> Projective<Self> {
            $crate::multiples::multiply(&(*base).into(), scalar)
        }

        fn mul_affine(base: &Affine<Self>, scalar: &[u64]) -> Projective<Self> {
            $crate::multiples::multiply(base, scalar)
        }

        fn msm(bases: &[Affine<Self>], scalars: &[Self::ScalarField]) -> Result<Projective<Self>, usize> {
            $crate::multiples::multiply_all(bases, scalars)
        }
    };
}
pub(crate) use sums;
