/* Implements the machine for native runs of standard.c: the input and the output are the standard streams, and plain C
 * implements the accelerators' calls. */
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

static void keccak_absorb(uint64_t state[25], const uint8_t *block) {
    for (int i = 0; i < ZKVM_KECCAK_RATE; i++) state[i / 8] ^= (uint64_t)block[i] << (8 * (i % 8));
    keccak_f(state);
}

/* Computes the fraction of the cube root of a prime by its index (FIPS 180-4, 4.2.2). */
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

/* Numbers have w words, at most MOST. */
#define MOST 6

/* x = x y mod m, by long division (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D). */
static void modmul(int w, uint64_t *x, const uint64_t *y, const uint64_t *m) {
    uint64_t u[2 * MOST + 1] = {0}, v[MOST] = {0};
    for (int i = 0; i < w; i++) {
        unsigned __int128 carry = 0;
        for (int k = 0; k < w; k++) {
            carry += (unsigned __int128)x[i] * y[k] + u[i + k];
            u[i + k] = (uint64_t)carry, carry >>= 64;
        }
        u[i + w] = (uint64_t)carry;
    }
    int n = w;
    while (!m[n - 1]) n--;
    int shift = __builtin_clzll(m[n - 1]);
    for (int i = 0; i < n; i++) v[i] = m[i] << shift | (shift && i ? m[i - 1] >> (64 - shift) : 0);
    for (int i = 2 * w; i >= 0; i--) u[i] = u[i] << shift | (shift && i ? u[i - 1] >> (64 - shift) : 0);
    for (int k = 2 * w - n; k >= 0; k--) {
        uint64_t *part = u + k, top = part[n];
        uint64_t q = top >= v[n - 1] ? ~0ull : (uint64_t)(((unsigned __int128)top << 64 | part[n - 1]) / v[n - 1]);
        unsigned __int128 carry = 0;
        uint64_t borrow = 0;
        for (int i = 0; i < n; i++) {
            carry += (unsigned __int128)q * v[i];
            uint64_t low = (uint64_t)carry, difference = part[i] - low, with = difference - borrow;
            borrow = (uint64_t)(part[i] < low) + (difference < borrow), part[i] = with, carry >>= 64;
        }
        __int128 rest = (__int128)top - (__int128)carry - borrow; /* negative if q is too large, by 2 at most */
        while (rest < 0) {
            carry = 0;
            for (int i = 0; i < n; i++) {
                carry += (unsigned __int128)part[i] + v[i];
                part[i] = (uint64_t)carry, carry >>= 64;
            }
            rest += (__int128)carry;
        }
        part[n] = 0;
    }
    memset(x, 0, 8 * (size_t)w);
    for (int i = 0; i < n; i++) x[i] = u[i] >> shift | (shift && i < n - 1 ? u[i + 1] << (64 - shift) : 0);
}

static inline int is_less(int w, const uint64_t *a, const uint64_t *b) {
    for (int i = w - 1; i >= 0; i--)
        if (a[i] != b[i]) return a[i] < b[i];
    return 0;
}

/* r = a + sign b; returns the carry or the borrow. */
static inline int add_signed(int w, uint64_t *r, const uint64_t *a, const uint64_t *b, int sign) {
    __int128 carry = 0;
    for (int i = 0; i < w; i++) {
        carry += (__int128)a[i] + sign * (__int128)b[i];
        r[i] = (uint64_t)carry, carry >>= 64;
    }
    return carry != 0;
}

/* r = a - b mod m, for numbers below m. */
static inline void sub_mod(int w, uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m) {
    if (add_signed(w, r, a, b, -1)) add_signed(w, r, r, m, 1);
}

/* r = a + b mod m, for numbers below m. */
static void add_mod(int w, uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m) {
    uint64_t minus[MOST], zero[MOST] = {0};
    sub_mod(w, minus, zero, b, m);
    sub_mod(w, r, a, minus, m);
}

static inline int is_even_or_zero(int w, const uint64_t *n, int *zero) {
    uint64_t all = 0;
    for (int i = 0; i < w; i++) all |= n[i];
    *zero = !all;
    return all && !(n[0] & 1);
}

/* Divides n, which is even, by as many twos as its lowest word shows, and x modulo the odd m by the same power of two: x plus
 * a multiple of m is divisible by it. minus_inverse is -1/m modulo 2^64. */
static inline void halve(int w, uint64_t *n, uint64_t *x, const uint64_t *m, uint64_t minus_inverse) {
    int k = n[0] ? __builtin_ctzll(n[0]) : 63;
    uint64_t q = x[0] * minus_inverse & ((UINT64_C(1) << k) - 1), top;
    unsigned __int128 carry = 0;
    for (int i = 0; i < w; i++) carry += (unsigned __int128)q * m[i] + x[i], x[i] = (uint64_t)carry, carry >>= 64;
    top = (uint64_t)carry;
    for (int i = 0; i < w; i++) {
        n[i] = n[i] >> k | (i < w - 1 ? n[i + 1] << (64 - k) : 0);
        x[i] = x[i] >> k | (i < w - 1 ? x[i + 1] : top) << (64 - k);
    }
}

/* x = 1/x mod a prime m, by halving (Knuth, The Art of Computer Programming 2, 4.5.2, exercise 39). It is most of the time
 * of all vectors, so the compiler shall know w. */
static inline __attribute__((always_inline)) void inverse_of(int w, uint64_t *x, const uint64_t *m) {
    uint64_t u[MOST], v[MOST], a[MOST] = {1}, b[MOST] = {0}, minus_inverse = m[0];
    size_t bytes = 8 * (size_t)w;
    for (int i = 0; i < 5; i++) minus_inverse *= 2 - m[0] * minus_inverse; /* Newton: m is its own inverse modulo 8 */
    minus_inverse = -minus_inverse;
    int zero;
    memcpy(u, x, bytes), memcpy(v, m, bytes);
    while (is_even_or_zero(w, u, &zero), !zero) {
        uint64_t *n = u[0] & 1 ? v : u, *of = u[0] & 1 ? b : a;
        if (u[0] & v[0] & 1) {
            n = is_less(w, u, v) ? v : u, of = n == u ? a : b;
            add_signed(w, n, n, n == u ? v : u, -1), sub_mod(w, of, of, n == u ? b : a, m);
        }
        while (is_even_or_zero(w, n, &zero)) halve(w, n, of, m, minus_inverse);
    }
    memcpy(x, b, bytes);
}

static void inverse(int w, uint64_t *x, const uint64_t *m) {
    if (w == 4) inverse_of(4, x, m);
    else inverse_of(6, x, m);
}

/* Products with sums, inverses modulo primes, and roots modulo primes that are 3 mod 4, by the power (m + 1)/4. */
static void field(int w, uint64_t *x, const uint64_t *yz, const uint64_t *field) {
    uint64_t r[MOST] = {1}, z[MOST] = {1}, zero[MOST] = {0}, m[MOST];
    size_t bytes = 8 * (size_t)w;
    memcpy(m, field, bytes);
    if (field[w] == ZKVM_FIELD_INVERT) {
        inverse(w, x, m);
        return;
    }
    if (field[w] == ZKVM_FIELD_MULTIPLY) {
        modmul(w, z, yz + w, m), modmul(w, x, yz, m), add_mod(w, x, x, z, m);
        return;
    }
    for (int i = 64 * w - 1; i >= 0; i--) {
        modmul(w, r, r, m);
        uint64_t e[MOST];
        for (int k = 0; k < w; k++) e[k] = m[k] >> 2 | (k < w - 1 ? m[k + 1] << 62 : 0);
        for (int k = 0; k < w && !++e[k]; k++) {}
        if (e[i / 64] >> (i % 64) & 1) modmul(w, r, x, m);
    }
    if (r[0] & 1) sub_mod(w, r, zero, r, m);
    memcpy(x, r, bytes);
}

static const uint64_t primes[4][MOST] = {
    {0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff},
    {0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001},
    {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029},
    {0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf, 0x4b1ba7b6434bacd7,
     0x1a0111ea397fe69a},
};

/* Computes p += q, or p = 2p if q is null. The curve is the index of its prime. */
static void sum(int w, uint64_t *p, const uint64_t *q, long curve) {
    static const uint64_t three[MOST] = {3}, zero[MOST];
    const uint64_t *m = primes[curve];
    uint64_t slope[MOST], below[MOST], x[MOST], y[MOST];
    size_t bytes = 8 * (size_t)w;
    if (q) {
        sub_mod(w, slope, q + w, p + w, m), sub_mod(w, below, q, p, m);
    } else {
        memcpy(slope, p, bytes), modmul(w, slope, p, m), modmul(w, slope, three, m);
        if (curve == ZKVM_P256) sub_mod(w, slope, slope, three, m);
        sub_mod(w, below, zero, p + w, m), sub_mod(w, below, p + w, below, m);
    }
    inverse(w, below, m), modmul(w, slope, below, m);
    memcpy(x, slope, bytes), modmul(w, x, slope, m), sub_mod(w, x, x, p, m), sub_mod(w, x, x, q ? q : p, m);
    sub_mod(w, y, p, x, m), modmul(w, y, slope, m), sub_mod(w, p + w, y, p + w, m), memcpy(p, x, bytes);
}

/* x = x y, x + y or x - y in Fp2, for parts below p. */
static void fp2(int w, uint64_t *x, const uint64_t *y, long operation, const uint64_t *p) {
    uint64_t ac[MOST], ad[MOST], bc[MOST], bd[MOST];
    size_t bytes = 8 * (size_t)w;
    if (operation == ZKVM_FP2_ADD) {
        add_mod(w, x, x, y, p), add_mod(w, x + w, x + w, y + w, p);
    } else if (operation == ZKVM_FP2_SUBTRACT) {
        sub_mod(w, x, x, y, p), sub_mod(w, x + w, x + w, y + w, p);
    } else {
        memcpy(ac, x, bytes), memcpy(ad, x, bytes), memcpy(bc, x + w, bytes), memcpy(bd, x + w, bytes);
        modmul(w, ac, y, p), modmul(w, ad, y + w, p), modmul(w, bc, y, p), modmul(w, bd, y + w, p);
        sub_mod(w, x, ac, bd, p), add_mod(w, x + w, ad, bc, p);
    }
}

/* z += x y in Fp2. */
static void fp2_sum(int w, uint64_t *z, const uint64_t *x, const uint64_t *y, const uint64_t *p) {
    uint64_t product[2 * MOST];
    memcpy(product, x, 16 * (size_t)w);
    fp2(w, product, y, ZKVM_FP2_MULTIPLY, p);
    fp2(w, z, product, ZKVM_FP2_ADD, p);
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
    case ZKVM_CALL_KECCAK_ABSORB: keccak_absorb((uint64_t *)a, (const uint8_t *)b + (size_t)c); return;
    case ZKVM_CALL_SHA256: sha256_compress((uint32_t *)a, b); return;
    case ZKVM_CALL_MODMUL: modmul(4, (uint64_t *)a, b, c); return;
    case ZKVM_CALL_NOTE: fprintf(stderr, "%.*s\n", (int)(size_t)b, (const char *)a); return;
    case ZKVM_CALL_FIELD256: field(4, (uint64_t *)a, b, c); return;
    case ZKVM_CALL_FIELD384: field(6, (uint64_t *)a, b, c); return;
    case ZKVM_CALL_WIDE256: wide256((uint64_t *)a, b, c); return;
    case ZKVM_CALL_EC256_ADD: sum(4, (uint64_t *)a, b, (long)c); return;
    case ZKVM_CALL_EC256_DOUBLE: sum(4, (uint64_t *)a, 0, (long)b); return;
    case ZKVM_CALL_EC384_ADD: sum(6, (uint64_t *)a, b, 3 + (long)c); return;
    case ZKVM_CALL_EC384_DOUBLE: sum(6, (uint64_t *)a, 0, 3 + (long)b); return;
    case ZKVM_CALL_FP2: fp2(4, (uint64_t *)a, b, (long)c, primes[2]); return;
    case ZKVM_CALL_FP2_384: fp2(6, (uint64_t *)a, b, (long)c, primes[3]); return;
    case ZKVM_CALL_FP2_SUM: fp2_sum(4, (uint64_t *)a, b, c, primes[2]); return;
    case ZKVM_CALL_FP2_384_SUM: fp2_sum(6, (uint64_t *)a, b, c, primes[3]); return;
    case ZKVM_CALL_BLAKE2B: blake2b_compress((uint64_t *)a, b, c); return;
    }
    fprintf(stderr, "native.c: the call %ld is not implemented\n", code);
    exit(3);
}
