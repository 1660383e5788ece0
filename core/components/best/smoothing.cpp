#include "components/best/smoothing.hpp"

#include "base/buffer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kReach = GaussianWeights::kReach;

/// The weighted sum of seven numbers. @param at(k) the number of place k - kReach
template <class At> std::uint64_t weightedSum(const GaussianWeights& weights, const At& at) {
    std::uint64_t sum = weights.at[0] * at(kReach);
    for (std::size_t k = 1; k <= kReach; ++k) {
        sum += weights.at[k] * (std::uint64_t{at(kReach - k)} + at(kReach + k));
    }
    return sum;
}

/// The place @p k - kReach beside @p place of @p count, or the nearest one.
std::size_t placeBeside(std::size_t place, std::size_t k, std::size_t count) {
    return std::min(place + k < kReach ? 0 : place + k - kReach, count - 1);
}

/// Smooths the rows and columns of slices.
class PlaneSmoothing {
public:
    PlaneSmoothing(const Extent& extent, const SmoothingWeights& weights, int droppedBits,
                   FunctionRef<std::size_t, std::span<std::uint32_t>> fill, std::span<std::uint32_t> out)
        : width_(extent.width), height_(extent.height), weights_(weights), droppedBits_(droppedBits), fill_(fill),
          out_(out) {}

    /// Writes the rows [first, last) of all slices.
    void rows(std::size_t first, std::size_t last) const {
        std::array<std::vector<std::uint64_t>, 2 * kReach + 1> ring; // sums of rows of a slice
        std::vector<std::uint32_t> line(width_ + 2 * kReach);
        while (first != last) {
            const std::size_t top = first / height_ * height_;
            const std::size_t end = std::min(last, top + height_);
            for (std::size_t k = 0; k < 2 * kReach; ++k) {
                sumRow(top + placeBeside(first - top, k, height_), line, ring[k]);
            }
            for (; first != end; ++first) {
                sumRow(top + placeBeside(first - top, 2 * kReach, height_), line, ring.back());
                std::array<const std::uint64_t*, 2 * kReach + 1> at{};
                std::ranges::transform(ring, at.begin(), [](const auto& sums) { return sums.data(); });
                std::uint32_t* const to = out_.data() + first * width_;
                for (std::size_t x = 0; x < width_; ++x) {
                    const std::uint64_t sum = weightedSum(weights_.y, [&](std::size_t k) { return at[k][x]; });
                    to[x] = static_cast<std::uint32_t>(sum >> static_cast<unsigned>(droppedBits_));
                }
                std::rotate(ring.begin(), ring.begin() + 1, ring.end());
            }
        }
    }

private:
    void sumRow(std::size_t row, std::vector<std::uint32_t>& line, std::vector<std::uint64_t>& sums) const {
        const std::span<std::uint32_t> within = std::span(line).subspan(kReach, width_);
        fill_(row, within);
        std::fill_n(line.begin(), kReach, within.front());
        std::fill_n(line.end() - kReach, kReach, within.back());
        sums.resize(width_);
        for (std::size_t x = 0; x < width_; ++x) {
            sums[x] = weightedSum(weights_.x, [&](std::size_t k) { return line[x + k]; });
        }
    }

    std::size_t width_;
    std::size_t height_;
    const SmoothingWeights& weights_;
    int droppedBits_;
    FunctionRef<std::size_t, std::span<std::uint32_t>> fill_;
    std::span<std::uint32_t> out_;
};

void smoothAlongSlices(const Extent& extent, const GaussianWeights& weights, std::span<std::uint32_t> values,
                       const JobControl& control) {
    Buffer<std::uint32_t> before(values.size());
    forEachRange(values.size(), control, [&](std::size_t begin, std::size_t end) {
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
                  values.begin() + static_cast<std::ptrdiff_t>(end), before.begin() + begin);
    });
    forEachIndex(
        extent.rows(), control,
        [&](std::size_t row) {
            std::array<const std::uint32_t*, 2 * kReach + 1> at{};
            for (std::size_t k = 0; k < at.size(); ++k) {
                const std::size_t slice = placeBeside(row / extent.height, k, extent.slices);
                at[k] = before.data() + slice * extent.slicePixels() + row % extent.height * extent.width;
            }
            std::uint32_t* const to = values.data() + row * extent.width;
            for (std::size_t x = 0; x < extent.width; ++x) {
                const std::uint64_t sum = weightedSum(weights, [&](std::size_t k) { return at[k][x]; });
                to[x] = static_cast<std::uint32_t>(sum >> GaussianWeights::kBits);
            }
        },
        16);
}

} // namespace

VoxelSides inSmallestSide(const VoxelSides& sides) noexcept {
    const double smallest = std::min({sides.x, sides.y, sides.z});
    return {sides.x / smallest, sides.y / smallest, sides.z / smallest};
}

GaussianWeights::GaussianWeights(double sigma) noexcept {
    std::array<double, kReach + 1> heights{};
    double sum = 0;
    for (std::size_t k = 0; k <= kReach; ++k) {
        const double away = static_cast<double>(k) / sigma;
        heights[k] = std::exp(-away * away / 2);
        sum += (k == 0 ? 1 : 2) * heights[k];
    }
    at[0] = std::uint64_t{1} << kBits;
    for (std::size_t k = 1; k <= kReach; ++k) {
        at[k] = static_cast<std::uint64_t>(std::lround(std::ldexp(heights[k] / sum, kBits)));
        at[0] -= 2 * at[k];
    }
}

SmoothingWeights::SmoothingWeights(double sigma, const VoxelSides& sides) noexcept
    : x(sigma / inSmallestSide(sides).x), y(sigma / inSmallestSide(sides).y), z(sigma / inSmallestSide(sides).z) {}

void smoothRows(const Extent& extent, const SmoothingWeights& weights, int droppedBits,
                FunctionRef<std::size_t, std::span<std::uint32_t>> fill, std::span<std::uint32_t> out,
                const JobControl& control) {
    const PlaneSmoothing planes(extent, weights, droppedBits, fill, out);
    constexpr std::size_t kRows = 64;
    forEachRange(
        extent.rows(), control, [&](std::size_t begin, std::size_t end) { planes.rows(begin, end); }, kRows);
    if (extent.isVolume() && weights.z.at[1] != 0) {
        smoothAlongSlices(extent, weights.z, out, control);
    }
}

} // namespace pollard
