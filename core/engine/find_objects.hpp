#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"

#include <optional>

namespace pollard {

class Engine;

/// An image in which objects are found.
struct ObjectSource {
    const Image& image;
    const Mask* inside = nullptr;            ///< pixels to consider; null: all
    std::optional<ValueMapping> values = {}; ///< of the levels of `image`
    std::optional<PixelSize> pixelSize = {}; ///< for sizes in a unit
    const Image* grey = nullptr;             ///< image to measure, of the same size; null: the grey fields are 0
};

/// The objects of a rule: the components of its mask, the best components, or the regions of a watershed or hierarchy.
/// @param levels result of ObjectRule::levelsOf()
/// @param spec algorithm of labelling, and whether the components of a mask need labels and features; other objects
/// have both. Its neighbours and slices are those of rule and image.
/// @throws Error(invalidArgument) for a conflict of the rule, or best components in a volume; as ObjectRule::maskOf(),
/// Engine::labelComponents(), findBestCandidates(), watershedRegions(), makeHierarchy() and hierarchyRegions();
/// Cancelled
[[nodiscard]] Components findObjects(Engine& engine, const ObjectRule& rule, const ObjectSource& source,
                                     LevelRange levels, ComponentsSpec spec, const JobControl& control = {});

} // namespace pollard
