#pragma once

#include "image/image.hpp"
#include "image/volume_plane.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

class QSettings;

namespace pollard::vm {

/// A unit for displayed lengths and its factor to the unit of an image's pixel size.
struct WorldUnit {
    QString name;      ///< "µm", "km", "px"
    double factor = 1; ///< value in this unit = value in the pixel size's unit * factor
};

/// The pixel size if it refers to the scene; empty if it is unknown or a resolution for printing.
[[nodiscard]] std::optional<PixelSize> sceneSize(const ImageInfo* info);
/// The size of a pixel in the image of a plane: x along its rows, y along its columns.
[[nodiscard]] std::optional<PixelSize> sceneSize(const ImageInfo* info, const VolumePlane& plane);

/// Unit in which @p value, given in @p unit, has a readable number: at least 1 if there is a unit that small. nm, µm,
/// mm, m, km for lengths and mas, arcsec, arcmin, ° for angles; other units stay as they are.
[[nodiscard]] WorldUnit readableUnit(double value, const std::string& unit);

/// Largest of 1, 2, 5 times a power of ten up to @p value; 0 unless value > 0.
[[nodiscard]] double roundDown125(double value) noexcept;
/// Smallest of 1, 2, 5 times a power of ten from @p value on; 0 unless value > 0.
[[nodiscard]] double roundUp125(double value) noexcept;

/// A number with its unit for the user: "2.5 µm", "12°". At most @p digits significant digits.
[[nodiscard]] QString worldText(double value, const QString& unit, int digits = 4);

/// Unit in which an area of @p pixels px in the scene has a readable number, and its factor to px; px if the size of a
/// pixel is unknown.
[[nodiscard]] WorldUnit sceneAreaUnit(const ImageInfo* info, double pixels);
/// An area of @p pixels px in the scene: "235 µm²"; empty if the size of a pixel is unknown.
[[nodiscard]] QString sceneArea(const ImageInfo* info, double pixels);

/// A bar with a round length in the scene.
struct ScaleBar {
    double length = 0; ///< view units
    QString text;      ///< "50 µm"

    bool operator==(const ScaleBar&) const = default;
};

/// The longest bar with a round length (1, 2 or 5 times a power of ten of a readable unit) of at most @p longest view
/// units; empty unless zoom and longest are positive.
/// @param zoom view units per px of the image
/// @param size of a px; without one the bar is in px, at least 1 px long
[[nodiscard]] std::optional<ScaleBar> scaleBarFor(double zoom, double longest, const std::optional<PixelSize>& size);

/// A mark of a ruler.
struct RulerTick {
    double position = 0; ///< view units from the start of the ruler
    double value = 0;    ///< value at the mark
    bool major = false;  ///< with a label

    bool operator==(const RulerTick&) const = default;
};

/// Marks of a ruler over [first, first + length / scale]: major ones at multiples of 1, 2 or 5 times a power of ten, at
/// least @p gap view units apart, minor ones at a fifth (a quarter of a step of 2) of that.
/// @param scale view units per unit of the value, > 0
/// @param whole no step below 1 (pixels)
[[nodiscard]] std::vector<RulerTick> rulerTicks(double first, double scale, double length, double gap, bool whole);

/// Values along an edge of an image.
struct RulerAxis {
    QString unit;
    double first = 0;    ///< at the corner of the image
    double perPixel = 1; ///< not 0; negative for values that fall
    bool whole = false;  ///< no mark between whole numbers (pixels)
    bool isMap = false;  ///< coordinates with all their digits, else lengths
};

/// Marks of a ruler that starts @p start px from the corner of the image. Map coordinates are further apart, for
/// their digits. @param zoom view units per px, > 0
[[nodiscard]] std::vector<RulerTick> rulerTicks(const RulerAxis& axis, double start, double zoom, double length);
/// The number at a mark.
[[nodiscard]] QString rulerText(const RulerAxis& axis, double value, double zoom);
/// Minimum distance of major marks in view units.
[[nodiscard]] double rulerGap(const RulerAxis& axis) noexcept;

/// Step between the major marks of rulerTicks().
[[nodiscard]] double rulerStep(double scale, double gap, bool whole) noexcept;

// Images and volumes in the axes of a patient: right, anterior and superior.

/// Where the voxels of an image lie in the patient, with the sides that the user set; nothing for files that do not
/// state it. @param info null: nothing
[[nodiscard]] std::optional<VoxelMap> patientMap(const ImageInfo* info);

/// Distances of the centre of a voxel from the origin of the patient's axes, "R 12.3  P 45.6  S 7.8 mm": to the right
/// or left, to anterior or posterior, to superior or inferior. Empty without a map.
[[nodiscard]] QString patientText(const ImageInfo* info, const Voxel& voxel);

/// The turn of a section that shows the patient upright; none without a map.
[[nodiscard]] PlaneTurn turnOf(const ImageInfo* info, VolumeAxis across);

/// "axial", "coronal" or "sagittal", or "XY", "XZ" or "YZ" for files that do not state the axes of a patient.
[[nodiscard]] QString planeName(const ImageInfo* info, VolumeAxis across);
/// planeName() with a capital.
[[nodiscard]] QString planeTitle(const ImageInfo* info, VolumeAxis across);

/// Pixel sizes set for all images of a folder, without subfolders; the latest first, stored in the settings. Every
/// change is written at once.
class FolderSizes {
public:
    /// Number of stored folders; the oldest setting is dropped first.
    static constexpr std::size_t kMaxFolders = 100;

    /// @param settings must outlive this; null: nothing is stored beyond this object
    explicit FolderSizes(QSettings* settings = nullptr);

    /// The size of a pixel at full resolution, with the source "set for this folder".
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
