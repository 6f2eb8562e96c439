package config

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// scalar returns the scalar of v, or reports what is expected there.
func (d *decoder) scalar(v value, want string) (scalar, bool) {
	s, ok := scalarOf(d.resolve(v.node))
	if !ok || s.kind == isNull {
		d.fail(v.node, v.key, "must be %s, not %s", want, d.describe(v.node))
		return s, false
	}
	return s, true
}

// text reads a string. Numbers and booleans must be quoted, so that the command is exactly what was written.
func (d *decoder) text(v value, into *string) bool {
	n, ok := d.scalar(v, "a string")
	switch {
	case !ok:
		return false
	case n.kind != isString:
		d.fail(v.node, v.key, "must be a string, not %s: write %q", d.describe(v.node), n.text)
		return false
	case strings.ContainsRune(n.text, 0):
		d.fail(v.node, v.key, "must not hold a NUL byte")
		return false
	}
	*into = n.text
	return true
}

// nonEmpty reads a non-empty string on one line.
func (d *decoder) nonEmpty(v value, into *string) bool {
	if !d.text(v, into) {
		return false
	}
	if strings.TrimSpace(*into) == "" || strings.ContainsAny(*into, "\n\r") {
		d.fail(v.node, v.key, "must be one line of text, not %q", *into)
		return false
	}
	return true
}

// oneOf reads a string out of a closed set.
func oneOf[T ~string](d *decoder, v value, into *T, allowed ...T) {
	var s string
	if !d.text(v, &s) {
		return
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
		if s == names[i] {
			*into = a
			return
		}
	}
	d.fail(v.node, v.key, "must be %s, not %q", orList(names), s)
}

// orList joins names as in "a, b or c".
func orList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// strings reads a list of strings.
func (d *decoder) strings(v value, into *[]string) bool {
	var out []string
	before := len(d.errors)
	if !d.list(v, func(item value) {
		var s string
		if d.text(item, &s) {
			out = append(out, s)
		}
	}) {
		return false
	}
	*into = out
	return len(d.errors) == before
}

// argv reads a non-empty list of strings.
func (d *decoder) argv(v value, into *[]string) bool {
	if !d.strings(v, into) {
		return false
	}
	if len(*into) == 0 || (*into)[0] == "" {
		d.fail(v.node, v.key, "must name a program: write it as a list such as [make, build]")
		return false
	}
	return true
}

// boolean reads true or false.
func (d *decoder) boolean(v value, into *bool) {
	n, ok := d.scalar(v, "true or false")
	if !ok {
		return
	}
	if n.kind != isBoolean || (n.text != "true" && n.text != "false") {
		d.fail(v.node, v.key, "must be true or false, not %s", d.describe(v.node))
		return
	}
	*into = n.text == "true"
}

var decimalPattern = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// integer reads a plain decimal integer within bounds.
func (d *decoder) integer(v value, into *int, low, high int) {
	n, ok := d.scalar(v, "a whole number")
	if !ok {
		return
	}
	i, err := strconv.Atoi(n.text)
	if n.kind != isNumber || !decimalPattern.MatchString(strings.TrimPrefix(n.text, "-")) || err != nil {
		d.fail(v.node, v.key, "must be a whole number, not %s", d.describe(v.node))
		return
	}
	switch {
	case i < low || i > high && high == math.MaxInt:
		d.fail(v.node, v.key, "must be at least %d, not %d", low, i)
	case i > high:
		d.fail(v.node, v.key, "must be from %d to %d, not %d", low, high, i)
	default:
		*into = i
	}
}

// seed reads an unsigned 64-bit integer.
func (d *decoder) seed(v value, into *uint64) {
	n, ok := d.scalar(v, "a whole number")
	if !ok {
		return
	}
	s, err := strconv.ParseUint(n.text, 10, 64)
	if n.kind != isNumber || err != nil {
		d.fail(v.node, v.key, "must be a whole number from 0 to 18446744073709551615, not %s", d.describe(v.node))
		return
	}
	*into = s
}

// number reads a plain decimal number strictly between two bounds.
func (d *decoder) number(v value, into *float64, low, high float64) {
	n, ok := d.scalar(v, "a number")
	if !ok {
		return
	}
	f, err := parseDecimal(n.text)
	if n.kind != isNumber || err != nil {
		d.fail(v.node, v.key, "must be a number such as 0.05, not %s", d.describe(v.node))
		return
	}
	if !(f > low && f < high) {
		d.fail(v.node, v.key, "must lie between %v and %v, not %v", low, high, f)
		return
	}
	*into = f
}

var numberPattern = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// parseDecimal parses a finite decimal number. It rejects the hexadecimal, octal and special forms of YAML and Go.
func parseDecimal(s string) (float64, error) {
	if !numberPattern.MatchString(s) {
		return 0, fmt.Errorf("%q is not a decimal number", s)
	}
	return strconv.ParseFloat(s, 64)
}

// percent reads a percentage with its sign as a fraction within bounds.
func (d *decoder) percent(v value, into *float64, low, high float64) {
	n, ok := d.scalar(v, "a percentage such as 1%")
	if !ok {
		return
	}
	digits, has := strings.CutSuffix(n.text, "%")
	f, err := parseDecimal(strings.TrimSpace(digits))
	switch {
	case err != nil:
		d.fail(v.node, v.key, "must be a percentage such as 1%%, not %s", d.describe(v.node))
	case !has:
		d.fail(v.node, v.key, "%s has no unit: write %s%%", n.text, n.text)
	case !(f >= 100*low && f <= 100*high):
		d.fail(v.node, v.key, "must be from %v%% to %v%%, not %s", 100*low, 100*high, n.text)
	default:
		*into = f / 100
	}
}

// duration reads a Go duration of at least low.
func (d *decoder) duration(v value, into *time.Duration, low time.Duration) {
	n, ok := d.scalar(v, "a duration such as 90s or 20m")
	if !ok {
		return
	}
	t, err := time.ParseDuration(n.text)
	_, bare := strconv.ParseFloat(n.text, 64)
	switch {
	case bare == nil:
		d.fail(v.node, v.key, "%s has no unit: write %ss, %sm or %sh", n.text, n.text, n.text, n.text)
	case err != nil:
		d.fail(v.node, v.key, "must be a duration such as 90s, 20m or 1h30m, not %s", d.describe(v.node))
	case t < low:
		d.fail(v.node, v.key, "must be at least %v, not %s", low, n.text)
	default:
		*into = t
	}
}

var sizePattern = regexp.MustCompile(`^([1-9][0-9]*) ?(KiB|MiB|GiB|TiB)$`)

// size reads a number of bytes with a binary unit.
func (d *decoder) size(v value, into *int64) {
	n, ok := d.scalar(v, "a size such as 64MiB")
	if !ok {
		return
	}
	m := sizePattern.FindStringSubmatch(n.text)
	if m == nil {
		d.fail(v.node, v.key, "must be a whole number of KiB, MiB, GiB or TiB such as 64MiB, not %s", d.describe(v.node))
		return
	}
	unit := map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[m[2]]
	count, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || count > math.MaxInt64/2/unit {
		d.fail(v.node, v.key, "%s is out of range", n.text)
		return
	}
	*into = count * unit
}

var moneyPattern = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ([A-Z]{3})$`)

// money reads an amount and a currency.
func (d *decoder) money(v value, into **Money) {
	n, ok := d.scalar(v, "an amount such as 0.87 USD")
	if !ok {
		return
	}
	m := moneyPattern.FindStringSubmatch(n.text)
	if m == nil {
		d.fail(v.node, v.key, "must be an amount and a currency of three capital letters such as 0.87 USD, not %s",
			d.describe(v.node))
		return
	}
	amount, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		d.fail(v.node, v.key, "%s is out of range", m[1])
		return
	}
	*into = &Money{amount, m[2]}
}

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// environment reads a mapping of environment variables.
func (d *decoder) environment(v value, into *map[string]string) {
	out := map[string]string{}
	d.pairs(v, func(key ast.Node, name string, child value) {
		if !environmentName.MatchString(name) {
			d.fail(key, child.key, "%q is not the name of an environment variable", name)
			return
		}
		var s string
		if d.text(child, &s) {
			out[name] = s
		}
	})
	*into = out
}

var expectationPattern = regexp.MustCompile(`^(==|!=|<=|>=|<|>) ?(-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)$`)

// expectations reads a mapping of names to a number or a comparison such as ">= 1".
func (d *decoder) expectations(v value, into *map[string]Expectation) {
	out := map[string]Expectation{}
	d.pairs(v, func(key ast.Node, name string, child value) {
		if !metricName.MatchString(name) {
			d.fail(key, child.key, "%q is not the name of a counter or metric", name)
			return
		}
		n, ok := d.scalar(child, `a number or a comparison such as ">= 1"`)
		if !ok {
			return
		}
		e := Expectation{Operator: "=="}
		digits := n.text
		if m := expectationPattern.FindStringSubmatch(n.text); m != nil {
			e.Operator, digits = m[1], m[2]
		}
		f, err := parseDecimal(digits)
		if err != nil {
			d.fail(child.node, child.key, `must be a number or a comparison such as ">= 1", not %s`, d.describe(child.node))
			return
		}
		e.Value = f
		out[name] = e
	})
	*into = out
}
