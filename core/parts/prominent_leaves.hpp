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

    /// Adds those of other parts.
    void add(const ProminentLeaves& others);

    /// The last of the chosen leaves in the order of LeafMeasure::isBefore(), or a value behind all leaves if there are
    /// no more than the count: those that are not behind it are chosen.
    [[nodiscard]] LeafMeasure last() const noexcept;

    /// The best leaves of those added, at most the count, in no particular order.
    [[nodiscard]] const std::vector<LeafMeasure>& leaves() const noexcept { return leaves_; }
    /// @param memory that the leaves may take, in bytes @throws Error(outOfMemory) if that is too little
    void requireMemory(std::uint64_t memory) const;

private:
    std::uint32_t count_;
    std::vector<LeafMeasure> leaves_; ///< a heap with the last one on top
};

} // namespace pollard
