#include "vm/tree/icicle_view_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"

#include "tree/node_set.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::uint32_t kLineFrom = 5; ///< px, smallest box with lines

} // namespace

IcicleColours IcicleFrame::colours(const IciclePalette& palette) const noexcept {
    IcicleColours result;
    result.column = column.get();
    result.logarithmic = logarithmic;
    result.scale = palette.scale;
    result.removedScale = palette.removed;
    result.undefined = palette.undefined;
    if (decision) {
        result.keep = decision->keep.span();
    }
    if (selected) {
        result.selected = *selected;
        result.selectedColour = palette.selected;
    }
    return result;
}

std::optional<std::uint32_t> IcicleFrame::nodeAt(double area, double height) const noexcept {
    const double x = std::floor((area - part.left) / part.width() * columns);
    const double y = std::floor((height - part.top) / part.height() * rows);
    if (x < 0 || y < 0 || x >= columns || y >= rows) {
        return std::nullopt;
    }
    const std::uint32_t node = nodes[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
    return node == kNoIcicleNode ? std::nullopt : std::optional(node);
}

void IcicleMaker::forget() noexcept {
    layout_.reset();
    decided_.reset();
    decision_.reset();
}

void IcicleMaker::decide(const IcicleRequest& request, const JobControl& control) {
    if (!request.filter) {
        decision_.reset();
        decided_.reset();
    } else if (decided_ != request.tree || filter_ != *request.filter) {
        decision_ = std::make_shared<const NodeDecision>(
            decideNodes(*request.tree, *request.filter, request.filterColumns, control));
        decided_ = request.tree;
        filter_ = *request.filter;
    }
}

std::shared_ptr<const IcicleFrame> IcicleMaker::make(const IcicleRequest& request, const JobControl& control) {
    if (!layout_ || layout_->tree != request.tree || layout_->measure != request.measure) {
        layout_.reset(); // first, so that only one takes memory
        layout_ = std::make_shared<const IcicleLayout>(layOutIcicle(request.tree, request.measure, control));
    }
    decide(request, control);
    auto frame = std::make_shared<IcicleFrame>();
    frame->layout = layout_;
    frame->column = request.column;
    frame->decision = decision_;
    frame->selected = request.selected;
    frame->logarithmic = request.logarithmic;
    frame->part = request.part.value_or(layout_->whole());
    frame->columns = request.columns;
    frame->rows = request.rows;
    frame->nodes.resize(std::size_t{request.columns} * request.rows);
    frame->pixels.resize(frame->nodes.size());
    IciclePaint paint;
    paint.layout = layout_.get();
    paint.part = frame->part;
    paint.columns = request.columns;
    paint.rows = request.rows;
    paint.lineFrom = kLineFrom;
    paint.colours = frame->colours(request.palette);
    frame->lowest = paint.colours.lowest();
    paintIcicle(paint, frame->nodes, frame->pixels, control);
    return frame;
}

namespace {

constexpr double kFewestPixels = 4; ///< fewest pixels of the image across the view
constexpr double kFewestLevels = 2;
constexpr double kHundred = 100;

/// An interval with a length between @p least and @p last - @p first around the centre of [low, high], moved into
/// [first, last].
std::pair<double, double> within(double low, double high, double least, double first, double last) {
    const double length = std::max(high - low, least);
    if (length >= last - first) {
        return {first, last};
    }
    const double start = std::clamp((low + high - length) / 2, first, last - length);
    return {start, start + length};
}

} // namespace

IcicleViewModel::IcicleViewModel(DocumentViewModel& document, FilterViewModel& filter, ChainViewModel& chain,
                                 QObject* parent)
    : Analysis(parent), document_(document), filter_(filter), chain_(chain), attribute_(filter.attribute()),
      maker_(std::make_shared<IcicleMaker>()) {
    connect(&document_, &DocumentViewModel::treeChanged, this, &IcicleViewModel::onTree);
    connect(&document_, &DocumentViewModel::frameReady, this, [this] {
        if (showsRemoved_) {
            update();
        }
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, [this] {
        if (waiting_) {
            post();
        }
    });
    connect(&filter_, &FilterViewModel::attributeChanged, this, [this] {
        if (followsCriterion_) {
            change(this, attribute_, filter_.attribute(), &IcicleViewModel::optionsChanged, &IcicleViewModel::update);
        }
    });
    connect(&chain_, &ChainViewModel::currentChanged, this, &IcicleViewModel::readoutChanged);
}

void IcicleViewModel::onActive() {
    chain_.setWatched(this, isActive());
    if (!isActive()) {
        dropFrame();
    }
    update();
}

void IcicleViewModel::setAttribute(AttributeId id) {
    followsCriterion_ = false;
    change(this, attribute_, id, &IcicleViewModel::optionsChanged, &IcicleViewModel::update);
}

void IcicleViewModel::setByDepth(bool byDepth) {
    if (byDepth == isByDepth()) {
        return;
    }
    measure_ = byDepth ? IcicleHeight::depth : IcicleHeight::level;
    viewIsWhole_ = true; // the heights differ
    emit optionsChanged();
    forgetFocus();
    update();
}

bool IcicleViewModel::canLink() const {
    return frame_ && frame_->layout->tree->subtreeEnd[focusNode()] - focusNode() <= kMostLinked;
}

std::vector<IcicleViewModel::LinkedNode> IcicleViewModel::linkedNodes() const {
    if (!linked_ || !canLink()) {
        return {};
    }
    const IcicleLayout& layout = *frame_->layout;
    const std::uint32_t first = focusNode();
    const std::vector<double> places = drawnPlaces(*layout.tree, first);
    const IcicleColours colours = frame_->colours(palette_);
    std::vector<LinkedNode> nodes;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto node = static_cast<std::uint32_t>(first + i);
        const std::size_t parent = i == 0 ? 0 : layout.tree->parent[node] - first;
        nodes.push_back({node, parent, places[i], static_cast<double>(layout.height[node]), colours.of(node)});
    }
    return nodes;
}

void IcicleViewModel::onTree() {
    selected_.reset();
    viewIsWhole_ = true; // the displayed icicle is of another tree
    dropFrame();
    forgetFocus();
    update();
}

void IcicleViewModel::dropFrame() {
    worker_.stop(Lane::measure);
    worker_.post(Lane::close, [maker = maker_](const std::stop_token&) { maker->forget(); }, {});
    waiting_ = false;
    hovered_.reset();
    DeferredRelease retired;
    retired.hold(std::exchange(frame_, nullptr));
    state_ = State::empty;
    emit changed();
    emit readoutChanged();
}

void IcicleViewModel::forgetFocus() {
    if (!focus_.empty()) {
        focus_.clear();
        emit crumbsChanged();
    }
}

std::optional<FilterSpec> IcicleViewModel::presentFilter() const {
    const FilterSpec spec = inPixelsOf(document_, document_.resultSpec());
    const bool keepsAll = spec.criteria.empty() && spec.forest.trees.empty() && !spec.prominent &&
                          spec.removed.empty() && spec.only.empty();
    return showsRemoved_ && document_.hasResult() && !keepsAll ? std::optional(spec) : std::nullopt;
}

bool IcicleViewModel::hasColumns(const std::optional<FilterSpec>& spec) {
    std::vector<AttributeId> wanted{attribute_};
    if (spec) {
        std::ranges::copy(attributesOf(*spec), std::back_inserter(wanted));
    }
    std::erase_if(wanted, [this](AttributeId id) { return document_.attribute(id) != nullptr; });
    std::ranges::for_each(wanted, [this](AttributeId id) { document_.requestAttribute(id); });
    return wanted.empty();
}

void IcicleViewModel::update() {
    if (!isActive() || surface_.isEmpty() || palette_.scale.empty() || !document_.tree()) {
        return;
    }
    if (state_ != State::ready) {
        state_ = State::computing;
        emit changed();
    }
    post();
}

void IcicleViewModel::post() {
    const std::optional<FilterSpec> spec = presentFilter();
    waiting_ = !hasColumns(spec);
    if (waiting_) {
        return;
    }
    IcicleRequest request;
    request.tree = document_.tree();
    request.measure = measure_;
    if (!viewIsWhole_) {
        request.part = view_;
    }
    request.columns = static_cast<std::uint32_t>(surface_.width());
    request.rows = static_cast<std::uint32_t>(surface_.height());
    request.column = document_.attribute(attribute_);
    request.logarithmic = logarithmic_ && request.column->minimum >= 0 && request.column->maximum > 0;
    request.palette = palette_;
    request.filter = spec;
    if (selected_ && selected_->size() == request.tree->nodeCount()) {
        request.selected = selected_;
    }
    if (spec) {
        request.filterColumns = columnsOf(*spec, [this](AttributeId id) { return document_.attribute(id); });
    }
    worker_.post(
        Lane::measure,
        [maker = maker_, request](const std::stop_token& stop) { return maker->make(request, JobControl(stop)); },
        [this, request](const JobOutcome& outcome, const std::shared_ptr<const IcicleFrame>& frame) {
            if (outcome.ok()) {
                take(request, frame);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = outcome.message.empty() ? tr("There is not enough memory to draw the tree.")
                                                   : QString::fromStdString(outcome.message);
                state_ = State::failed;
                emit changed();
            }
        });
}

void IcicleViewModel::take(const IcicleRequest& request, std::shared_ptr<const IcicleFrame> frame) {
    if (request.tree != document_.tree() || request.measure != measure_) {
        return; // a newer one follows
    }
    const bool otherView = viewIsWhole_ && view_ != frame->layout->whole();
    if (viewIsWhole_) {
        view_ = frame->layout->whole();
    }
    DeferredRelease retired;
    if (frame_ && frame_->layout != frame->layout) {
        retired.hold(frame_);
    }
    frame_ = std::move(frame);
    state_ = State::ready;
    emit changed();
    if (otherView) {
        emit viewChanged();
    }
    emit readoutChanged();
}

bool IcicleViewModel::isIdle() const { return !waiting_ && !worker_.isBusy(Lane::measure); }

IcicleRect IcicleViewModel::whole() const { return frame_ ? frame_->layout->whole() : IcicleRect{}; }

bool IcicleViewModel::isWhole() const { return !frame_ || view_ == whole(); }

std::optional<std::uint32_t> IcicleViewModel::nodeAt(const QPointF& place) const {
    return frame_ ? frame_->nodeAt(view_.left + place.x() * view_.width(), view_.top + place.y() * view_.height())
                  : std::nullopt;
}

QRectF IcicleViewModel::boxOf(std::uint32_t node) const {
    if (!frame_) {
        return {};
    }
    const IcicleRect box = frame_->layout->boxOf(node);
    return {(box.left - view_.left) / view_.width(), (box.top - view_.top) / view_.height(),
            box.width() / view_.width(), box.height() / view_.height()};
}

double IcicleViewModel::labelAt(double height) const {
    const auto tree = document_.tree();
    if (!tree || isByDepth()) {
        return height;
    }
    return tree->kind == TreeKind::max ? tree->level[0] + height : tree->level[0] - height;
}

double IcicleViewModel::shownAt(double height) const {
    return isByDepth() ? labelAt(height) : valueOf(mappingOf(document_), labelAt(height));
}

double IcicleViewModel::heightOfShown(double shown) const {
    return heightOf(isByDepth() ? shown : levelOf(mappingOf(document_), shown));
}

QString IcicleViewModel::heightTitle() const {
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    const QString unit = QString::fromStdString(unitOf(mapping));
    return isByDepth()      ? tr("Depth")
           : !mapping       ? tr("Level")
           : unit.isEmpty() ? tr("Value")
                            : tr("Value (%1)").arg(unit);
}

bool IcicleViewModel::areHeightsWhole() const {
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    return isByDepth() || !mapping || vm::isWhole(AttributeId::level, mapping);
}

double IcicleViewModel::heightOf(double label) const {
    const auto tree = document_.tree();
    if (!tree || isByDepth()) {
        return label;
    }
    return tree->kind == TreeKind::max ? label - tree->level[0] : tree->level[0] - label;
}

QString IcicleViewModel::readout() const {
    const auto node = hovered_ ? hovered_ : chain_.node();
    if (!frame_ || !node || frame_->layout->tree != document_.tree()) {
        return {};
    }
    const ComponentTree& tree = *frame_->layout->tree;
    const QLocale locale;
    const double area = frame_->layout->areaOf(*node);
    const std::optional<ValueMapping>& mapping = mappingOf(document_);
    QStringList parts{(mapping ? tr("Value %1") : tr("Level %1")).arg(greyText(mapping, tree.level[*node])),
                      tr("%1 px (%2 %)")
                          .arg(countText(static_cast<std::uint64_t>(area)),
                               locale.toString(kHundred * area / frame_->layout->pixelCount(), 'g', 3))};
    if (attribute_ != AttributeId::area && attribute_ != AttributeId::level && frame_->column->id == attribute_) {
        const double value = frame_->column->at(*node);
        parts << tr("%1: %2").arg(attributeTitle(attribute_),
                                  std::isnan(value) ? tr("not defined") : columnText(attribute_, value, mapping));
    }
    parts << tr("%1 components in it").arg(countText(tree.subtreeEnd[*node] - *node - 1));
    if (frame_->decision && frame_->decision->keep[*node] == 0) {
        parts << tr("removed by the filter");
    }
    return parts.join(QStringLiteral("  ·  "));
}

QStringList IcicleViewModel::crumbs() const {
    QStringList texts{tr("Whole image")};
    std::ranges::transform(focus_, std::back_inserter(texts), &Focus::text);
    return texts;
}

void IcicleViewModel::setView(IcicleRect view, Move move) {
    const IcicleRect bounds = whole();
    std::tie(view.left, view.right) = within(view.left, view.right, kFewestPixels, bounds.left, bounds.right);
    std::tie(view.top, view.bottom) = within(view.top, view.bottom, kFewestLevels, bounds.top, bounds.bottom);
    if (view == view_) {
        return;
    }
    const IcicleRect before = std::exchange(view_, view);
    viewIsWhole_ = view == bounds;
    if (move == Move::focus) {
        emit focusMoved(before);
    }
    emit viewChanged();
    update();
}

void IcicleViewModel::zoom(const QPointF& place, double acrossFactor, double downFactor) {
    if (!frame_) {
        return;
    }
    const IcicleRect bounds = whole();
    const double width =
        std::clamp(view_.width() / acrossFactor, std::min(kFewestPixels, bounds.width()), bounds.width());
    const double height =
        std::clamp(view_.height() / downFactor, std::min(kFewestLevels, bounds.height()), bounds.height());
    const double left = view_.left + place.x() * (view_.width() - width);
    const double top = view_.top + place.y() * (view_.height() - height);
    setView({left, left + width, top, top + height});
}

void IcicleViewModel::pan(const QPointF& shares) {
    if (frame_) {
        const double across = shares.x() * view_.width();
        const double down = shares.y() * view_.height();
        setView({view_.left + across, view_.right + across, view_.top + down, view_.bottom + down});
    }
}

void IcicleViewModel::reveal() {
    const auto node = chain_.node();
    if (!frame_ || !node) {
        return;
    }
    const QRectF box = boxOf(*node);
    const auto shift = [](double low, double high) { return high <= 0 || low >= 1 ? (low + high - 1) / 2 : 0.0; };
    pan({shift(box.left(), box.right()), shift(box.top(), box.bottom())});
}

void IcicleViewModel::focus(std::uint32_t node) {
    if (!frame_) {
        return;
    }
    const IcicleLayout& layout = *frame_->layout;
    bool other = false;
    while (!focus_.empty() && !layout.tree->contains(focus_.back().node, node)) {
        focus_.pop_back();
        other = true;
    }
    if (node != 0 && (focus_.empty() || focus_.back().node != node)) {
        const std::optional<ValueMapping>& mapping = mappingOf(document_);
        focus_.push_back({node, (mapping ? tr("Value %1, %2 px") : tr("Level %1, %2 px"))
                                    .arg(greyText(mapping, layout.tree->level[node]),
                                         countText(static_cast<std::uint64_t>(layout.areaOf(node))))});
        other = true;
    }
    setView(layout.subtreeOf(node), Move::focus);
    if (other) {
        emit crumbsChanged();
    }
}

void IcicleViewModel::focusCrumb(int number) {
    if (!frame_ || number < 0 || number > static_cast<int>(focus_.size())) {
        return;
    }
    const bool fewer = static_cast<std::size_t>(number) < focus_.size();
    focus_.resize(static_cast<std::size_t>(number));
    setView(frame_->layout->subtreeOf(number == 0 ? 0 : focus_.back().node), Move::focus);
    if (fewer) {
        emit crumbsChanged();
    }
}

void IcicleViewModel::back() { focusCrumb(std::max(0, static_cast<int>(focus_.size()) - 1)); }

void IcicleViewModel::hoverNode(std::optional<std::uint32_t> node) {
    setHovered(node);
    chain_.hoverNode(node);
}

void IcicleViewModel::leave() {
    setHovered(std::nullopt);
    chain_.leave();
}

void IcicleViewModel::clickNode(std::optional<std::uint32_t> node) {
    if (node) {
        chain_.holdNode(*node);
    } else {
        chain_.letGo();
    }
}

} // namespace pollard::vm
