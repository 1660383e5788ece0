#pragma once

#include "base/job_control.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/row_sums.hpp"
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

/// Cache for the eight positions around each node of a contour at one distance: sums left of the edges to and from
/// them. Entries stay valid across moves, steps and splits while the ends of their edge stay, since most of a snake's
/// time goes into these sums.
class SnakeCandidates {
public:
    static constexpr std::size_t kPlaces = PlaceSteps::kCount;

    /// Sums of one node in one direction; bit k of known marks sum k as valid.
    struct Side {
        std::array<RegionSums, kPlaces> sums;
        std::uint8_t known = 0;

        [[nodiscard]] bool knows(std::size_t place) const noexcept { return (known >> place & 1U) != 0; }
        void put(std::size_t place, const RegionSums& sum) noexcept {
            sums[place] = sum;
            known = static_cast<std::uint8_t>(known | 1U << place);
        }
    };
    struct Node {
        Side to;   ///< edges from the previous node to the positions
        Side from; ///< edges from the positions to the next node
    };

    /// Allocates entries for the nodes of a contour if there are none yet.
    void require(std::size_t count) {
        if (nodes_.empty()) {
            nodes_.resize(count);
        }
    }
    [[nodiscard]] Node& operator[](std::size_t node) noexcept { return nodes_[node]; }
    [[nodiscard]] const Node& operator[](std::size_t node) const noexcept { return nodes_[node]; }

    /// Invalidates the sums around @p node after it moved, and the sums of its neighbours that depend on it.
    void forget(std::size_t before, std::size_t node, std::size_t after) noexcept {
        if (nodes_.empty()) {
            return;
        }
        nodes_[before].from.known = 0;
        nodes_[node].to.known = 0;
        nodes_[node].from.known = 0;
        nodes_[after].to.known = 0;
    }
    /// As forget(), if @p node moved to one of its positions at this distance. Reuses sums of new positions that were
    /// positions before, or the node's former position.
    /// @param to, from sums of the former edges to and from the node
    void shift(std::size_t before, std::size_t node, std::size_t after, std::size_t place, const RegionSums& to,
               const RegionSums& from);
    /// Reorders entries after a split; @p oldNumbers has the former index of every node, -1 for a new node. Entries of
    /// split edges are invalid.
    void renumber(const std::vector<std::ptrdiff_t>& oldNumbers);

private:
    std::vector<Node> nodes_;
};

/// Kind of change that led to a state.
enum class SnakeStep : std::uint8_t {
    start,
    move,  ///< nodes moved, and the energy decreased
    split, ///< long edges were split in the middle; rounding may raise the energy slightly
    trim,  ///< at the end of a recorded run: parts that enclose no pixel were removed, see trimmed()
};
/// "start", "move", "split", "trim"
[[nodiscard]] std::string_view nameOf(SnakeStep step) noexcept;

/// State of an evolving contour.
struct SnakeState {
    SnakeStep kind = SnakeStep::start;
    std::uint32_t round = 0; ///< number of accepted changes
    std::uint32_t reach = 0; ///< px; longest step among those tried and chosen; 0 after a split
    Contour nodes;
    double energy = 0;  ///< RegionEnergy of both regions and of other contours' regions, and all lengths' price
    RegionSums inside;  ///< inside the contour
    RegionSums outside; ///< rest of the image without other contours' regions
};

/// The statistical region snake: a polygon whose nodes move to one of the eight positions around them while the energy
/// of inside and outside decreases. The distance of the positions is maxStep, then half of maxStep, and so on down to
/// 1. Then long edges are split and the evolution starts again, until nothing moves or splits. Moves that would make
/// the contour touch itself are rejected. Deterministic: sums are integers, and at equal gains the first position and
/// the first node win. The energy includes the contour's length (fineLength()) times SnakeSpec::lengthPrice.
///
/// With local-best moves a node chooses among all distances from the longest that any node chose last, initially
/// maxStep, down to a shortest one (shorterStep()); at equal gains the longest wins.
///
/// Each call makes one accepted change, so that users can watch, pause and step.
class SnakeRun {
public:
    /// @param sums of the image, shared between snakes, or of the part of the image to which the contour is limited;
    /// the outside is the rest of this part
    /// @param start a simple polygon of at least 3 nodes within the image or part, of either orientation
    /// @param forbidden pixels that the contour may not contain, of the image's size; null for none. It may change
    /// outside the contour between calls of advance().
    /// @throws Error(invalidArgument) for a start that is not such a polygon, has too few pixels inside or outside, or
    /// contains forbidden pixels
    SnakeRun(std::shared_ptr<const RowSums> sums, Contour start, const SnakeSpec& spec,
             std::shared_ptr<const RowCounts> forbidden = {});
    SnakeRun(const SnakeRun&) = delete; // rules_ point into table_
    SnakeRun& operator=(const SnakeRun&) = delete;

    [[nodiscard]] const SnakeState& state() const noexcept { return state_; }
    [[nodiscard]] bool isFinished() const noexcept { return finished_; }

    /// Advances to the next accepted state. @return false, without a change, if there is none
    /// @throws Cancelled; the state is unchanged then
    bool advance(const JobControl& control = {});

    /// Excludes other contours' regions from the outside. A finished run resumes if they changed.
    /// @param energy of these regions, plus the energy of the contours' lengths
    void setOthers(const RegionSums& held, double energy);
    /// RegionEnergy of a region of this image.
    [[nodiscard]] double energyOfRegion(const RegionSums& region) const noexcept { return rules_.energy(region); }
    /// Energy of the contour's length.
    [[nodiscard]] double lengthEnergy() const noexcept { return rules_.lengthEnergy(length_); }

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

    void restart();
    /// Cache for the positions around nodes.
    /// @param reach px
    [[nodiscard]] SnakeCandidates& candidatesAt(std::uint32_t reach) noexcept;
    /// Shortest step that nodes can currently choose, px.
    [[nodiscard]] std::uint32_t shortest() const noexcept {
        return spec_.moves == SnakeMoves::localBest ? shortest_ : reach_;
    }
    /// Moves nodes once. @return whether any moved
    [[nodiscard]] bool moveNodes(const JobControl& control);
    [[nodiscard]] bool moveNext(const JobControl& control);
    [[nodiscard]] bool moveClass(const JobControl& control);
    [[nodiscard]] bool moveBest(const JobControl& control);
    /// Best moves of the nodes in wanted_; nodes without a move are left out.
    [[nodiscard]] std::vector<Pick> bestMoves(const JobControl& control);
    [[nodiscard]] std::optional<Pick> bestMove(std::size_t node);
    void measure(std::size_t node, std::uint32_t reach);
    /// Change of the length if a node moves; 0 if length has no price.
    [[nodiscard]] std::int64_t lengthening(std::size_t node, ContourNode place) const noexcept;
    [[nodiscard]] std::vector<Pick> chosen(const std::vector<Pick>& picks) const;
    /// Accepts the picks if the energy decreases and the contour does not touch itself; else tries the better half of
    /// the picks, and so on.
    [[nodiscard]] bool accept(std::vector<Pick> picks);
    /// Updates the caches around a moved node and the sums of its edges.
    void invalidateAround(const Pick& pick);
    [[nodiscard]] bool splitEdges();
    void finishState(SnakeStep kind, std::uint32_t reach);

    std::shared_ptr<const RowSums> sums_;
    std::shared_ptr<const RowCounts> forbidden_;
    SnakeSpec spec_;
    RegionSums others_; ///< regions of other contours
    std::array<TableLog::Entry, TableLog::kSize> table_;
    SnakeRules rules_;
    SnakeState state_;
    std::int64_t length_ = 0;                 ///< fineLength()
    std::vector<RegionSums> edges_;           ///< edge i is from node i to the next
    std::vector<SnakeCandidates> candidates_; ///< element i is for step 2^i
    std::vector<std::size_t> wanted_;         ///< nodes of a round
    std::vector<std::optional<Pick>> best_;
    ContourBoxes boxes_;         ///< boxes of the current nodes
    ContourBoxes newBoxes_;      ///< boxes of tentative nodes
    std::uint32_t reach_ = 0;    ///< px; 0: split edges next
    std::uint32_t shortest_ = 1; ///< px; shortest step of local-best moves until the next split
    std::uint32_t parity_ = 0;
    std::size_t next_ = 0;    ///< node of a sequential round
    std::size_t resting_ = 0; ///< consecutive nodes, or classes, without a move
    bool moved_ = false;      ///< since the last split
    bool finished_ = false;
};

} // namespace pollard
