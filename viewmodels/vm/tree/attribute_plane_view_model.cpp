#include "vm/tree/attribute_plane_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include <utility>

namespace pollard::vm {

namespace {

bool hasLogarithm(const AttributeColumn& column) { return column.minimum >= 0 && column.maximum > 0; }

/// Whether a logarithmic axis would show all values.
bool suitsLogarithm(const AttributeColumn& column) {
    return column.minimum > 0 && AttributeDomain::of(column.id, &column).values.logarithmic;
}

} // namespace

AttributePlaneViewModel::AttributePlaneViewModel(DocumentViewModel& document, FilterViewModel& filter,
                                                 ChainViewModel& chain, QObject* parent)
    : Analysis(parent), document_(document), filter_(filter), chain_(chain) {
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
    return rectangle_ && counted_ ? std::optional(counted_->placesOf(*rectangle_)) : std::nullopt;
}

std::optional<QPointF> AttributePlaneViewModel::markedPlace() const {
    const auto node = chain_.node();
    return counted_ && node ? counted_->placeOf(*node) : std::nullopt;
}

QString AttributePlaneViewModel::summary() const {
    if (!counted_) {
        return {};
    }
    if (rectangle_) {
        const QString kept = (inverse_ ? tr("Removed: %1") : tr("Kept: %1")).arg(counted_->textOf(*rectangle_));
        return inside_ ? tr("%1 (%2)").arg(kept, componentsText(*inside_)) : kept;
    }
    const QString all = componentsText(counted_->valuesX->size());
    return counted_->plane.outside == 0
               ? all
               : tr("%1, of which %2 have no place here").arg(all, countText(counted_->plane.outside));
}

void AttributePlaneViewModel::setAttribute(Side side, AttributeId id) {
    if (id == attribute(side)) {
        return;
    }
    if (id == attribute(side == Side::x ? Side::y : Side::x)) {
        swapAxes();
        return;
    }
    dropRectangle();
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
    criteria_.swapAxes();
    if (rectangle_) {
        std::swap(rectangle_->x, rectangle_->y);
    }
    show(State::empty, nullptr);
    emit axesChanged();
    update();
}

void AttributePlaneViewModel::setInverse(bool inverse) {
    if (!change(inverse_, inverse)) {
        return;
    }
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
    using Nodes = std::shared_ptr<const std::vector<std::uint32_t>>;
    worker_.post(
        Lane::fetch,
        [of = counted_, corners = std::move(corners)](const std::stop_token& stop) -> Nodes {
            return std::make_shared<std::vector<std::uint32_t>>(
                nodesInPolygon(*of->valuesX, of->x, *of->valuesY, of->y, corners, JobControl(stop)));
        },
        [this](const JobOutcome& outcome, const Nodes& nodes) {
            if (outcome.ok()) {
                emit nodesChosen(nodes);
            }
        });
}

void AttributePlaneViewModel::countInside() {
    inside_.reset();
    worker_.stop(Lane::filter);
    if (!counted_ || counted_->valuesX != document_.attribute(attribute(Side::x))) {
        return; // called again when the plane of this tree arrives
    }
    if (const PlaneCells cells = counted_->cellsOf(*rectangle_); counted_->rectangleOf(cells) == rectangle_) {
        inside_ = counted_->nodesIn(cells);
        return;
    }
    worker_.post(
        Lane::filter,
        [of = counted_, rectangle = *rectangle_](const std::stop_token& stop) {
            const auto criterion = [](const AttributeColumn& column, const Range& range) {
                return Criterion{column.id, range.low, range.high};
            };
            return countMeetingBoth(*of->valuesX, criterion(*of->valuesX, rectangle.x), *of->valuesY,
                                    criterion(*of->valuesY, rectangle.y), JobControl(stop));
        },
        [this, rectangle = *rectangle_](const JobOutcome& outcome, std::uint64_t count) {
            if (outcome.ok() && rectangle == rectangle_) {
                inside_ = count;
                emit insideCounted();
            }
        });
}

void AttributePlaneViewModel::setSelected(const std::shared_ptr<const NodeSet>& nodes) {
    selected_ = nodes;
    findSelected();
}

void AttributePlaneViewModel::findSelected() {
    cells_.clear();
    if (counted_ && selected_ && !selected_->empty()) {
        cells_.compute([of = counted_, nodes = selected_](const std::stop_token&) { return of->marked(*nodes); });
    }
}

void AttributePlaneViewModel::onTree() {
    show(State::empty, nullptr); // the displayed plane is of another tree
    update();
}

void AttributePlaneViewModel::update() {
    for (const Lane lane : {Lane::filter, Lane::fetch}) { // both use the previous plane
        worker_.stop(lane);
    }
    request_.reset();
    waiting_ = false;
    if (!isActive() || !document_.tree()) {
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
    show(State::ready, std::make_shared<const Counted>(*request, *plane, mappingOf(document_)));
    if (rectangle_ && inverse_ != criteria_.isInverse()) { // inverted during the count
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

// The rectangle

void AttributePlaneViewModel::brush(const QRectF& places) {
    if (counted_) {
        take(counted_->cellsAt(places.normalized()));
    }
}

void AttributePlaneViewModel::reshape(const QRectF& places) {
    if (counted_ && rectangle_) {
        take(counted_->cellsBetween(places));
    }
}

void AttributePlaneViewModel::moveBy(int columns, int rows) {
    if (counted_ && rectangle_) {
        take(counted_->moved(counted_->cellsOf(*rectangle_), columns, rows));
    }
}

void AttributePlaneViewModel::resizeBy(int columns, int rows) {
    if (counted_ && rectangle_) {
        take(counted_->resized(counted_->cellsOf(*rectangle_), columns, rows));
    }
}

void AttributePlaneViewModel::take(const PlaneCells& cells) {
    const bool first = !rectangle_;
    if (!change(rectangle_, counted_->rectangleOf(cells))) {
        return;
    }
    if (first) {
        criteria_.begin(filter_.criteria().state());
    }
    countInside();
    applyRectangle();
    emit rectangleChanged();
}

void AttributePlaneViewModel::applyRectangle() {
    setCriteria(criteria_.apply(*rectangle_, inverse_, *counted_->valuesX, *counted_->valuesY, mappingOf(document_)));
}

void AttributePlaneViewModel::setCriteria(const CriteriaModel::State& state) {
    applying_ = true;
    filter_.criteria().setState(state);
    filter_.setEnabled(true);
    applying_ = false;
}

bool AttributePlaneViewModel::recall(const CriteriaModel::State& present) {
    const auto found = criteria_.recall(present, attribute(Side::x), attribute(Side::y));
    if (!found) {
        return false;
    }
    const bool turned = std::exchange(inverse_, found->inverse) != found->inverse;
    rectangle_ = criteria_.rectangleIn(filter_.criteria(), found->rectangle);
    countInside();
    if (turned) {
        emit inverseChanged();
    }
    emit rectangleChanged();
    return true;
}

void AttributePlaneViewModel::clear() {
    if (rectangle_) {
        rectangle_.reset();
        inside_.reset();
        setCriteria(criteria_.before());
        emit rectangleChanged();
    }
}

void AttributePlaneViewModel::dropRectangle() {
    if (rectangle_) {
        rectangle_.reset();
        inside_.reset();
        emit rectangleChanged();
    }
}

void AttributePlaneViewModel::onCriteria() {
    if (applying_) {
        return;
    }
    const CriteriaModel::State present = filter_.criteria().state();
    if (!rectangle_ || !criteria_.follow(present)) {
        if (!recall(present)) {
            dropRectangle();
        }
        return;
    }
    // Changed bounds move the rectangle, and so does another tree, because bounds are clamped to its values.
    if (change(rectangle_, criteria_.rectangleIn(filter_.criteria(), *rectangle_))) {
        countInside();
        emit rectangleChanged();
    }
}

} // namespace pollard::vm
