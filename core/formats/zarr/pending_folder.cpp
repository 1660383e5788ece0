#include "formats/zarr/pending_folder.hpp"

#include "base/error.hpp"
#include "io/write/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace pollard {

namespace fs = std::filesystem;

PendingFolder::PendingFolder(fs::path target, std::string what) : target_(std::move(target)), what_(std::move(what)) {
    std::error_code ignored;
    if (!target_.has_filename()) {
        fail("is not a name of a folder");
    }
    if (fs::exists(fs::symlink_status(target_, ignored))) {
        fail("it exists; remove it, or name another folder");
    }
    constexpr std::size_t kKeep = 200; // bytes of the name, within the length limit
    constexpr ::mode_t kMode = 0777;
    std::random_device random;
    const fs::path temporary = target_.parent_path() / ("." + target_.filename().string().substr(0, kKeep) + ".part-" +
                                                        std::to_string(random()) + std::to_string(random()));
    if (::mkdir(temporary.c_str(), kMode) != 0) {
        fail(std::strerror(errno));
    }
    temporary_ = temporary;
}

PendingFolder::~PendingFolder() {
    if (!temporary_.empty()) {
        std::error_code ignored;
        fs::remove_all(temporary_, ignored);
    }
}

void PendingFolder::write(const std::string& name, std::span<const std::byte> bytes) const {
    const fs::path path = temporary_ / name;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem) {
        fail(problem.message());
    }
    constexpr ::mode_t kMode = 0666;
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor < 0) {
        fail(std::strerror(errno));
    }
    int error = 0;
    while (!bytes.empty() && error == 0) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            error = count == 0 ? ENOSPC : errno;
        }
    }
    if (::close(descriptor) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        fail(std::strerror(error));
    }
}

void PendingFolder::commit() {
    const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(std::strerror(errno));
    }
    const bool isSafe = ::syncfs(descriptor) == 0;
    const int error = errno;
    ::close(descriptor);
    if (!isSafe) {
        fail(std::strerror(error));
    }
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) != 0 &&
        (errno != EINVAL || ::rename(temporary_.c_str(), target_.c_str()) != 0)) {
        fail(std::strerror(errno));
    }
    temporary_.clear();
    syncDirectory(target_.parent_path());
}

void PendingFolder::fail(const std::string& why) const {
    throw Error(ErrorCode::writeFailed, what_ + ": " + target_.string() + ": " + why);
}

} // namespace pollard
