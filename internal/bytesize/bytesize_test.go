package bytesize

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]Size{
		"4096": 4096, "1B": 1, "80GiB": 80 << 30, "80 GiB": 80 << 30, "1.5MiB": 3 << 19, "2GB": 2e9, "1TB": 1e12,
		"1TiB": 1 << 40, "7kB": 7000, "7KiB": 7168, "3MB": 3e6,
	} {
		var got Size
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1GiB", "GiB", "80gib", "80G", "NaN", "Inf", "1e30TiB", "8OGiB", "1 2"} {
		var got Size
		if err := got.Set(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}

func TestShort(t *testing.T) {
	for size, want := range map[Size]string{
		8 << 30: "8GiB", 3 << 19: "1.5MiB", 1023: "1023", 1<<30 + 1: "1.01GiB", 5 << 40: "5TiB", 1500: "1.47KiB",
	} {
		if got := size.Short(); got != want {
			t.Errorf("%d is %s, want %s", uint64(size), got, want)
		}
		var again Size
		if err := again.Set(size.Short()); err != nil || again < size {
			t.Errorf("%s is read as %d, %v; want at least %d", size.Short(), uint64(again), err, uint64(size))
		}
	}
}
