package nvrtc

import "github.com/chiasmus/chiasmus/cuda/internal/dynlib"

type function int

const (
	version function = iota
	getErrorString
	createProgram
	destroyProgram
	compileProgram
	getProgramLogSize
	getProgramLog
	getCUBINSize
	getCUBIN
	getNumSupportedArchs
	getSupportedArchs
)

// Symbols lists the NVRTC functions in use. Since is the NVRTC version (1000 major + 10 minor).
var Symbols = []dynlib.Symbol{
	version:              {Name: "nvrtcVersion", Arguments: 2, Since: 7000},
	getErrorString:       {Name: "nvrtcGetErrorString", Arguments: 1, Since: 7000},
	createProgram:        {Name: "nvrtcCreateProgram", Arguments: 6, Since: 7000},
	destroyProgram:       {Name: "nvrtcDestroyProgram", Arguments: 1, Since: 7000},
	compileProgram:       {Name: "nvrtcCompileProgram", Arguments: 3, Since: 7000},
	getProgramLogSize:    {Name: "nvrtcGetProgramLogSize", Arguments: 2, Since: 7000},
	getProgramLog:        {Name: "nvrtcGetProgramLog", Arguments: 2, Since: 7000},
	getCUBINSize:         {Name: "nvrtcGetCUBINSize", Arguments: 2, Since: 11010},
	getCUBIN:             {Name: "nvrtcGetCUBIN", Arguments: 2, Since: 11010},
	getNumSupportedArchs: {Name: "nvrtcGetNumSupportedArchs", Arguments: 1, Since: 11020},
	getSupportedArchs:    {Name: "nvrtcGetSupportedArchs", Arguments: 1, Since: 11020},
}

// leastVersion is the oldest supported NVRTC version.
const leastVersion = 11020
