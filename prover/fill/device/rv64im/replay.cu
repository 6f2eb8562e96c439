// Derives the records of every table from a trace, a group of chunks at a time: groups arrive while the program runs.
// A thread replays a chunk of cycles twice: first it counts rows, and after prefix sums have given every chunk its
// position in every table, it writes them. The state that a group needs from the groups before it is carried. See
// docs/develop/riscv-runs.md.
#include "guest.cuh"
#include "group.cuh"

// The guest at the start of a chunk.
DEVICE void begin_chunk(const Sets &sets, Guest &g, u64 chunk, u64 *x) {
    const Checkpoint *c = set_of<const Checkpoint>(sets, SET_CHECKPOINTS) + chunk;
    g.x = x, g.code = set_of<const Code>(sets, SET_CODE), g.cycle = c[0].cycle, g.fault = 0;
    g.log = set_of<const u64>(sets, SET_LOG) + c[0].log, g.log_end = set_of<const u64>(sets, SET_LOG) + c[1].log;
    NO_UNROLL for (u32 r = 1; r < 32; r++) x[r * CHUNK_THREADS] = c[0].x[r];
    x[0] = 0, x[REGISTER_SINK * CHUNK_THREADS] = c[0].x[0];
    g.index = code_index(sets, c[0].pc);
    if (g.index == 0) g.fault = FAULT_NO_CODE;
}

// The state at the end of a chunk must be the next checkpoint.
DEVICE void compare_end(const Sets &sets, Guest &g, u64 chunk) {
    const Checkpoint *c = set_of<const Checkpoint>(sets, SET_CHECKPOINTS) + chunk + 1;
    if (g.log != g.log_end) g.fault = FAULT_LOG_LEFT;
    if (code_index(sets, c->pc) != g.index) g.fault = FAULT_PC;
    NO_UNROLL for (u32 r = 1; r < 32; r++) {
        if (g.get(r) != c->x[r]) g.fault = FAULT_REGISTER;
    }
    if (g.get(REGISTER_SINK) != c->x[0]) g.fault = FAULT_REGISTER;
}

// The program ends with the last cycle of the group that has the end, and with no other.
DEVICE bool last_cycle(const Sets &sets, const Group &group, u64 chunk, u32 cycle) {
    return group.ends && chunk + 1 == group.end &&
        cycle + 1 == set_of<const Checkpoint>(sets, SET_CHECKPOINTS)[chunk + 1].cycle;
}

// The state carried after the previous group is the state before this one.
KERNEL(replay_begin, 256, Sets sets, u64 a, u64 b) {
    const u64 i = global_index();
    if (i < CARRIED_WORDS) carried_before(sets)[i] = carried_behind(sets)[i];
}

// The time of a slot of a chunk, counted from 1; 0 for none.
DEVICE u64 time_of(u32 begin, u32 slot) { return slot == 0 ? 0 : 4ull * begin + slot - 1; }

KERNEL(replay_count, CHUNK_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(u64, x, [REGISTERS * CHUNK_THREADS]);
    SHARED(u32, rows, [COUNTED_TABLES * CHUNK_THREADS]);
    SHARED(u32, first, [REGISTERS * CHUNK_THREADS]);
    SHARED(u32, last, [REGISTERS * CHUNK_THREADS]);
    const u32 t = threadIdx.x;
    const Group group = group_of(a, b);
    const u64 chunk = group.first + global_index(), own = chunk - group.first;
    if (chunk >= group.end) return;
    for (u32 i = 0; i < COUNTED_TABLES; i++) rows[i * CHUNK_THREADS + t] = 0;
    for (u32 r = 0; r < REGISTERS; r++) first[r * CHUNK_THREADS + t] = last[r * CHUNK_THREADS + t] = 0;
    Guest g;
    Step s;
    begin_chunk(sets, g, chunk, x + t);
    const u32 begin = g.cycle, end = set_of<const Checkpoint>(sets, SET_CHECKPOINTS)[chunk + 1].cycle;
    u32 accesses = 0;
    NO_UNROLL while (g.fault == 0 && g.cycle < end) {
        step(sets, g, s);
        if (g.fault != 0) break;
        if (s.halted != last_cycle(sets, group, chunk, s.cycle)) g.fault = FAULT_END;
        rows[s.table * CHUNK_THREADS + t]++;
        if (s.call != NO_CALL) rows[call_table[s.call] * CHUNK_THREADS + t]++;
        accesses += s.words;
        const u32 registers[4] = {s.rs1, s.rs2, s.rs3, s.rd};
        UNROLL for (u32 i = 0; i < 4; i++) {
            if (registers[i] == NO_REGISTER) continue;
            const u32 at = registers[i] * CHUNK_THREADS + t, slot = 4 * (s.cycle - begin) + i + 1;
            last[at] = slot;
            if (first[at] == 0) first[at] = slot;
        }
    }
    if (g.fault == 0) compare_end(sets, g, chunk);
    if (g.fault != 0) report(sets, g.cycle, g.fault);
    u64 *counts = set_of<u64>(sets, SET_COUNTS), *lasts = set_of<u64>(sets, SET_LASTS);
    u64 *firsts = set_of<u64>(sets, SET_FIRSTS);
    for (u32 i = 0; i < COUNTED_TABLES; i++) counts[count_place(group, i, own)] = rows[i * CHUNK_THREADS + t];
    counts[count_place(group, COUNTED_TABLES, own)] = accesses;
    for (u32 r = 0; r < REGISTERS; r++) {
        firsts[r * group.chunks + own] = time_of(begin, first[r * CHUNK_THREADS + t]);
        lasts[clock_place(group, r, own)] = clock_word(r, time_of(begin, last[r * CHUNK_THREADS + t]));
        if (own == 0) lasts[clock_place(group, r, group.chunks)] = clock_word(r, 0);
    }
    if (own == 0) counts[count_place(group, COUNTED_TABLES + 1, 0)] = 0;  // for the total
}

// The time of a register's last access before a chunk, 0 for none: the maximum over the group's earlier chunks, or
// the carried time.
DEVICE u64 clock_before(const Sets &sets, const Group &group, u32 r, u64 own) {
    const u64 maximum = set_of<const u64>(sets, SET_LASTS)[clock_place(group, r, own)];
    const u64 time = maximum - clock_word(r, 0);
    return time - 1 < 1ull << CLOCK_BITS ? time : carried_before(sets)[CARRIED_CLOCKS + r];
}

// The number of refreshes that a register needs before its first access in a chunk.
DEVICE u32 refreshes_of(const Sets &sets, const Group &group, u32 r, u64 own) {
    const u64 first = set_of<const u64>(sets, SET_FIRSTS)[r * group.chunks + own];
    return first == 0 ? 0 : static_cast<u32>((first - clock_before(sets, group, r, own) - 1) / REFRESH_GAP);
}

// One thread per register of a chunk, in the order of REFRESH's records.
KERNEL(replay_count_refreshes, 256, Sets sets, u64 a, u64 b) {
    const Group group = group_of(a, b);
    const u64 i = global_index(), all = group.chunks * REGISTERS;
    if (i <= all)
        set_of<u64>(sets, SET_REFRESHES)[i] = i < all && !faulty(sets)
            ? refreshes_of(sets, group, i % REGISTERS, i / REGISTERS) : 0;
}

// The group's counts, and the state carried after it. No table may have more rows than its capacity. The rows of a
// group before a shard's are not its own: later rows overwrite them.
KERNEL(replay_carry, 256, Sets sets, u64 a, u64 b) {
    const Group group = group_of(a, b);
    const u64 i = global_index();
    if (i >= CARRIED_WORDS || faulty(sets)) return;
    u64 value = carried_before(sets)[i];
    if (i < CARRIED_CLOCKS) {
        const u64 own = i == CARRIED_REFRESHES ? set_of<const u64>(sets, SET_REFRESHES)[group.chunks * REGISTERS]
            : count_before(sets, group, static_cast<u32>(i), group.chunks);
        if (value + own > set_of<const u64>(sets, SET_MOST)[i]) report(sets, i, FAULT_COUNT);
        carried_own(sets)[i] = own;
        if (group.keeps) value += own;
    } else if (i < CARRIED_STATE) {
        value = clock_before(sets, group, static_cast<u32>(i - CARRIED_CLOCKS), group.chunks);
    }
    carried_behind(sets)[i] = value;
}

// In the end every table must have the number of rows that the proof's plan counted.
KERNEL(replay_check, 64, Sets sets, u64 a, u64 b) {
    const u64 i = global_index();
    if (i >= CARRIED_CLOCKS || faulty(sets)) return;
    if (carried_behind(sets)[i] != set_of<const u64>(sets, SET_EXPECTED)[i]) report(sets, i, FAULT_COUNT);
}

KERNEL(replay_emit_refreshes, 256, Sets sets, u64 a, u64 b) {
    const Group group = group_of(a, b);
    const u64 i = global_index();
    if (i >= group.chunks * REGISTERS || faulty(sets)) return;
    const u64 at = carried_before(sets)[CARRIED_REFRESHES] + set_of<const u64>(sets, SET_REFRESHES)[i];
    const u32 r = i % REGISTERS;
    const u64 own = i / REGISTERS;
    const u64 value = r == 0 ? 0
        : set_of<const Checkpoint>(sets, SET_CHECKPOINTS)[group.first + own].x[r % REGISTER_SINK];
    const u64 before = clock_before(sets, group, r, own);
    const u32 count = refreshes_of(sets, group, r, own);
    Refresh *records = set_of<Refresh>(sets, TABLE_REFRESH);
    for (u32 k = 0; k < count; k++) {
        records[at + k].index = r, records[at + k].unused = 0, records[at + k].value = value;
        records[at + k].previous = before + static_cast<u64>(k) * REFRESH_GAP;
    }
}

// The last token of each register, after a chunks have been replayed.
KERNEL(replay_registers, 64, Sets sets, u64 a, u64 b) {
    const u64 r = global_index();
    if (r >= REGISTERS || faulty(sets)) return;
    Final *records = set_of<Final>(sets, TABLE_REG);
    records[r].last = carried_behind(sets)[CARRIED_CLOCKS + r];
    records[r].value = r == 0 ? 0 : set_of<const Checkpoint>(sets, SET_CHECKPOINTS)[a].x[r % REGISTER_SINK];
}

// at counts from the shard's first access, as records do; the accesses themselves are kept only for the group.
DEVICE void emit_access(const Sets &sets, u64 at, u32 word, u64 time, u32 mask, u32 role, u64 value) {
    WordAccess *a = set_of<WordAccess>(sets, SET_ACCESSES) + (at - carried_before(sets)[CARRIED_ACCESSES]);
    a->word = word, a->time = time, a->value = value;
    a->mask = static_cast<u8>(mask), a->role = static_cast<u8>(role), a->unused[0] = a->unused[1] = 0;
    if (role == ROLE_CALL) set_of<u64>(sets, SET_OLD)[at] = value;
}

// The accesses of a load or a store.
DEVICE void emit_accesses(const Sets &sets, const Step &s, u64 at) {
    for (u32 i = 0; i < s.words; i++)
        emit_access(sets, at + i, s.word + i, 4ull * s.cycle + SLOT_MEMORY, s.mask >> (8 * i) & 0xff, ROLE_PLAIN,
            s.value[i]);
}

// The accesses of a call, each with what it reads. For words that the call writes, that is their previous value,
// which calls.cu replaces by the new one.
DEVICE void emit_call_accesses(const Sets &sets, const Guest &g, const Step &s, u64 at) {
    const u64 *read = s.read;
    const u32 end = static_cast<u32>(first_operand[s.call + 1]);
    for (u32 o = static_cast<u32>(first_operand[s.call]); o < end; o++) {
        const u32 first = static_cast<u32>(first_word(base_of(g, s.read, o), o));
        const u64 time = 4ull * s.cycle + operand_slot[o];
        const bool written = operand_writes[o] != 0;
        for (u32 k = 0; k < operand_words[o]; k++)
            emit_access(sets, at++, first + k, time, written ? 0xff : 0, written ? ROLE_CALL : ROLE_PLAIN, *read++);
    }
}

// A call has a record among all calls and, unless it is a note, one among the calls of its accelerator, whose next
// row is passed in.
DEVICE void emit_call(const Sets &sets, const Guest &g, const Step &s, u64 row, u32 *own_row, const u32 (&previous)[4],
    u32 access) {
    Call r;
    r.cycle = s.cycle, r.row = s.row, r.code = low(s.a), r.access = access, r.unused = 0;
    UNROLL for (u32 i = 0; i < ARGUMENTS; i++) r.arguments[i] = low(g.get(REGISTER_A0 + i));
    UNROLL for (u32 i = 0; i < 4; i++) r.previous[i] = previous[i];
    set_of<Call>(sets, TABLE_CALL)[row] = r;
    if (s.call == NO_CALL) return;
    set_of<Call>(sets, static_cast<u32>(call_table[s.call]))[own_row[call_table[s.call] * CHUNK_THREADS]++] = r;
    emit_call_accesses(sets, g, s, access);
}

// The record of an instruction, in the shape of its table. previous are the times of rs1, rs2, rs3, rd.
DEVICE void emit_record(const Sets &sets, const Step &s, u64 row, const u32 (&previous)[4], u32 access) {
    switch (shape_of[s.table]) {
    case SHAPE_PLAIN: {
        Plain r = {s.cycle, s.row};
        set_of<Plain>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_CONSTANT: {
        Constant r = {s.cycle, s.row, previous[3], 0, s.old};
        set_of<Constant>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_UNARY: {
        Unary r = {s.cycle, s.row, previous[0], previous[3], s.a, s.old, s.result};
        set_of<Unary>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_BINARY: {
        Binary r = {s.cycle, s.row, previous[0], previous[1], previous[3], 0, s.a, s.b, s.old, s.result};
        set_of<Binary>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_BRANCH: {
        Branch r = {s.cycle, s.row, previous[0], previous[1], s.a, s.b};
        set_of<Branch>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_LOAD: {  // for a misaligned store the second register is rs2
        Load r = {s.cycle, s.row, previous[0], s.rd == NO_REGISTER ? previous[1] : previous[3], low(s.a), access, s.old,
            s.result};
        set_of<Load>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_STORE: {
        Store r = {s.cycle, s.row, previous[0], previous[1], low(s.a), access, s.b};
        set_of<Store>(sets, s.table)[row] = r;
        break;
    }
    case SHAPE_HALT: {
        Halt r = {s.cycle, s.row, previous[0], previous[1], s.b};
        set_of<Halt>(sets, s.table)[row] = r;
        break;
    }
    }
}

KERNEL(replay_emit, CHUNK_THREADS, Sets sets, u64 a, u64 b) {
    SHARED(u64, x, [REGISTERS * CHUNK_THREADS]);
    SHARED(u32, places, [COUNTED_TABLES * CHUNK_THREADS]);
    SHARED(u32, clock, [REGISTERS * CHUNK_THREADS]);  // the low bits of times
    const u32 t = threadIdx.x;
    const Group group = group_of(a, b);
    const u64 own = global_index(), chunk = group.first + own;
    if (own >= group.chunks || faulty(sets)) return;
    const u64 *before = carried_before(sets);
    for (u32 i = 0; i < COUNTED_TABLES; i++)
        places[i * CHUNK_THREADS + t] = static_cast<u32>(before[i] + count_before(sets, group, i, own));
    u64 access = before[CARRIED_ACCESSES] + count_before(sets, group, COUNTED_TABLES, own);
    for (u32 r = 0; r < REGISTERS; r++)
        clock[r * CHUNK_THREADS + t] = low(clock_before(sets, group, r, own)) +
            refreshes_of(sets, group, r, own) * static_cast<u32>(REFRESH_GAP);
    Guest g;
    Step s;
    begin_chunk(sets, g, chunk, x + t);
    const u32 end = set_of<const Checkpoint>(sets, SET_CHECKPOINTS)[chunk + 1].cycle;
    NO_UNROLL while (g.fault == 0 && g.cycle < end) {
        step(sets, g, s);
        u32 previous[4] = {0, 0, 0, 0};
        const u32 registers[4] = {s.rs1, s.rs2, s.rs3, s.rd};
        UNROLL for (u32 i = 0; i < 4; i++) {
            if (registers[i] == NO_REGISTER) continue;
            const u32 at = registers[i] * CHUNK_THREADS + t;
            previous[i] = clock[at], clock[at] = 4 * s.cycle + i;
        }
        const u64 row = places[s.table * CHUNK_THREADS + t]++;
        if (s.table != TABLE_CALL) {
            if (group.keeps) emit_record(sets, s, row, previous, static_cast<u32>(access));
            emit_accesses(sets, s, access);
        } else {
            emit_call(sets, g, s, row, places + t, previous, static_cast<u32>(access));
        }
        access += s.words;
    }
}
