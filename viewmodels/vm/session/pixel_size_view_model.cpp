#include "vm/session/pixel_size_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/session/edit_history.hpp"

#include "io/metadata/length_units.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::string_view kMicrometre = "µm";
constexpr std::string_view kMillimetre = "mm"; ///< usual for scans of bodies
constexpr int kDigits = 6;                     ///< of a side in texts

/// The size converted to one of kStatedUnits; sides of 0 if it is not a length.
PixelSize inStatedUnit(PixelSize size) {
    if (const auto unit = statedUnit(size.unit)) {
        size.unit = *unit;
        return size;
    }
    const double micrometres = micrometresOf(size.unit).value_or(0);
    size.x *= micrometres;
    size.y *= micrometres;
    size.z *= micrometres;
    size.unit = kMicrometre;
    return size;
}

QString sizeText(const PixelSize& size) {
    const QLocale locale;
    const auto number = [&](double side) { return locale.toString(side, 'g', kDigits); };
    const QString unit = QString::fromStdString(size.unit);
    if (size.z > 0) {
        return QStringLiteral("%1 × %2 × %3 %4").arg(number(size.x), number(size.y), number(size.z), unit);
    }
    return size.x == size.y ? QStringLiteral("%1 %2").arg(number(size.x), unit)
                            : QStringLiteral("%1 × %2 %3").arg(number(size.x), number(size.y), unit);
}

bool isSameLength(const PixelSize& a, const PixelSize& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.unit == b.unit;
}

} // namespace

PixelSizeViewModel::PixelSizeViewModel(DocumentViewModel& document, EditHistory& history, QObject* parent)
    : QObject(parent), document_(document), history_(history), unit_(fromUtf8(kMicrometre)) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &PixelSizeViewModel::onDocument);
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, &PixelSizeViewModel::adopt);
}

bool PixelSizeViewModel::isAvailable() const { return document_.hasImage(); }

PixelSize PixelSizeViewModel::present() const {
    const auto size = sceneSize(document_.imageInfo().get());
    return size ? inStatedUnit(*size) : PixelSize{};
}

QString PixelSizeViewModel::unit() const {
    const PixelSize size = present();
    return size.x > 0 ? QString::fromStdString(size.unit) : unit_;
}

QStringList PixelSizeViewModel::unitNames() {
    QStringList names;
    for (const std::string_view unit : kStatedUnits) {
        names << fromUtf8(unit);
    }
    return names;
}

bool PixelSizeViewModel::isSquare() const {
    const PixelSize size = present();
    return size.x == size.y;
}

QString PixelSizeViewModel::originText() const {
    if (!isAvailable()) {
        return {};
    }
    const auto file = document_.pixelSizes().ofFile();
    const bool states = file && !file->print;
    const QString source =
        states && !file->source.empty() ? QStringLiteral(" (%1)").arg(QString::fromStdString(file->source)) : QString();
    QString stated = states ? tr("file: %1%2").arg(sizeText(*file), source) : tr("the file states none");
    if (!canRevert()) {
        return stated;
    }
    const bool byHand = document_.request().pixelSize.has_value() && scope_ == Scope::image;
    return tr("%1; %2").arg(byHand ? tr("set by hand") : tr("set for this folder"), stated);
}

bool PixelSizeViewModel::canRevert() const { return document_.pixelSizes().stated().has_value(); }

double PixelSizeViewModel::sideOf(double length, double pixels) noexcept {
    const double side = pixels > 0 ? length / pixels : 0;
    return isStatedSide(side) ? side : 0;
}

bool PixelSizeViewModel::hasDistance() const { return document_.isVolume(); }

double PixelSizeViewModel::statedDistance(const std::string& unit) const {
    const auto stated = document_.pixelSizes().stated();
    const auto from = stated ? micrometresOf(stated->unit) : std::nullopt;
    const auto to = micrometresOf(unit);
    return from && to ? stated->z * (*from / *to) : 0;
}

void PixelSizeViewModel::setSize(double width, double height, const QString& unit, double distance) {
    const auto name = statedUnit(unit.toStdString());
    if (!isAvailable() || !name || !isStatedSide(width) || !isStatedSide(height) ||
        !(distance == 0 || isStatedSide(distance))) {
        emit changed(); // controls show the present size again
        return;
    }
    const auto [x, y] = pixelScale(*document_.imageInfo(), document_.request().shrink);
    PixelSize size;
    size.x = width / x;
    size.y = height / y;
    size.unit = *name;
    size.z = distance > 0 ? distance / std::max(document_.request().shrink, 1) : statedDistance(size.unit);
    unit_ = fromUtf8(*name);
    if (scope_ == Scope::image) {
        document_.pixelSizes().set(size);
        return;
    }
    const EditHistory::Group group(history_, tr("pixel size of the folder"));
    const auto file = document_.pixelSizes().ofFile();
    document_.pixelSizes().setForFolder(size);
    document_.pixelSizes().set(file && !file->print ? std::optional(size) : std::nullopt);
    scope_ = Scope::folder;
    emit changed();
}

void PixelSizeViewModel::setWidth(double width) {
    if (width != this->width()) {
        setSize(width, isSquare() ? width : height(), unit());
    }
}

void PixelSizeViewModel::setHeight(double height) {
    if (height != this->height()) {
        setSize(width() > 0 ? width() : height, height, unit());
    }
}

void PixelSizeViewModel::setDistance(double distance) {
    if (hasDistance() && distance != this->distance()) {
        const double side = width() > 0 ? width() : distance;
        setSize(side, height() > 0 ? height() : side, unit(), distance);
    }
}

void PixelSizeViewModel::setUnit(const QString& unit) {
    if (unit == this->unit()) {
        return;
    }
    if (width() > 0) {
        const auto stated = document_.pixelSizes().stated();
        setSize(width(), height(), unit, stated && stated->z > 0 && hasDistance() ? distance() : 0);
    } else if (statedUnit(unit.toStdString())) {
        unit_ = unit;
        emit changed();
    }
}

void PixelSizeViewModel::setScope(Scope scope) {
    if (!change(scope_, scope)) {
        return;
    }
    const auto stated = document_.pixelSizes().stated();
    if (!stated) {
        emit changed();
        return;
    }
    if (scope == Scope::image) {
        document_.pixelSizes().set(stated);
        return;
    }
    const PixelSize size = present();
    setSize(size.x, size.y, QString::fromStdString(size.unit));
}

void PixelSizeViewModel::revert() {
    if (!canRevert()) {
        return;
    }
    const bool forFolder = scope_ == Scope::folder;
    const EditHistory::Group group(history_, tr("pixel size of the file"));
    document_.pixelSizes().set(std::nullopt);
    if (forFolder) {
        document_.pixelSizes().setForFolder(std::nullopt);
    }
}

void PixelSizeViewModel::onDocument() {
    if (std::exchange(path_, document_.path()) != document_.path()) {
        scope_ = Scope::image;
        const auto info = document_.imageInfo();
        if (info && (info->format == "DICOM" || info->format.starts_with("NIfTI"))) {
            unit_ = fromUtf8(kMillimetre);
        }
    }
    forgetLine();
    setMeasuring(measuring_ && isAvailable());
    adopt();
}

void PixelSizeViewModel::adopt() {
    const auto& own = document_.request().pixelSize;
    const auto folder = document_.pixelSizes().ofFolder();
    if (own && !(folder && isSameLength(*folder, *own))) {
        scope_ = Scope::image;
    } else if (!own && document_.pixelSizes().stated()) {
        scope_ = Scope::folder;
    }
    emit changed();
}

void PixelSizeViewModel::beginLine(const QPointF& image) {
    if (measuring_) {
        line_ = QLineF(image, image);
        emit lineChanged();
    }
}

void PixelSizeViewModel::moveLine(const QPointF& image, bool straight) {
    if (!line_) {
        return;
    }
    QPointF end = image;
    if (straight) {
        const QPointF way = end - line_->p1();
        if (std::abs(way.x()) >= std::abs(way.y())) {
            end.setY(line_->y1());
        } else {
            end.setX(line_->x1());
        }
    }
    line_->setP2(end);
    emit lineChanged();
}

void PixelSizeViewModel::finishLine() {
    const double pixels = line_ ? line_->length() : 0;
    if (line_ && pixels < kShortestLine) {
        forgetLine(); // a click without a drag
    } else if (measuring_) {
        emit lineDrawn(pixels);
    }
}

void PixelSizeViewModel::forgetLine() {
    if (line_) {
        line_.reset();
        emit lineChanged();
    }
}

} // namespace pollard::vm
