#include "players/players.hpp"

#include "teach/concurrent_lab.hpp"

namespace pollard::teach {
namespace {

TEST(TilesPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(tilesPlayer(), testing::affordable(10'000));
}

TEST(TilesPlayer, TakesEveryOrderThatIsChosenByHand) { testing::expectEveryChoiceLeadsToTheTree(tilesPlayer()); }

TEST(TilesPlayer, EndsWhereChoicesByHandEnd) { testing::expectChoicesWhereTheyEnd(tilesPlayer()); }

TEST(TilesPlayer, ShowsThreadsThatComeTooLate) { testing::expectThreadsThatComeTooLate(tilesPlayer()); }

} // namespace
} // namespace pollard::teach
