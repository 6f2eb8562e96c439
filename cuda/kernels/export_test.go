package kernels

// CombineSmallRows is for tests to lower.
var CombineSmallRows = &combineSmallRows
