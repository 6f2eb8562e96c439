//! go-ethereum's cases for precompiled contracts (core/vm/testdata/precompiles, LGPL-3.0): a function, a name, an input
//! and the result, each. A private input has a number of calls and a function's name, for its first case.
use chiasmus_guest::io;
use chiasmus_precompiles::{Invalid, bls12_381, bn254, eip198, modexp};

const CASES: &str = include_str!("../precompiles.txt");

fn bytes(hex: &str) -> Vec<u8> {
    let digits = if hex == "-" { "" } else { hex };
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

fn word(holds: bool) -> Vec<u8> {
    [&[0; 31][..], &[holds as u8]].concat()
}

fn call(function: &str, input: &[u8]) -> Result<Vec<u8>, Invalid> {
    match function {
        "bn254_add" => bn254::add(input).map(Into::into),
        "bn254_mul" => bn254::mul(input).map(Into::into),
        "bn254_pairing" => bn254::pairing_check(input).map(word),
        "modexp" => eip198(input),
        "g1_add" => bls12_381::g1_add(input).map(Into::into),
        "g1_msm" => bls12_381::g1_msm(input).map(Into::into),
        "g2_add" => bls12_381::g2_add(input).map(Into::into),
        "g2_msm" => bls12_381::g2_msm(input).map(Into::into),
        "pairing" => bls12_381::pairing_check(input).map(word),
        "map_g1" => bls12_381::map_fp_to_g1(input).map(Into::into),
        "map_g2" => bls12_381::map_fp2_to_g2(input).map(Into::into),
        _ => panic!("no function {function}"),
    }
}

fn case(line: &str) -> [&str; 4] {
    line.split(' ').collect::<Vec<_>>().try_into().expect("a case has four words")
}

fn main() {
    if let [times, function @ ..] = io::private() {
        let name = str::from_utf8(function).unwrap();
        let input = CASES.lines().map(case).find(|c| c[0] == name).map(|c| bytes(c[2])).unwrap();
        return (0..*times).for_each(|_| assert!(call(name, &input).is_ok()));
    }
    for [function, name, input, expected] in CASES.lines().map(case) {
        match call(function, &bytes(input)) {
            Ok(output) => assert_eq!(output, bytes(expected), "{function}, {name}"),
            Err(_) => assert_eq!("fails", expected, "{function}, {name}"),
        }
    }
    assert_eq!(bn254::add(&[]), Ok([0; 64]));
    assert_eq!(bn254::add(&[1; 64]), Err(Invalid::Value));
    assert_eq!(bn254::pairing_check(&[0; 191]), Err(Invalid::Length));
    assert_eq!(bn254::pairing_check(&[]), Ok(true));
    assert_eq!(modexp(&[3], &[5], &[0, 200]), Ok(vec![0, 43]));
    assert_eq!(modexp(&[3], &[], &[1]), Ok(vec![0]));
    assert_eq!(modexp(&[3], &[5], &[0]), Ok(vec![0]));
    assert_eq!(modexp(&[0; (1 << 20) + 1], &[5], &[7]), Err(Invalid::Length));
    assert_eq!(eip198(&[255; 96]), Err(Invalid::Length));
    assert_eq!(eip198(&[]), Ok(vec![]));
    println!("{} cases", CASES.lines().count());
}
