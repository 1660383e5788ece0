#include "vm/display/look_store.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>

#include <algorithm>

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
    look.map = likedMap_;
    look.inverted = likedInverted_;
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

void LookStore::like(ColourMap map, bool inverted) {
    likedMap_ = map;
    likedInverted_ = inverted;
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
    likedMap_ = findColourMap(map.toStdString()).value_or(ColourMap::grey);
    likedInverted_ = map == QLatin1String(kOldInvertedGrey) || settings_->value(kInverted, false).toBool();
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
    const std::string_view map = nameOf(likedMap_);
    settings_->setValue(kMap, QString::fromLatin1(map.data(), static_cast<qsizetype>(map.size())));
    settings_->setValue(kInverted, likedInverted_);
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

} // namespace pollard::vm
