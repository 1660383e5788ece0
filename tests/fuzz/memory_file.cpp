#include "memory_file.hpp"

#include <cerrno>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace pollard::fuzz {

MemoryFile::MemoryFile() : descriptor_(memfd_create("pollard-fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0) {
        throw std::system_error(errno, std::generic_category(), "memfd_create");
    }
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { close(descriptor_); }

void MemoryFile::assign(const std::uint8_t* data, std::size_t size) {
    if (ftruncate(descriptor_, 0) != 0) {
        throw std::system_error(errno, std::generic_category(), "ftruncate");
    }
    std::size_t written = 0;
    while (written < size) {
        const ssize_t count = pwrite(descriptor_, data + written, size - written, static_cast<off_t>(written));
        if (count <= 0) {
            throw std::system_error(errno, std::generic_category(), "pwrite");
        }
        written += static_cast<std::size_t>(count);
    }
}

void FolderFile::assign(const std::uint8_t* data, std::size_t size) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
}

} // namespace pollard::fuzz
