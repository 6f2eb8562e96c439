//! Compares the kit's provider with revm's own, for valid and for invalid arguments.
use chiasmus_guest::ethereum::Library;
use revm_precompile::{
    Crypto, DefaultCrypto,
    bls12_381::{G1Point, G2Point},
    primitives::hex,
};

/// Requires that two providers' functions return equal results, or both fail. Calls with valid arguments must succeed.
macro_rules! same {
    ($name:ident, $succeeds:expr, $($argument:expr),*) => {{
        let (ours, theirs) = (Library.$name($($argument),*), DefaultCrypto.$name($($argument),*));
        assert_eq!(ours.is_ok(), theirs.is_ok(), stringify!($name));
        assert_eq!(ours.is_ok(), $succeeds, stringify!($name));
        if let (Ok(ours), Ok(theirs)) = (&ours, &theirs) {
            assert_eq!(ours, theirs, stringify!($name));
        }
        ours
    }};
}

fn hashes() {
    for n in [0, 1, 55, 56, 64, 119, 200] {
        let data: Vec<u8> = (0..n).collect();
        assert_eq!(Library.sha256(&data), DefaultCrypto.sha256(&data));
        assert_eq!(Library.ripemd160(&data), DefaultCrypto.ripemd160(&data));
    }
    for (rounds, last) in [(0, false), (1, true), (12, false), (12, true)] {
        let (mut ours, m, t) = ([7; 8], std::array::from_fn(|i| i as u64 * 0x0123_4567_89ab), [3, 4]);
        let mut theirs = ours;
        Library.blake2_compress(rounds, &mut ours, &m, &t, last);
        DefaultCrypto.blake2_compress(rounds, &mut theirs, &m, &t, last);
        assert_eq!(ours, theirs);
    }
}

fn signatures() {
    // Signed with key 0x46...46, whose account is in EIP-155's example.
    let hash = hex!("daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53");
    let mut signature = hex!(
        "28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
    );
    let address = same!(secp256k1_ecrecover, true, &signature, 0, &hash).unwrap();
    assert_eq!(address[12..], hex!("9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f"));
    let _ = same!(secp256k1_ecrecover, true, &signature, 1, &hash);
    signature[..32].fill(0);
    let _ = same!(secp256k1_ecrecover, false, &signature, 0, &hash);

    let hash = hex!("4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4d");
    let mut signature = hex!(
        "a73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d60"
    );
    let key = hex!(
        "4aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e"
    );
    assert!(Library.secp256r1_verify_signature(&hash, &signature, &key));
    signature[63] ^= 1;
    assert!(!Library.secp256r1_verify_signature(&hash, &signature, &key));
}

fn modexp() {
    for (base, exponent, modulus) in [
        (&[3u8][..], &[5u8][..], &[7u8][..]),
        (&[0xff; 40], &[0x12, 0x34], &[0xfd; 33]),
        (&[2], &[], &[1]),
        (&[9; 64], &[8; 9], &[16, 0, 0, 1]), // revm pads results to a modulus that begins with zeros itself
    ] {
        let _ = same!(modexp, true, base, exponent, modulus);
    }
}

fn bn254() {
    let g1 = [&[0; 31][..], &[1], &[0; 31], &[2]].concat();
    let negative = [&g1[..32], &hex!("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45")].concat();
    let g2 = hex!(
        "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed"
        "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa"
    );
    let twice = same!(bn254_g1_add, true, &g1, &g1).unwrap();
    let _ = same!(bn254_g1_add, true, &twice, &g1);
    let _ = same!(bn254_g1_add, true, &g1, &negative);
    let _ = same!(bn254_g1_add, false, &g1, &[1; 64]);
    let _ = same!(bn254_g1_mul, true, &twice, &[0x5a; 32]);
    let _ = same!(bn254_g1_mul, false, &[1; 64], &[1; 32]);
    assert!(same!(bn254_pairing_check, true, &[(&g1, &g2), (&negative, &g2)]).unwrap());
    assert!(!same!(bn254_pairing_check, true, &[(&g1, &g2), (&twice, &g2)]).unwrap());
    let _ = same!(bn254_pairing_check, false, &[(&g1, &[1; 128])]);
    let _ = same!(bn254_pairing_check, true, &[]);
}

const G1: G1Point = (
    hex!("17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"),
    hex!("08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1"),
);
const G2: G2Point = (
    hex!("024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"),
    hex!("13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"),
    hex!("0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801"),
    hex!("0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be"),
);
/// The order of both groups, less one.
const LAST: [u8; 32] = hex!("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000");

const WRONG: G1Point = (G1.1, G1.0);

fn bls12_g1() {
    let _ = same!(bls12_381_g1_add, true, G1, G1);
    let _ = same!(bls12_381_g1_add, true, G1, ([0; 48], [0; 48]));
    let _ = same!(bls12_381_g1_add, false, G1, WRONG);
    let sum = same!(bls12_381_g1_msm, true, &mut [Ok((G1, LAST)), Ok((G1, [9; 32]))].into_iter());
    assert_ne!(sum.unwrap(), [0; 96]);
    let _ = same!(bls12_381_g1_msm, false, &mut [Ok((WRONG, LAST))].into_iter());
}

fn bls12_g2() {
    let _ = same!(bls12_381_g2_add, true, G2, G2);
    let _ = same!(bls12_381_g2_add, false, G2, (G2.1, G2.0, G2.2, G2.3));
    let _ = same!(bls12_381_g2_msm, true, &mut [Ok((G2, LAST)), Ok((G2, [9; 32]))].into_iter());
}

fn bls12_pairing() {
    let negative = same!(bls12_381_g1_msm, true, &mut [Ok((G1, LAST))].into_iter()).unwrap();
    let negative = (negative[..48].try_into().unwrap(), negative[48..].try_into().unwrap());
    assert!(same!(bls12_381_pairing_check, true, &[(G1, G2), (negative, G2)]).unwrap());
    assert!(!same!(bls12_381_pairing_check, true, &[(G1, G2), (G1, G2)]).unwrap());
    let _ = same!(bls12_381_pairing_check, false, &[(WRONG, G2)]);
}

fn bls12_maps() {
    let _ = same!(bls12_381_fp_to_g1, true, &G1.0);
    let _ = same!(bls12_381_fp_to_g1, false, &[0xff; 48]);
    let _ = same!(bls12_381_fp2_to_g2, true, (G1.0, G1.1));
    let _ = same!(bls12_381_fp2_to_g2, false, (G1.0, [0xff; 48]));
}

fn kzg() {
    let commitment = hex!(
        "8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7"
    );
    let mut y = hex!("1522a4a7f34e1ea350ae07c29c96c7e79655aa926122e95fe69fcbd932ca49e9");
    let proof = hex!(
        "a62ad71d14c5719385c0686f1871430475bf3a00f0aa3f7b8dd99a9abc2160744faf0070725e00b60ad9a026a15b1a8c"
    );
    let _ = same!(verify_kzg_proof, true, &LAST, &y, &commitment, &proof);
    y[31] ^= 1;
    let _ = same!(verify_kzg_proof, false, &LAST, &y, &commitment, &proof);
}

/// The parts, by the names that `guests/block/build check` passes as private inputs. Together they would take more
/// cycles than a run can have.
const PARTS: [(&str, fn()); 9] = [
    ("hashes", hashes),
    ("signatures", signatures),
    ("modexp", modexp),
    ("bn254", bn254),
    ("bls12_g1", bls12_g1),
    ("bls12_g2", bls12_g2),
    ("bls12_pairing", bls12_pairing),
    ("bls12_maps", bls12_maps),
    ("kzg", kzg),
];

fn main() {
    let asked = chiasmus_guest::io::private();
    let Some((name, part)) = PARTS.iter().find(|(name, _)| name.as_bytes() == asked) else {
        panic!("the private input must name a part, such as {}", PARTS[0].0);
    };
    part();
    println!("{name}: the kit's provider is revm's");
}
