//! Products, powers and inverses by crypto-bigint, the same in a guest and on a host. In a guest, the two bytes of a
//! private input are the number of repetitions and of an operation, for measurements.
use std::fmt::{Result, Write};

use crypto_bigint::modular::constant_mod::ResidueParams;
use crypto_bigint::modular::runtime_mod::{DynResidue, DynResidueParams};
use crypto_bigint::{Encoding, Limb, NonZero, U192, U256, U512, U1024, U2048, Uint, Zero, const_residue, impl_modulus};

impl_modulus!(Order, U256, "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");

/// A product and its square at compile time.
const PRODUCT: (U256, U256) = Order::R.mul_wide(&Order::R2);
const SQUARE: (U512, U512) = U512::MAX.square_wide();

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct Numbers(u64);

impl Numbers {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        z ^ z >> 31
    }

    fn number<const N: usize>(&mut self) -> Uint<N> {
        Uint::from_words(std::array::from_fn(|_| self.word()))
    }
}

/// Edges and random numbers.
fn samples<const N: usize>(numbers: &mut Numbers) -> Vec<Uint<N>> {
    let edges = [Uint::ZERO, Uint::ONE, Uint::MAX, Uint::MAX.shr_vartime(1), Uint::ONE.shl_vartime(64 * N - 1)];
    edges.into_iter().chain((0..3).map(|_| numbers.number())).collect()
}

/// A checksum of numbers.
fn mixed<const N: usize>(sum: u64, number: &Uint<N>) -> u64 {
    number.as_words().iter().fold(sum, |sum, word| (sum ^ word).wrapping_mul(0x9e3779b97f4a7c15).rotate_left(31))
}

fn products<const N: usize, const M: usize>(text: &mut String, numbers: &mut Numbers) -> Result {
    let others: Vec<Uint<M>> = samples(numbers);
    for (i, a) in samples::<N>(numbers).iter().enumerate() {
        let (b, c) = (&others[i], &others[(i + 3) % others.len()]);
        let ((low, high), (other_low, other_high)) = (a.mul_wide(b), a.mul_wide(c));
        writeln!(text, "product {low:x} {high:x} {other_low:x} {other_high:x}")?;
        let (low, high) = a.square_wide();
        writeln!(text, "square {low:x} {high:x}")?;
        let special = a.mul_mod_special(&a.wrapping_mul(c), Limb(1 << 32));
        writeln!(text, "others {:x} {:x} {special:x}", a.saturating_mul(b), a.wrapping_mul(c))?;
    }
    Ok(())
}

fn residues<const N: usize>(text: &mut String, numbers: &mut Numbers) -> Result {
    let one = Uint::<N>::ONE;
    let mut moduli = vec![one, Uint::from(3u8), Uint::MAX, Uint::from(u64::MAX)];
    let random = [0, 1, 70].map(|bits| numbers.number::<N>().shr_vartime(bits) | one);
    moduli.extend(random);
    for modulus in &moduli {
        let params = DynResidueParams::new(modulus);
        let of = |x: &Uint<N>| DynResidue::new(&x.rem(&NonZero::new(*modulus).unwrap()), params);
        let all: Vec<DynResidue<N>> = samples(numbers).iter().map(of).collect();
        writeln!(text, "modulus {modulus:x} {:x}", of(&modulus.wrapping_sub(&one)).square().retrieve())?;
        for (i, a) in all.iter().enumerate() {
            let mut inverse = None; // in software, so for small numbers
            if N <= 4 && let (inverted, has) = a.invert() && bool::from(has) {
                inverse = Some(inverted.retrieve());
            }
            let product = (*a * all[(i + 1) % all.len()]).retrieve();
            let numbers = [a.retrieve(), product, a.square().retrieve(), power(a).retrieve()];
            writeln!(text, "{:016x} {inverse:?}", numbers.iter().fold(0, mixed))?;
        }
    }
    let (a, b) = (numbers.number::<N>(), numbers.number::<N>());
    let params = DynResidueParams::new(&moduli[4]);
    let (a, b) = (a.rem(&NonZero::new(moduli[4]).unwrap()), b.rem(&NonZero::new(moduli[4]).unwrap()));
    let a = DynResidue::new(&a, params);
    let powers = [0, 1, 31, 33, 64 * N].map(|bits| a.pow_bounded_exp(&b, bits).retrieve());
    writeln!(text, "powers {:016x} {:x}", powers.iter().fold(0, mixed), a.pow(&b).retrieve())
}

fn constants(text: &mut String, numbers: &mut Numbers) -> Result {
    writeln!(text, "constants {PRODUCT:?} {SQUARE:?} {:?} {:?} {:?}", Order::R2, Order::R3, Order::MOD_NEG_INV)?;
    let (a, b) = (numbers.number::<4>().shr_vartime(2), numbers.number::<4>().shr_vartime(2));
    let (x, y) = (const_residue!(a, Order), const_residue!(b, Order));
    writeln!(text, "residues {:x} {:x} {:x}", (x * y).retrieve(), x.square().retrieve(), x.pow(&b).retrieve())?;
    let (inverse, has) = x.invert();
    writeln!(text, "inverse {:x} {:?} {}", inverse.retrieve(), bool::from(has), (x * inverse).retrieve())?;
    writeln!(text, "bytes {:?} {}", (x - y).retrieve().to_be_bytes(), bool::from((x - x).retrieve().is_zero()))
}

fn all() -> std::result::Result<String, std::fmt::Error> {
    let (mut text, mut numbers) = (String::new(), Numbers(2048));
    constants(&mut text, &mut numbers)?;
    products::<{ U192::LIMBS }, { U256::LIMBS }>(&mut text, &mut numbers)?;
    products::<{ U256::LIMBS }, { U256::LIMBS }>(&mut text, &mut numbers)?;
    products::<{ U512::LIMBS }, { U256::LIMBS }>(&mut text, &mut numbers)?;
    products::<{ U256::LIMBS }, { U512::LIMBS }>(&mut text, &mut numbers)?;
    residues::<{ U192::LIMBS }>(&mut text, &mut numbers)?;
    residues::<{ U256::LIMBS }>(&mut text, &mut numbers)?;
    residues::<{ U512::LIMBS }>(&mut text, &mut numbers)?;
    residues::<{ U1024::LIMBS }>(&mut text, &mut numbers)?;
    Ok(text)
}

#[cfg(not(target_os = "zkvm"))]
fn main() {
    print!("{}", all().unwrap());
    let _ = power::<{ U2048::LIMBS }>;
}

/// A number with the exponent 65,537, as RSA has it.
fn power<const N: usize>(x: &DynResidue<N>) -> DynResidue<N> {
    x.pow_bounded_exp(&Uint::<1>::from(65_537u64), 17)
}

#[cfg(target_os = "zkvm")]
fn main() {
    use std::hint::black_box;
    let [times, operation] = *chiasmus_guest::io::private() else {
        return chiasmus_guest::io::commit_bytes(all().unwrap().as_bytes());
    };
    let mut numbers = Numbers(1);
    let large: U2048 = numbers.number();
    let large = DynResidue::new(&large.shr_vartime(1), DynResidueParams::new(&(numbers.number::<32>() | U2048::ONE)));
    let small: U256 = numbers.number();
    let (exponent, one) = (numbers.number::<4>(), U256::ONE);
    let small = DynResidue::new(&small.shr_vartime(1), DynResidueParams::new(&(numbers.number::<4>() | one)));
    for _ in 0..times {
        match operation {
            0 => assert!(!bool::from(power(black_box(&large)).retrieve().is_zero())),
            1 => assert!(!bool::from(black_box(&small).pow(&exponent).retrieve().is_zero())),
            2 => assert!((0..1000).all(|_| !bool::from((*black_box(&small) * small).retrieve().is_zero()))),
            3 => assert!((0..100).all(|_| black_box(&large).retrieve().mul_wide(&U2048::MAX).1 != U2048::ZERO)),
            _ => panic!("no operation {operation}"),
        }
    }
}
