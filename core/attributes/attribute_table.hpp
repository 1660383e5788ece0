#pragma once

// Every attribute has a row here; those that follow from shared measurements of a component also have a Formula, which
// both engines evaluate.

#include "attributes/attribute.hpp"
#include "attributes/formulas.hpp"
#include "base/compiler.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pollard {

namespace group {

inline constexpr std::string_view kSize = "Size";
inline constexpr std::string_view kGreyLevels = "Grey levels";
inline constexpr std::string_view kShape = "Shape";
inline constexpr std::string_view kTopology = "Topology";
inline constexpr std::string_view kTree = "Tree";
inline constexpr std::string_view kProminence = "Prominence";

} // namespace group

// In the order of AttributeId, by which attributeInfo() indexes.
inline constexpr std::array kAttributes{
    AttributeInfo{AttributeId::area, "area", "Area", "A = number of pixels of the component", "px", true, true,
                  group::kSize, "Vincent 1993", Dimension::area},
    AttributeInfo{AttributeId::width, "width", "Width", "w = columns of the bounding box", "px", true, true,
                  group::kSize, "Breen, Jones 1996", Dimension::length},
    AttributeInfo{AttributeId::heightPx, "height_px", "Height (box)", "h = rows of the bounding box", "px", true, true,
                  group::kSize, "Breen, Jones 1996", Dimension::length},
    AttributeInfo{AttributeId::bboxArea, "bbox_area", "Bounding box area", "w * h of the bounding box", "px", true,
                  true, group::kSize, "Breen, Jones 1996", Dimension::area},
    AttributeInfo{AttributeId::bboxDiagonal, "bbox_diagonal", "Bounding box diagonal",
                  "sqrt(w^2 + h^2) of the bounding box", "px", true, false, group::kSize, "Breen, Jones 1996",
                  Dimension::length},
    AttributeInfo{AttributeId::border, "border", "Border pixels",
                  "number of the component's pixels in the first or last row or column of the image; 0 = does not "
                  "touch the border",
                  "px", true, true, group::kSize, "Pollard"},
    AttributeInfo{AttributeId::level, "level", "Level", "grey level of the node", "grey", false, true,
                  group::kGreyLevels, "Salembier, Oliveras, Garrido 1998", Dimension::none, Spread::even,
                  Grey::position},
    AttributeInfo{AttributeId::contrast, "contrast", "Contrast", "|level - level of the parent| (root: 0)", "grey",
                  false, true, group::kGreyLevels, "Salembier, Oliveras, Garrido 1998", Dimension::none,
                  Spread::decades, Grey::difference},
    AttributeInfo{AttributeId::height, "height", "Height (grey)",
                  "farthest grey level in the component - level of the parent (root: - its own level), as a distance",
                  "grey", true, true, group::kGreyLevels, "Najman, Couprie 2006", Dimension::none, Spread::even,
                  Grey::difference},
    AttributeInfo{AttributeId::dynamics, "dynamics", "Dynamics",
                  "largest height at which the component's highest maximum is still the highest (max-tree; min-tree: "
                  "lowest minimum); of equal ones the one with the smaller canonical pixel survives",
                  "grey", true, true, group::kProminence, "Grimaud 1992", Dimension::none, Spread::even,
                  Grey::difference},
    AttributeInfo{AttributeId::volume, "volume", "Volume",
                  "sum over the component of |f - level of the parent| (root: its own level)", "grey*px", true, true,
                  group::kGreyLevels, "Najman, Couprie 2006", Dimension::none, Spread::even, Grey::integral},
    AttributeInfo{AttributeId::sum, "sum", "Sum of grey levels", "sum of f over the component", "grey", false, true,
                  group::kGreyLevels, "elementary", Dimension::none, Spread::decades, Grey::sum},
    AttributeInfo{AttributeId::mean, "mean", "Mean grey level", "mean of f over the component", "grey", false, false,
                  group::kGreyLevels, "elementary", Dimension::none, Spread::even, Grey::position},
    AttributeInfo{AttributeId::variance, "variance", "Variance",
                  "mean of (f - mean)^2 over the component (population variance)", "grey^2", false, false,
                  group::kGreyLevels, "elementary", Dimension::none, Spread::decades, Grey::square},
    AttributeInfo{AttributeId::entropy, "entropy", "Entropy",
                  "- sum of p log2 p over 256 bins of f in the component; bins of equal width from the root's level to "
                  "the farthest level of the image, one level each where there are no more than 256",
                  "bit", false, false, group::kGreyLevels, "Shannon 1948"},
    AttributeInfo{AttributeId::centroidX, "centroid_x", "Centroid x",
                  "mean column of the pixels, pixel centres at 0, 1, 2 ...", "px", false, false, group::kShape,
                  "Hu 1962", Dimension::length},
    AttributeInfo{AttributeId::centroidY, "centroid_y", "Centroid y",
                  "mean row of the pixels, pixel centres at 0, 1, 2 ..., downwards", "px", false, false, group::kShape,
                  "Hu 1962", Dimension::length},
    AttributeInfo{AttributeId::inertia, "inertia", "Inertia",
                  "(mu20 + mu02) / A^2 with central moments of unit squares: A/12 more than for points; = Hu 1; "
                  "1/(2 pi) for a disc",
                  "", false, false, group::kShape, "Wilkinson, Westenberg 2001", Dimension::none, Spread::decades},
    AttributeInfo{AttributeId::major, "major", "Major axis",
                  "4 sqrt(l1), l1 >= l2 the eigenvalues of the covariance of the pixels as unit squares (+ 1/12): "
                  "length of the ellipse of equal moments",
                  "px", false, false, group::kShape, "Teague 1980", Dimension::length, Spread::decades},
    AttributeInfo{AttributeId::minor, "minor", "Minor axis",
                  "4 sqrt(l2), l1 >= l2 the eigenvalues of the covariance of the pixels as unit squares (+ 1/12): "
                  "width of the ellipse of equal moments",
                  "px", false, false, group::kShape, "Teague 1980", Dimension::length, Spread::decades},
    AttributeInfo{AttributeId::elongation, "elongation", "Elongation",
                  "sqrt(l1 / l2) = major axis / minor axis, at least 1", "", false, false, group::kShape, "Teague 1980",
                  Dimension::none, Spread::decades},
    AttributeInfo{AttributeId::orientation, "orientation", "Orientation",
                  "atan2(2 mu11, mu20 - mu02) / 2 in (-pi/2, pi/2]: angle from the x axis to the major axis, positive "
                  "towards y, which points down (clockwise on the screen); 0 where both axes are equal",
                  "rad", false, false, group::kShape, "Teague 1980"},
    AttributeInfo{AttributeId::eccentricity, "eccentricity", "Eccentricity",
                  "sqrt(1 - l2 / l1) of the ellipse of equal moments: 0 for a disc, towards 1 for a line", "", false,
                  false, group::kShape, "Teague 1980"},
    AttributeInfo{AttributeId::hu1, "hu1", "Hu 1",
                  "n20 + n02, n_pq = mu_pq / A^(1 + (p + q)/2) of the pixels as unit squares", "", false, false,
                  group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu2, "hu2", "Hu 2", "(n20 - n02)^2 + 4 n11^2", "", false, false, group::kShape,
                  "Hu 1962"},
    AttributeInfo{AttributeId::hu3, "hu3", "Hu 3", "a^2 + b^2, a = n30 - 3 n12, b = 3 n21 - n03", "", false, false,
                  group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu4, "hu4", "Hu 4", "c^2 + d^2, c = n30 + n12, d = n21 + n03", "", false, false,
                  group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu5, "hu5", "Hu 5", "a c (c^2 - 3 d^2) + b d (3 c^2 - d^2), a to d as in Hu 3 and 4", "",
                  false, false, group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu6, "hu6", "Hu 6", "(n20 - n02) (c^2 - d^2) + 4 n11 c d, c and d as in Hu 4", "", false,
                  false, group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::hu7, "hu7", "Hu 7",
                  "b c (c^2 - 3 d^2) - a d (3 c^2 - d^2), a to d as in Hu 3 and 4; changes sign in the mirror", "",
                  false, false, group::kShape, "Hu 1962"},
    AttributeInfo{AttributeId::perimeter, "perimeter", "Perimeter",
                  "P = number of pixel sides of the component towards other pixels or the outside of the image", "px",
                  false, true, group::kShape, "Rosenfeld, Kak 1982", Dimension::length, Spread::decades},
    AttributeInfo{
        AttributeId::circularity, "circularity", "Circularity",
        "4 pi A / Pc^2 with Pc = P pi/4, the perimeter without the corners of the pixel grid: about 1 for a disc", "",
        false, false, group::kShape, "Cox 1927"},
    AttributeInfo{AttributeId::rectangularity, "rectangularity", "Rectangularity", "A / (w * h)", "", false, false,
                  group::kShape, "Rosin 1999"},
    AttributeInfo{AttributeId::euler, "euler", "Euler number",
                  "1 - number of holes, by bit quads; holes are joined by 8 neighbours in a 4-connected tree and by 4 "
                  "in an 8-connected one",
                  "", false, true, group::kTopology, "Gray 1971"},
    AttributeInfo{AttributeId::holes, "holes", "Holes",
                  "1 - Euler number: parts of the complement that the component encloses", "", false, true,
                  group::kTopology, "Gray 1971", Dimension::none, Spread::decades},
    AttributeInfo{AttributeId::depth, "depth", "Depth", "number of edges from the root to the node (root: 0)", "",
                  false, true, group::kTree, "elementary"},
    AttributeInfo{AttributeId::children, "children", "Children", "number of nodes whose parent is the node", "", false,
                  true, group::kTree, "elementary", Dimension::none, Spread::decades},
    AttributeInfo{AttributeId::descendants, "descendants", "Descendants", "number of nodes below the node", "", true,
                  true, group::kTree, "elementary"},
    AttributeInfo{AttributeId::leaves, "leaves", "Leaves",
                  "number of leaves in the component: regional maxima (max-tree) or minima (min-tree)", "", true, true,
                  group::kTree, "elementary"},
    AttributeInfo{
        AttributeId::stability, "stability", "Stability (MSER)",
        "(A(anc) - A) / A, anc = the lowest ancestor within delta, which is 5 of unsigned samples of 8 bits, 1285 "
        "of 16 bits, and 5/255 of the range of the image's values of others; small = stable; undefined where "
        "the parent is farther away and for the root",
        "", false, false, group::kProminence, "Matas, Chum, Urban, Pajdla 2002; Donoser, Bischof 2006", Dimension::none,
        Spread::decades},
    AttributeInfo{AttributeId::extinctionArea, "extinction_area", "Extinction by area",
                  "area at which the component's dominating maximum (min-tree: minimum) meets one with a larger area; "
                  "at a tie the one with the smaller canonical pixel survives",
                  "px", true, true, group::kProminence, "Vachier, Meyer 1995", Dimension::area},
    AttributeInfo{AttributeId::extinctionVolume, "extinction_volume", "Extinction by volume",
                  "volume at which the component's dominating maximum (min-tree: minimum) meets one with a larger "
                  "volume; at a tie the one with the smaller canonical pixel survives",
                  "grey*px", true, true, group::kProminence, "Vachier, Meyer 1995", Dimension::none, Spread::even,
                  Grey::integral},
    AttributeInfo{AttributeId::borderContrast, "border_contrast", "Border contrast",
                  "mean of |f(p) - f(q)| over the sides between a pixel p of the component and a pixel q outside it; "
                  "undefined for the root",
                  "grey", false, false, group::kGreyLevels, "elementary", Dimension::none, Spread::decades,
                  Grey::difference},
    AttributeInfo{AttributeId::outerMean, "outer_mean", "Outer mean",
                  "mean of f(q) over the sides between a pixel p of the component and a pixel q outside it; undefined "
                  "for the root",
                  "grey", false, false, group::kGreyLevels, "elementary", Dimension::none, Spread::even,
                  Grey::position},
    AttributeInfo{AttributeId::slicesPx, "slices_px", "Slices (box)", "d = slices of the bounding box", "px", true,
                  true, group::kSize, "Breen, Jones 1996", Dimension::length},
    AttributeInfo{AttributeId::centroidZ, "centroid_z", "Centroid z", "mean slice of the voxels, the first slice is 0",
                  "px", false, false, group::kShape, "elementary", Dimension::length},
    AttributeInfo{AttributeId::medium, "medium", "Medium axis",
                  "2 sqrt(5 l2), l1 >= l2 >= l3 as for the major axis: second axis of the ellipsoid of equal moments",
                  "px", false, false, group::kShape, "Teague 1980", Dimension::length, Spread::decades},
    AttributeInfo{AttributeId::flatness, "flatness", "Flatness", "sqrt(l2 / l3) = medium axis / minor axis, at least 1",
                  "", false, false, group::kShape, "Westenberg, Roerdink, Wilkinson 2007", Dimension::none,
                  Spread::decades},
    AttributeInfo{AttributeId::surface, "surface", "Surface",
                  "S = area of the voxel faces of the component towards other voxels or the outside of the volume",
                  "px", false, false, group::kShape, "Rosenfeld, Kak 1982", Dimension::area, Spread::decades},
    AttributeInfo{AttributeId::sphericity, "sphericity", "Sphericity",
                  "pi^(1/3) (6 V)^(2/3) / Sc with Sc = 2/3 S, the surface without the edges of the voxel grid: about 1 "
                  "for a ball",
                  "", false, false, group::kShape, "Wadell 1935"},
};
/// Number of attributes of images, which come first; the other rows are for volumes only.
inline constexpr std::size_t kImageAttributes = static_cast<std::size_t>(AttributeId::slicesPx);
static_assert([] {
    for (std::size_t i = 0; i < kAttributes.size(); ++i) {
        if (static_cast<std::size_t>(kAttributes[i].id) != i) {
            return false;
        }
    }
    return true;
}());

// Inputs of formulas besides NodeBox, BorderSums, SecondMoments and ThirdMoments: measurements of a component X that an
// engine takes once for all attributes.

// Pixels and nodes are counted in 32 bits, as in Area, or in 64 bits for images larger than memory.

template <class Count> struct AreaOf { Count pixels; };
using Area = AreaOf<std::uint32_t>;
/// Levels of the node and of its parent; the root is its own parent.
struct Levels {
    std::uint16_t own, parent;
};
/// Sum of the levels of the pixels.
struct LevelSum {
    std::uint64_t value;
};
/// Sums of the pixels' columns and rows, exact until the conversion.
struct FirstSums {
    double x, y;
};
/// Perimeter and Euler number.
template <class Count> struct OutlineOf {
    std::int64_t sides, number;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t perimeter() const noexcept {
        return static_cast<std::uint64_t>(sides);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::int64_t euler() const noexcept { return number; }
};
/// See packOutline().
template <> struct OutlineOf<std::uint32_t> {
    std::uint64_t packed;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t perimeter() const noexcept { return perimeterOf(packed); }
    [[nodiscard]] POLLARD_HOST_DEVICE std::int32_t euler() const noexcept { return eulerOf(packed); }
};
using Outline = OutlineOf<std::uint32_t>;
/// The node and the end of its subtree.
template <class Count> struct IntervalOf { Count node, end; };
using Interval = IntervalOf<std::uint32_t>;

/// Formula<id>::of(inputs) is the value of an attribute, from distinct inputs by value; not defined for attributes that
/// need passes of their own over the tree.
template <AttributeId, class Count = std::uint32_t> struct Formula {};

template <class Count> struct Formula<AttributeId::area, Count> {
    POLLARD_HOST_DEVICE static Count of(AreaOf<Count> a) noexcept { return a.pixels; }
};
template <class Count> struct Formula<AttributeId::width, Count> {
    POLLARD_HOST_DEVICE static std::uint32_t of(NodeBox box) noexcept { return box.width(); }
};
template <class Count> struct Formula<AttributeId::heightPx, Count> {
    POLLARD_HOST_DEVICE static std::uint32_t of(NodeBox box) noexcept { return box.height(); }
};
template <class Count> struct Formula<AttributeId::bboxArea, Count> {
    POLLARD_HOST_DEVICE static std::uint64_t of(NodeBox box) noexcept { return box.area(); }
};
template <class Count> struct Formula<AttributeId::bboxDiagonal, Count> {
    POLLARD_HOST_DEVICE static double of(NodeBox box) noexcept { return box.diagonal(); }
};
template <class Count> struct Formula<AttributeId::level, Count> {
    POLLARD_HOST_DEVICE static std::uint16_t of(Levels level) noexcept { return level.own; }
};
template <class Count> struct Formula<AttributeId::contrast, Count> {
    POLLARD_HOST_DEVICE static std::uint16_t of(Levels level) noexcept {
        const int difference = level.own - level.parent;
        return static_cast<std::uint16_t>(difference < 0 ? -difference : difference);
    }
};
template <class Count> struct Formula<AttributeId::volume, Count> {
    POLLARD_HOST_DEVICE static std::uint64_t of(Levels level, AreaOf<Count> a, LevelSum sum) noexcept {
        const auto difference = static_cast<std::int64_t>(sum.value - std::uint64_t{level.parent} * a.pixels);
        return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
    }
};
template <class Count> struct Formula<AttributeId::sum, Count> {
    POLLARD_HOST_DEVICE static std::uint64_t of(LevelSum sum) noexcept { return sum.value; }
};
template <class Count> struct Formula<AttributeId::mean, Count> {
    POLLARD_HOST_DEVICE static double of(LevelSum sum, AreaOf<Count> a) noexcept {
        return static_cast<double>(sum.value) / static_cast<double>(a.pixels);
    }
};
template <class Count> struct Formula<AttributeId::centroidX, Count> {
    POLLARD_HOST_DEVICE static double of(FirstSums sum, AreaOf<Count> a) noexcept {
        return sum.x / static_cast<double>(a.pixels);
    }
};
template <class Count> struct Formula<AttributeId::centroidY, Count> {
    POLLARD_HOST_DEVICE static double of(FirstSums sum, AreaOf<Count> a) noexcept {
        return sum.y / static_cast<double>(a.pixels);
    }
};
template <class Count> struct Formula<AttributeId::inertia, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return inertiaOf(m); }
};
template <class Count> struct Formula<AttributeId::major, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m, AreaOf<Count> a) noexcept { return majorAxisOf(a.pixels, m); }
};
template <class Count> struct Formula<AttributeId::minor, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m, AreaOf<Count> a) noexcept { return minorAxisOf(a.pixels, m); }
};
template <class Count> struct Formula<AttributeId::elongation, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return elongationOf(m); }
};
template <class Count> struct Formula<AttributeId::orientation, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return orientationOf(m); }
};
template <class Count> struct Formula<AttributeId::eccentricity, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return eccentricityOf(m); }
};
template <class Count> struct Formula<AttributeId::hu1, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return inertiaOf(m); }
};
template <class Count> struct Formula<AttributeId::hu2, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m) noexcept { return hu2Of(m); }
};
template <class Count> struct Formula<AttributeId::hu3, Count> {
    POLLARD_HOST_DEVICE static double of(ThirdMoments t) noexcept { return hu3Of(t); }
};
template <class Count> struct Formula<AttributeId::hu4, Count> {
    POLLARD_HOST_DEVICE static double of(ThirdMoments t) noexcept { return hu4Of(t); }
};
template <class Count> struct Formula<AttributeId::hu5, Count> {
    POLLARD_HOST_DEVICE static double of(ThirdMoments t) noexcept { return hu5Of(t); }
};
template <class Count> struct Formula<AttributeId::hu6, Count> {
    POLLARD_HOST_DEVICE static double of(SecondMoments m, ThirdMoments t) noexcept { return hu6Of(m, t); }
};
template <class Count> struct Formula<AttributeId::hu7, Count> {
    POLLARD_HOST_DEVICE static double of(ThirdMoments t) noexcept { return hu7Of(t); }
};
template <class Count> struct Formula<AttributeId::perimeter, Count> {
    POLLARD_HOST_DEVICE static std::uint64_t of(OutlineOf<Count> o) noexcept { return o.perimeter(); }
};
template <class Count> struct Formula<AttributeId::circularity, Count> {
    POLLARD_HOST_DEVICE static double of(OutlineOf<Count> o, AreaOf<Count> a) noexcept {
        return circularityOf(a.pixels, o.perimeter());
    }
};
template <class Count> struct Formula<AttributeId::rectangularity, Count> {
    POLLARD_HOST_DEVICE static double of(NodeBox box, AreaOf<Count> a) noexcept {
        return static_cast<double>(a.pixels) / static_cast<double>(box.area());
    }
};
template <class Count> struct Formula<AttributeId::euler, Count> {
    POLLARD_HOST_DEVICE static std::make_signed_t<Count> of(OutlineOf<Count> o) noexcept { return o.euler(); }
};
template <class Count> struct Formula<AttributeId::holes, Count> {
    POLLARD_HOST_DEVICE static Count of(OutlineOf<Count> o) noexcept { return static_cast<Count>(1 - o.euler()); }
};
template <class Count> struct Formula<AttributeId::borderContrast, Count> {
    POLLARD_HOST_DEVICE static double of(BorderSums b) noexcept { return meanOverFaces(b.steps, b.faces); }
};
template <class Count> struct Formula<AttributeId::outerMean, Count> {
    POLLARD_HOST_DEVICE static double of(BorderSums b) noexcept { return meanOverFaces(b.outer, b.faces); }
};
template <class Count> struct Formula<AttributeId::descendants, Count> {
    POLLARD_HOST_DEVICE static Count of(IntervalOf<Count> i) noexcept { return i.end - i.node - 1; }
};

/// A formula with the types of its result and inputs.
template <AttributeId Id, class T, class... Inputs> struct TypedFormula : Formula<Id> { using Value = T; };
template <AttributeId Id, class T, class... Inputs>
constexpr TypedFormula<Id, T, Inputs...> typed(T (*)(Inputs...) noexcept) noexcept {
    return {};
}
/// A formula that counts in 64 bits.
template <AttributeId Id, class T, class... Inputs> struct TypedLargeFormula : Formula<Id, std::uint64_t> {
    using Value = T;
};
template <AttributeId Id, class T, class... Inputs>
constexpr TypedLargeFormula<Id, T, Inputs...> typedLarge(T (*)(Inputs...) noexcept) noexcept {
    return {};
}
template <AttributeId Id> inline constexpr bool kHasFormula = requires { &Formula<Id>::of; };

/// Calls visit(TypedFormula), or visit(TypedLargeFormula), for every attribute with a formula until it returns true.
/// @tparam Count std::uint32_t or std::uint64_t @return whether one did
template <class Count, class Visit> constexpr bool anyFormula(const Visit& visit) {
    const auto one = [&]<AttributeId Id>(std::integral_constant<AttributeId, Id>) {
        if constexpr (!kHasFormula<Id>) {
            return false;
        } else if constexpr (std::is_same_v<Count, std::uint32_t>) {
            return visit(typed<Id>(&Formula<Id>::of));
        } else {
            return visit(typedLarge<Id>(&Formula<Id, Count>::of));
        }
    };
    const auto any = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (one(std::integral_constant<AttributeId, AttributeId{I}>{}) || ...);
    };
    return any(std::make_index_sequence<kAttributes.size()>{});
}
template <class Visit> constexpr bool anyFormula(const Visit& visit) { return anyFormula<std::uint32_t>(visit); }
/// Calls visit(TypedFormula), or visit(TypedLargeFormula), for an attribute.
/// @tparam Count as for anyFormula() @return whether it has a formula
template <class Count, class Visit> constexpr bool visitFormula(AttributeId id, const Visit& visit) {
    return anyFormula<Count>(
        [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
            Typed<Id, T, Inputs...> formula) {
            if (Id == id) {
                visit(formula);
            }
            return Id == id;
        });
}
template <class Visit> constexpr bool visitFormula(AttributeId id, const Visit& visit) {
    return visitFormula<std::uint32_t>(id, visit);
}

} // namespace pollard
