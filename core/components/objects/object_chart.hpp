#pragma once

#include "analysis/bins.hpp"
#include "base/job_control.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Content of a chart of objects: a histogram of one feature or column, or a scatter plot of two.
struct ObjectChartSpec {
    ObjectQuantity x = ObjectFeature::area;
    std::optional<ObjectQuantity> y; ///< unset: a histogram of x
    bool logarithmic = false;        ///< logarithmic axes; objects without positive values are left out

    bool operator==(const ObjectChartSpec&) const = default;
};

/// An object at its position, 0..1 on both axes.
struct ChartPoint {
    float x = 0;
    float y = 0;
    std::uint32_t label = 0;
};

struct ObjectChart {
    /// Largest number of objects drawn as points; more are counted in a grid.
    static constexpr std::size_t kMostPoints = 4000;
    static constexpr std::size_t kGrid = 160; ///< cells per side
    static constexpr std::size_t kBars = 64;

    ObjectChartSpec spec;
    ChartAxis x;
    ChartAxis y;                      ///< for a histogram: 0 to the highest bar
    std::size_t objects = 0;          ///< number of objects with a value on every axis
    std::vector<ChartPoint> points;   ///< by label; for two features and few objects
    std::vector<std::uint32_t> cells; ///< kGrid rows of kGrid counts, lowest y first; for two features and many objects
    std::vector<std::uint32_t> bars;  ///< kBars counts; for one feature
    std::uint32_t largest = 0;        ///< largest count
};

/// Computes the chart of these objects; objects with an undefined value (0/0) are left out.
/// @param columns that the spec may name; others are undefined
/// @throws Cancelled
[[nodiscard]] ObjectChart chartObjects(const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                                       const ObjectChartSpec& spec, const JobControl& control = {},
                                       std::span<const ObjectColumn> columns = {});

/// Objects with values from low to high on both axes, ends included; y is ignored in a histogram. Sorted by label.
/// @throws Cancelled
[[nodiscard]] std::vector<std::uint32_t> objectsWithin(const MeasuredObjects& objects,
                                                       std::span<const std::uint32_t> labels,
                                                       const ObjectChartSpec& spec, const ChartAxis& x,
                                                       const ChartAxis& y, const JobControl& control = {},
                                                       std::span<const ObjectColumn> columns = {});

} // namespace pollard
