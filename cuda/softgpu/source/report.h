// Findings: descriptions of the errors that checked mode, or a fault, detected.
#pragma once
#include <cstdint>
#include <string>

namespace softgpu {

// finding keeps the first finding since the last one was taken; later ones are usually its consequences.
void finding(const std::string &text);
std::string current_finding();
std::string take_finding();
// finding_raw is for signal handlers: it neither allocates nor locks.
void finding_raw(const char *text);

std::string format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

// source_line returns the file and line of a code address of a kernel library, or an empty string if addr2line is
// missing.
std::string source_line(const void *pc);

}  // namespace softgpu
