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

/// A contour and the part of the image that it evolves on as if there were nothing else.
struct ApartSnake {
    PixelRegion part;
    Contour start; ///< px of the image
};

/// Contours that evolve at once, each by itself: no two parts have a pixel in common, so contours cannot meet, and what
/// is outside of one is the rest of its part. (Contours of a SnakeGroup share one background and take turns.)
struct ApartSnakesJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null for all
    std::vector<ApartSnake> snakes;
    SnakeSpec spec;                        ///< maxStep 0: by the size of each part
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may hold; null for none
    std::string algorithm;                 ///< as SnakeJob::algorithm
};

/// Is told of every accepted state of a contour, the start first, in their order; those of several contours come mixed,
/// one call at a time.
using ApartSnakesListener = std::function<void(std::size_t snake, const SnakeState& state)>;

/// How contours evolved apart.
struct ApartSnakesResult {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< the algorithm's
    std::vector<SnakeState> states;           ///< the last of each
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// What a contour may need: the box of its start, @p margin px larger on every side, within the image.
[[nodiscard]] PixelRegion partAround(const Contour& start, std::uint32_t margin, std::uint32_t width,
                                     std::uint32_t height);

/// The starts as they are used (usedStart() of each part alone), px of the image.
/// @throws Error(invalidArgument), naming the contours, for a part without pixels or beyond the image, for parts with
///         pixels in common, for starts that are not simple polygons within their parts, and for a mask of another size
[[nodiscard]] std::vector<Contour> usedStarts(const ApartSnakesJob& job);

/// The job of one contour on its part alone, as if the corner of the part were that of an image.
/// @param start of usedStarts()
[[nodiscard]] SnakeJob partJob(const ApartSnakesJob& job, std::size_t snake, const Contour& start);

/// A state of a partJob(), px of the image.
[[nodiscard]] SnakeState inImage(SnakeState state, const PixelRegion& part);

/// An error of contour @p snake out of @p count, from 0 on, with its number.
[[nodiscard]] Error errorOfSnake(const Error& error, std::size_t snake, std::size_t count);

/// Evolves all contours on the CPU, several at once: each takes the states of runSnake() on its part alone. Stage
/// "evolution".
/// @param listener may be empty
/// @throws Error as usedStarts() and, naming the contour, as runSnake(): then the others stop with their next state,
/// and
///         of several starts that are none the first is told; Cancelled
[[nodiscard]] ApartSnakesResult runApartSnakes(const ApartSnakesJob& job, const ApartSnakesListener& listener,
                                               const JobControl& control = {});

} // namespace pollard
