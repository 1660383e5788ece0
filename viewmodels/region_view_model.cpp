#include "region_view_model.hpp"

#include "document_view_model.hpp"
#include "region_edit.hpp"
#include "region_geojson.hpp"
#include "world_scale.hpp"

#include "image/region_mask.hpp"

#include <QFile>
#include <QLocale>
#include <QSaveFile>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::size_t kMostUndo = 100;
constexpr qint64 kMostFileBytes = 64 << 20;

RegionShape::Kind kindOf(RegionViewModel::Tool tool) {
    switch (tool) {
    case RegionViewModel::Tool::ellipse:
        return RegionShape::Kind::ellipse;
    case RegionViewModel::Tool::polygon:
        return RegionShape::Kind::polygon;
    case RegionViewModel::Tool::rectangle:
    case RegionViewModel::Tool::hand:
        break;
    }
    return RegionShape::Kind::rectangle;
}

RegionPoint corner(QPointF place) { return {place.x(), place.y()}; }

} // namespace

RegionViewModel::RegionViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::documentChanged, this, &RegionViewModel::onDocumentChanged);
    connect(&document_, &DocumentViewModel::domainChanged, this, &RegionViewModel::areaChanged);
    onDocumentChanged();
}

RegionViewModel::~RegionViewModel() = default;

const RegionShape* RegionViewModel::selectedShape() const noexcept {
    return state_.selected < 0 ? nullptr : &state_.shapes[static_cast<std::size_t>(state_.selected)];
}

QSize RegionViewModel::pictureSize() const {
    const auto image = document_.image();
    return image ? QSize(static_cast<int>(image->width()), static_cast<int>(image->height())) : QSize();
}

int RegionViewModel::shapeAt(const QPointF& image) const {
    for (int i = count() - 1; i >= 0; --i) {
        if (contains(state_.shapes[static_cast<std::size_t>(i)], corner(image))) {
            return i;
        }
    }
    return -1;
}

// Words

QString RegionViewModel::physicalText(double pixels) const {
    const auto size = sceneSize(document_.imageInfo().get());
    if (!size) {
        return {};
    }
    const double area = pixels * size->x * size->y;
    const WorldUnit unit = readableUnit(std::sqrt(area), size->unit);
    return worldText(area * unit.factor * unit.factor, unit.name + u'²');
}

QString RegionViewModel::areaText() const {
    const auto image = document_.image();
    if (!image) {
        return {};
    }
    if (pixelCount_ < 0) {
        return tr("counting…");
    }
    if (pixelCount_ == 0) {
        return tr("No pixel");
    }
    if (document_.domain() != mask_) {
        return tr("not applied: the tree was not built"); // cancelled, or it failed
    }
    const double percent = 100.0 * static_cast<double>(pixelCount_) / static_cast<double>(image->pixelCount());
    QString text = tr("%1 px (%2 %)").arg(QLocale().toString(pixelCount_), worldText(percent, {}, 3));
    const QString physical = physicalText(static_cast<double>(pixelCount_));
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
    const QSize size = pictureSize();
    const RegionShape* one = selectedShape();
    const std::span<const RegionShape> shapes = one != nullptr ? std::span(one, 1) : std::span(state_.shapes);
    return pixelBoundsOf(shapes, static_cast<std::uint32_t>(std::max(size.width(), 0)),
                         static_cast<std::uint32_t>(std::max(size.height(), 0)));
}

// Drawing

void RegionViewModel::setTool(Tool tool) {
    if (tool == tool_) {
        return;
    }
    cancelDraft();
    tool_ = tool;
    emit toolChanged();
}

void RegionViewModel::beginDraft(const QPointF& image) {
    const QSize size = pictureSize();
    if (tool_ == Tool::hand || size.isEmpty()) {
        return;
    }
    const Kind kind = kindOf(tool_);
    if (kind == Kind::polygon) {
        const RegionPoint first = corner(withinPicture(image, size));
        draft_ = RegionShape{kind, {first, first}};
    } else {
        draft_ = shapeBetween(kind, image, image, false, size);
        draftAnchor_ = image;
    }
    state_.selected = -1;
    emit changed();
}

void RegionViewModel::moveDraft(const QPointF& image, bool square) {
    if (!draft_) {
        return;
    }
    const QSize size = pictureSize();
    RegionShape next = *draft_;
    if (next.kind == Kind::polygon) {
        next.points.back() = corner(withinPicture(image, size));
    } else {
        next = shapeBetween(next.kind, draftAnchor_, image, square, size);
    }
    if (next != *draft_) {
        draft_ = std::move(next);
        emit changed();
    }
}

void RegionViewModel::addDraftPoint(const QPointF& image) {
    if (!draft_ || draft_->kind != Kind::polygon) {
        return;
    }
    const RegionPoint place = corner(withinPicture(image, pictureSize()));
    const auto& fixed = draft_->points;
    draft_->points.back() = place;
    if (fixed.size() < 2 || fixed[fixed.size() - 2] != place) {
        draft_->points.push_back(place);
    }
    emit changed();
}

void RegionViewModel::removeDraftPoint() {
    if (!draft_ || draft_->kind != Kind::polygon || draft_->points.size() <= 2) {
        cancelDraft();
        return;
    }
    draft_->points.erase(draft_->points.end() - 2);
    emit changed();
}

bool RegionViewModel::finishDraft() {
    if (!draft_) {
        return false;
    }
    RegionShape shape = *std::exchange(draft_, std::nullopt);
    if (shape.kind == Kind::polygon) {
        shape.points.pop_back(); // it only followed the pointer
    }
    if (!isShape(shape)) {
        emit changed();
        return false;
    }
    State next = state_;
    next.shapes.push_back(std::move(shape));
    next.selected = static_cast<int>(next.shapes.size()) - 1;
    change(std::move(next));
    return true;
}

void RegionViewModel::cancelDraft() {
    if (draft_) {
        draft_.reset();
        emit changed();
    }
}

// Changes

void RegionViewModel::select(int index) {
    index = std::clamp(index, -1, count() - 1);
    if (index != state_.selected) {
        state_.selected = index;
        emit changed();
    }
}

void RegionViewModel::selectNext() {
    if (count() > 0) {
        select((state_.selected + 1) % count());
    }
}

void RegionViewModel::add(const RegionShape& shape) {
    const QSize size = pictureSize();
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
    const QSize size = pictureSize();
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
    State before = *std::exchange(editing_, std::nullopt);
    if (before != state_) {
        remember(std::move(before));
        emit changed();
        updateDomain();
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
        setSelectedShape(moved(*shape, by, pictureSize()));
    }
}

void RegionViewModel::setSelectedBox(const QRectF& box) {
    if (const RegionShape* shape = selectedShape()) {
        setSelectedShape(fittedTo(*shape, box, pictureSize()));
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
    remember(std::exchange(state_, std::move(next)));
    emit changed();
    if (!sameArea) {
        updateDomain();
    }
}

void RegionViewModel::remember(State before) {
    redo_.clear();
    undo_.push_back(std::move(before));
    if (undo_.size() > kMostUndo) {
        undo_.erase(undo_.begin());
    }
}

void RegionViewModel::undo() {
    cancelDraft();
    cancelEdit();
    if (undo_.empty()) {
        return;
    }
    redo_.push_back(state_);
    State state = std::move(undo_.back());
    undo_.pop_back();
    adopt(std::move(state));
}

void RegionViewModel::redo() {
    if (redo_.empty() || draft_ || editing_) {
        return;
    }
    undo_.push_back(state_);
    State state = std::move(redo_.back());
    redo_.pop_back();
    adopt(std::move(state));
}

void RegionViewModel::adopt(State state) {
    state_ = std::move(state);
    emit changed();
    updateDomain();
}

// The document

RegionViewModel::Frame RegionViewModel::presentFrame() const {
    Frame frame;
    frame.size = pictureSize();
    if (frame.size.isEmpty()) {
        return frame;
    }
    const OpenRequest& request = document_.request();
    frame.path = request.path;
    double level = 1; // px of the full resolution per px of the level
    if (const auto info = document_.imageInfo();
        info && request.level > 0 && static_cast<std::size_t>(request.level) < info->levels.size()) {
        const auto& own = info->levels[static_cast<std::size_t>(request.level)];
        level = own.width > 0 ? static_cast<double>(info->levels.front().width) / own.width : 1;
    }
    frame.scale = 1 / (level * std::max(request.shrink, 1));
    if (request.region) {
        frame.offset = QPointF(request.region->x, request.region->y) * level;
    }
    return frame;
}

void RegionViewModel::onDocumentChanged() {
    const Frame before = std::exchange(frame_, presentFrame());
    cancelDraft();
    editing_.reset();
    if (frame_ == before) { // another page of the same size
        if (!state_.shapes.empty()) {
            applyMask();
        }
        return;
    }
    State state;
    if (!frame_.path.isEmpty() && frame_.path == before.path && before.scale > 0) {
        state = state_;
        const QPointF offset = (frame_.offset - before.offset) * before.scale;
        for (RegionShape& shape : state.shapes) {
            shape = mapped(shape, offset, frame_.scale / before.scale);
        }
    }
    undo_.clear();
    redo_.clear();
    state_ = std::move(state);
    mask_.reset();
    emit changed();
    updateDomain();
}

void RegionViewModel::updateDomain() {
    worker_.cancel(Lane::build);
    worker_.forget(Lane::build);
    maskGeneration_ = 0;
    const auto image = document_.image();
    if (!image || state_.shapes.empty()) {
        mask_.reset();
        setPixelCount(image ? static_cast<qint64>(image->pixelCount()) : 0);
        applyMask();
        return;
    }
    setPixelCount(-1);
    struct Made {
        std::shared_ptr<const Mask> mask;
        std::uint64_t count = 0;
    };
    auto made = std::make_shared<Made>();
    auto job = [made, shapes = state_.shapes, inverted = state_.inverted, width = image->width(),
                height = image->height()](const std::stop_token& stop) {
        auto mask = std::make_shared<Mask>(makeRegionMask(width, height, shapes, inverted, JobControl(stop)));
        made->count = mask->count();
        made->mask = std::move(mask);
    };
    auto done = [this, made, all = image->pixelCount()](LatestWinsWorker::Generation generation,
                                                        const JobOutcome& outcome) {
        if (generation != maskGeneration_ || !outcome.ok()) {
            return;
        }
        // Nothing to analyse is no analysis, and everything needs no mask.
        const bool restricts = made->count > 0 && made->count < all;
        mask_ = restricts ? made->mask : nullptr;
        pixelCount_ = static_cast<qint64>(made->count);
        applyMask();
        emit areaChanged();
    };
    maskGeneration_ = worker_.post(Lane::build, std::move(job), std::move(done));
}

void RegionViewModel::applyMask() {
    const bool known = pixelCount_ >= 0;
    if (known && document_.hasImage()) {
        document_.setDomain(mask_);
    }
}

void RegionViewModel::setPixelCount(qint64 count) {
    if (count != pixelCount_) {
        pixelCount_ = count;
        emit areaChanged();
    }
}

// Files

QString RegionViewModel::load(const QString& path) {
    QFile file(path);
    if (file.size() > kMostFileBytes) {
        return tr("read a region: %1: more than %2 MB").arg(path).arg(kMostFileBytes >> 20);
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return tr("read a region: %1: %2").arg(path, file.errorString());
    }
    try {
        State next;
        next.shapes = fromGeoJson(file.readAll());
        cancelDraft();
        change(std::move(next));
        return {};
    } catch (const Error& error) {
        return QStringLiteral("%1: %2").arg(QString::fromUtf8(error.what()), path);
    }
}

QString RegionViewModel::save(const QString& path) const {
    QSaveFile file(path);
    const QByteArray json = toGeoJson(state_.shapes);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
    return written ? QString() : tr("save the region: %1: %2").arg(path, file.errorString());
}

void RegionViewModel::cropToBounds() {
    const auto box = bounds();
    if (!box) {
        return;
    }
    // The numbers of the file: px of the level that was read, before it was shrunk.
    const OpenRequest& request = document_.request();
    const auto shrink = static_cast<std::uint32_t>(std::max(request.shrink, 1));
    PixelRegion part{box->x * shrink, box->y * shrink, box->width * shrink, box->height * shrink};
    if (request.region) {
        part.width = std::min(part.width, request.region->width - part.x);
        part.height = std::min(part.height, request.region->height - part.y);
        part.x += request.region->x;
        part.y += request.region->y;
    }
    document_.setReadRegion(part);
}

} // namespace pollard::vm
