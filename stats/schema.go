package stats

import (
	"encoding/json"
	"fmt"
)

// Schema names the JSON of a Result. Its keys do not change within a version.
const Schema = "chiasmus.stats/2"

// schema1 is the version whose tests counted pairs, and whose verdict relied on t and Wilcoxon.
const schema1 = "chiasmus.stats/1"

// UnmarshalJSON reads a result of this version or of the previous one. Fields that the previous version lacked do not
// exist, and its unit is the pair.
func (r *Result) UnmarshalJSON(text []byte) error {
	type plain Result // without this method
	read := plain{
		SignFlip: SignFlip{P: missing, MinP: missing},
		Spread:   Spread{missing, missing, missing},
	}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	switch read.Schema {
	case Schema, "":
	case schema1:
		read.Unit, read.Units = UnitPair, read.Pairs
	default:
		return fmt.Errorf("statistics of schema %q: this version reads %s and %s", read.Schema, Schema, schema1)
	}
	*r = Result(read)
	return nil
}
