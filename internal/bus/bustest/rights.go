package bustest

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// Rights is a table of which role may publish or subscribe to which subject, as a document shows it:
//
//	| subject | client | worker |
//	| --- | --- | --- |
//	| `one.NAME` `two.NAME` | publish | publish, subscribe |
//
// NAME is the holder's own name and OTHER another's, KEY its own public key and OTHERKEY another's. STREAM is any
// stream, unless another row has its name. A subject that ends in > stands for all subjects below it. The other
// placeholders are any token.
type Rights struct {
	Roles []string
	rows  []row
}

type row struct {
	pattern string
	may     map[string][]string // verbs by role
}

// quoted matches the subjects in a cell.
var quoted = regexp.MustCompile("`([^`]+)`")

// ReadRights reads the table of a document whose first column is named subject.
func ReadRights(path string) (*Rights, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Rights)
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case r.Roles == nil && cells[0] == "subject":
			r.Roles = cells[1:]
		case r.Roles == nil || strings.HasPrefix(cells[0], "---"):
		case !strings.HasPrefix(line, "|"):
			return r, nil
		default:
			for _, pattern := range quoted.FindAllStringSubmatch(cells[0], -1) {
				one := row{pattern: pattern[1], may: map[string][]string{}}
				for i, role := range r.Roles {
					for _, verb := range strings.Split(cells[1+i], ",") {
						one.may[role] = append(one.may[role], strings.TrimSpace(verb))
					}
				}
				r.rows = append(r.rows, one)
			}
		}
	}
	return nil, fmt.Errorf("%s: no table of subjects", path)
}

// Patterns returns the subjects of all rows. A row for any stream gives one subject for each stream.
func (r *Rights) Patterns(streams []string) (list []string) {
	for _, one := range r.rows {
		for _, stream := range streams {
			list = append(list, ofStream(one.pattern, stream))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Verbs returns what a role may do with a subject, by the row that matches it most specifically; ok is false if none
// does.
func (r *Rights) Verbs(role, pattern string, streams []string) (verbs []string, ok bool) {
	for _, fits := range []func(string) bool{
		func(p string) bool { return p == pattern },
		func(p string) bool {
			return slices.ContainsFunc(streams, func(s string) bool { return ofStream(p, s) == pattern })
		},
		func(p string) bool {
			above, below := strings.CutSuffix(p, ">")
			return below && above != "" && strings.HasPrefix(pattern, above)
		},
	} {
		if i := slices.IndexFunc(r.rows, func(one row) bool { return fits(one.pattern) }); i >= 0 {
			return r.rows[i].may[role], true
		}
	}
	return nil, false
}

// ofStream replaces STREAM in a pattern, which JetStream's own subjects may start with too, by a stream's name.
func ofStream(pattern, stream string) string {
	const arguments = 4 // $JS.API.STREAM.INFO.STREAM
	tokens := strings.Split(pattern, ".")
	for i := range tokens {
		if tokens[i] == "STREAM" && i >= arguments {
			tokens[i] = stream
		}
	}
	return strings.Join(tokens, ".")
}

// Holder is a credential whose rights are probed.
type Holder struct {
	Credential, Other string // paths of files
}

// The verbs of a table.
const publish, subscribe = "publish", "subscribe"

var violation = regexp.MustCompile(`Violation for (Publish|Subscription) to "([^"]*)"`)

// Probe tries to publish and subscribe to each pattern with a plain NATS client, and returns the verbs that the server
// allowed.
func (h *Holder) Probe(url string, patterns []string) (map[string][]string, error) {
	own, other, err := h.read()
	if err != nil {
		return nil, err
	}
	denied := make(chan string, 2*len(patterns)+2)
	conn, err := own.Plain(url, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if found := violation.FindStringSubmatch(err.Error()); found != nil {
			denied <- found[1] + " " + found[2]
		}
	}))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	const last = "$SYS.the.last.of.all" // denied to every holder
	subjects := map[string]string{}
	for _, pattern := range patterns {
		subject := subjectOf(pattern, own, other)
		subjects[pattern] = subject
		if _, err := conn.SubscribeSync(subject); err != nil {
			return nil, fmt.Errorf("%s: %w", subject, err)
		}
		if strings.ContainsAny(subject, "*>") {
			continue
		}
		if err := conn.Publish(subject, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", subject, err)
		}
	}
	if err := conn.Publish(last, nil); err != nil {
		return nil, err
	}
	refused := map[string]bool{}
	for !refused["Publish "+last] {
		select {
		case each := <-denied:
			refused[each] = true
		case <-time.After(20 * time.Second):
			return nil, fmt.Errorf("the server does not report that %s is denied", last)
		}
	}
	verbs := map[string][]string{}
	for pattern, subject := range subjects {
		if !refused["Publish "+subject] && !strings.ContainsAny(subject, "*>") {
			verbs[pattern] = append(verbs[pattern], publish)
		}
		if !refused["Subscription "+subject] {
			verbs[pattern] = append(verbs[pattern], subscribe)
		}
	}
	return verbs, nil
}

func (h *Holder) read() (own, other *Plain, err error) {
	if own, err = ReadPlain(h.Credential); err != nil {
		return nil, nil, err
	}
	other, err = ReadPlain(h.Other)
	return own, other, err
}

// placeholders stand for any token.
var placeholders = []string{
	"HOST", "SEAT", "JOB", "TAG", "SHARD", "ATTEMPT", "DIGEST", "CHUNK", "ID", "CONSUMER", "SUBJECT", "LABEL",
}

// subjectOf returns a subject that matches a pattern, for these two holders.
func subjectOf(pattern string, own, other *Plain) string {
	tokens := strings.Split(pattern, ".")
	for i, token := range tokens {
		switch {
		case token == "NAME":
			tokens[i] = own.Name
		case token == "OTHER":
			tokens[i] = other.Name
		case token == "KEY":
			tokens[i] = own.Public
		case token == "OTHERKEY":
			tokens[i] = other.Public
		case slices.Contains(placeholders, token) && (i > 2 || !strings.HasPrefix(pattern, "$JS.")):
			tokens[i] = strings.ToLower(token)
		}
	}
	return strings.Join(tokens, ".")
}

// Plain is a credential that is used without this project's client.
type Plain struct {
	*bus.Credential
	Public string
}

// ReadPlain reads a credential's file.
func ReadPlain(path string) (*Plain, error) {
	c, err := bus.ReadCredential(path)
	if err != nil {
		return nil, err
	}
	public, err := c.Public()
	return &Plain{c, public}, err
}

// Plain connects with only the key and the inbox.
func (p *Plain) Plain(url string, options ...nats.Option) (*nats.Conn, error) {
	return nats.Connect(url, append(options, nats.Nkey(p.Public, p.User.Sign),
		nats.CustomInboxPrefix(bus.InboxPrefix(p.Public)))...)
}

// Check probes every subject of the table and of JetStream with the holder of each role, and returns the differences
// from the table. A subject without a row is a difference, too. So is a holder's own subject, or a stream's subject,
// with which no row's subject starts.
func (r *Rights) Check(
	url string, streams map[string][]string, own []string, holders map[string]Holder,
) ([]string, error) {
	names := slices.Sorted(maps.Keys(streams))
	api, err := requestTemplates()
	if err != nil {
		return nil, err
	}
	patterns := r.Patterns(names)
	for _, template := range api {
		for _, name := range names {
			patterns = append(patterns, ofStream(template, name))
		}
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	faults := r.uncovered(names, slices.Concat(slices.Collect(maps.Values(streams))...), own)
	for role, holder := range holders {
		may, err := holder.Probe(url, patterns)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", role, err)
		}
		for _, pattern := range patterns {
			verbs, ok := r.Verbs(role, pattern, names)
			if !ok {
				faults = append(faults, "no row: "+pattern)
				continue
			}
			for _, verb := range []string{publish, subscribe} {
				if want, have := slices.Contains(verbs, verb), slices.Contains(may[pattern], verb); want != have {
					faults = append(faults,
						fmt.Sprintf("%s may %s %s: %v, the table has %v", role, verb, pattern, have, want))
				}
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults), nil
}

// uncovered returns the holders' own subjects, and those of streams, that no row covers.
func (r *Rights) uncovered(names, subjects, own []string) (faults []string) {
	for _, subject := range append(subjects, own...) {
		if slices.Contains(names, bus.BucketStream(subject)) { // the name of a bucket
			subject = bus.BucketSubjects(subject)
		}
		begins := strings.TrimRight(subject, "*>")
		if begins != "" && !slices.Contains(names, begins) &&
			!slices.ContainsFunc(r.rows, func(one row) bool { return strings.HasPrefix(one.pattern, begins) }) {
			faults = append(faults, "no row: "+subject)
		}
	}
	return faults
}
