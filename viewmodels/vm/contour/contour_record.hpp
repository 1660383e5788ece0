#pragma once

#include "vm/contour/snake_record.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::vm {

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
