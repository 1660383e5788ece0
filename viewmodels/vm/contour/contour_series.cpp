#include "vm/contour/contour_series.hpp"

#include "vm/base/value_text.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/document/table_unit.hpp"

#include "image/length_unit.hpp"
#include "io/page_selection.hpp"
#include "snake/contour/contour_output.hpp"
#include "snake/contour_levels.hpp"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

struct LevelsTask {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const LevelHistogram> all;
    std::vector<Contour> contours;
    std::size_t at = 0; ///< the contour whose inside is counted; the outside is outside of all contours
    Contour part;       ///< the part of the image that they evolve on; empty: all that `all` counts
    RegionLaw law = RegionLaw::gaussian;
    RegionSums inside;
    RegionSums outside;
};

ContourLevels count(const LevelsTask& task, const JobControl& control) {
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
    LevelsTask task{document.image(),
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

namespace {

constexpr int kLongest = 3; ///< ms of measuring in one turn

std::optional<double> valueIn(const std::vector<ContourValue>& values, const std::string& name) {
    const auto found = std::ranges::find(values, name, &ContourValue::name);
    return found == values.end() ? std::nullopt : found->value;
}

/// The name of a column of lengths or areas.
std::string columnOf(const char* name, LengthUnit unit, Dimension dimension) {
    return unit == LengthUnit::pixel ? name : name + ("_" + unitName(unit, dimension));
}

} // namespace

QString nameOf(ContourMeasure measure) {
    switch (measure) {
    case ContourMeasure::area:
        return ContourSeries::tr("Area");
    case ContourMeasure::length:
        return ContourSeries::tr("Length");
    case ContourMeasure::mean:
        return ContourSeries::tr("Mean inside");
    case ContourMeasure::outsideMean:
        return ContourSeries::tr("Mean outside");
    }
    return {};
}

ContourSeries::ContourSeries(ContourViewModel& contours, QObject* parent) : QObject(parent), contours_(contours) {
    later_.setSingleShot(true);
    later_.setInterval(0);
    connect(&later_, &QTimer::timeout, this, &ContourSeries::update);
    const auto updateLater = [this] {
        if (active_) {
            later_.start();
        }
    };
    connect(&contours_.runs(), &ContourRuns::changed, this, updateLater);
    connect(&contours_.follow(), &ContourFollow::changed, this, updateLater);
    connect(&contours_.document().pixelSizes(), &DocumentPixelSizes::changed, this, updateLater);
}

void ContourSeries::setActive(bool active) {
    active_ = active;
    if (active) {
        update();
    } else {
        later_.stop();
    }
}

void ContourSeries::goTo(int page) { contours_.document().reading().setPage(page); }

QString ContourSeries::unitOf(ContourMeasure measure) const {
    switch (measure) {
    case ContourMeasure::area:
        return fromUtf8(unitSymbol(unit_.unit, Dimension::area));
    case ContourMeasure::length:
        return fromUtf8(unitSymbol(unit_.unit, Dimension::length));
    case ContourMeasure::mean:
    case ContourMeasure::outsideMean:
        break;
    }
    return greyUnit(originalMappingOf(contours_.document()));
}

std::optional<double> ContourSeries::secondsOf(int page) const {
    const auto info = contours_.document().imageInfo();
    return info && contours_.follow().isOverTime() ? distanceOn('t', contours_.follow().positionOf(page), *info)
                                                   : std::nullopt;
}

double ContourSeries::placeOf(int page) const {
    const auto seconds = secondsOf(page);
    return seconds ? *seconds : 1 + (contours_.follow().isOverTime() ? contours_.follow().positionOf(page) : page);
}

QString ContourSeries::placeName() const { return contours_.follow().isOverTime() ? tr("Time") : tr("Page"); }

QString ContourSeries::placeUnit() const {
    return !rows_.empty() && secondsOf(rows_.front().page) ? QStringLiteral("s") : QString();
}

std::vector<ContourSeries::Row> ContourSeries::measured(const ContourFollow::Page& page) const {
    std::vector<Row> rows;
    const auto add = [&](const Contour& nodes, const std::optional<ContourSums>& sums,
                         const std::optional<ValueMapping>& mapping) {
        const std::vector<ContourValue> values = contourValues(nodes, sums, unit_, mapping);
        rows.push_back({page.page,
                        rows.size(),
                        {valueIn(values, columnOf("area", unit_.unit, Dimension::area)),
                         valueIn(values, columnOf("length", unit_.unit, Dimension::length)), valueIn(values, "mean"),
                         valueIn(values, "outside_mean")}});
    };
    const ContourRuns::Page& there = contours_.runs().pages().at(page.page);
    if (const auto made = std::ranges::find(there.runs, page.run, &ContourRun::id); made != there.runs.end()) {
        const int last = made->record.count() - 1;
        for (std::size_t i = 0; i < made->record.contours(); ++i) {
            const ContourRecord::Figures figures = made->record.figures(last, i);
            add(made->record.nodes(last, i), ContourSums{figures.inside, figures.outside}, made->values);
        }
    } else if (const auto saved = std::ranges::find(there.saved, page.run, &SessionRun::id);
               saved != there.saved.end()) {
        for (const Contour& nodes : saved->last) {
            add(nodes, {}, {});
        }
    }
    return rows;
}

void ContourSeries::update() {
    TableUnit unit(contours_.document());
    unit.adopt();
    if (unit_ != unit.scale()) {
        unit_ = unit.scale();
        measured_.clear();
    }
    QElapsedTimer spent;
    spent.start();
    rows_.clear();
    contourCount_ = 0;
    std::map<Key, std::vector<Row>> kept;
    for (const ContourFollow::Page& page : contours_.follow().series()) {
        const Key key{page.page, page.run, page.contours, page.pixels};
        const auto known = measured_.find(key);
        if (known == measured_.end() && spent.elapsed() >= kLongest) {
            later_.start();
            kept.merge(measured_);
            break;
        }
        std::vector<Row> rows = known != measured_.end() ? std::move(known->second) : measured(page);
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        contourCount_ = std::max(contourCount_, rows.size());
        kept.emplace(key, std::move(rows));
    }
    measured_ = std::move(kept);
    emit changed();
}

} // namespace pollard::vm
