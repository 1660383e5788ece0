#include "vm/display/look_store.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QMetaEnum>
#include <QSettings>

#include <algorithm>
#include <array>

namespace pollard::vm {

namespace {

constexpr auto kMap = "display/colourMap";
constexpr auto kInverted = "display/inverted";
constexpr auto kFiles = "display/files";
constexpr auto kShared = "display/sharedLook";
/// Name of the inverted grey map in settings of old versions.
constexpr auto kOldInvertedGrey = "inverted-grey";
constexpr int kSaveDelay = 500; ///< ms

QString compact(const QJsonDocument& document) { return QString::fromUtf8(document.toJson(QJsonDocument::Compact)); }

QJsonDocument parsed(const QVariant& value) { return QJsonDocument::fromJson(value.toString().toUtf8()); }

} // namespace

LookStore::LookStore(QSettings* settings, QObject* parent) : QObject(parent), settings_(settings) {
    soon_.setSingleShot(true);
    soon_.setInterval(kSaveDelay);
    connect(&soon_, &QTimer::timeout, this, &LookStore::save);
    if (settings_ != nullptr) {
        load();
    }
}

LookStore::~LookStore() {
    if (soon_.isActive()) {
        save();
    }
}

Look LookStore::recall(const QString& path) const {
    if (shared_) {
        return *shared_;
    }
    const auto found = std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return file.first == path; });
    if (found != files_.end()) {
        return found->second;
    }
    Look look;
    look.map = preferredMap_;
    look.inverted = preferredInverted_;
    return look;
}

void LookStore::remember(const QString& path, const Look& look) {
    if (shared_) {
        shared_ = look;
    } else if (!path.isEmpty()) {
        std::erase_if(files_, [&](const auto& file) { return file.first == path; });
        files_.emplace_front(path, look);
        if (files_.size() > kMaxFiles) {
            files_.pop_back();
        }
    }
    saveSoon();
}

void LookStore::rememberColours(ColourMap map, bool inverted) {
    preferredMap_ = map;
    preferredInverted_ = inverted;
    saveSoon();
}

void LookStore::share(const Look& look) {
    const bool before = isShared();
    shared_ = look;
    saveSoon();
    if (!before) {
        emit sharedChanged();
    }
}

void LookStore::stopSharing() {
    if (!isShared()) {
        return;
    }
    shared_.reset();
    saveSoon();
    emit sharedChanged();
}

void LookStore::clear() {
    if (!files_.empty()) {
        files_.clear();
        saveSoon();
    }
}

void LookStore::load() {
    const QString map = settings_->value(kMap).toString();
    preferredMap_ = findColourMap(map.toStdString()).value_or(ColourMap::grey);
    preferredInverted_ = map == QLatin1String(kOldInvertedGrey) || settings_->value(kInverted, false).toBool();
    for (const auto& value : parsed(settings_->value(kFiles)).array()) {
        const QJsonObject entry = value.toObject();
        const QString path = entry.value("path").toString();
        const auto look = lookFromJson(entry);
        if (!path.isEmpty() && look && files_.size() < kMaxFiles) {
            files_.emplace_back(path, *look);
        }
    }
    shared_ = lookFromJson(parsed(settings_->value(kShared)).object());
}

void LookStore::save() {
    soon_.stop();
    if (settings_ == nullptr) {
        return;
    }
    const std::string_view map = nameOf(preferredMap_);
    settings_->setValue(kMap, QString::fromLatin1(map.data(), static_cast<qsizetype>(map.size())));
    settings_->setValue(kInverted, preferredInverted_);
    QJsonArray entries;
    for (const auto& [path, look] : files_) {
        QJsonObject entry = toJson(look);
        entry.insert("path", path);
        entries.append(entry);
    }
    settings_->setValue(kFiles, compact(QJsonDocument(entries)));
    settings_->setValue(kShared, shared_ ? compact(QJsonDocument(toJson(*shared_))) : QString());
}

void LookStore::saveSoon() {
    if (!soon_.isActive()) {
        soon_.start();
    }
}

namespace {

/// Width and centre, as radiologists state windows.
struct CtWindow {
    const char* id;
    const char* name;
    double width;
    double centre;
};
constexpr std::array kCtWindows{
    CtWindow{"brain", QT_TRANSLATE_NOOP("NamedWindows", "Brain"), 80, 40},
    CtWindow{"bone", QT_TRANSLATE_NOOP("NamedWindows", "Bone"), 2000, 300},
    CtWindow{"lung", QT_TRANSLATE_NOOP("NamedWindows", "Lung"), 1500, -600},
    CtWindow{"softTissue", QT_TRANSLATE_NOOP("NamedWindows", "Soft tissue"), 400, 40},
};

} // namespace

QString NamedWindow::valuesText() const {
    const QLocale locale;
    constexpr int kDigits = 6;
    const QString text =
        QCoreApplication::translate("NamedWindows", "%1 to %2")
            .arg(locale.toString(values.low, 'g', kDigits), locale.toString(values.high, 'g', kDigits));
    return unit.isEmpty() ? text : text + QLatin1Char(' ') + unit;
}

QList<NamedWindow> namedWindows(const ImageInfo* info) {
    QList<NamedWindow> windows;
    if (info == nullptr) {
        return windows;
    }
    const QString unit = QString::fromStdString(unitOf(info->mapping));
    if (info->window) {
        windows << NamedWindow{QStringLiteral("file"), QCoreApplication::translate("NamedWindows", "As in the file"),
                               *info->window, unit};
    }
    if (unit == QLatin1String("HU")) {
        for (const CtWindow& each : kCtWindows) {
            windows << NamedWindow{QString::fromLatin1(each.id),
                                   QCoreApplication::translate("NamedWindows", each.name),
                                   {each.centre - each.width / 2, each.centre + each.width / 2},
                                   unit};
        }
    }
    return windows;
}

namespace {

constexpr auto kAutoLow = "display/autoLow";
constexpr auto kAutoHigh = "display/autoHigh";
constexpr auto kMarks = "display/marksSaturation";
constexpr auto kBlinkInterval = "display/blinkInterval";
constexpr auto kBlinkByItself = "display/blinkByItself";
constexpr auto kAbsolute = "display/absoluteDifference";
constexpr auto kComposite = "display/composite";
constexpr auto kHistogramSource = "display/histogramSource";

using Source = HistogramViewModel::Source;

Source sourceCalled(const QString& name) {
    bool known = false;
    const int source = QMetaEnum::fromType<Source>().keyToValue(name.toLatin1().constData(), &known);
    return known ? static_cast<Source>(source) : Source::image;
}

} // namespace

void keepDisplayPreferences(QSettings& settings, DisplayViewModel& display, HistogramViewModel& histogram) {
    CompareViewModel& compare = display.compare();
    display.setAutoLow(settings.value(kAutoLow, display.autoLow()).toDouble());
    display.setAutoHigh(settings.value(kAutoHigh, display.autoHigh()).toDouble());
    display.setMarksSaturation(settings.value(kMarks, false).toBool());
    compare.setBlinkInterval(settings.value(kBlinkInterval, compare.blinkInterval()).toDouble());
    compare.setBlinkByItself(settings.value(kBlinkByItself, true).toBool());
    compare.setAbsolute(settings.value(kAbsolute, false).toBool());
    display.composite().setOn(settings.value(kComposite, true).toBool());
    histogram.setSource(sourceCalled(settings.value(kHistogramSource).toString()));

    QObject::connect(&display, &DisplayViewModel::autoRangeChanged, &display, [&] {
        settings.setValue(kAutoLow, display.autoLow());
        settings.setValue(kAutoHigh, display.autoHigh());
    });
    QObject::connect(&display, &DisplayViewModel::marksChanged, &display,
                     [&] { settings.setValue(kMarks, display.marksSaturation()); });
    QObject::connect(&compare, &CompareViewModel::blinkIntervalChanged, &display, [&] {
        settings.setValue(kBlinkInterval, display.compare().blinkInterval());
        settings.setValue(kBlinkByItself, display.compare().blinksByItself());
    });
    QObject::connect(&compare, &CompareViewModel::differenceChanged, &display,
                     [&] { settings.setValue(kAbsolute, display.compare().isAbsolute()); });
    QObject::connect(&display.composite(), &CompositeViewModel::onChanged, &display,
                     [&] { settings.setValue(kComposite, display.composite().isWanted()); });
    QObject::connect(&histogram, &HistogramViewModel::changed, &histogram, [&] {
        const auto source = static_cast<int>(histogram.source());
        settings.setValue(kHistogramSource, QString::fromLatin1(QMetaEnum::fromType<Source>().valueToKey(source)));
    });
}

} // namespace pollard::vm
