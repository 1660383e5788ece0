#include "parts/pixel_store.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace pollard {

PixelStore::PixelStore(std::filesystem::path path, const Extent& whole, int bits, bool resume)
    : path_(std::move(path)), layout_{whole, bits, {}} {
    const std::uint64_t bytes = whole.rows() * layout_.rowBytes();
    std::error_code problem;
    isResumed_ = resume && std::filesystem::file_size(path_, problem) == bytes && !problem;
    constexpr int kMode = 0666;
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (isResumed_ ? 0 : O_TRUNC), kMode);
    if (descriptor_ < 0) {
        failToWrite();
    }
    if (!isResumed_ && ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
        const int reason = errno;
        ::close(descriptor_);
        errno = reason;
        failToWrite();
    }
}

PixelStore::~PixelStore() { ::close(descriptor_); }

void PixelStore::failToWrite() const {
    throw Error(ErrorCode::writeFailed, "cannot write working file: " + path_.string() + ": " + std::strerror(errno));
}

void PixelStore::put(const ChunkBox& box, const std::byte* pixels) {
    const Extent& whole = layout_.extent;
    const std::size_t pixelBytes = static_cast<std::size_t>(layout_.bits / 8);
    const bool isWide = box.extent.width == whole.width;
    const std::uint32_t rowsAtOnce = isWide ? box.extent.height : 1;
    const std::size_t bytes = rowsAtOnce * box.extent.width * pixelBytes;
    for (std::uint32_t z = 0; z < box.extent.slices; ++z) {
        for (std::uint32_t y = 0; y < box.extent.height; y += rowsAtOnce) {
            const std::uint64_t row = (std::uint64_t{box.z} + z) * whole.height + box.y + y;
            write(pixels, bytes, row * layout_.rowBytes() + box.x * pixelBytes);
            pixels += bytes;
        }
    }
}

void PixelStore::write(const std::byte* data, std::size_t bytes, std::uint64_t offset) const {
    while (bytes > 0) {
        const ssize_t written = ::pwrite(descriptor_, data, bytes, static_cast<off_t>(offset));
        if (written < 0 && errno != EINTR) {
            failToWrite();
        }
        const auto done = static_cast<std::size_t>(written > 0 ? written : 0);
        data += done;
        bytes -= done;
        offset += done;
    }
}

void PixelStore::flush() {
    if (::fdatasync(descriptor_) != 0) {
        failToWrite();
    }
}

void PixelStore::read(std::byte* data, std::size_t bytes, std::uint64_t offset) const {
    while (bytes > 0) {
        const ssize_t found = ::pread(descriptor_, data, bytes, static_cast<off_t>(offset));
        if (found == 0 || (found < 0 && errno != EINTR)) {
            throw Error(ErrorCode::fileUnreadable, "cannot read working file: " + path_.string() + ": " +
                                                       (found == 0 ? "it is cut off" : std::strerror(errno)));
        }
        const auto done = static_cast<std::size_t>(found > 0 ? found : 0);
        data += done;
        bytes -= done;
        offset += done;
    }
}

PixelRows PixelStore::rows() const {
    PixelRows rows = layout_;
    rows.read = [this](std::uint64_t first, std::uint32_t count, std::byte* out) {
        read(out, count * layout_.rowBytes(), first * layout_.rowBytes());
    };
    return rows;
}

} // namespace pollard
