#include "vm/contour/contour_view_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include "base/error.hpp"
#include "filter/node_decision.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_starts.hpp"
#include "snake/contour_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

ContourViewModel::ContourViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), settings_(document), runs_(document), playback_(runs_),
      computing_(document, settings_, runs_, playback_), follow_(document, runs_, playback_, computing_),
      session_(document, settings_, runs_, playback_, computing_) {
    connect(&settings_, &ContourSettings::edited, this, &ContourViewModel::restart);
    connect(&settings_.forbidden(), &ForbiddenArea::changed, this, &ContourViewModel::onForbidden);
    connect(&document_, &DocumentViewModel::imageChanged, this, &ContourViewModel::onImage);
    connect(&document_, &DocumentViewModel::sliceChanged, this, &ContourViewModel::onImage);
}

void ContourViewModel::onImage() {
    DeferredRelease old;
    law_.clear();
    const OpenRequest next = document_.pageRequest();
    const OpenRequest& last = runs_.image();
    const bool isSameStack = document_.hasImage() && !last.sameImage(next) && last.sameStack(next);
    computing_.reset(old);
    session_.leave(isSameStack);
    playback_.setPlaying(false);
    follow_.forget();
    if (!isSameStack) {
        follow_.stop();
    }
    runs_.showPage(next, isSameStack, old);
    runs_.setProblem({});
    if (const ContourRun* run = runs_.currentRun()) {
        settings_.adopt(*run);
    }
    runs_.announce();
    emit playback_.changed();
    emit follow_.changed();
    session_.makeSavedRuns();
}

void ContourViewModel::onForbidden() {
    if (!settings_.isAdopting() && document_.pageRequest().sameImage(runs_.image())) {
        restart();
    }
}

void ContourViewModel::setActive(bool active) {
    if (!change(active_, active)) {
        return;
    }
    playback_.setActive(active);
    if (!active_) {
        playback_.pause();
        runs_.cancelDrag();
        settings_.forbidden().setPainting(false);
    }
    emit activeChanged();
}

ContourStart ContourViewModel::branchStart() const {
    ContourStart start{{settings_.spec(), settings_.engine(), settings_.forbidden().mask(), {}}, {}};
    if (const ContourRun* run = runs_.currentRun()) {
        const bool moved = run->record.count() > 1;
        start.origin = run->origin;
        start.parent = moved ? run->id : run->parent;
        start.parentState = moved ? run->shown : run->parentState;
        start.contour = run->contour;
    }
    return start;
}

void ContourViewModel::branch(std::vector<Contour> nodes) {
    ContourStart start = branchStart();
    start.make = [nodes = std::move(nodes)](const JobControl&) { return nodes; };
    computing_.begin(std::move(start));
}

/// Uses the present settings for the pending start, or branches from the shown state.
void ContourViewModel::restart() {
    if (const auto& pending = runs_.pending()) {
        ContourStart again = *pending;
        again.spec = settings_.spec();
        again.choosesLaw = again.choosesLaw && settings_.isLawAutomatic();
        again.engine = settings_.engine();
        again.forbidden = settings_.forbidden().mask();
        computing_.begin(std::move(again));
    } else if (runs_.current() >= 0) {
        branch(runs_.allNodes());
    }
}

void ContourViewModel::startWith(MakeContours make, std::size_t count, const QString& origin, bool add) {
    if (const auto mapping = originalMappingOf(document_); mapping && !mapping->isProportional()) {
        runs_.setProblem(tr("The levels of this image are ranks of its values, which have no means: set the range of "
                            "values in the Image panel to smallest to largest."));
        return;
    }
    const std::optional<ContourStart>& pending = runs_.pending();
    const bool joins = add && (pending || runs_.current() >= 0);
    ContourStart start = joins && pending ? *pending : branchStart();
    if (joins) {
        const MakeContours before =
            pending ? pending->make : [nodes = runs_.allNodes()](const JobControl&) { return nodes; };
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
        start.choosesLaw = settings_.isLawAutomatic();
        start.engine.apart = settings_.reachOfNew(count);
        settings_.adopt(start.spec, start.engine, start.forbidden);
    }
    computing_.begin(std::move(start));
}

void ContourViewModel::startFrom(const std::vector<Contour>& contours, const QString& origin, bool add) {
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
    startFrom(contoursOf(shapes, settings_.spec(), image->width(), image->height()), origin, add);
}

void ContourViewModel::startInMiddle(const QRectF& part, bool add) {
    const QPointF quarter(part.width() / 4, part.height() / 4);
    const QPointF from = part.topLeft() + quarter;
    const QPointF to = part.bottomRight() - quarter;
    startFromShapes({{RegionShape::Kind::rectangle, {{from.x(), from.y()}, {to.x(), to.y()}}}}, add);
}

void ContourViewModel::startFromObjects(const std::shared_ptr<const FoundObjects>& objects,
                                        const std::vector<quint32>& labels, bool add) {
    if (objects && objects->components.isVolume()) {
        runs_.setProblem(imagesOnlyText());
        return;
    }
    const auto isNone = [&](quint32 label) { return label == 0 || label > objects->components.count; };
    if (!objects || labels.empty() || std::ranges::any_of(labels, isNone)) {
        runs_.setProblem(tr("No object is selected."));
        return;
    }
    const auto outlines = [objects, labels, spec = settings_.spec()](const JobControl& control) {
        requireFewContours(labels.size());
        return outlinesOf(objects->components, labels, spec, control);
    };
    startWith(outlines, labels.size(),
              labels.size() > 1 ? tr("%1 objects").arg(labels.size()) : tr("object %1").arg(labels.front()), add);
}

void ContourViewModel::startFromComponent(quint32 canonical, bool add) {
    const auto tree = document_.tree();
    const auto node = tree ? nodeOfCanonical(*tree, canonical) : std::nullopt;
    if (!node) {
        runs_.setProblem(tr("The component is not in this tree."));
        return;
    }
    startFromNodes(std::make_shared<const NodeSet>(NodeSet{*node}), add);
}

void ContourViewModel::startFromNodes(const std::shared_ptr<const NodeSet>& nodes, bool add) {
    const auto tree = document_.tree();
    if (!tree || !nodes || nodes->empty()) {
        runs_.setProblem(tr("No component is selected."));
        return;
    }
    // In preorder the first node contains all other nodes, or there are several components.
    const bool isOne = nodes->back() < tree->subtreeEnd[nodes->front()];
    const auto outlines = [tree, nodes, slice = document_.shown().slice,
                           spec = settings_.spec()](const JobControl& control) {
        const std::vector<NodeInterval> components = maximalComponents(*tree, *nodes);
        requireFewContours(components.size());
        ThinnedOutlines thinned(spec, tree->width, tree->height);
        for (const NodeInterval& component : components) {
            control.throwIfStopped();
            const Mask mask = maskOfNodes(*tree, flagsOf(*tree, {component}), slice);
            if (mask.count() != 0) { // of a volume, a component may lie in other slices only
                thinned.add(outlineOf(mask, {}, control));
            }
        }
        std::vector<Contour> found = thinned.take();
        if (found.empty()) {
            throw Error(ErrorCode::invalidArgument, "start contours: this slice has no pixel of the components");
        }
        return found;
    };
    startWith(outlines, isOne ? 1 : nodes->size(), nodes->size() > 1 ? tr("selection") : tr("component"), add);
}

void ContourViewModel::chooseLaw() {
    settings_.setLawAutomatic(true);
    if (runs_.pending() || runs_.current() < 0) {
        return;
    }
    law_.compute([ground = computing_.ground(), contours = runs_.allNodes(), apart = settings_.engine().apart](
                     const std::stop_token&) { return chosenLaw(*ground.image, ground.valid.get(), contours, apart); });
}

void ContourViewModel::takeLaw() {
    if (!law_.value()) {
        return;
    }
    SnakeSpec spec = settings_.spec();
    spec.law = *law_.value();
    law_.clear();
    settings_.setSpec(spec);
    emit runs_.noticeRaised(tr("Law of the levels by the noise: %1").arg(lawName(spec.law)));
}

void ContourViewModel::setLaw(RegionLaw law) {
    law_.clear();
    settings_.setLawAutomatic(false);
    SnakeSpec spec = settings_.spec();
    spec.law = law;
    if (runs_.pending() && spec == settings_.spec()) {
        restart(); // without the choice of a law
    }
    settings_.setSpec(spec);
}

void ContourViewModel::selectRun(int index) {
    if (runs_.has(index) && index != runs_.current()) {
        playback_.pause();
        runs_.cancelDrag();
        runs_.setProblem({});
        runs_.select(index);
        settings_.adopt(*runs_.currentRun());
        runs_.announce();
    }
}

void ContourViewModel::setRunList(const ContourRunList& list) {
    if (runs_.list() == list) {
        return;
    }
    follow_.stop();
    playback_.pause();
    runs_.cancelDrag();
    computing_.halt();
    runs_.setProblem({});
    runs_.setList(list);
    if (const ContourRun* run = runs_.currentRun()) {
        settings_.adopt(*run);
    }
    runs_.announce();
    emit playback_.changed();
    emit follow_.changed();
}

void ContourViewModel::deleteRun(int index) {
    if (!runs_.has(index)) {
        return;
    }
    const bool isCurrent = index == runs_.current();
    if (isCurrent) {
        playback_.pause();
        runs_.cancelDrag();
    }
    computing_.drop(runs_.all()[static_cast<std::size_t>(index)].id);
    runs_.setProblem({});
    runs_.remove(index);
    if (const ContourRun* run = runs_.currentRun(); isCurrent && run != nullptr) {
        settings_.adopt(*run);
    }
    runs_.announce();
    emit playback_.changed();
}

void ContourViewModel::removeContour(int index) {
    if (index >= 0 && index < runs_.contourCount() && runs_.contourCount() > 1) {
        std::vector<Contour> rest = runs_.allNodes();
        rest.erase(rest.begin() + index);
        branch(std::move(rest));
    }
}

void ContourViewModel::beginDrag(int node) {
    if (playback_.canDrag()) {
        runs_.beginDrag(node);
    }
}

void ContourViewModel::dragTo(const QPointF& image) {
    const auto whole = document_.image();
    if (runs_.drag() && whole) {
        const auto place = [](double value, std::uint32_t limit) {
            return static_cast<std::int32_t>(std::lround(std::clamp(value, 0.0, static_cast<double>(limit))));
        };
        runs_.dragTo({place(image.x(), whole->width()), place(image.y(), whole->height())});
    }
}

void ContourViewModel::endDrag() {
    const auto drag = runs_.takeDrag();
    if (!drag) {
        return;
    }
    if (drag->moved && drag->allowed) {
        std::vector<Contour> nodes = runs_.allNodes();
        for (Contour& contour : nodes) {
            contour = trimmed(contour);
        }
        branch(std::move(nodes)); // the node is shown in its new place until the new run arrives
    } else if (drag->moved) {
        runs_.setProblem(tr("The node went back: there the contour would touch or cross itself."));
    }
    emit runs_.shownChanged();
}

} // namespace pollard::vm
