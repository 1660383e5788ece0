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

/// Union-find over the pixels in descending order. The root of a set is the first place of its highest
/// maximum, of equal ones of the one whose first place comes first.
template <class Level, int Neighbours> class MaximaSweep {
public:
    MaximaSweep(const Image& image, const Mask* inside, bool descending, const JobControl& control)
        : image_(image), inside_(inside), flip_(descending ? 0 : maxLevelOf(image.type())), control_(control),
          grid_(image.extent()), steps_(grid_.steps<Neighbours>()), parents_(grid_.size()), own_(grid_.size()),
          lowest_(grid_.size()) {
        std::fill(parents_.begin(), parents_.end(), kUnseen);
        sort();
    }

    /// The maxima in raster order.
    [[nodiscard]] std::vector<RegionalMaximum> run() {
        for (std::size_t i = 0; i != order_.size(); ++i) {
            if (i % kPlaces == 0) {
                control_.throwIfStopped();
            }
            add(order_[i]);
        }
        // Sorted by places, so that a walk over the pixels finds their indices.
        std::ranges::sort(met_);
        auto next = met_.begin();
        std::vector<RegionalMaximum> maxima;
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            const std::uint32_t root = find(place);
            const Level lowest = lowest_[root];
            if (next != met_.end() && next->first == place) {
                maxima.push_back({pixel, own_[place], next->second, lowest, false});
                ++next;
            } else if (root == place) {
                maxima.push_back({pixel, own_[place], lowest, lowest, true});
            }
        });
        return maxima;
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
        const auto rankOf = [](Level level) { return kLevels - 1 - level; };
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            own_[place] = static_cast<Level>(pixels[pixel] ^ flip_);
            ++starts[rankOf(own_[place])];
        });
        order_ = Buffer<std::uint32_t>(toOffsets(starts));
        forPixels([&](std::uint32_t place, std::uint32_t) { order_[starts[rankOf(own_[place])]++] = place; });
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t place) {
        while (parents_[place] != place) {
            parents_[place] = parents_[parents_[place]];
            place = parents_[place];
        }
        return place;
    }

    void add(std::uint32_t place) {
        const Level level = own_[place];
        parents_[place] = place;
        lowest_[place] = level;
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
            lowest_[other] = level;
            if (own_[other] > own_[root] || (own_[other] == own_[root] && other < root)) {
                std::swap(other, root);
            }
            if (own_[other] != level) {
                met_.emplace_back(other, level);
            }
            parents_[other] = root;
        }
    }

    const Image& image_;
    const Mask* inside_;
    std::uint32_t flip_;
    const JobControl& control_;
    PaddedGrid grid_;
    std::array<std::ptrdiff_t, Neighbours> steps_;
    Buffer<std::uint32_t> parents_;
    Buffer<Level> own_;    ///< levels of the places
    Buffer<Level> lowest_; ///< of a root: the level at which its set got its last place
    Buffer<std::uint32_t> order_;
    std::vector<std::pair<std::uint32_t, Level>> met_; ///< lower maxima, with the levels at which they meet higher ones
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
