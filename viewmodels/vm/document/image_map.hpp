#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/image/world_scale.hpp"

#include "io/image_file.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard {
class MapCoordinates;
class SkyCoordinates;
} // namespace pollard

namespace pollard::vm {

class DocumentViewModel;

/// Position of the open image on a map or in the sky. Both are made on another thread when an image is opened.
class ImageMap : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ImageMap(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null for an image without map coordinates, for coordinates that cannot be converted to longitude and latitude,
    /// and while the map is being made.
    [[nodiscard]] const std::shared_ptr<const MapCoordinates>& map() const noexcept { return map_; }
    [[nodiscard]] bool isPending() const noexcept { return pending_; }
    /// Why an image with map coordinates has no map, one line; else empty.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }

    /// Coordinates along the upper and the left edge, from the corner of the image; empty without a map, and for one
    /// that is turned.
    struct Axes {
        RulerAxis x;
        RulerAxis y;
    };
    [[nodiscard]] std::optional<Axes> axes() const;

    /// Null for an image without positions in the sky, and while they are being prepared.
    [[nodiscard]] const std::shared_ptr<const SkyCoordinates>& sky() const noexcept { return sky_; }

    /// Coordinates of a pixel's centre, empty without a map and positions in the sky: longitude and latitude for a
    /// geographic system, "48.20849° N, 16.37208° E"; easting and northing for a projected one, "E 602,345.5 m, N
    /// 5,340,123.5 m (UTM zone 33N)"; "RA 150.10157°, Dec 2.20574° (ICRS)" in the sky.
    [[nodiscard]] QString textAt(int x, int y) const;
    /// Longitude and latitude of the same unless textAt() has them, and the full name of the system, or
    /// right ascension in hours and declination; lines.
    [[nodiscard]] QString detailsAt(int x, int y) const;

signals:
    void changed();

private:
    void onDocument();
    [[nodiscard]] QString lonLatText(int x, int y) const;
    [[nodiscard]] QString skyText(int x, int y) const;
    [[nodiscard]] QString skyDetails(int x, int y) const;

    DocumentViewModel& document_;
    std::vector<CopiedTag> tags_;     ///< of the map's image
    std::optional<SkyHeader> header_; ///< likewise
    double pixelDegrees_ = 0;         ///< side of a pixel in the sky; 0: unknown
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::shared_ptr<const MapCoordinates> map_;
    std::shared_ptr<const SkyCoordinates> sky_;
    QString problem_;
    bool pending_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
