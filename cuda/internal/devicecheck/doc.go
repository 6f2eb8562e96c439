// Package devicecheck runs every PTX primitive and every field operation of the kernel headers on a device, against
// its portable twin on the same device and against Go's math/big, on random and edge values.
//
// It is tests only. On a host with a GPU and no Go, run the prebuilt binary:
//
//	CGO_ENABLED=0 go test -c -o devicecheck.test ./cuda/internal/devicecheck
//	CHIASMUS_DEVICE=gpu CHIASMUS_NVRTC=/path/to/libnvrtc.so.13 ./devicecheck.test -test.v
package devicecheck
