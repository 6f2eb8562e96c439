//go:build !linux || !(amd64 || arm64)

package isolate

import "os"

// filterProgram is empty: numbers of calls are known for Linux on amd64 and arm64.
func filterProgram() []byte { return nil }

func memoryFilter() (*os.File, error) { return nil, nil }
