#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pollard {

/// Selection and order of listed objects.
struct ObjectListSpec {
    ObjectCondition condition; ///< in pixels and with its columns, see inPixels() and withColumns() there
    double side = 1;           ///< of a pixel, in the unit of the condition's numbers; ignored in volumes
    ObjectQuantity key = {};
    bool descending = false;
    /// Per object (index label - 1) 1 if it is left out; null: none.
    const std::vector<std::uint8_t>* removed = nullptr;
    /// Per object (index label - 1) a key that replaces the feature `key`; null: use `key`.
    const std::vector<std::uint32_t>* keys = nullptr;
    bool withoutBorder = false;                 ///< leave out the objects that MeasuredObjects::touchesBorder() tells
    bool borderXy = false;                      ///< of a volume: by their pixels in x and y alone
    std::span<const ObjectColumn> columns = {}; ///< with that of the key; objects keep their order if it is missing
};

/// Listed objects in order, and the row of each.
struct ObjectList {
    static constexpr std::uint32_t kNoRow = 0xffff'ffff;

    std::vector<std::uint32_t> labels; ///< per row
    std::vector<std::uint32_t> rows;   ///< per object (index label - 1), or kNoRow
    std::uint64_t pixels = 0;          ///< total area of the listed objects
    std::uint32_t atBorder = 0;        ///< objects left out only because they touch the border

    [[nodiscard]] bool lists(std::uint32_t label) const noexcept {
        return label != 0 && label <= rows.size() && rows[label - 1] != kNoRow;
    }
};

/// Edge measurements required by a list.
[[nodiscard]] EdgeMeasure edgeMeasureOf(const ObjectListSpec& spec) noexcept;

/// Objects that meet the condition and are not left out, sorted by key; ties by label, undefined values last in both
/// directions. Parallel; independent of the number of threads.
/// @param objects of an image with the measurements of edgeMeasureOf(), or of a volume
/// @throws Error(invalidArgument) for a condition with units; Cancelled
[[nodiscard]] ObjectList listObjects(const MeasuredObjects& objects, const ObjectListSpec& spec,
                                     const JobControl& control = {});

/// The same for an image, whose edges are measured as far as condition and key need them.
/// @param components with records, and with labels if edges are measured
/// @param values of its grey levels
[[nodiscard]] ObjectList listObjects(const Components& components, const ObjectListSpec& spec,
                                     const JobControl& control = {}, const std::optional<ValueMapping>& values = {});

} // namespace pollard
