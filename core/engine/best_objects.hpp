#pragma once

#include "base/job_control.hpp"
#include "components/best/best_components.hpp"
#include "components/best/brightness.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <memory>
#include <optional>

namespace pollard {

class Engine;

/// Candidates for the best components of an image or a volume; the engine builds the tree.
/// @param inside pixels of objects; null: all
/// @param mapping of the levels of @p image
/// @throws Error(invalidArgument) for a mask of another size, Error(limitExceeded) as requireMeasurable(),
/// Error(outOfMemory) if the estimate exceeds the memory; as Session::buildTree()
[[nodiscard]] std::shared_ptr<const BestCandidates>
findBestCandidates(Engine& engine, const Image& image, const Mask* inside, const std::optional<ValueMapping>& mapping,
                   Polarity polarity, const JobControl& control = {});

/// The objects of a choice, measured, with labels.
/// @param grey image to measure; null: the grey fields are 0
/// @param isVolume whether an image of one slice is measured as a volume
/// @throws as BestCandidates::choose() and measureLabels()
[[nodiscard]] Components bestObjects(const BestCandidates& candidates, const BestChoice& choice,
                                     const CutConstraints& constraints, const Image* grey,
                                     const JobControl& control = {}, bool isVolume = false);

} // namespace pollard
