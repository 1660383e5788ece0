#pragma once

#include "base/job_control.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_rule.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Colour of the class with this index in a list, if it states none. Colours of neighbours are distinct for all kinds
/// of colour vision (Okabe and Ito, "Color Universal Design", 2008).
[[nodiscard]] std::uint32_t usualClassColour(std::size_t index) noexcept;

/// "#e69f00"
[[nodiscard]] std::string colourText(std::uint32_t colour);
[[nodiscard]] std::optional<std::uint32_t> colourOf(std::string_view text);

/// Parses "NAME:CONDITION" or "NAME=#rrggbb:CONDITION". The name ends at the last colon outside brackets.
/// @param index in the list of classes
/// @param features that the condition may name
/// @throws Error(invalidArgument) without a name or a condition; as ObjectCondition::parse()
[[nodiscard]] ObjectClass parseObjectClass(std::string_view text, std::size_t index,
                                           std::span<const ObjectFeatureInfo> features = objectFeatures());

/// The condition of a class, prepared for an image or a volume.
struct ClassCondition {
    ObjectCondition condition; ///< in px and with its columns, see ObjectCondition::inPixels() and withColumns()
    double side = 1;           ///< of a pixel, in the unit of the condition's numbers; ignored in volumes
};

/// Edge measurements required by the conditions.
[[nodiscard]] EdgeMeasure edgeMeasureOf(std::span<const ClassCondition> conditions) noexcept;

/// Objects sorted into classes; immutable.
struct ClassifiedObjects {
    std::vector<ObjectClass> classes;
    std::vector<std::uint32_t> numbers; ///< per object (index label - 1) 1 + the index of its class; 0: none

    /// Null if the object has none.
    [[nodiscard]] const ObjectClass* classOf(std::uint32_t label) const noexcept {
        const std::uint32_t number = numbers[label - 1];
        return number == 0 ? nullptr : &classes[number - 1];
    }
    /// Number of objects of each class among these; the last element counts objects without a class.
    [[nodiscard]] std::vector<std::size_t> countsOf(std::span<const std::uint32_t> labels) const;
};

/// Assigns to every object the class that it is a member of, else the first one whose condition it meets. Parallel;
/// independent of the number of threads.
/// @param objects of an image with the measurements of edgeMeasureOf(), or of a volume
/// @param conditions of the classes
/// @throws Cancelled
[[nodiscard]] ClassifiedObjects classifyObjects(const MeasuredObjects& objects, std::vector<ObjectClass> classes,
                                                std::span<const ClassCondition> conditions,
                                                const JobControl& control = {});

/// Name of classColumn().
inline constexpr std::string_view kClassColumn = "class";

/// A column with the name of the class; its values are ClassifiedObjects::numbers, NaN without a class.
[[nodiscard]] ObjectColumn classColumn(std::shared_ptr<const ClassifiedObjects> objects);

} // namespace pollard
