#pragma once

#include "vm/base/async_result.hpp"

#include <QImage>
#include <QList>
#include <QObject>
#include <QString>

#include <vector>

namespace pollard::vm {

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

    /// In the language of the program.
    [[nodiscard]] static QList<Sample> all();

    /// Makes the small images, of at most @p longestSide px; ends with thumbnailsMade().
    void makeThumbnails(int longestSide);
    /// In the order of all(); null images for unreadable files. Empty until they are made.
    [[nodiscard]] const std::vector<QImage>& thumbnails() const;

signals:
    void thumbnailsMade();

private:
    QString folder_;
    AsyncResult<std::vector<QImage>> made_{[this] { emit thumbnailsMade(); }};
};

} // namespace pollard::vm
