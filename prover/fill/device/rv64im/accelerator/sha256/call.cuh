// A call of SHA-256's compression function on a device.

DEVICE u32 turned32(u32 x, u32 right) { return x >> right | x << (32 - right); }

// The functions of FIPS 180-4, 4.1.2.
DEVICE u32 sha256_large0(u32 x) { return turned32(x, 2) ^ turned32(x, 13) ^ turned32(x, 22); }
DEVICE u32 sha256_large1(u32 x) { return turned32(x, 6) ^ turned32(x, 11) ^ turned32(x, 25); }
DEVICE u32 sha256_small0(u32 x) { return turned32(x, 7) ^ turned32(x, 18) ^ x >> 3; }
DEVICE u32 sha256_small1(u32 x) { return turned32(x, 17) ^ turned32(x, 19) ^ x >> 10; }
DEVICE u32 sha256_choice(u32 x, u32 y, u32 z) { return (x & y) ^ (~x & z); }
DEVICE u32 sha256_majority(u32 x, u32 y, u32 z) { return (x & y) ^ (x & z) ^ (y & z); }

// What a call reads: the state in reverse order, as the sequences A and E of the package begin, and the block.
struct Sha256Inputs {
    u32 a[4], e[4], w[16];
};

DEVICE u32 half_word(const u64 *words, u32 i) { return i % 2 == 0 ? low(words[i / 2]) : high(words[i / 2]); }

DEVICE void sha256_inputs(Sha256Inputs &s, const u64 *read) {
    UNROLL for (u32 i = 0; i < 16; i++) s.w[i] = half_word(read, i);
    UNROLL for (u32 i = 0; i < 4; i++) s.a[3 - i] = half_word(read + 8, i), s.e[3 - i] = half_word(read + 8, 4 + i);
}

// The rounds. put(i, a, e, w) receives word i of the sequences A, E and W, four before the rounds and one for each
// round; s keeps the last of them.
template <class Put> DEVICE void sha256_run(Sha256Inputs &s, const Put &put) {
    UNROLL for (u32 i = 0; i < 4; i++) put(i, s.a[i], s.e[i], 0);
    NO_UNROLL for (u32 first = 0; first < 64; first += 16) {
        UNROLL for (u32 j = 0; j < 16; j++) {
            if (first > 0)
                s.w[j] += sha256_small0(s.w[(j + 1) % 16]) + s.w[(j + 9) % 16] + sha256_small1(s.w[(j + 14) % 16]);
            const u32 a1 = s.a[(j + 3) % 4], a2 = s.a[(j + 2) % 4], a3 = s.a[(j + 1) % 4];
            const u32 e1 = s.e[(j + 3) % 4], e2 = s.e[(j + 2) % 4], e3 = s.e[(j + 1) % 4];
            const u32 constant = static_cast<u32>(sha256_round_constants[first + j]);
            const u32 t = s.e[j % 4] + sha256_large1(e1) + sha256_choice(e1, e2, e3) + constant + s.w[j];
            s.e[j % 4] = s.a[j % 4] + t;
            s.a[j % 4] = t + sha256_large0(a1) + sha256_majority(a1, a2, a3);
            put(4 + first + j, s.a[j % 4], s.e[j % 4], s.w[j]);
        }
    }
}

struct PutNothing {
    DEVICE_MEMBER void operator()(u32, u32, u32, u32) const {}
};

DEVICE bool compute(const u64 (&read)[12], u64 (&written)[4]) {
    Sha256Inputs s;
    sha256_inputs(s, read);
    sha256_run(s, PutNothing());
    UNROLL for (u32 i = 0; i < 2; i++) {
        written[i] = pack(low(read[8 + i]) + s.a[3 - 2 * i], high(read[8 + i]) + s.a[2 - 2 * i]);
        written[2 + i] = pack(low(read[10 + i]) + s.e[3 - 2 * i], high(read[10 + i]) + s.e[2 - 2 * i]);
    }
    return true;
}

// The high halves of the new state's words, and the carries into them.
template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[12], const u64 (&written)[4]) {
    UNROLL for (u32 i = 0; i < 8; i++) {
        const u32 now = half_word(written, i);
        row.put(C::high + i, now >> 16), row.put(C::carry + i, now < half_word(read + 8, i));
    }
}
