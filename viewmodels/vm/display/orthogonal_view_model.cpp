#include "vm/display/orthogonal_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"

#include "image/image.hpp"

#include <QSettings>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pollard::vm {

namespace {

constexpr auto kAcross = "volumeViews/across";
constexpr auto kDown = "volumeViews/down";
constexpr auto kEnlarged = "volumeViews/enlarged";

ViewsLayout limited(const ViewsLayout& layout) {
    const QStringList names{QString(), QStringLiteral("xy"), QStringLiteral("xz"), QStringLiteral("yz"),
                            QStringLiteral("3d")};
    const auto share = [](double part) {
        return std::isfinite(part) ? std::clamp(part, ViewsLayout::kLeastShare, 1 - ViewsLayout::kLeastShare)
                                   : ViewsLayout().across;
    };
    return {share(layout.across), share(layout.down), names.contains(layout.enlarged) ? layout.enlarged : QString()};
}

std::uint32_t clamped(std::int64_t value, std::uint32_t count) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, std::int64_t{count} - 1));
}

std::uint32_t pixelOf(double value, std::uint32_t count) {
    return clamped(static_cast<std::int64_t>(std::floor(std::clamp(value, -1.0, static_cast<double>(count)))), count);
}

} // namespace

OrthogonalViewModel::OrthogonalViewModel(DocumentViewModel& document, QSettings* settings, QObject* parent)
    : Analysis(parent), document_(document), settings_(settings) {
    if (settings_ != nullptr) {
        layout_ = limited({settings_->value(kAcross, layout_.across).toDouble(),
                           settings_->value(kDown, layout_.down).toDouble(), settings_->value(kEnlarged).toString()});
    }
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

VolumePlane OrthogonalViewModel::planeOf(VolumeAxis across) const {
    const Voxel at = position();
    const std::array places{at.x, at.y, at.z};
    const auto info = document_.imageInfo();
    return {across, places[static_cast<std::size_t>(across)], turnOf(info.get(), across)};
}

QPointF OrthogonalViewModel::crossing(VolumeAxis across) const {
    constexpr double kMiddle = 0.5;
    const Voxel at = position();
    const Extent extent = this->extent();
    const std::array places{at.x, at.y, at.z};
    const std::array counts{extent.width, extent.height, extent.slices};
    const auto placeOn = [&](const ImageAxis& each) {
        const auto axis = static_cast<std::size_t>(each.axis);
        const double place = places[axis] + kMiddle;
        return each.isReversed ? counts[axis] - place : place;
    };
    const auto [right, down] = axesOf(planeOf(across));
    return {placeOn(right), placeOn(down)};
}

QSizeF OrthogonalViewModel::pixelSides(VolumeAxis across) const {
    const VoxelSides sides = document_.pixelSizes().voxelSides();
    const std::array all{sides.x, sides.y, sides.z};
    const auto [right, down] = axesOf(planeOf(across));
    return {all[static_cast<std::size_t>(right.axis)], all[static_cast<std::size_t>(down.axis)]};
}

void OrthogonalViewModel::setLayout(const ViewsLayout& layout) {
    const ViewsLayout next = limited(layout);
    if (next == std::exchange(layout_, next)) {
        return;
    }
    if (settings_ != nullptr) {
        settings_->setValue(kAcross, layout_.across);
        settings_->setValue(kDown, layout_.down);
        settings_->setValue(kEnlarged, layout_.enlarged);
    }
    emit layoutChanged();
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
    const Voxel at = position();
    const std::array counts{extent.width, extent.height, extent.slices};
    std::array places{at.x, at.y, at.z};
    const auto put = [&](const ImageAxis& each, double place) {
        const auto axis = static_cast<std::size_t>(each.axis);
        const std::uint32_t pixel = pixelOf(place, counts[axis]);
        places[axis] = each.isReversed ? counts[axis] - 1 - pixel : pixel;
    };
    const auto axes = axesOf(planeOf(across));
    put(axes[0], point.x());
    put(axes[1], point.y());
    setPosition({places[0], places[1], places[2]});
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
    document_.requestSections({planeOf(VolumeAxis::y), planeOf(VolumeAxis::x)});
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
