#pragma once

#include "vm/contour/snake_record.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard::vm {

/// All states of contours that evolve together, each exactly as it was. State 0 is that of all starts; every state
/// after it is one that one of the contours reached, while the others stayed.
class ContourRecord {
public:
    using Figures = SnakeRecord::Figures;
    /// What is outside of a contour: the rest of the image, the same for all, or the rest of a part of its own.
    enum class Background : bool { common, own };

    /// @param starts one at least
    void begin(std::span<const SnakeState> starts, Background background = Background::common);
    /// The next state is this one of a contour.
    void add(std::size_t contour, const SnakeState& state);

    [[nodiscard]] int count() const noexcept { return static_cast<int>(movers_.size()); }
    [[nodiscard]] std::size_t contours() const noexcept { return members_.size(); }
    /// The contour that reached a state; of state 0 the first one.
    [[nodiscard]] std::size_t moverOf(int number) const { return movers_[static_cast<std::size_t>(number)]; }
    /// A contour when @p number was the last state of all.
    [[nodiscard]] Contour nodes(int number, std::size_t contour = 0) const;
    [[nodiscard]] std::vector<Contour> allNodes(int number) const;
    /// What is told of a contour then. The energy is that of all contours together; outside is the background.
    [[nodiscard]] Figures figures(int number, std::size_t contour = 0) const;
    /// The state that moverOf() reached.
    [[nodiscard]] SnakeState state(int number) const;
    [[nodiscard]] SnakeState start(std::size_t contour) const { return members_[contour].states.state(0); }
    /// Memory of everything recorded.
    [[nodiscard]] std::uint64_t bytes() const noexcept;

private:
    struct Member {
        SnakeRecord states;
        std::vector<int> numbers; ///< of its states among all
    };
    /// Which of its states a contour has at @p number.
    [[nodiscard]] static int ownState(const Member& member, int number);

    std::vector<Member> members_;
    std::vector<std::uint32_t> movers_;
    Background background_ = Background::common;
    std::vector<double> energies_; ///< of all contours, by states; with backgrounds of their own
};

} // namespace pollard::vm
