#include "vm/region/stain_picks.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/image/open_request.hpp"
#include "vm/image/region_edit.hpp"

#include "base/error.hpp"
#include "io/channels.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <stop_token>

namespace pollard::vm {

StainPicks::StainPicks(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), densities_([this] { onRead(); }) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &StainPicks::onImage);
    connect(&document_, &DocumentViewModel::sliceChanged, this, &StainPicks::onImage);
}

bool StainPicks::isAvailable() const {
    return document_.hasImage() && document_.imageInfo() && hasStains(*document_.imageInfo());
}

std::optional<QRectF> StainPicks::area(Part part) const {
    const auto& area = picked(part).area;
    return area ? std::optional(QRectF(area->x, area->y, area->width, area->height)) : std::nullopt;
}

QColor StainPicks::colour(Part part) const {
    const auto& density = picked(part).density;
    const auto light = [&](std::size_t channel) {
        return static_cast<float>(std::clamp(std::pow(10.0, -(*density)[channel]), 0.0, 1.0));
    };
    return density ? QColor::fromRgbF(light(0), light(1), light(2)) : QColor();
}

std::optional<StainVector> StainPicks::vector(Part part) const {
    const auto& density = picked(part).density;
    const Picked& background = picked(Part::background);
    if (!density || part == Part::background || (background.area && !background.density)) {
        return std::nullopt;
    }
    try {
        return stainVectorOf(*density, background.density.value_or(StainVector{}));
    } catch (const Error&) {
        return std::nullopt;
    }
}

QString StainPicks::problem() const {
    if (densities_.value() && !densities_.value()->problem.isEmpty()) {
        return densities_.value()->problem;
    }
    for (const Part part : {Part::first, Part::second}) {
        if (picked(part).density && !isBusy() && !vector(part)) {
            return tr("Stain %1: the place is hardly darker than the background").arg(static_cast<int>(part) + 1);
        }
    }
    const auto first = vector(Part::first);
    return first && first == vector(Part::second) ? tr("Both places have the same colour") : QString();
}

bool StainPicks::canSeparate() const {
    const auto first = vector(Part::first);
    const auto second = vector(Part::second);
    return first && second && *first != *second;
}

void StainPicks::setPicking(bool picking) {
    if (change(picking_, picking && isAvailable())) {
        draft_.reset();
        emit pickingChanged();
        emit areasChanged();
        emit changed();
    }
}

void StainPicks::setName(Part part, const QString& name) {
    change(this, picked(part).name, QString::fromStdString(stainNameOf(name.toStdString())), &StainPicks::changed);
}

void StainPicks::beginArea(const QPointF& image) {
    corner_ = image;
    draft_ = QRectF(image, QSizeF(0, 0));
    emit areasChanged();
}

void StainPicks::moveArea(const QPointF& image) {
    if (draft_) {
        draft_ = QRectF(corner_, image).normalized();
        emit areasChanged();
    }
}

void StainPicks::finishArea() {
    if (!draft_) {
        return;
    }
    QRectF area = *draft_;
    draft_.reset();
    if (area.width() < 1 && area.height() < 1) {
        const QPointF pixel(std::floor(corner_.x()), std::floor(corner_.y()));
        const double margin = std::floor(kClickSide / 2);
        area = QRectF(pixel - QPointF(margin, margin), QSizeF(kClickSide, kClickSide));
    }
    const QRect inside = area.toAlignedRect().intersected(
        QRect(0, 0, static_cast<int>(document_.image()->width()), static_cast<int>(document_.image()->height())));
    if (inside.isEmpty()) {
        emit areasChanged();
        return;
    }
    Picked& present = picked(part_);
    present.area = PixelRegion{static_cast<std::uint32_t>(inside.x()), static_cast<std::uint32_t>(inside.y()),
                               static_cast<std::uint32_t>(inside.width()), static_cast<std::uint32_t>(inside.height())};
    present.density.reset();
    if (part_ != Part::background) {
        const Part other = part_ == Part::first ? Part::second : Part::first;
        part_ = picked(other).area ? part_ : other;
    }
    image_ = document_.request();
    read();
    emit areasChanged();
    emit changed();
}

void StainPicks::forgetArea() {
    if (draft_) {
        draft_.reset();
        emit areasChanged();
    }
}

void StainPicks::read() {
    Densities start;
    for (const Part part : kParts) {
        start.areas[static_cast<std::size_t>(part)] = picked(part).area;
        start.densities[static_cast<std::size_t>(part)] = picked(part).density;
    }
    const std::filesystem::path path = QFileInfo(image_.path).filesystemFilePath();
    densities_.compute([start, path, image = image_, info = document_.imageInfo(),
                        options = image_.options(document_.reading().rules().limits)](const std::stop_token& stop) {
        Densities read = start;
        for (std::size_t i = 0; i < read.areas.size(); ++i) {
            if (read.areas[i] && !read.densities[i]) {
                ReadOptions part = options;
                part.region = pixelsOfFile(*read.areas[i], image, *info);
                try {
                    read.densities[i] = readDensity(path, part, JobControl(stop));
                } catch (const Error& error) {
                    read.problem = QString::fromStdString(error.what());
                }
            }
        }
        return read;
    });
}

void StainPicks::onRead() {
    if (const auto& read = densities_.value()) {
        for (std::size_t i = 0; i < picked_.size(); ++i) {
            if (picked_[i].area == read->areas[i]) {
                picked_[i].density = read->densities[i];
            }
        }
    }
    emit changed();
}

void StainPicks::onImage() {
    const OpenRequest& request = document_.request();
    const bool same = document_.hasImage() && request.sameExtent(image_) && request.page == image_.page;
    if (!same) {
        densities_.clear();
        for (Picked& each : picked_) {
            each.area.reset();
            each.density.reset();
        }
        part_ = Part::first;
        setPicking(picking_ && isAvailable());
    }
    draft_.reset();
    emit areasChanged();
    emit changed();
}

void StainPicks::separate() {
    if (canSeparate()) {
        const std::array stains{CustomStain{name(Part::first).toStdString(), *vector(Part::first)},
                                CustomStain{name(Part::second).toStdString(), *vector(Part::second)}};
        setPicking(false);
        document_.reading().setChannelName(QString::fromStdString(stainText(stains, 0)));
    }
}

} // namespace pollard::vm
