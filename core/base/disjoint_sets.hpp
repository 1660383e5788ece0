#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace pollard {

/// Disjoint sets of the numbers 0 .. count - 1. @tparam Number an unsigned type that holds them
template <class Number> class DisjointSetsOf {
public:
    explicit DisjointSetsOf(std::size_t count) : parent_(count) { reset(); }

    /// Each number is a set again.
    void reset() noexcept { std::iota(parent_.begin(), parent_.end(), Number{0}); }
    /// Loads the memory of a number that find() needs soon.
    void prefetch(Number element) const noexcept { __builtin_prefetch(&parent_[element]); }
    /// The number that stands for a set. Halves the path to it.
    [[nodiscard]] Number find(Number element) noexcept {
        while (parent_[element] != element) {
            parent_[element] = parent_[parent_[element]];
            element = parent_[element];
        }
        return element;
    }
    /// Joins a set to another one, both by the numbers that stand for them.
    void join(Number set, Number into) noexcept { parent_[set] = into; }

private:
    Buffer<Number> parent_;
};
using DisjointSets = DisjointSetsOf<std::uint32_t>;

} // namespace pollard
