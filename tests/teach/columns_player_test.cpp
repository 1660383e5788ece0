#include "players/players.hpp"

#include "teach/concurrent_lab.hpp"

namespace pollard::teach {
namespace {

TEST(ColumnsPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(columnsPlayer(), testing::affordable(10'000));
}

TEST(ColumnsPlayer, TakesEveryOrderThatIsChosenByHand) { testing::expectEveryChoiceLeadsToTheTree(columnsPlayer()); }

TEST(ColumnsPlayer, EndsWhereChoicesByHandEnd) { testing::expectChoicesWhereTheyEnd(columnsPlayer()); }

TEST(ColumnsPlayer, ShowsThreadsThatComeTooLate) { testing::expectThreadsThatComeTooLate(columnsPlayer()); }

} // namespace
} // namespace pollard::teach
