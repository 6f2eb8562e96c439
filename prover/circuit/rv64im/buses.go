package rv64im

import "github.com/chiasmus/chiasmus/prover/air"

// The messages.
type (
	// state says that the instruction at pc is executed at a time.
	state struct{ PC, Time air.Expr }
	// instruction is a row of the program. Fields that its table does not use are 0.
	instruction struct {
		PC, Table, Rd, Rs1, Rs2 air.Expr
		K                       [6]air.Expr
	}
	// register is the value of a register from a time on. Writes to x0 go to index 32.
	register struct{ Index, Time, Low, High air.Expr }
	// word is the value of an aligned word of eight bytes from a time on. Its number is its address divided by 8.
	word struct{ Number, Time, Low, High air.Expr }
	// inRange is a value below the size of a lookup table.
	inRange struct{ Value air.Expr }
	// sign is a half word and its sign: bit 15 if it is signed, else 0.
	sign struct{ Signed, Half, Sign air.Expr }
	// bytes is z = x op y for bytes: op 0 is and, 1 or, 2 xor; 3 is z = 0 and says that x and y are bytes.
	bytes struct{ Op, X, Y, Z air.Expr }
	// shift is a shift of a kind by an amount: a factor for the bits within 16, and flags for multiples of 16 bits.
	shift struct {
		Kind, Amount, Factor air.Expr
		Flags                [5]air.Expr
	}
	// call asks for an accelerator.
	call struct {
		Code, Time air.Expr
		Arguments  [3]air.Expr
	}
	// end says that the program ended at a time with an exit code.
	end struct{ Time, Low, High air.Expr }
	// unaligned counts accesses that are not naturally aligned.
	unaligned struct{ Zero air.Expr }
	// even says that some digits are even: see [buses.range16Table].
	even struct{ Digits, Place air.Expr }
)

// buses are the machine's buses, named as in docs/spec/protocol.md, section 12.
type buses struct {
	all air.Buses

	state     air.TokenBus[state]
	program   air.LookupBus[instruction]
	register  air.TokenBus[register]
	memory    air.TokenBus[word]
	range20   air.LookupBus[inRange]
	range16   air.LookupBus[inRange]
	sign      air.LookupBus[sign]
	bytes     air.LookupBus[bytes]
	shift     air.LookupBus[shift]
	call      air.CallBus[call]
	end       air.CallBus[end]
	unaligned air.CallBus[unaligned]
	even      air.LookupBus[even]
}

func newBuses() *buses {
	b := &buses{}
	b.state = air.NewToken[state](&b.all, "S")
	b.program = air.NewLookup[instruction](&b.all, "P")
	b.register = air.NewToken[register](&b.all, "R")
	b.memory = air.NewToken[word](&b.all, "M")
	b.range20 = air.NewLookup[inRange](&b.all, "R20")
	b.range16 = air.NewLookup[inRange](&b.all, "R16")
	b.sign = air.NewLookup[sign](&b.all, "SGN")
	b.bytes = air.NewLookup[bytes](&b.all, "B8")
	b.shift = air.NewLookup[shift](&b.all, "SH")
	b.call = air.NewCall[call](&b.all, "CALL")
	b.end = air.NewCall[end](&b.all, "E")
	b.unaligned = air.NewCall[unaligned](&b.all, "U")
	b.even = air.NewLookup[even](&b.all, "EVEN")
	return b
}
