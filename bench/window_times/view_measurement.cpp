#include "window_times/view_measurement.hpp"

#include "canvas/canvas.hpp"
#include "shell/process_memory.hpp"
#include "window/main_window.hpp"

#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kFramesPerStage = 60; ///< one zoom in or out, and one circle of panning
constexpr double kDeepest = 2.0;    ///< screen px per px at the turning point of the script

struct Place {
    double zoom;
    QPointF centre; ///< px of the image
};

/// View at frame @p i: a spiral over the image while the zoom goes from fitting to kDeepest and back.
Place placeOf(int i, double fitting, QSize picture) {
    const double stage = static_cast<double>(i % (2 * kFramesPerStage)) / kFramesPerStage;
    const double depth = stage <= 1.0 ? stage : 2.0 - stage;
    const double angle = 2 * std::numbers::pi * i / kFramesPerStage;
    const double reach = 0.35 * depth;
    return {fitting * std::pow(std::max(kDeepest / fitting, 1.0), depth),
            {picture.width() * (0.5 + reach * std::cos(angle)), picture.height() * (0.5 + reach * std::sin(angle))}};
}

} // namespace

void ViewMeasurement::step() {
    const TileTextures::Uploads& uploads = window().canvas()->tileStore().uploads();
    bytesBefore_ = static_cast<double>(uploads.bytes);
    uploadBefore_ = uploads.milliseconds;
    vm::DisplayViewModel& display = models().display;
    const Place place = placeOf(taken() + 1, display.view().fitZoom(), display.view().imageSize);
    startClock();
    display.setZoom(place.zoom);
    display.setCentre(place.centre);
}

void ViewMeasurement::takeFrame() {
    const Canvas& canvas = *window().canvas();
    const TileTextures::Uploads& uploads = canvas.tileStore().uploads();
    frames_.push_back({canvas.paintMilliseconds(), uploads.milliseconds - uploadBefore_,
                       static_cast<double>(uploads.bytes) - bytesBefore_, milliseconds()});
    late_ += canvas.isComplete() ? 0 : 1;
}

QJsonObject ViewMeasurement::summary(double Frame::*member) const {
    std::vector<double> values;
    values.reserve(frames_.size());
    for (const Frame& frame : frames_) {
        values.push_back(frame.*member);
    }
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
        const auto last = static_cast<double>(values.size() - 1);
        return std::round(values[static_cast<std::size_t>(std::lround(last * share))] * 100) / 100;
    };
    return {{QStringLiteral("median"), at(0.5)}, {QStringLiteral("p95"), at(0.95)}, {QStringLiteral("max"), at(1)}};
}

QString ViewMeasurement::report() const {
    const auto image = models().document.image();
    const TileTextures& store = window().canvas()->tileStore();
    constexpr double kMiB = 1 << 20;
    const QJsonObject object{
        {QStringLiteral("frames"), static_cast<int>(frames_.size())},
        {QStringLiteral("width"), static_cast<qint64>(image->width())},
        {QStringLiteral("height"), static_cast<qint64>(image->height())},
        {QStringLiteral("bits"), bitsOf(image->type())},
        {QStringLiteral("paint_ms"), summary(&Frame::paint)},
        {QStringLiteral("upload_ms"), summary(&Frame::upload)},
        {QStringLiteral("upload_bytes"), summary(&Frame::bytes)},
        {QStringLiteral("movement_to_swap_ms"), summary(&Frame::swap)},
        {QStringLiteral("frames_with_stand_ins"), late_},
        {QStringLiteral("texture_MiB"), std::round(static_cast<double>(store.bytes()) / kMiB)},
        {QStringLiteral("resident_MiB"), std::round(static_cast<double>(residentBytes()) / kMiB)},
        {QStringLiteral("peak_resident_MiB"), std::round(static_cast<double>(peakResidentBytes()) / kMiB)},
        {QStringLiteral("renderer"), window().canvas()->renderer()},
    };
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace pollard::app
