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
#include <type_traits>
#include <utility>

namespace pollard {
namespace {

constexpr std::uint32_t kUnseen = 0xffff'ffff;

/// Levels of the sets of a MaximaSweep, at their roots.
template <class Level> struct SetLevels {
    explicit SetLevels(std::size_t places) : own(places), lowest(places) {}

    Buffer<Level> own;    ///< of the maximum
    Buffer<Level> lowest; ///< at which the set got its last place
};

/// The highest maximum survives, of equal ones the one whose first place comes first.
template <class Level> struct HighestFirst {
    using Value = std::uint16_t; ///< level at which a maximum meets another one
    static constexpr bool kIsLastPlace = false;

    HighestFirst(const SetLevels<Level>& sets, std::size_t) : levels(sets) {}

    void begin(std::uint32_t) const noexcept {}
    void enter(std::uint32_t, Level) const noexcept {}
    [[nodiscard]] bool survives(std::uint32_t root, std::uint32_t other) const {
        return levels.own[root] > levels.own[other] || (levels.own[root] == levels.own[other] && root < other);
    }
    void join(std::uint32_t, std::uint32_t) const noexcept {}
    [[nodiscard]] Value valueOf(std::uint32_t, Level level) const noexcept { return level; }

    const SetLevels<Level>& levels;
};

/// The maximum of the component with the largest measure survives, of equal ones the one whose last place comes first.
template <class Level, Extinction kBy> struct LargestMeasure {
    using Value = std::uint64_t;
    static constexpr bool kIsLastPlace = true;

    LargestMeasure(const SetLevels<Level>& sets, std::size_t places)
        : levels(sets), areas(kBy == Extinction::dynamics ? 0 : places), sums(kBy == Extinction::volume ? places : 0),
          before(kBy == Extinction::dynamics ? 0 : places) {}

    void begin(std::uint32_t place) {
        if constexpr (kBy != Extinction::dynamics) {
            areas[place] = 1;
            before[place] = 0;
        }
        if constexpr (kBy == Extinction::volume) {
            sums[place] = levels.own[place];
        }
    }
    /// A set gets to a lower level. Its measure above the level is what counts where it meets others there.
    void enter(std::uint32_t root, Level level) {
        if constexpr (kBy != Extinction::dynamics) {
            before[root] = static_cast<Measure>(measureOf(root, level));
        }
    }
    [[nodiscard]] bool survives(std::uint32_t root, std::uint32_t other) const {
        // A set whose maximum is at the level of the sweep has no component above it; two such sets are one maximum.
        const Level level = levels.lowest[root];
        const bool isRising = levels.own[root] > level;
        const bool isOtherRising = levels.own[other] > level;
        if (!isRising || !isOtherRising) {
            return isRising || (!isOtherRising && root > other);
        }
        if constexpr (kBy == Extinction::dynamics) {
            return levels.own[root] > levels.own[other] || (levels.own[root] == levels.own[other] && root < other);
        } else {
            return before[root] > before[other] || (before[root] == before[other] && root < other);
        }
    }
    void join(std::uint32_t root, std::uint32_t other) {
        if constexpr (kBy != Extinction::dynamics) {
            areas[root] += areas[other];
        }
        if constexpr (kBy == Extinction::volume) {
            sums[root] += sums[other];
        }
    }
    /// Of a set that does not survive, at the level of the sweep.
    [[nodiscard]] Value valueOf(std::uint32_t root, Level level) const {
        if constexpr (kBy == Extinction::dynamics) {
            return measureOf(root, level);
        } else {
            return before[root];
        }
    }
    [[nodiscard]] Value measureOf(std::uint32_t root, Level level) const {
        if constexpr (kBy == Extinction::dynamics) {
            return std::uint64_t{levels.own[root]} - level;
        } else if constexpr (kBy == Extinction::area) {
            return areas[root];
        } else {
            return sums[root] - std::uint64_t{areas[root]} * level;
        }
    }

    using Measure = std::conditional_t<kBy == Extinction::volume, std::uint64_t, std::uint32_t>;
    const SetLevels<Level>& levels;
    Buffer<std::uint32_t> areas;
    Buffer<std::uint64_t> sums; ///< of levels
    Buffer<Measure> before;     ///< the measure above the level of the sweep
};

/// Union-find over the pixels in descending order. The root of a set is a place of its surviving maximum.
template <class Level, int Neighbours, class Rule> class MaximaSweep {
public:
    MaximaSweep(const Image& image, const Mask* inside, bool descending, const JobControl& control)
        : image_(image), inside_(inside), flip_(descending ? 0 : maxLevelOf(image.type())), control_(control),
          grid_(image.extent()), steps_(grid_.steps<Neighbours>()), parents_(grid_.size()), levels_(grid_.size()),
          rule_(levels_, grid_.size()) {
        std::fill(parents_.begin(), parents_.end(), kUnseen);
        sort();
    }

    /// Calls @p visit(pixel, level, value, lowest, isLast) for each maximum, in raster order: the value of the rule
    /// where it meets another one; of the last maximum of an object, at the lowest level of the object.
    template <class Visit> void run(const Visit& visit) {
        for (std::size_t i = 0; i != order_.size(); ++i) {
            if (i % kPlaces == 0) {
                control_.throwIfStopped();
            }
            add(order_[i]);
        }
        // Sorted by places, so that a walk over the pixels finds their indices.
        std::ranges::sort(met_);
        auto next = met_.begin();
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            const std::uint32_t root = find(place);
            const Level lowest = levels_.lowest[root];
            if (next != met_.end() && next->first == place) {
                visit(pixel, levels_.own[place], next->second, lowest, false);
                ++next;
            } else if (root == place) {
                rule_.enter(root, lowest);
                visit(pixel, levels_.own[place], rule_.valueOf(root, lowest), lowest, true);
            }
        });
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

    /// Counting sort of the places: levels descending, places ascending, or descending if roots are last places.
    void sort() {
        const std::span<const Level> pixels = image_.pixels<Level>();
        std::vector<std::uint32_t> starts(kLevels);
        const auto rankOf = [](Level level) { return Rule::kIsLastPlace ? level : kLevels - 1 - level; };
        forPixels([&](std::uint32_t place, std::uint32_t pixel) {
            levels_.own[place] = static_cast<Level>(pixels[pixel] ^ flip_);
            ++starts[rankOf(levels_.own[place])];
        });
        order_ = Buffer<std::uint32_t>(toOffsets(starts));
        forPixels([&](std::uint32_t place, std::uint32_t) { order_[starts[rankOf(levels_.own[place])]++] = place; });
        if constexpr (Rule::kIsLastPlace) {
            std::ranges::reverse(order_.span());
        }
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t place) {
        while (parents_[place] != place) {
            parents_[place] = parents_[parents_[place]];
            place = parents_[place];
        }
        return place;
    }

    void add(std::uint32_t place) {
        const Level level = levels_.own[place];
        parents_[place] = place;
        levels_.lowest[place] = level;
        rule_.begin(place);
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
            if (levels_.lowest[other] != level) {
                rule_.enter(other, level);
                levels_.lowest[other] = level;
            }
            if (rule_.survives(other, root)) {
                std::swap(other, root);
            }
            if (levels_.own[other] != level) {
                met_.emplace_back(other, rule_.valueOf(other, level));
            }
            rule_.join(root, other);
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
    SetLevels<Level> levels_;
    Rule rule_;
    Buffer<std::uint32_t> order_;
    std::vector<std::pair<std::uint32_t, typename Rule::Value>> met_; ///< maxima that do not survive, with their values
};

/// Calls @p run with the types of the levels and the number of neighbours: `run.template operator()<Level, 4>()`.
template <class Run> auto inGrid(const Image& image, const Mask* inside, Connectivity connectivity, const Run& run) {
    requireInGrid("maxima", image, inside);
    try {
        return dispatch(image.type(), [&]<class Level>(Level) {
            return withNeighbours(connectivityIn(image.extent(), connectivity),
                                  [&]<int Neighbours>() { return run.template operator()<Level, Neighbours>(); });
        });
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "maxima: not enough memory for " + text(image.extent()));
    }
}

} // namespace

std::vector<RegionalMaximum> regionalMaxima(const Image& image, const Mask* inside, Connectivity connectivity,
                                            bool descending, const JobControl& control) {
    std::vector<RegionalMaximum> maxima;
    inGrid(image, inside, connectivity, [&]<class Level, int Neighbours>() {
        MaximaSweep<Level, Neighbours, HighestFirst<Level>>(image, inside, descending, control)
            .run([&](std::uint32_t pixel, Level level, std::uint16_t saddle, Level lowest, bool isHighest) {
                maxima.push_back({pixel, level, saddle, lowest, isHighest});
            });
    });
    return maxima;
}

std::vector<ExtinctMaximum> extinctMaxima(const Image& image, const Mask* inside, Connectivity connectivity,
                                          Extinction by, bool descending, const JobControl& control) {
    std::vector<ExtinctMaximum> maxima;
    inGrid(image, inside, connectivity, [&]<class Level, int Neighbours>() {
        const auto run = [&]<Extinction kBy>() {
            MaximaSweep<Level, Neighbours, LargestMeasure<Level, kBy>>(image, inside, descending, control)
                .run([&](std::uint32_t pixel, Level level, std::uint64_t value, Level, bool isLast) {
                    maxima.push_back({pixel, level, value, isLast});
                });
        };
        switch (by) {
        case Extinction::dynamics:
            return run.template operator()<Extinction::dynamics>();
        case Extinction::area:
            return run.template operator()<Extinction::area>();
        case Extinction::volume:
            return run.template operator()<Extinction::volume>();
        }
    });
    return maxima;
}

} // namespace pollard
