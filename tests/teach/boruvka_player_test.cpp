#include "players/players.hpp"

#include "support/affordable.hpp"
#include "teach/tree_lab.hpp"
#include "trace/grid_edges.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace pollard::teach {
namespace {

/// Order of the pixels in this algorithm: by level, then from the last to the first.
using Height = std::pair<std::uint16_t, std::uint32_t>;

class JoinsOfATrace {
public:
    JoinsOfATrace(const LabImage& image, const PlayerSpec& spec)
        : levels_(orderedLevels(image, spec.kind)), edges_(gridEdges(image.width, image.height, spec.connectivity)),
          cursor_(std::make_shared<const Trace>(boruvkaPlayer().record(image, spec))) {}

    /// Every join goes along the highest edge out of its component. Returns how many there were.
    std::size_t expectHighestEdges() {
        std::size_t joins = 0;
        for (std::size_t s = 0; s < cursor_.trace().steps.size(); ++s) {
            const Step& step = cursor_.trace().steps[s];
            if (std::string(step.text->caption).find("is joined to the one with") != std::string::npos) {
                cursor_.moveTo(s);
                expectHighest(static_cast<std::uint32_t>(step.values[0].value),
                              static_cast<std::uint32_t>(step.values[1].value),
                              static_cast<std::uint32_t>(step.values[3].value));
                ++joins;
            }
        }
        return joins;
    }

private:
    [[nodiscard]] Height height(std::uint32_t pixel) const { return {levels_[pixel], ~pixel}; }

    void expectHighest(std::uint32_t maximum, std::uint32_t saddle, std::uint32_t to) const {
        const auto& number = cursor_.layer(Layer::number);
        const std::int64_t component = number[maximum];
        ASSERT_NE(number[to], component);
        Height highest{0, 0};
        std::set<std::int64_t> beyond; // components to which edges of that height lead
        for (const auto& [one, other] : edges_) {
            if ((number[one] == component) == (number[other] == component)) {
                continue;
            }
            const Height lower = std::min(height(one), height(other));
            if (lower > highest) {
                highest = lower;
                beyond.clear();
            }
            if (lower == highest) {
                beyond.insert(number[one] == component ? number[other] : number[one]);
            }
        }
        ASSERT_EQ(highest, height(saddle));
        ASSERT_TRUE(beyond.contains(number[to]));
    }

    std::vector<std::uint16_t> levels_;
    std::vector<GridEdge> edges_;
    TraceCursor cursor_;
};

TEST(BoruvkaPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(boruvkaPlayer(), testing::affordable(10'000));
}

TEST(BoruvkaPlayer, JoinsAlongHighestEdges) {
    testing::Random random(53);
    std::size_t joins = 0;
    for (std::uint32_t i = 0; i < testing::affordable(300); ++i) {
        PlayerSpec spec;
        spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        spec.tileSide = 2U << random() % 3;
        joins += JoinsOfATrace(testing::randomLab(random), spec).expectHighestEdges();
        ASSERT_FALSE(HasFatalFailure());
    }
    EXPECT_GT(joins, 0U);
}

} // namespace
} // namespace pollard::teach
