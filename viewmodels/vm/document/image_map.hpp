#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/image/world_scale.hpp"

#include "image/image.hpp"
#include "io/image_file.hpp"

#include <QObject>
#include <QPointF>
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
    std::optional<SkyHeader> header_; ///< the same for the sky
    double pixelDegrees_ = 0;         ///< side of a pixel in the sky; 0: unknown
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    std::shared_ptr<const MapCoordinates> map_;
    std::shared_ptr<const SkyCoordinates> sky_;
    QString problem_;
    bool pending_ = false;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// Values of the pixel under the cursor, in the seen image or in a section of its volume. A few table look-ups for
/// images of any size.
class ProbeViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ProbeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// Whether the cursor is over a pixel of an open image; if not, or if a value is unknown, values are -1.
    [[nodiscard]] bool isValid() const noexcept { return x_ >= 0; }
    [[nodiscard]] int x() const noexcept { return x_; } ///< px from the left
    [[nodiscard]] int y() const noexcept { return y_; } ///< px from the top
    [[nodiscard]] int z() const noexcept { return z_; } ///< slice of a volume, else 0
    [[nodiscard]] bool isInSection() const noexcept { return section_.has_value(); }
    /// Where the pixel lies in the patient, see patientText(); empty if that is unknown.
    [[nodiscard]] QString patientPlace() const;
    [[nodiscard]] bool hasData() const noexcept { return hasData_; } ///< false if the file has no data at this pixel
    [[nodiscard]] int original() const noexcept { return original_; }
    [[nodiscard]] int filtered() const noexcept { return filtered_; }
    [[nodiscard]] qint64 node() const noexcept { return node_; } ///< smallest component that contains the pixel
    [[nodiscard]] int level() const noexcept { return level_; }  ///< grey level of that node
    [[nodiscard]] qint64 area() const noexcept { return area_; } ///< px of that node
    [[nodiscard]] QString text() const;                          ///< one line for the status bar; empty if not valid
    /// The values before and after the filter with their unit; "unknown".
    [[nodiscard]] QString originalText() const;
    [[nodiscard]] QString filteredText() const;
    /// The levels of the values before and after, for a tool tip; empty if they are the same, or unknown.
    [[nodiscard]] QString levelsText() const;

public slots:
    /// @param image position in image coordinates (ViewTransform::toImage)
    void setPosition(const QPointF& image);
    /// @param place px in the image of a section of the document's volume
    void setSection(const pollard::vm::ShownSlice& section, const QPointF& place);
    void clear();

signals:
    void changed();

private:
    void refresh();

    DocumentViewModel& document_;
    std::optional<ShownSlice> section_; ///< that has the position; unset: the seen image
    QPointF position_;
    bool hasPosition_ = false;
    int x_ = -1;
    int y_ = -1;
    int z_ = -1;
    bool hasData_ = true;
    int original_ = -1;
    int filtered_ = -1;
    qint64 node_ = -1;
    int level_ = -1;
    qint64 area_ = -1;
};

} // namespace pollard::vm
