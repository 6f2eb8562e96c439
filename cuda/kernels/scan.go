package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// scannedPerBlock is the number of elements of a block of scan.cu.
const scannedPerBlock = 2048

// ScanWorkBytes returns the memory that [Set.Scan] needs in addition to its columns.
func ScanWorkBytes(n uint64) uint64 { return 24 * ((n + scannedPerBlock - 1) / scannedPerBlock) }

// Scan writes the prefix sums of n extension elements, coordinates in three columns: entry i is the sum of entries 0 to
// i. Out may be in.
func (s *Set) Scan(stream *cuda.Stream, out, in Columns, n uint64, work cuda.Span) error {
	if err := errors.Join(in.checkExtension("scan input", n), out.checkExtension("scan output", n)); err != nil {
		return err
	}
	if work.Size() < ScanWorkBytes(n) {
		return fmt.Errorf("scanning %d elements needs %d bytes of work space, %d given", n, ScanWorkBytes(n), work.Size())
	}
	blocks := (n-1)/scannedPerBlock + 1
	sums := Columns{Span: work, Stride: blocks}.argument()
	shape := cuda.Shape{Grid: cuda.Dim{X: blocks}, Block: cuda.Dim{X: 256}}
	if err := s.launch(stream, "scan_sums", shape, sums, in.argument(), cuda.U64(n)); err != nil {
		return err
	}
	if err := s.launch(stream, "scan_blocks", cuda.Linear(1, 256), sums, cuda.U64(blocks)); err != nil {
		return err
	}
	return s.launch(stream, "scan_apply", shape, out.argument(), in.argument(), sums, cuda.U64(n))
}
