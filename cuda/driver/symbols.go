package driver

import "github.com/chiasmus/chiasmus/cuda/internal/dynlib"

// Function is a driver function: an index into [Symbols].
type Function int

// The driver functions this module uses.
const (
	Init Function = iota
	DriverGetVersion
	GetErrorName
	GetErrorString
	DeviceGetCount
	DeviceGet
	DeviceGetName
	DeviceGetUUID
	DeviceGetPCIBusID
	DeviceTotalMem
	DeviceGetAttribute
	CtxCreate
	CtxDestroy
	CtxSetCurrent
	CtxGetCurrent
	CtxSynchronize
	CtxGetStreamPriorityRange
	MemGetInfo
	MemAlloc
	MemFree
	MemHostAlloc
	MemFreeHost
	MemcpyHtoDAsync
	MemcpyDtoHAsync
	MemcpyDtoDAsync
	MemsetD8Async
	MemsetD32Async
	StreamCreateWithPriority
	StreamDestroy
	StreamSynchronize
	StreamQuery
	StreamWaitEvent
	EventCreate
	EventDestroy
	EventRecord
	EventSynchronize
	EventQuery
	EventElapsedTime
	ModuleLoadData
	ModuleUnload
	ModuleGetFunction
	ModuleGetGlobal
	FuncGetAttribute
	FuncSetAttribute
	FuncGetParamInfo
	LaunchKernel
)

// Symbols lists the driver functions in use, in the order of the constants. Since is the driver version (1000 major +
// 10 minor) that introduced the name. Names without a suffix have not changed since then.
var Symbols = []dynlib.Symbol{
	Init:                      {Name: "cuInit", Arguments: 1, Since: 2000},
	DriverGetVersion:          {Name: "cuDriverGetVersion", Arguments: 1, Since: 2020},
	GetErrorName:              {Name: "cuGetErrorName", Arguments: 2, Since: 6000},
	GetErrorString:            {Name: "cuGetErrorString", Arguments: 2, Since: 6000},
	DeviceGetCount:            {Name: "cuDeviceGetCount", Arguments: 1, Since: 2000},
	DeviceGet:                 {Name: "cuDeviceGet", Arguments: 2, Since: 2000},
	DeviceGetName:             {Name: "cuDeviceGetName", Arguments: 3, Since: 2000},
	DeviceGetUUID:             {Name: "cuDeviceGetUuid_v2", Arguments: 2, Since: 11040},
	DeviceGetPCIBusID:         {Name: "cuDeviceGetPCIBusId", Arguments: 3, Since: 4010},
	DeviceTotalMem:            {Name: "cuDeviceTotalMem_v2", Arguments: 2, Since: 3020},
	DeviceGetAttribute:        {Name: "cuDeviceGetAttribute", Arguments: 3, Since: 2000},
	CtxCreate:                 {Name: "cuCtxCreate_v2", Arguments: 3, Since: 3020},
	CtxDestroy:                {Name: "cuCtxDestroy_v2", Arguments: 1, Since: 4000},
	CtxSetCurrent:             {Name: "cuCtxSetCurrent", Arguments: 1, Since: 4000},
	CtxGetCurrent:             {Name: "cuCtxGetCurrent", Arguments: 1, Since: 4000},
	CtxSynchronize:            {Name: "cuCtxSynchronize", Arguments: 0, Since: 2000},
	CtxGetStreamPriorityRange: {Name: "cuCtxGetStreamPriorityRange", Arguments: 2, Since: 5050},
	MemGetInfo:                {Name: "cuMemGetInfo_v2", Arguments: 2, Since: 3020},
	MemAlloc:                  {Name: "cuMemAlloc_v2", Arguments: 2, Since: 3020},
	MemFree:                   {Name: "cuMemFree_v2", Arguments: 1, Since: 3020},
	MemHostAlloc:              {Name: "cuMemHostAlloc", Arguments: 3, Since: 2020},
	MemFreeHost:               {Name: "cuMemFreeHost", Arguments: 1, Since: 2000},
	MemcpyHtoDAsync:           {Name: "cuMemcpyHtoDAsync_v2", Arguments: 4, Since: 3020},
	MemcpyDtoHAsync:           {Name: "cuMemcpyDtoHAsync_v2", Arguments: 4, Since: 3020},
	MemcpyDtoDAsync:           {Name: "cuMemcpyDtoDAsync_v2", Arguments: 4, Since: 3020},
	MemsetD8Async:             {Name: "cuMemsetD8Async", Arguments: 4, Since: 3020},
	MemsetD32Async:            {Name: "cuMemsetD32Async", Arguments: 4, Since: 3020},
	StreamCreateWithPriority:  {Name: "cuStreamCreateWithPriority", Arguments: 3, Since: 5050},
	StreamDestroy:             {Name: "cuStreamDestroy_v2", Arguments: 1, Since: 4000},
	StreamSynchronize:         {Name: "cuStreamSynchronize", Arguments: 1, Since: 2000},
	StreamQuery:               {Name: "cuStreamQuery", Arguments: 1, Since: 2000},
	StreamWaitEvent:           {Name: "cuStreamWaitEvent", Arguments: 3, Since: 3020},
	EventCreate:               {Name: "cuEventCreate", Arguments: 2, Since: 2000},
	EventDestroy:              {Name: "cuEventDestroy_v2", Arguments: 1, Since: 4000},
	EventRecord:               {Name: "cuEventRecord", Arguments: 2, Since: 2000},
	EventSynchronize:          {Name: "cuEventSynchronize", Arguments: 1, Since: 2000},
	EventQuery:                {Name: "cuEventQuery", Arguments: 1, Since: 2000},
	EventElapsedTime:          {Name: "cuEventElapsedTime", Arguments: 3, Since: 2000},
	ModuleLoadData:            {Name: "cuModuleLoadData", Arguments: 2, Since: 2000},
	ModuleUnload:              {Name: "cuModuleUnload", Arguments: 1, Since: 2000},
	ModuleGetFunction:         {Name: "cuModuleGetFunction", Arguments: 3, Since: 2000},
	ModuleGetGlobal:           {Name: "cuModuleGetGlobal_v2", Arguments: 4, Since: 3020},
	FuncGetAttribute:          {Name: "cuFuncGetAttribute", Arguments: 3, Since: 2020},
	FuncSetAttribute:          {Name: "cuFuncSetAttribute", Arguments: 3, Since: 9000},
	FuncGetParamInfo:          {Name: "cuFuncGetParamInfo", Arguments: 4, Since: 12040},
	LaunchKernel:              {Name: "cuLaunchKernel", Arguments: 11, Since: 4000},
}

// leastVersion is the oldest supported driver version. Symbols with Since up to leastVersion are required; newer ones
// are optional, see [Library.Has].
const leastVersion = 11040

// String returns the function's exported name.
func (f Function) String() string { return Symbols[f].Name }
