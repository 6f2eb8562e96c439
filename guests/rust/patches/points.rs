//! Points of short Weierstrass curves with affine coordinates. Their order is odd, so no point has y = 0.
use alloc::vec::Vec;
use ark_ec::short_weierstrass::{Affine, Projective, SWCurveConfig};
use ark_ff::{PrimeField, Zero};

/// A curve with an accelerator, or over a field with accelerators.
pub trait Sums: SWCurveConfig {
    /// p = p + q, which have different x.
    fn add(p: &mut [Self::BaseField; 2], q: &[Self::BaseField; 2]);

    /// p = 2p
    fn double(p: &mut [Self::BaseField; 2]);
}

/// A point, or infinity.
type Point<C> = Option<[<C as ark_ec::CurveConfig>::BaseField; 2]>;

fn add<C: Sums>(p: &mut Point<C>, q: &Point<C>) {
    match (p.as_mut(), q) {
        (_, None) => {}
        (None, _) => *p = *q,
        (Some(a), Some(b)) if a[0] != b[0] => C::add(a, b),
        (Some(a), Some(b)) if a[1] == b[1] => C::double(a),
        _ => *p = None,
    }
}

fn of<C: Sums>(p: &Affine<C>) -> Point<C> {
    (!p.infinity).then_some([p.x, p.y])
}

fn projective<C: Sums>(p: Point<C>) -> Projective<C> {
    p.map_or(Projective::zero(), |[x, y]| Affine::<C>::new_unchecked(x, y).into())
}

/// The multiples of a point by 1 to 15.
fn multiples<C: Sums>(p: &Affine<C>) -> [Point<C>; 15] {
    let mut all = [of(p); 15];
    for i in 1..all.len() {
        let mut next = all[i - 1];
        add::<C>(&mut next, &all[0]);
        all[i] = next;
    }
    all
}

/// The sum of points times scalars, four bits of all scalars at a time.
fn sum<'a, C: Sums>(terms: &[([Point<C>; 15], &'a [u64])]) -> Projective<C> {
    let words = terms.iter().map(|(_, scalar)| scalar.len()).max().unwrap_or(0);
    let mut sum: Point<C> = None;
    for window in (0..16 * words).rev() {
        if let Some(p) = &mut sum {
            (0..4).for_each(|_| C::double(p));
        }
        for (multiples, scalar) in terms {
            let digit = scalar.get(window / 16).map_or(0, |word| word >> (window % 16 * 4) & 15);
            if digit != 0 {
                add::<C>(&mut sum, &multiples[digit as usize - 1]);
            }
        }
    }
    projective(sum)
}

/// A point times a scalar.
pub fn multiply<C: Sums>(p: &Affine<C>, scalar: &[u64]) -> Projective<C> {
    sum(&[(multiples(p), scalar)])
}

/// The sum of points times scalars, or the smaller of their numbers if these differ.
pub fn multiply_all<C: Sums>(bases: &[Affine<C>], scalars: &[C::ScalarField]) -> Result<Projective<C>, usize> {
    if bases.len() != scalars.len() {
        return Err(bases.len().min(scalars.len()));
    }
    let scalars: Vec<_> = scalars.iter().map(|k| k.into_bigint()).collect();
    let terms: Vec<_> = bases.iter().zip(&scalars).map(|(p, k)| (multiples(p), k.as_ref())).collect();
    Ok(sum(&terms))
}

/// The functions that a curve's configuration overrides.
macro_rules! sums {
    () => {
        fn mul_projective(base: &Projective<Self>, scalar: &[u64]) -> Projective<Self> {
            $crate::points::multiply(&(*base).into(), scalar)
        }

        fn mul_affine(base: &Affine<Self>, scalar: &[u64]) -> Projective<Self> {
            $crate::points::multiply(base, scalar)
        }

        fn msm(bases: &[Affine<Self>], scalars: &[Self::ScalarField]) -> Result<Projective<Self>, usize> {
            $crate::points::multiply_all(bases, scalars)
        }
    };
}
pub(crate) use sums;
