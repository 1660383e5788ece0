#pragma once

#include "base/job_control.hpp"
#include "components/auto_threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>

namespace pollard {

/// Range of levels, both ends included.
struct LevelRange {
    std::uint16_t low = 0;
    std::uint16_t high = 0;

    bool operator==(const LevelRange&) const = default;
};

/// How to segment any picture into objects: by levels and connectivity.
struct ObjectRule {
    std::optional<ThresholdMethod> method; ///< unset: `levels`
    bool dark = false;                     ///< objects are darker than the method's threshold
    LevelRange levels;                     ///< {0, 0} if a method is set
    Connectivity connectivity = Connectivity::eight;
    bool fillHoles = false; ///< see pollard::fillHoles()

    /// Level range of the objects of @p image.
    /// @param inside pixels used by a method; null: all
    /// @throws Error as automaticThreshold(); Cancelled
    [[nodiscard]] LevelRange levelsOf(const Image& image, const Mask* inside, const JobControl& control) const;

    /// Pixels of objects, with filled holes if fillHoles.
    /// @param range result of levelsOf()
    /// @param inside pixels to consider; null: all. A hole with a pixel outside it is not filled.
    /// @throws Error as thresholdMask() and pollard::fillHoles(); Cancelled
    [[nodiscard]] Mask maskOf(const Image& image, LevelRange range, const Mask* inside,
                              const JobControl& control) const;

    bool operator==(const ObjectRule&) const = default;
};

} // namespace pollard
