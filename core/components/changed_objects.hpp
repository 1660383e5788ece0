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

/// Brings an earlier copy of objects up to date. O(pixels of the boxes), independent of the size of the image.
/// @param copy with the labels and records that @p objects had before the edits
/// @param changed the objects that the edits have changed, and where, see LabelEdit::changed()
void takeChanges(Components& copy, const Components& objects, const std::map<std::uint32_t, LabelBox>& changed);

/// The box of an object; of one without pixels, an empty one at the first pixel.
[[nodiscard]] LabelBox boxOf(const Components& objects, std::uint32_t label);

/// Adds an object without pixels.
/// @param number that no object has, see Components::numberOf() @param hasValueSums whether sums of values are kept
void addObject(Components& objects, std::uint32_t number, bool hasValueSums);

/// Takes over the objects that edits of the labels have changed: measures those alone, adds new ones, and keeps
/// objects without pixels with area 0, so that no number is used again. O(changed pixels) for objects that are much
/// larger than their change; more if an edge or the last pixel of an extreme level is gone, or if parts are connected
/// far from the change only. O(pixels of its box) for other objects and for sums of values. Parallel.
/// @param objects with the records before the edits; its labels are those after the edits
/// @param before objects with the labels before the edits
/// @param changed the objects with other pixels, and where, see LabelEdit::changed()
/// @param labels largest label after the edits
/// @param grey image to measure, of the same size; null: the grey fields are 0
/// @param mapping of its levels
/// @throws Error as labelComponents(), Cancelled
void measureChanged(Components& objects, const Components& before, const std::map<std::uint32_t, LabelBox>& changed,
                    std::uint32_t labels, const Image* grey, const std::optional<ValueMapping>& mapping,
                    const JobControl& control = {});

} // namespace pollard
