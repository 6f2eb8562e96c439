//! Scalars, groups and pairings by bls12_381: one line each, the same in a guest and on a host. In a guest, the two
//! bytes of a private input are the number of repetitions and of an operation, for measurements.
use std::fmt::{Result, Write};

use bls12_381::{Bls12, G1Affine, G1Projective, G2Affine, G2Prepared, G2Projective, Gt, MillerLoopResult, Scalar};
use bls12_381::{multi_miller_loop, pairing};
use ff::{Field, PrimeField, PrimeFieldBits};
use group::prime::{PrimeCurve, PrimeCurveAffine};
use group::{Curve, Group, GroupEncoding, UncompressedEncoding, Wnaf};
use pairing::{Engine, PairingCurveAffine};
use rand_core::{Error, RngCore};
use subtle::CtOption;

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl RngCore for Numbers {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        z ^ z >> 31
    }

    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes.chunks_mut(8).for_each(|b| b.copy_from_slice(&self.next_u64().to_le_bytes()[..b.len()]));
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> std::result::Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

/// The encoding of a point, if there is one.
fn found<P: GroupEncoding>(p: CtOption<P>) -> Option<String> {
    p.into_option().map(|p| hex(p.to_bytes()))
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|b| format!("{b:02x}")).collect()
}

fn scalars(text: &mut String, numbers: &mut Numbers) -> Result {
    const A: Scalar = Scalar::from_raw([1, 2, 3, u64::MAX]);
    const B: Scalar = A.mul(&A).square().add(&A).neg().double().sub(&Scalar::one());
    writeln!(text, "constants {A} {B:?} {} {}", Scalar::MULTIPLICATIVE_GENERATOR, Scalar::MODULUS)?;
    writeln!(text, "roots {} {} {}", Scalar::ROOT_OF_UNITY, Scalar::ROOT_OF_UNITY_INV, Scalar::DELTA)?;
    writeln!(text, "raw {} {}", Scalar::from_raw([u64::MAX; 4]), Scalar::from_bytes_wide(&[255; 64]))?;
    let edges = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, -Scalar::from(2), Scalar::TWO_INV];
    let random: Vec<Scalar> = (0..6).map(|_| Scalar::random(&mut *numbers)).collect();
    let all: Vec<Scalar> = edges.into_iter().chain(random.iter().copied()).collect();
    for (i, a) in all.iter().enumerate() {
        let b = all[(i + 1) % all.len()];
        writeln!(text, "{a} + {b}: {} {} {} {}", a + b, a - b, b - a, a * b)?;
        writeln!(text, "alone {} {} {} {:?}", -a, a.square(), a.double(), a.invert().into_option())?;
        let (is_square, root) = Scalar::sqrt_ratio(a, &b);
        writeln!(text, "root {:?} {is_square:?} {root}", a.sqrt().into_option())?;
        writeln!(text, "power {} {}", a.pow(&b.to_le_bits().into_inner()), a.pow_vartime(&[5, 0, 1, 0]))?;
        writeln!(text, "bytes {} {:?} {}", hex(a.to_repr()), a.is_odd(), a == &b)?;
    }
    writeln!(text, "many {} {}", all.iter().sum::<Scalar>(), random.iter().product::<Scalar>())?;
    let modulus: [u64; 4] = Scalar::char_le_bits().into_inner();
    let bytes: Vec<u8> = modulus.iter().flat_map(|word| word.to_le_bytes()).collect();
    let refused = Scalar::from_repr(bytes.try_into().unwrap());
    writeln!(text, "refused {:?} {:?}", refused.into_option(), Scalar::from_bytes(&[255; 32]).into_option())
}

/// Operations of one group.
fn group<P>(text: &mut String, numbers: &mut Numbers) -> Result
where
    P: PrimeCurve<Scalar = Scalar> + group::WnafGroup,
    P::Affine: UncompressedEncoding + From<P> + Into<P> + std::ops::Mul<Scalar, Output = P>,
{
    let (zero, g) = (P::identity(), P::generator());
    let mut points = vec![zero, g, -g, g.double(), g * -Scalar::ONE];
    points.extend((0..3).map(|_| P::random(&mut *numbers)));
    for (i, p) in points.iter().enumerate() {
        let (q, k) = (points[(i + 1) % points.len()], Scalar::random(&mut *numbers));
        let affine = p.to_affine();
        writeln!(text, "point {affine:?} {}", hex(p.to_bytes()))?;
        writeln!(text, "bytes {}", hex(affine.to_uncompressed()))?;
        let sums = [*p + q, *p - q, *p + q.to_affine(), *p - affine, p.double(), -*p];
        for result in sums.into_iter().chain([*p * k, affine * k, *p * Scalar::ZERO]) {
            writeln!(text, "{} {:?}", hex(result.to_bytes()), result.is_identity())?;
        }
        let read = P::from_bytes(&p.to_bytes()).unwrap() == *p;
        let both = P::Affine::from_uncompressed(&affine.to_uncompressed()).unwrap() == affine;
        writeln!(text, "read {read} {both} {}", *p == q)?;
        let wnaf = Wnaf::new().scalar(&k).base(*p);
        writeln!(text, "wnaf {}", wnaf == *p * k)?;
    }
    let mut affine = vec![P::Affine::identity(); points.len()];
    P::batch_normalize(&points, &mut affine);
    let sum: P = points.iter().sum();
    writeln!(text, "sum {} {}", hex(sum.to_bytes()), points.iter().zip(affine).all(|(p, q)| p.to_affine() == q))?;
    altered(text, &points)
}

/// Reads changed encodings: many are not points, and some are points outside of the group.
fn altered<P: PrimeCurve<Scalar = Scalar>>(text: &mut String, points: &[P]) -> Result
where
    P::Affine: UncompressedEncoding,
{
    for p in [points[0], points[5]] {
        for flags in (0..8).map(|flags| flags << 5) {
            let (mut short, mut long) = (p.to_bytes(), p.to_affine().to_uncompressed());
            short.as_mut()[0] ^= flags;
            long.as_mut()[0] ^= flags;
            let (one, both) = (found(P::from_bytes(&short)), found(P::Affine::from_uncompressed(&long)));
            writeln!(text, "flags {flags} {one:?} {both:?}")?;
        }
        for change in 1..8 {
            let (mut short, mut long) = (p.to_bytes(), p.to_affine().to_uncompressed());
            let (end, last) = (short.as_ref().len() - 1, long.as_ref().len() - 1);
            short.as_mut()[end] ^= change;
            long.as_mut()[last] ^= change;
            let p = found(P::from_bytes_unchecked(&short));
            let within = [P::from_bytes(&short).is_some(), P::Affine::from_uncompressed(&long).is_some()];
            writeln!(text, "changed {change} {p:?} {within:?}")?;
        }
    }
    // The prime, which is not a canonical 0, and the two numbers below it.
    let prime = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    for below in [0, 1, 2] {
        let mut bytes = P::Repr::default();
        let end = bytes.as_ref().len();
        for (i, byte) in bytes.as_mut()[end - 48..].iter_mut().enumerate() {
            *byte = u8::from_str_radix(&prime[2 * i..2 * i + 2], 16).unwrap();
        }
        bytes.as_mut()[end - 1] -= below;
        bytes.as_mut()[0] |= 1 << 7;
        writeln!(text, "prime {:?}", found(P::from_bytes_unchecked(&bytes)))?;
    }
    Ok(())
}

/// Points of the curves outside of the groups, from small x.
fn outside(text: &mut String) -> Result {
    for x in 0..8 {
        let (mut one, mut two) = ([0; 48], [0; 96]);
        (one[0], two[0], one[47], two[95]) = (1 << 7, 1 << 7, x, x);
        if let Some(p) = G1Affine::from_compressed_unchecked(&one).into_option() {
            let cleared = G1Affine::from(G1Projective::from(p).clear_cofactor());
            let within = [p.is_on_curve(), p.is_torsion_free(), cleared.is_on_curve(), cleared.is_torsion_free()];
            writeln!(text, "G1 {x} {} {within:?}", hex(cleared.to_compressed()))?;
        }
        two[47] = x / 3;
        if let Some(p) = G2Affine::from_compressed_unchecked(&two).into_option() {
            let cleared = G2Affine::from(G2Projective::from(p).clear_cofactor());
            let within = [p.is_on_curve(), p.is_torsion_free(), cleared.is_on_curve(), cleared.is_torsion_free()];
            writeln!(text, "G2 {x} {} {within:?}", hex(cleared.to_compressed()))?;
        }
        let mut both = [0; 96];
        both[95] = x;
        let p = G1Affine::from_uncompressed_unchecked(&both).unwrap();
        let read = G1Affine::from_uncompressed(&both).is_some();
        writeln!(text, "not on the curve {:?} {read:?}", p.is_on_curve())?;
    }
    Ok(())
}

fn pairings(text: &mut String, numbers: &mut Numbers) -> Result {
    let (zero, none) = (G1Affine::identity(), G2Affine::identity());
    let (g, h) = (G1Affine::generator(), G2Affine::generator());
    let (p, q) = (G1Projective::random(&mut *numbers).to_affine(), G2Projective::random(&mut *numbers).to_affine());
    let k = Scalar::random(&mut *numbers);
    let (e, f) = (pairing(&p, &q), Bls12::pairing(&(g * k).into(), &h));
    writeln!(text, "pairing {e}\ngenerators {:?} {}", pairing(&g, &h), Gt::generator() == g.pairing_with(&h))?;
    let other = pairing(&g, &(h * k).into());
    writeln!(text, "bilinear {} {}", f == Gt::generator() * k, h.pairing_with(&(g * k).into()) == other)?;
    writeln!(text, "sum {}\ntwice {}\nminus {}", e + f, e.double(), -e)?;
    writeln!(text, "product {}\norder {}", e * k, (e * -Scalar::ONE + e).is_identity().unwrap_u8())?;
    writeln!(text, "edges {} {}", e * Scalar::ZERO == Gt::identity(), e * Scalar::ONE == e - Gt::identity())?;
    let random = Gt::random(&mut *numbers);
    writeln!(text, "random {random} {}", [e, f].iter().sum::<Gt>() == f + e)?;
    for (a, b) in [(zero, h), (g, none), (zero, none)] {
        let many = multi_miller_loop(&[(&a, &b.into())]).final_exponentiation();
        writeln!(text, "infinity {} {}", pairing(&a, &b) == Gt::identity(), many == Gt::identity())?;
    }
    let prepared: [G2Prepared; 3] = [h.into(), q.into(), none.into()];
    let terms = [(&p, &prepared[1]), (&zero, &prepared[0]), (&g, &prepared[2]), (&(g * k).into(), &prepared[0])];
    let (many, first) = (multi_miller_loop(&terms), multi_miller_loop(&terms[..2]));
    writeln!(text, "loops {} {}", many.final_exponentiation() == e + f, first.final_exponentiation() == e)?;
    let parts = first + multi_miller_loop(&terms[2..]) + MillerLoopResult::default();
    writeln!(text, "parts {}", parts.final_exponentiation() == e + f)?;
    writeln!(text, "none {}", multi_miller_loop(&[]).final_exponentiation() == Gt::default())?;
    writeln!(text, "checks {} {}", check(&p, &(h * k).into(), k), check(&p, &q, k))
}

/// Whether e(p, q) = e(k p, h).
fn check(p: &G1Affine, q: &G2Affine, k: Scalar) -> bool {
    let minus = G1Affine::from(-(p * k));
    two_pairs([p, &minus], [q, &G2Affine::generator()])
}

fn two_pairs(p: [&G1Affine; 2], q: [&G2Affine; 2]) -> bool {
    let prepared = q.map(|q| G2Prepared::from(*q));
    multi_miller_loop(&[(p[0], &prepared[0]), (p[1], &prepared[1])]).final_exponentiation().is_identity().into()
}

fn all() -> std::result::Result<String, std::fmt::Error> {
    let (mut text, mut numbers) = (String::new(), Numbers(381));
    scalars(&mut text, &mut numbers)?;
    group::<G1Projective>(&mut text, &mut numbers)?;
    group::<G2Projective>(&mut text, &mut numbers)?;
    outside(&mut text)?;
    pairings(&mut text, &mut numbers)?;
    Ok(text)
}

#[cfg(not(target_os = "zkvm"))]
fn main() {
    print!("{}", all().unwrap());
}

#[cfg(target_os = "zkvm")]
fn main() {
    use std::hint::black_box;
    let [times, operation] = *chiasmus_guest::io::private() else {
        return chiasmus_guest::io::commit_bytes(all().unwrap().as_bytes());
    };
    let k = Scalar::from(7).pow(&[1, 2, 3, 4]);
    let (p, q) = (G1Affine::generator(), G2Affine::generator());
    let (kp, kq) = (G1Affine::from(p * k), G2Affine::from(q * k));
    let (minus, bytes) = (-kp, [kp.to_compressed().to_vec(), kq.to_compressed().to_vec()]);
    for _ in 0..times {
        match operation {
            0 => assert!(two_pairs([black_box(&p), &minus], [&kq, &q])),
            1 => assert!(!bool::from((kp * black_box(k)).is_identity())),
            2 => assert!(!bool::from((kq * black_box(k)).is_identity())),
            3 => assert!((0..1000).all(|_| !bool::from((black_box(k) * k).is_zero()))),
            4 => assert!(bool::from(G1Affine::from_compressed(black_box(&bytes[0][..].try_into().unwrap())).is_some())),
            5 => assert!(bool::from(G2Affine::from_compressed(black_box(&bytes[1][..].try_into().unwrap())).is_some())),
            _ => panic!("no operation {operation}"),
        }
    }
}
