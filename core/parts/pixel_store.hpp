#pragma once

#include "image/extent.hpp"
#include "io/write/pixel_rows.hpp"
#include "parts/chunk_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace pollard {

/// A working file with all pixels of a picture or volume as they lie in memory, written in boxes in any order. Boxes
/// that were flushed outlast the program. For one thread at a time.
class PixelStore {
public:
    /// @param resume continues with the boxes of the file, if there is one of this size
    /// @throws Error(writeFailed) with the system's reason
    PixelStore(std::filesystem::path path, const Extent& whole, int bits, bool resume);
    ~PixelStore();
    PixelStore(const PixelStore&) = delete;
    PixelStore& operator=(const PixelStore&) = delete;

    /// Whether it continues with a file.
    [[nodiscard]] bool isResumed() const noexcept { return isResumed_; }
    /// @throws Error(writeFailed)
    void put(const ChunkBox& box, const std::byte* pixels);
    /// Makes the boxes durable. @throws Error(writeFailed)
    void flush();
    /// The pixels; the store must outlive them. Reading throws Error(fileUnreadable).
    [[nodiscard]] PixelRows rows() const;

private:
    void write(const std::byte* data, std::size_t bytes, std::uint64_t offset) const;
    void read(std::byte* data, std::size_t bytes, std::uint64_t offset) const;
    [[noreturn]] void failToWrite() const;

    std::filesystem::path path_;
    PixelRows layout_;
    int descriptor_ = -1;
    bool isResumed_ = false;
};

} // namespace pollard
