//! The ate pairing. The Miller loop runs over U; the final exponentiation has 3 (p^4 - p^2 + 1)/r =
//! (x - 1)^2 (x + p) (x^2 + p^2 - 1) + 3 with x = -U (Hayashida, Hayasaka and Teruya, 2020), as in the original crate.
use crate::curves::U;
use crate::fp::Fp;
use crate::fp2::Fp2;
use crate::fp12::Fp12;
use crate::operators::{assign, by_value};
use crate::tower::{Extension, Room, Six, add_product, power_cyclotomic, product_in, set, set_product, square};
use crate::tower::{step, unroll};
use crate::{G1Affine, G1Projective, G2Affine, G2Projective, Gt, Scalar};
use core::ops::Add;
use pairing::{Engine, PairingCurveAffine};
use subtle::{Choice, ConditionallySelectable};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The product of lines' values that a final exponentiation makes a pairing's value.
#[derive(Clone, Copy, Debug)]
pub struct MillerLoopResult(pub(crate) Fp12);

impl Default for MillerLoopResult {
    fn default() -> Self {
        MillerLoopResult(Fp12::ONE)
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::DefaultIsZeroes for MillerLoopResult {}

impl ConditionallySelectable for MillerLoopResult {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        if choice.into() { *b } else { *a }
    }
}

impl Add<&MillerLoopResult> for &MillerLoopResult {
    type Output = MillerLoopResult;

    #[inline]
    fn add(self, other: &MillerLoopResult) -> MillerLoopResult {
        MillerLoopResult(self.0.mul(&other.0))
    }
}

by_value!([] Add::add, MillerLoopResult, MillerLoopResult => MillerLoopResult);
assign!([] AddAssign::add_assign by Add::add, MillerLoopResult, MillerLoopResult);

/// y^x for a cyclotomic y, whose inverse is its conjugate.
fn power_x(y: &Fp12) -> Fp12 {
    Fp12(power_cyclotomic(&y.0, U)).conjugate()
}

impl MillerLoopResult {
    /// The power that is a pairing's value.
    pub fn final_exponentiation(&self) -> Gt {
        assert!(self.0 != Fp12::ZERO, "a Miller loop's result is not 0");
        let mut r = self.0.conjugate().mul(&self.0.inverse()); // (p^6 - 1) (p^2 + 1)
        r = r.frobenius().frobenius().mul(&r);
        let mut s = r;
        for _ in 0..2 {
            s = power_x(&s).mul(&s.conjugate()); // x - 1
        }
        s = power_x(&s).mul(&s.frobenius()); // x + p
        let square = power_x(&power_x(&s));
        s = square.mul(&s.frobenius().frobenius()).mul(&s.conjugate()); // x^2 + p^2 - 1
        Gt(s.mul(&r.square_cyclotomic().mul(&r)))
    }
}

impl pairing::MillerLoopResult for MillerLoopResult {
    type Gt = Gt;

    fn final_exponentiation(&self) -> Self::Gt {
        self.final_exponentiation()
    }
}

/// A line through points of the twist: its slope s, and s x - y for its points.
type Line = [Fp2; 2];

/// A point of G1 at which lines are evaluated: -x/y and 1/y.
struct At {
    ratio: Fp2,
    inverse: Fp2,
}

impl At {
    fn new([x, y]: &[Fp; 2]) -> At {
        let mut inverse = *y;
        inverse.invert();
        At { ratio: Fp2::real(-*x * inverse), inverse: Fp2::real(inverse) }
    }

    /// r = f times the line's value, up to a factor that the final exponentiation removes: w^3 + a w^2 + b. r is not f.
    fn times(&self, r: &mut Six<Fp2>, f: &Six<Fp2>, [slope, constant]: &Line) {
        let (mut a, mut b, mut wrapped) = (Room::uninit(), Room::uninit(), Room::uninit());
        let (a, b) = (product_in(&mut a, slope, &self.ratio), product_in(&mut b, constant, &self.inverse));
        let wrapped = product_in(&mut wrapped, a, Fp2::XI);
        unroll!(K in 0 1 2 3 4 5 => {
            if K < 3 {
                set_product(&mut r[K], &f[K + 3], Fp2::XI);
            } else {
                set(&mut r[K], &f[K - 3]);
            }
            add_product(&mut r[K], &f[(K + 4) % 6], if K < 2 { wrapped } else { a });
            add_product(&mut r[K], &f[K], b);
        });
    }
}

/// The steps of a Miller loop: whether they add, for all that do not double.
fn steps() -> impl Iterator<Item = bool> {
    (0..U.ilog2()).rev().flat_map(|i| [Some(false), (U >> i & 1 != 0).then_some(true)].into_iter().flatten())
}

/// A number that is computed alternately in two places.
struct Places<'a> {
    now: &'a mut Six<Fp2>,
    next: &'a mut Six<Fp2>,
}

impl Places<'_> {
    fn replace(&mut self, by: impl FnOnce(&mut Six<Fp2>, &Six<Fp2>)) {
        by(self.next, self.now);
        core::mem::swap(&mut self.now, &mut self.next);
    }
}

/// The result of a loop that has a function for the lines of a step.
fn miller_loop(mut times_lines: impl FnMut(&mut Places, bool)) -> MillerLoopResult {
    let [mut one, mut other] = [Fp12::ONE.0; 2];
    let mut f = Places { now: &mut one, next: &mut other };
    for (i, adds) in steps().enumerate() {
        if i > 0 && !adds {
            f.replace(square);
        }
        times_lines(&mut f, adds);
    }
    MillerLoopResult(Fp12(*f.now).conjugate()) // the parameter is -U
}

/// A step of a point t. A point of the group's order never meets a vertical line.
fn next_line(t: &mut [Fp2; 2], q: &[Fp2; 2], adds: bool, line: &mut Line) {
    assert!(step(t, adds.then_some(q), line.each_mut()), "the point is in G2");
}

const NO_LINE: Line = [<Fp2 as Extension>::ZERO; 2];

/// The pairing of two points.
pub fn pairing(p: &G1Affine, q: &G2Affine) -> Gt {
    let (Some(p), Some(q)) = (&p.0, &q.0) else { return Gt::identity() };
    let (at, mut t, mut line) = (At::new(p), *q, NO_LINE);
    let result = miller_loop(|f, adds| {
        next_line(&mut t, q, adds, &mut line);
        f.replace(|r, f| at.times(r, f, &line));
    });
    result.final_exponentiation()
}

/// The lines of a point of G2, which are none for infinity.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct G2Prepared(Vec<Line>);

#[cfg(feature = "alloc")]
impl From<G2Affine> for G2Prepared {
    fn from(q: G2Affine) -> G2Prepared {
        let Some(q) = &q.0 else { return G2Prepared(Vec::new()) };
        let (mut t, mut lines) = (*q, alloc::vec![NO_LINE; steps().count()]);
        steps().zip(&mut lines).for_each(|(adds, line)| next_line(&mut t, q, adds, line));
        G2Prepared(lines)
    }
}

/// The product of several pairs' Miller loops.
#[cfg(feature = "alloc")]
pub fn multi_miller_loop(terms: &[(&G1Affine, &G2Prepared)]) -> MillerLoopResult {
    let finite = terms.iter().filter(|(_, q)| !q.0.is_empty());
    let mut pairs: Vec<_> = finite.filter_map(|(p, q)| Some((At::new(p.0.as_ref()?), q.0.iter()))).collect();
    if pairs.is_empty() {
        return MillerLoopResult::default();
    }
    miller_loop(|f, _| {
        for (at, lines) in &mut pairs {
            let line = lines.next().expect("there is a line for each step");
            f.replace(|r, f| at.times(r, f, line));
        }
    })
}

impl PairingCurveAffine for G1Affine {
    type Pair = G2Affine;
    type PairingResult = Gt;

    fn pairing_with(&self, other: &Self::Pair) -> Self::PairingResult {
        pairing(self, other)
    }
}

impl PairingCurveAffine for G2Affine {
    type Pair = G1Affine;
    type PairingResult = Gt;

    fn pairing_with(&self, other: &Self::Pair) -> Self::PairingResult {
        pairing(other, self)
    }
}

/// The curve, for code that is generic over such curves.
#[derive(Clone, Debug)]
pub struct Bls12;

impl Engine for Bls12 {
    type Fr = Scalar;
    type G1 = G1Projective;
    type G1Affine = G1Affine;
    type G2 = G2Projective;
    type G2Affine = G2Affine;
    type Gt = Gt;

    fn pairing(p: &Self::G1Affine, q: &Self::G2Affine) -> Self::Gt {
        pairing(p, q)
    }
}

#[cfg(feature = "alloc")]
impl pairing::MultiMillerLoop for Bls12 {
    type G2Prepared = G2Prepared;
    type Result = MillerLoopResult;

    fn multi_miller_loop(terms: &[(&Self::G1Affine, &Self::G2Prepared)]) -> Self::Result {
        multi_miller_loop(terms)
    }
}
