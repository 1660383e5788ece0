#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/shape/object_runs.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Largest ball (circle in an image) around the centre of a pixel of an object that contains no centre of a pixel
/// outside of the object in its interior. Pixels of other objects and places outside the image are outside.
struct InscribedBall {
    double radius = 0;   ///< distance of the centre to the centre of the nearest outside pixel
    std::uint32_t x = 0; ///< the pixel; of several the first one in raster order
    std::uint32_t y = 0;
    std::uint32_t z = 0;

    bool operator==(const InscribedBall&) const = default;
};

/// Inscribed balls of all objects, in the order of their labels. Linear in the pixels, parallel over objects.
/// @param squares of squaredDistancesToOthers(), whose unit the radii have
/// @throws std::bad_alloc; Cancelled
[[nodiscard]] std::vector<InscribedBall> inscribedBalls(const Components& components, const ObjectRuns& runs,
                                                        std::span<const double> squares,
                                                        const JobControl& control = {});

} // namespace pollard
