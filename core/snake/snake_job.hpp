#pragma once

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// AlgorithmInfo::job of algorithms that evolve contours.
inline constexpr std::string_view kSnakeJob = "snake";

/// Contours to evolve on one image. Without parts, the contours share one background and take turns, see SnakeGroup.
/// With parts, they are independent: each evolves as if its part were the image, and its background is the rest of the
/// part. Parts are disjoint, so contours cannot meet.
struct SnakeJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid;     ///< pixels that count; null: all
    std::vector<Contour> starts;           ///< px of the image; at least one
    SnakeSpec spec;                        ///< maxStep 0: derived from the size of the image or of each part
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may contain; null: none
    std::string algorithm;                 ///< determines the moves; empty: the engine's default for SnakeSpec::moves
    std::vector<PixelRegion> parts = {};   ///< one per start, or none
};

/// Called with every accepted state of a contour in order, the start first. Calls for independent contours are
/// interleaved and serialised. @return false to end the run with this state; then the results of independent contours
/// without a reported state are unspecified
using SnakeListener = std::function<bool(std::size_t contour, const SnakeState& state)>;

/// Replaces the contour of a state by the trimmed() one, and adds the energy of the change of its length.
void trim(SnakeState& state, double lengthPrice);

/// Result of the evolution of contours. Its contours are trimmed(); the states that a listener receives are not.
struct SnakeResult {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< of the algorithm
    std::vector<SnakeState> states;           ///< final state of each contour
    RegionSums background;                    ///< pixels in no contour: of the image, or of all parts
    double energy = 0;                        ///< of all contours and their backgrounds
    std::vector<StageTime> stages;
    double milliseconds = 0; ///< including the listener's time

    /// Sets the states after trim(), and adds the change of their energies to `energy`.
    void setTrimmed(std::vector<SnakeState> ends, double lengthPrice);
    /// As setTrimmed(), and sets background and energy for contours that do not share a background.
    void setStates(std::vector<SnakeState> separate, double lengthPrice);
};

/// Part for an independent contour: bounding box of its start, enlarged by @p margin px on every side and clipped to
/// the image.
[[nodiscard]] PixelRegion partAround(const Contour& start, std::uint32_t margin, std::uint32_t width,
                                     std::uint32_t height);
/// The part of each start.
[[nodiscard]] std::vector<PixelRegion> partsAround(const std::vector<Contour>& starts, std::uint32_t margin,
                                                   const Image& image);

/// The starts, checked and oriented by usedStart() within the image or their parts.
/// @throws Error(invalidArgument), naming the contour if there are parts, for a part that is empty or beyond the image,
/// for overlapping parts, for starts that are not simple polygons within the image or their part, and for a mask of
/// another size
[[nodiscard]] std::vector<Contour> usedStarts(const SnakeJob& job);

/// Error of independent contour @p contour (0-based) of @p count, with its number if there are several.
[[nodiscard]] Error errorOfSnake(const Error& error, std::size_t contour, std::size_t count);

/// Evolves contours on the CPU, independent ones in parallel. Stages "sums", unless they are independent, and
/// "evolution", the latter including the listener's time.
/// @param listener may be empty
/// @throws Error(invalidArgument) as SnakeGroup, and if the algorithm is not the name of a SnakeMoves; Cancelled
[[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control = {});

} // namespace pollard
