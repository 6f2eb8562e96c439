package guests

import "path"

// SDKFile is a file of the SDK.
type SDKFile struct {
	Name string
	Data []byte
}

// features are what this machine has beyond plain RV64IM: loads and stores may be misaligned. eth-act's link.sh adds
// them to the functions of a guest's bitcode.
const features = "+unaligned-scalar-mem"

// SDK returns the files to link with guests that name no zkVM: the standard's archive, the linker script and the
// machine's features.
func SDK() (all []SDKFile, err error) {
	for _, name := range []string{"libzkvm.a", "zkvm.ld"} {
		data, err := files.ReadFile(path.Join("sdk", name))
		if err != nil {
			return nil, err
		}
		all = append(all, SDKFile{name, data})
	}
	return append(all, SDKFile{"zkvm.features", []byte(features + "\n")}), nil
}
