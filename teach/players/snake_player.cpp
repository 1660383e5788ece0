#include "players/players.hpp"

#include "base/table_log.hpp"
#include "player/player.hpp"
#include "snake/row_sums.hpp"
#include "snake/snake_rules.hpp"
#include "snake/snake_run.hpp"
#include "snake/snake_start.hpp"
#include "trace/trace.hpp"
#include "trace/trace_recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

namespace pollard::teach {
namespace {

constexpr std::array kSnakeLines{
    POLLARD_TEACH("for each edge: the sums of pixels, levels and squared levels on its left"),
    POLLARD_TEACH("add them up, downward edges with +, upward ones with -: these are the sums inside"),
    POLLARD_TEACH("energy = n/2 ln(variance) of the n pixels inside + the same of the pixels outside"),
    POLLARD_TEACH("at a distance of 4, 2 and 1 px, for each node in turn:"),
    POLLARD_TEACH("    for each of the 8 places around it: sums of its two new edges instead of the old ones"),
    POLLARD_TEACH("    take the place of the lowest energy, if it is lower and the contour does not touch itself"),
    POLLARD_TEACH("split long edges in their middle, and begin anew"),
    POLLARD_TEACH("until nothing moves and nothing is split"),
};

constexpr StepText kTooSmall{POLLARD_TEACH("The image is too small: there has to be an inside and an outside."), -1};
constexpr StepText kEdge{POLLARD_TEACH("Edge %1: %2 pixels are on its left, and their levels add up to %3."), 0};
constexpr StepText kUpEdge{
    POLLARD_TEACH("Edge %1 goes up: the pixels on its left are subtracted, %2 pixels that add up to %3."), 0};
constexpr StepText kFlatEdge{POLLARD_TEACH("Edge %1 is horizontal: it adds nothing."), 0};
constexpr StepText kInside{POLLARD_TEACH("All edges together: %1 pixels inside, with a mean of %2."), 1};
constexpr StepText kEnergy{POLLARD_TEACH("The variance is %1 inside and %2 outside: the energy, in hundredths, is %3."),
                           2};
constexpr StepText kReach{POLLARD_TEACH("Nodes are tried at a distance of %1 px."), 3};
constexpr StepText kTry{POLLARD_TEACH("Node %1 is tried at (%2, %3): the energy would be %4 hundredths."), 4};
constexpr StepText kTooFew{POLLARD_TEACH("Node %1 is tried at (%2, %3): too few pixels would be left on one side."), 4};
constexpr StepText kTouches{POLLARD_TEACH("Node %1 cannot go to (%2, %3): the contour would touch itself."), 4};
constexpr StepText kMove{POLLARD_TEACH("Node %1 moves to (%2, %3): the energy falls to %4 hundredths."), 5};
constexpr StepText kSplit{POLLARD_TEACH("Nothing moves. Long edges get a node in their middle: there are %1 nodes."),
                          6};
constexpr StepText kSnakeEnd{
    POLLARD_TEACH("Nothing moves and nothing is split: the contour is done after %1 changes, with energy %2."), 7};

std::int64_t hundredths(double energy) { return std::llround(100 * energy); }

/// Derives the steps of a run from its states.
class SnakeRecording {
public:
    explicit SnakeRecording(const LabImage& image)
        : spec_(usedSpec(shownSnakeSpec(image), image.width, image.height)), trace_(image),
          sums_(std::make_shared<const RowSums>(std::make_shared<const Image>(imageOf(image)))),
          table_(TableLog::makeTable()),
          rules_(rulesFor(spec_, sums_->total(), {0, 0, image.width, image.height}, table_.data())) {
        trace_.setUp(Layer::table, kRegionCells);
        trace_.setTableColumns({POLLARD_TEACH("Inside"), POLLARD_TEACH("Mean inside"), POLLARD_TEACH("Variance inside"),
                                POLLARD_TEACH("Outside"), POLLARD_TEACH("Mean outside"),
                                POLLARD_TEACH("Variance outside"), POLLARD_TEACH("Energy x 100")});
    }

    Trace run(const Contour& start) {
        if (start.empty()) {
            trace_.setUp(Layer::contour, 0);
            trace_.step(kTooSmall);
            return trace_.take();
        }
        SnakeRun run(sums_, start, spec_);
        std::vector<SnakeState> states{run.state()};
        while (run.advance()) {
            states.push_back(run.state());
        }
        const auto nodes = [](const SnakeState& state) { return state.nodes.size(); };
        mostNodes_ = std::ranges::max(states, {}, nodes).nodes.size();
        trace_.setUp(Layer::contour, coordinatesOf(states.front().nodes));
        showStart(states.front());
        for (std::size_t i = 1; i < states.size(); ++i) {
            if (states[i].kind == SnakeStep::split) {
                showSplit(states[i]);
            } else {
                showMove(states[i - 1], states[i]);
            }
        }
        trace_.step(kSnakeEnd, {numberValue(states.back().round), numberValue(hundredths(states.back().energy))});
        return trace_.take();
    }

private:
    [[nodiscard]] std::vector<std::int64_t> coordinatesOf(const Contour& contour) const {
        std::vector<std::int64_t> coordinates;
        for (const ContourNode node : contour) {
            coordinates.push_back(node.x);
            coordinates.push_back(node.y);
        }
        coordinates.resize(2 * mostNodes_, -1);
        return coordinates;
    }
    void showContour(const Contour& contour) {
        const std::vector<std::int64_t> coordinates = coordinatesOf(contour);
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            trace_.set(Layer::contour, i, coordinates[i]);
        }
    }
    void show(RegionCell cell, std::int64_t value) { trace_.set(Layer::table, static_cast<std::size_t>(cell), value); }
    void showRegions(const SnakeState& state) {
        show(RegionCell::pixelsInside, state.inside.pixels);
        show(RegionCell::meanInside, std::llround(meanOf(state.inside)));
        show(RegionCell::varianceInside, std::llround(varianceOf(state.inside)));
        show(RegionCell::pixelsOutside, state.outside.pixels);
        show(RegionCell::meanOutside, std::llround(meanOf(state.outside)));
        show(RegionCell::varianceOutside, std::llround(varianceOf(state.outside)));
        show(RegionCell::energy, hundredths(state.energy));
    }

    void showStart(const SnakeState& start) {
        for (std::size_t i = 0; i < start.nodes.size(); ++i) {
            const ContourNode from = start.nodes[i];
            const ContourNode to = start.nodes[(i + 1) % start.nodes.size()];
            const RegionSums left = sums_->leftOf(from, to);
            const Value edge = numberValue(static_cast<std::int64_t>(i) + 1);
            if (from.y == to.y) {
                trace_.step(kFlatEdge, {edge});
            } else {
                trace_.step(to.y < from.y ? kUpEdge : kEdge,
                            {edge, numberValue(std::abs(left.pixels)), numberValue(std::abs(left.levels))});
            }
        }
        trace_.step(kInside, {numberValue(start.inside.pixels), numberValue(std::llround(meanOf(start.inside)))});
        show(RegionCell::pixelsInside, start.inside.pixels);
        show(RegionCell::meanInside, std::llround(meanOf(start.inside)));
        trace_.step(kEnergy,
                    {numberValue(std::llround(varianceOf(start.inside))),
                     numberValue(std::llround(varianceOf(start.outside))), numberValue(hundredths(start.energy))});
        showRegions(start);
    }

    void showSplit(const SnakeState& state) {
        trace_.step(kSplit, {numberValue(static_cast<std::int64_t>(state.nodes.size()))});
        showContour(state.nodes);
        showRegions(state);
        reach_.reset();
    }

    /// Shows the compared positions and the chosen one.
    void showMove(const SnakeState& before, const SnakeState& after) {
        if (reach_ != after.reach) {
            reach_ = after.reach;
            trace_.step(kReach, {numberValue(after.reach)});
        }
        const auto moved = std::ranges::mismatch(before.nodes, after.nodes).in1;
        const auto node = static_cast<std::size_t>(moved - before.nodes.begin());
        const Value number = numberValue(static_cast<std::int64_t>(node) + 1);
        for (std::size_t k = 0; k < PlaceSteps::kCount; ++k) {
            const ContourNode place = placeAround(before.nodes[node], after.reach, k);
            if (rules_.isInImage(place)) {
                tryPlace(before, node, place, number);
            }
        }
        const ContourNode place = after.nodes[node];
        trace_.step(kMove, {number, numberValue(place.x), numberValue(place.y), numberValue(hundredths(after.energy))});
        showContour(after.nodes);
        showRegions(after);
    }
    void tryPlace(const SnakeState& before, std::size_t node, ContourNode place, const Value& number) {
        const std::size_t count = before.nodes.size();
        const std::size_t last = (node + count - 1) % count;
        const std::size_t next = (node + 1) % count;
        const Contour& nodes = before.nodes;
        const RegionSums change = sums_->leftOf(nodes[last], place) + sums_->leftOf(place, nodes[next]) -
                                  sums_->leftOf(nodes[last], nodes[node]) - sums_->leftOf(nodes[node], nodes[next]);
        const double energy = rules_.energyOf(before.inside + change, 0);
        if (!mayJoin(nodes, last, next, place, nullptr, nullptr)) {
            trace_.step(kTouches, {number, numberValue(place.x), numberValue(place.y)});
        } else if (energy >= SnakeRules::kTooSmall) {
            trace_.step(kTooFew, {number, numberValue(place.x), numberValue(place.y)});
        } else {
            trace_.step(kTry, {number, numberValue(place.x), numberValue(place.y), numberValue(hundredths(energy))});
        }
        trace_.set(Layer::contour, 2 * node, place.x);
        trace_.set(Layer::contour, 2 * node + 1, place.y);
    }

    SnakeSpec spec_;
    TraceRecorder trace_;
    std::shared_ptr<const RowSums> sums_;
    std::array<TableLog::Entry, TableLog::kSize> table_;
    SnakeRules rules_;
    std::size_t mostNodes_ = 0;
    std::optional<std::uint32_t> reach_;
};

Trace recordSnake(const LabImage& image, const PlayerSpec&) {
    requireLab(image);
    return SnakeRecording(image).run(shownSnakeStart(image));
}

constexpr PlayerInfo kSnakeInfo{
    .id = "snake",
    .title = POLLARD_TEACH("Contour: the region snake"),
    .summary = POLLARD_TEACH("A polygon finds the border between two regions: its nodes move as long as inside and "
                             "outside become more uniform."),
    .lines = kSnakeLines,
    .record = &recordSnake,
};

/// Margin around the contour, if the side is long enough.
std::int32_t marginOf(std::uint32_t side) { return side < 3 ? 0 : static_cast<std::int32_t>(std::max(side / 4, 1U)); }

} // namespace

const PlayerInfo& snakePlayer() { return kSnakeInfo; }

Contour shownSnakeStart(const LabImage& image) {
    const std::int32_t left = marginOf(image.width);
    const std::int32_t top = marginOf(image.height);
    if (left == 0 && top == 0) {
        return {};
    }
    const std::int32_t right = static_cast<std::int32_t>(image.width) - left;
    const std::int32_t bottom = static_cast<std::int32_t>(image.height) - top;
    return {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
}

SnakeSpec shownSnakeSpec(const LabImage& image) {
    SnakeSpec spec;
    spec.moves = SnakeMoves::sequential;
    spec.minLength = 4;
    spec.minPixels = image.pixelCount() >= 64 ? 4 : 1;
    return spec;
}

} // namespace pollard::teach
