#include "vm/image/world_scale.hpp"

#include "io/metadata/length_units.hpp"
#include "io/volumes/patient_axes.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QSettings>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace pollard::vm {

namespace {

struct Unit {
    const char* name;
    double size; ///< in the first unit of its family
};

constexpr std::array kLengths{Unit{"pm", 1},   Unit{"nm", 1e3}, Unit{"µm", 1e6},
                              Unit{"mm", 1e9}, Unit{"m", 1e12}, Unit{"km", 1e15}};
constexpr std::array kAngles{Unit{"mas", 1}, Unit{"arcsec", 1e3}, Unit{"arcmin", 60e3}, Unit{"°", 3600e3}};

/// Other spellings in files.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSpellings{{{"um", "µm"},
                                                                                    {"μm", "µm"},
                                                                                    {"micron", "µm"},
                                                                                    {"metre", "m"},
                                                                                    {"meter", "m"},
                                                                                    {"deg", "°"},
                                                                                    {"degree", "°"},
                                                                                    {"\"", "arcsec"},
                                                                                    {"'", "arcmin"},
                                                                                    {"cm", "cm"}}};

std::string_view canonicalName(std::string_view name) {
    for (const auto& [spelling, canonical] : kSpellings) {
        if (name == spelling) {
            return canonical;
        }
    }
    return name;
}

const Unit* find(std::span<const Unit> family, std::string_view name) {
    const auto found = std::find_if(family.begin(), family.end(), [&](const Unit& unit) { return unit.name == name; });
    return found == family.end() ? nullptr : &*found;
}

/// Compensates for rounding of logarithms of exact values.
constexpr double kTolerance = 1e-9;

} // namespace

std::optional<PixelSize> sceneSize(const ImageInfo* info) {
    if (info == nullptr || !info->pixelSize || info->pixelSize->print || !(info->pixelSize->x > 0) ||
        !(info->pixelSize->y > 0) || !std::isfinite(info->pixelSize->x) || !std::isfinite(info->pixelSize->y)) {
        return std::nullopt;
    }
    return info->pixelSize;
}

std::optional<PixelSize> sceneSize(const ImageInfo* info, const VolumePlane& plane) {
    auto size = sceneSize(info);
    if (size) {
        const std::array sides{size->x, size->y, size->z};
        const auto [right, down] = axesOf(plane);
        size->x = sides[static_cast<std::size_t>(right.axis)];
        size->y = sides[static_cast<std::size_t>(down.axis)];
    }
    return size && size->x > 0 && size->y > 0 ? size : std::nullopt;
}

WorldUnit readableUnit(double value, const std::string& unit) {
    const std::string_view name = canonicalName(unit);
    double scale = 1;
    std::span<const Unit> family = kLengths;
    const Unit* own = find(family, name);
    if (own == nullptr && name == "cm") {
        own = find(family, "mm");
        scale = 10;
    }
    if (own == nullptr) {
        family = kAngles;
        own = find(family, name);
    }
    if (own == nullptr) {
        return {QString::fromStdString(unit), 1};
    }
    const double smallest = std::abs(value) * scale * own->size;
    const Unit* best = &family.front();
    for (const Unit& candidate : family) {
        if (smallest >= candidate.size * (1 - kTolerance)) {
            best = &candidate;
        }
    }
    return {QString::fromUtf8(best->name), scale * own->size / best->size};
}

double roundDown125(double value) noexcept {
    if (!(value > 0) || !std::isfinite(value)) {
        return 0;
    }
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    double best = power / 2; // the logarithm of a power of ten may be rounded up
    for (const double step : {1.0, 2.0, 5.0, 10.0}) {
        if (step * power <= value * (1 + kTolerance)) {
            best = step * power;
        }
    }
    return best;
}

double roundUp125(double value) noexcept {
    const double down = roundDown125(value);
    if (down <= 0 || down >= value * (1 - kTolerance)) {
        return down;
    }
    return roundDown125(down * 2.6); // 1 -> 2, 2 -> 5, 5 -> 10
}

QString worldText(double value, const QString& unit, int digits) {
    const double magnitude = std::abs(value);
    const int whole = magnitude >= 1 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 0;
    const int leading = magnitude > 0 && magnitude < 1 ? -static_cast<int>(std::floor(std::log10(magnitude))) - 1 : 0;
    const int decimals = std::clamp(digits - whole + leading, 0, 12);
    const QLocale locale;
    QString number = locale.toString(value, 'f', decimals);
    const QString point = locale.decimalPoint();
    if (decimals > 0 && number.contains(point)) {
        while (number.endsWith(locale.zeroDigit())) {
            number.chop(1);
        }
        if (number.endsWith(point)) {
            number.chop(point.size());
        }
    }
    if (unit.isEmpty()) {
        return number;
    }
    const bool tight = unit == QStringLiteral("°");
    return tight ? number + unit : number + QChar(QChar::Nbsp) + unit;
}

WorldUnit sceneAreaUnit(const ImageInfo* info, double pixels) {
    const auto size = sceneSize(info);
    if (!size) {
        return {QStringLiteral("px"), 1};
    }
    const double pixel = size->x * size->y;
    const WorldUnit unit = readableUnit(std::sqrt(pixels * pixel), size->unit);
    return {unit.name + u'²', pixel * unit.factor * unit.factor};
}

QString sceneArea(const ImageInfo* info, double pixels) {
    const WorldUnit unit = sceneAreaUnit(info, pixels);
    return sceneSize(info) ? worldText(pixels * unit.factor, unit.name) : QString();
}

std::optional<ScaleBar> scaleBarFor(double zoom, double longest, const std::optional<PixelSize>& size) {
    if (!(zoom > 0) || !(longest > 0)) {
        return std::nullopt;
    }
    if (!size) {
        const double pixels = std::max(1.0, roundDown125(longest / zoom));
        return ScaleBar{pixels * zoom, worldText(pixels, QStringLiteral("px"))};
    }
    const double most = longest / zoom * size->x;
    const WorldUnit unit = readableUnit(most, size->unit);
    const double length = roundDown125(most * unit.factor);
    if (length <= 0) {
        return std::nullopt;
    }
    return ScaleBar{length / unit.factor / size->x * zoom, worldText(length, unit.name)};
}

double rulerGap(const RulerAxis& axis) noexcept { return axis.isMap ? 96 : 72; }

std::vector<RulerTick> rulerTicks(const RulerAxis& axis, double start, double zoom, double length) {
    const double sign = axis.perPixel < 0 ? -1 : 1;
    std::vector<RulerTick> ticks = rulerTicks(sign * (axis.first + start * axis.perPixel),
                                              zoom / std::abs(axis.perPixel), length, rulerGap(axis), axis.whole);
    for (RulerTick& tick : ticks) {
        tick.value = sign * tick.value + 0.0; // no negative zero
    }
    return ticks;
}

QString rulerText(const RulerAxis& axis, double value, double zoom) {
    if (!axis.isMap) {
        return worldText(value, {}, 6);
    }
    const double step = rulerStep(zoom / std::abs(axis.perPixel), rulerGap(axis), axis.whole);
    const int decimals = static_cast<int>(std::clamp(std::ceil(-std::log10(step) - kTolerance), 0.0, 9.0));
    return QLocale().toString(value, 'f', decimals);
}

double rulerStep(double scale, double gap, bool whole) noexcept {
    const double step = roundUp125(gap / scale);
    return whole ? std::max(step, 1.0) : step;
}

std::vector<RulerTick> rulerTicks(double first, double scale, double length, double gap, bool whole) {
    std::vector<RulerTick> ticks;
    if (!(scale > 0) || !(length > 0) || !(gap > 0) || !std::isfinite(first)) {
        return ticks;
    }
    const double step = rulerStep(scale, gap, whole);
    if (!(step > 0)) {
        return ticks;
    }
    const double lead = step / std::pow(10.0, std::floor(std::log10(step * (1 + kTolerance))));
    double parts = std::abs(lead - 2) < 0.1 ? 4 : 5;
    if (whole && step / parts < 1) {
        parts = step; // at most one mark per px
    }
    const double minor = step / parts;
    const auto perMajor = static_cast<std::int64_t>(std::lround(parts));
    const auto begin = static_cast<std::int64_t>(std::ceil(first / minor - kTolerance));
    const auto end = static_cast<std::int64_t>(std::floor((first + length / scale) / minor + kTolerance));
    for (std::int64_t i = begin; i <= end; ++i) {
        const double value = static_cast<double>(i) * minor;
        ticks.push_back({(value - first) * scale, value, i % perMajor == 0});
    }
    return ticks;
}

namespace {

QString translatedPatientText(const char* source) { return QCoreApplication::translate("PatientText", source); }

QString nameOf(PatientPlane plane) {
    switch (plane) {
    case PatientPlane::sagittal:
        return translatedPatientText("sagittal");
    case PatientPlane::coronal:
        return translatedPatientText("coronal");
    case PatientPlane::axial:
        break;
    }
    return translatedPatientText("axial");
}

} // namespace

std::optional<VoxelMap> patientMap(const ImageInfo* info) {
    return info == nullptr ? std::nullopt : pollard::patientMap(*info);
}

QString patientText(const ImageInfo* info, const Voxel& voxel) {
    const std::optional<VoxelMap> map = patientMap(info);
    if (!map) {
        return {};
    }
    constexpr double kTenth = 0.1;
    const AxisDirection centre = voxelCentre(*map, voxel.x, voxel.y, voxel.z);
    const QLocale locale;
    QStringList parts;
    for (std::size_t axis = 0; axis < centre.size(); ++axis) {
        const bool isBelow = std::round(centre[axis] / kTenth) < 0;
        parts << QStringLiteral("%1 %2").arg(QString(QLatin1Char(kRas[axis][isBelow ? 1 : 0])),
                                             locale.toString(std::abs(centre[axis]), 'f', 1));
    }
    const QString text = parts.join(QStringLiteral("  "));
    return info->place->unit.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(info->place->unit);
}

PlaneTurn turnOf(const ImageInfo* info, VolumeAxis across) {
    const std::optional<VoxelMap> map = patientMap(info);
    return map ? uprightTurn(*map, across) : PlaneTurn();
}

QString planeName(const ImageInfo* info, VolumeAxis across) {
    const std::optional<VoxelMap> map = patientMap(info);
    if (const auto plane = map ? patientPlane(*map, across) : std::nullopt) {
        return nameOf(*plane);
    }
    return across == VolumeAxis::x   ? QStringLiteral("YZ")
           : across == VolumeAxis::y ? QStringLiteral("XZ")
                                     : QStringLiteral("XY");
}

QString planeTitle(const ImageInfo* info, VolumeAxis across) {
    QString name = planeName(info, across);
    name[0] = name[0].toUpper();
    return name;
}

namespace {

constexpr auto kKey = "pixelSizes/folders";

QString folderOf(const QString& file) { return QFileInfo(file).absolutePath(); }

/// Empty if a number is missing or out of range.
std::optional<PixelSize> sizeFromJson(const QJsonObject& json) {
    const auto unit = statedUnit(json.value("unit").toString().toStdString());
    PixelSize size;
    size.x = json.value("x").toDouble();
    size.y = json.value("y").toDouble();
    if (!unit || !isStatedSide(size.x) || !isStatedSide(size.y)) {
        return std::nullopt;
    }
    if (const double distance = json.value("z").toDouble(); isStatedSide(distance)) {
        size.z = distance;
    }
    size.unit = *unit;
    size.source = kSetForFolder;
    return size;
}

} // namespace

FolderSizes::FolderSizes(QSettings* settings) : settings_(settings) {
    if (settings_ != nullptr) {
        load();
    }
}

std::optional<PixelSize> FolderSizes::sizeFor(const QString& file) const {
    if (file.isEmpty()) {
        return std::nullopt;
    }
    const auto found = std::ranges::find(folders_, folderOf(file), &std::pair<QString, PixelSize>::first);
    return found == folders_.end() ? std::nullopt : std::optional(found->second);
}

void FolderSizes::setFor(const QString& file, const std::optional<PixelSize>& size) {
    if (file.isEmpty()) {
        return;
    }
    const QString folder = folderOf(file);
    std::erase_if(folders_, [&](const auto& each) { return each.first == folder; });
    if (size) {
        folders_.emplace_front(folder, *size);
        folders_.front().second.source = kSetForFolder;
        if (folders_.size() > kMaxFolders) {
            folders_.pop_back();
        }
    }
    save();
}

void FolderSizes::clear() {
    folders_.clear();
    save();
}

void FolderSizes::load() {
    for (const auto& value : QJsonDocument::fromJson(settings_->value(kKey).toString().toUtf8()).array()) {
        const QJsonObject entry = value.toObject();
        const QString folder = entry.value("folder").toString();
        const auto size = sizeFromJson(entry);
        if (!folder.isEmpty() && size && folders_.size() < kMaxFolders) {
            folders_.emplace_back(folder, *size);
        }
    }
}

void FolderSizes::save() const {
    if (settings_ == nullptr) {
        return;
    }
    QJsonArray entries;
    for (const auto& [folder, size] : folders_) {
        QJsonObject entry{
            {"folder", folder}, {"x", size.x}, {"y", size.y}, {"unit", QString::fromStdString(size.unit)}};
        if (size.z > 0) {
            entry["z"] = size.z;
        }
        entries.append(entry);
    }
    settings_->setValue(kKey, QString::fromUtf8(QJsonDocument(entries).toJson(QJsonDocument::Compact)));
}

} // namespace pollard::vm
