#include "players/players.hpp"

#include "teach/tree_lab.hpp"

namespace pollard::teach {
namespace {

TEST(UnionFindPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(unionFindPlayer(), 10'000);
}

} // namespace
} // namespace pollard::teach
