// A guest within a chunk, one thread per chunk: it has registers and the values that it will read, but no memory.
// Registers are in shared memory, interleaved by thread, so that a warp that accesses different registers has no bank
// conflicts.
#pragma once
#include "sets.cuh"

#define NO_REGISTER 0xffu

// The effects of one instruction. An ECALL that ends the program accesses two registers, one that calls an
// accelerator four.
struct Step {
    u32 cycle, row, table;
    u32 rs1, rs2, rs3, rd;  // accessed at slots 0 to 3; NO_REGISTER for none
    u64 a, b;            // rs1, rs2
    u64 old, result;     // rd before and after
    u32 words, word;  // number of words accessed, and the first
    u32 mask;            // of the bytes that it writes, 16 bits for two words; 0 reads
    u64 value[2];  // what it reads, or writes in the bytes of the mask
    u32 call;  // the called accelerator; NO_CALL for none, and for a note
    const u64 *read;     // what the call reads, in the log
    bool halted;
};

struct Guest {
    u64 *x;             // of the thread: register r is x[r * CHUNK_THREADS]
    const Code *code;
    u32 index, cycle;
    const u64 *log, *log_end;
    u32 fault;  // 0 if there is none

    DEVICE_MEMBER u64 get(u32 r) const { return x[r * CHUNK_THREADS]; }
    DEVICE_MEMBER u64 read() {
        if (log == log_end) {
            fault = FAULT_LOG_ENDS;
            return 0;
        }
        return *log++;
    }
    DEVICE_MEMBER void write(Step &s, u32 rd) {
        s.rd = rd, s.old = get(rd);
        x[rd * CHUNK_THREADS] = s.result;
    }
    DEVICE_MEMBER void sources(Step &s, const Code &c) const {
        s.rs1 = c.rs1, s.rs2 = c.rs2;
        s.a = get(c.rs1), s.b = get(c.rs2);
    }
};

// The index of the code at an address, or 0 for none.
DEVICE u32 code_index(const Sets &sets, u64 address) {
    const Text *texts = set_of<Text>(sets, SET_TEXTS);
    u32 lo = 0, hi = static_cast<u32>(sets.words[SET_TEXTS] * sizeof(u64) / sizeof(Text));
    while (lo < hi) {  // the first text after the address
        const u32 middle = (lo + hi) / 2;
        if (texts[middle].address <= address)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == 0 || address % 4 != 0) return 0;
    const u64 n = (address - texts[lo - 1].address) / 4;
    return n < texts[lo - 1].count ? texts[lo - 1].first + static_cast<u32>(n) : 0;
}

DEVICE u64 extend32(u32 v) { return static_cast<u64>(static_cast<i64>(static_cast<i32>(v))); }
DEVICE u64 sign_mask(u64 v) { return static_cast<u64>(static_cast<i64>(v) >> 63); }

// Division as the instruction set defines it: by 0 the quotient is all ones and the remainder a; -2^63 / -1 is -2^63.
DEVICE u64 divided(u64 a, u64 b, bool is_signed, bool remainder) {
    const u64 sa = is_signed ? sign_mask(a) : 0, sb = is_signed ? sign_mask(b) : 0;
    const u64 n = (a ^ sa) - sa, d = (b ^ sb) - sb;
    if (d == 0) return remainder ? a : ~0ull;
    const u64 q = n / d, sign = remainder ? sa : sa ^ sb, r = remainder ? n - q * d : q;
    return (r ^ sign) - sign;
}

DEVICE u64 divided32(u64 a, u64 b, bool is_signed, bool remainder) {
    return extend32(low(is_signed ? divided(extend32(low(a)), extend32(low(b)), true, remainder)
        : divided(low(a), low(b), false, remainder)));
}

// The result of an operation on two values, or on one and the instruction's constant.
DEVICE u64 evaluate(u32 op, u64 a, u64 b) {
    switch (op) {
    case OP_ADD: case OP_ADDI: return a + b;
    case OP_SUB: return a - b;
    case OP_AND: case OP_ANDI: return a & b;
    case OP_OR: case OP_ORI: return a | b;
    case OP_XOR: case OP_XORI: return a ^ b;
    case OP_SLL: case OP_SLLI: return a << (b & 63);
    case OP_SRL: case OP_SRLI: return a >> (b & 63);
    case OP_SRA: case OP_SRAI: return static_cast<u64>(static_cast<i64>(a) >> (b & 63));
    case OP_SLT: case OP_SLTI: return static_cast<i64>(a) < static_cast<i64>(b);
    case OP_SLTU: case OP_SLTIU: return a < b;
    case OP_ADDW: case OP_ADDIW: return extend32(low(a + b));
    case OP_SUBW: return extend32(low(a - b));
    case OP_SLLW: case OP_SLLIW: return extend32(low(a) << (b & 31));
    case OP_SRLW: case OP_SRLIW: return extend32(low(a) >> (b & 31));
    case OP_SRAW: case OP_SRAIW: return static_cast<u64>(static_cast<i64>(static_cast<i32>(low(a)) >> (b & 31)));
    case OP_MUL: return a * b;
    case OP_MULHU: return __umul64hi(a, b);
    case OP_MULHSU: return __umul64hi(a, b) - (sign_mask(a) & b);
    case OP_MULH: return __umul64hi(a, b) - (sign_mask(a) & b) - (sign_mask(b) & a);
    case OP_MULW: return extend32(low(a) * low(b));
    case OP_DIV: return divided(a, b, true, false);
    case OP_DIVU: return divided(a, b, false, false);
    case OP_REM: return divided(a, b, true, true);
    case OP_REMU: return divided(a, b, false, true);
    case OP_DIVW: return divided32(a, b, true, false);
    case OP_DIVUW: return divided32(a, b, false, false);
    case OP_REMW: return divided32(a, b, true, true);
    case OP_REMUW: return divided32(a, b, false, true);
    }
    return 0;
}

DEVICE bool is_immediate(u32 op) { return OP_ADDI <= op && op <= OP_SRAIW; }

// A branch: whether the condition that its program rows count is true, and whether it is taken.
DEVICE bool branch_truth(u32 op, u64 a, u64 b) {
    switch (op) {
    case OP_BLT: case OP_BGE: return static_cast<i64>(a) < static_cast<i64>(b);
    case OP_BLTU: case OP_BGEU: return a < b;
    default: return a == b;
    }
}
DEVICE bool branch_inverted(u32 op) { return op == OP_BNE || op == OP_IF_OTHER || op == OP_BGE || op == OP_BGEU; }

DEVICE u32 access_width(u32 op) {
    switch (op) {
    case OP_LB: case OP_LBU: case OP_SB: return 1;
    case OP_LH: case OP_LHU: case OP_SH: return 2;
    case OP_LW: case OP_LWU: case OP_SW: return 4;
    default: return 8;
    }
}

DEVICE u64 loaded(u32 op, u64 value) {
    switch (op) {
    case OP_LB: return static_cast<u64>(static_cast<i64>(value << 56) >> 56);
    case OP_LBU: return value & 0xff;
    case OP_LH: return static_cast<u64>(static_cast<i64>(value << 48) >> 48);
    case OP_LHU: return value & 0xffff;
    case OP_LW: return extend32(low(value));
    case OP_LWU: return low(value);
    default: return value;
    }
}

// The address of a load or a store: its offset in the first word.
DEVICE u32 locate(Guest &g, Step &s, const Code &c, u32 width) {
    const u64 address = s.a + static_cast<u64>(c.imm);
    if (address < MEMORY_FIRST || address > MEMORY_END - width) g.fault = FAULT_OUTSIDE;
    const u32 offset = static_cast<u32>(address & 7);
    if (address % width != 0) s.table = TABLE_UNAL;
    s.word = static_cast<u32>(address >> 3), s.words = offset + width > 8 ? 2 : 1;
    return offset;
}

DEVICE void step_load(Guest &g, Step &s, const Code &c) {
    s.rs1 = c.rs1, s.a = g.get(c.rs1);
    const u32 offset = locate(g, s, c, access_width(c.op));
    s.value[0] = g.read();
    u64 value = s.value[0] >> (8 * offset);
    if (s.words == 2) {
        s.value[1] = g.read();
        value |= s.value[1] << (64 - 8 * offset);
    }
    s.result = loaded(c.op, value);
    g.write(s, c.rd);
}

DEVICE void step_store(Guest &g, Step &s, const Code &c) {
    g.sources(s, c);
    const u32 width = access_width(c.op), offset = locate(g, s, c, width);
    s.mask = ((1u << width) - 1) << offset;
    s.value[0] = s.b << (8 * offset);
    if (s.words == 2) s.value[1] = s.b >> (64 - 8 * offset);
    s.old = s.result = s.b;  // of the second register, for misaligned stores
}

// The accelerator with a code, or NO_CALL.
DEVICE u32 call_of(u64 code) {
    for (u32 k = 0; k < ACCELERATORS; k++) {
        if (call_code[k] == code) return k;
    }
    return NO_CALL;
}

// The base address of an operand: an argument, or a pointer among the words that the call reads.
DEVICE u64 base_of(const Guest &g, const u64 *read, u32 operand) {
    const u32 source = static_cast<u32>(operand_source[operand]);
    return source < ARGUMENTS ? g.get(REGISTER_A0 + source) : read[source - ARGUMENTS];
}

// The number of an operand's first word.
DEVICE u64 first_word(u64 base, u32 operand) { return base / 8 + operand_offset[operand]; }

// A call of an accelerator: the words of its operands are consecutive in the log. What it writes is computed later. A
// note takes an address and a length, and has no operands.
DEVICE void step_call(Guest &g, Step &s) {
    s.table = TABLE_CALL, s.call = call_of(s.a), s.rs3 = REGISTER_A0 + 1, s.rd = REGISTER_A0 + 2, s.read = g.log;
    const bool note = s.a == CODE_NOTE;
    if (s.call == NO_CALL && !note) {
        g.fault = FAULT_CALL;
        return;
    }
    const u64 arguments = note ? 2 : call_arguments[s.call], logged = static_cast<u64>(g.log_end - g.log);
    for (u32 i = 0; i < ARGUMENTS; i++) {
        const u64 argument = g.get(REGISTER_A0 + i);
        if (high(argument) != 0 || (i >= arguments && argument != 0)) g.fault = FAULT_CALL;
    }
    const u32 end = note ? 0 : static_cast<u32>(first_operand[s.call + 1]);
    for (u32 o = note ? 0 : static_cast<u32>(first_operand[s.call]); o < end && s.words <= logged; o++) {
        const u64 words = operand_words[o], base = base_of(g, s.read, o), first = first_word(base, o);
        if (base % 8 != 0 || first < MEMORY_FIRST_WORD || first > MEMORY_END_WORD - words) g.fault = FAULT_CALL;
        s.words += static_cast<u32>(words);
    }
    if (logged < s.words)
        g.fault = FAULT_LOG_ENDS;
    else
        g.log += s.words;
}

// One instruction. After a fault its effects are meaningless.
DEVICE void step(const Sets &sets, Guest &g, Step &s) {
    const Code c = g.code[g.index];
    u32 next = g.index + 1;
    s.cycle = g.cycle, s.row = c.row, s.table = c.table;
    s.rs1 = s.rs2 = s.rs3 = s.rd = NO_REGISTER, s.call = NO_CALL;
    s.a = s.b = s.old = s.result = 0, s.words = s.mask = 0, s.halted = false;
    switch (c.op) {
    case OP_ILLEGAL: g.fault = FAULT_ILLEGAL; break;
    case OP_NOP: break;
    case OP_JUMP: next = c.target; break;
    case OP_LINK: next = c.target;  // fall through
    case OP_CONST: s.result = static_cast<u64>(c.imm), g.write(s, c.rd); break;
    case OP_ADD_IN: s.a = g.get(c.rd), s.result = s.a + static_cast<u64>(c.imm), g.write(s, c.rd); break;
    case OP_MOVE: s.rs1 = c.rs1, s.a = s.result = g.get(c.rs1), g.write(s, c.rd); break;
    case OP_JALR: case OP_INDIR:
        s.rs1 = c.rs1, s.a = g.get(c.rs1);
        next = code_index(sets, (s.a + static_cast<u64>(c.imm)) & ~1ull);
        if (next == 0) g.fault = FAULT_NO_CODE;
        if (c.op == OP_JALR) s.result = c.target, g.write(s, c.rd);
        break;
    case OP_IF_ZERO: case OP_IF_OTHER: case OP_BEQ: case OP_BNE: case OP_BLT: case OP_BGE: case OP_BLTU: case OP_BGEU: {
        if (c.op == OP_IF_ZERO || c.op == OP_IF_OTHER)
            s.rs1 = c.rs1, s.a = g.get(c.rs1);
        else
            g.sources(s, c);
        const bool truth = branch_truth(c.op, s.a, s.b);
        s.row += truth;
        if (truth != branch_inverted(c.op)) next = c.target;
        break;
    }
    case OP_LB: case OP_LH: case OP_LW: case OP_LD: case OP_LBU: case OP_LHU: case OP_LWU: step_load(g, s, c); break;
    case OP_SB: case OP_SH: case OP_SW: case OP_SD: step_store(g, s, c); break;
    case OP_ECALL:
        s.rs1 = REGISTER_A7, s.rs2 = REGISTER_A0, s.a = g.get(REGISTER_A7), s.b = g.get(REGISTER_A0);
        if (s.a == CODE_HALT)
            s.table = TABLE_HALT, s.halted = true;
        else
            step_call(g, s);
        break;
    default:
        if (is_immediate(c.op) && c.table != TABLE_SLT && c.table != TABLE_SLTU) {
            s.rs1 = c.rs1, s.a = g.get(c.rs1);
            s.result = evaluate(c.op, s.a, static_cast<u64>(c.imm));
        } else {
            g.sources(s, c);  // the second is x0 for comparisons with a constant
            s.result = evaluate(c.op, s.a, is_immediate(c.op) ? static_cast<u64>(c.imm) : s.b);
        }
        g.write(s, c.rd);
    }
    if (!s.halted) g.index = next;
    if (g.fault == 0) g.cycle++;
}
