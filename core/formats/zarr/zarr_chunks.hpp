#pragma once

#include "base/job_control.hpp"
#include "formats/zarr/zarr_array.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// A box of an array: its first place and its sides along each axis.
struct ZarrBox {
    std::vector<std::uint64_t> begin;
    std::vector<std::uint64_t> count;
};

/// The samples of an array, of which only chunks with wanted samples are read.
class ZarrChunks {
public:
    /// @param store must outlive this
    ZarrChunks(const ZarrStore& store, ZarrArray array);

    [[nodiscard]] const ZarrArray& array() const noexcept { return array_; }
    /// Memory for reading on some threads besides the samples, bytes; the largest number on overflow.
    [[nodiscard]] std::uint64_t memoryFor(int threads) const noexcept;
    /// Chunks with samples of a box; the largest number on overflow.
    [[nodiscard]] std::uint64_t chunksOf(const ZarrBox& box) const noexcept;

    /// Samples of a box inside the array, along its axes, the last one the fastest, in host byte order; those of
    /// missing chunks are the fill value. Chunks are decoded in parallel on the caller's arena.
    /// @param out as many bytes as the samples of the box have
    /// @throws Error(fileDamaged, fileUnreadable) naming the chunk, std::bad_alloc; Cancelled
    void read(const ZarrBox& box, std::span<std::byte> out, const JobControl& control) const;

private:
    /// Places of the chunks in the file of a shard: position and bytes.
    using ShardIndex = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

    [[nodiscard]] std::span<const std::byte> decoded(ZarrDecoder& decoder, std::span<const std::uint64_t> chunk) const;
    [[nodiscard]] std::shared_ptr<const ShardIndex> indexOf(const std::string& key, const ZarrValue& shard) const;
    void copy(std::span<const std::byte> chunk, std::span<const std::uint64_t> numbers, const ZarrBox& box,
              std::byte* out) const;

    const ZarrStore& store_;
    ZarrArray array_;
    std::vector<std::size_t> strides_; ///< of the axes in a chunk, bytes
    mutable std::mutex mutex_;
    mutable std::vector<std::pair<std::string, std::shared_ptr<const ShardIndex>>> indices_; ///< of recent shards
};

} // namespace pollard
