#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "labels/label_edit.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace pollard {

/// A copy of objects with labels, without times of stages. @throws Error(outOfMemory)
[[nodiscard]] Components copyOf(const Components& objects, const JobControl& control = {});

/// The box of an object; of one without pixels, an empty one at the first pixel.
[[nodiscard]] LabelBox boxOf(const Components& objects, std::uint32_t label);

/// Takes over the objects that edits of the labels have changed: measures those alone, adds new ones, and keeps
/// objects without pixels with area 0, so that no number is used again. O(pixels of the boxes of these objects).
/// @param objects with records; its labels are those after the edits
/// @param changed the objects with other pixels, and where, see LabelEdit::changed()
/// @param labels largest label after the edits
/// @param grey image to measure, of the same size; null: the grey fields are 0
/// @param mapping of its levels
/// @throws Error as measureNumbers(), Cancelled
void measureChanged(Components& objects, const std::map<std::uint32_t, LabelBox>& changed, std::uint32_t labels,
                    const Image* grey, const std::optional<ValueMapping>& mapping, const JobControl& control = {});

} // namespace pollard
