package riscv_test

import (
	"slices"
	"strings"
	"testing"
)

// argument is a claim of a table's soundness argument, or an attack, with the cheats that deny or try it.
type argument struct{ claim, cheats string }

// arguments are the claims of tables, beyond each single constraint (TestEachConstraintRefuses) and each single bus
// (TestEachMessageIsHeld). A new table needs an entry, and a new cheat a claim.
var arguments = map[string][]argument{
	"J": {
		{"the next instruction is the program's", "a jump elsewhere"},
	},
	"UJ": {
		{"the value is the program's", "another constant"},
		{"the next instruction is the program's", "a jump elsewhere"},
		{"x0 is never written", "x0 written"},
	},
	"MV": {
		{"the value is the source's", "another value"},
		{"the destination is the program's", "another destination"},
	},
	"ADDI": {
		{"the sum", "a wrong sum; a lost carry"},
		{"limbs are below 2^32", "a limb of W; a limb of -1"},
		{"a sum wraps at the end alone", "a wrap from elsewhere"},
		{"an instruction is executed once", "half an instruction; an instruction that is left out"},
		{"it is executed at its time", "an instruction at another time; an instruction of another address"},
	},
	"ADDIQ": {
		{"the sum", "a wrong sum"},
		{"registers and constant are the program's", "another destination; another constant"},
	},
	"ADDIW": {
		{"the sum", "a wrong sum"},
		{"the sign fills the high limb", "another sign"},
		{"halves are below 2^16", "halves cut elsewhere"},
	},
	"ADD": {
		{"the destination is the program's", "another destination"},
		{"the sum", "a wrong sum; a lost carry"},
		{"limbs are below 2^32", "a limb of W"},
		{"an instruction is executed once", "an instruction twice"},
		{"registers are read as they were", "a register from the future; its own token"},
	},
	"SUB": {
		{"the difference", "a lost borrow"},
		{"limbs are below 2^32", "a negative limb for a borrow"},
		{"the sign fills a word's high limb", "a word's sign"},
		{"the operation is the program's", "a sum for a difference"},
		{"x0 is 0", "x0 not 0"},
	},
	"LOGR": {
		{"bytes of the result", "a wrong byte"},
		{"operands are cut into bytes", "no byte"},
		{"the operation is the program's", "another operation"},
	},
	"LOGI": {
		{"bytes of the result", "a wrong byte"},
		{"upper bits follow from the constant's sign", "other upper bits"},
		{"the operand is cut into bytes", "bytes cut elsewhere"},
		{"the constant is the program's", "another constant"},
	},
	"SHI": {
		{"shifted-out bits are in range", "a dropped bit moved"},
		{"the low product is exact, not modulo p", "a product of W more"},
		{"the sign", "a sign that shifts in; a sign of a logical shift"},
		{"the amount is the program's", "a longer shift"},
	},
	"SHWI": {
		{"digits of the product", "a wrong digit"},
		{"the sign fills the high limb", "a word's sign"},
		{"the amount is the program's", "another shift"},
	},
	"SHR": {
		{"the sign", "a sign that shifts in"},
		{"the low product is exact, not modulo p", "a product of W more"},
		{"the amount is the register's", "another amount; an amount of 64"},
		{"the factor is the amount's", "another factor"},
	},
	"SHWR": {
		{"the sign is the top bits' sign", "other top bits; other top bits of a long shift"},
		{"the amount is the register's", "another amount"},
		{"the factor is the amount's", "another factor"},
	},
	"BEQZ": {
		{"the outcome", "a nonzero value taken for 0; 0 taken for nonzero"},
	},
	"BEQ": {
		{"the outcome", "equal high limbs alone; equal low limbs alone; equal values taken for unequal"},
	},
	"BLTU": {
		{"the outcome", "the other outcome; the other outcome of more"},
		{"the high limbs decide unless equal", "low limbs that do not decide; equal high limbs that decide"},
	},
	"BLT": {
		{"the outcome", "the other outcome"},
		{"signs", "another sign; another sign of b"},
	},
	"SLTU": {
		{"the outcome", "the other outcome; half an outcome"},
	},
	"SLT": {
		{"the outcome", "the other outcome"},
		{"signs", "another sign"},
	},
	"JALR": {
		{"the target is even", "an odd target; a target two before"},
		{"the target is the register's", "a jump elsewhere"},
	},
	"JR": {
		{"the target is the register's", "a jump elsewhere; a target by another register"},
	},
	"LD": {
		{"the value is the word's last", "an old value"},
		{"times rise", "a value from the future; p - k as a gap; a time that wraps below 0"},
		{"the address is the instruction's", "another address; an address that is not aligned"},
	},
	"LW": {
		{"the address selects the limb", "the other limb; the other limb at the same address"},
		{"the sign", "another sign; a sign of an unsigned word"},
	},
	"LBH": {
		{"the address selects the half", "the other half; a half at an odd address"},
		{"limbs are cut into halves", "a half cut elsewhere; a half cut elsewhere below the other"},
		{"the sign", "another sign"},
		{"the width is the program's", "a half for a byte"},
	},
	"SD": {
		{"the register is the program's", "another register"},
		{"the value is the register's", "another register's value"},
		{"times rise", "its own token"},
	},
	"SW": {
		{"the limb of the address is written, and no other", "a lost write; a write to both limbs"},
	},
	"SBH": {
		{"the half of the address is written, and no other",
			"a lost write; a write to the other limb; a write to the limb below"},
		{"a byte is cut off", "a byte of another value"},
		{"limbs are cut into halves", "a half cut elsewhere"},
	},
	"UNAL": {
		{"no access is aligned", "an aligned word; an aligned half"},
		{"one offset", "two offsets; no offset"},
		{"both words are accessed", "the next word left alone"},
		{"a load changes nothing", "a load that writes"},
		{"a store writes its value", "a store that writes nothing; a store of another value"},
		{"a store keeps its register", "a store that changes its register"},
		{"words are cut into bytes", "bytes of other values"},
		{"the sign", "another sign"},
	},
	"MUL": {
		{"each step is exact, not modulo p", "a product plus p; a second product plus p; a third product plus p"},
		{"the product", "a wrong product"},
		{"the sign fills a word's high limb", "a word's sign"},
		{"the width is the program's", "a word for two"},
	},
	"MULHU": {
		{"the destination is the program's", "another destination"},
		{"each step is exact, not modulo p",
			"a product plus p; a second product plus p; a third product plus p; a last product plus p"},
		{"the product", "a wrong product"},
		{"the carry", "a lost carry"},
	},
	"MULH": {
		{"each step is exact, not modulo p",
			"a product plus p; a second product plus p; a third product plus p; a last product plus p"},
		{"the product", "a wrong product"},
		{"signs", "another sign of a; another sign of b; a sign of an unsigned b"},
		{"carry and borrows", "another carry; a borrow of 3; a second borrow of 3"},
	},
	"DIV": {
		{"the remainder is less than the divisor",
			"a remainder of the divisor; a remainder above the divisor; a negative remainder"},
		{"quotient times divisor, exact, not modulo p", "a wrong quotient; a dividend plus p; a product of high limbs"},
		{"division by 0", "a division by 0 of another quotient; a division by 0 of a short quotient; " +
			"a division by nonzero treated as by 0; a division by 0 like another"},
		{"-2^63 by -1", "a quotient of -2^63 by -1 that overflows"},
		{"signs", "a quotient's sign; a remainder's sign; an operand's sign; a sign of an unsigned operand; a word's sign"},
		{"the requested result is the program's", "a remainder for a quotient"},
	},
	"HALT": {
		{"the exit code is a0", "another exit code"},
		{"the end is the program's", "an end elsewhere; an end at another time"},
	},
	"MB": {
		{"each word once", "a word twice"},
		{"all of memory, and no access outside",
			"another first word; a first word that is accessed; another last word; " +
				"a last word that is accessed"},
		{"the last token is the word's", "another final value"},
	},
	"PRIV": {
		{"bytes are the word's", "another private byte; a limb of 2^32"},
		{"words are the input's", "private input elsewhere; private input from elsewhere on"},
		{"each word once", "a word twice"},
	},
	"REG": {
		{"the last token is the register's", "another final value; another last access"},
	},
	"CALL": {
		{"a call is an instruction of its own", "twice; no instruction; another instruction"},
		{"it is executed at its time", "at another time; a register's token of the future"},
		{"code and arguments are the registers'",
			"another accelerator; another address than the register's; an argument too many"},
		{"a code is an accelerator's, or a note's",
			"a code of no accelerator; the end of the program; a call declared as a note; a note twice"},
	},
	"KECCAK": {
		{"a call is answered once", "an answer given twice; an unanswered call; an answer without a call"},
		{"the address selects the words", "at another address; a word that memory does not hold; words the other way round"},
		{"times rise", "a future value of memory; its own token; p - k as a gap"},
		{"written words are the permutation's",
			"a lost write; another result; limbs that carry into each other; limbs the other way round"},
	},
	"KECCAKF": permutationClaims,
	"ABSORB": {
		{"the block begins at the byte of the argument", "another shift than the argument's; a shift of 8"},
		{"bytes belong to the words and the state", "a byte outside of the block that is none; " +
			"bytes of the block that carry into each other; bytes of the state that carry into each other"},
		{"words and state are memory's", "another block than memory's; another state than memory's"},
		{"the block is added to the state", "another exclusive or"},
		{"written words are the permutation's", "a lost write; another result"},
	},
	"ABSORBF": permutationClaims,
	"SHA256": {
		{"state and block are memory's",
			"another block than memory's; words of the block the other way round; a state of other numbers"},
		{"the state is added to, modulo 2^32",
			"a lost write; a sum that is not reduced; a low half that is not reduced; a carry that is no number"},
	},
	"SHA256F": {
		{"bits are bits", "a bit of 2"},
		{"each row is four rounds", "another word of A; another word of E; another word of the schedule"},
		{"a call has all rounds", "a result of no rounds"},
		{"rows belong to the call of their time", "another call's"},
	},
	"MODMUL": {
		{"the product is quotient times modulus and the remainder, exactly",
			"another remainder; a lost carry; a remainder off by p; " +
				"a quotient's limb aliased"},
		{"the remainder is less than the modulus", "a remainder at least the modulus"},
		{"operands are memory's", "another modulus than memory's"},
	},
	"WIDE256": {
		{"the equation holds exactly", "another sum; a lost carry; a digit aliased"},
		{"overflows are counted", "an overflow that is hidden"},
		{"limbs of the sum are in range", "a limb of the sum aliased"},
		{"numbers and accumulator are memory's", "another number than memory's"},
	},
	"FP3ROW": slices.Concat(fp3Claims, []argument{
		{"a cell that is not below p is refused",
			"a cell that is not below p; a cell declared below p; a refusal that is forgotten"},
		{"each cell is multiplied by the coefficient of its column", "cells in another order; " +
			"the coefficient of another column"},
	}),
	"FP3MUL":      fp3Claims,
	"BLAKE2B":     blakeCallClaims,
	"BLAKE2BF":    blakeRoundClaims,
	"BLAKE3":      blakeCallClaims,
	"BLAKE3F":     blakeRoundClaims,
	"FIELD256":    numberClaims,
	"FIELD384":    numberClaims,
	"FP2":         slices.Concat(elementClaims, operationClaim),
	"FP2384":      slices.Concat(elementClaims, operationClaim),
	"FP2SUM":      elementClaims,
	"FP2SUM384":   elementClaims,
	"ECADD":       slices.Concat(pointClaims, additionClaim),
	"ECADD384":    slices.Concat(pointClaims, additionClaim),
	"ECDOUBLE":    slices.Concat(pointClaims, doublingClaim),
	"ECDOUBLE384": slices.Concat(pointClaims, doublingClaim),
	"": { // about the whole run: runCheats and callRunCheats
		{"one chain of states", "a second run from some instruction on; a chain of states that closes on itself"},
		{"one end", "two ends; no end"},
		{"a read takes the last token", "a stale word; a stale register; an access that takes its own token"},
		{"accesses are in the order of time", "two accesses in the other order; swapped times of two instructions"},
		{"a refresh keeps the order", "a refresh of a token that is not there; a refresh beyond the next access"},
		{"each word once", "a boundary word twice"},
		{"one call for each instruction", "a row of CALL twice; a row of KECCAK twice; a call without its instruction; " +
			"an instruction without its call"},
		{"a note is an instruction that changes nothing and is not answered",
			"a note that asks for an answer; a note that changes a register; a note of other than a call; " +
				"a note in place of an accelerator"},
		{"calls do not share their times or results",
			"two calls with each other's times; two calls with each other's results"},
		{"a permutation is whole", "a permutation that the table's end cuts off"},
	},
}

// The claims about arithmetic modulo a number, points of curves, quadratic fields, arithmetic in the extension,
// permutations, and compression functions.
var (
	numberClaims = []argument{
		{"the equation holds exactly", "another result; a lost carry; a quotient's digit aliased"},
		{"the result is less than the modulus", "a result at least the modulus"},
		{"a root is the even one", "the root that is odd"},
		{"a root is of x, or of -x if that has one", "the root of another sign"},
		{"operation and operands are memory's", "another operation than memory's; another number than memory's"},
	}
	elementClaims = []argument{
		{"the equations hold exactly", "another result; a lost carry; a quotient's digit aliased"},
		{"parts are less than the prime", "a part at least the prime"},
		{"numbers are memory's", "another number than memory's"},
	}
	operationClaim = []argument{{"the operation is the call's", "another operation than the argument's"}}
	additionClaim  = []argument{{"the points differ in x", "points of the same x"}}
	doublingClaim  = []argument{{"the double is finite", "a point with y = 0"}}
	pointClaims    = []argument{
		{"the equations hold exactly", "another result; another slope; a lost carry; a quotient's digit aliased"},
		{"coordinates are less than the prime", "an x at least the prime"},
		{"curve and points are the call's", "another curve than the argument's; another coordinate than memory's"},
	}
	fp3Claims = []argument{
		{"the result is the sum, below p", "another sum; a sum plus p; halves that carry into each other"},
		{"the sum continues the one in memory", "a sum that is not carried on"},
		{"factors are memory's, at the call's addresses", "a factor at another address; another factor than memory's"},
	}
	permutationClaims = []argument{
		{"a permutation is of one state and its result", "of another state; with another result"},
		{"parities are the state's", "another parity; a bit that theta does not give"},
		{"its result is sent once, to the call that requests it", "a result that is not sent; served twice"},
	}
	blakeCallClaims = []argument{
		{"state and block are memory's", "another block than memory's; words of the block the other way round"},
		{"the result is the exclusive or of the last state's words",
			"a lost write; another result; bytes that carry into each other"},
	}
	blakeRoundClaims = []argument{
		{"a row is a round of the function", "another word of the block; another word of the state; another rotation; " +
			"bytes that carry into each other"},
		{"rows belong to the call of their time", "another call's; a result of no rounds"},
	}
)

// withoutCheats are tables without cheats: their contents are preprocessed (TestAnotherImageIsRefused), counts (both
// are in TestEachRunCheatIsRefused), or, for REFRESH, part of the run.
var withoutCheats = []string{"REFRESH", "IMAGE", "PROGRAM", "R20", "R16", "SGN", "B8", "SH"}

// attacks are tried on every machine of this kind, with the cheats that try them: of tables, of the run, or claims.
var attacks = []argument{
	{"a wrong sum", "ADD: a wrong sum; ADDI: a wrong sum; ADDIQ: a wrong sum; ADDIW: a wrong sum; SUB: a lost borrow"},
	{"a lost carry", "ADD: a lost carry; ADDI: a lost carry; MULHU: a lost carry; MULH: another carry"},
	{"a limb aliased modulo p",
		"MUL: a product plus p; MULHU: a last product plus p; MULH: a third product plus p; DIV: a dividend plus p"},
	{"a sign", "SLT: another sign; LW: another sign; LBH: another sign; MULH: another sign of a; DIV: an operand's sign"},
	{"a remainder that is not less than the divisor",
		"DIV: a remainder of the divisor; DIV: a remainder above the divisor"},
	{"the quotient of -2^63 by -1", "DIV: a quotient of -2^63 by -1 that overflows"},
	{"a stale read", ": a stale word; : a stale register"},
	{"a lost write", "SW: a lost write; SBH: a lost write; UNAL: a store that writes nothing"},
	{"swapped times", ": swapped times of two instructions; : two accesses in the other order"},
	{"p - k as a difference of times", "LD: p - k as a gap"},
	{"a boundary word twice", ": a boundary word twice; MB: a word twice; PRIV: a word twice"},
	{"a second chain of states",
		": a second run from some instruction on; : a chain of states that closes on itself; : two ends"},
	{"a wrong branch", "BEQZ: a nonzero value taken for 0; BEQ: equal values taken for unequal; " +
		"BLTU: the other outcome; BLT: the other outcome"},
	{"x0 written", "UJ: x0 written; SUB: x0 not 0"},
	{"an input word changed", "another public input; PRIV: another private byte"},
	{"an output word changed", "another output; an output of a word less; a time of the output"},
}

// Every table has an argument, each claim has cheats that deny it, and every cheat belongs to a claim.
func TestEachClaimHasACheat(t *testing.T) {
	left := map[string]bool{}
	for _, c := range allCheats() {
		left[c.String()] = true
	}
	for _, c := range slices.Concat(runCheats(), callRunCheats()) {
		left[": "+c.name] = true
	}
	claims := claimCheats(honest(t).execution.Public())
	for _, a := range attacks {
		for _, cheat := range strings.Split(a.cheats, "; ") {
			if _, ok := claims[cheat]; !ok && !left[cheat] {
				t.Errorf("no cheat %q tries %s", cheat, a.claim)
			}
		}
	}
	for table, list := range arguments {
		for _, a := range list {
			for _, cheat := range strings.Split(a.cheats, "; ") {
				if !left[table+": "+cheat] {
					t.Errorf("table %q: no cheat %q denies that %s, or another claim has it", table, cheat, a.claim)
				}
				delete(left, table+": "+cheat)
			}
		}
	}
	for cheat := range left {
		t.Errorf("%s: denies no claim", cheat)
	}
	for _, table := range declared(t).Tables {
		if (arguments[table.Name] == nil) != slices.Contains(withoutCheats, table.Name) {
			t.Errorf("table %s has %d claims", table.Name, len(arguments[table.Name]))
		}
	}
}
