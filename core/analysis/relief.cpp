#include "analysis/relief.hpp"

#include "analysis/padded_grid.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "image/distance_transform.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace pollard {
namespace {

constexpr std::size_t kRowsAtOnce = 64;

/// Levels with a border; @p outside at the places that do not count.
template <class Level> Buffer<Level> paddedLevels(const PaddedGrid& grid, std::span<const Level> pixels,
                                                  const Mask* inside, Level outside, const JobControl& control) {
    Buffer<Level> levels(grid.size());
    std::fill(levels.begin(), levels.end(), outside);
    const std::uint32_t width = grid.extent().width;
    forEachIndex(
        grid.extent().rows(), control,
        [&](std::size_t y) {
            const std::span<const Level> row = pixels.subspan(y * width, width);
            for (std::uint32_t x = 0; x != width; ++x) {
                levels[grid.row(y) + x] =
                    inside == nullptr || inside->test(x, static_cast<std::uint32_t>(y)) ? row[x] : outside;
            }
        },
        kRowsAtOnce);
    return levels;
}

} // namespace

std::string_view nameOf(Relief relief) noexcept {
    return relief == Relief::levels ? "levels" : relief == Relief::gradient ? "gradient" : "distance";
}

std::optional<Relief> reliefOf(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(kAllReliefs, name, [](Relief each) { return nameOf(each); });
    return found == kAllReliefs.end() ? std::nullopt : std::optional(*found);
}

std::optional<Image> madeRelief(const Image& image, const Mask* inside, Relief relief, Connectivity connectivity,
                                const JobControl& control) {
    if (relief == Relief::levels) {
        return std::nullopt;
    }
    if (relief == Relief::gradient) {
        return gradientOf(image, inside, connectivity, control);
    }
    if (inside == nullptr) {
        throw Error(ErrorCode::invalidArgument, "watershed: distances need a mask, the objects of a threshold");
    }
    return distanceLevels(*inside, image.extent(), image.sides(), control);
}

Image gradientOf(const Image& image, const Mask* inside, Connectivity connectivity, const JobControl& control) {
    requireInGrid("gradient", image, inside);
    try {
        Image result(image.type(), image.extent());
        result.setSides(image.sides());
        dispatch(image.type(), [&]<class Level>(Level) {
            const PaddedGrid grid(image.extent());
            const std::span<const Level> pixels = image.pixels<Level>();
            const Buffer<Level> low =
                paddedLevels(grid, pixels, inside, static_cast<Level>(maxLevelOf(image.type())), control);
            const Buffer<Level> high = paddedLevels(grid, pixels, inside, Level{0}, control);
            withNeighbours(connectivityIn(image.extent(), connectivity), [&]<int Neighbours>() {
                const std::array<std::ptrdiff_t, Neighbours> steps = grid.steps<Neighbours>();
                const std::size_t width = image.width();
                forEachIndex(
                    image.extent().rows(), control,
                    [&](std::size_t y) {
                        const std::span<Level> row = result.pixels<Level>().subspan(y * width, width);
                        for (std::size_t x = 0; x != width; ++x) {
                            const std::size_t place = grid.row(y) + x;
                            Level least = low[place];
                            Level most = high[place];
                            const bool isInside = least <= most;
                            for (const std::ptrdiff_t step : steps) {
                                least = std::min(least, low[place + static_cast<std::size_t>(step)]);
                                most = std::max(most, high[place + static_cast<std::size_t>(step)]);
                            }
                            row[x] = static_cast<Level>(isInside ? most - least : 0);
                        }
                    },
                    kRowsAtOnce);
            });
        });
        return result;
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "gradient: not enough memory for " + text(image.extent()));
    }
}

} // namespace pollard
