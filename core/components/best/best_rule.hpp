#pragma once

#include "components/best/best_components.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// How to choose the best components of any image.
struct BestRule {
    static constexpr double kMostSize = 1e18;

    std::optional<double> size;          ///< expected area (volume), in the square (cube) of the unit; unset: estimated
    LengthUnit unit = LengthUnit::pixel; ///< of the size
    double strictness = BestChoice::kUsualStrictness;
    std::vector<BestMark> marks = {};
    BestWeights weights = {};

    /// The choice in an image or a volume with pixels of this size.
    /// @throws Error(invalidArgument) if the unit needs a size of the pixels that is unknown
    [[nodiscard]] BestChoice choiceFor(const std::optional<PixelSize>& pixelSize, bool inVolume) const;

    bool operator==(const BestRule&) const = default;
};

/// Parses "200", "200 px2" or "50 um2": a number above 0, at most BestRule::kMostSize, and an optional unit of areas,
/// in a volume of volumes. Sets the size and its unit. @return whether the text has this form; if not, the rule is
/// unchanged
[[nodiscard]] bool parseBestSize(std::string_view text, bool inVolume, BestRule& rule);

/// Parses "misfit=-2.5,constant=0.1": names of kBestWeights, each at most once, and numbers of a magnitude of at most
/// BestWeights::kMost. The others are the usual ones. Nothing for another text.
[[nodiscard]] std::optional<BestWeights> parseBestWeights(std::string_view text);
/// The weights that differ from the usual ones, as parseBestWeights() takes them.
[[nodiscard]] std::string bestWeightsText(const BestWeights& weights);

} // namespace pollard
