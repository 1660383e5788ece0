#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// A threshold k sigma above the local background, or below it for dark objects.
struct BackgroundThreshold {
    static constexpr double kMostSigmas = 1e6;
    static constexpr std::uint32_t kLeastBox = 4;
    static constexpr std::uint32_t kMostBox = 65536;

    double sigmas = 5;      ///< k, > 0
    std::uint32_t box = 64; ///< side of a box of the mesh, px

    bool operator==(const BackgroundThreshold&) const = default;
};

/// The background of an image and its spread, as in SExtractor (Bertin, Arnouts 1996). In each box of a mesh, values
/// further than 3 sigma from the median are removed, repeatedly until none is left, at most ten times. The background
/// of the box is 2.5 median - 1.5 mean of the remaining values, or their median if mean and median differ by more than
/// 0.3 sigma. Each box then gets the median of up to 3 x 3 boxes; between the centres of boxes, the background is
/// interpolated bilinearly. Doubles are summed in a fixed order, so results do not depend on the number of threads.
class LocalBackground {
public:
    /// @param inside pixels that count; null: all. Boxes without such pixels take the background of their neighbours.
    /// @param mapping of the levels. Backgrounds are levels, or values if the levels are ranks.
    /// @throws Error(invalidArgument) for a volume or a box out of its limits; Cancelled
    LocalBackground(const Image& image, const Mask* inside, std::uint32_t box, const JobControl& control = {},
                    const std::optional<ValueMapping>& mapping = {});

    /// Sets background and spread of the pixels of a row. @param level, spread width() numbers each
    void row(std::uint32_t y, std::span<double> level, std::span<double> spread) const;

    /// Pixels with a value above (below if @p dark) the background by more than @p sigmas of its spread.
    [[nodiscard]] Mask beyond(const Image& image, double sigmas, bool dark, const Mask* inside,
                              const JobControl& control = {}) const;
    /// Sums of value - background over the pixels of each label 1 .. @p count, in values of the mapping. Pixels in
    /// raster order.
    /// @param labels of the pixels, 0: none
    [[nodiscard]] std::vector<double> fluxes(const Image& image, std::span<const std::uint32_t> labels,
                                             std::uint32_t count, const JobControl& control = {}) const;

    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }

private:
    struct Cell {
        double level = 0;
        double spread = 0;
        bool isKnown = false;
    };
    [[nodiscard]] double numberOf(std::uint16_t level) const noexcept {
        return values_.empty() ? level : values_[level];
    }
    [[nodiscard]] Cell cellOf(const Image& image, const Mask* inside, std::uint32_t column, std::uint32_t row) const;
    /// Calls visit(i) for a box and its up to eight neighbours.
    template <class Visit> void forEachAround(std::size_t box, Visit&& visit) const {
        const std::size_t column = box % columns_;
        const std::size_t row = box / columns_;
        for (std::size_t r = row - (row > 0 ? 1 : 0); r <= row + 1 && r < rows_; ++r) {
            for (std::size_t c = column - (column > 0 ? 1 : 0); c <= column + 1 && c < columns_; ++c) {
                visit(r * columns_ + c);
            }
        }
    }
    void fillGaps();
    void smooth();

    std::uint32_t width_;
    std::uint32_t height_;
    std::uint32_t box_;
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::vector<double> values_; ///< of levels that are ranks; empty: levels are used
    double step_ = 1;            ///< from levels to values
    std::vector<Cell> cells_;
};

} // namespace pollard
