// Results of sorting the accesses by word: each word's value before an access and the time of its last access, the
// touched words, and the rows of the boundary.
#include "words.cuh"

#define CHAIN_THREADS 256

// The effect of a run of accesses on the last word in it: the bytes of the mask, all of them if the word's first access
// is in the run. Loads change nothing. kept counts the words whose last access is in the run: its upper half counts all
// of them, its lower half omits words of the private input that were never read.
struct Link {
    u64 value, kept;
    u32 mask, starts;
};

// The bytes of a mask as bits: the product puts bit i at 8 i and elsewhere; with eight bits the last would collide
// with the first.
DEVICE u64 bits_of(u32 mask) {
    return (((mask & 0x7f) * 0x0002040810204081ull & 0x0001010101010101ull) | static_cast<u64>(mask >> 7) << 56) * 0xff;
}
DEVICE u64 merged(u64 old, u64 value, u32 mask) { return (old & ~bits_of(mask)) | (value & bits_of(mask)); }

DEVICE void append(Link &r, const Link &a, const Link &b) {
    const u64 kept = a.kept + b.kept, value = b.starts ? b.value : merged(a.value, b.value, b.mask);
    const u32 mask = b.starts ? b.mask : a.mask | b.mask, starts = a.starts | b.starts;
    r.value = value, r.kept = kept, r.mask = mask, r.starts = starts;
}

DEVICE void no_link(Link &r) { r.value = r.kept = 0, r.mask = r.starts = 0; }

// An access and its position among those of its word.
struct Place {
    const WordAccess *access;
    u32 number;
    bool first, last;
    DEVICE_MEMBER bool unread() const { return first && last && access->role == ROLE_PRIVATE; }
};

DEVICE void place_at(Place &p, const Sets &sets, u32 state, u32 i, u32 n) {
    const u64 *keys = set_of<const u64>(sets, SET_KEYS), key = keys[i];
    p.number = low(key), p.access = word_access(sets, state, p.number);
    p.first = i == 0 || word_of_key(keys[i - 1]) != word_of_key(key);
    p.last = i + 1 == n || word_of_key(keys[i + 1]) != word_of_key(key);
}

DEVICE void link_of(Link &r, const Place &p) {
    r.mask = p.first ? 0xff : p.access->mask, r.starts = p.first;
    r.kept = static_cast<u64>(p.last) << 32 | (p.last && !p.unread());
    r.value = p.first ? merged(0, p.access->value, p.access->mask) : p.access->value;
}

DEVICE void own_links(Link &own, const Sets &sets, u32 state, u32 first, u32 n) {
    no_link(own);
    for (u32 i = first; i < first + CHAIN_EACH && i < n; i++) {
        Place p;
        Link next;
        place_at(p, sets, state, i, n);
        link_of(next, p);
        append(own, own, next);
    }
}

// The links before each thread's links, and the total.
DEVICE void scan_links(Link *shared, const Link &own, Link &before, Link &total) {
    const u32 t = threadIdx.x;
    shared[t] = own;
    __syncthreads();
    NO_UNROLL for (u32 distance = 1; distance < CHAIN_THREADS; distance *= 2) {
        Link earlier;
        no_link(earlier);
        if (t >= distance) earlier = shared[t - distance];
        __syncthreads();
        append(shared[t], earlier, shared[t]);
        __syncthreads();
    }
    no_link(before);
    if (t > 0) before = shared[t - 1];
    total = shared[CHAIN_THREADS - 1];
    __syncthreads();
}

DEVICE u32 chain_length(const Sets &sets) { return faulty(sets) ? 0 : static_cast<u32>(all_words(sets)); }

// a is the set with the state of memory before the group.
KERNEL(chain_blocks, CHAIN_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(Link, shared, [CHAIN_THREADS]);
    Link own, before, total;
    own_links(own, sets, static_cast<u32>(a), static_cast<u32>(global_index()) * CHAIN_EACH, chain_length(sets));
    scan_links(shared, own, before, total);
    if (threadIdx.x == 0) set_of<Link>(sets, SET_LINKS)[blockIdx.x] = total;
}

// One block: b totals. a is the set with the state of memory after the group.
KERNEL(chain_totals, CHAIN_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(Link, shared, [CHAIN_THREADS]);
    Link *totals = set_of<Link>(sets, SET_LINKS), carried;
    no_link(carried);
    NO_UNROLL for (u64 first = 0; first < b; first += CHAIN_THREADS) {
        const u64 i = first + threadIdx.x;
        Link own, before, total;
        no_link(own);
        if (i < b) own = totals[i];
        scan_links(shared, own, before, total);
        if (i < b) append(totals[i], carried, before);
        append(carried, carried, total);
    }
    if (threadIdx.x != 0 || faulty(sets)) return;
    if (high(carried.kept) > length_of<WordAccess>(sets, static_cast<u32>(a))) report(sets, TABLE_MB, FAULT_COUNT);
    set_of<u64>(sets, SET_TOUCHED_COUNT)[0] = low(carried.kept),
        carried_behind(sets)[CARRIED_STATE] = high(carried.kept);
}

// A private word's row: its value, and its number if the program accessed it.
DEVICE void put_private(const Sets &sets, const Place &p) {
    const u32 row = p.access->word - PRIVATE_INPUT_WORD;
    if (row >= length_of<InitialWord>(sets, TABLE_PRIV)) return;
    InitialWord *list = set_of<InitialWord>(sets, TABLE_PRIV);
    list[row].index = p.last ? 0 : p.access->word, list[row].unused = 0, list[row].value = p.access->value;
}

// Stores the word's previous value and the time of the previous access for an access of the group.
DEVICE void put_found(const Sets &sets, const Place &p, u32 number, u64 old, u64 time) {
    number += static_cast<u32>(carried_before(sets)[CARRIED_ACCESSES]);
    u64 *held = set_of<u64>(sets, SET_OLD) + number;
    const u64 seen = p.access->role == ROLE_CALL ? *held : p.access->value;  // what the replay read
    if ((p.access->mask == 0 || p.access->role == ROLE_CALL) && seen != old)
        report(sets, p.access->time / 4, FAULT_READ);
    *held = old;
    set_of<u64>(sets, SET_PREVIOUS)[number] = time;
}

// The state of a word after the group, and the number of words up to it.
DEVICE void put_known(const Sets &sets, const Place &p, u32 to, u64 kept, u64 value) {
    WordAccess *known = set_of<WordAccess>(sets, to) + (high(kept) - 1);
    known->word = p.access->word, known->time = p.access->time, known->mask = 0xff;
    known->role = p.unread() ? ROLE_PRIVATE : ROLE_PLAIN, known->value = value;
    known->unused[0] = known->unused[1] = 0;
    if (!p.unread() && low(kept) <= length_of<Touched>(sets, SET_TOUCHED)) {
        Touched *t = set_of<Touched>(sets, SET_TOUCHED) + (low(kept) - 1);
        t->word = p.access->word, t->unused = 0, t->last = p.access->time, t->value = value;
    }
}

// Updates the state of memory from set a to set b. Without a bound the compiler spills to fit more blocks on a
// multiprocessor.
KERNEL_OCCUPANCY(chain_apply, CHAIN_THREADS, 5, Sets sets, u64 a, u64 b) {
    SHARED(Link, shared, [CHAIN_THREADS]);
    const u32 state = static_cast<u32>(a), n = chain_length(sets),
        first = static_cast<u32>(global_index()) * CHAIN_EACH;
    const u32 known = static_cast<u32>(known_words(sets));
    Link own, before, total;
    own_links(own, sets, state, first, n);
    scan_links(shared, own, before, total);
    const Link carried = set_of<const Link>(sets, SET_LINKS)[blockIdx.x];
    append(before, carried, before);
    u64 time = 0;  // of the previous access
    if (first > 0 && first < n)
        time = word_access(sets, state, low(set_of<const u64>(sets, SET_KEYS)[first - 1]))->time;
    for (u32 i = first; i < first + CHAIN_EACH && i < n; i++) {
        Place p;
        Link next;
        place_at(p, sets, state, i, n);
        link_of(next, p);
        if (p.number >= known) {
            put_found(sets, p, p.number - known, p.first ? 0 : before.value, p.first ? 0 : time);
        } else if (p.access->role == ROLE_PRIVATE) {
            put_private(sets, p);
        }
        append(before, before, next);
        if (p.last) put_known(sets, p, static_cast<u32>(b), before.kept, before.value);
        time = p.access->time;
    }
}

// The boundary's rows: touched words, with rows in between if they are too far apart, and the words before and after
// memory.
DEVICE u64 touched_words(const Sets &sets) { return faulty(sets) ? 0 : set_of<const u64>(sets, SET_TOUCHED_COUNT)[0]; }
DEVICE u32 touched_word(const Sets &sets, u64 i, u64 count) {
    return i < count ? set_of<const Touched>(sets, SET_TOUCHED)[i].word : MEMORY_END_WORD;
}
DEVICE u32 word_before(const Sets &sets, u64 i) {
    return i == 0 ? MEMORY_FIRST_WORD - 1 : set_of<const Touched>(sets, SET_TOUCHED)[i - 1].word;
}
DEVICE u32 rows_between(const Sets &sets, u64 i, u64 count) {
    return (touched_word(sets, i, count) - word_before(sets, i) - 1) / BOUNDARY_GAP;
}

// One thread per touched word, and one for the end; b in total.
KERNEL(order_count, 256, Sets sets, u64 a, u64 b) {
    const u64 i = global_index(), count = touched_words(sets);
    if (i >= b) return;
    const bool room = count <= length_of<Touched>(sets, SET_TOUCHED);
    if (i == 0 && !room) report(sets, TABLE_MB, FAULT_COUNT);
    set_of<u64>(sets, SET_ORDER)[i] = room && i <= count ? 1 + rows_between(sets, i, count) : 0;
}

DEVICE void put_touched(const Sets &sets, u64 row, u32 word, u64 last, u64 value) {
    if (row >= length_of<Touched>(sets, TABLE_MB)) return;
    Touched *t = set_of<Touched>(sets, TABLE_MB) + row;
    t->word = word, t->unused = 0, t->last = last, t->value = value;
}

// A word of the public output has the value that the proof states, and the verifier's access as its last.
DEVICE void check_output(const Sets &sets, Touched &t) {
    const u32 at = t.word - PUBLIC_OUTPUT_WORD;
    if (at >= length_of<StatedWord>(sets, SET_OUTPUT)) return;
    const StatedWord *stated = set_of<const StatedWord>(sets, SET_OUTPUT) + at;
    if (stated->time != t.last || stated->value != t.value) report(sets, t.last / 4, FAULT_OUTPUT);
    t.last = OUTPUT_TIME;
}

KERNEL(order_emit, 256, Sets sets, u64 a, u64 b) {
    const u64 i = global_index(), count = touched_words(sets);
    if (i >= b || i > count || faulty(sets)) return;
    if (i == 0) put_touched(sets, 0, MEMORY_FIRST_WORD - 1, 0, 0);
    const u64 at = 1 + set_of<const u64>(sets, SET_ORDER)[i];
    const u32 between = rows_between(sets, i, count), word = word_before(sets, i);
    for (u32 k = 0; k < between; k++) put_touched(sets, at + k, word + (k + 1) * BOUNDARY_GAP, 0, 0);
    if (i == count) {
        put_touched(sets, at + between, MEMORY_END_WORD, 0, 0);
        if (at + between + 1 != length_of<Touched>(sets, TABLE_MB)) report(sets, TABLE_MB, FAULT_COUNT);
        return;
    }
    Touched t = set_of<const Touched>(sets, SET_TOUCHED)[i];
    check_output(sets, t);
    put_touched(sets, at + between, t.word, t.last, t.value);
}
