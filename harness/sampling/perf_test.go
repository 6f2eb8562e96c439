package sampling

import (
	"slices"
	"strings"
	"testing"
)

// Output of perf script for a C++ program, with a sample before the window.
const printed = `23866  5244.622839944: 
	            11c4 _ZN2ns5heavyILi3EEEmml (/opt/my programs/a)
	            1190 _Z5provel (/opt/my programs/a)
	            106f main (/opt/my programs/a)

23866  5245.000000001: 
	            11bc _ZN2ns5heavyILi3EEEmml (/opt/my programs/a)
	            1190 _Z5provel (/opt/my programs/a)

23867  5245.5: 
	            beef [unknown] (/usr/lib/libc.so.6)
	            dead [unknown] ([unknown])
`

func TestReadScript(t *testing.T) {
	got, err := readScript(strings.NewReader(printed), []window{{5245_000000001, 5246_000000000}})
	if err != nil || len(got) != 2 || !slices.Equal(got[0].Frames, []string{"prove", "ns::heavy<3>"}) ||
		!slices.Equal(got[1].Frames, []string{"[unknown]", "[libc.so.6]"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := readScript(strings.NewReader("what is this\n"), nil); err == nil {
		t.Error("a line that is no sample is taken")
	}
}
