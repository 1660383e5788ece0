#pragma once

// Attributes of volumes: those with another definition than in images, and those that only volumes have.

#include "attributes/attribute_table.hpp"
#include "attributes/formulas.hpp"
#include "attributes/volume_formulas.hpp"
#include "base/compiler.hpp"
#include "image/image.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace pollard {

// Attributes that exist for images and volumes but are defined differently for volumes.
inline constexpr std::array kVolumeRows{
    AttributeInfo{AttributeId::area, "area", "Volume (voxels)",
                  "n = number of voxels of the component; V = n times the "
                  "volume of a voxel",
                  "voxels", true, true, group::kSize, "Vincent 1993"},
    AttributeInfo{AttributeId::bboxArea, "bbox_area", "Bounding box volume", "w * h * d of the bounding box", "voxels",
                  true, true, group::kSize, "Breen, Jones 1996"},
    AttributeInfo{AttributeId::bboxDiagonal, "bbox_diagonal", "Bounding box diagonal",
                  "sqrt(w^2 + h^2 + d^2) of the bounding box, with the sides of a voxel in units of its width", "px",
                  true, false, group::kSize, "Breen, Jones 1996", Dimension::length},
    AttributeInfo{AttributeId::border, "border", "Border voxels",
                  "number of the component's voxels in the first or last column, row or slice of the volume; 0 = does "
                  "not touch the border",
                  "voxels", true, true, group::kSize, "Pollard"},
    AttributeInfo{AttributeId::inertia, "inertia", "Inertia",
                  "(l1 + l2 + l3) / V^(2/3), l1 to l3 as for the major axis; 0.231 for a ball", "", false, false,
                  group::kShape, "Westenberg, Roerdink, Wilkinson 2007", Dimension::none, Spread::decades},
    AttributeInfo{
        AttributeId::major, "major", "Major axis",
        "2 sqrt(5 l1), l1 >= l2 >= l3 the eigenvalues of the covariance of the voxels as boxes, with sides in "
        "units of the voxel's width: first axis of the ellipsoid of equal moments",
        "px", false, false, group::kShape, "Teague 1980", Dimension::length, Spread::decades},
    AttributeInfo{AttributeId::minor, "minor", "Minor axis",
                  "2 sqrt(5 l3), l1 >= l2 >= l3 as for the major axis: third axis of the ellipsoid of equal moments",
                  "px", false, false, group::kShape, "Teague 1980", Dimension::length, Spread::decades},
    AttributeInfo{AttributeId::elongation, "elongation", "Elongation",
                  "sqrt(l1 / l2) = major axis / medium axis, at least 1", "", false, false, group::kShape,
                  "Westenberg, Roerdink, Wilkinson 2007", Dimension::none, Spread::decades},
    AttributeInfo{AttributeId::rectangularity, "rectangularity", "Rectangularity", "n / (w * h * d)", "", false, false,
                  group::kShape, "Rosin 1999"},
    AttributeInfo{AttributeId::euler, "euler", "Euler number",
                  "parts - tunnels + cavities, for 6 and 26 neighbours; the complement has 26 or 6 neighbours", "",
                  false, true, group::kTopology, "Kong, Rosenfeld 1989"},
    AttributeInfo{AttributeId::borderContrast, "border_contrast", "Border contrast",
                  "mean of |f(p) - f(q)| over the faces between a voxel p of the component and a voxel q outside it, "
                  "weighted by their areas, in whole 1024ths of the largest face; undefined for the root",
                  "grey", false, false, group::kGreyLevels, "elementary", Dimension::none, Spread::decades,
                  Grey::difference},
    AttributeInfo{AttributeId::outerMean, "outer_mean", "Outer mean",
                  "mean of f(q) over the faces between a voxel p of the component and a voxel q outside it, weighted "
                  "by their areas, in whole 1024ths of the largest face; undefined for the root",
                  "grey", false, false, group::kGreyLevels, "elementary", Dimension::none, Spread::even,
                  Grey::position},
};

/// Bounding box in a volume, both ends included.
struct VolumeBox {
    NodeBox slice;
    std::uint32_t front, back;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t slices() const noexcept { return back - front + 1; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t voxels() const noexcept { return slice.area() * slices(); }
    [[nodiscard]] POLLARD_HOST_DEVICE double diagonal(const VoxelSides& sides) const noexcept {
        const double w = slice.width() * sides.x;
        const double h = slice.height() * sides.y;
        const double d = slices() * sides.z;
        return std::sqrt(w * w + h * h + d * d);
    }
};
[[nodiscard]] POLLARD_HOST_DEVICE inline VolumeBox joined(const VolumeBox& a, const VolumeBox& b) noexcept {
    return {joined(a.slice, b.slice), a.front < b.front ? a.front : b.front, a.back > b.back ? a.back : b.back};
}

/// Sums of the voxels' columns, rows and slices, exact until the conversion.
struct VolumeFirstSums {
    double x, y, z;
};
/// Runs along the axes and Euler number, each modulo 2^32, in sums that wrap around.
struct VolumeOutline {
    std::uint64_t xy;     ///< runs along x, along y times 2^32
    std::uint64_t zEuler; ///< runs along z, Euler number times 2^32

    [[nodiscard]] POLLARD_HOST_DEVICE VoxelRuns runs() const noexcept {
        return {static_cast<std::uint32_t>(xy), highOf(xy), static_cast<std::uint32_t>(zEuler)};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::int32_t euler() const noexcept {
        return static_cast<std::int32_t>(highOf(zEuler));
    }

private:
    /// The lower half is the exact sum of its terms, which are added with their sign.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t highOf(std::uint64_t packed) noexcept {
        return static_cast<std::uint32_t>((packed - static_cast<std::uint32_t>(packed)) >> 32);
    }
};

/// As Formula, in volumes. Attributes of levels, numbers of voxels and the tree have the Formula of images.
template <AttributeId> struct VolumeFormula {};

template <> struct VolumeFormula<AttributeId::width> {
    POLLARD_HOST_DEVICE static std::uint32_t of(VolumeBox box) noexcept { return box.slice.width(); }
};
template <> struct VolumeFormula<AttributeId::heightPx> {
    POLLARD_HOST_DEVICE static std::uint32_t of(VolumeBox box) noexcept { return box.slice.height(); }
};
template <> struct VolumeFormula<AttributeId::slicesPx> {
    POLLARD_HOST_DEVICE static std::uint32_t of(VolumeBox box) noexcept { return box.slices(); }
};
template <> struct VolumeFormula<AttributeId::bboxArea> {
    POLLARD_HOST_DEVICE static std::uint64_t of(VolumeBox box) noexcept { return box.voxels(); }
};
template <> struct VolumeFormula<AttributeId::bboxDiagonal> {
    POLLARD_HOST_DEVICE static double of(VolumeBox box, VoxelSides sides) noexcept { return box.diagonal(sides); }
};
template <> struct VolumeFormula<AttributeId::rectangularity> {
    POLLARD_HOST_DEVICE static double of(VolumeBox box, Area a) noexcept {
        return a.pixels / static_cast<double>(box.voxels());
    }
};
template <> struct VolumeFormula<AttributeId::centroidX> {
    POLLARD_HOST_DEVICE static double of(VolumeFirstSums sum, Area a) noexcept { return sum.x / a.pixels; }
};
template <> struct VolumeFormula<AttributeId::centroidY> {
    POLLARD_HOST_DEVICE static double of(VolumeFirstSums sum, Area a) noexcept { return sum.y / a.pixels; }
};
template <> struct VolumeFormula<AttributeId::centroidZ> {
    POLLARD_HOST_DEVICE static double of(VolumeFirstSums sum, Area a) noexcept { return sum.z / a.pixels; }
};
template <> struct VolumeFormula<AttributeId::major> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m) noexcept { return ellipsoidAxisOf(m.first); }
};
template <> struct VolumeFormula<AttributeId::medium> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m) noexcept { return ellipsoidAxisOf(m.second); }
};
template <> struct VolumeFormula<AttributeId::minor> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m) noexcept { return ellipsoidAxisOf(m.third); }
};
template <> struct VolumeFormula<AttributeId::elongation> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m) noexcept { return elongationOf(m); }
};
template <> struct VolumeFormula<AttributeId::flatness> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m) noexcept { return flatnessOf(m); }
};
template <> struct VolumeFormula<AttributeId::inertia> {
    POLLARD_HOST_DEVICE static double of(PrincipalMoments m, Area a, VoxelSides sides) noexcept {
        return inertiaOf(m, a.pixels * volumeOf(sides));
    }
};
template <> struct VolumeFormula<AttributeId::surface> {
    POLLARD_HOST_DEVICE static double of(VolumeOutline o, VoxelSides sides) noexcept {
        return surfaceOf(o.runs(), sides);
    }
};
template <> struct VolumeFormula<AttributeId::sphericity> {
    POLLARD_HOST_DEVICE static double of(VolumeOutline o, Area a, VoxelSides sides) noexcept {
        return sphericityOf(a.pixels * volumeOf(sides), surfaceOf(o.runs(), sides));
    }
};
template <> struct VolumeFormula<AttributeId::euler> {
    POLLARD_HOST_DEVICE static std::int32_t of(VolumeOutline o) noexcept { return o.euler(); }
};

/// A formula of volumes with the types of its result and inputs.
template <AttributeId Id, class T, class... Inputs> struct TypedVolumeFormula : VolumeFormula<Id> { using Value = T; };
template <AttributeId Id, class T, class... Inputs>
constexpr TypedVolumeFormula<Id, T, Inputs...> typedInVolumes(T (*)(Inputs...) noexcept) noexcept {
    return {};
}

/// Whether a measurement is the same in images and volumes.
template <class Input> inline constexpr bool kIsOfBoth =
    std::is_same_v<Input, Area> || std::is_same_v<Input, Levels> || std::is_same_v<Input, LevelSum> ||
    std::is_same_v<Input, Interval> || std::is_same_v<Input, BorderSums>;

/// Calls visit(TypedVolumeFormula), or visit(TypedFormula), for an attribute.
/// @return whether it has a formula in volumes
template <class Visit> constexpr bool visitVolumeFormula(AttributeId id, const Visit& visit) {
    const auto one = [&]<AttributeId Id>(std::integral_constant<AttributeId, Id>) {
        if (Id != id) {
            return false;
        }
        if constexpr (requires { &VolumeFormula<Id>::of; }) {
            visit(typedInVolumes<Id>(&VolumeFormula<Id>::of));
            return true;
        } else if constexpr (kHasFormula<Id>) {
            const auto shared = [&]<class T, class... Inputs>(TypedFormula<Id, T, Inputs...> formula) {
                if constexpr ((kIsOfBoth<Inputs> && ...)) {
                    visit(formula);
                }
                return (kIsOfBoth<Inputs> && ...);
            };
            return shared(typed<Id>(&Formula<Id>::of));
        } else {
            return false;
        }
    };
    const auto any = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (one(std::integral_constant<AttributeId, AttributeId{I}>{}) || ...);
    };
    return any(std::make_index_sequence<kAttributes.size()>{});
}

/// Attributes with passes of their own depend on nothing but levels, numbers of pixels and the tree.
[[nodiscard]] constexpr bool isMeasuredInVolumes(AttributeId id) noexcept {
    return visitVolumeFormula(id, [](auto /*formula*/) {}) ||
           !anyFormula([&]<AttributeId Id, class... Types>(TypedFormula<Id, Types...>) { return Id == id; });
}

} // namespace pollard
