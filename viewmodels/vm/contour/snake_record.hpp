#pragma once

#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pollard::vm {

/// All states of a snake, exactly. Between whole contours only the moved nodes are kept.
class SnakeRecord {
public:
    /// The values of a state without its nodes.
    struct Figures {
        SnakeStep kind = SnakeStep::start;
        std::uint32_t round = 0;
        std::uint32_t reach = 0;
        std::uint32_t nodes = 0;
        double energy = 0;
        RegionSums inside;
        RegionSums outside;
    };

    void add(const SnakeState& state);

    [[nodiscard]] int count() const noexcept { return static_cast<int>(entries_.size()); }
    [[nodiscard]] const Figures& figures(int number) const { return entries_[static_cast<std::size_t>(number)].told; }
    /// The contour of a state. Goes through the moves of at most kSpacing states.
    [[nodiscard]] Contour nodes(int number) const;
    [[nodiscard]] SnakeState state(int number) const;
    /// Memory of all recorded states.
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    static constexpr int kSpacing = 64; ///< most states between two whole contours

    struct Entry {
        Figures told;
        std::size_t whole = 0;       ///< the last whole contour up to this state
        std::size_t firstChange = 0; ///< of the changes from the previous state
    };
    struct Whole {
        int number = 0;
        Contour nodes;
    };
    struct Change {
        std::uint32_t node = 0;
        ContourNode place;
    };

    std::vector<Entry> entries_;
    std::vector<Whole> wholes_;
    std::vector<Change> changes_;
    Contour last_;
    std::uint64_t wholeBytes_ = 0;
};

} // namespace pollard::vm
