#pragma once

#include "base/job_control.hpp"
#include "components/best/best_components.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace pollard {

/// A weight with its name in recipes.
struct BestWeightName {
    std::string_view name;
    double BestWeights::*weight;
};
/// In the order of BestTerms.
inline constexpr std::array<BestWeightName, std::tuple_size_v<BestTerms>> kBestWeights{
    {{"contrast", &BestWeights::contrast},
     {"border", &BestWeights::border},
     {"relative", &BestWeights::relative},
     {"misfit", &BestWeights::misfit},
     {"area", &BestWeights::area},
     {"small", &BestWeights::small},
     {"large", &BestWeights::large},
     {"constant", &BestWeights::constant}}};

/// An image whose objects are all known: the candidates of its best components and their overlaps with objects.
struct BestLesson {
    std::vector<BestTerms> terms;
    std::vector<double> overlaps;

    /// @param size expected area or voxels, px; unset: estimated
    /// @param truth see BestCandidates::overlaps()
    /// @throws Error(outOfMemory); as BestCandidates::overlaps()
    BestLesson(const BestCandidates& candidates, const std::optional<double>& size,
               std::span<const std::uint32_t> truth, const JobControl& control = {});
};

/// Weights whose expected fits are nearest to the overlaps: a fractional logistic regression over all candidates, in
/// which each image counts the same, and the distance to the usual weights a tenth of that. Convex, by Newton's
/// method; O(candidates) per step. Numbers have four digits. (Papke, Wooldridge, "Econometric methods for fractional
/// response variables", 1996)
/// @return the usual weights without candidates
/// @throws Cancelled
[[nodiscard]] BestWeights learnBestWeights(std::span<const BestLesson* const> lessons, const JobControl& control = {});

} // namespace pollard
