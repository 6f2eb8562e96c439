package air

import (
	"fmt"
	"reflect"
	"strings"
)

// Bus is a named channel for messages of one form. [NewLookup], [NewToken] and [NewCall] declare a bus and bind it to
// the Go type of its messages. Buses are compared by address.
type Bus struct {
	Name   string
	Index  int // from 1, in the order of declaration
	Kind   BusKind
	Fields []string // the names of a message's values, in order
}

// Arity returns the number of values in a message.
func (b *Bus) Arity() int { return len(b.Fields) }

// BusKind is the purpose of a bus's messages, which determines the allowed multiplicities.
type BusKind uint8

// The kinds. The values are part of the canonical serialisation.
const (
	// Lookup: tables ask whether a message is in a lookup table. The multiplicity of a question is bounded. The
	// multiplicity of an answer is free, because a wrong count cannot balance the questions.
	Lookup BusKind = iota
	// Token: a message is produced once and consumed once, by any tables. Both multiplicities are bounded, so that tokens
	// are counted as integers.
	Token
	// Call: one table requests work and another performs it, once per message. Bounded like tokens.
	Call
	busKindCount
)

func (k BusKind) String() string {
	if k < busKindCount {
		return [...]string{"lookup", "token", "call"}[k]
	}
	return "unknown"
}

// Buses numbers the buses of a machine in order of declaration.
type Buses struct{ list []*Bus }

// List returns the buses declared so far; bus number i+1 is at index i.
func (b *Buses) List() []*Bus { return b.list }

// The buses for messages of type M, a struct whose fields are [Expr] or arrays of it. The values of a message are its
// fields in order, arrays element by element; their names are the field names in lower case.
type (
	LookupBus[M any] struct{ *Bus }
	TokenBus[M any]  struct{ *Bus }
	CallBus[M any]   struct{ *Bus }
)

// NewLookup declares a lookup bus.
func NewLookup[M any](buses *Buses, name string) LookupBus[M] {
	return LookupBus[M]{newBus[M](buses, name, Lookup)}
}

// NewToken declares a token bus.
func NewToken[M any](buses *Buses, name string) TokenBus[M] {
	return TokenBus[M]{newBus[M](buses, name, Token)}
}

// NewCall declares a call bus.
func NewCall[M any](buses *Buses, name string) CallBus[M] {
	return CallBus[M]{newBus[M](buses, name, Call)}
}

func newBus[M any](buses *Buses, name string, kind BusKind) *Bus {
	bus := &Bus{Name: name, Index: len(buses.list) + 1, Kind: kind, Fields: fieldNames(reflect.TypeFor[M]())}
	buses.list = append(buses.list, bus)
	return bus
}

// Ask asks in every row, multiplicity times, whether the message is in the lookup table. Constraints must ensure that
// the multiplicity is 0 or 1.
func (bus LookupBus[M]) Ask(b *Builder, multiplicity Expr, message M) {
	b.interact(Send, bus.Bus, multiplicity, 1, messageValues(message))
}

// Answer makes the table the bus's lookup table. Each row of rows answers the message as often as the column count
// says. The prover fills count.
func (bus LookupBus[M]) Answer(b *Builder, count Expr, rows Rows, message M) {
	b.answer(bus.Bus, []Expr{count}, rows, [][]Expr{messageValues(message)})
}

// AnswerLanes is Answer with several messages per row, each with its own count. All rows answer, and the counts must be
// consecutive columns.
func (bus LookupBus[M]) AnswerLanes(b *Builder, counts []Expr, rows Rows, messages []M) {
	var lanes [][]Expr
	for _, message := range messages {
		lanes = append(lanes, messageValues(message))
	}
	b.answer(bus.Bus, counts, rows, lanes)
}

// Produce sends a token in every row where multiplicity is 1. Constraints must ensure that it is 0 or 1.
func (bus TokenBus[M]) Produce(b *Builder, multiplicity Expr, token M) {
	b.interact(Send, bus.Bus, multiplicity, 1, messageValues(token))
}

// Consume receives a token in every row where multiplicity is 1. Constraints must ensure that it is 0 or 1.
func (bus TokenBus[M]) Consume(b *Builder, multiplicity Expr, token M) {
	b.interact(Receive, bus.Bus, multiplicity, 1, messageValues(token))
}

// Call requests work in every row where multiplicity is 1. Constraints must ensure that it is 0 or 1.
func (bus CallBus[M]) Call(b *Builder, multiplicity Expr, message M) {
	b.interact(Send, bus.Bus, multiplicity, 1, messageValues(message))
}

// Serve declares work done in every row where multiplicity is 1. Constraints must ensure that it is 0 or 1.
func (bus CallBus[M]) Serve(b *Builder, multiplicity Expr, message M) {
	b.interact(Receive, bus.Bus, multiplicity, 1, messageValues(message))
}

var exprType = reflect.TypeFor[Expr]()

// fieldNames returns the names of a message type's values. It panics on an invalid type, which is a bug in the program
// and not caused by input.
func fieldNames(t reflect.Type) []string {
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		panic(fmt.Sprintf("air: a message is a struct of expressions, not %s", t))
	}
	var names []string
	for i := range t.NumField() {
		field := t.Field(i)
		name := strings.ToLower(field.Name)
		switch {
		case field.Type == exprType:
			names = append(names, name)
		case field.Type.Kind() == reflect.Array && field.Type.Elem() == exprType:
			for k := range field.Type.Len() {
				names = append(names, fmt.Sprintf("%s[%d]", name, k))
			}
		default:
			panic(fmt.Sprintf("air: field %s of message %s is neither an expression nor an array of them", field.Name, t))
		}
	}
	return names
}

// messageValues returns a message's values in order.
func messageValues(message any) []Expr {
	v := reflect.ValueOf(message)
	var values []Expr
	for i := range v.NumField() {
		switch field := v.Field(i); field.Kind() {
		case reflect.Array:
			for k := range field.Len() {
				values = append(values, field.Index(k).Interface().(Expr))
			}
		default:
			values = append(values, field.Interface().(Expr))
		}
	}
	return values
}
