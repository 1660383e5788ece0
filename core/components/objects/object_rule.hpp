#pragma once

#include "base/job_control.hpp"
#include "components/best/best_rule.hpp"
#include "components/components.hpp"
#include "components/local_background.hpp"
#include "components/objects/object_parents.hpp"
#include "components/objects/region_rules.hpp"
#include "components/split_objects.hpp"
#include "components/threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Range of levels, both ends included.
struct LevelRange {
    std::uint16_t low = 0;
    std::uint16_t high = 0;

    bool operator==(const LevelRange&) const = default;
};

/// No level.
inline constexpr LevelRange kNoLevels{1, 0};

/// Bounds of the values of objects, both included; infinite if there is no bound.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::string unit = {}; ///< as Criterion::grey: empty for values of the image, their unit ("HU"), or kLevels

    bool operator==(const ValueBounds&) const = default;
};
/// "300 HU", "-200:300 HU", ":300": parseValueBounds() parses it to equal bounds.
[[nodiscard]] std::string boundsText(const ValueBounds& bounds);
/// Parses LO, LO:HI, :HI; the unit of the values, or "levels", may follow a bound. Nothing for another text.
/// @throws Error(invalidArgument) if isRoundedWhole()
[[nodiscard]] std::optional<ValueBounds> parseValueBounds(std::string_view text);

/// The levels within the bounds; kNoLevels if there are none.
/// @throws Error(invalidArgument) if the values of the image have another unit
[[nodiscard]] LevelRange levelsWithin(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                                      std::uint16_t lastLevel);
/// Says why no level of any such image is within the bounds, "300: the values are 0 to 255"; empty if one may be.
[[nodiscard]] std::string boundsProblem(const ValueBounds& bounds, const std::optional<ValueMapping>& mapping,
                                        std::uint16_t lastLevel);

/// Switches of objects.
struct ObjectSwitches {
    bool fillHoles = false;                ///< see pollard::fillHoles()
    bool withoutBorder = false;            ///< lists leave out objects with a pixel in the first or last row or column
    bool borderXy = false;                 ///< in volumes, lists keep objects of the first or last slice
    std::optional<ObjectSplit> split = {}; ///< unset: objects that touch are one

    bool operator==(const ObjectSwitches&) const = default;
};

/// How to find objects in any image.
struct ObjectRule : ObjectSwitches {
    std::optional<ThresholdMethod> method; ///< unset: `values`, or `levels`
    bool dark = false;                     ///< objects are darker than the method's threshold or their surroundings
    LevelRange levels;                     ///< {0, 0} if a method or values are set
    Connectivity connectivity = Connectivity::eight;
    std::optional<ValueBounds> values = {}; ///< instead of levels
    /// Replaces the threshold: objects are brighter than their surroundings, or darker if `dark`.
    std::optional<BackgroundThreshold> above = {};
    // One way at most to find objects that are not the components of a threshold, see findObjects().
    std::optional<BestRule> best = {};           ///< best components, of dark objects if `dark`; 8 or 26 neighbours
    std::optional<WatershedRule> watershed = {}; ///< regions of a watershed of the threshold, or of the image
    std::optional<HierarchyRule> hierarchy = {}; ///< regions of a hierarchy
    std::optional<std::string> labels = {};      ///< objects of a label file, see labelFileOf()

    /// Whether the objects depend on the threshold: a method, values, levels or `above`.
    [[nodiscard]] bool usesThreshold() const noexcept {
        return !best && !hierarchy && !labels && !(watershed && watershed->everywhere);
    }

    /// A setting that the way to find objects does not have.
    struct Conflict {
        const char* setting = nullptr; ///< key in recipes: "fill_holes"
        const char* why = nullptr;
    };
    /// The first conflict of the rule.
    [[nodiscard]] std::optional<Conflict> conflict() const noexcept;

    /// Level range of the objects of @p image; all levels with `above` or without a threshold; kNoLevels if no level
    /// has the values.
    /// @param inside pixels used by a method; null: all
    /// @param mapping of the levels of @p image
    /// @throws Error as automaticThreshold() and levelsWithin(); Cancelled
    [[nodiscard]] LevelRange levelsOf(const Image& image, const Mask* inside, const JobControl& control,
                                      const std::optional<ValueMapping>& mapping = {}) const;

    /// Whether thresholdMask() alone makes the mask of the objects.
    [[nodiscard]] bool isThreshold() const noexcept {
        return !fillHoles && !above && !split && !best && !watershed && !hierarchy && !labels;
    }
    /// Whether the objects are darker than their surroundings.
    /// @param range result of levelsOf()
    [[nodiscard]] bool areDark(LevelRange range, PixelType type) const noexcept;

    /// Pixels of the threshold, with filled holes if fillHoles and without lines between parts if `split`.
    /// @param range result of levelsOf()
    /// @param inside pixels to consider; null: all. A hole with a pixel outside it is not filled.
    /// @param mapping of the levels, whose ranks `above` needs
    /// @throws Error as thresholdMask(), LocalBackground, pollard::fillHoles() and splitMask(); Cancelled
    [[nodiscard]] Mask maskOf(const Image& image, LevelRange range, const Mask* inside, const JobControl& control,
                              const std::optional<ValueMapping>& mapping = {}) const;

    /// LocalBackground::fluxes() of the objects in the image in which they are measured; unset without `above`.
    /// @param found with labels
    /// @param mapping of the levels of @p image
    /// @throws Error as LocalBackground; Cancelled
    [[nodiscard]] std::optional<std::vector<double>> fluxesOf(const Components& found, const Image& image,
                                                              const Mask* inside, const JobControl& control,
                                                              const std::optional<ValueMapping>& mapping = {}) const;

    /// Whether both rules find the same objects, listed or not.
    [[nodiscard]] bool findsSameObjectsAs(ObjectRule other) const {
        other.withoutBorder = withoutBorder;
        other.borderXy = borderXy;
        return *this == other;
    }

    bool operator==(const ObjectRule&) const = default;
};

/// Channels in which objects are measured, and how.
struct MeasureChoice {
    bool all = false;                  ///< measure all channels of the image, not only the displayed one
    std::vector<std::string> channels; ///< unless all: names; names that an image lacks are ignored
    bool pairs = false;                ///< compare every pair of channels
    std::uint32_t ring = 0;            ///< width of the background ring, px; 0: none
    /// Adds a column with the number of this channel's objects in each object.
    std::optional<CountedChannel> counted = {};

    bool operator==(const MeasureChoice&) const = default;
};

/// A class of objects. An object belongs to the first class of a list whose condition it meets.
struct ObjectClass {
    static constexpr std::size_t kMost = 100;       ///< classes of a list
    static constexpr std::size_t kMostBytes = 1000; ///< of a name, and of a condition

    std::string name;
    std::uint32_t colour = 0;                ///< 0xrrggbb
    std::string condition;                   ///< see ObjectCondition; empty: every object
    std::vector<std::uint32_t> members = {}; ///< numbers of objects that belong to it by hand, ascending

    bool operator==(const ObjectClass&) const = default;
};

/// The image that a step works on.
enum class StepImage : std::uint8_t {
    result,   ///< of the steps above it; of labels, the image of labels that fit the type of the original
    original, ///< the image as it was read
};

/// The settings of objects, from the image to their classes.
struct ObjectSettings {
    StepImage of = StepImage::result; ///< the image that is thresholded
    ObjectRule rule{{}, ThresholdMethod::otsu, false, {}, Connectivity::eight};
    MeasureChoice channels;
    std::vector<ObjectClass> classes; ///< in the order in which their conditions are tried

    /// Whether both settings find the same objects, listed or not.
    [[nodiscard]] bool findsSameObjectsAs(const ObjectSettings& other) const {
        return of == other.of && rule.findsSameObjectsAs(other.rule);
    }

    bool operator==(const ObjectSettings&) const = default;
};

} // namespace pollard
