#pragma once

#include "base/job_control.hpp"
#include "components/auto_threshold.hpp"
#include "components/components.hpp"
#include "components/local_background.hpp"
#include "components/object_counts.hpp"
#include "components/value_bounds.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Switches of objects.
struct ObjectSwitches {
    bool fillHoles = false;     ///< see pollard::fillHoles()
    bool withoutBorder = false; ///< objects with a pixel in the first or last row or column are left out of lists
    bool borderXy = false;      ///< of volumes: objects in the first or last slice stay in lists

    bool operator==(const ObjectSwitches&) const = default;
};

/// How to find objects in any image.
struct ObjectRule : ObjectSwitches {
    std::optional<ThresholdMethod> method; ///< unset: `values`, or `levels`
    bool dark = false;                     ///< objects are darker than the method's threshold
    LevelRange levels;                     ///< {0, 0} if a method or values are set
    Connectivity connectivity = Connectivity::eight;
    std::optional<ValueBounds> values = {}; ///< instead of levels
    /// Instead of a threshold: objects are brighter than their surroundings, or darker if `dark`.
    std::optional<AboveBackground> above = {};

    /// Level range of the objects of @p image; all levels with `above`; kNoLevels if no level has the values.
    /// @param inside pixels used by a method; null: all
    /// @param mapping of the levels of @p image
    /// @throws Error as automaticThreshold() and levelsWithin(); Cancelled
    [[nodiscard]] LevelRange levelsOf(const Image& image, const Mask* inside, const JobControl& control,
                                      const std::optional<ValueMapping>& mapping = {}) const;

    /// Pixels of objects, with filled holes if fillHoles.
    /// @param range result of levelsOf()
    /// @param inside pixels to consider; null: all. A hole with a pixel outside it is not filled.
    /// @param mapping of the levels, whose ranks `above` needs
    /// @throws Error as thresholdMask(), LocalBackground and pollard::fillHoles(); Cancelled
    [[nodiscard]] Mask maskOf(const Image& image, LevelRange range, const Mask* inside, const JobControl& control,
                              const std::optional<ValueMapping>& mapping = {}) const;

    /// LocalBackground::fluxes() of the objects in the image in which they are measured; unset without `above`.
    /// @param found with labels
    /// @param mapping of the levels of @p image
    /// @throws Error as LocalBackground; Cancelled
    [[nodiscard]] std::optional<std::vector<double>> fluxesOf(const Components& found, const Image& image,
                                                              const Mask* inside, const JobControl& control,
                                                              const std::optional<ValueMapping>& mapping = {}) const;

    /// Whether both find the same objects, listed or not.
    [[nodiscard]] bool findsAs(ObjectRule other) const {
        other.withoutBorder = withoutBorder;
        other.borderXy = borderXy;
        return *this == other;
    }

    bool operator==(const ObjectRule&) const = default;
};

/// Channels in which objects are measured, and how.
struct MeasureChoice {
    bool all = false;                           ///< all channels of the image, not only the displayed one
    std::vector<std::string> channels;          ///< unless all: names; those that an image lacks are ignored
    bool pairs = false;                         ///< every two of them are compared
    std::uint32_t ring = 0;                     ///< width of the background ring, px; 0: none
    std::optional<CountedChannel> counted = {}; ///< also a column with the number of its objects in each object

    bool operator==(const MeasureChoice&) const = default;
};

/// A class of objects: those that meet its condition and that of no class before it.
struct ObjectClass {
    static constexpr std::size_t kMost = 100;       ///< classes of a list
    static constexpr std::size_t kMostBytes = 1000; ///< of a name, and of a condition

    std::string name;
    std::uint32_t colour = 0; ///< 0xrrggbb
    std::string condition;    ///< see ObjectCondition; empty: every object

    bool operator==(const ObjectClass&) const = default;
};

/// The image that a step works on.
enum class StepImage : std::uint8_t {
    result,   ///< of the steps above it; of labels the image that numbers them within the type of the original
    original, ///< as it was read
};

/// The settings of objects, from the image to their classes.
struct ObjectSettings {
    StepImage of = StepImage::result; ///< the image that is thresholded
    ObjectRule rule{{}, ThresholdMethod::otsu, false, {}, Connectivity::eight};
    MeasureChoice channels;
    std::vector<ObjectClass> classes; ///< in the order in which their conditions are tried

    /// Whether both find the same objects, listed or not.
    [[nodiscard]] bool findsAs(const ObjectSettings& other) const { return of == other.of && rule.findsAs(other.rule); }

    bool operator==(const ObjectSettings&) const = default;
};

} // namespace pollard
