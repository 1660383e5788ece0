#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace pollard {

/// Disjoint sets of the numbers 0 .. count - 1.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

    /// The number that stands for a set. Halves the path to it.
    [[nodiscard]] std::uint32_t find(std::uint32_t element) noexcept {
        while (parent_[element] != element) {
            parent_[element] = parent_[parent_[element]];
            element = parent_[element];
        }
        return element;
    }
    /// Joins a set to another one, both by the numbers that stand for them.
    void join(std::uint32_t set, std::uint32_t into) noexcept { parent_[set] = into; }

private:
    Buffer<std::uint32_t> parent_;
};

} // namespace pollard
