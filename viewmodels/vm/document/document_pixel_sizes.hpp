#pragma once

#include "vm/document/document_contents.hpp"

#include "io/image_file.hpp"
#include "io/volumes/read_volume.hpp"

#include <QObject>

#include <optional>

namespace pollard::vm {

class DocumentReading;
class FolderSizes;

/// The pixel size of a document's image: the one set for it, else that of the file, else the one set for all images
/// of the folder. Setting it reads nothing again; pages of a file share it.
class DocumentPixelSizes : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this.
    DocumentPixelSizes(DocumentContents& shown, DocumentReading& reading) : shown_(shown), reading_(reading) {}

    /// Of a pixel of the image, if known.
    [[nodiscard]] std::optional<PixelSize> present() const { return sizeIn(shown_.info); }
    /// Of a voxel in an unknown unit, for a file without a pixel size.
    [[nodiscard]] std::optional<VoxelSides> spacing() const {
        return shown_.info ? shown_.info->spacing : std::nullopt;
    }
    /// Of a voxel in units of its width.
    [[nodiscard]] VoxelSides voxelSides() const { return pollard::voxelSides(present(), spacing()); }
    /// The same as in the file.
    [[nodiscard]] std::optional<PixelSize> ofFile() const { return sizeIn(shown_.fileInfo); }
    /// Set for images of the folder, of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> ofFolder() const;
    /// Set by the user and in use, for this image or its folder, of a pixel at full resolution.
    [[nodiscard]] std::optional<PixelSize> stated() const;

    /// Storage of the sizes set for folders; must outlive this.
    void keepFolderSizes(FolderSizes& sizes) { folderSizes_ = &sizes; }
    /// Size of a pixel of the page at full resolution; empty: that of the file or the folder.
    void set(const std::optional<PixelSize>& size);
    /// The same for all images of the folder without a size in their files.
    void setForFolder(const std::optional<PixelSize>& size);
    /// Applies a change of the folder sizes.
    void adopt();
    /// Puts the size set by the user into the facts of the image. @returns whether they changed
    bool apply();

signals:
    /// The size of the image or of its folder has changed.
    void changed();

private:
    static std::optional<PixelSize> sizeIn(const std::shared_ptr<const ImageInfo>& info) {
        return info ? info->pixelSize : std::nullopt;
    }

    DocumentContents& shown_;
    DocumentReading& reading_;
    FolderSizes* folderSizes_ = nullptr;
};

} // namespace pollard::vm
