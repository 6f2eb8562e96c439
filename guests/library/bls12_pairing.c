/* The pairing check of BLS12-381 (EIP-2537). */
#include "bls12_g1.h"
#include "bls12_pairing.h"
#include "zkvm_accelerators.h"

/* The number of pairs whose Miller loops share their squarings. */
#define AT_ONCE 8

zkvm_status zkvm_bls12_pairing(const zkvm_bls12_381_pairing_pair *pairs, size_t num_pairs, bool *verified) {
    pair some[AT_ONCE];
    size_t n = 0;
    fp12 f, t;
    product loops;
    fp12_one(&f);
    *verified = false;
    for (size_t i = 0; i < num_pairs; i++) {
        g1 p;
        g2 q;
        if (!g1_read(&p, pairs[i].g1.data) || !g1_in_group(&p) || !g2_read(&q, pairs[i].g2.data)) return ZKVM_EFAIL;
        if (p.infinite && !g2_in_group(&q)) return ZKVM_EFAIL;
        if (!p.infinite && !q.infinite) pair_of(&some[n++], &p.x, &p.y, &q.p);
        if (n == 0 || (n < AT_ONCE && i + 1 < num_pairs)) continue;
        if (!miller_loop(&loops, some, n)) return ZKVM_EFAIL; /* a point is not in G2 */
        fp12_mul(&t, &f, value_of(&loops));
        f = t, n = 0;
    }
    *verified = is_one_finally(&f);
    return ZKVM_EOK;
}
