#include "vm/tree/attribute_plane_view_model.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

using Range = AttributePlaneViewModel::Range;
using Counted = AttributePlaneViewModel::Counted;

bool hasLogarithm(const AttributeColumn& column) { return column.minimum >= 0 && column.maximum > 0; }

/// Whether a logarithmic axis would show all values.
bool suitsLogarithm(const AttributeColumn& column) {
    return column.minimum > 0 && AttributeDomain::of(column.id, &column).values.logarithmic;
}

/// Places of the ends of a range on an axis.
std::pair<double, double> placesOf(const PlaneAxis& axis, const Range& range) {
    const auto place = [&](double value) {
        return std::clamp(axis.values.placeOf(std::max(value, axis.values.low)), 0.0, 1.0);
    };
    return {place(range.low), place(axis.integral ? range.high + 1 : range.high)};
}

QString rangeText(const PlaneAxis& axis, const Range& range) {
    const AttributeInfo& info = attributeInfo(axis.attribute);
    const QString low = shortValue(range.low);
    const QString high = shortValue(range.high);
    const QString values = low == high ? low : AttributePlaneViewModel::tr("%1 to %2").arg(low, high);
    const QString text = QStringLiteral("%1 %2").arg(fromUtf8(info.name), values);
    return info.unit.empty() ? text : QStringLiteral("%1 %2").arg(text, fromUtf8(info.unit));
}

QString componentsText(std::uint64_t nodes) {
    return nodes == 1
               ? AttributePlaneViewModel::tr("1 component")
               : AttributePlaneViewModel::tr("%1 components").arg(QLocale().toString(static_cast<qulonglong>(nodes)));
}

std::shared_ptr<const Counted> countedFrom(const PlaneRequest& request, const AttributePlane& plane) {
    auto made = std::make_shared<Counted>();
    made->plane = plane;
    made->x = PlaneAxis::of(request.x->id, plane.x);
    made->y = PlaneAxis::of(request.y->id, plane.y);
    made->columns = columnSums(plane);
    made->rows = rowSums(plane);
    made->largest = std::ranges::max(plane.counts);
    made->valuesX = request.x;
    made->valuesY = request.y;
    return made;
}

/// 1 for cells that contain one of the nodes.
std::vector<std::uint8_t> cellsOfNodes(const Counted& of, const NodeSet& nodes) {
    const AttributePlane& plane = of.plane;
    const BinFinder binX(plane.x);
    const BinFinder binY(plane.y);
    std::vector<std::uint8_t> cells(plane.counts.size(), 0);
    for (const std::uint32_t node : nodes) {
        if (node >= of.valuesX->size()) {
            break; // they are of a newer tree, whose plane follows
        }
        const std::uint32_t x = binX(of.valuesX->at(node));
        const std::uint32_t y = binY(of.valuesY->at(node));
        if (x < plane.x.count() && y < plane.y.count()) {
            cells[y * plane.x.count() + x] = 1;
        }
    }
    return cells;
}

} // namespace

AttributePlaneViewModel::AttributePlaneViewModel(DocumentViewModel& document, FilterViewModel& filter,
                                                 ChainViewModel& chain, QObject* parent)
    : QObject(parent), document_(document), filter_(filter), chain_(chain) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &AttributePlaneViewModel::onTree);
    connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
        if (waiting_ && (id == attribute(Side::x) || id == attribute(Side::y))) {
            post();
        }
    });
    connect(&document_, &DocumentViewModel::planeCounted, this, &AttributePlaneViewModel::onCounted);
    connect(&filter_.criteria(), &CriteriaModel::changed, this, &AttributePlaneViewModel::onCriteria);
    connect(&chain_, &ChainViewModel::currentChanged, this, &AttributePlaneViewModel::markChanged);
}

bool AttributePlaneViewModel::isLogarithmic(Side side) const {
    const auto column = document_.attribute(attribute(side));
    if (!column) {
        return axis(side).logarithmic.value_or(false);
    }
    return hasLogarithm(*column) && axis(side).logarithmic.value_or(suitsLogarithm(*column));
}

bool AttributePlaneViewModel::canBeLogarithmic(Side side) const {
    const auto column = document_.attribute(attribute(side));
    return !column || hasLogarithm(*column);
}

std::optional<QRectF> AttributePlaneViewModel::rectanglePlaces() const {
    if (!rectangle_ || !counted_) {
        return std::nullopt;
    }
    const auto [left, right] = placesOf(counted_->x, rectangle_->x);
    const auto [low, high] = placesOf(counted_->y, rectangle_->y);
    return QRectF(QPointF(left, low), QPointF(right, high));
}

std::optional<QPointF> AttributePlaneViewModel::markedPlace() const {
    const auto node = chain_.node();
    if (!counted_ || !node || *node >= counted_->valuesX->size()) {
        return std::nullopt;
    }
    const double x = counted_->valuesX->at(*node);
    const double y = counted_->valuesY->at(*node);
    if (!counted_->x.holds(x) || !counted_->y.holds(y)) {
        return std::nullopt;
    }
    return QPointF(counted_->x.placeOf(x), counted_->y.placeOf(y));
}

QString AttributePlaneViewModel::readout(const QPointF& place) const {
    if (!counted_ || !QRectF(0, 0, 1, 1).contains(place)) {
        return {};
    }
    const Cells cell = cellsOf(QRectF(place, place));
    const Rectangle values = rectangleOf(cell);
    const std::uint32_t nodes =
        counted_->plane.at(static_cast<std::size_t>(cell.x[0]), static_cast<std::size_t>(cell.y[0]));
    return tr("%1, %2: %3")
        .arg(rangeText(counted_->x, values.x), rangeText(counted_->y, values.y), componentsText(nodes));
}

QString AttributePlaneViewModel::summary() const {
    if (!counted_) {
        return {};
    }
    if (rectangle_) {
        const QString ranges =
            tr("%1, %2").arg(rangeText(counted_->x, rectangle_->x), rangeText(counted_->y, rectangle_->y));
        const QString kept = inverse_ ? tr("Removed: %1").arg(ranges) : tr("Kept: %1").arg(ranges);
        return inside_ ? tr("%1 (%2)").arg(kept, componentsText(*inside_)) : kept;
    }
    const QString all = componentsText(counted_->valuesX->size());
    return counted_->plane.outside == 0
               ? all
               : tr("%1, %2 of them without a place here")
                     .arg(all, QLocale().toString(static_cast<qulonglong>(counted_->plane.outside)));
}

void AttributePlaneViewModel::setAttribute(Side side, AttributeId id) {
    if (id == attribute(side)) {
        return;
    }
    if (id == attribute(side == Side::x ? Side::y : Side::x)) {
        swapAxes();
        return;
    }
    letGo();
    axis(side) = {id, std::nullopt};
    show(State::empty, nullptr);
    emit axesChanged();
    update();
}

void AttributePlaneViewModel::setLogarithmic(Side side, bool logarithmic) {
    if (logarithmic == isLogarithmic(side)) {
        return;
    }
    axis(side).logarithmic = logarithmic;
    emit axesChanged();
    update();
}

void AttributePlaneViewModel::swapAxes() {
    std::swap(axes_.first, axes_.second);
    std::swap(rowX_, rowY_);
    if (rectangle_) {
        std::swap(rectangle_->x, rectangle_->y);
    }
    show(State::empty, nullptr);
    emit axesChanged();
    update();
}

void AttributePlaneViewModel::setActive(bool active) {
    if (active == active_) {
        return;
    }
    active_ = active;
    emit activeChanged();
    update();
}

void AttributePlaneViewModel::setInverse(bool inverse) {
    if (inverse == inverse_) {
        return;
    }
    inverse_ = inverse;
    if (rectangle_ && counted_) {
        applyRectangle();
    }
    emit inverseChanged();
    emit rectangleChanged();
}

void AttributePlaneViewModel::choose(const QList<QPointF>& polygon) {
    if (!counted_) {
        return;
    }
    std::vector<RegionPoint> corners;
    corners.reserve(static_cast<std::size_t>(polygon.size()));
    for (const QPointF& corner : polygon) {
        corners.push_back({corner.x(), corner.y()});
    }
    auto nodes = std::make_shared<std::vector<std::uint32_t>>();
    worker_.post(
        Lane::fetch,
        [of = counted_, corners = std::move(corners), nodes](const std::stop_token& stop) {
            *nodes = nodesInPolygon(*of->valuesX, of->x, *of->valuesY, of->y, corners, JobControl(stop));
        },
        [this, nodes](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            if (outcome.ok()) {
                emit nodesChosen(nodes);
            }
        });
}

void AttributePlaneViewModel::countInside() {
    inside_.reset();
    worker_.cancel(Lane::filter);
    worker_.forget(Lane::filter);
    if (!counted_ || counted_->valuesX != document_.attribute(attribute(Side::x))) {
        return; // called again when the plane of this tree arrives
    }
    if (const Cells cells = cellsOf(*rectangle_); rectangleOf(cells) == rectangle_) {
        const auto ends = [](const std::array<int, 2>& bins) {
            return std::array{static_cast<std::size_t>(bins[0]), static_cast<std::size_t>(bins[1])};
        };
        inside_ = nodesInCells(counted_->plane, ends(cells.x), ends(cells.y));
        return;
    }
    auto count = std::make_shared<std::uint64_t>(0);
    worker_.post(
        Lane::filter,
        [of = counted_, rectangle = *rectangle_, count](const std::stop_token& stop) {
            const auto criterion = [](const AttributeColumn& column, const Range& range) {
                return Criterion{column.id, range.low, range.high};
            };
            *count = countMeetingBoth(*of->valuesX, criterion(*of->valuesX, rectangle.x), *of->valuesY,
                                      criterion(*of->valuesY, rectangle.y), JobControl(stop));
        },
        [this, rectangle = *rectangle_, count](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            if (outcome.ok() && rectangle == rectangle_) {
                inside_ = *count;
                emit insideCounted();
            }
        });
}

void AttributePlaneViewModel::setSelected(const std::shared_ptr<const NodeSet>& nodes) {
    selected_ = nodes;
    findSelected();
}

void AttributePlaneViewModel::findSelected() {
    worker_.cancel(Lane::build);
    worker_.forget(Lane::build);
    if (std::exchange(cells_, nullptr)) {
        emit selectedCellsChanged();
    }
    if (!counted_ || !selected_ || selected_->empty()) {
        return;
    }
    auto cells = std::make_shared<std::vector<std::uint8_t>>();
    worker_.post(
        Lane::build,
        [of = counted_, nodes = selected_, cells](const std::stop_token&) { *cells = cellsOfNodes(*of, *nodes); },
        [this, cells](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            if (outcome.ok()) {
                cells_ = cells;
                emit selectedCellsChanged();
            }
        });
}

void AttributePlaneViewModel::onTree() {
    show(State::empty, nullptr); // the displayed plane is of another tree
    update();
}

void AttributePlaneViewModel::update() {
    for (const Lane lane : {Lane::filter, Lane::fetch}) { // both use the previous plane
        worker_.cancel(lane);
        worker_.forget(lane);
    }
    request_.reset();
    waiting_ = false;
    if (!active_ || !document_.tree()) {
        show(State::empty, nullptr);
        return;
    }
    show(State::computing, counted_);
    waiting_ = true;
    post();
}

void AttributePlaneViewModel::post() {
    const auto x = document_.attribute(attribute(Side::x));
    const auto y = document_.attribute(attribute(Side::y));
    if (!x || !y) {
        document_.requestAttribute(x ? attribute(Side::y) : attribute(Side::x));
        return;
    }
    waiting_ = false;
    emit axesChanged(); // the default scale is known once the values are
    const auto spec = [this](Side side, std::uint32_t count) {
        return BinSpec{count, isLogarithmic(side) ? BinScale::log : BinScale::linear, {}, {}};
    };
    request_ = std::make_shared<const PlaneRequest>(PlaneRequest{x, spec(Side::x, kColumns), y, spec(Side::y, kRows)});
    document_.requestPlane(request_);
}

void AttributePlaneViewModel::onCounted(const std::shared_ptr<const PlaneRequest>& request,
                                        const std::shared_ptr<const AttributePlane>& plane, const QString& problem) {
    if (request != request_) {
        return;
    }
    request_.reset();
    if (!plane) {
        problem_ = problem;
        show(State::failed, nullptr);
        return;
    }
    show(State::ready, countedFrom(*request, *plane));
    if (rectangle_ && inverse_ == (rowX_ >= 0)) { // inverted during the count
        applyRectangle();
    }
    if (rectangle_) {
        countInside();
        if (inside_) {
            emit insideCounted();
        }
    }
}

void AttributePlaneViewModel::show(State state, std::shared_ptr<const Counted> counted) {
    if (state == state_ && counted == counted_) {
        return;
    }
    state_ = state;
    const bool otherPlane = counted != counted_;
    counted_ = std::move(counted);
    emit changed();
    emit markChanged();
    if (otherPlane) {
        findSelected();
    }
}

} // namespace pollard::vm
