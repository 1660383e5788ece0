#include "snake/next_starts.hpp"

#include "base/error.hpp"
#include "base/table_log.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_job.hpp"
#include "snake/snake_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pollard {

namespace {

/// Pixels of a contour.
struct ContourPixels {
    std::int64_t count = 0;
    double x = 0; ///< centroid
    double y = 0;

    explicit ContourPixels(const Contour& contour) {
        const ContourRows rows(contour);
        for (std::int32_t row = rows.top(); row < rows.bottom(); ++row) {
            rows.forEachRun(row, [&](std::uint32_t first, std::uint32_t last) {
                const double length = last - first;
                count += last - first;
                x += length * (first + last) / 2;
                y += length * (row + 0.5);
            });
        }
        x /= static_cast<double>(std::max<std::int64_t>(count, 1));
        y /= static_cast<double>(std::max<std::int64_t>(count, 1));
    }
};

/// The outline of the largest part of a contour's mask.
Contour outlineOfMask(const Contour& contour, const NextPage& page) {
    const PixelRegion box = partAround(contour, 0, page.image.width(), page.image.height());
    Mask mask(box.width, box.height, false);
    const ContourRows rows(contour);
    for (std::int32_t y = rows.top(); y < rows.bottom(); ++y) {
        rows.forEachRun(y, [&](std::uint32_t first, std::uint32_t last) {
            mask.setRun(first - box.x, last - box.x, static_cast<std::uint32_t>(y) - box.y, true);
        });
    }
    return outlineOf(mask, {static_cast<std::int32_t>(box.x), static_cast<std::int32_t>(box.y)});
}

Contour movedBy(Contour contour, ContourNode motion) {
    for (ContourNode& node : contour) {
        node = {node.x + motion.x, node.y + motion.y};
    }
    return contour;
}

ContourNode lastMotion(const Contour& end, const Contour& before) {
    const ContourPixels now(end);
    const ContourPixels then(before);
    const PixelRegion box = partAround(end, 0, 1U << 30U, 1U << 30U);
    const auto within = [](double motion, std::uint32_t extent) {
        return static_cast<std::int32_t>(std::lround(std::clamp<double>(motion, -1.0 * extent, extent)));
    };
    return {within(now.x - then.x, box.width), within(now.y - then.y, box.height)};
}

/// Compares starts by their energies on the next page.
class StartComparison {
public:
    explicit StartComparison(const NextPage& page) : page_(page), table_(TableLog::makeTable()) {}

    [[nodiscard]] bool isBetter(const Contour& moved, const Contour& unmoved) const {
        Contour both = moved;
        both.insert(both.end(), unmoved.begin(), unmoved.end());
        const PixelRegion own = partAround(unmoved, 0, page_.image.width(), page_.image.height());
        const PixelRegion box =
            partAround(both, std::max(own.width, own.height), page_.image.width(), page_.image.height());
        const auto right = static_cast<std::int32_t>(box.x + box.width);
        const auto bottom = static_cast<std::int32_t>(box.y + box.height);
        const auto left = static_cast<std::int32_t>(box.x);
        const auto top = static_cast<std::int32_t>(box.y);
        const RegionSums all = sumsOf({{left, top}, {right, top}, {right, bottom}, {left, bottom}});
        const std::int64_t mean = all.levels / std::max(all.pixels, std::int64_t{1});
        const RegionEnergy energy{page_.spec.law, mean, table_.data()};
        const auto scoreOf = [&](const Contour& start) {
            const RegionSums inside = sumsOf(start);
            const RegionSums outside = all - inside;
            const std::int64_t least = std::max(page_.spec.minPixels, 1U);
            return inside.pixels < least || outside.pixels < least
                       ? Score()
                       : Score{energy(inside) + energy(outside), std::abs(meanOf(inside) - meanOf(outside))};
        };
        const Score movedScore = scoreOf(moved);
        const Score unmovedScore = scoreOf(unmoved);
        return movedScore.energy < unmovedScore.energy && 2 * movedScore.contrast >= unmovedScore.contrast;
    }

private:
    struct Score {
        double energy = SnakeRules::kTooSmall;
        double contrast = 0; ///< difference of the mean levels inside and outside
    };

    [[nodiscard]] RegionSums sumsOf(const Contour& contour) const {
        RegionSums sums;
        const ContourRows rows(contour);
        for (std::int32_t row = rows.top(); row < rows.bottom(); ++row) {
            const auto y = static_cast<std::uint32_t>(row);
            rows.forEachRun(row, [&](std::uint32_t first, std::uint32_t last) {
                for (std::uint32_t x = first; x < last; ++x) {
                    if (page_.valid == nullptr || page_.valid->test(x, y)) {
                        const std::int64_t level = page_.image.level(std::size_t{y} * page_.image.width() + x);
                        sums += {1, level, level * level};
                    }
                }
            });
        }
        return sums;
    }

    const NextPage& page_;
    std::array<TableLog::Entry, TableLog::kSize> table_;
};

bool areApart(const PixelRegion& a, const PixelRegion& b) {
    return a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
}

/// PageStarts of one page, which neither overlap nor contain forbidden pixels.
class PageStarts {
public:
    PageStarts(const std::vector<Contour>& ends, const NextPage& page)
        : page_(page), comparison_(page),
          taken_(page.forbidden != nullptr ? *page.forbidden : Mask(page.image.width(), page.image.height(), false)) {
        ThinnedOutlines outlines(page.spec, page.image.width(), page.image.height());
        for (const Contour& end : ends) {
            add(end, outlines);
        }
        starts_ = outlines.take();
        for (const Contour& start : starts_) {
            taken_.fill(start, true);
        }
    }

    void move(std::size_t i, ContourNode motion) {
        const Contour unmoved = starts_[i];
        for (const ContourNode& each : std::array<ContourNode, 4>{
                 {motion, {-motion.x, -motion.y}, {-motion.x, motion.y}, {motion.x, -motion.y}}}) {
            takeIfBetter(i, movedBy(unmoved, each));
        }
    }
    [[nodiscard]] std::vector<Contour> take() { return std::move(starts_); }

private:
    void takeIfBetter(std::size_t i, Contour moved) {
        if (moved == starts_[i] || !isInImage(moved)) {
            return;
        }
        taken_.fill(starts_[i], false);
        if (taken_.inside(moved) == 0 && isApart(i, moved) && comparison_.isBetter(moved, starts_[i])) {
            starts_[i] = std::move(moved);
        }
        taken_.fill(starts_[i], true);
    }
    void add(const Contour& end, ThinnedOutlines& outlines) const {
        try {
            Contour outline = outlineOfMask(end, page_);
            const Contour nodes = thinned(outline, page_.spec.minLength, page_.spec.maxNodes);
            const std::int64_t count = ContourPixels(nodes).count;
            const std::int64_t least = std::max(page_.spec.minPixels, 1U);
            if (count >= least && static_cast<std::int64_t>(page_.image.pixelCount()) - count >= least &&
                (page_.forbidden == nullptr || taken_.inside(nodes) == 0)) {
                outlines.add(outline);
                return;
            }
        } catch (const Error&) { // too many nodes
        }
        outlines.addUnthinned(end);
    }
    [[nodiscard]] bool isInImage(const Contour& contour) const {
        return std::ranges::all_of(contour, [this](ContourNode node) {
            return node.x >= 0 && node.y >= 0 && std::cmp_less_equal(node.x, page_.image.width()) &&
                   std::cmp_less_equal(node.y, page_.image.height());
        });
    }
    [[nodiscard]] bool isApart(std::size_t i, const Contour& moved) const {
        if (!page_.apart) {
            return true;
        }
        const auto partOf = [this](const Contour& start) {
            return partAround(start, *page_.apart, page_.image.width(), page_.image.height());
        };
        const PixelRegion part = partOf(moved);
        for (std::size_t other = 0; other < starts_.size(); ++other) {
            if (other != i && !areApart(part, partOf(starts_[other]))) {
                return false;
            }
        }
        return true;
    }

    const NextPage& page_;
    StartComparison comparison_;
    RowCounts taken_; ///< forbidden pixels and pixels of all starts
    std::vector<Contour> starts_;
};

} // namespace

std::vector<Contour> nextStarts(const std::vector<Contour>& ends, const std::vector<Contour>& before,
                                const NextPage& page) {
    PageStarts starts(ends, page);
    for (std::size_t i = 0; i < std::min(ends.size(), before.size()); ++i) {
        starts.move(i, lastMotion(ends[i], before[i]));
    }
    return starts.take();
}

} // namespace pollard
