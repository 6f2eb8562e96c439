package table

// Fixed are the lookup tables that every proof has, R20, R16, SGN, B8 and SH: their log heights, and the cells of a
// row.
var Fixed = []struct{ Log, Cells int }{{16, 40}, {16, 5}, {16, 5}, {16, 10}, {8, 4}}

// QuotientCells is the number of committed quotient elements per row of a height, for any number of instances of that
// height.
const QuotientCells = 6
