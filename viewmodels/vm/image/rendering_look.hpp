#pragma once

#include "vm/image/level_histogram.hpp"

#include "io/image_file.hpp"

#include <QList>
#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {
struct SessionRendering;
}

namespace pollard::vm {

/// Opacity of a voxel with a value.
struct OpacityPoint {
    double value = 0;   ///< of the file
    double opacity = 0; ///< 0..1

    bool operator==(const OpacityPoint&) const = default;
};

/// Opacity of voxels by their value: straight between points, and level beyond the first and the last one.
class OpacityCurve {
public:
    static constexpr std::size_t kFewestPoints = 2;
    static constexpr std::size_t kMostPoints = 32;
    static constexpr std::size_t kTableSize = 256;
    using Table = std::array<float, kTableSize>;

    OpacityCurve() = default;
    /// Sorts the points and limits their opacity; points without a finite value or opacity are left out.
    explicit OpacityCurve(std::vector<OpacityPoint> points);

    /// None, or kFewestPoints to kMostPoints, with ascending values.
    [[nodiscard]] const std::vector<OpacityPoint>& points() const noexcept { return points_; }
    [[nodiscard]] bool isEmpty() const noexcept { return points_.empty(); }
    [[nodiscard]] double low() const noexcept { return points_.front().value; }
    [[nodiscard]] double high() const noexcept { return points_.back().value; }
    /// 0 without points.
    [[nodiscard]] double at(double value) const;
    /// At evenly spaced values from low() to high(); 0 without points.
    [[nodiscard]] Table table() const;

    /// A point moved, at most to its neighbours.
    [[nodiscard]] OpacityCurve moved(std::size_t index, const OpacityPoint& to) const;
    /// With one point more; the same curve with kMostPoints.
    [[nodiscard]] OpacityCurve with(const OpacityPoint& point) const;
    /// With one point less; the same curve with kFewestPoints.
    [[nodiscard]] OpacityCurve without(std::size_t index) const;

    bool operator==(const OpacityCurve&) const = default;

private:
    std::vector<OpacityPoint> points_;
};

/// A curve with a name for menus.
struct RenderingPreset {
    QString id;      ///< "ctBone", "ctSoftTissue", "ctLung", "mri" or "fluorescence"
    QString name;    ///< translated
    QString toolTip; ///< how the points are chosen, translated
    OpacityCurve curve;
};

/// The presets for a volume: of computed tomography if its values are in Hounsfield units, else by percentiles of its
/// voxels. @param info,histogram of the volume, in displayed levels; null: none
/// @param mapping of these levels to values
[[nodiscard]] QList<RenderingPreset> renderingPresets(const ImageInfo* info, const LevelHistogram* histogram,
                                                      const std::optional<ValueMapping>& mapping);

/// How the voxels along a ray become a pixel.
enum class Rendering : std::uint8_t {
    maximum, ///< maximum intensity projection
    minimum, ///< minimum intensity projection
    shaded,  ///< volume rendering: levels are opaque by a curve, or by their place in the window
};

/// How a volume is rendered, from any direction.
struct RenderingLook {
    Rendering rendering = Rendering::maximum;
    QString preset;         ///< of the curve: RenderingPreset::id, kOwnCurve, or empty without a curve
    OpacityCurve curve;     ///< of Rendering::shaded; empty: the window of the display
    double opacity = 0.25;  ///< of a voxel at the bright end of the window, 0..1; without a curve
    bool hasShading = true; ///< light by the slope of the values, for Rendering::shaded

    static constexpr auto kOwnCurve = "own"; ///< a curve that the user has changed

    bool operator==(const RenderingLook&) const = default;
};

/// The form of settings and sessions.
[[nodiscard]] SessionRendering sessionOf(const RenderingLook& look);
[[nodiscard]] RenderingLook lookOf(const SessionRendering& session);
/// The look in settings, also of older versions; the default for another text.
[[nodiscard]] RenderingLook storedLook(const QString& text);

} // namespace pollard::vm
