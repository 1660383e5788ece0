#include "analysis/h_maxima.hpp"

#include "base/error.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace pollard {

namespace {

constexpr std::size_t kStopEvery = std::size_t{1} << 16;
constexpr std::size_t kPixelsPerTask = std::size_t{1} << 16;

/// Maps levels so that they rise from the root: the levels of a min-tree are subtracted from the type's largest level.
class RisingLevels {
public:
    explicit RisingLevels(const ComponentTree& tree)
        : flip_(tree.kind == TreeKind::min ? maxLevelOf(tree.pixelType) : std::uint16_t{0}) {}
    [[nodiscard]] std::uint16_t operator()(std::uint16_t level) const noexcept {
        return static_cast<std::uint16_t>(flip_ == 0 ? level : flip_ - level);
    }

private:
    std::uint16_t flip_;
};

struct Change {
    std::uint64_t pixels = 0;
    std::uint64_t mass = 0;
};

template <class Pixel> Change writePixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels, bool residue,
                                          Image& out, const JobControl& control) {
    Pixel* target = out.pixels<Pixel>().data();
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, tree.pixelCount(), kPixelsPerTask), Change{},
        [&](const auto& pixels, Change change) {
            control.throwIfStopped();
            for (std::size_t p = pixels.begin(); p != pixels.end(); ++p) {
                const std::uint32_t node = tree.pixelNode[p];
                const std::uint16_t level = levels[node];
                const int lost = std::abs(int{tree.level[node]} - int{level});
                change.pixels += lost != 0 ? 1 : 0;
                change.mass += static_cast<std::uint64_t>(lost);
                target[p] = static_cast<Pixel>(residue ? lost : int{level});
            }
            return change;
        },
        [](const Change& a, const Change& b) {
            return Change{a.pixels + b.pixels, a.mass + b.mass};
        });
}

} // namespace

Buffer<std::uint16_t> hMaximaLevels(const ComponentTree& tree, std::uint16_t h, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    const RisingLevels ascending(tree);
    // Highest level of every component, children before parents.
    Buffer<std::uint16_t> levels(n);
    for (std::size_t i = 0; i < n; ++i) {
        levels[i] = ascending(tree.level[i]);
    }
    for (std::size_t i = n; i-- > 1;) {
        if (i % kStopEvery == 0) {
            control.throwIfStopped();
        }
        std::uint16_t& up = levels[tree.parent[i]];
        up = std::max(up, levels[i]);
    }
    // Between the level of its parent and its own, a node's component is constant, so the marker f - h floods it up to
    // its highest level minus h. If this does not exceed the parent's level, the parent's result applies.
    for (std::size_t i = 0; i < n; ++i) {
        if (i % kStopEvery == 0) {
            control.throwIfStopped();
        }
        const auto reached = static_cast<std::uint16_t>(levels[i] > h ? levels[i] - h : 0);
        const std::uint16_t own = std::min(ascending(tree.level[i]), reached);
        levels[i] = i == 0 ? own : std::max(own, levels[tree.parent[i]]);
    }
    if (tree.kind == TreeKind::min) {
        for (std::uint16_t& level : levels) {
            level = ascending(level);
        }
    }
    return levels;
}

HMaximaReport hMaxima(const ComponentTree& tree, std::uint16_t h, Output output, Image& out,
                      const JobControl& control) {
    if (output != Output::filtered && output != Output::residue) {
        throw Error(ErrorCode::invalidArgument,
                    "h-maxima: the output '" + std::string(nameOf(output)) + "' is neither filtered nor residue");
    }
    if (out.type() != tree.pixelType || out.extent() != tree.extent()) {
        throw Error(ErrorCode::invalidArgument, "h-maxima: an image differs from the tree's in type or size");
    }
    const Buffer<std::uint16_t> levels = hMaximaLevels(tree, h, control);
    HMaximaReport report;
    // A maximum of the result is a component with a result above its parent's and constant inside.
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint8_t> rises(n);
    std::fill(rises.begin(), rises.end(), std::uint8_t{0});
    for (std::size_t i = n; i-- > 1;) {
        if (rises[i] != 0 || levels[i] != levels[tree.parent[i]]) {
            rises[tree.parent[i]] = 1;
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        report.maxima += rises[i] == 0 && (i == 0 || levels[i] != levels[tree.parent[i]]) ? 1 : 0;
    }
    const Change change = dispatch(out.type(), [&]<class Pixel>(Pixel) {
        return writePixels<Pixel>(tree, levels, output == Output::residue, out, control);
    });
    report.changedPixels = change.pixels;
    report.changedMass = change.mass;
    return report;
}

} // namespace pollard
