// Package instances decides the heights of a table's instances.
//
// A table's rows are divided into instances whose heights are powers of two. Few rows should be padding, and there
// should be few instances and few different heights: every instance has its own openings, and every height a quotient
// and a layer of FRI. [Choose] is a pure function of the numbers of rows, so that planning, proving and filling agree.
package instances

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Heights of instances, as powers of two.
const (
	MinLog = 8
	MaxLog = 24
	// MinLogBoundary is the least height of the boundary.
	MinLogBoundary = 10
)

// The finest and the coarsest limit of padding, as powers of two: an instance with more rows of padding is cut once
// more. One limit for all tables saves more cells than a share of each table's rows would, with the same number of
// instances.
const (
	minLogSlack = 8
	maxLogSlack = 22
)

// Fewer columns may cost up to 1/tolerance more cells than the plan with the fewest cells.
const tolerance = 100

// A Plan has the log heights of every table's instances, not ascending.
type Plan [table.Count][]int

// mostColumns is the number of [Plan.Columns] with which a proof has at most the columns in all trees that verifiers
// accept: 32,768, and 2^23 opened cells (protocol.md, section 8). The preset with the most queries, shard, has 263. The
// other columns are preprocessed ones, the lookup tables', and quotients.
const mostColumns = 1<<23/263 - otherColumns

// otherColumns is the largest number of other columns: TestPlansFitVerifiers counts them.
const otherColumns = 300

// Choose plans the instances of a run from the number of rows of each table. Among the plans with hardly more cells
// than the minimum it takes the one with the fewest columns: every query opens all columns, so they dominate the size
// of a proof and the time of verification. Every height costs a quotient, so tables share heights if that costs little.
//
// If this plan has more columns than verifiers accept, Choose takes the one with the fewest cells of those that have
// not. If all have more, so has the result: only more shards have fewer columns then.
func Choose(rows [table.Count]int) (Plan, error) {
	plans, err := cutsBy(rows, minLogSlack, maxLogSlack)
	if err != nil {
		return Plan{}, err
	}
	least := plans[0].Cells()
	for i := range plans {
		least = min(least, plans[i].Cells())
	}
	small := slices.DeleteFunc(slices.Clone(plans), func(p Plan) bool { return p.Cells() > least+least/tolerance })
	chosen := slices.MinFunc(small, func(a, b Plan) int {
		return cmp.Or(cmp.Compare(a.Columns(), b.Columns()), cmp.Compare(a.Cells(), b.Cells()))
	})
	if chosen.Columns() <= mostColumns {
		return chosen, nil
	}
	coarse, err := cutsBy(rows, maxLogSlack+1, MaxLog)
	if err != nil {
		return Plan{}, err
	}
	return slices.MinFunc(append(plans, coarse...), func(a, b Plan) int {
		excess := func(p Plan) int { return max(p.Columns()-mostColumns, 0) }
		return cmp.Or(cmp.Compare(excess(a), excess(b)), cmp.Compare(a.Cells(), b.Cells()))
	}), nil
}

// cutsBy returns a plan for each limit of padding, the powers of two from 2^least to 2^most.
func cutsBy(rows [table.Count]int, least, most int) (plans []Plan, err error) {
	for log := least; log <= most; log++ {
		var plan Plan
		for t := range plan {
			if plan[t], err = cut(table.Table(t), rows[t], 1<<log); err != nil {
				return nil, err
			}
		}
		plans = append(plans, plan)
	}
	return plans, nil
}

// Heights returns the distinct log heights of a plan and of the fixed tables.
func (p *Plan) Heights() map[int]bool {
	heights := map[int]bool{}
	for _, fixed := range table.Fixed {
		heights[fixed.Log] = true
	}
	for _, logs := range p {
		for _, log := range logs {
			heights[log] = true
		}
	}
	return heights
}

// Instances returns the number of a plan's instances without the fixed tables.
func (p *Plan) Instances() int {
	n := 0
	for _, logs := range p {
		n += len(logs)
	}
	return n
}

// Columns returns the number of main and auxiliary columns of a plan's instances.
func (p *Plan) Columns() int {
	n := 0
	for t, logs := range p {
		n += table.Cells(table.Table(t)) * len(logs)
	}
	return n
}

// Cells returns the number of cells that a proof commits to: main and auxiliary cells of all instances including
// padding, fixed tables, and quotients.
func (p *Plan) Cells() uint64 {
	var total uint64
	for t, logs := range p {
		for _, log := range logs {
			total += uint64(table.Cells(table.Table(t))) << log
		}
	}
	for _, fixed := range table.Fixed {
		total += uint64(fixed.Cells) << fixed.Log
	}
	for log := range p.Heights() {
		total += table.QuotientCells << log
	}
	return total
}

// cut returns the log heights of a table's instances for a number of rows, not ascending, with at most slack rows of
// padding if more instances can achieve that. A table with exactly one instance always has it; instances of other
// tables are never empty.
func cut(t table.Table, rows, slack int) ([]int, error) {
	if rows < 0 {
		return nil, fmt.Errorf("%s: %d rows", t, rows)
	}
	if t == 0 || t == table.ECALLS {
		return nil, nil
	}
	if single(t) {
		least := MinLog
		if t == table.Boundary {
			least = MinLogBoundary
		}
		log := max(least, ceilLog(rows))
		if log > MaxLog {
			return nil, fmt.Errorf("%s has %d rows, at most %d fit: it has one instance", t, rows, 1<<MaxLog)
		}
		return []int{log}, nil
	}
	if most := table.MaxInstances(t); rows > most*room(t, MaxLog) {
		return nil, fmt.Errorf("%s has %d rows, at most %d fit in %d instances", t, rows, most*room(t, MaxLog), most)
	}
	return several(t, rows, slack), nil
}

// several implements cut for a table that may have several instances, if its rows fit.
func several(t table.Table, rows, slack int) (logs []int) {
	for left := rows; left > 0; {
		log := max(MinLog, ceilLog(left))
		if room(t, log) < left {
			log++
		}
		padding := 1<<log - left
		if log <= MaxLog && (padding <= slack || log == MinLog || len(logs) == table.MaxInstances(t)-1) {
			return append(logs, log)
		}
		log = min(log-1, MaxLog)
		logs = append(logs, log)
		left -= room(t, log)
	}
	return logs
}

// room returns the number of rows of an instance that records can use. If a record takes several rows, some rows at the
// end may remain unused.
func room(t table.Table, log int) int {
	n := table.RowsOfRecord(t)
	return 1 << log / n * n
}

// single reports whether a proof has exactly one instance of the table.
func single(t table.Table) bool {
	switch t {
	case table.Halt, table.Boundary, table.Private, table.Register, table.Image, table.Program:
		return true
	}
	return false
}

// ceilLog returns the least k with 2^k >= n; 0 for n = 0.
func ceilLog(n int) int {
	if n <= 1 {
		return 0
	}
	return bits.Len(uint(n - 1))
}
