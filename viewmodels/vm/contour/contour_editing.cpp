#include "vm/contour/contour_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/node_picking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// ContourViewModel: starts, further contours, moving nodes.
namespace pollard::vm {

namespace {

ContourNode cornerAt(const QPointF& image, const QSize& picture) {
    const auto place = [](double value, int limit) {
        return static_cast<std::int32_t>(std::lround(std::clamp(value, 0.0, static_cast<double>(limit))));
    };
    return {place(image.x(), picture.width()), place(image.y(), picture.height())};
}

} // namespace

void ContourViewModel::startWith(MakeContours make, std::size_t count, const QString& origin, bool add) {
    const bool joins = add && (starting_ != 0 || current_ >= 0);
    ContourStart start = joins && starting_ != 0 ? pending_ : branchStart();
    if (joins) {
        const MakeContours before =
            starting_ != 0 ? pending_.make : [nodes = nodes_](const JobControl&) { return nodes; };
        start.make = [before, make = std::move(make)](const JobControl& control) {
            std::vector<Contour> all = before(control);
            for (Contour& contour : make(control)) {
                all.push_back(std::move(contour));
            }
            requireFewContours(all.size());
            return all;
        };
        start.contour = std::numeric_limits<std::size_t>::max();
    } else {
        start.make = std::move(make);
        start.origin = origin;
        start.parent = start.parentState = 0;
        start.contour = 0;
        start.engine.apart = reach_ ? *reach_ : count == 1 ? std::optional(kUsualMargin) : std::nullopt;
        takeEngine(start.engine);
    }
    begin(std::move(start));
}

void ContourViewModel::startFrom(const Contour& contour, const QString& origin) { startFromAll({contour}, origin); }

void ContourViewModel::startFromAll(const std::vector<Contour>& contours, const QString& origin, bool add) {
    startWith([contours](const JobControl&) { return contours; }, contours.size(), origin, add);
}

void ContourViewModel::startFromShapes(const std::vector<RegionShape>& shapes, bool add) {
    const auto image = document_.image();
    if (!image || shapes.empty()) {
        return;
    }
    const RegionShape::Kind kind = shapes.front().kind;
    const QString origin = shapes.size() > 1                      ? tr("%1 shapes").arg(shapes.size())
                           : kind == RegionShape::Kind::rectangle ? tr("rectangle")
                           : kind == RegionShape::Kind::ellipse   ? tr("ellipse")
                                                                  : tr("polygon");
    startFromAll(contoursOf(shapes, spec_, image->width(), image->height()), origin, add);
}

void ContourViewModel::startInMiddle(const QRectF& part, bool add) {
    const QPointF quarter(part.width() / 4, part.height() / 4);
    const QPointF from = part.topLeft() + quarter;
    const QPointF to = part.bottomRight() - quarter;
    startFromShapes({{RegionShape::Kind::rectangle, {{from.x(), from.y()}, {to.x(), to.y()}}}}, add);
}

void ContourViewModel::startFromObject(const std::shared_ptr<const FoundObjects>& objects, quint32 label) {
    startFromObjects(objects, {label});
}

void ContourViewModel::startFromObjects(const std::shared_ptr<const FoundObjects>& objects,
                                        const std::vector<quint32>& labels, bool add) {
    const auto isNone = [&](quint32 label) { return label == 0 || label > objects->components.count; };
    if (!objects || labels.empty() || std::ranges::any_of(labels, isNone)) {
        setProblem(tr("No object is selected."));
        return;
    }
    startWith(outlinesOf(objects, labels, spec_), labels.size(),
              labels.size() > 1 ? tr("%1 objects").arg(labels.size()) : tr("object %1").arg(labels.front()), add);
}

void ContourViewModel::startFromComponent(quint32 canonical, bool add) {
    const auto tree = document_.tree();
    const auto node = tree ? nodeOfCanonical(*tree, canonical) : std::nullopt;
    if (!node) {
        setProblem(tr("The component is not in this tree."));
        return;
    }
    startFromNodes(std::make_shared<const NodeSet>(NodeSet{*node}), add);
}

void ContourViewModel::startFromNodes(const std::shared_ptr<const NodeSet>& nodes, bool add) {
    const auto tree = document_.tree();
    if (!tree || !nodes || nodes->empty()) {
        setProblem(tr("No component is selected."));
        return;
    }
    // In preorder the first node contains all others, or there are several components.
    const bool isOne = nodes->back() < tree->subtreeEnd[nodes->front()];
    startWith(outlinesOf(tree, nodes, spec_), isOne ? 1 : nodes->size(),
              nodes->size() > 1 ? tr("selection") : tr("component"), add);
}

void ContourViewModel::setContour(int index) {
    if (index < 0 || index >= contourCount() || index == contour_) {
        return;
    }
    cancelDrag();
    contour_ = index;
    present()->contour = static_cast<std::size_t>(index);
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
}

void ContourViewModel::removeContour(int index) {
    if (index < 0 || index >= contourCount() || contourCount() < 2) {
        return;
    }
    std::vector<Contour> rest = nodes_;
    rest.erase(rest.begin() + index);
    branch(std::move(rest));
}

void ContourViewModel::beginDrag(int node) {
    if (canDrag() && node >= 0 && std::cmp_less(node, nodes().size())) {
        dragged_ = Dragged{node, nodes()};
        emit shownChanged();
    }
}

void ContourViewModel::dragTo(const QPointF& image) {
    const auto picture = document_.image();
    if (!dragged_ || !picture) {
        return;
    }
    const ContourNode place =
        cornerAt(image, QSize(static_cast<int>(picture->width()), static_cast<int>(picture->height())));
    const auto node = static_cast<std::size_t>(dragged_->node);
    const Contour& before = nodes_[static_cast<std::size_t>(contour_)];
    const std::size_t count = before.size();
    dragged_->nodes[node] = place;
    dragged_->moved = place != before[node];
    dragged_->allowed = !dragged_->moved || !wouldTouch(before, (node + count - 1) % count, (node + 1) % count, place);
    emit shownChanged();
}

void ContourViewModel::endDrag() {
    if (!dragged_) {
        return;
    }
    Dragged ended = *std::exchange(dragged_, std::nullopt);
    if (ended.moved && ended.allowed) {
        nodes_[static_cast<std::size_t>(contour_)] = std::move(ended.nodes); // shown until the new run arrives
        branch(nodes_);
    } else if (ended.moved) {
        setProblem(tr("The node went back: there the contour would touch or cross itself."));
    }
    emit shownChanged();
}

void ContourViewModel::cancelDrag() {
    if (std::exchange(dragged_, std::nullopt)) {
        emit shownChanged();
    }
}

} // namespace pollard::vm
