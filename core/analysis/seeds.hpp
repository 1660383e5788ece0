#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"
#include "tree/prominence.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {

/// What makes a regional maximum (minimum) a seed.
enum class SeedMeasure : std::uint8_t {
    dynamics, ///< rise above the level at which the maximum is lost, at least a number of levels
    area,     ///< pixels, at least a number
    volume,   ///< sum of the rises of the pixels, at least a number of levels * px
    height, ///< the regional maxima of hMaxima(): dynamics above a number of levels; the last maximum of an object, too
};
inline constexpr std::array kAllSeedMeasures{SeedMeasure::dynamics, SeedMeasure::area, SeedMeasure::volume,
                                             SeedMeasure::height};

/// Stable id for options and files: "dynamics", "area", "volume", "h".
[[nodiscard]] std::string_view nameOf(SeedMeasure by) noexcept;
/// nullopt for other names
[[nodiscard]] std::optional<SeedMeasure> seedMeasureOf(std::string_view name) noexcept;

/// Which regional maxima (minima) are seeds.
struct SeedRule {
    SeedMeasure by = SeedMeasure::dynamics;
    std::uint64_t least = 1; ///< in levels, px or levels * px; for SeedMeasure::height the h

    bool operator==(const SeedRule&) const = default;
};

/// A tree whose maxima (of a min-tree minima) have their extinction values: the measure, above the level at which
/// components meet, of the component in which the maximum has outlasted all others, before this component meets one
/// with a larger measure; at a tie the maximum whose last pixel comes first survives. The last maximum of an object of
/// a mask has the measure of the object above its lowest level. (Vachier, Meyer, "Extinction value: a new measurement
/// of persistence", 1995; of dynamics Grimaud, 1992.)
class SeedTree {
public:
    /// O(nodes), parallel; O(pixels) with objects.
    /// @param tree of analysisImage(), max-tree for seeds of maxima
    /// @param measure per node, above the level of its parent, of the root above its own: its height, area or volume
    /// @param objects connected pixels of the mask, of which analysisImage() was made; without labels: all pixels
    /// @throws Cancelled, std::bad_alloc
    SeedTree(std::shared_ptr<const ComponentTree> tree, SeedMeasure by, Buffer<std::uint64_t> measure,
             LabelImage objects, const JobControl& control = {});

    /// Seeds of watershed(): all pixels of each maximum that meets the rule; for SeedMeasure::height the pixels of each
    /// regional maximum of the transform. On the image of the tree, a watershed from one pixel of each seed has the
    /// same labels. O(pixels).
    /// @param least see SeedRule
    /// @throws Cancelled, std::bad_alloc
    [[nodiscard]] LabelImage seeds(std::uint64_t least, const JobControl& control = {}) const;

    /// Memory of the tree's nodes in the constructor and in seeds(), beside the tree, the measure and 8 bytes a pixel.
    static constexpr std::uint64_t kNodeBytes = 12;

private:
    [[nodiscard]] bool isMasked() const noexcept { return !objects_.labels.empty(); }
    void placeObjects(const Survivors& survivors, const JobControl& control);
    [[nodiscard]] std::uint32_t rise(std::uint32_t node, std::uint32_t below) const noexcept;

    std::shared_ptr<const ComponentTree> tree_;
    SeedMeasure by_;
    LabelImage objects_;
    Buffer<std::uint64_t> extinction_; ///< per node, of its surviving maximum
    std::vector<std::optional<std::uint64_t>>
        flat_; ///< per label of an object: its value, if it has no node but the root
};

/// Numbers the labels that @p keeps anew, in the order of their first pixels; the others become 0. O(pixels).
/// @param image with labels up to its count, which becomes the number of kept labels
/// @throws Cancelled, std::bad_alloc
void numberInOrder(LabelImage& image, const std::function<bool(std::uint32_t)>& keeps, const JobControl& control = {});

/// Seeds at points: the point i has the label i + 1. Of points at one pixel the first is the seed.
/// @throws Error(invalidArgument) for a point outside the image, with its number, counted from 1; Error(outOfMemory)
[[nodiscard]] LabelImage seedsAt(const Extent& extent, std::span<const Voxel> points);

} // namespace pollard
