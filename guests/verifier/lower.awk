# Lowers compiled code to the few instructions that the aggregator may use. The tables of other instructions then have
# no rows, and a proof does not open their columns. The compiler does not use t3 to t6 (-ffixed-t3 ...), which are
# temporaries here. Loads and stores of less than a word must be naturally aligned. An instruction that is not in this
# file is an error.
#
# Unchanged instructions: addi, add, andi, ori, xori, slli, srli, srai, bltu, bgeu, jal, jr, ld, sd, lui, auipc, ecall,
# and logic of two registers.

function out(line) { print "\t" line }
function label() { return ".Llowered" ++labels }
function fail(why) {
	printf "%s:%d: %s: %s\n", FILENAME, FNR, why, $0 > "/dev/stderr"
	failed = 1
	exit 1
}

# rd = rs. A move has its own table; an or with 0 uses the table of all logic with constants.
function move(rd, rs) { if (rd != rs) out("ori " rd "," rs ",0") }

# rd = the low 32 bits of rs, extended with their sign or with zeros.
function extend(rd, rs, back) { out("slli " rd "," rs ",32"); out(back " " rd "," rd ",32") }

# rd = a - b is not (not a + b).
function subtract(rd, a, b) {
	if (a == "zero") {
		out("xori " rd "," b ",-1")
		out("addi " rd "," rd ",1")
		return
	}
	out("xori t6," a ",-1")
	out("add t6,t6," b)
	out("xori " rd ",t6,-1")
}

# rd = a shifted by a register: by 32, 16, 8, 4, 2 and 1, if the number has that bit.
function shift(op, rd, a, by, most,    bit, end) {
	out("andi t6," by "," most)
	move("t5", a)
	for (bit = 32; bit >= 1; bit /= 2) {
		if (bit > most) continue
		end = label()
		out("andi t4,t6," bit)
		out("bgeu zero,t4," end)
		out(op " t5,t5," bit)
		print end ":"
	}
	move(rd, "t5")
}

# rd = whether a branch of an operation is taken.
function truth(rd, branch, a, b,    end) {
	end = label()
	if (rd == a || rd == b) {
		if (rd == a) { move("t6", a); a = "t6" }
		if (rd == b) { move("t5", b); b = "t5" }
	}
	out("li " rd ",1")
	out(branch " " a "," b "," end)
	out("li " rd ",0")
	print end ":"
}

# Signed numbers compare like unsigned ones after their highest bits are flipped.
function unsign(a, b) {
	out("li t4,1")
	out("slli t4,t4,63")
	if (a == "zero") move("t6", "t4")
	else out("add t6," a ",t4")
	if (b == "zero") move("t5", "t4")
	else out("add t5," b ",t4")
}

function equal(a, b, to,    end) {
	if (b == "zero") { out("bgeu zero," a "," to); return }
	if (a == "zero") { out("bgeu zero," b "," to); return }
	end = label()
	out("bltu " a "," b "," end)
	out("bgeu " b "," a "," to)
	print end ":"
}

function unequal(a, b, to) {
	if (b == "zero") { out("bltu zero," a "," to); return }
	if (a == "zero") { out("bltu zero," b "," to); return }
	out("bltu " a "," b "," to)
	out("bltu " b "," a "," to)
}

# Branches on a < b and a >= b with signs.
function less(a, b, to) {
	if (b == "zero") { out("srli t6," a ",63"); out("bltu zero,t6," to); return }
	unsign(a, b)
	out("bltu t6,t5," to)
}
function notless(a, b, to) {
	if (b == "zero") { out("srli t6," a ",63"); out("bgeu zero,t6," to); return }
	unsign(a, b)
	out("bgeu t6,t5," to)
}

# Splits offset(base).
function operand(text) {
	if (!match(text, /\([a-z0-9]+\)$/)) fail("an address without a base")
	base = substr(text, RSTART + 1, RLENGTH - 2)
	offset = substr(text, 1, RSTART - 1)
	if (offset == "") offset = "0"
}

# t6 = the address of the word, t5 = the offset in it. If the offset is known, t5 is not set, and known is the offset.
function locate(text) {
	operand(text)
	known = -1
	if (base == "sp" && offset ~ /^-?[0-9]+$/) {
		known = (offset % 8 + 8) % 8
		out("addi t6,sp," (offset - known))
		return
	}
	if (offset == "0") out("andi t5," base ",7")
	else {
		out("addi t6," base "," offset)
		out("andi t5,t6,7")
	}
	out("andi t6," (offset == "0" ? base : "t6") ",-8")
}

# Shifts a register right or left by the bytes of the offset, which t5 counts down.
function bytes(op, register,    loop, end) {
	if (known >= 0) { if (known > 0) out(op " " register "," register "," 8 * known); return }
	loop = label(); end = label()
	out("bgeu zero,t5," end)
	print loop ":"
	out(op " " register "," register ",8")
	out("addi t5,t5,-1")
	out("bltu zero,t5," loop)
	print end ":"
}

function load(rd, text, bits, back,    end) {
	locate(text)
	out("ld " rd ",0(t6)")
	if (bits == 32 && known < 0) { # the offset is 0 or 4
		end = label()
		out("bltu zero,t5," end)
		out("slli " rd "," rd ",32")
		print end ":"
		out(back " " rd "," rd ",32")
		return
	}
	bytes("srli", rd)
	out("slli " rd "," rd "," 64 - bits)
	out(back " " rd "," rd "," 64 - bits)
}

# The word changes by the difference of the new and the old value.
function store(rs, text, bits,    where) {
	locate(text)
	out("ld t4,0(t6)")
	move("t3", "t4")
	bytes("srli", "t3")
	out("slli t3,t3," 64 - bits)
	out("srli t3,t3," 64 - bits)
	out("xori t3,t3,-1")
	out("addi t3,t3,1")
	out("slli t5," rs "," 64 - bits)
	out("srli t5,t5," 64 - bits)
	out("add t3,t3,t5")
	if (known < 0 && offset == "0") out("andi t5," base ",7")
	else if (known < 0) {
		out("addi t5," base "," offset)
		out("andi t5,t5,7")
	}
	bytes("slli", "t3")
	out("add t4,t4,t3")
	out("sd t4,0(t6)")
}

/^\t[a-z]/ {
	op = $1
	rest = $0
	sub(/^\t[a-z0-9.]+[ \t]*/, "", rest)
	n = split(rest, r, /[ \t]*,[ \t]*/)
	if (op ~ /^(addi|add|andi|ori|xori|not|slli|srli|srai|bltu|bgeu|bleu|bgtu|jr|ret|ld|sd)$/) { print; next }
	if (op ~ /^(lui|auipc|ecall|call|li|la|lla)$/) { print; next }
	if (op == "mv") { move(r[1], r[2]); next }
	if (op == "neg") { subtract(r[1], "zero", r[2]); next }
	if (op == "sub") { subtract(r[1], r[2], r[3]); next }
	if (op == "negw") { subtract(r[1], "zero", r[2]); extend(r[1], r[1], "srai"); next }
	if (op == "subw") { subtract(r[1], r[2], r[3]); extend(r[1], r[1], "srai"); next }
	if (op == "addw" || op == "addiw") {
		if (r[3] == "0") { extend(r[1], r[2], "srai"); next }
		out((r[3] ~ /^-?[0-9]+$/ ? "addi " : "add ") r[1] "," r[2] "," r[3])
		extend(r[1], r[1], "srai")
		next
	}
	if (op == "sext.w") { extend(r[1], r[2], "srai"); next }
	if (op == "slliw" || op == "sllw" && r[3] ~ /^[0-9]+$/) {
		out("slli " r[1] "," r[2] "," 32 + r[3])
		out("srai " r[1] "," r[1] ",32")
		next
	}
	if (op == "srliw" || op == "sraiw" || (op == "srlw" || op == "sraw") && r[3] ~ /^[0-9]+$/) {
		out("slli " r[1] "," r[2] ",32")
		out((op ~ /^srl/ && r[3] > 0 ? "srli " : "srai ") r[1] "," r[1] "," 32 + r[3])
		next
	}
	if (op ~ /^(sll|srl|sra)$/) {
		if (r[3] ~ /^[0-9]+$/) out(op "i " r[1] "," r[2] "," r[3])
		else shift(op "i", r[1], r[2], r[3], 63)
		next
	}
	if (op ~ /^(sllw|srlw|sraw)$/) {
		from = r[2]
		if (op != "sllw") { extend("t5", r[2], op == "srlw" ? "srli" : "srai"); from = "t5" }
		shift(op == "sllw" ? "slli" : op == "srlw" ? "srli" : "srai", r[1], from, r[3], 31)
		extend(r[1], r[1], "srai")
		next
	}
	if (op == "sltu") { truth(r[1], "bltu", r[2], r[3]); next }
	if (op == "sgtu") { truth(r[1], "bltu", r[3], r[2]); next }
	if (op == "sltiu") { out("li t4," r[3]); truth(r[1], "bltu", r[2], "t4"); next }
	if (op == "seqz") { truth(r[1], "bgeu", "zero", r[2]); next }
	if (op == "snez") { truth(r[1], "bltu", "zero", r[2]); next }
	if (op == "slt") { unsign(r[2], r[3]); truth(r[1], "bltu", "t6", "t5"); next }
	if (op == "sgt") { unsign(r[3], r[2]); truth(r[1], "bltu", "t6", "t5"); next }
	if (op == "slti") { out("li t5," r[3]); unsign(r[2], "t5"); truth(r[1], "bltu", "t6", "t5"); next }
	if (op == "sgtz") { unsign("zero", r[2]); truth(r[1], "bltu", "t6", "t5"); next }
	if (op == "sltz") { out("srli " r[1] "," r[2] ",63"); next }
	if (op == "beq") { equal(r[1], r[2], r[3]); next }
	if (op == "bne") { unequal(r[1], r[2], r[3]); next }
	if (op == "beqz") { equal(r[1], "zero", r[2]); next }
	if (op == "bnez") { unequal(r[1], "zero", r[2]); next }
	if (op == "blt") { less(r[1], r[2], r[3]); next }
	if (op == "bgt") { less(r[2], r[1], r[3]); next }
	if (op == "bge") { notless(r[1], r[2], r[3]); next }
	if (op == "ble") { notless(r[2], r[1], r[3]); next }
	if (op == "bltz") { less(r[1], "zero", r[2]); next }
	if (op == "bgez") { notless(r[1], "zero", r[2]); next }
	if (op == "bgtz") { less("zero", r[1], r[2]); next }
	if (op == "blez") { notless("zero", r[1], r[2]); next }
	if (op == "j") { out("jal t6," r[1]); next }
	if (op == "jalr" && n == 1) {
		end = label()
		out("lla ra," end)
		out("jr " r[1])
		print end ":"
		next
	}
	if (op == "lw") { load(r[1], r[2], 32, "srai"); next }
	if (op == "lwu") { load(r[1], r[2], 32, "srli"); next }
	if (op == "lh") { load(r[1], r[2], 16, "srai"); next }
	if (op == "lhu") { load(r[1], r[2], 16, "srli"); next }
	if (op == "lb") { load(r[1], r[2], 8, "srai"); next }
	if (op == "lbu") { load(r[1], r[2], 8, "srli"); next }
	if (op == "sw") { store(r[1], r[2], 32); next }
	if (op == "sh") { store(r[1], r[2], 16); next }
	if (op == "sb") { store(r[1], r[2], 8); next }
	if (op == "nop") { print; next }
	if (op ~ /^(and|or|xor)$/) { print; next } # they stay, but the sources avoid them
	fail("nothing replaces it")
}

{ print }
