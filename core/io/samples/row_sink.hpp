#pragma once

#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace pollard {

/// Pixels [x, x + count) of row y of the resulting image.
struct RowPlace {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::size_t count = 0;
};

/// Packed samples of at least `skip + count` pixels: either one row that interleaves `stride` samples per pixel, or one
/// row per required sample (stride 1).
struct PackedRows {
    std::span<const std::byte* const> rows;
    int stride = 1;
    std::size_t skip = 0; ///< pixels before the first one needed
};

/// Converts rows of samples to pixels, in any order. Several sinks of one image may work concurrently on different
/// pixels.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Required samples of a pixel, and the order of rows if there is one per sample.
    [[nodiscard]] virtual const std::vector<int>& samples() const noexcept = 0;
    /// @throws Error(fileDamaged) for invalid samples
    virtual void put(const RowPlace& place, const PackedRows& packed) = 0;
};

/// Passes rows that interleave samples on to several sinks.
class RowFan final : public RowSink {
public:
    explicit RowFan(std::vector<std::unique_ptr<RowSink>> sinks);

    [[nodiscard]] const std::vector<int>& samples() const noexcept override { return samples_; }
    void put(const RowPlace& place, const PackedRows& packed) override;

private:
    std::vector<std::unique_ptr<RowSink>> sinks_;
    std::vector<int> samples_;
};

/// Thread-safe set of pixels without data. Allocates memory on the first one.
class GapMap {
public:
    GapMap(std::uint32_t width, std::uint32_t height) : width_(width), height_(height) {}
    /// A copy of @p other, which no thread may change meanwhile.
    GapMap(const GapMap& other)
        : width_(other.width_), height_(other.height_),
          mask_(other.mask_ ? std::make_shared<Mask>(*other.mask_) : nullptr) {}
    GapMap& operator=(const GapMap&) = delete;

    /// Marks pixels [x, x + count) of row y.
    void add(const RowPlace& place);
    /// Marks the pixels whose flag is set.
    void add(const RowPlace& place, std::span<const std::uint8_t> flags);

    /// Pixels with data; null if all have.
    [[nodiscard]] std::shared_ptr<const Mask> valid() const { return mask_; }

private:
    void clear(std::uint32_t first, std::size_t last, std::uint32_t y);

    std::uint32_t width_;
    std::uint32_t height_;
    std::mutex mutex_;
    std::shared_ptr<Mask> mask_;
};

} // namespace pollard
