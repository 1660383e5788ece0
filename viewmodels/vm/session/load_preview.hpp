#pragma once

#include "vm/base/async_result.hpp"
#include "vm/document/jobs/job_types.hpp"

#include "image/image.hpp"

#include <QImage>
#include <QList>
#include <QObject>
#include <QString>

#include <vector>

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
    void read(const QImage& image);

private:
    /// @param options its page is the slice to show of a volume
    void show(const Image& image, const ImageInfo& info, const ReadOptions& options);
};

/// Images that come with the program, each with a small copy that is made on another thread.
class SampleList : public QObject {
    Q_OBJECT

public:
    struct Sample {
        QString file;
        QString title;
        QString purpose; ///< a few words
    };

    /// @param folder of the samples, in the program's resources or on disk
    explicit SampleList(QString folder, QObject* parent = nullptr);

    /// The samples, with titles in the language of the program.
    [[nodiscard]] static QList<Sample> all();

    /// Makes the small images, of at most @p longestSide px; ends with thumbnailsMade().
    void makeThumbnails(int longestSide);
    /// Thumbnails in the order of all(); null images for unreadable files. Empty until they are made.
    [[nodiscard]] const std::vector<QImage>& thumbnails() const;

signals:
    void thumbnailsMade();

private:
    QString folder_;
    AsyncResult<std::vector<QImage>> made_{[this] { emit thumbnailsMade(); }};
};

} // namespace pollard::vm
