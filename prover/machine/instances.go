package machine

import (
	_ "embed" // instances.cuh

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/air"
)

// Instances are the instances of a table, as the kernels of a filler with a Unit get them.
type Instances struct {
	Count   uint64
	Columns [air.MaxInstances]uint64     // addresses of each instance's first column
	Stride  [air.MaxInstances]uint64     // distance of columns in words
	First   [air.MaxInstances + 1]uint64 // the number of each instance's first row, then the total number of rows
}

// Add appends an instance.
func (l *Instances) Add(columns, stride, rows uint64) {
	l.Columns[l.Count], l.Stride[l.Count] = columns, stride
	l.First[l.Count+1] = l.First[l.Count] + rows
	l.Count++
}

// Rows returns the number of rows of all instances.
func (l *Instances) Rows() uint64 { return l.First[l.Count] }

//go:embed instances.cuh
var placeRow string

// InstancesHeader returns the text of instances.cuh: the struct, and place_row, which finds a row's instance and index
// in it.
func InstancesHeader() string {
	return header.New("dialect.cuh").Struct("Instances", Instances{}).String() + placeRow
}
