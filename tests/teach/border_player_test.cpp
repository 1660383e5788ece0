#include "players/players.hpp"

#include "teach/concurrent_lab.hpp"

namespace pollard::teach {
namespace {

TEST(BorderPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(borderPlayer(), testing::affordable(10'000));
}

TEST(BorderPlayer, TakesEveryOrderThatIsChosenByHand) { testing::expectEveryChoiceLeadsToTheTree(borderPlayer()); }

TEST(BorderPlayer, EndsWhereChoicesByHandEnd) { testing::expectChoicesWhereTheyEnd(borderPlayer()); }

TEST(BorderPlayer, ShowsThreadsThatComeTooLate) { testing::expectThreadsThatComeTooLate(borderPlayer()); }

} // namespace
} // namespace pollard::teach
