/* The point evaluation of EIP-4844: a commitment C has the value y at z if a proof W has
 * e(C - y G1, G2) = e(W, [s]G2 - z G2), with s the secret of the ceremony. It is checked as
 * e(C - y G1 + z W, G2) e(-W, [s]G2) = 1, which multiplies only points of G1. */
#include "bls12_g1.h"
#include "bls12_pairing.h"
#include "zkvm_accelerators.h"

static const fp generator_x =
    {{0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58, 0xc3688c4f9774b905, 0x2695638c4fa9ac0f,
     0x17f1d3a73197d794}};
static const fp generator_y =
    {{0x0caa232946c5e7e1, 0xd03cc744a2888ae4, 0x00db18cb2c04b3ed, 0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4,
     0x08b3f481e3aaa0f1}};

/* The generator of G2, and [s]G2 of Ethereum's ceremony. */
static const twist_point generator_2 = {
    {{{0xd48056c8c121bdb8, 0x0bac0326a805bbef, 0xb4510b647ae3d177, 0xc6e47ad4fa403b02, 0x260805272dc51051,
     0x024aa2b2f08f0a91}}, {{0xe5ac7d055d042b7e, 0x334cf11213945d57, 0xb5da61bbdc7f5049, 0x596bd0d09920b61a,
     0x7dacd3a088274f65, 0x13e02b6052719f60}}},
    {{{0xe193548608b82801, 0x923ac9cc3baca289, 0x6d429a695160d12c, 0xadfd9baa8cbdd3a7, 0x8cc9cdc6da2e351a,
     0x0ce5d527727d6e11}}, {{0xaaa9075ff05f79be, 0x3f370d275cec1da1, 0x267492ab572e99ab, 0xcb3e287e85a763af,
     0x32acd2b02bc28b99, 0x0606c4a02ea734cc}}},
};
static const twist_point setup = {
    {{{0xc98edada20c1def2, 0x087041de621000ed, 0xa36851477ba4c60b, 0x3926c911cceceac9, 0x734429b7b38608e2,
     0x185cbfee53492714}}, {{0xafaaab24f3499f72, 0x2914e5870cb452d2, 0x1009a2ce615ac53d, 0x26187075cbfbefa8,
     0x843bc287230af389, 0x15bfd7dd8cdeb128}}},
    {{{0xee689bfbbb832a99, 0x4ce26d105941f383, 0xe82451a496a9c979, 0x131569490e28de18, 0xd7d5ee8599d1fca2,
     0x014353bdb96b626d}}, {{0x23048ef30d0a154f, 0x9495346f3d7ac9cd, 0xda5ed1ba9bfa0789, 0xef79de09fc63671f,
     0x03432fcae0181b4b, 0x1666c54b0a325295}}},
};

/* Returns 0 unless the bytes are a compressed point of G1: the number x, whose highest bits tell that it is compressed,
 * that the point is infinite, and that y is the larger of both roots. */
static int read_compressed(g1 *r, const uint8_t bytes[48]) {
    uint8_t x[48];
    int flags = bytes[0] >> 5;
    memcpy(x, bytes, sizeof x);
    x[0] &= 31;
    if (!(flags & 4) || !read_fp(&r->x, x)) return 0;
    r->infinite = flags >> 1 & 1;
    if (r->infinite) {
        memset(&r->y, 0, sizeof r->y);
        return !(flags & 1) && fp_is_zero(&r->x);
    }
    fp other;
    g1_right(&r->y, &r->x);
    if (!fp_root(&r->y)) return 0;
    fp_negate(&other, &r->y);
    if (fp_is_less(&r->y, &other) == (flags & 1)) r->y = other;
    return g1_in_group(r);
}

/* Reports whether a number is below the group's order. */
static int is_scalar(const uint8_t bytes[32]) {
    static const uint64_t order[4] = {0x73eda753299d7d48, 0x3339d80809a1d805, 0x53bda402fffe5bfe, 0xffffffff00000001};
    for (int i = 0; i < 4; i++) {
        uint64_t w = word_of(bytes + 8 * i);
        if (w != order[i]) return w < order[i];
    }
    return 0;
}

zkvm_status zkvm_kzg_point_eval(const zkvm_kzg_commitment *commitment, const zkvm_kzg_field_element *z,
                                const zkvm_kzg_field_element *y, const zkvm_kzg_proof *proof, bool *verified) {
    g1 c, w, minus = {.x = generator_x, .infinite = 0};
    *verified = false;
    if (!read_compressed(&c, commitment->data) || !read_compressed(&w, proof->data)) return ZKVM_EFAIL;
    if (!is_scalar(z->data) || !is_scalar(y->data)) return ZKVM_EFAIL;
    g1_multiples points[2];
    const uint8_t *scalars[2] = {y->data, z->data};
    fp_negate(&minus.y, &generator_y);
    g1_multiply_all(&points[0], &minus);
    g1_multiply_all(&points[1], &w);
    g1_multiply_add(&c, points, scalars, 2);

    pair pairs[2];
    size_t n = 0;
    product loops;
    if (!c.infinite) pair_of(&pairs[n++], &c.x, &c.y, &generator_2);
    if (!w.infinite) {
        fp_negate(&w.y, &w.y);
        pair_of(&pairs[n++], &w.x, &w.y, &setup);
    }
    if (!miller_loop(&loops, pairs, n)) return ZKVM_EFAIL; /* cannot fail */
    *verified = is_one_finally(value_of(&loops));
    return ZKVM_EOK;
}
