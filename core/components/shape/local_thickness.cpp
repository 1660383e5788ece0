#include "components/shape/local_thickness.hpp"

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "image/distance_transform.hpp"
#include "image/mask.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pollard {
namespace {

constexpr std::size_t kThicknessPerTask = 64;

/// A pixel of an object and the square of the radius of its ball.
struct BallCentre {
    double square;
    std::uint32_t pixel;
};

/// Paints the balls of objects, one object after another. Keep one per thread: it reuses its memory.
class BallPainter {
public:
    /// @param unpainted per pixel itself, or a later pixel of its run up to which all are painted
    BallPainter(const Extent& extent, const VoxelSides& sides, Buffer<std::uint32_t>& unpainted,
                const JobControl& control)
        : extent_(extent), sides_(sides), unpainted_(unpainted), control_(control) {}

    /// @return the mean of the diameters
    [[nodiscard]] double paint(std::span<const ObjectRun> runs, std::span<const double> squares) {
        if (runs.empty()) { // edits have left no pixel
            return 0;
        }
        centres_.clear();
        findBox(runs);
        for (const ObjectRun& run : runs) {
            for (std::uint32_t pixel = run.first; pixel != run.first + run.length; ++pixel) {
                centres_.push_back({squares[pixel], pixel});
                unpainted_[pixel] = pixel;
            }
        }
        std::ranges::sort(centres_, [](const BallCentre& a, const BallCentre& b) {
            return a.square > b.square || (a.square == b.square && a.pixel < b.pixel);
        });
        const std::size_t pixels = centres_.size();
        std::size_t painted = 0;
        double sum = 0;
        rows_ = 0;
        for (std::size_t i = 0; i < centres_.size() && painted != pixels; ++i) {
            if (rows_ > kRowsPerPixel * box_.pixelCount() + kFewRows) {
                leaveOutPainted(runs, i);
                rows_ = 0;
                if (i == centres_.size()) {
                    break;
                }
            }
            const std::size_t fresh = paintBall(centres_[i]);
            sum += static_cast<double>(fresh) * 2 * std::sqrt(centres_[i].square);
            painted += fresh;
        }
        return pixels == 0 ? 0 : sum / static_cast<double>(pixels);
    }

private:
    static constexpr std::size_t kRowsPerPixel = 4;
    static constexpr std::size_t kFewRows = std::size_t{1} << 16U;

    struct Place {
        std::int64_t x, y, z;
    };
    [[nodiscard]] Place placeOf(std::uint32_t pixel) const noexcept {
        const std::uint32_t row = pixel / extent_.width;
        return {pixel % extent_.width, row % extent_.height, row / extent_.height};
    }

    /// @return number of pixels that were not painted
    std::size_t paintBall(const BallCentre& ball) {
        if (++balls_ % kBallsPerStop == 0) {
            control_.throwIfStopped();
        }
        const auto width = static_cast<std::int64_t>(extent_.width);
        std::size_t fresh = 0;
        forEachStep(ball.square, sides_.z, extent_.slices > 1, [&](std::int64_t z, double inSlice) {
            forEachStep(inSlice, sides_.y, true, [&](std::int64_t y, double inRow) {
                const std::int64_t reach = lastStep(inRow, sides_.x);
                const std::int64_t middle = ball.pixel + (z * extent_.height + y) * width;
                fresh += paintRow(static_cast<std::uint32_t>(middle - reach),
                                  static_cast<std::uint32_t>(middle + reach + 1));
                ++rows_;
            });
        });
        return fresh;
    }

    /// The largest number of steps whose square is below @p square.
    [[nodiscard]] static std::int64_t lastStep(double square, double side) noexcept {
        const auto isBelow = [&](std::int64_t steps) {
            const double away = static_cast<double>(steps) * side;
            return away * away < square;
        };
        auto steps = static_cast<std::int64_t>(std::sqrt(square) / side);
        while (!isBelow(steps)) {
            --steps;
        }
        while (isBelow(steps + 1)) {
            ++steps;
        }
        return steps;
    }

    /// Calls function(step, square less the square of the step) for all steps along an axis within a ball.
    template <class Function>
    static void forEachStep(double square, double side, bool hasAxis, const Function& function) {
        const std::int64_t last = hasAxis ? lastStep(square, side) : 0;
        for (std::int64_t step = -last; step <= last; ++step) {
            const double away = static_cast<double>(step) * side;
            function(step, square - away * away);
        }
    }

    /// Paints the pixels [first, last) of a run.
    std::size_t paintRow(std::uint32_t first, std::uint32_t last) noexcept {
        std::size_t fresh = 0;
        for (std::uint32_t pixel = nextUnpainted(first, last); pixel < last; pixel = nextUnpainted(pixel + 1, last)) {
            unpainted_[pixel] = pixel + 1;
            ++fresh;
        }
        return fresh;
    }

    /// The first unpainted pixel from @p pixel on, or a pixel from @p last on. Reads pixels before @p last only: others
    /// may belong to another object. Shortens the way.
    std::uint32_t nextUnpainted(std::uint32_t pixel, std::uint32_t last) noexcept {
        while (pixel < last) {
            const std::uint32_t next = unpainted_[pixel];
            if (next == pixel || next >= last) {
                return next;
            }
            pixel = unpainted_[pixel] = unpainted_[next];
        }
        return pixel;
    }

    void findBox(std::span<const ObjectRun> runs) {
        low_ = {extent_.width, extent_.height, extent_.slices};
        Place high{0, 0, 0};
        for (const ObjectRun& run : runs) {
            const Place at = placeOf(run.first);
            low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y), std::min(low_.z, at.z)};
            high = {std::max(high.x, at.x + run.length), std::max(high.y, at.y + 1), std::max(high.z, at.z + 1)};
        }
        box_ = {static_cast<std::uint32_t>(high.x - low_.x), static_cast<std::uint32_t>(high.y - low_.y),
                static_cast<std::uint32_t>(high.z - low_.z)};
    }
    /// Place in the rows of the box.
    struct Cell {
        std::uint32_t x, row;
    };
    [[nodiscard]] Cell cellOf(std::uint32_t pixel) const noexcept {
        const Place at = placeOf(pixel);
        return {static_cast<std::uint32_t>(at.x - low_.x),
                static_cast<std::uint32_t>((at.z - low_.z) * box_.height + at.y - low_.y)};
    }

    /// Removes the centres from @p from on whose ball is painted.
    void leaveOutPainted(std::span<const ObjectRun> runs, std::size_t from) {
        Mask painted(box_.width, box_.height * box_.slices, true);
        for (const ObjectRun& run : runs) {
            const Cell cell = cellOf(run.first);
            for (std::uint32_t i = 0; i != run.length; ++i) {
                if (unpainted_[run.first + i] == run.first + i) {
                    painted.set(cell.x + i, cell.row, false);
                }
            }
        }
        const Buffer<double> away = distances(painted, sides_, box_.slices, control_);
        const auto isPainted = [&](const BallCentre& ball) {
            const Cell cell = cellOf(ball.pixel);
            return away[std::size_t{cell.row} * box_.width + cell.x] >= std::sqrt(ball.square);
        };
        const auto kept =
            std::remove_if(centres_.begin() + static_cast<std::ptrdiff_t>(from), centres_.end(), isPainted);
        centres_.erase(kept, centres_.end());
    }

    static constexpr std::size_t kBallsPerStop = 4096;

    const Extent extent_;
    const VoxelSides sides_;
    Buffer<std::uint32_t>& unpainted_;
    const JobControl& control_;
    Place low_{}; ///< first corner of the box of the object
    Extent box_;
    std::vector<BallCentre> centres_;
    std::size_t rows_ = 0; ///< painted since painted balls were left out
    std::size_t balls_ = 0;
};

} // namespace

std::vector<double> meanLocalThickness(const Components& components, const ObjectRuns& runs,
                                       std::span<const double> squares, const VoxelSides& sides,
                                       const JobControl& control) {
    std::vector<double> thickness(components.count);
    Buffer<std::uint32_t> unpainted(squares.size());
    forEachRange(
        thickness.size(), control,
        [&](std::size_t begin, std::size_t end) {
            BallPainter painter(components.extent(), sides, unpainted, control);
            for (std::size_t i = begin; i != end; ++i) {
                thickness[i] = painter.paint(runs.of(static_cast<std::uint32_t>(i + 1)), squares);
            }
        },
        kThicknessPerTask);
    return thickness;
}

} // namespace pollard
