#include "vm/region/region_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/region_edit.hpp"
#include "vm/image/world_scale.hpp"

#include "geo/vector_layer.hpp"
#include "image/region_shape.hpp"

#include <QLocale>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pollard::vm {
namespace {

using Kind = RegionShape::Kind;

Kind kindOf(RegionDrawing::Tool tool) {
    switch (tool) {
    case RegionDrawing::Tool::ellipse:
        return Kind::ellipse;
    case RegionDrawing::Tool::polygon:
        return Kind::polygon;
    case RegionDrawing::Tool::rectangle:
    case RegionDrawing::Tool::hand:
        break;
    }
    return Kind::rectangle;
}

RegionPoint cornerAt(const QPointF& place, QSize image) {
    const QPointF inside = withinImage(place, image);
    return {inside.x(), inside.y()};
}

} // namespace

void RegionMask::make(const Image* image, const std::vector<RegionShape>& shapes, bool inverted) {
    worker_.stop(Lane::build);
    mask_.reset();
    const auto all = image != nullptr ? static_cast<qint64>(image->pixelCount()) : 0;
    if (image == nullptr || shapes.empty()) {
        end(nullptr, all);
        return;
    }
    if (std::exchange(count_, -1) != -1) {
        emit countChanged();
    }
    struct CountedMask {
        std::shared_ptr<const Mask> mask;
        std::uint64_t count = 0;
    };
    auto job = [shapes, inverted, width = image->width(), height = image->height()](const std::stop_token& stop) {
        auto mask = std::make_shared<Mask>(makeRegionMask(width, height, shapes, inverted, JobControl(stop)));
        return CountedMask{mask, mask->count()};
    };
    worker_.post(Lane::build, std::move(job), [this, all](const JobOutcome& outcome, const CountedMask& made) {
        if (outcome.ok()) {
            // An empty region is no restriction, and the whole image needs no mask.
            const auto count = static_cast<qint64>(made.count);
            end(count > 0 && count < all ? made.mask : nullptr, count);
        }
    });
}

void RegionMask::end(std::shared_ptr<const Mask> mask, qint64 count) {
    mask_ = std::move(mask);
    const bool differs = std::exchange(count_, count) != count;
    emit made();
    if (differs) {
        emit countChanged();
    }
}

bool RegionDrawing::begin(const QPointF& place, QSize image) {
    if (tool_ == Tool::hand || image.isEmpty()) {
        return false;
    }
    const Kind kind = kindOf(tool_);
    if (kind == Kind::polygon) {
        const RegionPoint first = cornerAt(place, image);
        draft_ = RegionShape{kind, {first, first}};
    } else {
        draft_ = shapeBetween(kind, place, place, false, image);
        anchor_ = place;
    }
    return true;
}

bool RegionDrawing::move(const QPointF& place, bool square, QSize image) {
    if (!draft_) {
        return false;
    }
    RegionShape next = *draft_;
    if (next.kind == Kind::polygon) {
        next.points.back() = cornerAt(place, image);
    } else {
        next = shapeBetween(next.kind, anchor_, place, square, image);
    }
    if (next == *draft_) {
        return false;
    }
    draft_ = std::move(next);
    return true;
}

bool RegionDrawing::addPoint(const QPointF& place, QSize image) {
    if (!draft_ || draft_->kind != Kind::polygon) {
        return false;
    }
    const RegionPoint corner = cornerAt(place, image);
    auto& points = draft_->points;
    points.back() = corner;
    if (points.size() < 2 || points[points.size() - 2] != corner) {
        points.push_back(corner);
    }
    return true;
}

bool RegionDrawing::removePoint() {
    if (!draft_ || draft_->kind != Kind::polygon || draft_->points.size() <= 2) {
        return cancel();
    }
    draft_->points.erase(draft_->points.end() - 2);
    return true;
}

std::optional<RegionShape> RegionDrawing::finish() {
    std::optional<RegionShape> shape = std::exchange(draft_, std::nullopt);
    if (shape && shape->kind == Kind::polygon) {
        shape->points.pop_back(); // the corner at the pointer
    }
    return shape && isShape(*shape) ? shape : std::nullopt;
}

bool RegionDrawing::cancel() { return std::exchange(draft_, std::nullopt).has_value(); }

RegionViewModel::RegionViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &RegionViewModel::onImageChanged);
    connect(&document_.choices(), &DocumentChoices::domainChanged, this, &RegionViewModel::areaChanged);
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, &RegionViewModel::areaChanged);
    connect(&mask_, &RegionMask::made, this, &RegionViewModel::applyMask);
    connect(&mask_, &RegionMask::countChanged, this, &RegionViewModel::areaChanged);
    onImageChanged();
}

const RegionShape* RegionViewModel::selectedShape() const noexcept {
    return state_.selected < 0 ? nullptr : &state_.shapes[static_cast<std::size_t>(state_.selected)];
}

QSize RegionViewModel::imageSize() const {
    const auto image = document_.image();
    return image ? QSize(static_cast<int>(image->width()), static_cast<int>(image->height())) : QSize();
}

int RegionViewModel::shapeAt(const QPointF& image) const {
    for (int i = count() - 1; i >= 0; --i) {
        if (contains(state_.shapes[static_cast<std::size_t>(i)], {image.x(), image.y()})) {
            return i;
        }
    }
    return -1;
}

// Texts

QString RegionViewModel::physicalText(double pixels) const { return sceneArea(document_.imageInfo().get(), pixels); }

QString RegionViewModel::areaText() const {
    const auto image = document_.image();
    if (!image) {
        return {};
    }
    if (pixelCount() < 0) {
        return tr("counting…");
    }
    if (pixelCount() == 0) {
        return tr("No pixel");
    }
    if (document_.choices().domain() != mask_.mask()) {
        return tr("not applied: the tree was not built"); // cancelled, or it failed
    }
    const double percent = 100.0 * static_cast<double>(pixelCount()) / static_cast<double>(image->pixelCount());
    QString text = tr("%1 px (%2 %)").arg(QLocale().toString(pixelCount()), worldText(percent, {}, 3));
    const QString physical = physicalText(static_cast<double>(pixelCount()));
    return physical.isEmpty() ? text : text + QStringLiteral(", ") + physical;
}

QString RegionViewModel::selectedAreaText() const {
    const RegionShape* shape = selectedShape();
    if (shape == nullptr) {
        return {};
    }
    const double area = areaOf(*shape);
    QString text = worldText(area, QStringLiteral("px²"), 6);
    const QString physical = physicalText(area);
    return physical.isEmpty() ? text : text + QStringLiteral(", ") + physical;
}

QString RegionViewModel::nameOf(int index) const {
    switch (state_.shapes[static_cast<std::size_t>(index)].kind) {
    case Kind::rectangle:
        return tr("Rectangle %1").arg(index + 1);
    case Kind::ellipse:
        return tr("Ellipse %1").arg(index + 1);
    case Kind::polygon:
        return tr("Polygon %1").arg(index + 1);
    }
    return {};
}

std::optional<PixelRegion> RegionViewModel::bounds() const {
    const QSize size = imageSize();
    const RegionShape* one = selectedShape();
    const std::span<const RegionShape> shapes = one != nullptr ? std::span(one, 1) : std::span(state_.shapes);
    return pixelBoundsOf(shapes, static_cast<std::uint32_t>(std::max(size.width(), 0)),
                         static_cast<std::uint32_t>(std::max(size.height(), 0)));
}

// Drawing

void RegionViewModel::takeTool(Tool tool, bool once) {
    if (tool != drawing_.tool() || once != drawing_.isOnce()) {
        cancelDraft();
        drawing_.setTool(tool, once);
        emit toolChanged();
    }
}

void RegionViewModel::emitIf(bool differs) {
    if (differs) {
        emit changed();
    }
}

void RegionViewModel::beginDraft(const QPointF& image) {
    const bool begun = drawing_.begin(image, imageSize());
    if (begun && !isDrawingOnce()) {
        state_.selected = -1;
    }
    emitIf(begun);
}

void RegionViewModel::moveDraft(const QPointF& image, bool square) {
    emitIf(drawing_.move(image, square, imageSize()));
}

void RegionViewModel::addDraftPoint(const QPointF& image) { emitIf(drawing_.addPoint(image, imageSize())); }

void RegionViewModel::removeDraftPoint() { emitIf(drawing_.removePoint()); }

bool RegionViewModel::finishDraft() {
    const bool drew = isDrawing();
    std::optional<RegionShape> shape = drawing_.finish();
    if (!shape) {
        emitIf(drew);
        return false;
    }
    if (isDrawingOnce()) {
        setTool(Tool::hand);
        emit changed();
        emit drawnOnce(*shape);
        return true;
    }
    State next = state_;
    next.shapes.push_back(*std::move(shape));
    next.selected = static_cast<int>(next.shapes.size()) - 1;
    change(std::move(next));
    return true;
}

void RegionViewModel::cancelDraft() { emitIf(drawing_.cancel()); }

// Changes

void RegionViewModel::select(int index) {
    vm::change(this, state_.selected, std::clamp(index, -1, count() - 1), &RegionViewModel::changed);
}

void RegionViewModel::selectNext() {
    if (count() > 0) {
        select((state_.selected + 1) % count());
    }
}

void RegionViewModel::add(const RegionShape& shape) {
    const QSize size = imageSize();
    if (size.isEmpty() || !isShape(shape)) {
        return;
    }
    State next = state_;
    next.shapes.push_back(fittedTo(shape, boxOf(shape), size));
    next.selected = static_cast<int>(next.shapes.size()) - 1;
    change(std::move(next));
}

void RegionViewModel::removeSelected() {
    if (state_.selected < 0) {
        return;
    }
    State next = state_;
    next.shapes.erase(next.shapes.begin() + next.selected);
    next.selected = std::min(next.selected, static_cast<int>(next.shapes.size()) - 1);
    change(std::move(next));
}

void RegionViewModel::clear() {
    cancelDraft();
    change(State{});
}

void RegionViewModel::selectAll() {
    const QSize size = imageSize();
    if (size.isEmpty()) {
        return;
    }
    cancelDraft();
    State next;
    next.shapes.push_back(shapeBetween(Kind::rectangle, {0, 0}, QPointF(size.width(), size.height()), false, size));
    next.selected = 0;
    change(std::move(next));
}

void RegionViewModel::setInverted(bool inverted) {
    State next = state_;
    next.inverted = inverted;
    change(std::move(next));
}

void RegionViewModel::beginEdit() {
    if (!editing_) {
        editing_ = state_;
    }
}

void RegionViewModel::endEdit() {
    if (!editing_) {
        return;
    }
    const State before = *std::exchange(editing_, std::nullopt);
    if (before != state_) {
        updateDomain();
        emit changed();
    }
}

void RegionViewModel::cancelEdit() {
    if (editing_) {
        state_ = *std::exchange(editing_, std::nullopt);
        emit changed();
    }
}

void RegionViewModel::moveSelected(const QPointF& by) {
    if (const RegionShape* shape = selectedShape()) {
        setSelectedShape(moved(*shape, by, imageSize()));
    }
}

void RegionViewModel::setSelectedBox(const QRectF& box) {
    if (const RegionShape* shape = selectedShape()) {
        setSelectedShape(fittedTo(*shape, box, imageSize()));
    }
}

void RegionViewModel::setSelectedShape(const RegionShape& shape) {
    if (state_.selected < 0) {
        return;
    }
    if (!editing_ && !isShape(shape)) {
        return;
    }
    State next = state_;
    next.shapes[static_cast<std::size_t>(next.selected)] = shape;
    change(std::move(next));
}

void RegionViewModel::change(State next) {
    if (next == state_) {
        return;
    }
    const bool sameArea = next.shapes == state_.shapes && next.inverted == state_.inverted;
    if (editing_) {
        state_ = std::move(next);
        emit changed();
        return;
    }
    state_ = std::move(next);
    if (!sameArea) {
        updateDomain();
    }
    emit changed();
}

void RegionViewModel::setState(const State& state) {
    cancelDraft();
    cancelEdit();
    change(state);
}

// The document

RegionViewModel::Frame RegionViewModel::presentFrame() const {
    Frame frame;
    frame.size = imageSize();
    if (frame.size.isEmpty()) {
        return frame;
    }
    frame.path = document_.path();
    frame.place = placeOf(document_.request(), *document_.imageInfo());
    return frame;
}

void RegionViewModel::onImageChanged() {
    const Frame before = std::exchange(frame_, presentFrame());
    cancelDraft();
    editing_.reset();
    if (frame_ == before) { // another page with the same frame
        if (!state_.shapes.empty()) {
            applyMask();
        }
        return;
    }
    reader_.stop(Lane::load);
    State state;
    if (!frame_.path.isEmpty() && frame_.path == before.path) {
        state = state_;
        for (RegionShape& shape : state.shapes) {
            shape = mapped(shape, before.place, frame_.place);
        }
    }
    state_ = std::move(state);
    updateDomain();
    emit changed();
}

void RegionViewModel::updateDomain() { mask_.make(document_.image().get(), state_.shapes, state_.inverted); }

void RegionViewModel::applyMask() {
    const bool known = pixelCount() >= 0;
    if (known && document_.hasImage()) {
        document_.choices().setDomain(mask_.mask());
    }
}

void RegionViewModel::load(const QString& path, std::shared_ptr<const MapCoordinates> map, GeoJsonIn unmarked,
                           const QString& layer) {
    const auto info = document_.imageInfo();
    const auto image = document_.image();
    const bool isVector = namesVectorFile(path.toStdString()) && info && image;
    reader_.stop(Lane::load);
    reader_.post(
        Lane::load,
        [=, map = std::move(map)](const std::stop_token& stop) {
            return isVector
                       ? readVectorRegion(path, layer, info->carried, image->width(), image->height(), JobControl(stop))
                       : readRegionFile(path, map.get(), unmarked);
        },
        [this, path](const JobOutcome& outcome, ReadRegion& read) {
            if (outcome.ok()) {
                takeRead(path, std::move(read));
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                emit loadFailed(QString::fromStdString(outcome.message));
            }
        });
}

void RegionViewModel::takeRead(const QString& path, ReadRegion read) {
    if (!read.problem.isEmpty()) {
        emit loadFailed(read.problem);
        return;
    }
    if (!read.layers.isEmpty()) {
        emit layerNeeded(path, read.layers);
        return;
    }
    State next;
    next.shapes = std::move(read.shapes);
    setState(next);
    if (read.isAmbiguous) {
        emit noticeRaised(
            tr("The positions were read as pixels; the dialog has longitude and latitude as another kind of file"));
    }
}

QString RegionViewModel::save(const QString& path, const MapCoordinates* map) const {
    return writeRegionFile(path, state_.shapes, map);
}

void RegionViewModel::cropToBounds() {
    const auto box = bounds();
    if (!box) {
        return;
    }
    document_.reading().setReadRegion(pixelsOfFile(*box, document_.request(), *document_.imageInfo()));
}

} // namespace pollard::vm
