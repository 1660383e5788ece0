#include "vm/objects/object_regions.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "attributes/attribute.hpp"
#include "attributes/grey_values.hpp"
#include "components/objects/object_features.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "image/distance_transform.hpp"
#include "image/value_mapping.hpp"

#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::uint32_t kFirstRegions = 100; ///< of a hierarchy that is chosen for the first time
constexpr double kMostDistance = 1000;       ///< px
constexpr double kLeastStrictness = 0.01;

/// Area of a pixel in the square of a unit, in a volume the volume of a voxel; 0 if it is unknown.
double sizeOfPixel(const DocumentViewModel& document, LengthUnit unit) {
    const auto size = document.pixelSizes().present();
    const bool inVolume = document.isVolume();
    if (unit == LengthUnit::pixel) {
        return 1;
    }
    if (!whyNoObjectUnit(size, inVolume).empty()) {
        return 0;
    }
    const VoxelSides sides = objectUnitOf(unit, size, inVolume).sides;
    return sides.x * sides.y * (inVolume ? sides.z : 1);
}

/// Of the displayed image or volume, which exists.
Extent extentOf(const DocumentViewModel& document) {
    return document.isVolume() ? document.shown().volume->extent() : document.image()->extent();
}

BestMark markAt(std::size_t pixel, const Extent& extent, bool isObject) {
    const Voxel at = voxelAt(static_cast<std::uint32_t>(pixel), extent);
    return {at.x, at.y, isObject, at.z};
}

} // namespace

FindBy wayOf(const ObjectRule& rule) noexcept {
    return rule.best        ? FindBy::best
           : rule.watershed ? FindBy::watershed
           : rule.hierarchy ? FindBy::hierarchy
           : rule.labels    ? FindBy::labels
                            : FindBy::threshold;
}

ObjectRule withoutConflicts(ObjectRule rule) {
    if (!rule.usesThreshold()) {
        rule.above.reset();
        rule.fillHoles = false;
    }
    if (wayOf(rule) != FindBy::threshold) {
        rule.split.reset();
    }
    if (rule.best) {
        rule.connectivity = isPlanar(rule.connectivity) ? Connectivity::eight : Connectivity::twentySix;
    }
    return rule;
}

double LogScale::at(int position) const {
    if (position <= 0) {
        return none;
    }
    const double share = std::min(1.0, (position - 1.0) / (kSteps - 1));
    return share == 1 ? most : least > 0 ? least * std::pow(most / least, share) : least + share * (most - least);
}

int LogScale::positionOf(double number) const {
    if (number < least) {
        return 0;
    }
    if (number >= most) {
        return kSteps;
    }
    const double share =
        least > 0 ? std::log(number / least) / std::log(most / least) : (number - least) / (most - least);
    return 1 + static_cast<int>(std::lround(share * (kSteps - 1)));
}

ObjectRegions::ObjectRegions(ObjectsViewModel& objects) : objects_(objects) { lastHierarchy_.regions = kFirstRegions; }

void ObjectRegions::change(const std::function<void(ObjectRule&)>& edit) {
    ObjectRule rule = objects_.rule();
    edit(rule);
    objects_.setRule(rule);
}

FindBy ObjectRegions::way() const { return wayOf(objects_.rule()); }

void ObjectRegions::setWay(FindBy way) {
    if (way == this->way()) {
        return;
    }
    setMarking(false);
    change([&](ObjectRule& rule) {
        lastBest_ = rule.best.value_or(lastBest_);
        lastWatershed_ = rule.watershed.value_or(lastWatershed_);
        lastHierarchy_ = rule.hierarchy.value_or(lastHierarchy_);
        lastLabels_ = rule.labels.value_or(lastLabels_);
        rule.best = way == FindBy::best ? std::optional(lastBest_) : std::nullopt;
        rule.watershed = way == FindBy::watershed ? std::optional(lastWatershed_) : std::nullopt;
        rule.hierarchy = way == FindBy::hierarchy ? std::optional(lastHierarchy_) : std::nullopt;
        rule.labels = way == FindBy::labels ? std::optional(lastLabels_) : std::nullopt;
    });
}

const BestRule& ObjectRegions::best() const { return objects_.rule().best ? *objects_.rule().best : lastBest_; }

double ObjectRegions::sizeIn(LengthUnit unit) const {
    const BestRule& rule = best();
    if (!rule.size || rule.unit == unit) {
        return rule.size.value_or(0);
    }
    const double own = sizeOfPixel(objects_.document(), rule.unit);
    return own > 0 ? *rule.size / own * sizeOfPixel(objects_.document(), unit) : 0;
}

void ObjectRegions::setSize(double size, LengthUnit unit) {
    if (size == sizeIn(unit)) {
        return;
    }
    change([&](ObjectRule& rule) {
        if (rule.best) {
            rule.best->size = size > 0 ? std::optional(std::min(size, SizeRange::kMost)) : std::nullopt;
            rule.best->unit = size > 0 ? unit : LengthUnit::pixel;
        }
    });
}

double ObjectRegions::expectedSizeIn(LengthUnit unit) const {
    const auto found = objects_.objects();
    return found ? found->components.expectedArea.value_or(0) * sizeOfPixel(objects_.document(), unit) : 0;
}

void ObjectRegions::setStrictness(double strictness) {
    change([&](ObjectRule& rule) {
        if (rule.best) {
            rule.best->strictness = std::clamp(strictness, kLeastStrictness, 1 - kLeastStrictness);
        }
    });
}

void ObjectRegions::setMarking(bool marking) {
    vm::change(this, marking_, marking && way() == FindBy::best, &ObjectRegions::markingChanged);
}

void ObjectRegions::mark(const QPointF& place, double reach) {
    const DocumentViewModel& document = objects_.document();
    if (way() != FindBy::best || !document.hasImage()) {
        return;
    }
    const Extent extent = extentOf(document);
    const auto pixel = document.shown().voxelAt(place, extent);
    if (!pixel) {
        return;
    }
    std::vector<BestMark> marks = best().marks;
    const auto distance = [&](const BestMark& mark) {
        const auto at = placeOf(mark, document.shown().plane());
        return at ? std::hypot(at->x() + 0.5 - place.x(), at->y() + 0.5 - place.y())
                  : std::numeric_limits<double>::infinity();
    };
    const auto nearest = std::ranges::min_element(marks, {}, distance);
    if (nearest != marks.end() && (pixelOf(*nearest, extent) == *pixel || distance(*nearest) <= reach)) {
        marks.erase(nearest);
    } else {
        const auto found = objects_.objects();
        const bool hasObject =
            found && *pixel < found->components.labels.size() && found->components.labels[*pixel] != 0;
        marks.push_back(markAt(*pixel, extent, !hasObject));
    }
    change([&](ObjectRule& rule) { rule.best->marks = std::move(marks); });
}

void ObjectRegions::clearMarks() {
    change([](ObjectRule& rule) {
        if (rule.best) {
            rule.best->marks.clear();
        }
    });
}

std::optional<QPointF> ObjectRegions::placeOf(const BestMark& mark, const VolumePlane& plane) const {
    const DocumentViewModel& document = objects_.document();
    if (!document.hasImage()) {
        return std::nullopt;
    }
    const Extent extent = extentOf(document);
    const std::array at{mark.x, mark.y, mark.z}; // by VolumeAxis
    const std::array counts{extent.width, extent.height, extent.slices};
    if (at[static_cast<std::size_t>(plane.across)] != plane.at) {
        return std::nullopt;
    }
    const auto along = [&](const ImageAxis& axis) -> double {
        const auto i = static_cast<std::size_t>(axis.axis);
        return axis.isReversed ? counts[i] - 1. - at[i] : at[i];
    };
    const std::array<ImageAxis, 2> axes = axesOf(plane);
    return QPointF(along(axes[0]), along(axes[1]));
}

std::uint32_t ObjectRegions::unmetMarks() const {
    const auto found = objects_.objects();
    return found ? found->components.unmetMarks : 0;
}

QString ObjectRegions::labelFile() const {
    return QString::fromStdString(objects_.rule().labels.value_or(lastLabels_));
}

void ObjectRegions::setLabelFile(const QString& name) {
    if (!name.isEmpty() && name != labelFile()) {
        change([&](ObjectRule& rule) {
            if (rule.labels) {
                rule.labels = name.toStdString();
            }
        });
    }
}

void ObjectRegions::chooseLabelFile(const QString& path) {
    const auto image = QFileInfo(objects_.document().path()).filesystemAbsoluteFilePath();
    setLabelFile(QString::fromStdString(labelNameOf(QFileInfo(path).filesystemAbsoluteFilePath(), image)));
}

void ObjectRegions::forgetImage() {
    lastBest_.marks.clear();
    setMarking(false);
}

const WatershedRule& ObjectRegions::watershed() const {
    return objects_.rule().watershed ? *objects_.rule().watershed : lastWatershed_;
}

void ObjectRegions::changeSeeds(const std::function<void(WatershedRule&)>& edit) {
    change([&](ObjectRule& rule) {
        if (rule.watershed) {
            const WatershedRule before = *rule.watershed;
            edit(*rule.watershed);
            rule.watershed->least = *rule.watershed == before ? before.least : 0;
        }
    });
}

void ObjectRegions::setRelief(Relief relief) {
    changeSeeds([&](WatershedRule& rule) { rule.relief = relief; });
}

void ObjectRegions::setSeeds(SeedMeasure by) {
    changeSeeds([&](WatershedRule& rule) { rule.by = by; });
}

void ObjectRegions::setLines(bool lines) {
    change([&](ObjectRule& rule) {
        if (rule.watershed) {
            rule.watershed->lines = lines;
        }
    });
}

LogScale ObjectRegions::leastScale() const {
    const WatershedRule& rule = watershed();
    const auto image = objects_.document().image();
    const double pixels = image ? static_cast<double>(image->pixelCount()) : 1;
    if (rule.by == SeedMeasure::area) {
        return {0, 1, pixels};
    }
    const LevelRange domain = objects_.domain();
    const bool ofDistance = rule.seedRelief() == Relief::distance;
    const double step = ofDistance ? 1 / kDistanceSteps : objects_.valueStep();
    const double most = ofDistance ? kMostDistance : objects_.valueOf(domain.high) - objects_.valueOf(domain.low);
    return {0, step, std::max(step, most) * (rule.by == SeedMeasure::volume ? pixels : 1)};
}

QString ObjectRegions::leastUnit() const {
    const WatershedRule& rule = watershed();
    const bool isVolume = rule.by == SeedMeasure::volume;
    if (rule.by == SeedMeasure::area || rule.seedRelief() == Relief::distance) {
        return isVolume ? QStringLiteral("px³") : QStringLiteral("px");
    }
    return unitInWords(
        columnUnit(isVolume ? AttributeId::extinctionVolume : AttributeId::dynamics, objects_.mapping()));
}

void ObjectRegions::setLeast(double least) {
    change([&](ObjectRule& rule) {
        if (rule.watershed) {
            rule.watershed->least = std::max(least, 0.0);
        }
    });
}

const HierarchyRule& ObjectRegions::hierarchy() const {
    return objects_.rule().hierarchy ? *objects_.rule().hierarchy : lastHierarchy_;
}

StrengthValues ObjectRegions::strengthValues() const {
    return {hierarchy().strength, hierarchy().weight, objects_.mapping()};
}

const Hierarchy* ObjectRegions::shownHierarchy() const {
    const auto found = objects_.objects();
    const bool isIt = found && found->hierarchy && way() == FindBy::hierarchy &&
                      found->hierarchySpec == hierarchy().specFor(objects_.connectivity());
    return isIt ? found->hierarchy.get() : nullptr;
}

void ObjectRegions::changeHierarchy(const std::function<void(HierarchyRule&)>& edit) {
    const std::optional<std::size_t> regions = regionCount();
    change([&](ObjectRule& rule) {
        if (!rule.hierarchy) {
            return;
        }
        const HierarchyRule before = *rule.hierarchy;
        edit(*rule.hierarchy);
        if (*rule.hierarchy != before && regions) { // strengths of another kind
            rule.hierarchy->above = 0;
            rule.hierarchy->regions = static_cast<std::uint32_t>(
                std::clamp<std::size_t>(*regions, 1, std::numeric_limits<std::uint32_t>::max()));
        }
    });
}

void ObjectRegions::setStrength(Strength strength) {
    changeHierarchy([&](HierarchyRule& rule) { rule.strength = strength; });
}

void ObjectRegions::setWeight(EdgeWeight weight) {
    changeHierarchy([&](HierarchyRule& rule) { rule.weight = weight; });
}

std::optional<LogScale> ObjectRegions::cutScale() const {
    const Hierarchy* const shown = shownHierarchy();
    if (shown == nullptr || shown->strengths().empty()) {
        return std::nullopt;
    }
    const StrengthValues values = strengthValues();
    return LogScale{values.valueOf(0), values.valueOf(shown->strengths().front()),
                    values.valueOf(shown->strengths().back())};
}

std::vector<std::uint32_t> ObjectRegions::mergesBelowColours(int colours) const {
    const Hierarchy* const shown = shownHierarchy();
    const std::optional<LogScale> scale = cutScale();
    std::vector<std::uint32_t> below;
    if (shown == nullptr || !scale) {
        return below;
    }
    const StrengthValues values = strengthValues();
    const std::uint32_t removed = shown->mergesUpTo(hierarchy().cutOf(*shown, objects_.mapping()));
    for (int colour = 0; colour < colours; ++colour) {
        const std::uint64_t strength =
            colour == 0 ? 0 : values.strengthOf(scale->at(colour * LogScale::kSteps / colours));
        below.push_back(std::max(removed, shown->mergesUpTo(strength)));
    }
    return below;
}

std::optional<std::uint32_t> ObjectRegions::mergesAhead() const {
    const Hierarchy* const shown = shownHierarchy();
    if (shown == nullptr || hierarchy().sizes != SizeRange{}) {
        return std::nullopt;
    }
    const std::uint32_t merges = shown->mergesUpTo(hierarchy().cutOf(*shown, objects_.mapping()));
    return merges != objects_.objects()->merges ? std::optional(merges) : std::nullopt;
}

QString ObjectRegions::cutUnit() const { return unitInWords(strengthValues().unit()); }

double ObjectRegions::cut() const {
    const Hierarchy* const shown = shownHierarchy();
    return shown != nullptr ? strengthValues().valueOf(hierarchy().cutOf(*shown, objects_.mapping()))
                            : hierarchy().above;
}

void ObjectRegions::setCut(double value) {
    change([&](ObjectRule& rule) {
        if (rule.hierarchy) {
            const StrengthValues values = strengthValues();
            rule.hierarchy->regions.reset();
            rule.hierarchy->above = std::max(values.valueOf(values.strengthOf(value)), 0.0);
        }
    });
}

std::optional<std::size_t> ObjectRegions::regionCount() const {
    const Hierarchy* const shown = shownHierarchy();
    return shown != nullptr ? std::optional(shown->regionsAt(hierarchy().cutOf(*shown, objects_.mapping())))
                            : std::nullopt;
}

} // namespace pollard::vm
