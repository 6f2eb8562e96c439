// A call of a compression function of the family on a device. Words have LIMBS limbs of 32 bits.
constexpr u32 WORD_BYTES = 4 * LIMBS, READ_WORDS = 14 * LIMBS;

DEVICE u64 cut(u64 x) { return LIMBS == 1 ? x & 0xffffffffull : x; }
DEVICE u64 turned(u64 x, u32 right) { return cut(x >> right | x << (32 * LIMBS - right)); }

// Word i of those that follow each other in memory.
DEVICE u64 word_of(const u64 *memory, u32 i) {
    if (LIMBS == 2) return memory[i];
    return i % 2 == 0 ? low(memory[i / 2]) : high(memory[i / 2]);
}

// The results of a quarter round, in this order.
struct Quarter {
    u64 a1, x1, c1, x2, b1, a2, x3, c2, x4, b2;
};

DEVICE void quarter_round(Quarter &q, u64 &a, u64 &b, u64 &c, u64 &d, u64 mx, u64 my) {
    q.a1 = cut(a + b + mx), q.x1 = d ^ q.a1;
    const u64 d1 = turned(q.x1, TURN_0);
    q.c1 = cut(c + d1), q.x2 = b ^ q.c1, q.b1 = turned(q.x2, TURN_1);
    q.a2 = cut(q.a1 + q.b1 + my), q.x3 = d1 ^ q.a2;
    const u64 d2 = turned(q.x3, TURN_2);
    q.c2 = cut(q.c1 + d2), q.x4 = q.b1 ^ q.c2, q.b2 = turned(q.x4, TURN_3);
    a = q.a2, b = q.b2, c = q.c2, d = d2;
}

// The first state and the block of a call.
DEVICE void inputs_of(u64 (&state)[16], u64 (&block)[16], const u64 *read) {
    UNROLL for (u32 i = 0; i < 4; i++) state[12 + i] = word_of(read, i), state[8 + i] = iv[i];
    UNROLL for (u32 i = 0; i < 16; i++) block[i] = word_of(read, 4 + i);
    UNROLL for (u32 i = 0; i < 8; i++) state[i] = word_of(read, 20 + i);
}

// A round. put(i, q) receives the results of quarter round i.
template <class Put> DEVICE void round_of(u64 (&v)[16], const u64 (&block)[16], u32 round, const Put &put) {
    UNROLL for (u32 i = 0; i < 8; i++) {
        const u32 j = i % 4, turn = i / 4;
        const u64 mx = block[schedule[16 * round + 2 * i]], my = block[schedule[16 * round + 2 * i + 1]];
        Quarter q;
        quarter_round(q, v[j], v[4 + (j + turn) % 4], v[8 + (j + 2 * turn) % 4], v[12 + (j + 3 * turn) % 4], mx, my);
        put(i, q);
    }
}

struct PutNothing {
    DEVICE_MEMBER void operator()(u32, const Quarter &) const {}
};

// The last state.
DEVICE void last_state(u64 (&state)[16], const u64 *read) {
    u64 block[16];
    inputs_of(state, block, read);
    NO_UNROLL for (u32 r = 0; r < ROUNDS; r++) round_of(state, block, r, PutNothing());
}

DEVICE u64 result_word(const u64 (&state)[16], const u64 *read, u32 i) {
    return state[i] ^ state[i + 8] ^ (FEED ? word_of(read, 20 + i) : 0);
}

DEVICE bool compute(const u64 (&read)[READ_WORDS], u64 (&written)[4 * LIMBS]) {
    u64 state[16];
    last_state(state, read);
    UNROLL for (u32 i = 0; i < 4 * LIMBS; i++)
        written[i] = LIMBS == 2 ? result_word(state, read, i)
            : pack(low(result_word(state, read, 2 * i)), low(result_word(state, read, 2 * i + 1)));
    return true;
}

template <class R> DEVICE void put_word(const R &row, u32 column, u32 i, u64 word) {
    UNROLL for (u32 k = 0; k < WORD_BYTES; k++) row.put(column + WORD_BYTES * i + k, word >> (8 * k) & 0xff);
}

// The columns that feed a result: there are none unless FEED.
template <class C, u32 FEEDS> struct Fed {
    template <class R> DEVICE_MEMBER static void put(const R &, const u64 (&)[16], const u64 *) {}
};
template <class C> struct Fed<C, 1> {
    template <class R> DEVICE_MEMBER static void put(const R &row, const u64 (&state)[16], const u64 *read) {
        UNROLL for (u32 i = 0; i < 8; i++) {
            put_word(row, C::chaining, i, word_of(read, 20 + i));
            put_word(row, C::fed, i, result_word(state, read, i));
        }
    }
};

template <class C, class R>
DEVICE void own_columns(const R &row, const u64 (&read)[READ_WORDS], const u64 (&)[4 * LIMBS]) {
    u64 state[16];
    last_state(state, read);
    UNROLL for (u32 i = 0; i < 16; i++) put_word(row, C::last, i, state[i]);
    UNROLL for (u32 i = 0; i < 8; i++) put_word(row, C::result, i, state[i] ^ state[i + 8]);
    Fed<C, FEED>::put(row, state, read);
}
