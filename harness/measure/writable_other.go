//go:build !unix

package measure

// writable reports whether the user of this process can change a file. Where that is unknown, the answer is yes.
func writable(string) (bool, error) { return true, nil }
