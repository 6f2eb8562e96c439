// The exported functions of modules, kernels and launches.
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>

#include "api.h"
#include "block.h"
#include "image.h"
#include "memory.h"
#include "report.h"

namespace softgpu {

struct Module {
    void *library;
    int file;
    uintptr_t base, end;
    std::map<std::string, Function *> functions;
};

struct Function {
    std::string name;
    const softgpu_abi::Kernel *kernel;
    const Module *module;
    uint64_t dynamic_limit = 48 << 10;
};

uint32_t order_launch(Context *c, Stream *s, const std::string &name);
bool valid_stream(Context *c, Stream *s);

// segments finds the addresses at which the loader put a library, because kernels may read its constants.
static void segments(void *library, Module *m) {
    struct link_map *map = nullptr;
    m->base = m->end = 0;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) return;
    struct Search {
        uintptr_t address;
        Module *module;
    } search = {map->l_addr, m};
    dl_iterate_phdr(
        [](struct dl_phdr_info *info, size_t, void *data) {
            Search *s = static_cast<Search *>(data);
            if (info->dlpi_addr != s->address) return 0;
            s->module->base = info->dlpi_addr;
            for (int i = 0; i < info->dlpi_phnum; i++)
                if (info->dlpi_phdr[i].p_type == PT_LOAD)
                    s->module->end = std::max<uintptr_t>(s->module->end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
            return 1;
        },
        &search);
}

}  // namespace softgpu

using namespace softgpu;

SOFTGPU_API cuModuleLoadData(Module **out, const void *image) {
    SOFTGPU_ENTER();
    const ImageHeader *header = static_cast<const ImageHeader *>(image);
    if (memcmp(header->magic, IMAGE_MAGIC, sizeof header->magic) != 0) return INVALID_IMAGE;
    if (header->checked != (c->checked ? 1u : 0u)) return INVALID_IMAGE;
    int file = memfd_create("softgpu-kernels", MFD_CLOEXEC);
    if (file < 0 || write(file, header + 1, header->size) != static_cast<ssize_t>(header->size)) return OUT_OF_MEMORY;
    // The pid, not "self", so that addr2line can open it too.
    void *library = dlopen(format("/proc/%d/fd/%d", getpid(), file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        finding(format("loading a kernel library: %s", dlerror()));
        close(file);
        return INVALID_IMAGE;
    }
    const softgpu_abi::Host **host = static_cast<const softgpu_abi::Host **>(dlsym(library, "softgpu_host"));
    if (host == nullptr) {
        dlclose(library);
        close(file);
        return INVALID_IMAGE;
    }
    *host = host_table();
    Module *m = new Module;
    m->library = library;
    m->file = file;
    segments(library, m);
    *out = m;
    return SUCCESS;
}

SOFTGPU_API cuModuleUnload(Module *m) {
    SOFTGPU_ENTER();
    int failed = c->finish(nullptr, nullptr);
    for (auto &entry : m->functions) delete entry.second;
    memory().disown(m->base, m->end);
    dlclose(m->library);
    close(m->file);
    delete m;
    return failed;
}

SOFTGPU_API cuModuleGetFunction(Function **out, Module *m, const char *name) {
    SOFTGPU_ENTER();
    Function *&f = m->functions[name];
    if (f == nullptr) {
        const softgpu_abi::Kernel *kernel = static_cast<const softgpu_abi::Kernel *>(dlsym(m->library, name));
        if (kernel == nullptr || kernel->magic != softgpu_abi::KERNEL_MAGIC) {
            m->functions.erase(name);
            return NOT_FOUND;
        }
        f = new Function;
        f->name = name;
        f->kernel = kernel;
        f->module = m;
    }
    *out = f;
    return SUCCESS;
}

SOFTGPU_API cuModuleGetGlobal_v2(uintptr_t *address, unsigned long *size, Module *m, const char *name) {
    SOFTGPU_ENTER();
    Dl_info info;
    const ElfW(Sym) *symbol = nullptr;
    void *at = dlsym(m->library, name);
    if (at == nullptr || dladdr1(at, &info, reinterpret_cast<void **>(const_cast<ElfW(Sym) **>(&symbol)), RTLD_DL_SYMENT) == 0 || symbol == nullptr) return NOT_FOUND;
    if (address != nullptr) *address = reinterpret_cast<uintptr_t>(at);
    if (size != nullptr) *size = symbol->st_size;
    memory().adopt(reinterpret_cast<uintptr_t>(at), symbol->st_size, c->checked);
    return SUCCESS;
}

SOFTGPU_API cuFuncGetAttribute(int *out, int attribute, Function *f) {
    SOFTGPU_ENTER();
    switch (attribute) {
    case 0: *out = static_cast<int>(f->kernel->max_threads); return SUCCESS;
    case 1: case 3: *out = 0; return SUCCESS;  // static shared and local memory: not known before a run
    case 4: *out = 32; return SUCCESS;         // registers
    case 8: *out = static_cast<int>(f->dynamic_limit); return SUCCESS;
    }
    return INVALID_VALUE;
}

SOFTGPU_API cuFuncSetAttribute(Function *f, int attribute, int value) {
    SOFTGPU_ENTER();
    if (attribute != 8 || value < 0 || value > (227 << 10)) return INVALID_VALUE;
    f->dynamic_limit = static_cast<uint64_t>(value);
    return SUCCESS;
}

SOFTGPU_API cuFuncGetParamInfo(Function *f, unsigned long index, unsigned long *offset, unsigned long *size) {
    SOFTGPU_ENTER();
    if (index >= f->kernel->parameter_count) return INVALID_VALUE;
    if (offset != nullptr) {
        *offset = 0;
        for (unsigned long i = 0; i <= index; i++) {
            unsigned long bytes = f->kernel->parameter_sizes[i], align = bytes >= 8 ? 8 : bytes;
            *offset = (*offset + align - 1) / align * align;
            if (i < index) *offset += bytes;
        }
    }
    *size = f->kernel->parameter_sizes[index];
    return SUCCESS;
}

SOFTGPU_API cuLaunchKernel(Function *f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared, Stream *s, void **parameters, void **extra) {
    SOFTGPU_ENTER();
    if (!valid_stream(c, s)) return INVALID_HANDLE;
    uint64_t threads = uint64_t(block_x) * block_y * block_z;
    if (grid_x == 0 || grid_y == 0 || grid_z == 0 || threads == 0 || extra != nullptr || f->kernel->parameter_count > 64) return INVALID_VALUE;
    if (grid_x > 0x7fffffff || grid_y > 65535 || grid_z > 65535 || block_z > 64 || shared > f->dynamic_limit) return INVALID_VALUE;
    if (threads > 1024 || threads > f->kernel->max_threads) return LAUNCH_OUT_OF_RESOURCES;
    Launch launch;
    launch.kernel = f->kernel;
    launch.name = f->name;
    launch.grid = {grid_x, grid_y, grid_z};
    launch.block = {block_x, block_y, block_z};
    launch.dynamic_shared = shared;
    for (unsigned i = 0; i < f->kernel->parameter_count; i++) {
        const unsigned char *p = static_cast<const unsigned char *>(parameters[i]);
        launch.parameters.emplace_back(p, p + f->kernel->parameter_sizes[i]);
    }
    launch.seed = draw(c->random);
    launch.checked = c->checked;
    launch.operation = order_launch(c, s, "kernel " + f->name);
    launch.code_base = f->module->base;
    launch.code_end = f->module->end;
    Work work;
    work.run = [launch]() {
        bool illegal = false;
        std::string text = run(launch, illegal);
        if (text.empty()) return 0;
        finding(text);
        return illegal ? int(ILLEGAL_ADDRESS) : int(LAUNCH_FAILED);
    };
    c->push(s, std::move(work));
    return SUCCESS;
}
