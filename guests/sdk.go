package guests

import "path"

// SDKFile is a file of the SDK.
type SDKFile struct {
	Name string
	Data []byte
}

// SDK returns the files to link with guests that name no zkVM: the standard's archive and the linker script.
func SDK() (all []SDKFile, err error) {
	for _, name := range []string{"libzkvm.a", "zkvm.ld"} {
		data, err := files.ReadFile(path.Join("sdk", name))
		if err != nil {
			return nil, err
		}
		all = append(all, SDKFile{name, data})
	}
	return all, nil
}
