// Package devicecheck tests every PTX primitive and field operation of the kernel headers on a device, against its
// portable counterpart on the same device and against math/big, with random and edge values.
//
// It contains only tests and benchmarks. For a host with a GPU but without Go or NVRTC, build the binaries and the
// kernels on another machine and copy them:
//
//	CGO_ENABLED=0 go test -c -o devicecheck.test ./cuda/internal/devicecheck
//	CGO_ENABLED=0 go test -c -o kernels.test ./cuda/kernels
//	CHIASMUS_WRITE_KERNELS=built CHIASMUS_ARCH=sm_90 ./devicecheck.test -test.run TestWriteKernels
//
// and there:
//
//	CHIASMUS_DEVICE=gpu CHIASMUS_KERNELS=built ./devicecheck.test -test.v -test.bench .
//	CHIASMUS_DEVICE=gpu CHIASMUS_KERNELS=built ./kernels.test -test.v
package devicecheck
