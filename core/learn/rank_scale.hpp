#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// Nodes at equal steps of their numbers, up to kNodesPerOctave with areas of each octave, 1, 2 to 3, 4 to 7 px ...
struct NodeSample {
    static constexpr std::uint32_t kNodesPerOctave = 256;

    std::vector<std::uint32_t> nodes; ///< ascending
    std::vector<double> weights;      ///< of each octave the same, in all 1
};
/// Two passes over the areas. @throws Cancelled
[[nodiscard]] NodeSample sampleNodes(const AttributeColumn& area, const JobControl& control = {});

/// The place of a value among the values of a sample, from 0 to 1. It depends on the order of the values alone, so not
/// on their unit.
class RankScale {
public:
    RankScale() = default;
    /// @param mapping of the image, whose values are ranked; unset: the numbers of the column are
    RankScale(const AttributeColumn& column, const NodeSample& sample, const std::optional<ValueMapping>& mapping);

    /// Weight of smaller values, and half the weight of equal ones.
    [[nodiscard]] double rankOf(double value) const noexcept;
    /// The smallest value of the sample with a larger rank, and the largest one with a smaller rank; NaN without one.
    [[nodiscard]] double valueAbove(double rank) const noexcept;
    [[nodiscard]] double valueBelow(double rank) const noexcept;

private:
    std::vector<double> values_; ///< ascending, each once
    std::vector<double> below_;  ///< per value the weight of smaller ones, then the weight of all
};

} // namespace pollard
