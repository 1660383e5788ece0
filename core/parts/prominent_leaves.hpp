#pragma once

#include "base/buffer.hpp"
#include "parts/part.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Finds the leaves that FilterSpec::prominent chooses. Every leaf of the tree is added once, in any order: with the
/// measure of the component where it does not survive, which is its extinction value.
class ProminentLeaves {
public:
    /// @param count of leaves to choose
    explicit ProminentLeaves(std::uint32_t count) : count_(count) {}

    void add(const LeafMeasure& leaf);
    /// Adds the leaves that do not survive in the components of a step, and the last one if it closes the root.
    void add(std::span<const Part* const> parts, const MergeStep& step, Prominence measure);

    /// The last of the chosen leaves in the order of LeafMeasure::isBefore(), or a value behind all leaves if there are
    /// no more than the count: those that are not behind it are chosen.
    [[nodiscard]] LeafMeasure last() const noexcept;

    /// The best leaves of those added, at most the count, in no particular order.
    [[nodiscard]] const std::vector<LeafMeasure>& leaves() const noexcept { return leaves_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return leaves_.capacity() * sizeof(LeafMeasure); }

private:
    std::uint32_t count_;
    std::vector<LeafMeasure> leaves_; ///< a heap with the last one on top
};

} // namespace pollard
