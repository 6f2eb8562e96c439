package cuts

import (
	"math"
	"slices"
)

// least is where the cost is least of all x >= 0 with row . x >= the row's last entry for every row, by the dual
// simplex method: costs of at least 0 make x = 0 the best but for the rows that it violates, and each step mends
// one. Of equal choices the first is taken (Bland's rule), so that it ends. There must be such an x.
func least(cost []float64, rows [][]float64) []float64 {
	n := len(cost)
	reduced := slices.Clone(cost)
	basis := make([]int, len(rows)) // what each row is solved for: variables, and from n on what rows have to spare
	free := make([]int, n)          // what is 0
	for j := range free {
		free[j] = j
	}
	table := make([][]float64, len(rows)) // basis = -entry + coefficients . free
	for i, row := range rows {
		table[i], basis[i] = slices.Clone(row), n+i
	}
	for {
		leaves := violated(table, basis, n)
		if leaves < 0 {
			break
		}
		enters := cheapest(table[leaves], reduced, free)
		pivot(table, reduced, leaves, enters)
		basis[leaves], free[enters] = free[enters], basis[leaves]
	}
	x := make([]float64, n)
	for i, variable := range basis {
		if variable < n {
			x[variable] = -table[i][n]
		}
	}
	return x
}

// rounding is what sums of a few times of seconds are off by.
const rounding = 1e-12

// violated is the row whose variable is below 0, of several that of the first variable; -1 where there is none.
func violated(table [][]float64, basis []int, n int) int {
	found := -1
	for i, row := range table {
		if row[n] > rounding && (found < 0 || basis[i] < basis[found]) {
			found = i
		}
	}
	return found
}

// cheapest is the place of the variable that mends a row at the least cost.
func cheapest(row, reduced []float64, free []int) int {
	found, least := -1, math.Inf(1)
	for j, coefficient := range row[:len(free)] {
		if coefficient <= rounding {
			continue
		}
		ratio := reduced[j] / coefficient
		if ratio < least || ratio == least && free[j] < free[found] {
			found, least = j, ratio
		}
	}
	return found
}

// pivot solves a row for the variable of a column, and puts that into the other rows and the cost.
func pivot(table [][]float64, reduced []float64, row, column int) {
	from := table[row]
	n := len(reduced)
	scale := 1 / from[column]
	// basis = -entry + ... + c free: free = entry/c - ... + basis/c, with entries of the other sign at the end.
	for j := range n {
		if j == column {
			from[j] = scale
		} else {
			from[j] *= -scale
		}
	}
	from[n] *= -scale
	for i, other := range table {
		if i != row {
			substitute(other, from, column, n+1)
		}
	}
	substitute(reduced, from, column, n)
}

// substitute puts what a variable is into a row, up to so many entries.
func substitute(row, from []float64, column, entries int) {
	factor := row[column]
	if factor == 0 {
		return
	}
	for j := range entries {
		if j == column {
			row[j] = factor * from[j]
		} else {
			row[j] += factor * from[j]
		}
	}
}
