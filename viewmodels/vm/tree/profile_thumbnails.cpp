#include "vm/tree/profile_thumbnails.hpp"

#include "filter/filter_columns.hpp"
#include "filter/node_decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pollard::vm {

namespace {

constexpr std::uint32_t kSamplesPerSide = 4; ///< most samples per side of a thumbnail's pixel

/// The pixels of an image that are averaged for the pixels of its thumbnail.
class SampleGrid {
public:
    SampleGrid(std::uint32_t sourceWidth, std::uint32_t sourceHeight, std::uint32_t longestSide)
        : sourceWidth_(sourceWidth), sourceHeight_(sourceHeight) {
        const double scale = std::min(1.0, static_cast<double>(longestSide) / std::max(sourceWidth, sourceHeight));
        width = std::max(1U, static_cast<std::uint32_t>(std::lround(sourceWidth * scale)));
        height = std::max(1U, static_cast<std::uint32_t>(std::lround(sourceHeight * scale)));
    }

    /// Writes the means of level(pixel) over the samples, rounded.
    template <class Level> void fill(Image& out, const Level& level) const {
        dispatch(out.type(), [&]<class T>(T) {
            T* pixel = out.pixels<T>().data();
            for (std::uint32_t y = 0; y < height; ++y) {
                for (std::uint32_t x = 0; x < width; ++x) {
                    *pixel++ = static_cast<T>(mean(x, y, level));
                }
            }
        });
    }

    std::uint32_t width = 1;
    std::uint32_t height = 1;

private:
    /// First source pixel of a place in a thumbnail of @p count px.
    static std::uint32_t start(std::uint32_t place, std::uint32_t count, std::uint32_t sourceCount) {
        return static_cast<std::uint32_t>(std::uint64_t{place} * sourceCount / count);
    }

    template <class Level> std::uint32_t mean(std::uint32_t x, std::uint32_t y, const Level& level) const {
        const std::uint32_t left = start(x, width, sourceWidth_);
        const std::uint32_t right = std::max(start(x + 1, width, sourceWidth_), left + 1);
        const std::uint32_t top = start(y, height, sourceHeight_);
        const std::uint32_t bottom = std::max(start(y + 1, height, sourceHeight_), top + 1);
        const std::uint32_t columns = std::min(kSamplesPerSide, right - left);
        const std::uint32_t rows = std::min(kSamplesPerSide, bottom - top);
        std::uint32_t sum = 0;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const std::size_t line = std::size_t{top + row * (bottom - top) / rows} * sourceWidth_;
            for (std::uint32_t column = 0; column < columns; ++column) {
                sum += level(line + left + column * (right - left) / columns);
            }
        }
        const std::uint32_t count = rows * columns;
        return (sum + count / 2) / count;
    }

    std::uint32_t sourceWidth_;
    std::uint32_t sourceHeight_;
};

/// Four digits: readable, and as precise as a bin.
double rounded(double value) {
    if (value == 0) {
        return 0;
    }
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
    return unit > 0 && std::isfinite(unit) ? std::round(value / unit) * unit : value;
}

std::shared_ptr<const Image> difference(const Image& one, const Image& other) {
    auto result = std::make_shared<Image>(one.type(), one.width(), one.height());
    dispatch(one.type(), [&]<class T>(T) {
        std::ranges::transform(one.pixels<T>(), other.pixels<T>(), result->pixels<T>().begin(),
                               [](T a, T b) { return static_cast<T>(a > b ? a - b : b - a); });
    });
    return result;
}

} // namespace

std::vector<double> thresholdsAtShares(const PatternSpectrum& spectrum, std::span<const double> shares) {
    const std::vector<GranulometryPoint> curve = granulometry(spectrum);
    const bool integral = attributeInfo(spectrum.attribute).integral;
    std::vector<double> thresholds;
    for (const double wanted : shares) {
        const auto point = std::ranges::find_if(curve, [wanted](const auto& each) { return each.share >= wanted; });
        if (spectrum.total == 0 || point == curve.end()) {
            break;
        }
        const double threshold = integral ? std::ceil(point->threshold) : rounded(point->threshold);
        if (thresholds.empty() || threshold > thresholds.back()) {
            thresholds.push_back(threshold);
        }
    }
    return thresholds;
}

std::shared_ptr<const Image> makeThumbnail(const Image& image, std::uint32_t longestSide) {
    const SampleGrid grid(image.width(), image.height(), longestSide);
    auto small = std::make_shared<Image>(image.type(), grid.width, grid.height);
    grid.fill(*small, [&image](std::size_t pixel) { return image.level(pixel); });
    return small;
}

std::vector<ProfileThumbnail> makeProfileThumbnails(const ProfileSource& source, std::span<const double> thresholds,
                                                    Rule rule, bool differential, std::uint32_t longestSide,
                                                    const JobControl& control) {
    const ComponentTree& tree = *source.tree;
    const Image& image = *source.image;
    const SampleGrid grid(image.width(), image.height(), longestSide);
    std::vector<ProfileThumbnail> thumbnails;
    std::shared_ptr<const Image> previous = differential ? makeThumbnail(image, longestSide) : nullptr;
    for (const double threshold : thresholds) {
        control.throwIfStopped();
        FilterSpec spec;
        spec.criteria.push_back({source.column->id, threshold, std::numeric_limits<double>::infinity()});
        spec.rule = rule;
        FilterColumns columns;
        columns.criteria.push_back(source.column);
        const NodeDecision decision = decideNodes(tree, spec, columns, control);
        const Buffer<std::uint16_t> levels = filteredLevels(tree, rule, decision.keep);
        auto small = std::make_shared<Image>(image.type(), grid.width, grid.height);
        grid.fill(*small, [&](std::size_t pixel) {
            const bool outside =
                source.inside != nullptr && !source.inside->test(static_cast<std::uint32_t>(pixel % image.width()),
                                                                 static_cast<std::uint32_t>(pixel / image.width()));
            return outside ? image.level(pixel) : levels[tree.pixelNode[source.firstPixel + pixel]];
        });
        ProfileThumbnail thumbnail;
        thumbnail.threshold = threshold;
        thumbnail.keptNodes = std::accumulate(decision.keep.begin(), decision.keep.end(), std::uint64_t{0},
                                              [](std::uint64_t sum, std::uint8_t keep) { return sum + keep; });
        thumbnail.picture = differential ? difference(*previous, *small) : small;
        previous = std::move(small);
        thumbnails.push_back(std::move(thumbnail));
    }
    return thumbnails;
}

} // namespace pollard::vm
