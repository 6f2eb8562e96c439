//! Signatures, inverses and roots by accelerators.
use crate::arithmetic::{field::FieldElement, scalar::Scalar};
use crate::calls::{call, linear, multiply, operate, Operation, Others};
use crate::points::{self, multiples, Sums};
use crate::{AffinePoint, FieldBytes};
use core::ptr::null;
use elliptic_curve::bigint::U256;
use elliptic_curve::sec1::ToEncodedPoint;

type Words = [u64; 4];

/// The field's prime and the order of the group.
const P: Words = [!0, 0xffffffff, 0, 0xffffffff00000001];
const N: Words = [0xf3b9cac2fc632551, 0xbce6faada7179e84, !0, 0xffffffff00000000];

static MULTIPLY: Operation<4> = Operation::multiply(P);
static INVERT: Operation<4> = Operation::invert(P);
static ROOT: Operation<4> = Operation::root(P);
static MULTIPLY_SCALARS: Operation<4> = Operation::multiply(N);
static INVERT_SCALAR: Operation<4> = Operation::invert(N);

/// The generator's coordinates.
const GENERATOR: [Words; 2] = [
    [0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247],
    [0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b],
];

/// P-256, by its number in the accelerators.
struct Curve;

const CURVE: *const () = 1 as *const ();

impl Sums for Curve {
    type Coordinate = Words;

    #[inline(always)]
    fn add(p: &mut [Words; 2], q: &[Words; 2]) {
        unsafe { call(0x120, p, q, CURVE) }
    }

    #[inline(always)]
    fn double(p: &mut [Words; 2]) {
        unsafe { call(0x121, p, CURVE, null::<()>()) }
    }
}

fn words(bytes: &[u8]) -> Words {
    core::array::from_fn(|i| u64::from_be_bytes(bytes[24 - 8 * i..32 - 8 * i].try_into().unwrap()))
}

/// Whether r and s, which are not 0, are a signature of a hash.
pub(crate) fn verify(key: &AffinePoint, hash: &FieldBytes, r: &FieldBytes, s: &FieldBytes) -> bool {
    let encoded = key.to_encoded_point(false);
    let key = encoded.x().zip(encoded.y()).map(|(x, y)| [words(x), words(y)]);
    let (mut of_generator, mut of_key, r) = (words(hash), words(r), words(r));
    let inverse = inverse_of(words(s), &INVERT_SCALAR);
    unsafe {
        multiply(&mut of_generator, &inverse, &MULTIPLY_SCALARS);
        multiply(&mut of_key, &inverse, &MULTIPLY_SCALARS);
    }
    let terms = [
        (multiples::<Curve>(&Some(GENERATOR)), &of_generator[..]),
        (multiples::<Curve>(&key), &of_key[..]),
    ];
    points::sum::<Curve>(&terms).is_some_and(|[mut x, _]| {
        unsafe { multiply(&mut x, &[1, 0, 0, 0], &MULTIPLY_SCALARS) }
        x == r
    })
}

fn inverse_of(mut x: Words, by: &'static Operation<4>) -> Words {
    if x != [0; 4] {
        operate(&mut x, by);
    }
    x
}

/// 1/x, or 0 if x is 0.
pub(crate) fn inverse(x: &FieldElement) -> FieldElement {
    FieldElement::from_uint_unchecked(U256::from_words(inverse_of(x.to_canonical().to_words(), &INVERT)))
}

/// The square root of x that is a square itself, or another number if x has no root.
pub(crate) fn root(x: &FieldElement) -> FieldElement {
    static MINUS: Others<4> = Others { y: [P[0] - 1, P[1], P[2], P[3]], z: [0; 4] };
    let mut root = x.to_canonical().to_words();
    operate(&mut root, &ROOT);
    let mut square = root;
    operate(&mut square, &ROOT); // of root or of -root, whichever is a square
    let both: *mut Words = &mut square;
    unsafe { multiply(both, both, &MULTIPLY) }
    if square != root {
        linear(&mut root, &MINUS, &MULTIPLY);
    }
    FieldElement::from_uint_unchecked(U256::from_words(root))
}

/// 1/x, or 0 if x is 0.
pub(crate) fn inverse_scalar(x: &Scalar) -> Scalar {
    Scalar(U256::from_words(inverse_of(x.0.to_words(), &INVERT_SCALAR)))
}
