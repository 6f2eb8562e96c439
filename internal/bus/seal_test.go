package bus

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pair are the connections of a sender and a receiver of orders. Neither is open.
func pair(t *testing.T) (orders, obeys *Bus) {
	t.Helper()
	user, err := nkeys.CreateUser()
	must(t, err)
	key, err := nkeys.CreateOperator()
	must(t, err)
	public, err := key.PublicKey()
	must(t, err)
	return &Bus{credential: &Credential{Name: "desk", User: user, Orders: key}},
		&Bus{credential: &Credential{Name: "bench", User: user, From: public}}
}

// A sealed body opens only for its purpose, until it expires, and with the given key: each of its fields is signed.
func TestSeal(t *testing.T) {
	orders, obeys := pair(t)
	_, stranger := pair(t)
	good, err := orders.Seal("measure", time.Now().Add(time.Hour), []byte("body"))
	must(t, err)
	body, err := obeys.Unseal("measure", good)
	must(t, err)
	if string(body) != "body" {
		t.Errorf("the body is %q", body)
	}
	late, err := orders.Seal("measure", time.Now().Add(-time.Second), []byte("body"))
	must(t, err)
	changed := func(change func(*sealed)) []byte {
		t.Helper()
		var s sealed
		must(t, json.Unmarshal(good, &s))
		change(&s)
		data, err := json.Marshal(s)
		must(t, err)
		return data
	}
	for name, tc := range map[string]struct {
		by            *Bus
		purpose, want string
		data          []byte
	}{
		"another purpose":     {obeys, "delete", `signed for "measure", not for "delete"`, good},
		"too late":            {obeys, "measure", "it expired on", late},
		"another key":         {stranger, "measure", "its signature is not that of", good},
		"no signature":        {obeys, "measure", "it is not signed", changed(func(s *sealed) { s.Signature = nil })},
		"no JSON":             {obeys, "measure", "it is not signed", []byte("body")},
		"a changed body":      {obeys, "measure", "its signature is", changed(func(s *sealed) { s.Body[0]++ })},
		"a changed signature": {obeys, "measure", "its signature is", changed(func(s *sealed) { s.Signature[0]++ })},
		"a changed purpose":   {obeys, "delete", "its signature is", changed(func(s *sealed) { s.For = "delete" })},
		"a longer time": {obeys, "measure", "its signature is", changed(func(s *sealed) {
			s.Expires = s.Expires.Add(time.Hour)
		})},
		"what moves from one field to the next": {obeys, "measure!", "its signature is", changed(func(s *sealed) {
			expires := binary.BigEndian.AppendUint64(nil, uint64(s.Expires.UnixNano()))
			moved := binary.BigEndian.Uint64(append(slices.Clone(expires[1:]), s.Body[0]))
			s.For, s.Expires, s.Body = s.For+string(expires[:1]), time.Unix(0, int64(moved)).UTC(), s.Body[1:]
		})},
		"no key for orders": {orders, "measure", "desk has no line orders-from", good},
		"no credential":     {&Bus{}, "measure", "without a credential", good},
	} {
		if _, err := tc.by.Unseal(tc.purpose, tc.data); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
	if _, err := obeys.Seal("measure", time.Now(), nil); err == nil {
		t.Error("a receiver of orders can send them")
	}
}

// A server's challenge cannot be an order: different kinds of keys sign them.
func TestKeysOfTwoKinds(t *testing.T) {
	orders, obeys := pair(t)
	s := sealed{For: "measure", Expires: time.Now().Add(time.Hour), Body: []byte("body")}
	var err error
	s.Signature, err = orders.credential.User.Sign(s.statement()) // the server chooses the challenge freely
	must(t, err)
	data, err := json.Marshal(s)
	must(t, err)
	if _, err := obeys.Unseal("measure", data); err == nil {
		t.Error("the key that signs challenges signs orders")
	}
}

// Only an answer to the request counts, whatever headers a message has.
func TestStoredMessages(t *testing.T) {
	answer := func(subject, header string) *getAnswer {
		t.Helper()
		text, err := json.Marshal(map[string]any{"message": map[string]any{
			"subject": subject, "seq": 3, "hdrs": []byte(header), "data": []byte("data"), "time": time.Now(),
		}})
		must(t, err)
		a := new(getAnswer)
		must(t, json.Unmarshal(text, a))
		return a
	}
	const forged = "NATS/1.0\r\nNats-Subject: $KV.a.other\r\nNats-Sequence: 9\r\nStatus: 404\r\n\r\n"
	for header, want := range map[string]nats.Header{"": {}, forged: {"Status": {"404"}}, "broken": {}} {
		m, err := answer("$KV.a.own", header).stored("$KV.a.*")
		must(t, err)
		if m.subject != "$KV.a.own" || m.sequence != 3 || string(m.data) != "data" ||
			m.header.Get("Status") != want.Get("Status") {
			t.Errorf("%q: %+v", header, m)
		}
	}
	for _, subject := range []string{"$KV.b.own", "$KV.a", "$KV.a.own.more", ""} {
		if _, err := answer(subject, "").stored("$KV.a.*"); !isStray(err) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	for pattern, subjects := range map[string][2]string{
		"a.>": {"a.b.c", "a"}, "a.*.c": {"a.b.c", "a.b.d"}, "a.b": {"a.b", "a.b.c"}, ">": {"a", ""},
	} {
		if !matches(pattern, subjects[0]) || pattern != ">" && matches(pattern, subjects[1]) {
			t.Errorf("%s of %q", pattern, subjects)
		}
	}
}
