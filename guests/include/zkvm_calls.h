/* The calls of this machine's accelerators, one ECALL each. Other machines do not have them: portable programs use
 * zkvm_accelerators.h. Operands are aligned 64-bit words. They may overlap, because all are read before the result is
 * written. */
#ifndef ZKVM_CALLS_H
#define ZKVM_CALLS_H

#include <stddef.h>
#include <stdint.h>

#define ZKVM_CALL_KECCAK 0x100
#define ZKVM_CALL_SHA256 0x101
#define ZKVM_CALL_MODMUL 0x102
#define ZKVM_CALL_KECCAK_ABSORB 0x103
#define ZKVM_CALL_FIELD256 0x110
#define ZKVM_CALL_FIELD384 0x111
#define ZKVM_CALL_WIDE256 0x112
#define ZKVM_CALL_EC256_ADD 0x120
#define ZKVM_CALL_EC256_DOUBLE 0x121
#define ZKVM_CALL_EC384_ADD 0x122
#define ZKVM_CALL_EC384_DOUBLE 0x123
#define ZKVM_CALL_FP2 0x130
#define ZKVM_CALL_FP2_384 0x131
#define ZKVM_CALL_FP2_SUM 0x132
#define ZKVM_CALL_FP2_384_SUM 0x133
#define ZKVM_CALL_BLAKE2B 0x140
#define ZKVM_CALL_BLAKE3 0x141
#define ZKVM_CALL_FP3_ROW 0x160
#define ZKVM_CALL_FP3_MULTIPLY_ADD 0x161
#define ZKVM_CALL_NOTE 1
#define ZKVM_CALL_HALT 93

/* The maximum number of bytes of a note. */
#define ZKVM_NOTE_MAX 65536

#ifdef __riscv
static inline void zkvm_call(long code, const void *a, const void *b, const void *c) {
    register const void *a0 __asm__("a0") = a;
    register const void *a1 __asm__("a1") = b;
    register const void *a2 __asm__("a2") = c;
    register long a7 __asm__("a7") = code;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a1), "r"(a2), "r"(a7) : "memory");
}
#else /* in native tests, the test implements the calls */
void zkvm_call(long code, const void *a, const void *b, const void *c);
#endif

/* Shows bytes to the user who runs the program, on stderr, without effect on the program or its proof. More than
 * ZKVM_NOTE_MAX bytes trap. */
static inline void zkvm_note(const void *text, size_t size) { zkvm_call(ZKVM_CALL_NOTE, text, (const void *)size, 0); }

/* Keccak-f[1600] on a state; lane (x, y) is state[x + 5y]. */
static inline void zkvm_keccak_f(uint64_t state[25]) { zkvm_call(ZKVM_CALL_KECCAK, state, 0, 0); }

/* The bytes of a block of Keccak-256, SHA3-256 and SHAKE256. */
#define ZKVM_KECCAK_RATE 136

/* Adds a block to a state, at any address, and permutes the state. The machine reads the 18 words that the block begins
 * and ends in; if the block is aligned, the 18th is the word after it, which does not affect the result. The call traps
 * only if this word is outside of memory: no region that the linker script or the machine fills ends there. */
static inline void zkvm_keccak_absorb(uint64_t state[25], const void *block) {
    uintptr_t at = (uintptr_t)block;
    zkvm_call(ZKVM_CALL_KECCAK_ABSORB, state, (const void *)(at & ~(uintptr_t)7), (const void *)(at & 7));
}

/* SHA-256's compression of a block into a state, both as 32-bit numbers rather than bytes, and aligned to 8. */
static inline void zkvm_sha256_compress(uint32_t state[8], const uint32_t block[16]) {
    zkvm_call(ZKVM_CALL_SHA256, state, block, 0);
}

/* x = x * y mod m, least significant word first. x and y may be m or more; m = 0 traps. */
static inline void zkvm_modmul(uint64_t x[4], const uint64_t y[4], const uint64_t m[4]) {
    zkvm_call(ZKVM_CALL_MODMUL, x, y, m);
}

/* Operations of zkvm_field256 and zkvm_field384. */
#define ZKVM_FIELD_MULTIPLY 0 /* x = x y + z mod m; traps if m is 0 */
#define ZKVM_FIELD_INVERT 1   /* x = 1/x mod m; traps if x and m have a common divisor, or m is below 2 */
/* x = the even square root of x mod m, or of -x if x is not a square: square it to tell. m must be the prime of
 * secp256k1, P-256 or BN254, or of BLS12-381 for zkvm_field384; any other m traps. */
#define ZKVM_FIELD_ROOT 2

/* Arithmetic modulo m on numbers of any 256 bits, least significant word first. yz has y and z, field has m and the
 * operation. Every operation reads yz. */
static inline void zkvm_field256(uint64_t x[4], const uint64_t yz[8], const uint64_t field[5]) {
    zkvm_call(ZKVM_CALL_FIELD256, x, yz, field);
}

/* sum = sum + x y without a modulus, least significant word first. The ninth word counts overflows of 512 bits; a sum
 * of 2^544 or more traps. Long numbers are multiplied by columns: the products of digits of 256 bits whose indices add
 * up to k are added at word 4k of the result. */
static inline void zkvm_wide256(uint64_t sum[9], const uint64_t x[4], const uint64_t y[4]) {
    zkvm_call(ZKVM_CALL_WIDE256, sum, x, y);
}

/* Like zkvm_field256, on numbers of 384 bits. */
static inline void zkvm_field384(uint64_t x[6], const uint64_t yz[12], const uint64_t field[7]) {
    zkvm_call(ZKVM_CALL_FIELD384, x, yz, field);
}

/* Curves of the calls for points of 256 bits. */
#define ZKVM_SECP256K1 0
#define ZKVM_P256 1
#define ZKVM_BN254 2

/* p = p + q on a curve; points are x and y, least significant word first. Traps if both have the same x, or an x is not
 * below the curve's prime. It does not check that points are on the curve. */
static inline void zkvm_ec256_add(uint64_t p[8], const uint64_t q[8], long curve) {
    zkvm_call(ZKVM_CALL_EC256_ADD, p, q, (const void *)curve);
}

/* p = 2p. Traps if y is 0 or not below the curve's prime. */
static inline void zkvm_ec256_double(uint64_t p[8], long curve) {
    zkvm_call(ZKVM_CALL_EC256_DOUBLE, p, (const void *)curve, 0);
}

/* The same on curves over 384 bits. */
#define ZKVM_BLS12_381 0

static inline void zkvm_ec384_add(uint64_t p[12], const uint64_t q[12], long curve) {
    zkvm_call(ZKVM_CALL_EC384_ADD, p, q, (const void *)curve);
}

static inline void zkvm_ec384_double(uint64_t p[12], long curve) {
    zkvm_call(ZKVM_CALL_EC384_DOUBLE, p, (const void *)curve, 0);
}

/* Operations of zkvm_fp2 and zkvm_fp2_384: x = x y, x + y, x - y. */
#define ZKVM_FP2_MULTIPLY 0
#define ZKVM_FP2_ADD 1
#define ZKVM_FP2_SUBTRACT 2

/* Arithmetic in BN254's field Fp[u]/(u^2 + 1): the real part comes first, each part with the least significant word
 * first. Parts may have any 256 bits; results are below p. */
static inline void zkvm_fp2(uint64_t x[8], const uint64_t y[8], long operation) {
    zkvm_call(ZKVM_CALL_FP2, x, y, (const void *)operation);
}

/* z = z + x y in the same field. */
static inline void zkvm_fp2_sum(uint64_t z[8], const uint64_t x[8], const uint64_t y[8]) {
    zkvm_call(ZKVM_CALL_FP2_SUM, z, x, y);
}

/* The same in BLS12-381's field Fp[u]/(u^2 + 1), whose parts have 384 bits. */
static inline void zkvm_fp2_384(uint64_t x[12], const uint64_t y[12], long operation) {
    zkvm_call(ZKVM_CALL_FP2_384, x, y, (const void *)operation);
}

static inline void zkvm_fp2_384_sum(uint64_t z[12], const uint64_t x[12], const uint64_t y[12]) {
    zkvm_call(ZKVM_CALL_FP2_384_SUM, z, x, y);
}

/* BLAKE2b's compression of a block into a chaining value. end has the last four words of the first state: the IV's
 * words, with the counter and the flag of the last block (RFC 7693, 3.2). */
static inline void zkvm_blake2b_compress(uint64_t h[8], const uint64_t block[16], const uint64_t end[4]) {
    zkvm_call(ZKVM_CALL_BLAKE2B, h, block, end);
}

/* BLAKE3's compression of a block into a chaining value, both as 32-bit numbers and aligned to 8. end has the counter,
 * and the block's length with the flags in the high half. */
static inline void zkvm_blake3_compress(uint32_t cv[8], const uint32_t block[16], const uint64_t end[2]) {
    zkvm_call(ZKVM_CALL_BLAKE3, cv, block, end);
}

/* Arithmetic in the field of this machine's proofs, Fp[w]/(w^3 - 2) with p = 2^64 - 2^32 + 1: an element is c0, c1, c2 of
 * c0 + c1 w + c2 w^2. Words may be any 64 bits and count modulo p; results are below p. */

/* sum[0..2] += row[0] coefficients[0..2] + row[1] coefficients[3..5] + ...; sum[3] = 1 if a word of the row is not
 * below p, else it does not change. */
static inline void zkvm_fp3_row(uint64_t sum[4], const uint64_t row[8], const uint64_t coefficients[24]) {
    zkvm_call(ZKVM_CALL_FP3_ROW, sum, row, coefficients);
}

/* sum += a b. */
static inline void zkvm_fp3_multiply_add(uint64_t sum[3], const uint64_t a[3], const uint64_t b[3]) {
    zkvm_call(ZKVM_CALL_FP3_MULTIPLY_ADD, sum, a, b);
}

#endif
