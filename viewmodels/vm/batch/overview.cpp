#include "vm/batch/overview.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/region_edit.hpp"

#include "filter/filter_units.hpp"

#include <QRectF>
#include <QSizeF>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// Bounds for the other image; those that do not apply to the shown one stay.
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
        return tr("No picture is open.");
    }
    if (document_.isVolume()) {
        return tr("This is a volume.");
    }
    const OpenRequest& shown = document_.request();
    if (shown.level == 0 && shown.shrink == 1) {
        return tr("The picture is shown at full resolution.");
    }
    return {};
}

PixelRegion Overview::visibleRegion() const {
    const ImageInfo& info = *document_.imageInfo();
    const ImagePlace place = placeOf(document_.request(), info);
    const ViewTransform& view = display_.view();
    const QRectF picture(QPointF(0, 0), QSizeF(view.imageSize));
    const QRectF seen(view.toImage({0, 0}), view.toImage({view.viewSize.width(), view.viewSize.height()}));
    const QRectF shown = view.viewSize.isEmpty() ? picture : picture & seen;
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
    left_ = Left{document_.request(), ShownPart::of(document_.request(), *document_.imageInfo())};
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
    const std::optional<Left> left = std::exchange(left_, std::nullopt);
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
