#pragma once

#include "analysis/seeds.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

namespace pollard {

class Engine;

/// The pixels whose maxima (minima) are seeds.
struct SeedSource {
    const Image& image;
    const Mask* inside = nullptr; ///< null: all pixels
    Connectivity connectivity = Connectivity::four;
    bool descending = true; ///< false: seeds are minima
};

/// The tree of an image with the extinction values of its maxima, equal for all engines. As long as a build of the tree
/// and two passes over the pixels.
/// @throws Error(invalidArgument) for a mask of another size or 4 or 8 neighbours in a volume; as Session::buildTree()
/// and Engine::labelComponents(); Error(outOfMemory), also before the work; Cancelled
[[nodiscard]] SeedTree makeSeedTree(Engine& engine, const SeedSource& source, SeedMeasure by,
                                    const JobControl& control = {});

/// The seeds of a rule, see SeedTree::seeds(). @throws as makeSeedTree()
[[nodiscard]] LabelImage seedsOf(Engine& engine, const SeedSource& source, const SeedRule& rule,
                                 const JobControl& control = {});

} // namespace pollard
