#include "vm/document/picture_map.hpp"

#include "vm/document/document_view_model.hpp"

#include "geo/map_coordinates.hpp"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

/// Decimals needed for numbers with this step.
int digitsFor(double step, int least, int most) {
    return static_cast<int>(std::clamp<double>(std::ceil(-std::log10(step)), least, most));
}

QString shortUnit(const std::string& unit) {
    constexpr std::array<std::pair<std::string_view, const char*>, 4> kUnits{
        {{"metre", "m"}, {"kilometre", "km"}, {"foot", "ft"}, {"US survey foot", "ft"}}};
    const auto known =
        std::ranges::find(kUnits, std::string_view(unit), &std::pair<std::string_view, const char*>::first);
    return known == kUnits.end() ? QString::fromStdString(unit) : QString::fromLatin1(known->second);
}

/// "UTM zone 33N" of "WGS 84 / UTM zone 33N".
QString shortName(const std::string& name) {
    const std::size_t slash = name.rfind(" / ");
    return QString::fromStdString(slash == std::string::npos ? name : name.substr(slash + 3));
}

MapPoint middleOf(int x, int y) { return {x + 0.5, y + 0.5}; }

} // namespace

PictureMap::PictureMap(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &PictureMap::onDocument);
    onDocument();
}

void PictureMap::onDocument() {
    const auto info = document_.imageInfo();
    const auto image = document_.image();
    std::vector<CarriedTag> tags = info ? info->carried : std::vector<CarriedTag>{};
    const std::uint32_t width = image ? image->width() : 0;
    const std::uint32_t height = image ? image->height() : 0;
    if (tags == tags_ && width == width_ && height == height_) {
        return;
    }
    tags_ = std::move(tags);
    width_ = width;
    height_ = height;
    worker_.stop(Lane::load);
    map_.reset();
    problem_.clear();
    pending_ = MapCoordinates::areIn(tags_);
    if (pending_) {
        auto job = [wanted = tags_, width, height](const std::stop_token&) {
            return MapCoordinates::of(wanted, width, height);
        };
        auto done = [this](const JobOutcome& outcome, const std::shared_ptr<const MapCoordinates>& made) {
            pending_ = false;
            map_ = made;
            problem_ = QString::fromStdString(outcome.message);
            emit changed();
        };
        worker_.post(Lane::load, std::move(job), std::move(done));
    }
    emit changed();
}

QString PictureMap::lonLatText(int x, int y) const {
    const MapPoint place = map_->lonLatAt(middleOf(x, y));
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) {
        return {};
    }
    const QLocale locale;
    const int digits = digitsFor(map_->degreesPerPixel() / 10, 2, 9);
    const double longitude = std::remainder(place.x, 360);
    const QString north = locale.toString(std::abs(place.y), 'f', digits);
    const QString east = locale.toString(std::abs(longitude), 'f', digits);
    return (place.y < 0 ? tr("%1° S") : tr("%1° N")).arg(north) + QStringLiteral(", ") +
           (longitude < 0 ? tr("%1° W") : tr("%1° E")).arg(east);
}

std::optional<PictureMap::Axes> PictureMap::axes() const {
    if (!map_) {
        return std::nullopt;
    }
    const MapPoint corner = map_->worldAt({0, 0});
    const MapPoint right = map_->worldAt({1, 0});
    const MapPoint down = map_->worldAt({0, 1});
    const MapPoint perPixel{right.x - corner.x, down.y - corner.y};
    if (right.y != corner.y || down.x != corner.x || !(std::abs(perPixel.x) > 0) || !(std::abs(perPixel.y) > 0)) {
        return std::nullopt;
    }
    const QString unit = map_->isGeographic() ? QStringLiteral("°") : shortUnit(map_->unit());
    return Axes{{unit, corner.x, perPixel.x, false, true}, {unit, corner.y, perPixel.y, false, true}};
}

QString PictureMap::textAt(int x, int y) const {
    if (!map_) {
        return {};
    }
    if (map_->isGeographic()) {
        return lonLatText(x, y);
    }
    const QLocale locale;
    const MapPoint place = map_->worldAt(middleOf(x, y));
    const int digits = digitsFor(map_->unitsPerPixel() / 10, 0, 4);
    const QString text =
        tr("E %1 %3, N %2 %3")
            .arg(locale.toString(place.x, 'f', digits), locale.toString(place.y, 'f', digits), shortUnit(map_->unit()));
    const QString name = shortName(map_->name());
    return name.isEmpty() ? text : text + QStringLiteral(" (%1)").arg(name);
}

QString PictureMap::detailsAt(int x, int y) const {
    if (!map_) {
        return {};
    }
    const QString name = QString::fromStdString(map_->name());
    const QString place = map_->isGeographic() ? QString() : lonLatText(x, y);
    return place.isEmpty() || name.isEmpty() ? place + name : place + QLatin1Char('\n') + name;
}

} // namespace pollard::vm
