#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "io/image_file.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard {
class MapCoordinates;
}

namespace pollard::vm {

class DocumentViewModel;

/// Where the open picture lies on the map. The map is made on a thread of its own when a picture is opened.
class PictureMap : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit PictureMap(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null for a picture without map coordinates, with those that have no way to longitude and latitude, and as long
    /// as the map is being made.
    [[nodiscard]] const std::shared_ptr<const MapCoordinates>& map() const noexcept { return map_; }
    [[nodiscard]] bool isPending() const noexcept { return pending_; }
    /// Why a picture with map coordinates has no map, one line; else empty.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }

    /// Coordinates of a pixel's middle, empty without a map: longitude and latitude of a geographic system,
    /// "48.20849° N, 16.37208° E"; those of a projected one, "E 602,345.5 m, N 5,340,123.5 m (UTM zone 33N)".
    [[nodiscard]] QString textAt(int x, int y) const;
    /// Longitude and latitude of the same if textAt() has others, and the full name of the system; lines.
    [[nodiscard]] QString detailsAt(int x, int y) const;

signals:
    void changed();

private:
    void onDocument();
    [[nodiscard]] QString lonLatText(int x, int y) const;

    DocumentViewModel& document_;
    std::vector<CarriedTag> tags_; ///< of the picture that the map is of
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::shared_ptr<const MapCoordinates> map_;
    QString problem_;
    bool pending_ = false;
    LatestWinsWorker::Generation generation_ = 0;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
