#include "fault_layer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

using pollard::test::FaultPlan;

struct Layer {
    std::mutex mutex;
    bool active = false;
    FaultPlan plan;
    std::string folder; ///< ends in '/'
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    std::uint64_t calls = 0;
    std::vector<std::string> log;
};

Layer& layer() {
    static Layer theLayer;
    return theLayer;
}

std::string pathOf(int descriptor) {
    std::array<char, 4096> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t length = readlink(link.c_str(), target.data(), target.size());
    return length < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

bool concerns(const Layer& faults, const std::string& path) {
    return faults.active && path.compare(0, faults.folder.size(), faults.folder) == 0;
}

/// The final name of a file or temporary in the folder; "." for the folder.
std::string nameIn(const Layer& faults, const std::string& path) {
    if (path + "/" == faults.folder) {
        return ".";
    }
    std::string name = path.substr(faults.folder.size());
    if (const std::size_t part = name.find(".part-"); part != std::string::npos && name.front() == '.') {
        name = name.substr(1, part - 1);
    }
    return name;
}

/// Number of bytes allowed for a transfer, or -1 with errno set.
ssize_t allowed(Layer& faults, std::size_t wanted, std::uint64_t done, std::uint64_t limit, int errorAtLimit) {
    ++faults.calls;
    if (faults.plan.interrupt && faults.calls % 2 == 1) {
        errno = EINTR;
        return -1;
    }
    if (wanted > 0 && done >= limit) {
        errno = errorAtLimit;
        return -1;
    }
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(limit - done, wanted));
    return static_cast<ssize_t>(std::min(room, faults.plan.largestTransfer));
}

/// @param reads the number of bytes that are allowed
template <class Read> ssize_t readWithFaults(int descriptor, std::size_t bytes, const Read& reads) {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    if (concerns(faults, pathOf(descriptor))) {
        const ssize_t room = allowed(faults, bytes, faults.read, faults.plan.readable, EIO);
        if (room < 0) {
            return -1;
        }
        bytes = static_cast<std::size_t>(room);
    }
    const ssize_t count = reads(bytes);
    faults.read += count > 0 ? static_cast<std::uint64_t>(count) : 0;
    return count;
}

ssize_t readNext(int descriptor, void* buffer, std::size_t bytes) {
    return readWithFaults(descriptor, bytes,
                          [&](std::size_t count) { return syscall(SYS_read, descriptor, buffer, count); });
}

/// A stream that reads through readNext(): the C library's own streams call the system directly.
FILE* openStream(const char* path) {
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return nullptr;
    }
    cookie_io_functions_t functions{};
    functions.read = [](void* cookie, char* buffer, std::size_t bytes) {
        return readNext(*static_cast<int*>(cookie), buffer, bytes);
    };
    functions.seek = [](void* cookie, off64_t* position, int whence) {
        const off64_t place = lseek64(*static_cast<int*>(cookie), *position, whence);
        if (place < 0) {
            return -1;
        }
        *position = place;
        return 0;
    };
    functions.close = [](void* cookie) {
        const std::unique_ptr<int> owned(static_cast<int*>(cookie));
        return ::close(*owned);
    };
    return fopencookie(new int(descriptor), "rb", functions);
}

template <class Function> Function next(const char* name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

FILE* openFile(const char* name, const char* path, const char* mode) {
    bool ours = false;
    {
        Layer& faults = layer();
        const std::lock_guard lock(faults.mutex);
        ours = mode[0] == 'r' && concerns(faults, path);
    }
    return ours ? openStream(path) : next<FILE* (*)(const char*, const char*)>(name)(path, mode);
}

/// @param writes the number of bytes that are allowed
template <class Write> ssize_t writeWithFaults(int descriptor, std::size_t bytes, const Write& writes) {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    if (concerns(faults, pathOf(descriptor))) {
        const ssize_t room = allowed(faults, bytes, faults.written, faults.plan.writable, ENOSPC);
        if (room < 0) {
            return -1;
        }
        bytes = static_cast<std::size_t>(room);
    }
    const ssize_t count = writes(bytes);
    faults.written += count > 0 ? static_cast<std::uint64_t>(count) : 0;
    return count;
}

/// @param call the number of the system call
int syncWithFaults(int descriptor, long call) {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    const std::string path = pathOf(descriptor);
    if (!concerns(faults, path + "/")) {
        return static_cast<int>(syscall(call, descriptor));
    }
    const std::string name = nameIn(faults, path);
    faults.log.push_back("sync " + name);
    if (name != "." && (faults.plan.syncFails || name == faults.plan.syncFailsOf)) {
        ++faults.calls;
        errno = EIO;
        return -1;
    }
    return 0;
}

/// @param flags of renameat2
int renameWithFaults(const char* from, const char* to, unsigned flags) {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    if (concerns(faults, to)) {
        if (flags != 0 && faults.plan.renameFlagsFail) {
            ++faults.calls;
            errno = EINVAL;
            return -1;
        }
        faults.log.push_back("rename " + nameIn(faults, to));
        if (faults.plan.renameFails || faults.plan.refused == to) {
            ++faults.calls;
            errno = EACCES;
            return -1;
        }
    }
    return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
}

} // namespace

extern "C" {

ssize_t read(int descriptor, void* buffer, std::size_t bytes) { return readNext(descriptor, buffer, bytes); }

ssize_t pread(int descriptor, void* buffer, std::size_t bytes, off_t offset) {
    return readWithFaults(descriptor, bytes,
                          [&](std::size_t count) { return syscall(SYS_pread64, descriptor, buffer, count, offset); });
}

ssize_t write(int descriptor, const void* buffer, std::size_t bytes) {
    return writeWithFaults(descriptor, bytes,
                           [&](std::size_t count) { return syscall(SYS_write, descriptor, buffer, count); });
}

ssize_t pwrite(int descriptor, const void* buffer, std::size_t bytes, off_t offset) {
    return writeWithFaults(descriptor, bytes,
                           [&](std::size_t count) { return syscall(SYS_pwrite64, descriptor, buffer, count, offset); });
}

int fsync(int descriptor) { return syncWithFaults(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return syncWithFaults(descriptor, SYS_fdatasync); }
int syncfs(int descriptor) noexcept { return syncWithFaults(descriptor, SYS_syncfs); }

int rename(const char* from, const char* to) noexcept { return renameWithFaults(from, to, 0); }

/// Of paths from the current folder on.
int renameat2(int /*fromFolder*/, const char* from, int /*toFolder*/, const char* to, unsigned flags) noexcept {
    return renameWithFaults(from, to, flags);
}

int link(const char* from, const char* to) noexcept {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    if (concerns(faults, to) && faults.plan.linkFails && access(from, F_OK) == 0) {
        ++faults.calls;
        errno = EPERM;
        return -1;
    }
    return static_cast<int>(syscall(SYS_link, from, to));
}

FILE* fopen(const char* path, const char* mode) { return openFile("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return openFile("fopen64", path, mode); }

} // extern "C"

namespace pollard::test {

Faults::Faults(FaultPlan plan) {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    faults.folder = plan.folder.string() + "/";
    faults.plan = std::move(plan);
    faults.read = faults.written = faults.calls = 0;
    faults.log.clear();
    faults.active = true;
}

Faults::~Faults() {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    faults.active = false;
}

std::uint64_t Faults::seen() const {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    return faults.calls;
}

std::vector<std::string> Faults::log() const {
    Layer& faults = layer();
    const std::lock_guard lock(faults.mutex);
    return faults.log;
}

} // namespace pollard::test
