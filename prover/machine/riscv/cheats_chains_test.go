package riscv_test

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// goldilocksHalf is one half.
var goldilocksHalf = goldilocks.Element(2).Inverse()

// chainCheats are about the start and the end of chains of tokens.
func chainCheats() []cheat {
	lastRow := func(r row) bool { return r.at == r.in.Trace.Rows()-1 }
	return []cheat{
		{name: "a word twice", table: "MB", reason: "words are in order", with: "M",
			where: func(r row) bool { return r.at == 5 }, lie: func(r row) { r.add("w", -1) }},
		{name: "another first word", table: "MB", reason: "the first word is the one before memory", with: "M, R20",
			lie: func(r row) { r.add("w", -1); r.add("d", 1) }},
		{name: "a first word that is accessed", table: "MB", reason: "nothing touches it", with: "M",
			lie: func(r row) { r.set("fts", 6) }},
		{name: "another last word", table: "MB", reason: "words are in order", with: "M",
			where: func(r row) bool { return r.at == r.in.Trace.Rows()-2 }, lie: func(r row) { r.add("d", 1) }},
		{name: "a last word that is accessed", table: "MB", reason: "nothing touches that either", with: "M", where: lastRow,
			lie: func(r row) { r.set("fts", 6) }},
		{name: "another final value", table: "MB", reason: "bus M", where: func(r row) bool { return r.get("lo") > 1 },
			lie: func(r row) { r.add("lo", -1) }},
		{name: "another private byte", table: "PRIV", reason: "bus M", where: func(r row) bool { return r.at == 1 },
			lie: func(r row) { r.add("c0", 1) }},
		{name: "private input elsewhere", table: "PRIV", reason: "words follow each other", with: "M",
			where: func(r row) bool { return r.at == 2 }, lie: func(r row) { r.add("w", 1000) }},
		{name: "private input from elsewhere on", table: "PRIV", reason: "the first word", with: "M, words follow each other",
			lie: func(r row) { r.add("w", -1) }},
		{name: "a limb of 2^32", table: "PRIV", reason: "bus R16", with: "M", lie: func(r row) { r.add("c1", 1<<16) }},
		{name: "a word twice", table: "PRIV", reason: "m is boolean", with: "M", lie: func(r row) { r.set("m", 2) }},
		{name: "another final value", table: "REG", reason: "bus R", where: func(r row) bool { return r.at == 5 },
			lie: func(r row) { r.add("lo", 1) }},
		{name: "another last access", table: "REG", reason: "bus R", where: func(r row) bool { return r.at == 5 },
			lie: func(r row) { r.add("fts", 4) }},
	}
}
