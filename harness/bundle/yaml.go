package bundle

import (
	"bytes"
	"errors"

	"gopkg.in/yaml.v3"
)

// withoutFetch removes build.fetch from a bench.yaml and keeps everything else, including comments.
func withoutFetch(data []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	if len(document.Content) != 1 {
		return nil, errors.New("the file is empty")
	}
	build := value(document.Content[0], "build")
	if build == nil || build.Kind == yaml.AliasNode || value(build, "fetch") == nil {
		return data, nil
	}
	for i := 0; i < len(build.Content); i += 2 {
		if build.Content[i].Value == "fetch" {
			build.Content = append(build.Content[:i], build.Content[i+2:]...)
			break
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(&document); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// value returns the value of a mapping's key, or nil.
func value(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}
