#include "vm/contour/contour_histograms.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include "snake/contour_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

struct Task {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const LevelHistogram> all;
    std::vector<Contour> contours;
    std::size_t at = 0; ///< the contour of the inside; the outside is that of all
    Contour part;       ///< the part of the image that they evolve on; empty: all that `all` counts
    RegionLaw law = RegionLaw::gaussian;
    RegionSums inside;
    RegionSums outside;
};

ContourLevels count(const Task& task, const JobControl& control) {
    std::vector<std::vector<std::uint64_t>> held;
    held.reserve(task.contours.size());
    for (const Contour& contour : task.contours) {
        held.push_back(levelsInside(*task.image, contour, task.valid.get(), control));
    }
    const std::vector<std::uint64_t> ofPart = task.part.empty()
                                                  ? std::vector<std::uint64_t>()
                                                  : levelsInside(*task.image, task.part, task.valid.get(), control);
    const auto groundAt = [&](std::size_t level) {
        return task.part.empty() ? task.all->counts[level] : level < ofPart.size() ? ofPart[level] : 0;
    };
    const LevelWindow window = autoWindow(*task.all);
    ContourLevels levels;
    levels.low = window.low;
    levels.step = std::max(1.0, std::ceil((window.high - window.low + 1) / ContourHistograms::kMostBins));
    const auto bins = static_cast<std::size_t>(std::ceil((window.high - window.low + 1) / levels.step));
    const auto heldBy = [&](std::size_t contour, std::size_t level) {
        return level < held[contour].size() ? held[contour][level] : 0;
    };
    const auto heldByAll = [&](std::size_t level) {
        std::uint64_t pixels = 0;
        for (std::size_t i = 0; i < held.size(); ++i) {
            pixels += heldBy(i, level);
        }
        return pixels;
    };
    const std::size_t levelCount = held[task.at].size();
    const auto fill = [&](RegionLevels& region, const RegionSums& sums, const auto& countAt) {
        region.shares.assign(bins, 0);
        region.fitted.assign(bins, 0);
        if (sums.pixels == 0) {
            return;
        }
        const FittedLaw law(task.law, sums);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double from = levels.low + levels.step * static_cast<double>(bin);
            for (double level = from; level < from + levels.step; ++level) {
                const auto place = static_cast<std::size_t>(level);
                region.shares[bin] += place < levelCount ? static_cast<double>(countAt(place)) : 0;
                region.fitted[bin] += law.density(level);
            }
            region.shares[bin] /= static_cast<double>(sums.pixels);
        }
    };
    fill(levels.inside, task.inside, [&](std::size_t level) { return heldBy(task.at, level); });
    fill(levels.outside, task.outside, [&](std::size_t level) { return groundAt(level) - heldByAll(level); });
    return levels;
}

} // namespace

ContourHistograms::ContourHistograms(ContourViewModel& contours, QObject* parent)
    : QObject(parent), contours_(contours) {
    connect(&contours_.runs(), &ContourRuns::shownChanged, this, &ContourHistograms::update);
    connect(&contours_, &ContourViewModel::activeChanged, this, &ContourHistograms::update);
}

double ContourHistograms::valueOf(double level) const {
    return pollard::valueOf(originalMappingOf(contours_.document()), level);
}

QString ContourHistograms::unit() const {
    return QString::fromStdString(unitOf(originalMappingOf(contours_.document())));
}

void ContourHistograms::update() {
    const DocumentViewModel& document = contours_.document();
    const auto figures = contours_.runs().figures();
    if (!contours_.isActive() || !figures || !document.image() || !document.shown().histogram) {
        levels_.clear();
        return;
    }
    if (contours_.runs().drag()) {
        return; // keeps the histograms from the start of the drag
    }
    const ContourRun& run = *contours_.runs().currentRun();
    Task task{document.image(),
              document.shown().valid,
              document.shown().histogram,
              contours_.runs().allNodes(),
              static_cast<std::size_t>(contours_.runs().contour()),
              {},
              run.spec.law,
              figures->inside,
              figures->outside};
    const bool hasParts = !run.parts.empty();
    if (hasParts || document.isVolume()) { // the histogram of a volume is of all slices
        const PixelRegion part =
            hasParts ? run.parts[task.at] : PixelRegion{0, 0, task.image->width(), task.image->height()};
        const auto place = [](std::uint32_t x, std::uint32_t y) {
            return ContourNode{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
        };
        task.part = {place(part.x, part.y), place(part.x + part.width, part.y),
                     place(part.x + part.width, part.y + part.height), place(part.x, part.y + part.height)};
    }
    if (hasParts) {
        task.contours = {task.contours[task.at]};
        task.at = 0;
    }
    levels_.compute([task = std::move(task)](const std::stop_token& stop) { return count(task, JobControl(stop)); });
}

} // namespace pollard::vm
