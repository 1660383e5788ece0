#pragma once

#include "vm/document/document_services.hpp"

#include "image/image.hpp"

#include <QImage>
#include <QObject>

namespace pollard::vm {

/// A small copy of an image, grey, with the automatic window. @param longestSide px
[[nodiscard]] QImage greyThumbnail(const Image& image, int longestSide);

/// Small copies of the images that are read, available before their trees are built. A small image, whose tree
/// takes no time, has none.
class LoadPreview : public QObject {
    Q_OBJECT

public:
    static constexpr int kLongestSide = 1200; ///< px

    using QObject::QObject;

    /// Lets @p services report what they read, on any thread. This must outlive their use.
    void watch(DocumentServices& services);

signals:
    void read(const QImage& picture);

private:
    /// @param options its page is the slice to show of a volume
    void show(const Image& image, const ImageInfo& info, const ReadOptions& options);
};

} // namespace pollard::vm
