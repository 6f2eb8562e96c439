package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// checkUnique returns an error if a key occurs twice in an object, because readers may disagree on which value counts.
// The keys of the message itself are compared without regard to case, as encoding/json does; nested keys, the names of
// metrics, are compared exactly. The text must be valid JSON.
func checkUnique(text []byte) error {
	type object struct {
		list bool
		keys map[string]bool
		key  bool // a key comes next
	}
	var open []*object
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	for {
		token, err := tokens.Token()
		if err != nil {
			return nil // the end of the text, which is valid JSON
		}
		if end, ok := token.(json.Delim); ok && (end == '}' || end == ']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 && !open[len(open)-1].list {
			inner := open[len(open)-1]
			if inner.key = !inner.key; !inner.key { // a key
				name, _ := token.(string)
				seen := name
				if len(open) == 1 {
					seen = strings.Map(fold, name)
				}
				if inner.keys[seen] {
					return fmt.Errorf("the key %q occurs twice", name)
				}
				inner.keys[seen] = true
			}
		}
		if begin, ok := token.(json.Delim); ok {
			open = append(open, &object{list: begin == '[', keys: map[string]bool{}, key: true})
		}
	}
}

// fold returns the smallest of the letters that differ only in case.
func fold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}
