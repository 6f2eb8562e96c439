// The exported functions of NVRTC: kernel sources go through the system's C++ compiler.
#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "abi.h"
#include "image.h"
#include "report.h"

#ifndef SOFTGPU_CXX
#error "the build defines SOFTGPU_CXX, the path of the C++ compiler"
#endif

#define SOFTGPU_API extern "C" __attribute__((visibility("default"))) int

extern char **environ;

namespace softgpu {

// The kernel-side headers, in every program's include path.
static const char *const ABI_HEADER =
#include "abi.inc"
    ;
static const char *const DIALECT_HEADER =
#include "dialect.inc"
    ;

struct Program {
    std::string name, source, log, image;
    std::vector<std::pair<std::string, std::string>> headers;
};

enum { RTC_SUCCESS = 0, RTC_OUT_OF_MEMORY = 1, RTC_INVALID_INPUT = 3, RTC_INVALID_OPTION = 5, RTC_COMPILATION = 6 };

static bool write_file(const std::string &path, const std::string &text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    return static_cast<bool>(out.flush());
}

static std::string read_file(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// execute runs a command in a folder with its output in a file, without a shell.
static int execute(const std::vector<std::string> &command, const std::string &output) {
    std::vector<char *> argv;
    for (const std::string &word : command) argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child;
    int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return failed;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// Scratch is a temporary folder that is gone at the end.
struct Scratch {
    std::string path;
    Scratch() {
        const char *base = "/tmp";
        char pattern[64];
        snprintf(pattern, sizeof pattern, "%s/softgpu-XXXXXX", base);
        if (mkdtemp(pattern) != nullptr) path = pattern;
    }
    ~Scratch() {
        if (!path.empty()) execute({"rm", "-rf", path}, "/dev/null");
    }
};

static bool ends_with(const std::string &text, const std::string &end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static std::vector<std::string> command_line(const Program &program, const std::string &folder, bool checked) {
    std::vector<std::string> c = {SOFTGPU_CXX, "-std=c++17", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing",
                                  "-fno-asynchronous-unwind-tables", "-Wall", "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unknown-pragmas",
                                  "-ffile-prefix-map=" + folder + "/=", "-I" + folder};
    // Kernels of a table are many and run on few rows. The shared ones, whose names have no underscore, run in every proof.
    // Calls of accelerators inline all functions of accelerators, which -Og takes ten times as long to compile as -O0.
    const bool calls = ends_with(program.name, "_calls.cu"), shared = program.name.find('_') == std::string::npos;
    c.push_back(calls ? "-O0" : shared ? "-O1" : "-Og");
    if (checked)
        c.insert(c.end(), {"-g1", "-fsanitize=thread", "-DSOFTGPU_CHECKED"});
    else
        c.push_back("-g0");
    c.insert(c.end(), {"-x", "c++", "-c", folder + "/" + program.name, "-o", folder + "/softgpu_kernels.o"});
    return c;
}

// entry_points lists a library's kernels in ptxas's format: the exported symbols whose data begins with KERNEL_MAGIC.
static std::string entry_points(const std::string &library, const std::string &architecture) {
    const char *base = library.data();
    const Elf64_Ehdr *file = reinterpret_cast<const Elf64_Ehdr *>(base);
    const Elf64_Shdr *sections = reinterpret_cast<const Elf64_Shdr *>(base + file->e_shoff);
    std::set<std::string> names;
    for (unsigned s = 0; s < file->e_shnum; s++) {
        if (sections[s].sh_type != SHT_DYNSYM) continue;
        const Elf64_Sym *symbols = reinterpret_cast<const Elf64_Sym *>(base + sections[s].sh_offset);
        const char *texts = base + sections[sections[s].sh_link].sh_offset;
        for (size_t i = 0; i < sections[s].sh_size / sizeof(Elf64_Sym); i++) {
            const Elf64_Sym &symbol = symbols[i];
            std::string name = texts + symbol.st_name;
            if (name.rfind("chiasmus_", 0) != 0 || symbol.st_shndx == SHN_UNDEF || symbol.st_size < sizeof(softgpu_abi::Kernel)) continue;
            const Elf64_Shdr &data = sections[symbol.st_shndx];
            if (data.sh_type != SHT_PROGBITS) continue;
            unsigned magic;
            memcpy(&magic, base + data.sh_offset + (symbol.st_value - data.sh_addr), sizeof magic);
            if (magic == softgpu_abi::KERNEL_MAGIC) names.insert(name);
        }
    }
    std::string lines;
    for (const std::string &name : names) lines += "info : Compiling entry function '" + name + "' for '" + architecture + "'\n";
    return lines;
}

static int compile(Program *program, const std::vector<std::string> &options) {
    bool checked = false, architecture = false;
    std::vector<std::string> defines;
    for (const std::string &option : options) {
        if (option.rfind("--gpu-architecture=", 0) == 0) {
            checked = option == "--gpu-architecture=softgpu_checked";
            architecture = checked || option == "--gpu-architecture=softgpu";
        } else if (option.rfind("-D", 0) == 0) {
            defines.push_back(option);
        }
    }
    if (!architecture) {
        program->log = "this compiler makes code for the architectures softgpu and softgpu_checked only";
        return RTC_INVALID_OPTION;
    }
    Scratch scratch;
    if (scratch.path.empty()) return RTC_OUT_OF_MEMORY;
    std::string log = scratch.path + "/softgpu_log";
    bool written = write_file(scratch.path + "/softgpu_abi.h", ABI_HEADER) && write_file(scratch.path + "/softgpu_dialect.h", DIALECT_HEADER) &&
                   write_file(scratch.path + "/" + program->name, program->source);
    for (auto &header : program->headers) written = written && write_file(scratch.path + "/" + header.first, header.second);
    if (!written) {
        program->log = "cannot write to " + scratch.path;
        return RTC_OUT_OF_MEMORY;
    }
    std::vector<std::string> command = command_line(*program, scratch.path, checked);
    command.insert(command.end(), defines.begin(), defines.end());
    std::string library = scratch.path + "/softgpu_kernels.so";
    int failed = execute(command, log);
    // Linked separately and without the sanitizer, whose library would take the hooks. The process has libc already, and
    // searching the C++ library takes longer than linking.
    if (failed == 0) failed = execute({SOFTGPU_CXX, "-shared", "-nostdlib", "-Wl,--build-id=none", scratch.path + "/softgpu_kernels.o", "-lgcc", "-o", library}, log);
    program->log = read_file(log);
    if (failed != 0) return RTC_COMPILATION;
    std::string code = read_file(library);
    program->log += entry_points(code, checked ? "softgpu_checked" : "softgpu");
    ImageHeader header = {};
    memcpy(header.magic, IMAGE_MAGIC, sizeof header.magic);
    header.size = code.size();
    header.checked = checked;
    program->image.assign(reinterpret_cast<char *>(&header), sizeof header);
    program->image += code;
    return RTC_SUCCESS;
}

}  // namespace softgpu

using namespace softgpu;

SOFTGPU_API nvrtcVersion(int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return RTC_SUCCESS;
}

extern "C" __attribute__((visibility("default"))) const char *nvrtcGetErrorString(int code) {
    switch (code) {
    case RTC_SUCCESS: return "NVRTC_SUCCESS";
    case RTC_OUT_OF_MEMORY: return "NVRTC_ERROR_OUT_OF_MEMORY";
    case RTC_INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
    case RTC_INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
    case RTC_COMPILATION: return "NVRTC_ERROR_COMPILATION";
    }
    return "NVRTC_ERROR unknown";
}

// Only NVIDIA's architectures are numbers; softgpu's two are names, so the list is empty.
SOFTGPU_API nvrtcGetNumSupportedArchs(int *count) {
    *count = 0;
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcGetSupportedArchs(int *) { return RTC_SUCCESS; }

SOFTGPU_API nvrtcCreateProgram(Program **out, const char *source, const char *name, int count, const char *const *headers, const char *const *names) {
    if (source == nullptr || name == nullptr || strchr(name, '/') != nullptr) return RTC_INVALID_INPUT;
    Program *p = new Program;
    p->source = source;
    p->name = name;
    for (int i = 0; i < count; i++) p->headers.emplace_back(names[i], headers[i]);
    *out = p;
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcDestroyProgram(Program **program) {
    delete *program;
    *program = nullptr;
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    return compile(program, std::vector<std::string>(options, options + count));
}

SOFTGPU_API nvrtcGetProgramLogSize(Program *program, unsigned long *size) {
    *size = program->log.size() + 1;
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcGetProgramLog(Program *program, char *out) {
    memcpy(out, program->log.c_str(), program->log.size() + 1);
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcGetCUBINSize(Program *program, unsigned long *size) {
    *size = program->image.size();
    return RTC_SUCCESS;
}

SOFTGPU_API nvrtcGetCUBIN(Program *program, char *out) {
    memcpy(out, program->image.data(), program->image.size());
    return RTC_SUCCESS;
}
