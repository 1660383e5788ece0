#pragma once

#include "analysis/bins.hpp"
#include "base/compiler.hpp"
#include "cuda/kernels/step_atomics.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Sorting of nodes into bins by attribute, with the definitions of core/analysis.

namespace pollard::cuda {

/// Maps finite doubles to integers in the same order; none maps to 0.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint64_t orderedKey(double value) noexcept {
#ifdef __CUDA_ARCH__
    const auto bits = static_cast<std::uint64_t>(__double_as_longlong(value));
#else
    const auto bits = std::bit_cast<std::uint64_t>(value);
#endif
    return bits >> 63U != 0 ? ~bits : bits | std::uint64_t{1} << 63U;
}
[[nodiscard]] inline double valueOfOrderedKey(std::uint64_t key) noexcept {
    return std::bit_cast<double>(key >> 63U != 0 ? key & ~(std::uint64_t{1} << 63U) : ~key);
}

/// Key whose maximum belongs to the largest finite value; with `smallest`, its complement for the smallest one.
template <class T> struct RangeKey {
    const T* values;
    bool positive; ///< only values above 0
    bool smallest;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t operator()(std::size_t i) const noexcept {
        const auto value = static_cast<double>(values[i]);
        const bool finite = value - value == 0;
        if (!finite || (positive && !(value > 0))) {
            return 0;
        }
        const std::uint64_t key = orderedKey(value);
        return smallest ? ~key : key;
    }
};
template <class T> RangeKey(const T*, bool, bool) -> RangeKey<T>;

/// Finds the bin of each node.
template <class T> struct BinOfNode {
    BinFinder find;
    const T* values;
    std::uint32_t* bin;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        bin[node] = find(static_cast<double>(values[node]));
    }
};
template <class T> BinOfNode(BinFinder, const T*, std::uint32_t*) -> BinOfNode<T>;

/// Index of a node's sum in a list. For one attribute the bins are followed by sums of the nodes below, above and
/// without a value; for two, the bins form a row per bin of the second, followed by one sum of all nodes outside.
struct BinPlaces {
    const std::uint32_t* binX;
    const std::uint32_t* binY; ///< null for one attribute
    std::uint32_t countX;
    std::uint32_t countY;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const std::uint32_t x = binX[node];
        if (binY == nullptr) {
            return x < countX ? x : x == kBelowBins ? countX : x == kAboveBins ? countX + 1 : countX + 2;
        }
        const std::uint32_t y = binY[node];
        return x < countX && y < countY ? y * countX + x : countX * countY;
    }
    [[nodiscard]] std::uint32_t size() const noexcept { return binY == nullptr ? countX + 3 : countX * countY + 1; }
};

/// Sums grey mass and number of nodes, in several lists to reduce contention on few bins.
struct AddShares {
    NodePlan plan;
    BinPlaces places;
    ComponentSum<std::uint32_t> area;
    std::uint64_t* sums; ///< pairs per list: mass, nodes
    std::uint32_t size;  ///< of a list
    std::uint32_t lists;
    std::uint32_t first; ///< node

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::size_t node = first + i;
        const std::uint16_t contrast = NodePlan::distance(plan.level[node], plan.level[plan.parent[node]]);
        const std::size_t list = node / 32 % lists; // uniform over a warp
        std::uint64_t* sum = sums + 2 * (list * size + places(node));
        if (contrast != 0) {
            addInStep(sum, std::uint64_t{contrast} * area(node));
        }
        addInStep(sum + 1, std::uint64_t{1});
    }
};
/// Adds the other lists to the first one.
template <class Sum> struct JoinLists {
    Sum* sums;
    std::size_t size; ///< numbers per list
    std::uint32_t lists;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        Sum sum = 0;
        for (std::uint32_t list = 0; list < lists; ++list) {
            sum += sums[list * size + i];
        }
        sums[i] = sum;
    }
};
template <class Sum> JoinLists(Sum*, std::size_t, std::uint32_t) -> JoinLists<Sum>;

/// Values of a column of any type, read as double.
class AnyValues {
public:
    explicit AnyValues(const std::uint16_t* values) noexcept : values_(values), type_(Type::u16) {}
    explicit AnyValues(const std::uint32_t* values) noexcept : values_(values), type_(Type::u32) {}
    explicit AnyValues(const std::int32_t* values) noexcept : values_(values), type_(Type::i32) {}
    explicit AnyValues(const std::uint64_t* values) noexcept : values_(values), type_(Type::u64) {}
    explicit AnyValues(const double* values) noexcept : values_(values), type_(Type::f64) {}

    [[nodiscard]] POLLARD_HOST_DEVICE double operator()(std::size_t i) const noexcept {
        switch (type_) {
        case Type::u16:
            return static_cast<const std::uint16_t*>(values_)[i];
        case Type::u32:
            return static_cast<const std::uint32_t*>(values_)[i];
        case Type::i32:
            return static_cast<const std::int32_t*>(values_)[i];
        case Type::u64:
            return static_cast<double>(static_cast<const std::uint64_t*>(values_)[i]);
        case Type::f64:
            break;
        }
        return static_cast<const double*>(values_)[i];
    }

private:
    enum class Type : std::uint8_t { u16, u32, i32, u64, f64 };

    const void* values_;
    Type type_;
};

/// Counts nodes in the cells of an attribute plane, in several lists as in AddShares.
struct CountInPlane {
    BinFinder findX;
    BinFinder findY;
    AnyValues valuesX;
    AnyValues valuesY;
    PlaneSums places;
    std::uint32_t* sums; ///< each laid out by PlaneSums
    std::size_t size;    ///< of a list
    std::uint32_t lists;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        std::uint32_t* list = sums + node / 32 % lists * size; // uniform over a warp
        places.count(findX(valuesX(node)), findY(valuesY(node)),
                     [list](std::uint32_t place) { addInStep(list + place, 1U); });
    }
};

} // namespace pollard::cuda
