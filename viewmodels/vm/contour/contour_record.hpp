#pragma once

#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
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

/// All states of contours that evolve together, exactly. State 0 has all starts; each further state is one reached by
/// one of the contours while the others stayed.
class ContourRecord {
public:
    using Figures = SnakeRecord::Figures;
    /// The outside of a contour: the rest of the image, common to all, or the rest of its own part.
    enum class Background : bool { common, own };

    /// @param starts at least one
    void begin(std::span<const SnakeState> starts, Background background = Background::common);
    /// Appends a state reached by a contour.
    void add(std::size_t contour, const SnakeState& state);
    /// Appends a state for every contour whose last one is not trimmed().
    void trim(double lengthPrice);

    [[nodiscard]] int count() const noexcept { return static_cast<int>(movers_.size()); }
    [[nodiscard]] std::size_t contours() const noexcept { return members_.size(); }
    /// The contour that reached a state; for state 0 the first one.
    [[nodiscard]] std::size_t moverOf(int number) const { return movers_[static_cast<std::size_t>(number)]; }
    /// A contour at state @p number of all contours.
    [[nodiscard]] Contour nodes(int number, std::size_t contour = 0) const;
    [[nodiscard]] std::vector<Contour> allNodes(int number) const;
    /// Figures of a contour at that state. The energy is that of all contours together; outside is the background.
    [[nodiscard]] Figures figures(int number, std::size_t contour = 0) const;
    /// The state reached by moverOf().
    [[nodiscard]] SnakeState state(int number) const;
    [[nodiscard]] SnakeState start(std::size_t contour) const { return members_[contour].states.state(0); }
    /// Memory of all recorded states.
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    struct Member {
        SnakeRecord states;
        std::vector<int> numbers; ///< of its states among those of all contours
    };
    /// Index of a contour's own state at @p number.
    [[nodiscard]] static int ownState(const Member& member, int number);

    std::vector<Member> members_;
    std::vector<std::uint32_t> movers_;
    Background background_ = Background::common;
    std::vector<double> energies_; ///< of all contours, by states; with own backgrounds
};

} // namespace pollard::vm
