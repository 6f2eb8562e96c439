package riscv_test

import (
	"regexp"
	"slices"
	"testing"
)

// harmless are changes that are not bugs, by their description, with the reason.
var harmless = []struct{ bugs, why string }{
	{`.*(SGN|P|M)\(.*\): m for argument [01]`, "the argument is 1, and so is m where it is asked"},
	{`.*: (fa fa|fb fb|fs fs): .*`, "the program's row gives the flag, which is 0 or 1"},
	{`(BLTU|BLT): lt lt: .*`, "the program's row gives the outcome, which is 0 or 1"},
	{`(BLTU|BLT|SLTU|SLT): .* - alo\) - \(.*: (first alone|other sign)`,
		"the difference of the high limbs counts by 1 - h, and is 0 where h is 1"},
	{`DIV: .*\(bl - .*\) - \(bh - .*: (first alone|other sign)`, "the same of remainder and divisor"},
	{`(SHWI|SHWR): .*\(e[0-9] .*: other sign`, "the program's row picks one of the terms"},
	{`(SHWI|SHWR): e4 \+ e5: other sign`, "one of the two is 0, and what they multiply has to be 0"},
	{`(SHI|SHR|MULH|DIV): SGN\(1, .*\): (fa|d|fb|fs) for argument 0`, "the flag is 1 where it is asked"},
	{`(SHI|SHR|MULH|DIV): m (fa|fb|fs): .*`, "where the flag is 0, so is all that is looked up"},
	{`MULH: .*q1.*`, "a second borrow of 2 is allowed and never needed"},
}

// Each bug planted in a declaration is detected.
func TestPlantedBugsAreNoticed(t *testing.T) {
	all := collected(t)
	used := map[int]bool{}
	var kept []forged
	for _, table := range declared(t).Tables {
		c := all[table.Name]
		if c == nil {
			continue
		}
		total := 0
		visit := func(b bug) {
			total++
			if c.noticed(&b) {
				return
			}
			name := c.describe(&b)
			k := slices.IndexFunc(harmless, func(h struct{ bugs, why string }) bool {
				return regexp.MustCompile("^(" + h.bugs + ")$").MatchString(name)
			})
			if used[k] = true; k < 0 && !(*forge && c.found(&b)) {
				t.Errorf("nothing notices %s", name)
			}
		}
		c.messageBugs(visit)
		if table.Name != "UNAL" { // its sums have a term for each offset, and flags select one: most bugs are harmless
			c.nodeBugs(visit)
		}
		if kept = append(kept, c.kept()...); *forge {
			writeForged(t, kept)
		}
		t.Logf("table %s: %d bugs, %d honest rows, %d cheats", table.Name, total, len(c.honest), len(c.cheats))
	}
	for k, h := range harmless {
		if !used[k] {
			t.Errorf("the harmless %s are all noticed", h.bugs)
		}
	}
}
