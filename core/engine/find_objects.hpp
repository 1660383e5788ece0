#pragma once

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "base/job_control.hpp"
#include "components/best/best_components.hpp"
#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/label_file.hpp"
#include "tree/component_tree.hpp"

#include <memory>
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
    LabelSource labels = {};                 ///< reads the label file of a rule; empty: there is none
};

/// What a watershed floods and the tree of its seeds, for any bound of their measure.
struct FloodChoices {
    /// Of what it was made.
    struct Source {
        Relief relief = Relief::levels;
        Relief peaks = Relief::levels; ///< with the seeds
        SeedMeasure by = SeedMeasure::height;
        bool dark = false;
        Connectivity connectivity = Connectivity::eight;
        std::optional<Mask> within; ///< pixels of the threshold to flood; unset: all

        bool operator==(const Source&) const = default;
    };
    Source source;
    std::optional<Image> relief; ///< unset: the image itself
    SeedTree seeds;
};

/// What findObjects() chooses objects from, kept from one call to the next. For one image, mask and mapping.
struct ObjectChoices {
    std::shared_ptr<const BestCandidates> candidates; ///< null: not made yet
    bool areDark = false;                             ///< the candidates
    std::shared_ptr<const Hierarchy> hierarchy;       ///< null: not made yet
    HierarchySpec spec;                               ///< of the hierarchy
    std::shared_ptr<const FloodChoices> flood;        ///< null: not made yet
};

/// The objects of a rule: the components of its mask, the best components, the regions of a watershed or hierarchy, or
/// the objects of a label file.
/// @param levels result of ObjectRule::levelsOf()
/// @param spec algorithm of labelling, and whether the components of a mask need labels and features; other objects
/// have both. Neighbours and slices are taken from rule and image.
/// @param choices used and updated; null: what objects are chosen from is made for this call
/// @throws Error(invalidArgument) for a conflict of the rule; as ObjectRule::maskOf(), Engine::labelComponents(),
/// findBestCandidates(), madeRelief(), makeSeedTree(), Engine::watershed(), Engine::makeHierarchy(),
/// hierarchyRegions(), ObjectSource::labels, measureNumbers(); Cancelled
[[nodiscard]] Components findObjects(Engine& engine, const ObjectRule& rule, const ObjectSource& source,
                                     LevelRange levels, ComponentsSpec spec, const JobControl& control = {},
                                     ObjectChoices* choices = nullptr);

} // namespace pollard
