#include "vm/batch/overview.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/region_edit.hpp"

#include "filter/filter_units.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRectF>
#include <QSizeF>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

QString wholeText(const char* source) { return QCoreApplication::translate("WholePage", source); }

/// The value grows by the factor to this power.
int growthOf(AttributeId id) {
    switch (id) {
    case AttributeId::border: // counted along an edge
        return 1;
    case AttributeId::volume: // grey levels added over an area
    case AttributeId::sum:
    case AttributeId::extinctionVolume:
        return 2;
    default:
        return powerOf(attributeInfo(id).dimension);
    }
}

bool isPosition(AttributeId id) { return id == AttributeId::centroidX || id == AttributeId::centroidY; }

/// Converts a bound from pixels of the shown image to pixels of another image.
double onWholePage(double bound, AttributeId id, const ShownPart& shown, const ShownPart& other) {
    if (isPosition(id)) { // pixel centres are at whole numbers
        const double corner = id == AttributeId::centroidX ? shown.x - other.x : shown.y - other.y;
        return (corner + (bound + 0.5) * shown.factor) / other.factor - 0.5;
    }
    const double grown = bound * std::pow(shown.factor / other.factor, growthOf(id));
    const bool isWhole = attributeInfo(id).integral && bound == std::round(bound); // values need not be
    return isWhole && std::isfinite(grown) ? std::round(grown) : grown;
}

QString withUnit(const QString& bounds, const Criterion& criterion) {
    const QString unit = fromUtf8(attributeInfo(criterion.attribute).unit);
    return criterion.unit == LengthUnit::pixel && unit == QLatin1String("px") ? bounds + QStringLiteral(" px") : bounds;
}

} // namespace

ShownPart ShownPart::of(const OpenRequest& request, const ImageInfo& info) {
    const auto level = static_cast<std::size_t>(request.level);
    const double reduction = level > 0 && level < info.levels.size() ? static_cast<double>(info.levels.front().width) /
                                                                           static_cast<double>(info.levels[level].width)
                                                                     : 1.0;
    ShownPart shown;
    shown.factor = reduction * request.shrink;
    if (request.region) {
        shown.x = reduction * request.region->x;
        shown.y = reduction * request.region->y;
    }
    shown.pixelSize = info.pixelSize;
    shown.mapping = info.mapping;
    return shown;
}

Criterion onWholePage(const Criterion& criterion, const ShownPart& shown, const ShownPart& other) {
    const bool isMoved = isPosition(criterion.attribute) && (shown.x != other.x || shown.y != other.y);
    if (criterion.unit != LengthUnit::pixel && !isMoved) {
        return criterion;
    }
    const Criterion pixels = criterion.unit == LengthUnit::pixel ? criterion : inPixels(criterion, shown.units());
    return {pixels.attribute, onWholePage(pixels.minimum, pixels.attribute, shown, other),
            onWholePage(pixels.maximum, pixels.attribute, shown, other), LengthUnit::pixel, criterion.grey};
}

FilterSpec onWholePage(FilterSpec filter, const ShownPart& shown) {
    std::erase_if(filter.criteria,
                  [&](const Criterion& criterion) { return !criterionProblem(criterion, shown.units()).empty(); });
    for (Criterion& criterion : filter.criteria) {
        criterion = onWholePage(criterion, shown);
    }
    return filter;
}

QString wholePageText(const Criterion& criterion, const ShownPart& shown, const OpenRequest& request) {
    const Criterion whole = onWholePage(criterion, shown);
    const QLocale locale;
    const auto& mapping = shown.mapping;
    QString text = withUnit(boundedText(readable(whole, mapping), attributeTitle(whole.attribute), locale), whole);
    if (whole == criterion) {
        return text;
    }
    const QString bounds = withUnit(boundsText(readable(criterion, mapping), locale), criterion);
    const char* const note = request.region      ? QT_TRANSLATE_NOOP("WholePage", "%1 (%2 in the shown part)")
                             : request.level > 0 ? QT_TRANSLATE_NOOP("WholePage", "%1 (%2 on the shown level)")
                                                 : QT_TRANSLATE_NOOP("WholePage", "%1 (%2 in the shrunk image)");
    return wholeText(note).arg(text, bounds);
}

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Converts bounds to the other image; bounds that do not apply to the shown image stay.
ChosenBounds converted(AttributeId id, const ChosenBounds& bounds, const ShownPart& from, const ShownPart& to) {
    const Criterion shown{
        id, bounds.minimum.value_or(-kNone), bounds.maximum.value_or(kNone), bounds.unit, bounds.grey, bounds.cubed};
    if (!criterionProblem(shown, from.units()).empty()) {
        return bounds;
    }
    const Criterion other = onWholePage(shown, from, to);
    ChosenBounds result{{}, {}, other.unit, other.grey, other.cubed};
    if (bounds.minimum) {
        result.minimum = other.minimum;
    }
    if (bounds.maximum) {
        result.maximum = other.maximum;
    }
    return result;
}

/// A range of px that holds [low, high), within [0, side).
std::pair<std::uint32_t, std::uint32_t> pixelsOf(double low, double high, std::uint32_t side) {
    const double first = std::clamp(std::floor(low), 0.0, side - 1.0);
    const double last = std::clamp(std::ceil(high), first + 1, static_cast<double>(side));
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)};
}

} // namespace

Overview::Overview(DocumentViewModel& document, DisplayViewModel& display, FilterViewModel& filter, QObject* parent)
    : QObject(parent), document_(document), display_(display), filter_(filter) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &Overview::onImage);
}

QString Overview::problem() const {
    if (!document_.hasImage()) {
        return tr("No image is open.");
    }
    if (document_.isVolume()) {
        return tr("This is a volume.");
    }
    const OpenRequest& shown = document_.request();
    if (shown.level == 0 && shown.shrink == 1) {
        return tr("The image is shown at full resolution.");
    }
    return {};
}

PixelRegion Overview::visibleRegion() const {
    const ImageInfo& info = *document_.imageInfo();
    const ImagePlace place = placeOf(document_.request(), info);
    const ViewTransform& view = display_.view();
    const QRectF image(QPointF(0, 0), QSizeF(view.imageSize));
    const QRectF seen(view.toImage({0, 0}), view.toImage({view.viewSize.width(), view.viewSize.height()}));
    const QRectF shown = view.viewSize.isEmpty() ? image : image & seen;
    const ResolutionLevel page = info.levels.empty() ? ResolutionLevel{info.width, info.height} : info.levels.front();
    const auto onPage = [&](QPointF point) { return point / place.scale + place.offset; };
    const QPointF first = onPage(shown.topLeft());
    const QPointF last = onPage(shown.bottomRight());
    const auto [x, width] = pixelsOf(first.x(), last.x(), page.width);
    const auto [y, height] = pixelsOf(first.y(), last.y(), page.height);
    return {x, y, width, height};
}

bool Overview::canReturn() const {
    return origin_ && document_.hasImage() && document_.request().region &&
           document_.request().path == origin_->request.path;
}

void Overview::leaveFor(const OpenRequest& request) {
    previous_ = PreviousImage{document_.request(), ShownPart::of(document_.request(), *document_.imageInfo())};
    document_.openAs(request);
}

void Overview::openVisible() {
    if (!problem().isEmpty()) {
        return;
    }
    OpenRequest part = document_.request();
    part.region = visibleRegion();
    part.level = 0;
    part.shrink = 1;
    origin_ = Origin{document_.request(), display_.zoom(), display_.centre()};
    leaveFor(part);
}

void Overview::goBack() {
    if (canReturn()) {
        OpenRequest overview = origin_->request;
        overview.pixelSize = document_.request().pixelSize;
        leaveFor(overview);
    }
}

void Overview::choose() {
    OpenRequest page = document_.request();
    page.region.reset();
    page.level = 0;
    page.shrink = 1;
    document_.askAbout(page);
}

void Overview::onImage() {
    const std::optional<PreviousImage> left = std::exchange(previous_, std::nullopt);
    const OpenRequest& shown = document_.request();
    if (left && document_.hasImage() && shown.path == left->request.path) {
        convertFilter(left->part);
    }
    if (origin_ && shown.sameImage(origin_->request)) {
        display_.setZoom(origin_->zoom);
        display_.setCentre(origin_->centre);
        origin_.reset();
    } else if (origin_ && shown.path != origin_->request.path) {
        origin_.reset();
    }
    emit changed();
}

void Overview::convertFilter(const ShownPart& from) {
    const ShownPart to = ShownPart::of(document_.request(), *document_.imageInfo());
    FilterViewModel::State state = filter_.state();
    for (CriterionEntry& entry : state.criteria.entries) {
        for (auto& [id, bounds] : entry.chosen) {
            bounds = converted(id, bounds, from, to);
        }
    }
    if (state != filter_.state()) {
        filter_.setState(state);
        filter_.apply();
    }
}

} // namespace pollard::vm
