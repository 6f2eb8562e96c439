package softgpu

import (
	"fmt"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// configure sets what contexts made from now on are given. It comes before cuInit, which starts the workers.
func configure(path string, options Options) error {
	library, err := driver.Open(path)
	if err != nil {
		return err
	}
	set, err := library.Control("softgpu_configure")
	if err != nil {
		return err
	}
	if result := int32(set(uintptr(max(options.Seed, 1)), uintptr(options.MemoryBytes), uintptr(options.Workers))); result != 0 {
		return fmt.Errorf("configuring the software device: error %d", result)
	}
	return nil
}
