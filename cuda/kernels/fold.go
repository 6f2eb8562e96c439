package kernels

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
)

// MaxLogArity is the largest number of levels of one fold.
const MaxLogArity = 4

// Fold folds each 2^logArity consecutive entries of a codeword of 2^logSize, f at w^rev(i), to one entry of out with
// the powers of beta. If joining has columns, their entries times beta^(2^logArity) are added. All are extension
// columns; out must not be in.
func (t *Transforms) Fold(s *cuda.Stream, out, in, joining Columns, logSize, logArity int, beta Extension) error {
	if err := beta.check("challenge"); err != nil {
		return err
	}
	return t.fold(s, out, in, joining, logSize, logArity, beta, cuda.Null())
}

// FoldDrawn is Fold with the challenge that [Set.DrawLayer], queued before, writes to a record.
func (t *Transforms) FoldDrawn(s *cuda.Stream, out, in, joining Columns, logSize, logArity int,
	record LayerRecord) error {
	drawn, err := record.challenge()
	if err != nil {
		return err
	}
	return t.fold(s, out, in, joining, logSize, logArity, Extension{}, cuda.Address(drawn))
}

func (t *Transforms) fold(s *cuda.Stream, out, in, joining Columns, logSize, logArity int, beta Extension,
	drawn cuda.Argument) error {
	if logArity < 1 || logArity > MaxLogArity || logSize < logArity || logSize > MaxLogSize {
		return fmt.Errorf("folding 2^%d entries by 2^%d: want 2^1 to 2^%d of at most 2^%d", logSize, logArity,
			MaxLogArity, MaxLogSize)
	}
	rows := uint64(1) << (logSize - logArity)
	err := errors.Join(in.checkExtension("codeword", 1<<logSize), out.checkExtension("folded codeword", rows))
	if joining.Count != 0 {
		err = errors.Join(err, joining.checkExtension("joining codeword", rows))
	} else {
		joining = Columns{}
	}
	if err != nil {
		return err
	}
	return t.set.launch(s, fmt.Sprint("fold_", logArity), cuda.Linear(rows, 128), out.argument(), in.argument(),
		joining.argument(), t.root.argument(), beta.argument(), drawn, cuda.U32(uint32(logSize)))
}
