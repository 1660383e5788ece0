#include "operators/smoothing.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/analysis_image.hpp"
#include "operators/structuring_element.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <utility>
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

/// Medians of rectangles of an image. The pixels of a rectangle and around it get their ranks by level as numbers; a
/// bit per rank says whether the structuring element contains the pixel.
template <class T> class MedianTiles {
public:
    MedianTiles(const Image& image, const std::vector<Chord>& chords, const Mask* inside)
        : extent_(image.extent()), pixels_(image.pixels<T>()), inside_(inside), chords_(chords) {
        for (const Chord& chord : chords) {
            deep_ = std::max<std::int64_t>(deep_, chord.z);
            high_ = std::max<std::int64_t>(high_, chord.y);
            wide_ = std::max<std::int64_t>(wide_, chord.half);
        }
        width_ = std::min<std::int64_t>(std::max(kLeastWidth, 2 * wide_), extent_.width);
        height_ = std::min<std::int64_t>(std::max(kLeastHeight, high_), extent_.height);
        across_ = (extent_.width + width_ - 1) / width_;
        down_ = (extent_.height + height_ - 1) / height_;
        stride_ = width_ + 2 * wide_;
        rows_ = height_ + 2 * high_;
    }

    /// Whether the tables of a rectangle are small.
    [[nodiscard]] bool isPossible() const noexcept {
        constexpr std::int64_t kMost = 1 << 19;
        return stride_ <= kMost && rows_ <= kMost && stride_ * rows_ <= kMost / (2 * deep_ + 1);
    }
    [[nodiscard]] std::size_t count() const noexcept {
        return static_cast<std::size_t>(across_ * down_) * extent_.slices;
    }

    void fill(std::size_t tile, std::span<T> out) {
        const auto number = static_cast<std::int64_t>(tile);
        const std::int64_t left = number % across_ * width_;
        const std::int64_t top = number / across_ % down_ * height_;
        const std::int64_t z = number / across_ / down_;
        rank(left, top, z);
        const std::int64_t width = std::min<std::int64_t>(width_, extent_.width - left);
        for (std::int64_t y = 0; y != std::min<std::int64_t>(height_, extent_.height - top); ++y) {
            T* const line = out.data() + ((z * extent_.height + top + y) * extent_.width + left);
            inside_ == nullptr ? fillLine<false>(y, width, line) : fillLine<true>(y, width, line);
        }
    }

private:
    static constexpr std::int64_t kLeastWidth = 128;
    static constexpr std::int64_t kLeastHeight = 64;
    static constexpr std::uint32_t kWord = 64; ///< bits

    /// Sorts the pixels by their levels: by the low byte, then by the high byte. Pixels outside follow all others.
    void rank(std::int64_t left, std::int64_t top, std::int64_t z) {
        const auto size = static_cast<std::size_t>(stride_ * rows_ * (2 * deep_ + 1));
        ranks_.assign(size, kOutside);
        levels_.resize(size);
        std::array<std::array<std::uint32_t, 257>, sizeof(T)> first{};
        const auto digit = [](T level, std::size_t which) { return level >> (8 * which) & 0xffU; };
        std::size_t next = 0;
        for (std::int64_t dz = -deep_; dz <= deep_; ++dz) {
            for (std::int64_t dy = -high_; dy != rows_ - high_; ++dy) {
                const std::size_t row =
                    mirrored(z + dz, extent_.slices) * extent_.height + mirrored(top + dy, extent_.height);
                for (std::int64_t dx = -wide_; dx != stride_ - wide_; ++dx, ++next) {
                    const std::size_t x = mirrored(left + dx, extent_.width);
                    if (inside_ != nullptr &&
                        !inside_->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(row))) {
                        continue;
                    }
                    const T level = pixels_[row * extent_.width + x];
                    levels_[next] = level;
                    ranks_[next] = 0;
                    for (std::size_t which = 0; which != sizeof(T); ++which) {
                        ++first[which][digit(level, which) + 1];
                    }
                }
            }
        }
        for (auto& counts : first) {
            std::partial_sum(counts.begin(), counts.end(), counts.begin());
        }
        inRank_ = first[0].back();
        order_.resize(inRank_);
        sorted_.resize(inRank_);
        for (std::uint32_t i = 0; i != size; ++i) {
            if (ranks_[i] != kOutside) {
                order_[first[0][digit(levels_[i], 0)]++] = i;
            }
        }
        for (std::uint32_t at = 0; at != inRank_; ++at) {
            const std::uint32_t pixel = order_[at];
            std::uint32_t place = at;
            if constexpr (sizeof(T) == 2) {
                place = first[1][digit(levels_[pixel], 1)]++;
            }
            ranks_[pixel] = place;
            sorted_[place] = levels_[pixel];
        }
        const std::uint32_t outside = (inRank_ / kWord + 1) * kWord; // in the last word, which is not counted
        std::ranges::replace(ranks_, kOutside, outside);
        words_.resize(outside / kWord + 1);
    }

    template <bool kMasked> void fillLine(std::int64_t y, std::int64_t width, T* out) {
        std::ranges::fill(words_, 0);
        total_ = below_ = word_ = 0;
        lines_.clear();
        for (const Chord& chord : chords_) {
            const std::int64_t row = (chord.z + deep_) * rows_ + y + chord.y + high_;
            const std::uint32_t* const centre = ranks_.data() + row * stride_ + wide_;
            lines_.push_back({centre - chord.half - 1, centre + chord.half});
            for (std::int64_t x = -chord.half; x <= chord.half; ++x) {
                flip(words_.data(), centre[x]);
                total_ += centre[x] < inRank_ ? 1 : 0;
            }
        }
        for (std::int64_t x = 0; x != width; ++x) {
            if (x != 0) {
                move<kMasked>(x);
            }
            if (total_ != 0) {
                out[x] = sorted_[median()];
            }
        }
    }

    static void flip(std::uint64_t* words, std::uint32_t rank) noexcept {
        words[rank / kWord] ^= std::uint64_t{1} << (rank % kWord);
    }

    /// Moves the structuring element to the pixel x of the line, from the one before it.
    template <bool kMasked> void move(std::int64_t x) noexcept {
        std::uint64_t* const words = words_.data(); // nothing below is in memory that the loop may change
        const std::uint32_t first = word_ * kWord;
        const std::uint32_t inside = inRank_;
        std::uint32_t below = below_;
        std::uint32_t total = total_;
        for (const auto& [leaves, enters] : lines_) {
            const std::uint32_t out = leaves[x];
            const std::uint32_t in = enters[x];
            flip(words, out);
            flip(words, in);
            below += static_cast<std::uint32_t>(in < first) - static_cast<std::uint32_t>(out < first);
            if constexpr (kMasked) {
                total += static_cast<std::uint32_t>(in < inside) - static_cast<std::uint32_t>(out < inside);
            }
        }
        below_ = below;
        total_ = total;
    }

    /// The rank of the lower one of the pixels in the middle.
    [[nodiscard]] std::uint32_t median() noexcept {
        const std::uint32_t wanted = (total_ - 1) / 2;
        const auto bits = [this](std::uint32_t word) {
            return static_cast<std::uint32_t>(std::popcount(words_[word]));
        };
        while (below_ > wanted) {
            below_ -= bits(--word_);
        }
        for (std::uint32_t here = bits(word_); below_ + here <= wanted; here = bits(++word_)) {
            below_ += here;
        }
        std::uint64_t rest = words_[word_];
        for (std::uint32_t before = below_; before != wanted; ++before) {
            rest &= rest - 1;
        }
        return word_ * kWord + static_cast<std::uint32_t>(std::countr_zero(rest));
    }

    static constexpr std::uint32_t kOutside = 0xffff'ffff;

    Extent extent_;
    std::span<const T> pixels_;
    const Mask* inside_;
    const std::vector<Chord>& chords_;
    std::int64_t deep_ = 0; ///< largest z of the structuring element; y and x follow
    std::int64_t high_ = 0;
    std::int64_t wide_ = 0;
    std::int64_t width_ = 0; ///< of a rectangle
    std::int64_t height_ = 0;
    std::int64_t across_ = 0; ///< rectangles in a row
    std::int64_t down_ = 0;
    std::int64_t stride_ = 0; ///< of the rectangle and the pixels around it
    std::int64_t rows_ = 0;
    std::vector<T> levels_;            ///< of the pixels around and in the rectangle
    std::vector<std::uint32_t> ranks_; ///< of these
    std::vector<std::uint32_t> order_; ///< of these by the low byte of their levels
    std::vector<T> sorted_;            ///< levels by rank
    std::vector<std::pair<const std::uint32_t*, const std::uint32_t*>> lines_; ///< that leave and enter, by x
    std::vector<std::uint64_t> words_;                                         ///< a bit for each rank
    std::uint32_t inRank_ = 0;                                                 ///< pixels inside
    std::uint32_t total_ = 0;                                                  ///< pixels in the structuring element
    std::uint32_t word_ = 0;                                                   ///< of the median
    std::uint32_t below_ = 0;                                                  ///< pixels in the words below
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
            if (const MedianTiles<T> tiles(image, chords, inside); tiles.isPossible()) {
                forEachRange(
                    tiles.count(), control,
                    [&](std::size_t begin, std::size_t end) {
                        MedianTiles<T> work = tiles;
                        for (std::size_t tile = begin; tile != end; ++tile) {
                            control.throwIfStopped();
                            work.fill(tile, result.pixels<T>());
                        }
                    },
                    1);
                return;
            }
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
