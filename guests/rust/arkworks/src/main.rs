//! Fields, groups and pairings of BN254 by ark-bn254: one line each, the same in a guest and on a host. In a guest, the
//! two bytes of a private input are the number of repetitions and of an operation, for measurements.
use std::fmt::Write;

use ark_bn254::{Bn254, Fq, Fq2, Fq6, Fq12, Fr, G1Affine, G1Projective, G2Affine, G2Projective, g2};
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ec::short_weierstrass::SWCurveConfig;
use ark_ec::{AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, BigInt, FftField, Field, MontFp, PrimeField, Zero};
use ark_poly::{EvaluationDomain, GeneralEvaluationDomain, MixedRadixEvaluationDomain};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};

fn scalar(seed: u64) -> Fr {
    Fr::from(seed).pow([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, seed])
}

fn bytes(value: &impl CanonicalSerialize) -> String {
    let (mut short, mut long) = (Vec::new(), Vec::new());
    value.serialize_compressed(&mut short).unwrap();
    value.serialize_uncompressed(&mut long).unwrap();
    short.iter().chain(&long).map(|b| format!("{b:02x}")).collect()
}

fn fields(text: &mut String) -> std::fmt::Result {
    const CONSTANT: Fq = MontFp!("-17");
    const OTHER: Fr = Fr::new(BigInt([1, 2, 3, 4]));
    writeln!(text, "constants {CONSTANT} {OTHER} {} {:?}", Fq::ONE, Fq::GENERATOR)?;
    let (a, b) = (Fq::from(5u64).pow([77, 99, 1]), Fq::from(-3));
    writeln!(text, "Fq {} {} {} {} {}", a + b, a - b, b - a, a * b, a.square())?;
    writeln!(text, "Fq {:?} {:?} {} {}", a.inverse(), Fq::ZERO.inverse(), a.double(), -a)?;
    writeln!(text, "roots {:?} {:?} {:?} {:?}", a.sqrt(), (-a).sqrt(), scalar(3).sqrt(), a.legendre())?;
    writeln!(text, "sums {}", Fq::sum_of_products(&[a, b, a], &[b, b, -a]))?;
    writeln!(text, "numbers {:?} {:?}", Fq::from_bigint(Fq::MODULUS), Fq::from_be_bytes_mod_order(&[255; 60]))?;
    let mut many = [scalar(2), Fr::ZERO, scalar(4), -Fr::ONE];
    ark_ff::batch_inversion(&mut many);
    writeln!(text, "inverses {many:?}")?;
    let values: Vec<Fr> = (0..16).map(scalar).collect();
    writeln!(text, "transform {:?}", GeneralEvaluationDomain::<Fr>::new(16).unwrap().fft(&values))?;
    let mixed = MixedRadixEvaluationDomain::<Fr>::new(18).unwrap();
    writeln!(text, "mixed transform {} {:?}", mixed.size, mixed.ifft(&values))?;
    writeln!(text, "bytes {} {}", bytes(&a), bytes(&OTHER))?;
    let wide = Fq::deserialize_compressed(&[255; 32][..]).is_err();
    writeln!(text, "refused {wide}")
}

fn towers(text: &mut String, x: Fq12) -> std::fmt::Result {
    let (a, b): (Fq6, Fq2) = (x.c0, x.c1.c2);
    writeln!(text, "Fq2 {} {} {:?} {:?}", b.square(), b * a.c1, b.inverse(), b.square().sqrt())?;
    writeln!(text, "Fq6 {} {:?}", a * x.c1, a.inverse())?;
    writeln!(text, "Fq12 {} {} {:?}", x.square(), x * x.square(), x.inverse())?;
    for power in 0..12 {
        writeln!(text, "Frobenius {power} {}", x.frobenius_map(power))?;
    }
    Ok(())
}

fn groups(text: &mut String) -> std::fmt::Result {
    let (g, h, k) = (G1Affine::generator(), G2Affine::generator(), scalar(7));
    let (p, q) = ((g * k).into_affine(), (h * k).into_affine());
    writeln!(text, "multiples {p} {q} {} {}", bytes(&p), bytes(&q))?;
    writeln!(text, "zero {} {} {}", g * Fr::ZERO, (g * -Fr::ONE + g).is_zero(), h.mul_bigint(Fr::MODULUS).is_zero())?;
    writeln!(text, "longer {}", p.mul_bigint([1, 2, 3, 4, 5, 6]).into_affine())?;
    // The sums include a doubling and two terms that cancel each other.
    let one = G1Projective::msm(&[g, p, -p, G1Affine::zero()], &[k, -Fr::ONE, scalar(9), k]).unwrap();
    let two = G2Projective::msm(&[h, q, q], &[k, Fr::ONE, scalar(9)]).unwrap();
    writeln!(text, "sums {} {}", one.into_affine(), two.into_affine())?;
    writeln!(text, "lengths {:?}", G1Projective::msm(&[g, p], &[k]).unwrap_err())?;
    // Points of the twist outside of the group.
    for i in 0..9u64 {
        let x = Fq2::new(Fq::from(i), Fq::ONE);
        let Some(y) = g2::Config::add_b(x.pow([3])).sqrt() else { continue };
        let point = G2Affine::new_unchecked(x, y);
        let cleared = point.clear_cofactor();
        let within = [point, cleared].map(|p| p.is_on_curve() && p.is_in_correct_subgroup_assuming_on_curve());
        let read = G2Affine::deserialize_compressed(&*hex(&bytes(&point))).is_ok();
        writeln!(text, "twist {i} {within:?} {read} {cleared}")?;
    }
    let read = G1Affine::deserialize_uncompressed(&hex(&bytes(&p))[32..]);
    writeln!(text, "read {}", read.is_ok_and(|read| read == p))
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn pairings(text: &mut String) -> std::fmt::Result {
    let (g, h, k) = (G1Affine::generator(), G2Affine::generator(), scalar(7));
    let (p, q) = ((g * k).into_affine(), (h * k).into_affine());
    let loops = Bn254::multi_miller_loop([g, G1Affine::zero(), p], [h, q, q]);
    towers(text, loops.0)?;
    let value = Bn254::final_exponentiation(loops).unwrap();
    writeln!(text, "loops {}", loops.0)?;
    writeln!(text, "pairing {} {}", value.0, (value * k).0)?;
    let six = Bn254::multi_pairing([g; 6], [h; 6]) == Bn254::pairing(g, h) * Fr::from(6);
    writeln!(text, "checks {} {six}", check(p, q))?;
    writeln!(text, "none {:?}", Bn254::final_exponentiation(MillerLoopOutput(Fq12::zero())))
}

/// Whether e(g, q) = e(p, h).
fn check(p: G1Affine, q: G2Affine) -> bool {
    let (g, h) = (G1Affine::generator(), G2Affine::generator());
    Bn254::multi_pairing([std::hint::black_box(g), -p], [q, h]).is_zero()
}

/// Cases "chfast1" of go-ethereum for EIP-196: a sum, and a product with its scalar.
fn ethereum() {
    let point = |x, y| G1Affine::new(number(x), number(y));
    let sum = point(
        "18b18acfb4c2c30276db5411368e7185b311dd124691610c5d3b74034e093dc9",
        "063c909c4720840cb5134cb9f59fa749755796819658d32efc0d288198f37266",
    ) + point(
        "07c2b7f58a84bd6145f00c9c2bc0bb1a187f20ff2c92963a88019e7c6a014eed",
        "06614e20c147e940f2d70da3f74c9a17df361706a4485c742bd6788478fa17d7",
    );
    assert_eq!(sum, point(
        "2243525c5efd4b9c3d3c45ac0ca3fe4dd85e830a4ce6b65fa1eeaee202839703",
        "301d1d33be6da8e509df21cc35964723180eed7532537db9ae5e7d48f195c915",
    ));
    let product = point(
        "2bd3e6d0f3b142924f5ca7b49ce5b9d54c4703d7ae5648e61d02268b1a0a9fb7",
        "21611ce0a6af85915e2f1d70300909ce2e49dfad4a4619c8390cae66cefdb204",
    ) * number::<Fr>("00000000000000000000000000000000000000000000000011138ce750fa15c2");
    assert_eq!(product, point(
        "070a8d6a982153cae4be29d434e8faef8a47b274a053f5a4ee2a6c9c13c31e5c",
        "031b8ce914eba3a9ffb989f9cdd5b0f01943074bf4f0f315690ec3cec6981afc",
    ));
}

fn number<F: PrimeField>(text: &str) -> F {
    F::from_be_bytes_mod_order(&hex(text))
}

fn all() -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    fields(&mut text)?;
    groups(&mut text)?;
    pairings(&mut text)?;
    ethereum();
    Ok(text)
}

#[cfg(not(target_os = "zkvm"))]
fn main() {
    print!("{}", all().unwrap());
}

#[cfg(target_os = "zkvm")]
fn main() {
    let [times, operation] = *chiasmus_guest::io::private() else {
        return chiasmus_guest::io::commit_bytes(all().unwrap().as_bytes());
    };
    let (g, h, k) = (G1Affine::generator(), G2Affine::generator(), scalar(7));
    let (p, q) = ((g * k).into_affine(), (h * k).into_affine());
    let kept = std::hint::black_box::<Fr>;
    for _ in 0..times {
        match operation {
            0 => assert!(check(p, q)),
            1 => assert!(!(p * kept(k)).into_affine().is_zero()),
            2 => assert!(!(q * kept(k)).into_affine().is_zero()),
            3 => assert!((0..1000).all(|_| !(kept(k) * k).is_zero())),
            _ => panic!("no operation {operation}"),
        }
    }
}
