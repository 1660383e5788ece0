#pragma once

#include "analysis/chart_axis.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_features.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// What a chart of objects shows: how often a feature has which value, or two features against each other.
struct ObjectChartSpec {
    ObjectFeature x = ObjectFeature::area;
    std::optional<ObjectFeature> y; ///< none: a histogram of x
    bool logarithmic = false;       ///< axes whose values are all above 0
    double side = 1;                ///< of a pixel, as in featureOf()

    bool operator==(const ObjectChartSpec&) const = default;
};

/// An object at its place, 0..1 on both axes.
struct ChartPoint {
    float x = 0;
    float y = 0;
    std::uint32_t label = 0;
};

struct ObjectChart {
    /// Up to so many objects are points; more are counted in a grid.
    static constexpr std::size_t kMostPoints = 4000;
    static constexpr std::size_t kGrid = 160; ///< cells along a side
    static constexpr std::size_t kBars = 64;

    ObjectChartSpec spec;
    ChartAxis x;
    ChartAxis y;                      ///< of a histogram: 0 to the highest bar
    std::size_t objects = 0;          ///< with a value on every axis
    std::vector<ChartPoint> points;   ///< by label; of two features and few objects
    std::vector<std::uint32_t> cells; ///< kGrid rows of kGrid counts from the lowest y on; of two features and many
    std::vector<std::uint32_t> bars;  ///< kBars counts; of one feature
    std::uint32_t largest = 0;        ///< of the counts
};

/// Charts these objects. Objects without a value (0/0) are left out.
/// @param edges of the objects; what is not measured is without a value
/// @throws Cancelled
[[nodiscard]] ObjectChart chartObjects(const Components& components, std::span<const std::uint32_t> labels,
                                       const ObjectChartSpec& spec, const JobControl& control = {},
                                       const ObjectEdges& edges = {});

/// The objects of a part of a chart: values from low to high on both axes, ends included; y is ignored in a histogram.
/// By label.
/// @throws Cancelled
[[nodiscard]] std::vector<std::uint32_t>
objectsWithin(const Components& components, std::span<const std::uint32_t> labels, const ObjectChartSpec& spec,
              const ChartAxis& x, const ChartAxis& y, const JobControl& control = {}, const ObjectEdges& edges = {});

} // namespace pollard
