#pragma once

#include "base/job_control.hpp"
#include "image/pixel_region.hpp"
#include "snake/snake_job.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// A contour and the part of the image in which it evolves as if the part were the image.
struct IndependentSnake {
    PixelRegion part;
    Contour start; ///< px of the image
};

/// Contours that evolve concurrently and independently: parts are disjoint, so contours cannot meet, and the background
/// of each is the rest of its part. (Contours of a SnakeGroup share one background and take turns.)
struct IndependentSnakesJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null: all
    std::vector<IndependentSnake> snakes;
    SnakeSpec spec;                        ///< maxStep 0: derived from the size of each part
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may contain; null: none
    std::string algorithm;                 ///< as SnakeJob::algorithm
};

/// Called with every accepted state of a contour, in order, the start first. Calls for different contours are
/// interleaved and serialised.
using IndependentSnakesListener = std::function<void(std::size_t snake, const SnakeState& state)>;

/// Result of independent contours.
struct IndependentSnakesResult {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< of the algorithm
    std::vector<SnakeState> states;           ///< final state of each contour
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Part for a contour: bounding box of its start, enlarged by @p margin px on every side and clipped to the image.
[[nodiscard]] PixelRegion partAround(const Contour& start, std::uint32_t margin, std::uint32_t width,
                                     std::uint32_t height);

/// The starts after usedStart() within their parts, px of the image.
/// @throws Error(invalidArgument), naming the contours, for a part that is empty or beyond the image, for overlapping
/// parts, for starts that are not simple polygons within their parts, and for a mask of another size
[[nodiscard]] std::vector<Contour> usedStarts(const IndependentSnakesJob& job);

/// Job of one contour in the coordinates of its part.
/// @param start one of usedStarts()
[[nodiscard]] SnakeJob partJob(const IndependentSnakesJob& job, std::size_t snake, const Contour& start);

/// Converts a state of a partJob() to px of the image.
[[nodiscard]] SnakeState inImage(SnakeState state, const PixelRegion& part);

/// Error of contour @p snake (0-based) of @p count, with its number.
[[nodiscard]] Error errorOfSnake(const Error& error, std::size_t snake, std::size_t count);

/// Evolves all contours on the CPU, in parallel: each takes the states of runSnake() on its part. Stage "evolution".
/// @param listener may be empty
/// @throws Error as usedStarts() and, naming the contour, as runSnake(): the other contours then stop at their next
/// state, and among several errors the first contour's is thrown; Cancelled
[[nodiscard]] IndependentSnakesResult runIndependentSnakes(const IndependentSnakesJob& job,
                                                           const IndependentSnakesListener& listener,
                                                           const JobControl& control = {});

} // namespace pollard
