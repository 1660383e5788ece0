#pragma once

#include "parts/chunk_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Chunks in the order in which a task works on them, in rows: chunks of a row become one part at a time.
class ChunkRows {
public:
    /// @param count more than 0
    void addRow(std::uint64_t first, std::uint64_t count);

    [[nodiscard]] std::size_t rows() const noexcept { return ends_.size(); }
    [[nodiscard]] std::size_t count() const noexcept { return chunks_.size(); }
    /// Places of a row: begin(row) to begin(row + 1) - 1.
    [[nodiscard]] std::size_t begin(std::size_t row) const noexcept { return row == 0 ? 0 : ends_[row - 1]; }
    [[nodiscard]] std::size_t size(std::size_t row) const noexcept { return ends_[row] - begin(row); }
    [[nodiscard]] std::uint64_t chunk(std::size_t place) const noexcept { return chunks_[place]; }
    [[nodiscard]] const std::vector<std::uint64_t>& chunks() const noexcept { return chunks_; }

    bool operator==(const ChunkRows&) const = default;

private:
    std::vector<std::uint64_t> chunks_;
    std::vector<std::size_t> ends_; ///< of the rows
};

/// Chunks @p first to @p end - 1 in the rows of the grid.
/// @throws Error(invalidArgument) unless first < end <= grid.count()
[[nodiscard]] ChunkRows chunksBetween(const ChunkGrid& grid, std::uint64_t first, std::uint64_t end);

/// All chunks.
[[nodiscard]] inline ChunkRows allChunks(const ChunkGrid& grid) { return chunksBetween(grid, 0, grid.count()); }

/// One of @p count boxes of about as many chunks, in which every chunk is once. Boxes k * 2^s to (k + 1) * 2^s - 1 form
/// a box for all k and s. A box is empty if there are not enough chunks.
[[nodiscard]] ChunkRows chunksOfBlock(const ChunkGrid& grid, std::uint64_t block, std::uint64_t count);

} // namespace pollard
