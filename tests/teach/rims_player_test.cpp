#include "players/players.hpp"

#include "support/affordable.hpp"
#include "teach/tree_lab.hpp"

namespace pollard::teach {
namespace {

TEST(RimsPlayer, EndsWithTheEnginesParents) {
    testing::expectEngineParentsOfRandomImages(rimsPlayer(), testing::affordable(10'000));
}

} // namespace
} // namespace pollard::teach
