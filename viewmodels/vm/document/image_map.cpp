#include "vm/document/image_map.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/world_scale.hpp"

#include "geo/map_coordinates.hpp"
#include "geo/sky_coordinates.hpp"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
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

/// Right ascension in hours or declination in degrees with minutes and seconds: "10h 00m 24.38s", "+02° 12' 20.7\"".
QString sexagesimal(double value, const std::array<const char*, 3>& marks, int decimals, bool isSigned) {
    const double unit = std::pow(10.0, decimals);
    auto parts = static_cast<qint64>(std::llround(std::abs(value) * 3600 * unit));
    const auto perMinute = static_cast<qint64>(60 * unit);
    const qint64 minutes = parts / perMinute;
    parts %= perMinute;
    constexpr qint64 kHours = 24;
    const qint64 whole = isSigned ? minutes / 60 : minutes / 60 % kHours;
    const QString sign = !isSigned ? QString() : value < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return QStringLiteral("%1%2%3 %4%5 %6%7")
        .arg(sign)
        .arg(whole, 2, 10, QLatin1Char('0'))
        .arg(QString::fromUtf8(marks[0]))
        .arg(minutes % 60, 2, 10, QLatin1Char('0'))
        .arg(QString::fromUtf8(marks[1]))
        .arg(static_cast<double>(parts) / unit, decimals + 3, 'f', decimals, QLatin1Char('0'))
        .arg(QString::fromUtf8(marks[2]));
}

MapPoint middleOf(int x, int y) { return {x + 0.5, y + 0.5}; }

} // namespace

ImageMap::ImageMap(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ImageMap::onDocument);
    onDocument();
}

void ImageMap::onDocument() {
    const auto info = document_.imageInfo();
    const auto image = document_.image();
    std::vector<CopiedTag> tags = info ? info->carried : std::vector<CopiedTag>{};
    const std::uint32_t width = image ? image->width() : 0;
    const std::uint32_t height = image ? image->height() : 0;
    std::optional<SkyHeader> header = info ? info->sky : std::nullopt;
    if (tags == tags_ && header == header_ && width == width_ && height == height_) {
        return;
    }
    tags_ = std::move(tags);
    header_ = std::move(header);
    constexpr double kArcsecPerDegree = 3600;
    pixelDegrees_ = info && info->pixelSize && info->pixelSize->unit == "arcsec"
                        ? std::min(info->pixelSize->x, info->pixelSize->y) / kArcsecPerDegree
                        : 0;
    width_ = width;
    height_ = height;
    worker_.stop(Lane::load);
    map_.reset();
    sky_.reset();
    problem_.clear();
    pending_ = MapCoordinates::areIn(tags_) || header_;
    if (pending_) {
        struct Places {
            std::shared_ptr<const MapCoordinates> map;
            std::shared_ptr<const SkyCoordinates> sky;
        };
        auto job = [wanted = tags_, sky = header_, width, height](const std::stop_token&) {
            return Places{MapCoordinates::of(wanted, width, height), SkyCoordinates::of(sky)};
        };
        auto done = [this](const JobOutcome& outcome, const Places& made) {
            pending_ = false;
            map_ = made.map;
            sky_ = made.sky;
            problem_ = QString::fromStdString(outcome.message);
            emit changed();
        };
        worker_.post(Lane::load, std::move(job), std::move(done));
    }
    emit changed();
}

QString ImageMap::lonLatText(int x, int y) const {
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

std::optional<ImageMap::Axes> ImageMap::axes() const {
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

QString ImageMap::skyText(int x, int y) const {
    const SkyPoint place = sky_->at(x, y);
    if (!std::isfinite(place.longitude) || !std::isfinite(place.latitude)) {
        return {};
    }
    const QLocale locale;
    const int digits = pixelDegrees_ > 0 ? digitsFor(pixelDegrees_ / 10, 2, 9) : 6;
    const QString longitude = locale.toString(place.longitude, 'f', digits);
    const QString latitude = locale.toString(place.latitude, 'f', digits);
    if (!sky_->isEquatorial()) {
        return QStringLiteral("%1 %2°, %3 %4°")
            .arg(QString::fromStdString(sky_->longitudeName()).toUpper(), longitude,
                 QString::fromStdString(sky_->latitudeName()).toUpper(), latitude);
    }
    return tr("RA %1°, Dec %2° (%3)").arg(longitude, latitude, QString::fromStdString(sky_->frame()));
}

QString ImageMap::skyDetails(int x, int y) const {
    const SkyPoint place = sky_->at(x, y);
    if (!sky_->isEquatorial() || !std::isfinite(place.longitude) || !std::isfinite(place.latitude)) {
        return {};
    }
    constexpr double kDegreesPerHour = 15;
    const int decimals = pixelDegrees_ > 0 ? std::clamp(digitsFor(pixelDegrees_ * 360, 0, 6), 1, 4) : 2;
    return sexagesimal(place.longitude / kDegreesPerHour, {"h", "m", "s"}, decimals + 1, false) + QStringLiteral(", ") +
           sexagesimal(place.latitude, {"°", "′", "″"}, decimals, true);
}

QString ImageMap::textAt(int x, int y) const {
    if (sky_) {
        return skyText(x, y);
    }
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

QString ImageMap::detailsAt(int x, int y) const {
    if (sky_) {
        return skyDetails(x, y);
    }
    if (!map_) {
        return {};
    }
    const QString name = QString::fromStdString(map_->name());
    const QString place = map_->isGeographic() ? QString() : lonLatText(x, y);
    return place.isEmpty() || name.isEmpty() ? place + name : place + QLatin1Char('\n') + name;
}

ProbeViewModel::ProbeViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::frameReady, this, &ProbeViewModel::refresh); // follows treeChanged(), too
    connect(&document_, &DocumentViewModel::resultFetched, this, &ProbeViewModel::refresh);
}

QString ProbeViewModel::text() const {
    if (!isValid()) {
        return {};
    }
    const QLocale locale;
    const auto shown = [&](qint64 value) { return value < 0 ? tr("unknown") : locale.toString(value); };
    if (!originalMappingOf(document_)) {
        return tr("x %1  y %2   value %3 → %4   node %5  level %6  area %7 px")
            .arg(QString::number(x_), QString::number(y_), shown(original_), shown(filtered_), shown(node_),
                 shown(level_), shown(area_));
    }
    return tr("x %1  y %2   value %3 → %4   node %5 of %6  area %7 px")
        .arg(QString::number(x_), QString::number(y_), originalText(), filteredText(), shown(node_),
             level_ < 0 ? tr("unknown") : greyText(mappingOf(document_), level_), shown(area_));
}

QString ProbeViewModel::originalText() const {
    return original_ < 0 ? tr("unknown") : greyText(originalMappingOf(document_), original_);
}

QString ProbeViewModel::filteredText() const {
    return filtered_ < 0 ? tr("unknown") : greyText(resultMappingOf(document_), filtered_);
}

QString ProbeViewModel::levelsText() const {
    const QLocale locale;
    return isValid() && originalMappingOf(document_) && original_ >= 0 && filtered_ >= 0
               ? tr("level %1 → %2").arg(locale.toString(original_), locale.toString(filtered_))
               : QString();
}

QString ProbeViewModel::patientPlace() const {
    return isValid() ? patientText(document_.imageInfo().get(),
                                   {static_cast<std::uint32_t>(x_), static_cast<std::uint32_t>(y_),
                                    static_cast<std::uint32_t>(z_)})
                     : QString();
}

void ProbeViewModel::setPosition(const QPointF& image) {
    section_.reset();
    position_ = image;
    hasPosition_ = true;
    refresh();
}

void ProbeViewModel::setSection(const ShownSlice& section, const QPointF& place) {
    section_ = section;
    position_ = place;
    hasPosition_ = true;
    refresh();
}

void ProbeViewModel::clear() {
    section_.reset();
    hasPosition_ = false;
    refresh();
}

void ProbeViewModel::refresh() {
    const auto all = [this] { return std::tie(x_, y_, z_, hasData_, original_, filtered_, node_, level_, area_); };
    const std::tuple<int, int, int, bool, int, int, qint64, int, qint64> before = all();
    x_ = y_ = z_ = original_ = filtered_ = level_ = -1;
    node_ = area_ = -1;
    hasData_ = true;

    if (section_ && (!section_->volume || section_->volume != document_.shown().volume)) { // of another document
        section_.reset();
        hasPosition_ = false;
    }
    const ShownSlice& shown = section_ ? *section_ : static_cast<const ShownSlice&>(document_.shown());
    const auto& image = shown.image;
    const double x = std::floor(position_.x());
    const double y = std::floor(position_.y());
    if (hasPosition_ && image && x >= 0 && y >= 0 && x < image->width() && y < image->height()) {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        std::array<int, 3> place{};
        place[static_cast<std::size_t>(shown.across)] = static_cast<int>(shown.slice);
        const auto axes = axesOf(shown.plane());
        const auto put = [&place](const ImageAxis& axis, std::uint32_t at, std::uint32_t count) {
            place[static_cast<std::size_t>(axis.axis)] = static_cast<int>(axis.isReversed ? count - 1 - at : at);
        };
        put(axes[0], column, image->width());
        put(axes[1], row, image->height());
        x_ = place[0];
        y_ = place[1];
        z_ = place[2];
        const std::size_t index = std::size_t{row} * image->width() + column;
        original_ = image->level(index);
        if (shown.valid) {
            hasData_ = shown.valid->test(column, row);
        }
        if (const auto& result = shown.frame.image; result && result->pixelCount() == image->pixelCount()) {
            filtered_ = result->level(index);
        }
        const auto tree = document_.tree();
        if (const auto node = tree ? shown.nodeAt(position_, *tree) : std::nullopt) {
            node_ = *node;
            level_ = tree->level[*node];
            if (const auto area = document_.attribute(AttributeId::area)) {
                area_ = static_cast<qint64>(area->at(*node));
            }
        }
    }
    if (before != all()) {
        emit changed();
    }
}

} // namespace pollard::vm
