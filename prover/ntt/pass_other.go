//go:build !amd64

package ntt

// No kernels: the pure-Go forms do all the work.

func (p *pass) runKernel() bool { return false }

func transposeInKernel(rows *[last * tile]element, src []element, offsets *blockOffsets) bool {
	return false
}

func transposeOutKernel(dst []element, rows *[last * tile]element) bool { return false }
