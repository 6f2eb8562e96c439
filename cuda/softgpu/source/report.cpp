#include "report.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace softgpu {

static std::mutex lock;
static std::string text_;
static char raw_[512];

void finding(const std::string &text) {
    std::lock_guard<std::mutex> hold(lock);
    if (text_.empty()) text_ = text;
}

void finding_raw(const char *text) {
    if (raw_[0] == 0) strncpy(raw_, text, sizeof raw_ - 1);
}

static std::string joined() { return text_.empty() ? std::string(raw_) : text_; }

std::string current_finding() {
    std::lock_guard<std::mutex> hold(lock);
    return joined();
}

std::string take_finding() {
    std::lock_guard<std::mutex> hold(lock);
    std::string taken = joined();
    text_.clear();
    raw_[0] = 0;
    return taken;
}

std::string format(const char *pattern, ...) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, pattern);
    vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    return buffer;
}

std::string source_line(const void *pc) {
    Dl_info info;
    if (pc == nullptr || dladdr(pc, &info) == 0 || info.dli_fname == nullptr) return "";
    // The return address is after the call instruction; one byte earlier is inside it.
    uintptr_t offset = reinterpret_cast<uintptr_t>(pc) - 1 - reinterpret_cast<uintptr_t>(info.dli_fbase);
    std::string command = format("addr2line -s -e %s 0x%lx 2>/dev/null", info.dli_fname, static_cast<unsigned long>(offset));
    FILE *pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return "";
    char line[256] = "";
    if (fgets(line, sizeof line, pipe) == nullptr) line[0] = 0;
    pclose(pipe);
    std::string where(line);
    while (!where.empty() && (where.back() == '\n' || where.back() == ' ')) where.pop_back();
    size_t extra = where.find(" (");
    if (extra != std::string::npos) where.resize(extra);
    if (where.empty() || where[0] == '?') return "";
    return " at " + where;
}

}  // namespace softgpu
