package cuts

import (
	"math"
	"slices"
)

// least returns the x >= 0 with the least cost for which row . x >= the row's last entry, for every row. It uses the
// dual simplex method: because costs are not negative, x = 0 is optimal except for the rows that it violates, and each
// step repairs one row. Ties go to the first candidate (Bland's rule), so the method terminates. Such an x must exist.
func least(cost []float64, rows [][]float64) []float64 {
	n := len(cost)
	reduced := slices.Clone(cost)
	basis := make([]int, len(rows)) // the variable that each row is solved for; from n on, the slack of a row
	free := make([]int, n)          // the variables that are 0
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

// rounding bounds the rounding error of sums of a few times in seconds.
const rounding = 1e-12

// violated returns the row whose variable is below 0, the first variable if there are several, or -1.
func violated(table [][]float64, basis []int, n int) int {
	found := -1
	for i, row := range table {
		if row[n] > rounding && (found < 0 || basis[i] < basis[found]) {
			found = i
		}
	}
	return found
}

// cheapest returns the index of the variable that repairs a row at the least cost.
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

// pivot solves a row for the variable of a column, and substitutes it in the other rows and the cost.
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

// substitute replaces a variable in a row, for the first entries.
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
