#include "analysis/maxima.hpp"

#include "analysis/padded_grid.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace pollard {
namespace {

constexpr std::uint32_t kUnseen = 0xffff'ffff;

/// The root of a set is the place of its highest maximum.
template <class Level, int Neighbours> class MaximaSweep {
public:
    MaximaSweep(const Image& image, const Mask* inside, bool descending, const JobControl& control)
        : image_(image), inside_(inside), flip_(descending ? 0 : maxLevelOf(image.type())), control_(control),
          grid_(image.extent()), steps_(grid_.steps<Neighbours>()), parents_(grid_.size()), levels_(grid_.size()),
          lowest_(grid_.size()) {
        std::fill(parents_.begin(), parents_.end(), kUnseen);
        sort();
    }

    std::vector<RegionalMaximum> run() {
        std::vector<std::pair<std::uint32_t, Level>> met;
        for (std::size_t i = 0; i != order_.size(); ++i) {
            if (i % kPlaces == 0) {
                control_.throwIfStopped();
            }
            add(order_[i], met);
        }
        return maximaOf(met);
    }

private:
    static constexpr std::size_t kLevels = std::size_t{1} << (8 * sizeof(Level));
    static constexpr std::size_t kPlaces = 1U << 16;

    /// Calls @p visit(place, pixel) for the pixels of the mask, in raster order.
    template <class Visit> void forPixels(const Visit& visit) const {
        const std::size_t width = grid_.extent().width;
        for (std::size_t y = 0; y != grid_.extent().rows(); ++y) {
            control_.throwIfStopped();
            const std::size_t place = grid_.row(y);
            for (std::size_t x = 0; x != width; ++x) {
                if (inside_ == nullptr || inside_->test(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))) {
                    visit(static_cast<std::uint32_t>(place + x), static_cast<std::uint32_t>(y * width + x));
                }
            }
        }
    }

    /// Counting sort of the places: levels descending, places ascending.
    void sort() {
        const std::span<const Level> pixels = image_.pixels<Level>();
        std::vector<std::uint32_t> starts(kLevels);
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            levels_[place] = static_cast<Level>(pixels[pixel] ^ flip_);
            ++starts[kLevels - 1 - levels_[place]];
        });
        order_ = Buffer<std::uint32_t>(toOffsets(starts));
        forPixels([&](std::uint32_t place, std::uint32_t) { order_[starts[kLevels - 1 - levels_[place]]++] = place; });
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t place) {
        while (parents_[place] != place) {
            parents_[place] = parents_[parents_[place]];
            place = parents_[place];
        }
        return place;
    }

    /// @param met gets the maxima that are lower than the maximum that they meet at this place, with its level
    void add(std::uint32_t place, std::vector<std::pair<std::uint32_t, Level>>& met) {
        parents_[place] = place;
        std::uint32_t root = place;
        for (const std::ptrdiff_t step : steps_) {
            const auto neighbour = static_cast<std::uint32_t>(place + static_cast<std::size_t>(step));
            if (parents_[neighbour] == kUnseen) {
                continue;
            }
            std::uint32_t other = find(neighbour);
            if (other == root) {
                continue;
            }
            if (levels_[other] > levels_[root] || (levels_[other] == levels_[root] && other < root)) {
                std::swap(other, root);
            }
            if (levels_[other] != levels_[place]) {
                met.emplace_back(other, levels_[place]);
            }
            parents_[other] = root;
        }
        lowest_[root] = levels_[place];
    }

    std::vector<RegionalMaximum> maximaOf(const std::vector<std::pair<std::uint32_t, Level>>& met) {
        // The lists are sorted by places, so that a walk over the pixels finds their indices.
        std::vector<std::pair<std::uint32_t, Level>> sorted = met;
        std::ranges::sort(sorted);
        std::vector<RegionalMaximum> maxima;
        auto next = sorted.begin();
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            const std::uint32_t root = find(place);
            if (next != sorted.end() && next->first == place) {
                maxima.push_back({pixel, levels_[place], next->second, lowest_[root], false});
                ++next;
            } else if (root == place) {
                maxima.push_back({pixel, levels_[place], lowest_[root], lowest_[root], true});
            }
        });
        return maxima;
    }

    const Image& image_;
    const Mask* inside_;
    std::uint32_t flip_;
    const JobControl& control_;
    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    Buffer<std::uint32_t> parents_;
    Buffer<Level> levels_;
    Buffer<Level> lowest_; ///< of sets, at their roots
    Buffer<std::uint32_t> order_;
};

} // namespace

std::vector<RegionalMaximum> regionalMaxima(const Image& image, const Mask* inside, Connectivity connectivity,
                                            bool descending, const JobControl& control) {
    requireInGrid("maxima", image, inside);
    try {
        return dispatch(image.type(), [&]<class Level>(Level) {
            return withNeighbours(connectivityIn(image.extent(), connectivity), [&]<int Neighbours>() {
                return MaximaSweep<Level, Neighbours>(image, inside, descending, control).run();
            });
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "maxima: not enough memory for " + text(image.extent()));
    }
}

} // namespace pollard
