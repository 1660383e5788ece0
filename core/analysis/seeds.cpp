#include "analysis/seeds.hpp"

#include "analysis/padded_grid.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace pollard {
namespace {

constexpr std::uint32_t kOutside = 0xffff'ffff;

/// Labels connected pixels around maxima.
template <class Level, int Neighbours> class SeedPixels {
public:
    SeedPixels(const Image& image, const Mask* inside, bool descending)
        : image_(image), grid_(image.extent()), steps_(grid_.steps<Neighbours>()), labels_(grid_.size()),
          levels_(grid_.size()) {
        std::fill(labels_.begin(), labels_.end(), kOutside);
        const std::span<const Level> pixels = image.pixels<Level>();
        const std::uint32_t flip = descending ? 0 : maxLevelOf(image.type());
        forPixels([&](std::size_t place, std::size_t pixel, std::uint32_t x, std::uint32_t y) {
            levels_[place] = static_cast<Level>(pixels[pixel] ^ flip);
            labels_[place] = inside == nullptr || inside->test(x, y) ? 0 : kOutside;
        });
    }

    /// Labels the pixels that are connected with @p pixel at @p least or above.
    void add(std::uint32_t pixel, std::uint32_t label, std::uint32_t least) {
        const std::uint32_t width = image_.width();
        places_.assign(1, grid_.row(pixel / width) + pixel % width);
        labels_[places_.back()] = label;
        while (!places_.empty()) {
            const std::size_t place = places_.back();
            places_.pop_back();
            for (const std::ptrdiff_t step : steps_) {
                const std::size_t other = place + static_cast<std::size_t>(step);
                if (labels_[other] == 0 && levels_[other] >= least) {
                    labels_[other] = label;
                    places_.push_back(other);
                }
            }
        }
    }

    /// The labels, numbered anew in the order of their first pixels.
    LabelImage take(std::size_t count) {
        const Extent& extent = image_.extent();
        LabelImage result{Buffer<std::uint32_t>(extent.pixelCount()), extent.width, extent.height, 0, extent.slices};
        std::vector<std::uint32_t> numbers(count + 1);
        forPixels([&](std::size_t place, std::size_t pixel, std::uint32_t, std::uint32_t) {
            const std::uint32_t label = labels_[place] == kOutside ? 0 : labels_[place];
            if (label != 0 && numbers[label] == 0) {
                numbers[label] = ++result.count;
            }
            result.labels[pixel] = numbers[label];
        });
        return result;
    }

private:
    template <class Visit> void forPixels(const Visit& visit) const {
        const Extent& extent = grid_.extent();
        for (std::uint32_t y = 0; y != extent.rows(); ++y) {
            const std::size_t place = grid_.row(y);
            for (std::uint32_t x = 0; x != extent.width; ++x) {
                visit(place + x, std::size_t{y} * extent.width + x, x, y);
            }
        }
    }

    const Image& image_;
    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    Buffer<std::uint32_t> labels_;
    Buffer<Level> levels_;
    std::vector<std::size_t> places_;
};

Extinction extinctionOf(SeedMeasure by) {
    return by == SeedMeasure::area     ? Extinction::area
           : by == SeedMeasure::volume ? Extinction::volume
                                       : Extinction::dynamics;
}

} // namespace

std::string_view nameOf(SeedMeasure by) noexcept {
    switch (by) {
    case SeedMeasure::dynamics:
        return "dynamics";
    case SeedMeasure::area:
        return "area";
    case SeedMeasure::volume:
        return "volume";
    case SeedMeasure::height:
        break;
    }
    return "h";
}

std::optional<SeedMeasure> seedMeasureOf(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kAllSeedMeasures, name, [](SeedMeasure each) { return nameOf(each); });
    return found == kAllSeedMeasures.end() ? std::nullopt : std::optional(*found);
}

LabelImage seedsOf(const Image& image, const Mask* inside, Connectivity connectivity, bool descending,
                   const SeedRule& rule, const JobControl& control) {
    const bool isHeight = rule.by == SeedMeasure::height;
    std::vector<ExtinctMaximum> maxima =
        extinctMaxima(image, inside, connectivity, extinctionOf(rule.by), descending, control);
    std::erase_if(maxima, [&](const ExtinctMaximum& each) {
        return isHeight ? !each.isLast && each.extinction <= rule.least : each.extinction < rule.least;
    });
    try {
        return dispatch(image.type(), [&]<class Level>(Level) {
            return withNeighbours(connectivityIn(image.extent(), connectivity), [&]<int Neighbours>() {
                SeedPixels<Level, Neighbours> pixels(image, inside, descending);
                std::uint32_t label = 0;
                for (const ExtinctMaximum& each : maxima) {
                    control.throwIfStopped();
                    const std::uint64_t depth = isHeight ? std::min<std::uint64_t>(rule.least, each.level) : 0;
                    pixels.add(each.pixel, ++label, each.level - static_cast<std::uint32_t>(depth));
                }
                return pixels.take(maxima.size());
            });
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "seeds: not enough memory for " + text(image.extent()));
    }
}

LabelImage seedsAt(const Extent& extent, std::span<const Voxel> points) {
    LabelImage result{Buffer<std::uint32_t>(extent.pixelCount()), extent.width, extent.height, 0, extent.slices};
    std::fill(result.labels.begin(), result.labels.end(), 0);
    for (const Voxel& point : points) {
        ++result.count;
        if (point.x >= extent.width || point.y >= extent.height || point.z >= extent.slices) {
            throw Error(ErrorCode::invalidArgument,
                        "seeds: point " + std::to_string(result.count) + " is outside the image of " + text(extent));
        }
        std::uint32_t& label = result.labels[(std::size_t{point.z} * extent.height + point.y) * extent.width + point.x];
        label = label == 0 ? result.count : label;
    }
    return result;
}

} // namespace pollard
