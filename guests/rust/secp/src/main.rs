//! Points, inverses, roots and signatures by k256 and p256, the same in a guest and on a host. In a guest, the two bytes
//! of a private input are the number of repetitions and of an operation, for measurements.
use std::fmt::{Result, Write};

use k256::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
use k256::ecdsa::{self as k, RecoveryId};
use k256::elliptic_curve::ff::PrimeField;
use k256::elliptic_curve::ops::{Invert, LinearCombination, LinearCombinationExt, MulByGenerator, Reduce};
use k256::elliptic_curve::sec1::ToEncodedPoint;
use p256::ecdsa as p;

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for part in bytes.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
            part.copy_from_slice(&(z ^ z >> 31).to_be_bytes());
        }
        bytes
    }
}

fn line(text: &mut String, name: &str, bytes: &[u8]) -> Result {
    write!(text, "{name} ")?;
    bytes.iter().try_for_each(|b| write!(text, "{b:02x}"))?;
    writeln!(text)
}

/// The number with these bytes, unless it is not below the modulus.
fn number<F: PrimeField<Repr = k256::FieldBytes>>(bytes: &[u8; 32]) -> Option<F> {
    F::from_repr((*bytes).into()).into()
}

/// Products, inverses and roots of edges and of random numbers.
fn numbers<F>(text: &mut String, name: &str, random: &[[u8; 32]]) -> Result
where
    F: PrimeField<Repr = k256::FieldBytes>,
{
    let edges = [F::ZERO, F::ONE, -F::ONE, F::from(4), F::from(7), -F::from(4)];
    for x in edges.into_iter().chain(random.iter().filter_map(number)) {
        line(text, name, &x.to_repr())?;
        for (name, of) in [("1/x", x.invert()), ("root", x.sqrt())] {
            line(text, name, &Option::<F>::from(of).map(|v| v.to_repr()).unwrap_or_default())?;
        }
        line(text, "x^3", &(x.square() * x).to_repr())?;
    }
    Ok(())
}

/// Sums of multiples of points, also where points or sums are infinity or equal.
fn points(text: &mut String, numbers: &mut Numbers) -> Result {
    use k256::{ProjectivePoint as Point, Scalar};
    let put = |text: &mut String, name, p: Point| line(text, name, p.to_affine().to_encoded_point(false).as_bytes());
    let mut scalars = vec![Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(16u64)];
    scalars.extend((0..4).map(|_| <Scalar as Reduce<k256::U256>>::reduce_bytes(&numbers.bytes().into())));
    let other = Point::GENERATOR * scalars[4];
    for a in &scalars {
        put(text, "multiple", other * a)?;
        put(text, "multiple of the generator", Point::mul_by_generator(a))?;
        put(text, "multiple of infinity", Point::IDENTITY * a)?;
        for b in &scalars {
            put(text, "sum", Point::lincomb(&other, a, &Point::GENERATOR, b))?;
            put(text, "sum of equals", Point::lincomb(&other, a, &other, b))?;
            put(text, "sum of opposites", Point::lincomb(&other, a, &-other, b))?;
        }
    }
    let terms: Vec<_> = scalars.iter().map(|a| (other + Point::GENERATOR, *a)).collect();
    put(text, "sum of many", Point::lincomb_ext(&terms[..]))
}

fn k256_signatures(text: &mut String, numbers: &mut Numbers) -> Result {
    let (key, hash) = (k::SigningKey::from_slice(&numbers.bytes()).unwrap(), numbers.bytes());
    let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
    line(text, "k256", &signature.to_bytes())?;
    for id in [id, RecoveryId::new(!id.is_y_odd(), false), RecoveryId::new(id.is_y_odd(), true)] {
        let recovered = k::VerifyingKey::recover_from_prehash(&hash, &signature, id);
        line(text, "recovered", &recovered.map_or(vec![], |key| key.to_encoded_point(true).as_bytes().to_vec()))?;
    }
    let high = k::Signature::from_scalars(signature.r().to_bytes(), (-*signature.s()).to_bytes()).unwrap();
    let other = k::Signature::from_scalars(signature.s().to_bytes(), signature.r().to_bytes()).unwrap();
    let public = *key.verifying_key();
    let read = k::VerifyingKey::from_sec1_bytes(public.to_encoded_point(true).as_bytes()).unwrap();
    let verified = [(&signature, hash), (&signature, numbers.bytes()), (&high, hash), (&other, hash)]
        .map(|(signature, hash)| read.verify_prehash(&hash, signature).is_ok() as u8);
    line(text, "verified", &verified)
}

fn p256_signatures(text: &mut String, numbers: &mut Numbers) -> Result {
    let (key, hash) = (p::SigningKey::from_slice(&numbers.bytes()).unwrap(), numbers.bytes());
    let signature: p::Signature = key.sign_prehash(&hash).unwrap();
    line(text, "p256", &signature.to_bytes())?;
    let high = p::Signature::from_scalars(signature.r().to_bytes(), (-*signature.s()).to_bytes()).unwrap();
    let other = p::Signature::from_scalars(signature.s().to_bytes(), signature.r().to_bytes()).unwrap();
    let read = p::VerifyingKey::from_sec1_bytes(key.verifying_key().to_encoded_point(true).as_bytes()).unwrap();
    line(text, "key", read.to_encoded_point(false).as_bytes())?;
    let verified = [(&signature, hash), (&signature, numbers.bytes()), (&high, hash), (&other, hash)]
        .map(|(signature, hash)| read.verify_prehash(&hash, signature).is_ok() as u8);
    line(text, "verified", &verified)?;
    // Hashes that make one of the two multiples 0, and a key for which both are equal or opposite.
    let one = p::SigningKey::from_bytes(&p256::Scalar::ONE.to_bytes()).unwrap();
    for hash in [[0; 32], p256::Scalar::ONE.to_bytes().into(), signature.r().to_bytes().into(), [255; 32]] {
        let signature: p::Signature = one.sign_prehash(&hash).unwrap();
        line(text, "by 1", &signature.to_bytes())?;
        line(text, "verified", &[one.verifying_key().verify_prehash(&hash, &signature).is_ok() as u8])?;
    }
    // r = 1 and s = 1 for the hash -1: the sum is infinity.
    let infinite = p::Signature::from_scalars(p256::Scalar::ONE.to_bytes(), p256::Scalar::ONE.to_bytes()).unwrap();
    let minus = (-p256::Scalar::ONE).to_bytes();
    line(text, "infinity", &[one.verifying_key().verify_prehash(&minus, &infinite).is_ok() as u8])
}

fn all() -> std::result::Result<String, std::fmt::Error> {
    let (mut text, mut random) = (String::new(), Numbers(1));
    let list: Vec<[u8; 32]> = (0..4).map(|_| random.bytes()).collect();
    numbers::<k256::FieldElement>(&mut text, "k256 field", &list)?;
    numbers::<k256::Scalar>(&mut text, "k256 scalar", &list)?;
    numbers::<p256::FieldElement>(&mut text, "p256 field", &list)?;
    numbers::<p256::Scalar>(&mut text, "p256 scalar", &list)?;
    for x in list.iter().filter_map(number::<k256::Scalar>) {
        line(&mut text, "1/x in any time", &x.invert_vartime().unwrap().to_bytes())?;
    }
    for x in list.iter().filter_map(number::<p256::Scalar>) {
        line(&mut text, "1/x in any time", &x.invert_vartime().unwrap().to_bytes())?;
    }
    points(&mut text, &mut random)?;
    for _ in 0..3 {
        k256_signatures(&mut text, &mut random)?;
        p256_signatures(&mut text, &mut random)?;
    }
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
    let (hash, secret) = ([3; 32], [7; 32]);
    let key = k::SigningKey::from_slice(&secret).unwrap();
    let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
    let other = p::SigningKey::from_slice(&secret).unwrap();
    let of_other: p::Signature = other.sign_prehash(&hash).unwrap();
    for _ in 0..times {
        match operation {
            0 => drop(k::VerifyingKey::recover_from_prehash(black_box(&hash), &signature, id).unwrap()),
            1 => key.verifying_key().verify_prehash(black_box(&hash), &signature).unwrap(),
            2 => other.verifying_key().verify_prehash(black_box(&hash), &of_other).unwrap(),
            3 => drop(black_box(&key).sign_prehash_recoverable(&hash).unwrap()),
            4 => drop(PrehashSigner::<p::Signature>::sign_prehash(black_box(&other), &hash).unwrap()),
            _ => panic!("no operation {operation}"),
        }
    }
}
