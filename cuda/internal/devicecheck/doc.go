// Package devicecheck runs every PTX primitive and every field operation of the kernel headers on a device, against
// its portable twin on the same device and against Go's math/big, on random and edge values.
//
// It is tests and benchmarks only. For a host with a GPU and neither Go nor NVRTC, build the binaries and the kernels
// elsewhere and take them there:
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
