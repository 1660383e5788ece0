#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard {

/// The image that a watershed floods.
enum class Relief : std::uint8_t {
    levels,   ///< the image
    gradient, ///< see gradientOf()
    distance, ///< Euclidean distance of the pixels of a mask to the nearest pixel outside it, see distanceLevels()
};
inline constexpr std::array kAllReliefs{Relief::levels, Relief::gradient, Relief::distance};

/// Stable id for options and files: "levels", "gradient", "distance".
[[nodiscard]] std::string_view nameOf(Relief relief) noexcept;
/// nullopt for other names
[[nodiscard]] std::optional<Relief> reliefOf(std::string_view name) noexcept;

/// Whether regions grow from high levels to low ones, WatershedSpec::descending: on distances; on levels, unless the
/// objects are dark.
[[nodiscard]] constexpr bool isDescending(Relief relief, bool dark) noexcept {
    return relief == Relief::distance || (relief == Relief::levels && !dark);
}

/// The relief of an image; nullopt for Relief::levels, which is the image itself.
/// @param inside pixels to flood; null: all. Of Relief::distance the mask.
/// @throws as gradientOf() and distanceLevels(); Error(invalidArgument) for Relief::distance without a mask
[[nodiscard]] std::optional<Image> madeRelief(const Image& image, const Mask* inside, Relief relief,
                                              Connectivity connectivity, const JobControl& control = {});

/// Morphological gradient: at every pixel the largest level minus the smallest one among the pixel and its neighbours
/// (Rivest, Soille, Beucher, "Morphological gradients", 1993). Parallel.
/// @param inside pixels that count; null: all. Pixels outside it have the gradient 0.
/// @throws Error(invalidArgument) for a mask of another size or 4 or 8 neighbours in a volume, Error(limitExceeded),
/// Error(outOfMemory); Cancelled
[[nodiscard]] Image gradientOf(const Image& image, const Mask* inside, Connectivity connectivity,
                               const JobControl& control = {});

} // namespace pollard
