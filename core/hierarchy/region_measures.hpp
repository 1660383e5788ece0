#pragma once

#include "attributes/attribute.hpp"
#include "attributes/volume_formulas.hpp"
#include "attributes/volume_table.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/region_tree.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace pollard {

/// Numbers of the nodes of a tree of regions that component trees do not have.
enum class RegionNumber : std::uint8_t {
    strength,
    frontierStrength, ///< mean weight of the edges between the children (Arbeláez 2006); 0 for leaves
    frontierLength,   ///< number of these edges
    contourStrength,  ///< mean weight of the edges that leave the region; 0 without any
    contourLength,    ///< number of these edges
    minimum,          ///< of the levels
    maximum,
    range,  ///< maximum - minimum
    basins, ///< leaves in the region
};

/// Number of a node: one of RegionNumber, or an attribute with the definition that it has for components.
using RegionAttribute = std::variant<RegionNumber, AttributeId>;

/// The names of component trees, and "strength", "frontier_strength" ...
[[nodiscard]] std::string_view nameOf(const RegionAttribute& attribute) noexcept;
/// Whether values are whole numbers.
[[nodiscard]] bool isIntegral(const RegionAttribute& attribute) noexcept;
/// All numbers of nodes of an image or of a volume.
[[nodiscard]] std::vector<RegionAttribute> regionAttributes(bool isVolume);
/// nullopt for other names
[[nodiscard]] std::optional<RegionAttribute> findRegionAttribute(std::string_view name, bool isVolume) noexcept;

/// Measures the nodes of a tree of regions from sums over the pixels with data, each when it is first needed.
class RegionMeasures {
public:
    /// All must outlive the object.
    /// @param valid as of makeHierarchy() @param spec of the hierarchy
    /// @throws Error(invalidArgument) for an image of another size
    RegionMeasures(const Hierarchy& hierarchy, const RegionTree& tree, const Image& image, const Mask* valid,
                   const HierarchySpec& spec);

    /// A value per node, in px and levels. Integers are exact up to 2^53. A region without data has the area 0; its
    /// other whole numbers are 0 and its real numbers NaN. O(pixels + nodes), frontiers and contours O(pixels log
    /// basins)
    /// @throws Error(invalidArgument) for an attribute that regionAttributes() lacks; Error(limitExceeded) for sums of
    /// squares beyond 64 bits; Error(outOfMemory), Cancelled
    [[nodiscard]] Buffer<double> compute(const RegionAttribute& attribute, const JobControl& control = {});
    /// Pixels with data per node.
    [[nodiscard]] const Buffer<std::uint32_t>& areas(const JobControl& control = {});

private:
    struct GreySums {
        std::uint64_t sum = 0;
        std::uint64_t squares = 0;
        std::uint16_t minimum = 0xffff;
        std::uint16_t maximum = 0;
    };
    struct Edges {
        std::uint64_t weight = 0; ///< sum
        std::uint64_t count = 0;
    };
    using Sums = VolumeSums<std::uint64_t>;

    template <class Visit> void forEachRun(const JobControl& control, Visit&& visit) const;
    void measureGrey(const JobControl& control);
    void measureBoxes(const JobControl& control);
    void measureSums(const JobControl& control);
    void measureFrontiers(const JobControl& control);
    void measureContours(const JobControl& control);
    template <class Input> void measure(const JobControl& control);
    template <class Input> [[nodiscard]] Input inputOf(std::uint32_t node) const;
    template <class Value> [[nodiscard]] Buffer<double> each(const Value& value) const;
    [[nodiscard]] Buffer<double> numberOf(RegionNumber number, const JobControl& control);
    [[nodiscard]] Buffer<double> attributeOf(AttributeId id, const JobControl& control);
    [[nodiscard]] Buffer<double> depths() const;
    [[nodiscard]] Buffer<double> childCounts() const;

    const Hierarchy& hierarchy_;
    const RegionTree& tree_;
    const Image& image_;
    const Mask* valid_;
    HierarchySpec spec_;
    Buffer<std::uint32_t> areas_; ///< per node, as all of these; empty until they are needed
    Buffer<GreySums> grey_;
    Buffer<VolumeBox> boxes_;
    Buffer<Sums> sums_;
    Buffer<Edges> frontiers_; ///< edges between the children
    Buffer<Edges> contours_;  ///< edges that leave the region
};

} // namespace pollard
