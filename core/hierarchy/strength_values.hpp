#pragma once

#include "attributes/attribute.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

/// Strengths of boundaries as a person reads them: in values of the image, or in pixels.
class StrengthValues {
public:
    /// @param values of the levels of the image, evenly mapped
    StrengthValues(Strength strength, EdgeWeight weight, const std::optional<ValueMapping>& values);

    [[nodiscard]] double valueOf(std::uint64_t strength) const;
    /// The largest strength whose value is at most @p value.
    [[nodiscard]] std::uint64_t strengthOf(double value) const;
    /// The unit of the values: "px", "HU"; empty if there is none.
    [[nodiscard]] std::string unit() const;

private:
    std::optional<AttributeId> column_; ///< whose numbers the strengths are; unset: numbers of pixels
    std::optional<ValueMapping> values_;
};

} // namespace pollard
