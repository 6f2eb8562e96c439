package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// elements calls use for each element of the list under a key of a JSON object, with the element's line.
func elements(c *collector, text []byte, key string, use func(line int, raw json.RawMessage) error) error {
	in := json.NewDecoder(bytes.NewReader(text))
	wrong := func(err error) error {
		var syntax *json.SyntaxError
		offset := in.InputOffset()
		if errors.As(err, &syntax) {
			offset = max(offset, syntax.Offset-1)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return c.at(lineAt(text, int64(len(text))), "the JSON is incomplete: was the tool interrupted?")
		}
		return c.at(lineAt(text, offset), "%v", err)
	}
	if token, err := in.Token(); err != nil {
		return wrong(err)
	} else if token != json.Delim('{') {
		return wrong(fmt.Errorf("want a JSON object with %q", key))
	}
	found := false
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return wrong(err)
		}
		if name != key || found {
			if found && name == key {
				return wrong(fmt.Errorf("%q appears twice", key))
			}
			var skipped json.RawMessage
			if err := in.Decode(&skipped); err != nil {
				return wrong(err)
			}
			continue
		}
		found = true
		if token, err := in.Token(); err != nil {
			return wrong(err)
		} else if token != json.Delim('[') {
			return wrong(fmt.Errorf("%s: want a list", key))
		}
		for in.More() {
			line := lineAt(text, next(text, in.InputOffset()))
			var raw json.RawMessage
			if err := in.Decode(&raw); err != nil {
				return wrong(err)
			}
			if err := use(line, raw); err != nil {
				return err
			}
		}
		if _, err := in.Token(); err != nil {
			return wrong(err)
		}
	}
	if _, err := in.Token(); err != nil {
		return wrong(err)
	}
	if !found {
		return c.at(1, "the object has no %q", key)
	}
	return nil
}

// next returns the offset of the first byte of the value after an offset.
func next(text []byte, offset int64) int64 {
	for offset < int64(len(text)) && bytes.IndexByte([]byte(" \t\r\n,"), text[offset]) >= 0 {
		offset++
	}
	return offset
}

// lineAt returns the line, from 1, of a byte.
func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:max(0, min(offset, int64(len(text))))], []byte("\n"))
}

// figures returns the metrics of a result. The value called main is required; others are left out if they are missing
// or invalid.
func figures(main string, value *float64, others map[string]*float64) (map[string]float64, error) {
	if value == nil {
		return nil, fmt.Errorf("%s: missing or not a number", main)
	}
	if err := usable(*value); err != nil {
		return nil, fmt.Errorf("%s: %w", main, err)
	}
	metrics := map[string]float64{Seconds: *value}
	for name, other := range others {
		if other != nil && usable(*other) == nil {
			metrics[name] = *other
		}
	}
	return metrics, nil
}
