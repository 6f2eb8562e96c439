package generate

import "github.com/chiasmus/chiasmus/internal/header"

// TraceRows is an instance over the trace domain, in natural order, as generated kernels take it. Addresses are of
// device memory.
type TraceRows struct {
	MainColumns                 uint64 `cuda:"const u64 *const *"` // by number; a column that is not read may be null
	PreprocessedColumns         uint64 `cuda:"const u64 *const *"` // null where the table has none
	PublicValues                uint64 `cuda:"const u64 *"`        // null where it reads none
	PeriodicColumns             uint64 `cuda:"const u64 *"`        // see periodic_by_row
	N                           uint64
	Generator, GeneratorInverse uint64 // of the domain
	FirstRow                    uint64 // the domain's row that thread row 0 works on
}

// ExtendedRows is an instance over its extension, in bit-reversed order. The constraints are evaluated on the coset of
// size 2n, the first 2n entries of the extension, or on the coset of size n, the first n. Strides are in bytes.
type ExtendedRows struct {
	MainColumns                 uint64 `cuda:"const u64 *"`
	PreprocessedColumns         uint64 `cuda:"const u64 *"`
	AuxiliaryColumns            uint64 `cuda:"const u64 *"`
	MainStride                  uint32 // below 2^32 because no extension is longer than 2^26
	PreprocessedStride          uint32
	AuxiliaryStride             uint32
	LogHeight                   uint32
	PublicValues                uint64 `cuda:"const u64 *"`
	PeriodicColumns             uint64 `cuda:"const u64 *"` // see periodic_by_entry
	Points                      uint64 `cuda:"const u64 *"` // x by entry
	Inverses                    uint64 `cuda:"const u64 *"` // 1/(x - 1)
	Entries                     uint64 // n or 2n
	Generator, GeneratorInverse uint64
	Vanishing, Scale            [2]uint64 // x^n - 1 on the first n entries and on the next, and its inverses
	Challenges                  uint64    `cuda:"const u64 *"` // alpha, beta, beta^2, ... by coordinates
	Weights                     uint64    `cuda:"const u64 *"` // by constraint piece, by coordinates
	// three columns of entries: the weighed sum of the constraints, divided by x^n - 1
	Sums       uint64 `cuda:"u64 *"`
	SumsStride uint64
}

// rowStructs declares the structs that rows.cuh reads.
var rowStructs = header.New().Struct("TraceRows", TraceRows{}).Struct("ExtendedRows", ExtendedRows{})
