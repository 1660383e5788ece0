#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Which objects are listed, and in which order.
struct ObjectListSpec {
    ObjectCondition condition; ///< without units, see ObjectCondition::inPixels()
    double side = 1;           ///< of a pixel, in the unit of numbers of the condition
    ObjectFeature key = ObjectFeature::label;
    bool descending = false;
    /// Objects that are left out, 1 for object number i + 1 at place i; null: none.
    const std::vector<std::uint8_t>* removed = nullptr;
    /// Keys of the objects, that of number i + 1 at place i, instead of those of a feature; null: `key`.
    const std::vector<std::uint32_t>* keys = nullptr;
    bool withoutBorder = false; ///< objects with a pixel in the first or last row or column of the image are left out
    /// Edges of the objects, as measured earlier; null: what the condition and the key need is measured here.
    const ObjectEdges* edges = nullptr;
};

/// Objects in an order, and where each of them is.
struct ObjectList {
    static constexpr std::uint32_t kNoRow = 0xffff'ffff;

    std::vector<std::uint32_t> labels; ///< of the rows
    std::vector<std::uint32_t> rows;   ///< of object number i + 1 at place i, or kNoRow
    std::uint64_t pixels = 0;          ///< of all objects listed
    std::uint32_t atBorder = 0;        ///< objects that are left out for the border alone

    [[nodiscard]] bool lists(std::uint32_t label) const noexcept {
        return label != 0 && label <= rows.size() && rows[label - 1] != kNoRow;
    }
};

/// The edge measurements that a list needs.
[[nodiscard]] EdgeMeasure edgeMeasureOf(const ObjectListSpec& spec) noexcept;

/// Whether the object has a pixel in the first or last row or column of the image: its feature `border` is not 0.
[[nodiscard]] bool touchesBorder(const Components& components, const ComponentRecord& object) noexcept;

/// Objects that meet the condition and are not left out, by the value of the key; equal ones by label, undefined values
/// last whatever the direction. Parallel; the same for any number of threads.
/// @param components with its records, and with its labels where edges are measured here
/// @throws Error(invalidArgument) for a condition with units; Cancelled
[[nodiscard]] ObjectList listObjects(const Components& components, const ObjectListSpec& spec,
                                     const JobControl& control = {});

} // namespace pollard
