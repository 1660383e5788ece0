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

/// A box of an array: first position and sides along each axis.
struct ZarrBox {
    std::vector<std::uint64_t> begin;
    std::vector<std::uint64_t> count;
};

/// Reads samples of an array; reads only chunks with requested samples.
class ZarrChunks {
public:
    /// @param store must outlive this object
    ZarrChunks(const ZarrStore& store, ZarrArray array);

    [[nodiscard]] const ZarrArray& array() const noexcept { return array_; }
    /// Memory in bytes for reading on several threads, besides the samples; the largest number on overflow.
    [[nodiscard]] std::uint64_t memoryFor(int threads) const noexcept;
    /// Number of chunks with samples of a box; the largest number on overflow.
    [[nodiscard]] std::uint64_t chunksOf(const ZarrBox& box) const noexcept;

    /// Reads the samples of a box inside the array, in host byte order, with the last axis fastest. Samples of missing
    /// chunks are the fill value. Decodes chunks in parallel on the caller's arena.
    /// @param out has the size of the samples of the box
    /// @throws Error(fileDamaged, fileUnreadable) naming the chunk, std::bad_alloc; Cancelled
    void read(const ZarrBox& box, std::span<std::byte> out, const JobControl& control) const;

private:
    /// Position and bytes of each chunk in the file of a shard.
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
