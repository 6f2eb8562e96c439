// The challenges of a Fiat-Shamir transcript: extension elements from a counter-mode stream of Keccak-256, or from
// compressions of BLAKE3.
#include "blake3.cuh"
#include "keccak.cuh"

// Four words per thread: block i is the hash of a byte 0x01, the state and i, 41 bytes, of which all words after the
// first begin a byte late. Word w is coordinate w % 3 of element w / 3, which is stored at its index in places.
KERNEL(draw_extensions, 32, u64 *to, const u32 *places, Digest state, u64 elements) {
    const u64 block = global_index(), words = 3 * elements;
    if (4 * block >= words) return;
    u64 a[25], before = 0x01;
    UNROLL for (u32 i = 0; i < 5; i++) {
        u64 word = i < 4 ? state.lanes[i] : block;
        a[i] = before | word << 8;
        before = word >> 56;
    }
    a[5] = before | 0x0100;  // the padding's first byte after the message's last
    UNROLL for (u32 i = 6; i < 25; i++) a[i] = 0;
    a[KECCAK_RATE_LANES - 1] = 0x8000000000000000ull;
    keccak_f1600(a);
    UNROLL for (u32 i = 0; i < 4; i++) {
        u64 word = 4 * block + i;
        if (word < words) to[places[word / 3] + word % 3] = a[i];
    }
}

// One element per thread: draw i is the compression of a block of zeros under the state with the counter i + 2^32
// 255, and its first six words are the coordinates, the low half of each first.
KERNEL(draw_extensions_blake3, 32, u64 *to, const u32 *places, Digest state, u64 elements) {
    const u64 i = global_index();
    if (i >= elements) return;
    u32 cv[8];
    UNROLL for (u32 k = 0; k < 4; k++) cv[2 * k] = low(state.lanes[k]), cv[2 * k + 1] = high(state.lanes[k]);
    const u32 zeros[16] = {};
    blake3_compress(cv, zeros, (u32)i, 255, 0, 64);
    UNROLL for (u32 k = 0; k < 3; k++) to[places[i] + k] = pack(cv[2 * k], cv[2 * k + 1]);
}

#define MESSAGE_FIRST 16u
#define MESSAGE_LAST 32u

// The transcript of protocol 3 over one FRI layer, on one thread, because each compression needs the last one's result:
// it absorbs the cap, two digests a block, and draws the folding challenge. The state before is at before, or else
// state. The record gets the new state, the challenge, a zero, and the cap.
KERNEL(draw_layer, 32, u64 *record, const u64 *before, Digest state, const u64 *cap, u32 digests, u32 tag) {
    if (global_index() != 0) return;
    u32 cv[8];
    UNROLL for (u32 k = 0; k < 4; k++) {
        u64 word = before != nullptr ? before[k] : state.lanes[k];
        cv[2 * k] = low(word), cv[2 * k + 1] = high(word);
    }
    for (u32 i = 0; i < digests; i += 2) {
        const bool pair = i + 1 < digests;
        u32 message[16];
        UNROLL for (u32 k = 0; k < 8; k++) {
            u64 word = 0;
            if (k < 4 || pair) {
                word = cap[4 * i + k];
                record[8 + 4 * i + k] = word;
            }
            message[2 * k] = low(word), message[2 * k + 1] = high(word);
        }
        const u32 flags = (i == 0 ? MESSAGE_FIRST : 0) | (i + 2 >= digests ? MESSAGE_LAST : 0);
        blake3_compress(cv, message, i / 2, tag, pair ? 64 : 32, flags);
    }
    UNROLL for (u32 k = 0; k < 4; k++) record[k] = pack(cv[2 * k], cv[2 * k + 1]);
    const u32 zeros[16] = {};
    blake3_compress(cv, zeros, 0, 255, 0, 64);
    UNROLL for (u32 k = 0; k < 3; k++) record[4 + k] = pack(cv[2 * k], cv[2 * k + 1]);
    record[7] = 0;
}
