#include "operators/smoothing.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/analysis_image.hpp"
#include "operators/structuring_element.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace pollard {
namespace {

/// Position in [0, length) of a position of the mirrored axis.
std::size_t mirrored(std::int64_t position, std::int64_t length) noexcept {
    const std::int64_t period = 2 * length;
    const std::int64_t within = (position % period + period) % period;
    return static_cast<std::size_t>(within < length ? within : period - 1 - within);
}

/// Lines of an axis: line l of block b begins at b * block + l * apart.
struct SmoothedAxis {
    std::size_t length = 0;
    std::size_t stride = 0;
    std::size_t lines = 0;
    std::size_t apart = 0;
    std::size_t blocks = 1;
    std::size_t block = 0;
};

/// Weights of a Gaussian from the centre on.
std::vector<double> gaussianWeights(double sigma) {
    const auto reach = static_cast<std::size_t>(std::lround(4 * sigma));
    std::vector<double> weights(reach + 1);
    double sum = 0;
    for (std::size_t i = 0; i <= reach; ++i) {
        const auto away = static_cast<double>(i);
        weights[i] = std::exp(-.5 / (sigma * sigma) * (away * away));
        sum += i == 0 ? weights[i] : 2 * weights[i];
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

/// Smooths some lines at a time.
class LineSmoothing {
public:
    static constexpr std::size_t kLanes = 8;

    LineSmoothing(std::size_t length, const std::vector<double>& weights)
        : weights_(weights), length_(length), reach_(weights.size() - 1), padded_((length + 2 * reach_) * kLanes) {}

    void smooth(double* first, std::size_t count, const SmoothedAxis& axis) {
        for (std::size_t i = 0; i != length_ + 2 * reach_; ++i) {
            const std::size_t from = mirrored(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(reach_),
                                              static_cast<std::int64_t>(length_));
            for (std::size_t lane = 0; lane != count; ++lane) {
                padded_[i * kLanes + lane] = first[from * axis.stride + lane * axis.apart];
            }
        }
        for (std::size_t i = 0; i != length_; ++i) {
            double sums[kLanes];
            weigh(padded_.data() + (i + reach_) * kLanes, sums);
            for (std::size_t lane = 0; lane != count; ++lane) {
                first[i * axis.stride + lane * axis.apart] = sums[lane];
            }
        }
    }

private:
    void weigh(const double* centre, double* __restrict sums) const {
        for (std::size_t lane = 0; lane != kLanes; ++lane) {
            sums[lane] = centre[lane] * weights_[0];
        }
        for (std::size_t k = reach_; k != 0; --k) {
            const double* const before = centre - k * kLanes;
            const double* const after = centre + k * kLanes;
            for (std::size_t lane = 0; lane != kLanes; ++lane) {
                sums[lane] += (before[lane] + after[lane]) * weights_[k];
            }
        }
    }

    const std::vector<double>& weights_;
    std::size_t length_;
    std::size_t reach_;
    std::vector<double> padded_;
};

void smoothAxis(std::span<double> values, const SmoothedAxis& axis, double sigma, const JobControl& control) {
    const std::vector<double> weights = gaussianWeights(sigma);
    if (axis.length == 1 || weights.size() == 1) {
        return;
    }
    const std::size_t groups = (axis.lines + LineSmoothing::kLanes - 1) / LineSmoothing::kLanes;
    forEachRange(
        groups * axis.blocks, control,
        [&](std::size_t begin, std::size_t end) {
            LineSmoothing work(axis.length, weights);
            for (std::size_t g = begin; g != end; ++g) {
                control.throwIfStopped();
                const std::size_t line = g % groups * LineSmoothing::kLanes;
                work.smooth(values.data() + g / groups * axis.block + line * axis.apart,
                            std::min(LineSmoothing::kLanes, axis.lines - line), axis);
            }
        },
        4);
}

void smoothAll(std::span<double> values, const Image& image, double sigma, const JobControl& control) {
    const Extent& extent = image.extent();
    const VoxelSides& sides = image.sides();
    const std::size_t width = extent.width;
    smoothAxis(values, {extent.slices, extent.slicePixels(), width, 1, extent.height, width}, sigma / sides.z, control);
    smoothAxis(values, {extent.height, width, width, 1, extent.slices, extent.slicePixels()}, sigma / sides.y, control);
    smoothAxis(values, {width, 1, static_cast<std::size_t>(extent.rows()), width}, sigma / sides.x, control);
}

/// Counts of the levels in a moving structuring element, and their median.
template <class T> class MovingMedian {
public:
    MovingMedian() : counts_(std::size_t{1} << (8 * sizeof(T))), coarse_(counts_.size() / kFine) {}

    void add(T level) noexcept { change(level, 1); }
    void remove(T level) noexcept { change(level, -1U); }
    [[nodiscard]] bool empty() const noexcept { return total_ == 0; }

    /// The lower one of the levels in the middle; needs a level.
    [[nodiscard]] T median() noexcept {
        const std::uint32_t rank = (total_ - 1) / 2;
        while (below_ > rank) {
            if (level_ % kFine == 0 && below_ - coarse_[level_ / kFine - 1] > rank) {
                level_ -= kFine;
                below_ -= coarse_[level_ / kFine];
            } else {
                below_ -= counts_[--level_];
            }
        }
        while (below_ + counts_[level_] <= rank) {
            if (level_ % kFine == 0 && below_ + coarse_[level_ / kFine] <= rank) {
                below_ += coarse_[level_ / kFine];
                level_ += kFine;
            } else {
                below_ += counts_[level_++];
            }
        }
        return static_cast<T>(level_);
    }

private:
    static constexpr std::size_t kFine = 256;

    void change(T level, std::uint32_t by) noexcept {
        counts_[level] += by;
        coarse_[level / kFine] += by;
        total_ += by;
        below_ += level < level_ ? by : 0;
    }

    std::vector<std::uint32_t> counts_; ///< of each level
    std::vector<std::uint32_t> coarse_; ///< of kFine levels each
    std::uint32_t total_ = 0;
    std::size_t level_ = 0;
    std::uint32_t below_ = 0; ///< number of levels below level_
};

/// Medians of rows of an image.
template <class T> class MedianRows {
public:
    MedianRows(const Image& image, const std::vector<Chord>& chords, const Mask* inside)
        : extent_(image.extent()), pixels_(image.pixels<T>().data()), inside_(inside) {
        std::int64_t widest = 0;
        for (const Chord& chord : chords) {
            widest = std::max<std::int64_t>(widest, chord.half);
            rows_.push_back({chord, nullptr, 0});
        }
        widest_ = widest;
        for (std::int64_t x = -widest; x <= extent_.width + widest; ++x) {
            columns_.push_back(static_cast<std::uint32_t>(mirrored(x, extent_.width)));
        }
    }

    void fill(std::size_t row, T* out) {
        const auto z = static_cast<std::int64_t>(row / extent_.height);
        const auto y = static_cast<std::int64_t>(row % extent_.height);
        for (Row& each : rows_) {
            const std::size_t at = mirrored(z + each.chord.z, extent_.slices) * extent_.height +
                                   mirrored(y + each.chord.y, extent_.height);
            each.pixels = pixels_ + at * extent_.width;
            each.row = static_cast<std::uint32_t>(at);
            for (std::int64_t x = -each.chord.half; x <= each.chord.half; ++x) {
                change<true>(each, x);
            }
        }
        const std::int64_t end = extent_.width;
        for (std::int64_t x = 0; x != end; ++x) {
            if (!histogram_.empty()) {
                out[x] = histogram_.median();
            }
            for (const Row& each : rows_) {
                change<false>(each, x - each.chord.half);
                change<true>(each, x + each.chord.half + 1);
            }
        }
        for (const Row& each : rows_) { // the structuring element around the pixel after the last one
            for (std::int64_t x = end - each.chord.half; x <= end + each.chord.half; ++x) {
                change<false>(each, x);
            }
        }
    }

private:
    struct Row {
        Chord chord;
        const T* pixels;
        std::uint32_t row;
    };

    template <bool kAdds> void change(const Row& row, std::int64_t x) {
        const std::uint32_t column = columns_[static_cast<std::size_t>(x + widest_)];
        if (inside_ != nullptr && !inside_->test(column, row.row)) {
            return;
        }
        kAdds ? histogram_.add(row.pixels[column]) : histogram_.remove(row.pixels[column]);
    }

    Extent extent_;
    const T* pixels_;
    const Mask* inside_;
    std::vector<Row> rows_;
    std::vector<std::uint32_t> columns_; ///< of the mirrored row, from -widest_ on
    std::int64_t widest_ = 0;
    MovingMedian<T> histogram_;
};

[[noreturn]] void refuseSmoothing(const Image& image) {
    throw Error(ErrorCode::outOfMemory, "operator: not enough memory for " + text(image.extent()));
}

} // namespace

Image gaussianOf(const Image& image, double sigma, const Mask* inside, const JobControl& control) {
    try {
        const std::size_t width = image.width();
        const bool isMasked = inside != nullptr;
        Buffer<double> sums(image.pixelCount());
        Buffer<double> weights(isMasked ? image.pixelCount() : 0);
        Image result(image.type(), image.extent());
        result.setSides(image.sides());
        dispatch(image.type(), [&]<class T>(T) {
            const std::span<const T> levels = image.pixels<T>();
            forEachIndex(levels.size(), control, [&](std::size_t i) {
                const bool counts = !isMasked || inside->test(static_cast<std::uint32_t>(i % width),
                                                              static_cast<std::uint32_t>(i / width));
                sums[i] = counts ? levels[i] : 0;
                if (isMasked) {
                    weights[i] = counts ? 1 : 0;
                }
            });
            if (sigma > 0) {
                smoothAll(sums.span(), image, sigma, control);
                if (isMasked) {
                    smoothAll(weights.span(), image, sigma, control);
                }
            }
            const std::span<T> out = result.pixels<T>();
            const double most = maxLevelOf(image.type());
            forEachIndex(out.size(), control, [&](std::size_t i) {
                const double value = !isMasked ? sums[i] : weights[i] > 0 ? sums[i] / weights[i] : 0;
                out[i] = static_cast<T>(std::clamp(std::floor(value + .5), 0., most));
            });
        });
        if (isMasked) {
            restoreOutside(image, *inside, Output::filtered, result, control);
        }
        return result;
    } catch (const std::bad_alloc&) {
        refuseSmoothing(image);
    }
}

Image medianOf(const Image& image, const StructuringElement& element, const Mask* inside, const JobControl& control) {
    try {
        const std::vector<Chord> chords =
            chordsOf(element.shape, element.radius, image.sides(), image.extent().isVolume());
        Image result(image.type(), image.extent());
        result.setSides(image.sides());
        dispatch(image.type(), [&]<class T>(T) {
            forEachRange(
                image.extent().rows(), control,
                [&](std::size_t begin, std::size_t end) {
                    MedianRows<T> rows(image, chords, inside);
                    for (std::size_t row = begin; row != end; ++row) {
                        control.throwIfStopped();
                        rows.fill(row, result.pixels<T>().data() + row * image.width());
                    }
                },
                16);
        });
        if (inside != nullptr) {
            restoreOutside(image, *inside, Output::filtered, result, control);
        }
        return result;
    } catch (const std::bad_alloc&) {
        refuseSmoothing(image);
    }
}

} // namespace pollard
