#pragma once

#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace pollard {

/// Pixels [x, x + count) of row y of the picture that is being read.
struct RowPlace {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::size_t count = 0;
};

/// Packed samples of at least `skip + count` pixels: either one row that interleaves `stride` samples a pixel, or one
/// row for each sample that the sink needs (stride 1).
struct PackedRows {
    std::span<const std::byte* const> rows;
    int stride = 1;
    std::size_t skip = 0; ///< pixels of the row before the first that is wanted
};

/// Takes rows of samples in any order and makes pixels of them. Several sinks of one picture may work at once, on
/// different pixels.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// The samples of a pixel that are needed; with one row per sample, in this order.
    [[nodiscard]] virtual const std::vector<int>& samples() const noexcept = 0;
    /// @throws Error(fileDamaged) if the samples have no meaning
    virtual void put(const RowPlace& place, const PackedRows& packed) = 0;
};

/// Collects pixels without data from several threads. Takes memory only when there is one.
class GapMap {
public:
    GapMap(std::uint32_t width, std::uint32_t height) : width_(width), height_(height) {}

    /// Marks pixels [x, x + count) of row y.
    void add(const RowPlace& place);
    /// Marks those whose flag is set.
    void add(const RowPlace& place, std::span<const std::uint8_t> flags);

    /// Pixels that hold data; null if all do.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const { return mask_; }

private:
    void clear(std::uint32_t first, std::size_t last, std::uint32_t y);

    std::uint32_t width_;
    std::uint32_t height_;
    std::mutex mutex_;
    std::shared_ptr<Mask> mask_;
};

} // namespace pollard
