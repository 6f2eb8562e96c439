// What softgpu calls a cubin: this header and a shared library.
#pragma once

namespace softgpu {

constexpr char IMAGE_MAGIC[8] = {'s', 'o', 'f', 't', 'g', 'p', 'u', '1'};

struct ImageHeader {
    char magic[8];
    unsigned long size;  // of the shared library that follows
    unsigned checked;
    unsigned reserved;
};

}  // namespace softgpu
