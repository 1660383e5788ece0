#pragma once

#include "io/image_file.hpp"

#include <QString>

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

class QSettings;

namespace pollard::vm {

/// Pixel sizes that were set for all pictures of a folder, not of those below it; the latest first, also after a
/// restart. Every change is written at once.
class FolderSizes {
public:
    /// Folders that are remembered; the one that was set longest ago is forgotten first.
    static constexpr std::size_t kMaxFolders = 100;

    /// @param settings must outlive this; null: nothing is remembered beyond this object
    explicit FolderSizes(QSettings* settings = nullptr);

    /// Of a pixel at full resolution, with the source "set for this folder".
    [[nodiscard]] std::optional<PixelSize> sizeFor(const QString& file) const;
    /// @param size nothing forgets the folder
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
