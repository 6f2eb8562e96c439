package stats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadCSV(t *testing.T) {
	for _, test := range []struct {
		name, text, metric string
		want               []Pair
	}{
		{"least", "a,b\n1,2\n3,4\n", "", []Pair{{A: 1, B: 2, Line: 2}, {A: 3, B: 4, Line: 3}}},
		{"all columns", "pair,block,order,a,b,x_a,x_b\n2,1,BA,1.5,2e-3,7,8\n1,1,AB,3,4,,\n", "",
			[]Pair{{Number: 2, Block: 1, Order: OrderBA, A: 1.5, B: 0.002, Line: 2},
				{Number: 1, Block: 1, Order: OrderAB, A: 3, B: 4, Line: 3}}},
		{"metric", "pair,block,order,a,b,x_a,x_b\n2,1,BA,1.5,2,7,8\n", "x",
			[]Pair{{Number: 2, Block: 1, Order: OrderBA, A: 7, B: 8, Line: 2}}},
		{"spaces, blank lines, mark, no last newline", "\ufeffb , a\r\n\r\n 2 , 1", "", []Pair{{A: 1, B: 2, Line: 3}}},
		{"mark and quotes", "\ufeff\"pair\",\"a\",\"b\"\r\n\"4\",\"1\",\"2\"\r\n", "",
			[]Pair{{Number: 4, A: 1, B: 2, Line: 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ReadCSV(strings.NewReader(test.text), "pairs.csv", test.metric)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadCSVErrors(t *testing.T) {
	for _, test := range []struct{ name, text, metric, want string }{
		{"empty", "", "", "f.csv: line 1: the file is empty"},
		{"header only", "a,b\n", "", "f.csv: line 2: no pairs"},
		{"no b", "a,c\n1,2\n", "", `f.csv: line 1: no column "b" in the header "a,c"`},
		{"no header", "1,2\n1,2\n", "", `f.csv: line 1: no column "a"`},
		{"no metric", "a,b\n1,2\n", "x", `f.csv: line 1: no column "x_a"`},
		{"twice", "a,b,a\n1,2,3\n", "", "f.csv: line 1, column 3 (a): the header already has this name in column 1"},
		{"text", "a,b\n1,2\n1,fast\n", "", `f.csv: line 3, column 2 (b): "fast" is not a number`},
		{"empty cell", "a,b\n,2\n", "", `f.csv: line 2, column 1 (a): "" is not a number`},
		{"NaN", "a,b\nnan,2\n", "", `f.csv: line 2, column 1 (a): "nan" is not finite`},
		{"infinite", "a,b\n1,-Inf\n", "", `f.csv: line 2, column 2 (b): "-Inf" is not finite`},
		{"too large", "a,b\n1,1e999\n", "", `f.csv: line 2, column 2 (b): "1e999" overflows`},
		{"hexadecimal", "a,b\n0x1p-2,1\n", "", `f.csv: line 2, column 1 (a): "0x1p-2" is not a decimal number`},
		{"underscore", "a,b\n1,1_000\n", "", `f.csv: line 2, column 2 (b): "1_000" is not a decimal number`},
		{"short", "a,b\n1,2\n1\n", "", "f.csv: line 3, column 2: the line has 1 columns, but the header has 2"},
		{"long", "a,b\n1,2,3\n", "", "f.csv: line 2, column 3: the line has 3 columns, but the header has 2"},
		{"order", "a,b,order\n1,2,AB\n1,2,XY\n", "", `f.csv: line 3, column 3 (order): "XY" is not an order: want AB or BA`},
		{"pair", "a,b,pair\n1,2,one\n", "", `f.csv: line 2, column 3 (pair): "one" is not a whole number`},
		{"block", "a,b,block\n1,2,-1\n", "", `f.csv: line 2, column 3 (block): "-1" is not a whole number`},
		{"pair twice", "pair,a,b\n1,1,2\n2,1,2\n1,1,2\n", "", "f.csv: line 4, column 1 (pair): pair 1 is already on line 2"},
		{"quote", "a,b\n1,\"2\n", "", "f.csv: line 2, column 6: extraneous"},
		{"bare quote", "a,b\n1,2\"\n", "", `f.csv: line 2, column 4: bare " in non-quoted-field`},
	} {
		t.Run(test.name, func(t *testing.T) {
			pairs, err := ReadCSV(strings.NewReader(test.text), "f.csv", test.metric)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if pairs != nil {
				t.Errorf("pairs %v beside the error", pairs)
			}
		})
	}
}

func FuzzReadCSV(f *testing.F) {
	f.Add("pair,block,order,a,b\n1,1,AB,1,2\n")
	f.Add("a,b\n\"1\",2e3\n")
	f.Fuzz(func(t *testing.T, text string) {
		pairs, err := ReadCSV(strings.NewReader(text), "f.csv", "")
		if (err == nil) == (len(pairs) == 0) {
			t.Fatalf("%d pairs, error %v", len(pairs), err)
		}
		if err == nil {
			_, _ = Analyze(pairs, DefaultOptions()) // must not panic
		}
	})
}
