#include "tree/icicle.hpp"

#include "base/parallel.hpp"
#include "tree/component_tree.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr double kMargin = 1.0 / 24; ///< margin above, as a fraction of the shown heights

Buffer<std::uint32_t> startsOf(const ComponentTree& tree, const JobControl& control) {
    const Buffer<std::uint32_t> own = countOwnPixels(tree, control);
    Buffer<std::uint32_t> start(own.size() + 1);
    start[0] = 0;
    std::inclusive_scan(own.begin(), own.end(), start.begin() + 1);
    return start;
}

Buffer<std::uint16_t> heightsOf(const ComponentTree& tree, IcicleHeight measure, const JobControl& control) {
    Buffer<std::uint16_t> height(tree.nodeCount());
    if (measure == IcicleHeight::level) {
        const int root = tree.level[0];
        forEachIndex(height.size(), control,
                     [&](std::size_t n) { height[n] = static_cast<std::uint16_t>(std::abs(tree.level[n] - root)); });
        return height;
    }
    height[0] = 0;
    sweepDown(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        height[node] = static_cast<std::uint16_t>(height[parent] + 1); // fits: a chain has at most one node per level
    });
    return height;
}

Buffer<std::uint16_t> deepestOf(const ComponentTree& tree, const Buffer<std::uint16_t>& height,
                                const JobControl& control) {
    Buffer<std::uint16_t> deepest(height.size());
    std::ranges::copy(height, deepest.begin());
    sweepUp(tree, control, [&](std::uint32_t node, std::uint32_t parent) {
        deepest[parent] = std::max(deepest[parent], deepest[node]);
    });
    return deepest;
}

} // namespace

std::uint32_t IcicleLayout::nodeAt(std::uint32_t place) const noexcept {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(start, place) - start.begin() - 1);
}

IcicleRect IcicleLayout::boxOf(std::uint32_t node) const noexcept {
    const double top = node == 0 ? whole().top : height[tree->parent[node]];
    return {static_cast<double>(start[node]), static_cast<double>(start[tree->subtreeEnd[node]]), top,
            static_cast<double>(height[node])};
}

IcicleRect IcicleLayout::subtreeOf(std::uint32_t node) const noexcept {
    const double above = height[tree->parent[node]];
    const double bottom = deepest[node];
    return {static_cast<double>(start[node]), static_cast<double>(start[tree->subtreeEnd[node]]),
            above - std::max(1.0, (bottom - above) * kMargin), bottom};
}

IcicleLayout layOutIcicle(std::shared_ptr<const ComponentTree> tree, IcicleHeight measure, const JobControl& control) {
    IcicleLayout layout;
    layout.measure = measure;
    layout.start = startsOf(*tree, control);
    layout.height = heightsOf(*tree, measure, control);
    layout.deepest = deepestOf(*tree, layout.height, control);
    layout.tree = std::move(tree);
    return layout;
}

namespace {

constexpr std::size_t kColumnsPerTask = 32;
constexpr double kSmallestShare = 1e-4; ///< of the largest value: start of a logarithmic scale over values <= 0

/// Reduces red, green and blue to three quarters; keeps the opacity.
constexpr std::uint32_t darker(std::uint32_t colour) {
    const std::uint32_t quarter = colour >> 2U & 0x3f'3f3fU;
    return (colour & 0xff00'0000U) | ((colour & 0xff'ffffU) - quarter);
}

/// Paints adjacent columns. The components that a column shares with the previous one are visited only once.
class Columns {
public:
    Columns(const IciclePaint& paint, std::span<std::uint32_t> nodes, std::span<std::uint32_t> pixels)
        : paint_(paint), layout_(*paint.layout), tree_(*paint.layout->tree), nodes_(nodes), pixels_(pixels),
          columnWidth_(paint.part.width() / paint.columns), rowsPerHeight_(paint.rows / paint.part.height()),
          rows_(paint.rows) {}

    void paint(std::size_t begin, std::size_t end) {
        if (begin > 0) {
            descend(begin - 1); // to find the boxes that begin before the first column
        }
        for (std::size_t column = begin; column < end; ++column) {
            descend(column);
            write(column);
        }
    }

private:
    struct Row {
        std::uint32_t node = kNoIcicleNode;
        std::uint32_t colour = 0;
        std::uint32_t side = 0; ///< colour in the first column of the box
    };

    [[nodiscard]] std::uint32_t placeOf(std::size_t column) const {
        const double place = paint_.part.left + static_cast<double>(column) * columnWidth_;
        return static_cast<std::uint32_t>(std::clamp(place, 0.0, static_cast<double>(layout_.pixelCount()) - 1));
    }

    /// Node of the pixel that a column shows.
    [[nodiscard]] std::uint32_t highestIn(std::size_t column) const {
        const std::uint32_t first = placeOf(column);
        const double right = paint_.part.left + static_cast<double>(column + 1) * columnWidth_;
        const auto end = static_cast<std::uint32_t>(std::clamp(right, first + 1.0, double(layout_.pixelCount())));
        const std::uint32_t low = layout_.nodeAt(first);
        const std::uint32_t high = end - first == 1 ? low : layout_.nodeAt(end - 1);
        std::uint32_t best = low;
        for (std::uint32_t n = low + 1; n <= high; ++n) {
            best = layout_.height[n] > layout_.height[best] ? n : best;
        }
        return best;
    }

    /// Number of rows whose centre is at or above a height.
    [[nodiscard]] std::size_t rowsTo(double height) const {
        const double rows = (height - paint_.part.top) * rowsPerHeight_ + 0.5;
        return static_cast<std::size_t>(std::clamp(rows, 0.0, static_cast<double>(paint_.rows)));
    }

    /// Writes the chain of a column's pixel into the rows.
    void descend(std::size_t column) {
        const std::uint32_t deepest = highestIn(column);
        const std::size_t end = rowsTo(layout_.height[deepest]);
        freshFrom_ = end;
        std::uint32_t node = deepest;
        while (previous_ == kNoIcicleNode || !tree_.contains(node, previous_)) {
            const std::size_t to = freshFrom_;
            freshFrom_ = node == 0 ? 0 : rowsTo(layout_.height[tree_.parent[node]]);
            if (freshFrom_ < to) {
                fill(node, freshFrom_, to);
            }
            if (freshFrom_ == 0) {
                break;
            }
            node = tree_.parent[node];
        }
        for (std::size_t row = end; row < end_; ++row) {
            rows_[row] = {};
        }
        end_ = end;
        previous_ = deepest;
    }

    void fill(std::uint32_t node, std::size_t from, std::size_t to) {
        const std::uint32_t colour = paint_.colours.of(node);
        const bool lines = paint_.lineFrom > 0 && to - from >= paint_.lineFrom &&
                           layout_.areaOf(node) >= paint_.lineFrom * columnWidth_;
        const std::uint32_t side = lines ? darker(colour) : colour;
        for (std::size_t row = from; row < to; ++row) {
            rows_[row] = {node, colour, side};
        }
        if (lines && from > 0) {
            rows_[from].colour = side;
        }
    }

    void write(std::size_t column) {
        std::size_t at = column;
        for (std::size_t row = 0; row < rows_.size(); ++row, at += paint_.columns) {
            const bool fresh = row >= freshFrom_ && row < end_ && column > 0;
            nodes_[at] = rows_[row].node;
            pixels_[at] = fresh ? rows_[row].side : rows_[row].colour;
        }
    }

    const IciclePaint& paint_;
    const IcicleLayout& layout_;
    const ComponentTree& tree_;
    std::span<std::uint32_t> nodes_;
    std::span<std::uint32_t> pixels_;
    double columnWidth_;   ///< px of the image
    double rowsPerHeight_; ///< rows of the surface
    std::vector<Row> rows_;
    std::uint32_t previous_ = kNoIcicleNode; ///< node of the pixel in the previous column
    std::size_t end_ = 0;                    ///< rows from here on are empty
    std::size_t freshFrom_ = 0;              ///< rows from here to end_ show boxes that begin in this column
};

} // namespace

double IcicleColours::lowest() const noexcept {
    if (!logarithmic || column->minimum > 0) {
        return column->minimum;
    }
    return isIntegral(*column) ? std::min(1.0, column->maximum) : column->maximum * kSmallestShare;
}

std::size_t IcicleColours::placeOf(double value, std::size_t count) const noexcept {
    const auto measure = [this](double v) { return logarithmic ? std::log(v) : v; };
    const double low = lowest();
    if (!(value > low) || !(column->maximum > low)) {
        return 0;
    }
    const double share = (measure(value) - measure(low)) / (measure(column->maximum) - measure(low));
    return share < 1 ? static_cast<std::size_t>(share * static_cast<double>(count)) : count - 1;
}

std::uint32_t IcicleColours::of(std::uint32_t node) const noexcept {
    if (!selected.empty() && selected[node] != 0) {
        return selectedColour;
    }
    const double value = column->at(node);
    if (std::isnan(value)) {
        return undefined;
    }
    const bool removed = !keep.empty() && keep[node] == 0;
    return (removed ? removedScale : scale)[placeOf(value, scale.size())];
}

void paintIcicle(const IciclePaint& paint, std::span<std::uint32_t> nodes, std::span<std::uint32_t> pixels,
                 const JobControl& control) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, paint.columns, kColumnsPerTask), [&](const auto& columns) {
        if (!control.stopRequested()) {
            Columns(paint, nodes, pixels).paint(columns.begin(), columns.end());
        }
    });
    control.throwIfStopped();
}

} // namespace pollard
