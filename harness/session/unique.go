package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// checkUnique refuses an object in which a key comes twice: of which value counts, two readers may think differently.
// The keys of the message itself are compared as encoding/json does, whatever their case; those within it, the names of
// metrics, as they are written. The text is valid JSON.
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
			return nil // its end: it was parsed before
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
					return fmt.Errorf("the key %q is there twice", name)
				}
				inner.keys[seen] = true
			}
		}
		if begin, ok := token.(json.Delim); ok {
			open = append(open, &object{list: begin == '[', keys: map[string]bool{}, key: true})
		}
	}
}

// fold returns the least of the letters that are the same but for their case.
func fold(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return least
}
