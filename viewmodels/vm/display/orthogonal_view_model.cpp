#include "vm/display/orthogonal_view_model.hpp"

#include "vm/document/document_view_model.hpp"

#include "image/extent.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace pollard::vm {

namespace {

std::uint32_t clamped(std::int64_t value, std::uint32_t count) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, std::int64_t{count} - 1));
}

std::uint32_t pixelOf(double value, std::uint32_t count) {
    return clamped(static_cast<std::int64_t>(std::floor(std::clamp(value, -1.0, static_cast<double>(count)))), count);
}

} // namespace

OrthogonalViewModel::OrthogonalViewModel(DocumentViewModel& document, QObject* parent)
    : Analysis(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &OrthogonalViewModel::onImage);
    connect(&document_, &DocumentViewModel::frameReady, this, &OrthogonalViewModel::refresh);
    connect(&document_, &DocumentViewModel::sliceWanted, this, &OrthogonalViewModel::positionChanged);
    connect(&document_, &DocumentViewModel::sectionsReady, this, &OrthogonalViewModel::take);
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, &OrthogonalViewModel::changed);
    onImage();
}

Extent OrthogonalViewModel::extent() const {
    return isAvailable() ? document_.shown().volume->extent() : Extent{1, 1, 1};
}

bool OrthogonalViewModel::isAvailable() const { return document_.isVolume(); }

Voxel OrthogonalViewModel::position() const { return {x_, y_, clamped(document_.slice(), extent().slices)}; }

const ShownSlice* OrthogonalViewModel::section(VolumeAxis across) const {
    const auto found = std::ranges::find(sections_, across, &ShownSlice::across);
    return found == sections_.end() ? nullptr : &*found;
}

QPointF OrthogonalViewModel::crossing(VolumeAxis across) const {
    constexpr double kMiddle = 0.5;
    const Voxel at = position();
    const auto point = [](std::uint32_t x, std::uint32_t y) { return QPointF(x + kMiddle, y + kMiddle); };
    return across == VolumeAxis::x   ? point(at.z, at.y)
           : across == VolumeAxis::y ? point(at.x, at.z)
                                     : point(at.x, at.y);
}

QSizeF OrthogonalViewModel::pixelSides(VolumeAxis across) const {
    const VoxelSides sides = document_.pixelSizes().voxelSides();
    return across == VolumeAxis::x   ? QSizeF(sides.z, sides.y)
           : across == VolumeAxis::y ? QSizeF(sides.x, sides.z)
                                     : QSizeF(sides.x, sides.y);
}

void OrthogonalViewModel::setPosition(const Voxel& position) {
    if (!isAvailable()) {
        return;
    }
    const Extent extent = this->extent();
    const std::uint32_t x = clamped(position.x, extent.width);
    const std::uint32_t y = clamped(position.y, extent.height);
    const bool isElsewhere = x != x_ || y != y_;
    x_ = x;
    y_ = y;
    document_.setSlice(static_cast<int>(clamped(position.z, extent.slices)));
    if (isElsewhere) {
        refresh();
        emit positionChanged();
    }
}

void OrthogonalViewModel::moveInPlane(VolumeAxis across, const QPointF& point) {
    const Extent extent = this->extent();
    Voxel to = position();
    switch (across) {
    case VolumeAxis::x:
        to.z = pixelOf(point.x(), extent.slices);
        to.y = pixelOf(point.y(), extent.height);
        break;
    case VolumeAxis::y:
        to.x = pixelOf(point.x(), extent.width);
        to.z = pixelOf(point.y(), extent.slices);
        break;
    case VolumeAxis::z:
        to.x = pixelOf(point.x(), extent.width);
        to.y = pixelOf(point.y(), extent.height);
        break;
    }
    setPosition(to);
}

void OrthogonalViewModel::step(VolumeAxis along, int by) {
    const Extent extent = this->extent();
    Voxel to = position();
    switch (along) {
    case VolumeAxis::x:
        to.x = clamped(std::int64_t{to.x} + by, extent.width);
        break;
    case VolumeAxis::y:
        to.y = clamped(std::int64_t{to.y} + by, extent.height);
        break;
    case VolumeAxis::z:
        to.z = clamped(std::int64_t{to.z} + by, extent.slices);
        break;
    }
    setPosition(to);
}

void OrthogonalViewModel::onActive() {
    if (isActive()) {
        refresh();
    } else {
        sections_.clear();
        asked_ = false;
        emit changed();
    }
}

void OrthogonalViewModel::onImage() {
    const auto volume = document_.shown().volume;
    if (volume != volume_.lock() || !volume) {
        const bool hadSize = !volume_.expired();
        volume_ = volume;
        const Extent extent = this->extent();
        if (!hadSize || x_ >= extent.width || y_ >= extent.height) {
            x_ = extent.width / 2;
            y_ = extent.height / 2;
        }
        sections_.clear();
        problem_.clear();
        asked_ = false;
        emit changed();
        emit positionChanged();
    }
    refresh();
}

void OrthogonalViewModel::refresh() {
    if (!isActive() || !isAvailable() || !document_.hasResult()) {
        return;
    }
    const auto& shown = document_.shown();
    const ShownSlice* const xz = section(VolumeAxis::y);
    const ShownSlice* const yz = section(VolumeAxis::x);
    if (xz != nullptr && xz->slice == y_ && yz != nullptr && yz->slice == x_ && !asked_ && tree_.lock() == shown.tree &&
        xz->frame.spec == shown.frame.spec) {
        return; // another slice of the same result
    }
    tree_ = shown.tree;
    asked_ = true;
    document_.requestSections({{VolumeAxis::y, y_}, {VolumeAxis::x, x_}});
}

void OrthogonalViewModel::take(const std::vector<ShownSlice>& sections, const QString& problem) {
    asked_ = false;
    if (!isActive()) {
        return;
    }
    sections_ = sections;
    problem_ = problem;
    emit changed();
}

} // namespace pollard::vm
