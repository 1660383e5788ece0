#include "cpu/node_attributes.hpp"

#include "attributes/attribute_table.hpp"
#include "attributes/grey_values.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "cpu/attributes/borders.hpp"
#include "cpu/attributes/entropy.hpp"
#include "cpu/attributes/sizes.hpp"
#include "cpu/attributes/value_columns.hpp"
#include "io/read_support.hpp"
#include "tree/prominence.hpp"
#include "tree/stability.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace pollard::cpu {

namespace {

template <class T> struct ReadFirstSums {
    const SumArrays<T>* arrays;
    FirstSums operator()(std::size_t i) const noexcept {
        return {static_cast<double>(arrays->of[0][i]), static_cast<double>(arrays->of[1][i])};
    }
};

template <class T> struct ReadVolumeSums {
    const VolumeSums<T>* of;
    VolumeFirstSums operator()(std::size_t i) const noexcept {
        return {static_cast<double>(of[i].x), static_cast<double>(of[i].y), static_cast<double>(of[i].z)};
    }
};

/// Inputs of an attribute.
template <class... Inputs> struct Needs {};

} // namespace

AttributeColumn NodeAttributes::compute(AttributeId id, const JobControl& control) {
    requireMeasured(id, tree_->slices > 1);
    if (id == AttributeId::euler && tree_->connectivity == Connectivity::eighteen) {
        throw Error(ErrorCode::invalidArgument, "attribute 'euler': defined for 6 and 26 neighbours, not for 18");
    }
    if (const std::uint64_t needed = estimateBytes(id); needed > kSmallJobBytes) {
        if (const std::uint64_t available = availableMemory(); needed > available) {
            throw Error(ErrorCode::outOfMemory, "attribute '" + std::string(attributeInfo(id).name) + "' of " +
                                                    std::to_string(tree_->nodeCount()) + " nodes: about " +
                                                    std::to_string(needed >> 20) + " MiB of memory needed, " +
                                                    std::to_string(available >> 20) + " MiB free");
        }
    }
    AttributeColumn column{id, {}, 0, 0};
    fill(column, control);
    control.throwIfStopped();
    return column;
}

template <class T> Buffer<T> NodeAttributes::freshBuffer() {
    if constexpr (std::is_same_v<T, double>) {
        if (!spare_.empty()) {
            Buffer<double> buffer = std::move(spare_.back());
            spare_.pop_back();
            return buffer;
        }
    }
    return Buffer<T>(tree_->nodeCount());
}

template <class T, class Function>
void NodeAttributes::each(AttributeColumn& column, const JobControl& control, Function&& value) {
    Buffer<T> out = freshBuffer<T>();
    // Ranges over pieces that fit the L1 cache.
    constexpr std::size_t kPiece = 2048;
    const ValueRange<T> range = tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, out.size(), kGrain), ValueRange<T>{},
        [&](const auto& part, ValueRange<T> found) {
            for (std::size_t begin = part.begin(); begin != part.end();) {
                control.throwIfStopped();
                const std::size_t end = std::min(begin + kPiece, part.end());
                for (std::size_t i = begin; i != end; ++i) {
                    out[i] = value(i);
                }
                found = joined(found, rangeOf<T>(out.span().subspan(begin, end - begin)));
                begin = end;
            }
            return found;
        },
        joined<T>);
    storeRange(column, range);
    column.values = std::move(out);
}

template <class T> void NodeAttributes::store(AttributeColumn& column, Buffer<T> values) {
    storeRange(column, parallelRangeOf<T>(values.span()));
    column.values = std::move(values);
}

template <class T> Buffer<T> NodeAttributes::valuesOf(AttributeId id, const JobControl& control) {
    AttributeColumn column{id, {}, 0, 0};
    fill(column, control);
    return std::get<Buffer<T>>(std::move(column.values));
}

/// @return alternatives of a function from a node to the input
template <class Input> auto NodeAttributes::input(const JobControl& control) {
    const auto only = [](auto read) { return std::variant<decltype(read)>(read); };
    if constexpr (std::is_same_v<Input, Area>) {
        return only([of = area(control).data()](std::size_t i) { return Area{of[i]}; });
    } else if constexpr (std::is_same_v<Input, Interval>) {
        return only([end = tree_->subtreeEnd.data()](std::size_t i) {
            return Interval{static_cast<std::uint32_t>(i), end[i]};
        });
    } else if constexpr (std::is_same_v<Input, Levels>) {
        return only([level = tree_->level.data(), parent = tree_->parent.data()](std::size_t i) {
            return Levels{level[i], level[parent[i]]};
        });
    } else if constexpr (std::is_same_v<Input, LevelSum>) {
        return only([of = levelSum(control).data()](std::size_t i) { return LevelSum{of[i]}; });
    } else if constexpr (std::is_same_v<Input, NodeBox>) {
        return only([of = boxes(control).data()](std::size_t i) { return of[i]; });
    } else if constexpr (std::is_same_v<Input, Outline>) {
        return only([of = outlines(control).data()](std::size_t i) { return Outline{of[i]}; });
    } else if constexpr (std::is_same_v<Input, BorderSums>) {
        return only([of = borders(control).data()](std::size_t i) { return of[i]; });
    } else if constexpr (std::is_same_v<Input, SecondMoments>) {
        return only([&of = moments(control)](std::size_t i) { return of.at(i); });
    } else if constexpr (std::is_same_v<Input, ThirdMoments>) {
        return only([&of = thirdMoments(control)](std::size_t i) { return of.at(i); });
    } else if constexpr (std::is_same_v<Input, VoxelSides>) {
        return only([sides = tree_->sides](std::size_t /*node*/) { return sides; });
    } else if constexpr (std::is_same_v<Input, VolumeBox>) {
        return only([of = volumeBoxes(control).data()](std::size_t i) { return of[i]; });
    } else if constexpr (std::is_same_v<Input, PrincipalMoments>) {
        return only([of = principalMoments(control).data()](std::size_t i) { return of[i]; });
    } else if constexpr (std::is_same_v<Input, VolumeOutline>) {
        return only([of = volumeOutlines(control).data()](std::size_t i) { return of[i]; });
    } else if constexpr (std::is_same_v<Input, VolumeFirstSums>) {
        using Readers = std::variant<ReadVolumeSums<std::uint64_t>, ReadVolumeSums<UInt128>>;
        return std::visit(
            []<class T>(const Buffer<VolumeSums<T>>& sums) { return Readers(ReadVolumeSums<T>{sums.data()}); },
            volumeSums(control));
    } else {
        static_assert(std::is_same_v<Input, FirstSums>);
        using Readers = std::variant<ReadFirstSums<std::uint64_t>, ReadFirstSums<UInt128>>;
        return std::visit([]<class T>(const SumArrays<T>& arrays) { return Readers(ReadFirstSums<T>{&arrays}); },
                          sums(control));
    }
}

void NodeAttributes::fillValues(AttributeColumn& column, const JobControl& control) {
    if (mapping_->ranks != nullptr) {
        store(column, valuesOfRanks(column.id, *tree_, own(control), area(control), *mapping_, control));
        return;
    }
    const std::uint64_t* const sums = levelSum(control).data();
    const std::uint32_t* const areas = area(control).data();
    each<double>(column, control, [=, offset = mapping_->offset, step = mapping_->step](std::size_t i) {
        return offset * areas[i] + step * static_cast<double>(sums[i]);
    });
}

template <class Row> void NodeAttributes::visitPass(AttributeId id, Row&& row) {
    using Self = NodeAttributes&;
    using Tree = const ComponentTree&;
    using Control = const JobControl&;
    constexpr auto kNone = [](Tree) { return std::uint64_t{0}; };
    constexpr auto kLargestChild = [](Tree tree) { return std::uint64_t{4 + 4} * tree.nodeCount(); };
    switch (id) {
    case AttributeId::border:
        return row(Needs<>{}, kNone, [](Self, Tree tree, Control control) { return borderPixelsOf(tree, control); });
    case AttributeId::height:
        return row(Needs<>{}, kNone, [](Self, Tree tree, Control control) { return heightsOf(tree, control); });
    case AttributeId::dynamics:
        return row(Needs<>{}, kLargestChild, [](Self, Tree tree, Control control) {
            return extinctionsOf(tree, heightsOf(tree, control), control);
        });
    case AttributeId::variance:
        return row(Needs<Area, LevelSum>{}, kNone, [](Self self, Tree tree, Control control) {
            return variancesOf(tree, self.own(control), self.area(control), self.levelSum(control), control);
        });
    case AttributeId::entropy:
        return row(Needs<Area>{}, entropyScratchBytes, [](Self self, Tree tree, Control control) {
            return entropiesOf(tree, self.own(control), self.area(control), control);
        });
    case AttributeId::depth:
        return row(Needs<>{}, kNone, [](Self, Tree tree, Control control) { return depthsOf(tree, control); });
    case AttributeId::children:
        return row(Needs<>{}, kNone, [](Self, Tree tree, Control control) { return childCountsOf(tree, control); });
    case AttributeId::leaves:
        return row(Needs<>{}, kNone, [](Self, Tree tree, Control control) { return leafCountsOf(tree, control); });
    case AttributeId::stability:
        return row(Needs<Area>{}, stabilityScratchBytes, [](Self self, Tree tree, Control control) {
            return stabilitiesOf(tree, self.area(control).span(), stabilityDelta(tree.pixelType, self.mapping_),
                                 control);
        });
    case AttributeId::extinctionArea:
        return row(Needs<Area>{}, kLargestChild, [](Self self, Tree tree, Control control) {
            return extinctionsOf(tree, self.valuesOf<std::uint32_t>(AttributeId::area, control), control);
        });
    case AttributeId::extinctionVolume:
        return row(Needs<Area, LevelSum>{}, kLargestChild, [](Self self, Tree tree, Control control) {
            return extinctionsOf(tree, self.valuesOf<std::uint64_t>(AttributeId::volume, control), control);
        });
    default:
        break;
    }
}

void NodeAttributes::fill(AttributeColumn& column, const JobControl& control) {
    if (isInValues(column.id)) {
        fillValues(column, control);
        return;
    }
    const auto evaluate =
        [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
            Typed<Id, T, Inputs...> formula) {
            (input<Inputs>(control), ...); // the last of the moments to be computed invalidates the sums
            std::visit(
                [&](const auto&... read) {
                    each<T>(column, control, [&](std::size_t i) { return formula.of(read(i)...); });
                },
                input<Inputs>(control)...);
        };
    const ComponentTree& tree = *tree_;
    if (tree.slices > 1 ? visitVolumeFormula(column.id, evaluate) : visitFormula(column.id, evaluate)) {
        return;
    }
    bool isKnown = false;
    visitPass(column.id, [&](auto /*inputs*/, auto /*scratch*/, auto compute) {
        store(column, compute(*this, tree, control));
        isKnown = true;
    });
    if (isKnown) {
        return;
    }
    throw Error(ErrorCode::invalidArgument,
                "attribute " + std::to_string(static_cast<int>(column.id)) + ": there is none of this number");
}

const Buffer<std::uint32_t>& NodeAttributes::own(const JobControl& control) {
    if (shared_.own.empty()) {
        shared_.own = countOwnPixels(*tree_, control);
    }
    return shared_.own;
}

const Buffer<std::uint32_t>& NodeAttributes::area(const JobControl& control) {
    if (shared_.area.empty()) {
        shared_.area = areasOf(*tree_, own(control), control);
    }
    return shared_.area;
}

const PixelList& NodeAttributes::pixels(const JobControl& control) {
    if (shared_.pixels.pixels.empty()) {
        shared_.pixels = listPixels(*tree_, own(control), control);
    }
    return shared_.pixels;
}

const Buffer<NodeBox>& NodeAttributes::boxes(const JobControl& control) {
    if (shared_.boxes.empty()) {
        shared_.boxes = boxesOf(*tree_, pixels(control), control);
    }
    return shared_.boxes;
}

const Buffer<std::uint64_t>& NodeAttributes::levelSum(const JobControl& control) {
    if (shared_.levelSum.empty()) {
        shared_.levelSum = levelSumsOf(*tree_, own(control), control);
    }
    return shared_.levelSum;
}

const NodeSums& NodeAttributes::sums(const JobControl& control) {
    if (isEmpty(shared_.sums)) {
        shared_.sums = momentSumsOf(*tree_, pixels(control), control);
    }
    return shared_.sums;
}

const NodeMoments& NodeAttributes::moments(const JobControl& control) {
    if (shared_.moments.sum.empty()) {
        shared_.moments = momentsOf(sums(control), area(control), control);
        retireSums();
    }
    return shared_.moments;
}

const NodeThirdMoments& NodeAttributes::thirdMoments(const JobControl& control) {
    if (shared_.thirdMoments.a.empty()) {
        shared_.thirdMoments = thirdMomentsOf(*tree_, pixels(control), sums(control), area(control), control);
        retireSums();
    }
    return shared_.thirdMoments;
}

void NodeAttributes::retireSums() {
    if (shared_.moments.sum.empty() || shared_.thirdMoments.a.empty()) {
        return;
    }
    if (auto* arrays = std::get_if<SumArrays<std::uint64_t>>(&shared_.sums)) {
        for (SumArray<std::uint64_t>& array : arrays->of) {
            spare_.push_back(array.release());
        }
    }
    shared_.sums = {};
}

const Buffer<std::uint64_t>& NodeAttributes::outlines(const JobControl& control) {
    if (shared_.outlines.empty()) {
        shared_.outlines = outlinesOf(*tree_, control);
    }
    return shared_.outlines;
}

const Buffer<BorderSums>& NodeAttributes::borders(const JobControl& control) {
    if (shared_.borders.empty()) {
        shared_.borders = borderSumsOf(*tree_, control);
    }
    return shared_.borders;
}

const Buffer<VolumeBox>& NodeAttributes::volumeBoxes(const JobControl& control) {
    if (shared_.volumeBoxes.empty()) {
        shared_.volumeBoxes = volumeBoxesOf(*tree_, pixels(control), control);
    }
    return shared_.volumeBoxes;
}

const NodeVolumeSums& NodeAttributes::volumeSums(const JobControl& control) {
    if (isEmpty(shared_.volumeSums)) {
        shared_.volumeSums = volumeSumsOf(*tree_, pixels(control), control);
    }
    return shared_.volumeSums;
}

const Buffer<PrincipalMoments>& NodeAttributes::principalMoments(const JobControl& control) {
    if (shared_.principalMoments.empty()) {
        shared_.principalMoments = principalMomentsOf(volumeSums(control), area(control), tree_->sides, control);
    }
    return shared_.principalMoments;
}

const Buffer<VolumeOutline>& NodeAttributes::volumeOutlines(const JobControl& control) {
    if (shared_.volumeOutlines.empty()) {
        shared_.volumeOutlines = volumeOutlinesOf(*tree_, control);
    }
    return shared_.volumeOutlines;
}

std::uint64_t NodeAttributes::estimateBytes(AttributeId id) const noexcept {
    const std::uint64_t n = tree_->nodeCount();
    std::uint64_t bytes = 8 * n + 16 * n; // column, and overhead of a sweep
    const auto keep = [&bytes](bool& held, std::uint64_t needed) {
        bytes += held ? 0 : needed;
        held = true;
    };
    bool hasOwn = !shared_.own.empty();
    bool hasArea = !shared_.area.empty();
    bool hasPixels = !shared_.pixels.pixels.empty();
    bool hasBoxes = !shared_.boxes.empty();
    bool hasLevelSum = !shared_.levelSum.empty();
    bool hasSums = !isEmpty(shared_.sums);
    bool hasMoments = !shared_.moments.sum.empty();
    bool hasThirdMoments = !shared_.thirdMoments.a.empty();
    bool hasOutlines = !shared_.outlines.empty();
    bool hasBorders = !shared_.borders.empty();
    bool hasVolumeBoxes = !shared_.volumeBoxes.empty();
    bool hasVolumeSums = !isEmpty(shared_.volumeSums);
    bool hasPrincipalMoments = !shared_.principalMoments.empty();
    bool hasVolumeOutlines = !shared_.volumeOutlines.empty();
    const auto needArea = [&] {
        keep(hasOwn, 4 * n);
        keep(hasArea, 4 * n);
    };
    const auto needPixels = [&] {
        keep(hasOwn, 4 * n);
        keep(hasPixels, 4 * (n + 1) + 4 * std::uint64_t{tree_->pixelCount()});
    };
    const auto needLevelSum = [&] {
        keep(hasOwn, 4 * n);
        keep(hasLevelSum, 8 * n);
    };
    const auto needSums = [&] {
        needPixels();
        keep(hasSums, momentSumBytes(*tree_));
    };
    const auto needMoments = [&](bool& held, std::uint64_t needed) {
        if (!held) {
            needArea();
            needSums();
            keep(held, needed);
        }
    };
    const auto needVolumeSums = [&] {
        needPixels();
        keep(hasVolumeSums, volumeSumBytes(*tree_));
    };
    const auto need = [&]<class Input>(std::type_identity<Input>) {
        if constexpr (std::is_same_v<Input, Area>) {
            needArea();
        } else if constexpr (std::is_same_v<Input, LevelSum>) {
            needLevelSum();
        } else if constexpr (std::is_same_v<Input, NodeBox>) {
            needPixels();
            keep(hasBoxes, sizeof(NodeBox) * n);
        } else if constexpr (std::is_same_v<Input, FirstSums>) {
            needSums();
        } else if constexpr (std::is_same_v<Input, SecondMoments>) {
            needMoments(hasMoments, momentBytes(*tree_));
        } else if constexpr (std::is_same_v<Input, ThirdMoments>) {
            needMoments(hasThirdMoments, thirdMomentBytes(*tree_));
        } else if constexpr (std::is_same_v<Input, Outline>) {
            keep(hasOutlines, 8 * n);
        } else if constexpr (std::is_same_v<Input, BorderSums>) {
            keep(hasBorders, sizeof(BorderSums) * n);
        } else if constexpr (std::is_same_v<Input, VolumeBox>) {
            needPixels();
            keep(hasVolumeBoxes, sizeof(VolumeBox) * n);
        } else if constexpr (std::is_same_v<Input, VolumeFirstSums>) {
            needVolumeSums();
        } else if constexpr (std::is_same_v<Input, PrincipalMoments>) {
            if (!hasPrincipalMoments) {
                needArea();
                needVolumeSums();
                keep(hasPrincipalMoments, sizeof(PrincipalMoments) * n);
            }
        } else if constexpr (std::is_same_v<Input, VolumeOutline>) {
            keep(hasVolumeOutlines, sizeof(VolumeOutline) * n);
        }
    };
    const auto needInputs =
        [&]<template <AttributeId, class, class...> class Typed, AttributeId Id, class T, class... Inputs>(
            Typed<Id, T, Inputs...>) { (need(std::type_identity<Inputs>{}), ...); };
    if (isInValues(id)) {
        needArea();
        if (mapping_->ranks == nullptr) {
            needLevelSum();
            return bytes;
        }
        return bytes + valuesOfRanksBytes(id, *tree_);
    }
    if (tree_->slices > 1) {
        visitVolumeFormula(id, needInputs);
    } else {
        visitFormula(id, needInputs);
    }
    visitPass(id, [&]<class... Inputs>(Needs<Inputs...>, auto scratch, auto /*compute*/) {
        (need(std::type_identity<Inputs>{}), ...);
        bytes += scratch(*tree_);
    });
    return bytes;
}

} // namespace pollard::cpu
