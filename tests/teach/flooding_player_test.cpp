#include "players/players.hpp"

#include "teach/tree_lab.hpp"

namespace pollard::teach {
namespace {

TEST(FloodingPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(floodingPlayer(), 10'000);
}

} // namespace
} // namespace pollard::teach
