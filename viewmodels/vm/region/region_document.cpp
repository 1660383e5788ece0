// RegionViewModel: positions of shapes in the picture, analysed pixels, files.
#include "vm/region/region_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/region/region_geojson.hpp"

#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "image/region_mask.hpp"

#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr qint64 kMostFileBytes = 64 << 20;

} // namespace

RegionViewModel::Frame RegionViewModel::presentFrame() const {
    Frame frame;
    frame.size = pictureSize();
    if (frame.size.isEmpty()) {
        return frame;
    }
    frame.path = document_.path();
    frame.place = placeOf(document_.request(), *document_.imageInfo());
    return frame;
}

void RegionViewModel::onDocumentChanged() {
    const Frame before = std::exchange(frame_, presentFrame());
    cancelDraft();
    editing_.reset();
    if (frame_ == before) { // another page with the same frame
        if (!state_.shapes.empty()) {
            applyMask();
        }
        return;
    }
    State state;
    if (!frame_.path.isEmpty() && frame_.path == before.path) {
        state = state_;
        for (RegionShape& shape : state.shapes) {
            shape = mapped(shape, before.place, frame_.place);
        }
    }
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
        // An empty region is no restriction, and the whole picture needs no mask.
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
        document_.choices().setDomain(mask_);
    }
}

void RegionViewModel::setPixelCount(qint64 count) {
    if (count != pixelCount_) {
        pixelCount_ = count;
        emit areaChanged();
    }
}

QString RegionViewModel::load(const QString& path, const MapCoordinates* map, GeoJsonIn unmarked) {
    QFile file(path);
    if (file.size() > kMostFileBytes) {
        return tr("read a region: %1: more than %2 MB").arg(path).arg(kMostFileBytes >> 20);
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return tr("read a region: %1: %2").arg(path, file.errorString());
    }
    try {
        FiledRegion filed = readGeoJson(file.readAll(), map, unmarked);
        const bool inPixels = filed.positions == GeoJsonIn::pixels;
        const bool ambiguous = inPixels && map != nullptr && !filed.shapes.empty() &&
                               std::ranges::all_of(filed.shapes, [map](const RegionShape& shape) {
                                   return std::ranges::all_of(shape.points, [map](const RegionPoint& corner) {
                                       const MapPoint place{corner.x, corner.y};
                                       return map->showsAll({&place, 1});
                                   });
                               });
        State next;
        next.shapes = std::move(filed.shapes);
        cancelDraft();
        change(std::move(next));
        if (ambiguous) {
            emit noticeRaised(
                tr("The positions were read as pixels; the dialog has longitude and latitude as another kind of file"));
        }
        return {};
    } catch (const Error& error) {
        return QStringLiteral("%1: %2").arg(QString::fromUtf8(error.what()), path);
    }
}

QString RegionViewModel::save(const QString& path, const MapCoordinates* map) const {
    QByteArray json;
    try {
        json = toGeoJson(state_.shapes, map);
    } catch (const Error& error) {
        return tr("save the region: %1: %2").arg(path, QString::fromUtf8(error.what()));
    }
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
    return written ? QString() : tr("save the region: %1: %2").arg(path, file.errorString());
}

void RegionViewModel::cropToBounds() {
    const auto box = bounds();
    if (!box) {
        return;
    }
    // The coordinates of the file: px of the level before shrinking.
    const OpenRequest& request = document_.request();
    const auto shrink = static_cast<std::uint32_t>(std::max(request.shrink, 1));
    PixelRegion part{box->x * shrink, box->y * shrink, box->width * shrink, box->height * shrink};
    if (request.region) {
        part.width = std::min(part.width, request.region->width - part.x);
        part.height = std::min(part.height, request.region->height - part.y);
        part.x += request.region->x;
        part.y += request.region->y;
    }
    document_.reading().setReadRegion(part);
}

} // namespace pollard::vm
