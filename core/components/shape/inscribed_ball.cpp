#include "components/shape/inscribed_ball.hpp"

#include "base/parallel.hpp"

#include <cmath>
#include <cstddef>

namespace pollard {

std::vector<InscribedBall> inscribedBalls(const Components& components, const ObjectRuns& runs,
                                          std::span<const double> squares, const JobControl& control) {
    constexpr std::size_t kBallsPerTask = 256;
    const Extent extent = components.extent();
    std::vector<InscribedBall> balls(components.count);
    forEachIndex(
        balls.size(), control,
        [&](std::size_t i) {
            double largest = 0;
            std::uint32_t centre = 0;
            for (const ObjectRun& run : runs.of(static_cast<std::uint32_t>(i + 1))) {
                for (std::uint32_t pixel = run.first; pixel != run.first + run.length; ++pixel) {
                    if (squares[pixel] > largest) {
                        largest = squares[pixel];
                        centre = pixel;
                    }
                }
            }
            const std::uint32_t row = centre / extent.width;
            balls[i] = {std::sqrt(largest), centre % extent.width, row % extent.height, row / extent.height};
        },
        kBallsPerTask);
    return balls;
}

} // namespace pollard
