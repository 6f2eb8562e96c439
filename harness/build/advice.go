package build

import (
	"fmt"
	"regexp"
)

// advices pair failure messages of toolchains with a remedy. $1 is the match of the pattern's group.
var advices = []struct {
	pattern *regexp.Regexp
	advice  string
}{
	{regexp.MustCompile(`toolchain '([\w.-]+?)(?:-(?:x86_64|aarch64)-[\w-]+)?' is not installed`),
		"install it (rustup toolchain install $1 --profile minimal), or add env: {RUSTUP_TOOLCHAIN: stable} to build"},
	{regexp.MustCompile("feature `edition2024` is required|requires rustc [0-9.]+ or newer|requires? rustc >=?|" +
		"lock file version `?[0-9]+`? (?:requires|was found)"),
		"a dependency wants a newer compiler than this revision chooses: add env: {RUSTUP_TOOLCHAIN: stable} to build, or " +
			"commit a Cargo.lock"},
	{regexp.MustCompile(`lock file .* needs to be updated but --locked was passed|cannot (?:create|update) the lock file .* ` +
		`--locked`),
		"this revision has no Cargo.lock, or one that does not fit its Cargo.toml: leave --locked out of build"},
	{regexp.MustCompile(`go(?:\.mod)?:? .*requires go >= ([0-9.]+)`),
		"install Go $1, or add env: {GOTOOLCHAIN: auto} to build"},
}

// advised appends a remedy to the cause of a failed build if the end of the log matches one.
func advised(cause error, tail string) error {
	for _, one := range advices {
		if match := one.pattern.FindStringSubmatchIndex(tail); match != nil {
			return fmt.Errorf("%w; %s", cause, one.pattern.ExpandString(nil, one.advice, tail, match))
		}
	}
	return cause
}
