/* The machine for native runs of standard.c: inputs and output are the standard streams, and plain code implements the
 * accelerators' calls. */
#include "zkvm.h"
#include "zkvm_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void read_input(const uint8_t **buf_ptr, size_t *buf_size) {
    static uint8_t *bytes;
    static size_t size;
    if (!bytes) {
        bytes = malloc(1 << 27);
        size = fread(bytes, 1, 1 << 27, stdin);
    }
    *buf_ptr = bytes, *buf_size = size;
}

void write_output(const uint8_t *output, size_t size) { fwrite(output, 1, size, stdout); }

void zkvm_exit(int code) { exit(code); }

static uint64_t rotate_left(uint64_t x, int n) { return n ? x << n | x >> (64 - n) : x; }
static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* Keccak-f[1600] by the definition: rotations and round constants are computed (FIPS 202, 3.2). */
static void keccak_f(uint64_t a[25]) {
    uint8_t lfsr = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], b[25];
        for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int i = 0; i < 25; i++) a[i] ^= c[(i + 4) % 5] ^ rotate_left(c[(i + 1) % 5], 1);
        b[0] = a[0];
        for (int t = 0, x = 1, y = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            b[y + 5 * next] = rotate_left(a[x + 5 * y], (t + 1) * (t + 2) / 2 % 64);
            x = y, y = next;
        }
        for (int i = 0; i < 25; i++) a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
        for (int j = 0; j < 7; j++) {
            if (lfsr & 1) a[0] ^= (uint64_t)1 << ((1 << j) - 1);
            lfsr = (uint8_t)(lfsr << 1 ^ (lfsr & 128 ? 0x71 : 0));
        }
    }
}

/* Fractions of cube roots of the first 64 primes (FIPS 180-4, 4.2.2), computed. */
static uint32_t root_fraction(int i) {
    int p = 1;
    for (int k = 0; k <= i;) {
        int prime = ++p > 1;
        for (int d = 2; d * d <= p; d++) prime &= p % d != 0;
        k += prime;
    }
    unsigned __int128 low = 0, high = (unsigned __int128)8 << 32; /* 8^3 is above all the primes */
    while (low < high - 1) {
        unsigned __int128 middle = (low + high) / 2;
        if (middle * middle * middle <= (unsigned __int128)p << 96) low = middle;
        else high = middle;
    }
    return (uint32_t)low;
}

static void sha256_compress(uint32_t h[8], const uint32_t block[16]) {
    uint32_t w[64], v[8];
    static uint32_t k[64];
    for (int i = 0; !k[63] && i < 64; i++) k[i] = root_fraction(i);
    memcpy(w, block, 64);
    memcpy(v, h, sizeof v);
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 64; i++) {
        uint32_t t = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t s = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 28);
        v[4] += t;
        v[0] = t + s;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

/* x = x y mod m, bit by bit. */
static void modmul(uint64_t x[4], const uint64_t y[4], const uint64_t m[4]) {
    uint64_t product[8] = {0}, r[5] = {0};
    for (int i = 0; i < 4; i++) {
        unsigned __int128 carry = 0;
        for (int k = 0; k < 4; k++) {
            carry += (unsigned __int128)x[i] * y[k] + product[i + k];
            product[i + k] = (uint64_t)carry, carry >>= 64;
        }
        product[i + 4] = (uint64_t)carry;
    }
    for (int bit = 511; bit >= 0; bit--) {
        for (int i = 4; i > 0; i--) r[i] = r[i] << 1 | r[i - 1] >> 63;
        r[0] = r[0] << 1 | (product[bit / 64] >> (bit % 64) & 1);
        int less = 0;
        for (int i = 3; i >= 0 && !r[4]; i--)
            if (r[i] != m[i]) {
                less = r[i] < m[i];
                break;
            }
        if (less) continue;
        unsigned __int128 borrow = 0;
        for (int i = 0; i < 4; i++) {
            unsigned __int128 d = (unsigned __int128)r[i] - m[i] - borrow;
            r[i] = (uint64_t)d, borrow = d >> 64 & 1;
        }
        r[4] = 0;
    }
    memcpy(x, r, 32);
}

static int is_less(const uint64_t *a, const uint64_t *b) {
    for (int i = 3; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i];
    return 0;
}

/* r = a + sign b; returns the carry or the borrow. */
static int add_signed(uint64_t *r, const uint64_t *a, const uint64_t *b, int sign) {
    __int128 carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (__int128)a[i] + sign * (__int128)b[i];
        r[i] = (uint64_t)carry, carry >>= 64;
    }
    return carry != 0;
}

/* r = a - b mod m, for numbers below m. */
static void sub_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m) {
    if (add_signed(r, a, b, -1)) add_signed(r, r, m, 1);
}

/* x = 1/x mod a prime m, by halving (Knuth, The Art of Computer Programming 2, 4.5.2, exercise 39). */
static void inverse(uint64_t x[4], const uint64_t m[4]) {
    uint64_t u[4], v[4], a[4] = {1}, b[4] = {0};
    memcpy(u, x, 32), memcpy(v, m, 32);
    while (u[0] | u[1] | u[2] | u[3]) {
        uint64_t *n = u[0] & 1 ? v : u, *of = u[0] & 1 ? b : a;
        if (u[0] & v[0] & 1) {
            n = is_less(u, v) ? v : u, of = n == u ? a : b;
            add_signed(n, n, n == u ? v : u, -1), sub_mod(of, of, n == u ? b : a, m);
        }
        for (; n[3] | n[2] | n[1] | n[0] && !(n[0] & 1);) {
            uint64_t top = of[0] & 1 ? (uint64_t)add_signed(of, of, m, 1) : 0;
            for (int i = 0; i < 4; i++) {
                n[i] = n[i] >> 1 | (i < 3 ? n[i + 1] << 63 : 0);
                of[i] = of[i] >> 1 | (i < 3 ? of[i + 1] : top) << 63;
            }
        }
    }
    memcpy(x, b, 32);
}

/* Products with sums, inverses modulo primes, and roots modulo primes that are 3 mod 4, by the power (m + 1)/4. */
static void field256(uint64_t x[4], const uint64_t yz[8], const uint64_t field[5]) {
    uint64_t r[4] = {1}, zero[4] = {0}, m[4];
    memcpy(m, field, 32);
    if (field[4] == ZKVM_FIELD_INVERT) {
        inverse(x, m);
        return;
    }
    if (field[4] == ZKVM_FIELD_MULTIPLY) {
        modmul(r, yz + 4, m), sub_mod(r, zero, r, m);
        modmul(x, yz, m), sub_mod(x, x, r, m);
        return;
    }
    for (int i = 255; i >= 0; i--) {
        modmul(r, r, m);
        uint64_t e[4] = {(m[0] >> 2 | m[1] << 62) + 1, m[1] >> 2 | m[2] << 62, m[2] >> 2 | m[3] << 62, m[3] >> 2};
        for (int k = 1; k < 4 && !e[k - 1]; k++) e[k]++;
        if (e[i / 64] >> (i % 64) & 1) modmul(r, x, m);
    }
    if (r[0] & 1) sub_mod(r, zero, r, m);
    memcpy(x, r, 32);
}

/* p += q, or p = 2p without q. */
static void sum(uint64_t p[8], const uint64_t *q, long curve) {
    static const uint64_t primes[3][4] = {
        {0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff},
        {0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001},
        {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029},
    }, three[4] = {3}, zero[4];
    const uint64_t *m = primes[curve];
    uint64_t slope[4], below[4], x[4], y[4];
    if (q) {
        sub_mod(slope, q + 4, p + 4, m), sub_mod(below, q, p, m);
    } else {
        memcpy(slope, p, 32), modmul(slope, p, m), modmul(slope, three, m);
        if (curve == ZKVM_P256) sub_mod(slope, slope, three, m);
        sub_mod(below, zero, p + 4, m), sub_mod(below, p + 4, below, m);
    }
    inverse(below, m), modmul(slope, below, m);
    memcpy(x, slope, 32), modmul(x, slope, m), sub_mod(x, x, p, m), sub_mod(x, x, q ? q : p, m);
    sub_mod(y, p, x, m), modmul(y, slope, m), sub_mod(p + 4, y, p + 4, m), memcpy(p, x, 32);
}

/* x = x y, x + y or x - y in BN254's Fp2, for parts below p. */
static void fp2(uint64_t x[8], const uint64_t y[8], long operation) {
    static const uint64_t p[4] = {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}, zero[4];
    uint64_t ac[4], ad[4], bc[4], bd[4];
    if (operation != ZKVM_FP2_MULTIPLY) {
        memcpy(ac, y, 32), memcpy(ad, y + 4, 32);
        if (operation == ZKVM_FP2_ADD) sub_mod(ac, zero, ac, p), sub_mod(ad, zero, ad, p);
        sub_mod(x, x, ac, p), sub_mod(x + 4, x + 4, ad, p);
        return;
    }
    memcpy(ac, x, 32), memcpy(ad, x, 32), memcpy(bc, x + 4, 32), memcpy(bd, x + 4, 32);
    modmul(ac, y, p), modmul(ad, y + 4, p), modmul(bc, y, p), modmul(bd, y + 4, p);
    sub_mod(bc, zero, bc, p);
    sub_mod(x, ac, bd, p), sub_mod(x + 4, ad, bc, p);
}

/* BLAKE2b's twelve rounds (RFC 7693, 3.2). */
static void blake2b_compress(uint64_t h[8], const uint64_t m[16], const uint64_t end[4]) {
    static const uint64_t iv[4] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1};
    static const char *sigma[10] = {"0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8",
                                    "905724afe1bc683d", "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a",
                                    "6fe9b308c2d714a5", "a2847615fb9e3cd0"};
    uint64_t v[16];
    memcpy(v, h, 64), memcpy(v + 8, iv, 32), memcpy(v + 12, end, 32);
    for (int i = 0; i < 96; i++) {
        int g = i % 8, a = g % 4, b = 4 + (g + g / 4) % 4, c = 8 + (g + g / 4 * 2) % 4, d = 12 + (g + g / 4 * 3) % 4;
        const char *s = sigma[i / 8 % 10] + 2 * g;
        for (int half = 0; half < 2; half++) {
            v[a] += v[b] + m[s[half] <= '9' ? s[half] - '0' : s[half] - 'a' + 10];
            v[d] = rotate_left(v[d] ^ v[a], half ? 48 : 32);
            v[c] += v[d];
            v[b] = rotate_left(v[b] ^ v[c], half ? 1 : 40);
        }
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

/* sum += x y */
static void wide256(uint64_t sum[9], const uint64_t x[4], const uint64_t y[4]) {
    for (int i = 0; i < 4; i++) {
        unsigned __int128 carry = 0;
        for (int k = i; k < 9; k++, carry >>= 64) {
            carry += sum[k] + (k - i < 4 ? (unsigned __int128)x[i] * y[k - i] : 0);
            sum[k] = (uint64_t)carry;
        }
    }
}

void zkvm_call(long code, const void *a, const void *b, const void *c) {
    switch (code) {
    case ZKVM_CALL_KECCAK: keccak_f((uint64_t *)a); return;
    case ZKVM_CALL_SHA256: sha256_compress((uint32_t *)a, b); return;
    case ZKVM_CALL_MODMUL: modmul((uint64_t *)a, b, c); return;
    case ZKVM_CALL_NOTE: fprintf(stderr, "%.*s\n", (int)(size_t)b, (const char *)a); return;
    case ZKVM_CALL_FIELD256: field256((uint64_t *)a, b, c); return;
    case ZKVM_CALL_WIDE256: wide256((uint64_t *)a, b, c); return;
    case ZKVM_CALL_EC256_ADD: sum((uint64_t *)a, b, (long)c); return;
    case ZKVM_CALL_EC256_DOUBLE: sum((uint64_t *)a, 0, (long)b); return;
    case ZKVM_CALL_FP2: fp2((uint64_t *)a, b, (long)c); return;
    case ZKVM_CALL_BLAKE2B: blake2b_compress((uint64_t *)a, b, c); return;
    }
    fprintf(stderr, "native.c: the call %ld is not made here\n", code);
    exit(3);
}
