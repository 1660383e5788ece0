#include "vm/image/folder_sizes.hpp"

#include "io/metadata/stated_size.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <algorithm>

namespace pollard::vm {

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
