#pragma once

#include "io/image_file.hpp"

#include <QString>

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

class QSettings;

namespace pollard::vm {

/// Pixel sizes set for all images of a folder, without subfolders; the latest first, stored in the settings. Every
/// change is written at once.
class FolderSizes {
public:
    /// Number of stored folders; the oldest setting is dropped first.
    static constexpr std::size_t kMaxFolders = 100;

    /// @param settings must outlive this; null: nothing is stored beyond this object
    explicit FolderSizes(QSettings* settings = nullptr);

    /// Of a pixel at full resolution, with the source "set for this folder".
    [[nodiscard]] std::optional<PixelSize> sizeFor(const QString& file) const;
    /// @param size empty: removes the folder
    void setFor(const QString& file, const std::optional<PixelSize>& size);
    [[nodiscard]] std::size_t count() const noexcept { return folders_.size(); }
    void clear();

private:
    void load();
    void save() const;

    QSettings* settings_;
    std::deque<std::pair<QString, PixelSize>> folders_;
};

} // namespace pollard::vm
