//! Sums of points, inverses and roots by accelerators.
use crate::arithmetic::{affine::AffinePoint, projective::ProjectivePoint, scalar::Scalar, FieldElement};
use crate::calls::{call, linear, multiply, operate, Operation, Others};
use crate::points::{self, multiples, Point, Sums};
use core::array::from_fn;
use core::ptr::null;
use elliptic_curve::bigint::U256;
use elliptic_curve::group::prime::PrimeCurveAffine;

type Words = [u64; 4];

/// The field's prime and the order of the group.
const P: Words = [0xfffffffefffffc2f, !0, !0, !0];
const N: Words = [0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, !0];

static MULTIPLY: Operation<4> = Operation::multiply(P);
static INVERT: Operation<4> = Operation::invert(P);
static ROOT: Operation<4> = Operation::root(P);
static MULTIPLY_SCALARS: Operation<4> = Operation::multiply(N);
static INVERT_SCALAR: Operation<4> = Operation::invert(N);

/// secp256k1, curve 0.
struct Curve;

impl Sums for Curve {
    type Coordinate = Words;

    #[inline(always)]
    fn add(p: &mut [Words; 2], q: &[Words; 2]) {
        unsafe { call(0x120, p, q, null::<()>()) }
    }

    #[inline(always)]
    fn double(p: &mut [Words; 2]) {
        unsafe { call(0x121, p, null::<()>(), null::<()>()) }
    }
}

fn words(x: &FieldElement) -> Words {
    let bytes = x.to_bytes();
    from_fn(|i| u64::from_be_bytes(bytes[24 - 8 * i..32 - 8 * i].try_into().unwrap()))
}

fn element(x: Words) -> FieldElement {
    let mut bytes = [0; 32];
    for (i, word) in x.iter().enumerate() {
        bytes[24 - 8 * i..32 - 8 * i].copy_from_slice(&word.to_be_bytes());
    }
    FieldElement::from_bytes_unchecked(&bytes)
}

fn point(p: &ProjectivePoint) -> Point<Curve> {
    let p = p.to_affine();
    (!bool::from(p.is_identity())).then(|| [words(&p.x), words(&p.y)])
}

/// The sum of points times scalars.
pub(crate) fn sum<const T: usize>(points_and_scalars: &[(ProjectivePoint, Scalar); T]) -> ProjectivePoint {
    let scalars: [Words; T] = from_fn(|i| points_and_scalars[i].1 .0.to_words());
    let mut terms = [([None; 15], &[][..]); T]; // filled in place: from_fn would copy the multiples several times
    for (i, (p, _)) in points_and_scalars.iter().enumerate() {
        terms[i].0 = multiples::<Curve>(&point(p));
        terms[i].1 = &scalars[i];
    }
    match points::sum::<Curve>(&terms) {
        None => ProjectivePoint::IDENTITY,
        Some([x, y]) => AffinePoint::new(element(x), element(y)).into(),
    }
}

/// 1/x, or 0 if x is 0.
pub(crate) fn inverse(x: &FieldElement) -> FieldElement {
    element(inverse_of(words(x), &INVERT))
}

fn inverse_of(mut x: Words, by: &'static Operation<4>) -> Words {
    if x != [0; 4] {
        operate(&mut x, by);
    }
    x
}

/// The square root of x that is a square itself, or another number if x has no root.
pub(crate) fn root(x: &FieldElement) -> FieldElement {
    static MINUS: Others<4> = Others { y: [P[0] - 1, P[1], P[2], P[3]], z: [0; 4] };
    let mut root = words(x);
    operate(&mut root, &ROOT);
    let mut square = root;
    operate(&mut square, &ROOT); // of root or of -root, whichever is a square
    let both: *mut Words = &mut square;
    unsafe { multiply(both, both, &MULTIPLY) }
    if square != root {
        linear(&mut root, &MINUS, &MULTIPLY);
    }
    element(root)
}

pub(crate) fn product(x: &Scalar, y: &Scalar) -> Scalar {
    let (mut x, y) = (x.0.to_words(), y.0.to_words());
    unsafe { multiply(&mut x, &y, &MULTIPLY_SCALARS) }
    Scalar(U256::from_words(x))
}

/// 1/x, or 0 if x is 0.
pub(crate) fn inverse_scalar(x: &Scalar) -> Scalar {
    Scalar(U256::from_words(inverse_of(x.0.to_words(), &INVERT_SCALAR)))
}
