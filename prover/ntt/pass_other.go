//go:build !amd64

package ntt

// There are no kernels: the pure-Go forms do all the work.

func (p *pass) runKernel() bool { return false }

func transposeInKernel(rows *[last * tile]element, src []element, offsets *blockOffsets) bool {
	return false
}

func transposeOutKernel(dst, rows []element, stride int) bool { return false }

func scaleRowsKernel(dst, src []element, stride, ahead int, factors []element) bool { return false }

func lastKernel(w *workspace, piece []element) bool { return false }
