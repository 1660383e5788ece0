#include "hierarchy/region_measures.hpp"

#include "attributes/formulas.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "hierarchy/grid_edges.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

constexpr std::array<std::pair<RegionNumber, std::string_view>, 9> kNumbers{
    {{RegionNumber::strength, "strength"},
     {RegionNumber::frontierStrength, "frontier_strength"},
     {RegionNumber::frontierLength, "frontier_length"},
     {RegionNumber::contourStrength, "contour_strength"},
     {RegionNumber::contourLength, "contour_length"},
     {RegionNumber::minimum, "minimum"},
     {RegionNumber::maximum, "maximum"},
     {RegionNumber::range, "range"},
     {RegionNumber::basins, "basins"}}};

template <class Input> constexpr bool kIsMeasured =
    std::is_same_v<Input, Area> || std::is_same_v<Input, LevelSum> || std::is_same_v<Input, NodeBox> ||
    std::is_same_v<Input, VolumeBox> || std::is_same_v<Input, FirstSums> || std::is_same_v<Input, VolumeFirstSums> ||
    std::is_same_v<Input, SecondMoments> || std::is_same_v<Input, PrincipalMoments> ||
    std::is_same_v<Input, VoxelSides>;

/// Calls visit(formula) for an attribute whose inputs are measured. @return whether it has such a formula
template <class Visit> bool visitMeasured(AttributeId id, bool isVolume, const Visit& visit) {
    bool isMeasured = false;
    const auto one = [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
                         Typed<Id, T, Inputs...> formula) {
        if constexpr ((kIsMeasured<Inputs> && ...)) {
            isMeasured = true;
            visit(formula);
        }
    };
    if (isVolume) {
        visitVolumeFormula(id, one);
    } else {
        visitFormula(id, one);
    }
    return isMeasured;
}

bool isMeasuredOfRegions(AttributeId id, bool isVolume) {
    return id == AttributeId::variance || id == AttributeId::depth || id == AttributeId::children ||
           visitMeasured(id, isVolume, [](auto /*formula*/) {});
}

} // namespace

std::string_view nameOf(const RegionAttribute& attribute) noexcept {
    if (const auto* id = std::get_if<AttributeId>(&attribute)) {
        return attributeInfo(*id).name;
    }
    return std::ranges::find(kNumbers, *std::get_if<RegionNumber>(&attribute),
                             &std::pair<RegionNumber, std::string_view>::first)
        ->second;
}

bool isIntegral(const RegionAttribute& attribute) noexcept {
    if (const auto* id = std::get_if<AttributeId>(&attribute)) {
        return attributeInfo(*id).integral;
    }
    const RegionNumber number = *std::get_if<RegionNumber>(&attribute);
    return number != RegionNumber::frontierStrength && number != RegionNumber::contourStrength;
}

std::vector<RegionAttribute> regionAttributes(bool isVolume) {
    std::vector<RegionAttribute> all;
    for (const auto& [number, name] : kNumbers) {
        all.emplace_back(number);
    }
    for (const AttributeInfo& info : isVolume ? volumeAttributes() : allAttributes()) {
        if (isMeasuredOfRegions(info.id, isVolume)) {
            all.emplace_back(info.id);
        }
    }
    return all;
}

std::optional<RegionAttribute> findRegionAttribute(std::string_view name, bool isVolume) noexcept {
    const auto* number = std::ranges::find(kNumbers, name, &std::pair<RegionNumber, std::string_view>::second);
    if (number != kNumbers.end()) {
        return number->first;
    }
    const std::optional<AttributeId> id = findAttribute(name);
    return id && isMeasured(*id, isVolume) && isMeasuredOfRegions(*id, isVolume) ? std::optional<RegionAttribute>(*id)
                                                                                 : std::nullopt;
}

RegionMeasures::RegionMeasures(const Hierarchy& hierarchy, const RegionTree& tree, const Image& image,
                               const Mask* valid, const HierarchySpec& spec)
    : hierarchy_(hierarchy), tree_(tree), image_(image), valid_(valid), spec_(spec) {
    if (image.extent() != hierarchy.extent()) {
        throw Error(ErrorCode::invalidArgument, "regions: the image is not of the hierarchy's size");
    }
}

/// Calls visit(basin, first, last, y, z) for runs [first, last) of columns with one basin and with data.
template <class Visit> void RegionMeasures::forEachRun(const JobControl& control, Visit&& visit) const {
    const Extent& extent = hierarchy_.extent();
    const std::uint32_t* const basins = hierarchy_.basins().data();
    for (std::uint32_t row = 0; row < extent.height * extent.slices; ++row) {
        control.throwIfStopped();
        const std::uint32_t* const of = basins + std::size_t{row} * extent.width;
        const auto visitRuns = [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t x = first; x < last;) {
                const std::uint32_t begin = x;
                while (x < last && of[x] == of[begin]) {
                    ++x;
                }
                visit(of[begin], begin, x, row % extent.height, row / extent.height);
            }
        };
        if (valid_ == nullptr) {
            visitRuns(0, extent.width);
        } else {
            pollard::forEachRun(*valid_, row, true, visitRuns);
        }
    }
}

const Buffer<std::uint32_t>& RegionMeasures::areas(const JobControl& control) {
    if (areas_.empty()) {
        Buffer<std::uint32_t> areas(tree_.nodeCount());
        std::ranges::copy(basinAreas(hierarchy_, valid_, control), areas.begin());
        std::ranges::fill(areas.span().subspan(tree_.leafCount), 0U);
        sumUp(tree_, areas, [](std::uint32_t& sum, std::uint32_t value) { sum += value; });
        areas_ = std::move(areas);
    }
    return areas_;
}

void RegionMeasures::measureGrey(const JobControl& control) {
    if (!grey_.empty()) {
        return;
    }
    Buffer<GreySums> grey(tree_.nodeCount());
    std::ranges::fill(grey, GreySums{});
    dispatch(image_.type(), [&]<class Pixel>(Pixel) {
        const std::span<const Pixel> levels = image_.pixels<Pixel>();
        const Extent& extent = image_.extent();
        forEachRun(control,
                   [&](std::uint32_t basin, std::uint32_t first, std::uint32_t last, std::uint32_t y, std::uint32_t z) {
                       const std::size_t row = (std::size_t{z} * extent.height + y) * extent.width;
                       GreySums& of = grey[basin];
                       for (std::size_t pixel = row + first; pixel < row + last; ++pixel) {
                           const std::uint64_t level = levels[pixel];
                           of.sum += level;
                           of.squares += level * level;
                           of.minimum = std::min<std::uint16_t>(of.minimum, levels[pixel]);
                           of.maximum = std::max<std::uint16_t>(of.maximum, levels[pixel]);
                       }
                   });
    });
    sumUp(tree_, grey, [](GreySums& sum, const GreySums& value) {
        sum.sum += value.sum;
        sum.squares += value.squares;
        sum.minimum = std::min(sum.minimum, value.minimum);
        sum.maximum = std::max(sum.maximum, value.maximum);
    });
    grey_ = std::move(grey);
}

void RegionMeasures::measureBoxes(const JobControl& control) {
    if (!boxes_.empty()) {
        return;
    }
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    Buffer<VolumeBox> boxes(tree_.nodeCount());
    std::ranges::fill(boxes, VolumeBox{{kMost, kMost, 0, 0}, kMost, 0}); // neutral in joined()
    forEachRun(control,
               [&](std::uint32_t basin, std::uint32_t first, std::uint32_t last, std::uint32_t y, std::uint32_t z) {
                   boxes[basin] = joined(boxes[basin], VolumeBox{{first, y, last - 1, y}, z, z});
               });
    sumUp(tree_, boxes, [](VolumeBox& sum, const VolumeBox& value) { sum = joined(sum, value); });
    boxes_ = std::move(boxes);
}

void RegionMeasures::measureSums(const JobControl& control) {
    if (!sums_.empty()) {
        return;
    }
    const Extent& extent = image_.extent();
    const std::uint64_t longest = std::max({extent.width, extent.height, extent.slices});
    if (UInt128{longest} * longest * extent.pixelCount() >> 63 != 0) {
        throw Error(ErrorCode::limitExceeded,
                    "moments of regions: an image of " + text(extent) + " has sums of squares beyond 64 bits");
    }
    Buffer<Sums> sums(tree_.nodeCount());
    std::ranges::fill(sums, Sums{});
    forEachRun(control,
               [&](std::uint32_t basin, std::uint32_t first, std::uint32_t last, std::uint32_t y, std::uint32_t z) {
                   const std::uint64_t n = last - first;
                   std::uint64_t x = 0;
                   Sums& of = sums[basin];
                   for (std::uint64_t column = first; column < last; ++column) {
                       x += column;
                       of.xx += column * column;
                   }
                   of.x += x;
                   of.y += n * y;
                   of.z += n * z;
                   of.yy += n * y * y;
                   of.zz += n * z * z;
                   of.xy += x * y;
                   of.xz += x * z;
                   of.yz += n * y * z;
               });
    sumUp(tree_, sums, [](Sums& sum, const Sums& value) {
        sum.x += value.x;
        sum.y += value.y;
        sum.z += value.z;
        sum.xx += value.xx;
        sum.yy += value.yy;
        sum.zz += value.zz;
        sum.xy += value.xy;
        sum.xz += value.xz;
        sum.yz += value.yz;
    });
    sums_ = std::move(sums);
}

void RegionMeasures::measureFrontiers(const JobControl& control) {
    if (!frontiers_.empty()) {
        return;
    }
    Buffer<Edges> frontiers(tree_.nodeCount());
    Buffer<Edges> contours(tree_.nodeCount()); // of the leaves
    std::ranges::fill(frontiers, Edges{});
    std::ranges::fill(contours, Edges{});
    const GridEdges edges(image_, valid_, spec_.weight, spec_.connectivity);
    const auto add = [](Edges& to, std::uint64_t weight) {
        std::atomic_ref(to.weight).fetch_add(weight, std::memory_order_relaxed);
        std::atomic_ref(to.count).fetch_add(1, std::memory_order_relaxed);
    };
    const Buffer<std::uint32_t>& basins = hierarchy_.basins();
    const auto addAll = [&](std::size_t begin, std::size_t end) {
        std::uint32_t a = RegionTree::kNone; // the last two basins, which often meet at several edges
        std::uint32_t b = RegionTree::kNone;
        std::uint32_t node = 0;
        edges.forEach(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      [&](std::uint32_t pixel, std::uint32_t other, std::uint16_t weight) {
                          if (basins[pixel] == basins[other]) {
                              return;
                          }
                          if (basins[pixel] != a || basins[other] != b) {
                              a = basins[pixel];
                              b = basins[other];
                              node = tree_.mergeNode[hierarchy_.mergeOf(a, b)];
                          }
                          add(frontiers[node], weight);
                          add(contours[a], weight);
                          add(contours[b], weight);
                      });
    };
    forEachRange(image_.pixelCount(), control, addAll);
    for (std::uint32_t node = 0; node < contours.size(); ++node) {
        // The edges between two children are in the contours of both, and in no contour of their parent.
        contours[node].weight -= 2 * frontiers[node].weight;
        contours[node].count -= 2 * frontiers[node].count;
        if (!tree_.isRoot(node)) {
            contours[tree_.parent[node]].weight += contours[node].weight;
            contours[tree_.parent[node]].count += contours[node].count;
        }
    }
    frontiers_ = std::move(frontiers);
    contours_ = std::move(contours);
}

template <class Input> void RegionMeasures::measure(const JobControl& control) {
    if constexpr (std::is_same_v<Input, LevelSum>) {
        measureGrey(control);
    } else if constexpr (std::is_same_v<Input, NodeBox> || std::is_same_v<Input, VolumeBox>) {
        measureBoxes(control);
    } else if constexpr (!std::is_same_v<Input, Area> && !std::is_same_v<Input, VoxelSides>) {
        measureSums(control);
    }
}

template <class Input> Input RegionMeasures::inputOf(std::uint32_t node) const {
    if constexpr (std::is_same_v<Input, Area>) {
        return Area{areas_[node]};
    } else if constexpr (std::is_same_v<Input, LevelSum>) {
        return LevelSum{grey_[node].sum};
    } else if constexpr (std::is_same_v<Input, NodeBox>) {
        return boxes_[node].slice;
    } else if constexpr (std::is_same_v<Input, VolumeBox>) {
        return boxes_[node];
    } else if constexpr (std::is_same_v<Input, VoxelSides>) {
        return image_.sides();
    } else if constexpr (std::is_same_v<Input, FirstSums>) {
        return {static_cast<double>(sums_[node].x), static_cast<double>(sums_[node].y)};
    } else if constexpr (std::is_same_v<Input, VolumeFirstSums>) {
        return {static_cast<double>(sums_[node].x), static_cast<double>(sums_[node].y),
                static_cast<double>(sums_[node].z)};
    } else if constexpr (std::is_same_v<Input, SecondMoments>) {
        const Sums& s = sums_[node];
        const MomentSums<std::uint64_t> sums{s.x, s.y, s.xx, s.xy, s.yy};
        return secondMomentsOf(areas_[node], shifted(areas_[node], sums, nearestOrigin(areas_[node], sums)));
    } else {
        static_assert(std::is_same_v<Input, PrincipalMoments>);
        return principalMomentsOf(areas_[node], volumeMomentsOf(areas_[node], sums_[node]), image_.sides());
    }
}

template <class Value> Buffer<double> RegionMeasures::each(const Value& value) const {
    Buffer<double> column(tree_.nodeCount());
    forEachIndex(column.size(), {}, [&](std::size_t node) {
        column[node] = static_cast<double>(value(static_cast<std::uint32_t>(node)));
    });
    return column;
}

Buffer<double> RegionMeasures::depths() const {
    Buffer<double> column(tree_.nodeCount());
    for (auto node = static_cast<std::uint32_t>(column.size()); node-- > 0;) {
        column[node] = tree_.isRoot(node) ? 0 : column[tree_.parent[node]] + 1;
    }
    return column;
}

Buffer<double> RegionMeasures::childCounts() const {
    Buffer<double> column = each([](std::uint32_t /*node*/) { return 0; });
    for (std::uint32_t node = 0; node < column.size(); ++node) {
        column[tree_.parent[node]] += tree_.isRoot(node) ? 0 : 1;
    }
    return column;
}

Buffer<double> RegionMeasures::numberOf(RegionNumber number, const JobControl& control) {
    const auto meanOf = [](const Edges& of) {
        return of.count == 0 ? 0 : static_cast<double>(of.weight) / static_cast<double>(of.count);
    };
    switch (number) {
    case RegionNumber::strength:
        return each([&](std::uint32_t node) { return tree_.strength[node]; });
    case RegionNumber::frontierStrength:
        measureFrontiers(control);
        return each([&](std::uint32_t node) { return meanOf(frontiers_[node]); });
    case RegionNumber::frontierLength:
        measureFrontiers(control);
        return each([&](std::uint32_t node) { return frontiers_[node].count; });
    case RegionNumber::contourStrength:
        measureFrontiers(control);
        return each([&](std::uint32_t node) { return meanOf(contours_[node]); });
    case RegionNumber::contourLength:
        measureFrontiers(control);
        return each([&](std::uint32_t node) { return contours_[node].count; });
    case RegionNumber::basins: {
        const auto leaves = static_cast<std::uint32_t>(tree_.leafCount);
        Buffer<double> column = each([&](std::uint32_t node) { return node < leaves ? 1 : 0; });
        sumUp(tree_, column, [](double& sum, double value) { sum += value; });
        return column;
    }
    default:
        break;
    }
    (void)areas(control);
    measureGrey(control);
    return each([&](std::uint32_t node) {
        const GreySums& of = grey_[node];
        const int value = number == RegionNumber::minimum   ? of.minimum
                          : number == RegionNumber::maximum ? of.maximum
                                                            : of.maximum - of.minimum;
        return areas_[node] == 0 ? 0 : value;
    });
}

Buffer<double> RegionMeasures::attributeOf(AttributeId id, const JobControl& control) {
    if (id == AttributeId::depth) {
        return depths();
    }
    if (id == AttributeId::children) {
        return childCounts();
    }
    (void)areas(control);
    const double without = isIntegral(id) ? 0 : std::numeric_limits<double>::quiet_NaN();
    if (id == AttributeId::variance) {
        measureGrey(control);
        return each([&](std::uint32_t node) {
            return areas_[node] == 0 ? without : varianceOf(areas_[node], grey_[node].sum, grey_[node].squares);
        });
    }
    Buffer<double> column;
    const auto evaluate =
        [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
            Typed<Id, T, Inputs...> formula) {
            (measure<Inputs>(control), ...);
            column = each([&](std::uint32_t node) {
                return areas_[node] == 0 ? without : static_cast<double>(formula.of(inputOf<Inputs>(node)...));
            });
        };
    if (!visitMeasured(id, image_.extent().isVolume(), evaluate)) {
        throw Error(ErrorCode::invalidArgument,
                    "attribute '" + std::string(attributeInfo(id).name) + "': not measured for regions");
    }
    return column;
}

Buffer<double> RegionMeasures::compute(const RegionAttribute& attribute, const JobControl& control) try {
    constexpr std::uint64_t kNodeBytes = 80; // of the largest sums and a column
    requireAvailable("regions: " + std::to_string(tree_.nodeCount()) + " nodes", kNodeBytes * tree_.nodeCount());
    const auto* const id = std::get_if<AttributeId>(&attribute);
    return id != nullptr ? attributeOf(*id, control) : numberOf(*std::get_if<RegionNumber>(&attribute), control);
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory,
                "regions: not enough memory for " + std::to_string(tree_.nodeCount()) + " nodes");
}

} // namespace pollard
