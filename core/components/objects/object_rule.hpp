#pragma once

#include "base/job_control.hpp"
#include "components/auto_threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <optional>

namespace pollard {

/// Levels from the first to the last of them.
struct LevelRange {
    std::uint16_t low = 0;
    std::uint16_t high = 0;

    bool operator==(const LevelRange&) const = default;
};

/// What makes objects of a picture, whichever it is: the levels of their pixels, and which pixels are neighbours.
struct ObjectRule {
    std::optional<ThresholdMethod> method; ///< empty: `levels`
    bool dark = false;                     ///< a method's threshold splits off what lies below it
    LevelRange levels;                     ///< {0, 0} with a method
    Connectivity connectivity = Connectivity::eight;
    bool fillHoles = false; ///< see pollard::fillHoles()

    /// The levels that make objects of @p image.
    /// @param inside pixels that a method looks at; null: all
    /// @throws Error as automaticThreshold(); Cancelled
    [[nodiscard]] LevelRange levelsOf(const Image& image, const Mask* inside, const JobControl& control) const;

    /// The pixels that make objects, holes filled if the rule fills them.
    /// @param range the result of levelsOf()
    /// @param inside pixels that take part; null: all. A hole with a pixel outside of it is none.
    /// @throws Error as thresholdMask() and pollard::fillHoles(); Cancelled
    [[nodiscard]] Mask maskOf(const Image& image, LevelRange range, const Mask* inside,
                              const JobControl& control) const;

    bool operator==(const ObjectRule&) const = default;
};

} // namespace pollard
