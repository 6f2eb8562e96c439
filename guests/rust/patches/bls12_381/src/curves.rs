//! The curves: G1 is in y^2 = x^3 + 4 over Fp, G2 in y^2 = x^3 + 4 (1 + u) over Fp2. The curves' parameter is x = -U.
use crate::calls::call;
use crate::fp::Fp;
use crate::fp2::Fp2;
use crate::models::{Affine, Curve, Projective};
use crate::points::Sums;
use crate::tower::{Room, step, zero_in};

/// A point of G1 in the affine model.
pub type G1Affine = Affine<G1>;
/// A point of G1.
pub type G1Projective = Projective<G1>;
/// A point of G2 in the affine model.
pub type G2Affine = Affine<G2>;
/// A point of G2.
pub type G2Projective = Projective<G2>;

#[derive(Clone, Copy, Debug)]
pub struct G1;
#[derive(Clone, Copy, Debug)]
pub struct G2;

pub const U: u64 = 0xd201000000010000;

/// The curve's number in calls.
const BLS12_381: *const u8 = 0 as *const u8;

impl Sums for G1 {
    type Coordinate = Fp;

    #[inline(always)]
    fn add(p: &mut [Fp; 2], q: &[Fp; 2]) {
        unsafe { call(0x122, p, q, BLS12_381) }
    }

    #[inline(always)]
    fn double(p: &mut [Fp; 2]) {
        unsafe { call(0x123, p, BLS12_381, 0 as *const u8) }
    }
}

impl Curve for G1 {
    type Compressed = [u8; 48];
    type Uncompressed = [u8; 96];
    const NAMES: [&'static str; 2] = ["G1Affine", "G1Projective"];
    const B: Fp = Fp::small(4);
    const GENERATOR: [Fp; 2] = [
        Fp([
            0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58, 0xc3688c4f9774b905, 0x2695638c4fa9ac0f,
            0x17f1d3a73197d794,
        ]),
        Fp([
            0x0caa232946c5e7e1, 0xd03cc744a2888ae4, 0x00db18cb2c04b3ed, 0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4,
            0x08b3f481e3aaa0f1,
        ]),
    ];

    /// The map (x, y) -> (beta x, y), with beta a cube root of 1, equals multiplication by -U^2 exactly for the points
    /// of the group (Scott, A note on group membership tests for G1, G2 and GT on BLS pairing-friendly curves, 2021).
    fn is_torsion_free(p: &G1Projective) -> bool {
        const BETA: Fp = Fp([
            0x2e01fffffffefffe, 0xde17d813620a0002, 0xddb3a93be6f89688, 0xba69c6076a0f77ea, 0x5f19672fdf76ce51, 0,
        ]);
        p.times_u().times_u() == -Projective(p.0.map(|[x, y]| [x * BETA, y]))
    }

    fn clear_cofactor(p: &G1Projective) -> G1Projective {
        p + p.times_u()
    }
}

impl Sums for G2 {
    type Coordinate = Fp2;

    fn add(p: &mut [Fp2; 2], q: &[Fp2; 2]) {
        add_or_double(p, Some(q));
    }

    fn double(p: &mut [Fp2; 2]) {
        add_or_double(p, None);
    }
}

impl Curve for G2 {
    type Compressed = [u8; 96];
    type Uncompressed = [u8; 192];
    const NAMES: [&'static str; 2] = ["G2Affine", "G2Projective"];
    const B: Fp2 = Fp2 { c0: Fp::small(4), c1: Fp::small(4) };
    const GENERATOR: [Fp2; 2] = [
        Fp2::new(
            [
                0xd48056c8c121bdb8, 0x0bac0326a805bbef, 0xb4510b647ae3d177, 0xc6e47ad4fa403b02, 0x260805272dc51051,
                0x024aa2b2f08f0a91,
            ],
            [
                0xe5ac7d055d042b7e, 0x334cf11213945d57, 0xb5da61bbdc7f5049, 0x596bd0d09920b61a, 0x7dacd3a088274f65,
                0x13e02b6052719f60,
            ],
        ),
        Fp2::new(
            [
                0xe193548608b82801, 0x923ac9cc3baca289, 0x6d429a695160d12c, 0xadfd9baa8cbdd3a7, 0x8cc9cdc6da2e351a,
                0x0ce5d527727d6e11,
            ],
            [
                0xaaa9075ff05f79be, 0x3f370d275cec1da1, 0x267492ab572e99ab, 0xcb3e287e85a763af, 0x32acd2b02bc28b99,
                0x0606c4a02ea734cc,
            ],
        ),
    ];

    /// The Frobenius map of the twist equals multiplication by -U exactly for the points of the group (Scott, 2021).
    fn is_torsion_free(p: &G2Projective) -> bool {
        -p.times_u() == frobenius(p)
    }

    /// By Budroni and Pintore (2017), with the Frobenius map F: x^2 P - x P - P + F(x P - P) + F(F(2P)).
    fn clear_cofactor(p: &G2Projective) -> G2Projective {
        let (xp, image) = (-p.times_u(), frobenius(p));
        frobenius(&frobenius(&p.double())) - (xp + image).times_u() - xp - image - p
    }
}

fn add_or_double(p: &mut [Fp2; 2], q: Option<&[Fp2; 2]>) {
    let mut line = [Room::uninit(), Room::uninit()];
    assert!(step(p, q, line.each_mut().map(zero_in)), "the points have different x, and none has y = 0");
}

/// The image under the Frobenius map of the twist.
fn frobenius(p: &G2Projective) -> G2Projective {
    /// 1/xi^((p - 1)/3)
    const X: Fp2 = Fp2::new(
        [0; 6],
        [
            0x8bfd00000000aaad, 0x409427eb4f49fffd, 0x897d29650fb85f9b, 0xaa0d857d89759ad4, 0xec02408663d4de85,
            0x1a0111ea397fe699,
        ],
    );
    /// 1/xi^((p - 1)/2)
    const Y: Fp2 = Fp2::new(
        [
            0xf1ee7b04121bdea2, 0x304466cf3e67fa0a, 0xef396489f61eb45e, 0x1c3dedd930b1cf60, 0xe2e9c448d77a2cd9,
            0x135203e60180a68e,
        ],
        [
            0xc81084fbede3cc09, 0xee67992f72ec05f4, 0x77f76e17009241c5, 0x48395dabc2d3435e, 0x6831e36d6bd17ffe,
            0x06af0e0437ff400b,
        ],
    );
    Projective(p.0.map(|[x, y]| [x.conjugate() * X, y.conjugate() * Y]))
}
