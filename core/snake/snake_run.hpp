#pragma once

#include "base/job_control.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_boxes.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/row_sums.hpp"
#include "snake/snake_candidates.hpp"
#include "snake/snake_rules.hpp"
#include "snake/snake_spec.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pollard {

/// What led to a state of a snake.
enum class SnakeStep : std::uint8_t {
    start,
    move,  ///< some nodes moved, and the energy fell
    split, ///< long edges got a node in their middle; rounding may raise the energy a little
};
/// "start", "move", "split"
[[nodiscard]] std::string_view nameOf(SnakeStep step) noexcept;

/// A contour on its way.
struct SnakeState {
    SnakeStep kind = SnakeStep::start;
    std::uint32_t round = 0; ///< accepted changes so far
    std::uint32_t reach = 0; ///< px; the longest step that nodes were tried at and chose; 0 after a split
    Contour nodes;
    double energy = 0;  ///< RegionEnergy of both regions, and of those that others hold
    RegionSums inside;  ///< of the contour
    RegionSums outside; ///< the rest of the image, less what others hold
};

/// The statistical region snake: a polygon whose nodes move to one of the eight places around them, at a distance of
/// maxStep and then of half of it, and so on down to 1, as long as the energy of what lies inside and outside falls;
/// then long edges are split, and all begins anew, until nothing moves and nothing is split. A move that would make the
/// contour touch itself is none. Deterministic: the sums are whole numbers, and of equal gains the first candidate and
/// the first node win.
///
/// With local-best moves a node chooses among all distances from the longest one that any node chose last, maxStep at
/// first, down to a shortest one (shorterStep()); of equal gains the longest wins.
///
/// One accepted change a call, so that a person can watch, pause and go step by step.
class SnakeRun {
public:
    /// @param sums of the image; shared, so that several snakes can use them
    /// @param start a simple polygon of 3 nodes or more within the image, either way round
    /// @param forbidden pixels that the contour may not hold, a mask of the image's size; null for none. It may change
    ///        between calls of advance() outside of the contour.
    /// @throws Error(invalidArgument) for a start that is none, holds or leaves too few pixels or holds forbidden ones
    SnakeRun(std::shared_ptr<const RowSums> sums, Contour start, const SnakeSpec& spec,
             std::shared_ptr<const RowCounts> forbidden = {});
    SnakeRun(const SnakeRun&) = delete; // the energy looks into the table
    SnakeRun& operator=(const SnakeRun&) = delete;

    [[nodiscard]] const SnakeState& state() const noexcept { return state_; }
    [[nodiscard]] bool isFinished() const noexcept { return finished_; }

    /// Goes on to the next accepted state. @return false, and nothing changes, if there is none
    /// @throws Cancelled; then the state stays
    bool advance(const JobControl& control = {});

    /// Tells what other contours hold of the image: it is not outside. A run that is finished goes on if that changed.
    /// @param energy of these regions
    void setOthers(const RegionSums& held, double energy);
    /// RegionEnergy of a region of this image.
    [[nodiscard]] double energyOfRegion(const RegionSums& region) const noexcept { return rules_.energy(region); }

private:
    static constexpr std::size_t kPlaces = SnakeCandidates::kPlaces;
    struct Pick {
        std::size_t node;
        std::uint32_t reach; ///< px
        std::size_t place;
        double energy;
        RegionSums change;
    };

    [[nodiscard]] std::size_t before(std::size_t i) const noexcept { return (i == 0 ? state_.nodes.size() : i) - 1; }
    [[nodiscard]] std::size_t after(std::size_t i) const noexcept { return i + 1 < state_.nodes.size() ? i + 1 : 0; }
    [[nodiscard]] ContourNode placeOf(const Pick& pick) const noexcept;

    void startOver();
    /// What is known of the places around nodes.
    /// @param reach px
    [[nodiscard]] SnakeCandidates& candidatesAt(std::uint32_t reach) noexcept;
    /// The shortest step that nodes choose among now, px.
    [[nodiscard]] std::uint32_t shortest() const noexcept {
        return spec_.moves == SnakeMoves::localBest ? shortest_ : reach_;
    }
    /// Moves nodes once. @return whether any did
    [[nodiscard]] bool moveSome(const JobControl& control);
    [[nodiscard]] bool moveNext(const JobControl& control);
    [[nodiscard]] bool moveClass(const JobControl& control);
    [[nodiscard]] bool moveBest(const JobControl& control);
    /// The best move of every node of wanted_ that has one.
    [[nodiscard]] std::vector<Pick> bestMoves(const JobControl& control);
    [[nodiscard]] std::optional<Pick> bestMove(std::size_t node);
    void measure(std::size_t node, std::uint32_t reach);
    [[nodiscard]] std::vector<Pick> chosen(const std::vector<Pick>& picks) const;
    /// Accepts the picks if the energy falls and nothing touches; else their better half, and so on.
    [[nodiscard]] bool accept(std::vector<Pick> picks);
    /// What is known around a node that moved, and the sums of its edges.
    void forgetAround(const Pick& pick);
    [[nodiscard]] bool splitEdges();
    void finishState(SnakeStep kind, std::uint32_t reach);

    std::shared_ptr<const RowSums> sums_;
    std::shared_ptr<const RowCounts> forbidden_;
    SnakeSpec spec_;
    RegionSums others_; ///< what others hold of the image
    std::array<TableLog::Entry, TableLog::kSize> table_;
    SnakeRules rules_;
    SnakeState state_;
    std::vector<RegionSums> edges_;           ///< edge i leads from node i to the next
    std::vector<SnakeCandidates> candidates_; ///< of step 2^i at place i
    std::vector<std::size_t> wanted_;         ///< nodes of a round
    std::vector<std::optional<Pick>> best_;
    ContourBoxes boxes_;         ///< of the nodes
    ContourBoxes newBoxes_;      ///< of nodes that are tried
    std::uint32_t reach_ = 0;    ///< px; 0: edges are split next
    std::uint32_t shortest_ = 1; ///< px; of what local-best moves choose among up to the next split
    std::uint32_t parity_ = 0;
    std::size_t next_ = 0;    ///< node of a sequential round
    std::size_t resting_ = 0; ///< nodes, or parities, in a row that did not move
    bool moved_ = false;      ///< since the last split
    bool finished_ = false;
};

} // namespace pollard
