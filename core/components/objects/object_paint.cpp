#include "components/objects/object_paint.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

namespace pollard {

namespace {

constexpr std::size_t kPaintRowsPerTask = 16;

/// Labels at the surface's pixels.
class LabelSampler {
public:
    explicit LabelSampler(const ObjectPaint& paint) : paint_(paint) {}

    [[nodiscard]] const std::uint32_t* row(std::size_t y) const noexcept {
        return paint_.labels.data() + paint_.rows[y] * paint_.width;
    }
    /// Labels @p reach px to the left, right, above and below, clamped to the surface.
    [[nodiscard]] std::array<std::uint32_t, 4> around(std::size_t x, std::size_t y, std::size_t reach) const noexcept {
        const std::size_t column = paint_.columns[x];
        const std::size_t left = paint_.columns[x < reach ? 0 : x - reach];
        const std::size_t right = paint_.columns[std::min(x + reach, paint_.columns.size() - 1)];
        return {row(y)[left], row(y)[right], row(y < reach ? 0 : y - reach)[column],
                row(std::min(y + reach, paint_.rows.size() - 1))[column]};
    }

private:
    const ObjectPaint& paint_;
};

} // namespace

void paintObjects(const ObjectPaint& paint, std::span<std::uint32_t> out) {
    const LabelSampler under(paint);
    const std::size_t width = paint.columns.size();
    const auto isListed = [&](std::uint32_t label) {
        return paint.list != nullptr ? paint.list->lists(label) : label != 0;
    };
    const auto isSelected = [&](std::uint32_t label) {
        return !paint.selected.empty() && isListed(label) && paint.selected[label - 1] != 0;
    };
    const auto numberOf = [&](std::uint32_t label) { return paint.colourNumber ? paint.colourNumber(label) : label; };
    const auto isAtEdge = [&](std::size_t x, std::size_t y, std::uint32_t label) {
        const auto around = under.around(x, y, static_cast<std::size_t>(paint.line));
        return std::ranges::any_of(around, [label](std::uint32_t neighbour) { return neighbour != label; });
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, paint.rows.size(), kPaintRowsPerTask), [&](const auto& rows) {
        std::uint32_t known = 0; // label of the cached colour and selection
        std::uint32_t colour = 0;
        bool selected = false;
        for (std::size_t y = rows.begin(); y != rows.end(); ++y) {
            const std::uint32_t* const labels = under.row(y);
            std::uint32_t* const line = out.data() + y * width;
            for (std::size_t x = 0; x < width; ++x) {
                const std::uint32_t label = labels[paint.columns[x]];
                if (label != known) {
                    known = label;
                    selected = isSelected(label);
                    const auto& palette = selected ? paint.selectedColours : paint.colours;
                    colour = isListed(label) ? palette[numberOf(label) % palette.size()] : 0;
                }
                line[x] = paint.outlinesOnly && colour != 0 && !isAtEdge(x, y, label) ? 0 : colour;
                if (paint.selected.empty()) {
                    continue;
                }
                const std::size_t reach = selected ? static_cast<std::size_t>(paint.line) : 1;
                for (const std::uint32_t neighbour : under.around(x, y, reach)) {
                    if (neighbour != label && selected) {
                        line[x] = paint.outline;
                    } else if (neighbour != label && isSelected(neighbour)) {
                        line[x] = paint.halo;
                    }
                }
            }
        }
    });
}

} // namespace pollard
