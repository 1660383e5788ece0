#include "vm/base/async_result.hpp"

#include "viewmodels/support/gate.hpp"
#include "viewmodels/support/wait.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::Gate;
using testing::settle;
using Shown = std::pair<AsyncState, std::optional<int>>;

/// A result and the values displayed after each of its signals.
struct AsyncResultTest : public ::testing::Test {
    /// The job of a value, which passes the gate.
    auto gated(int value) {
        return [this, value](const std::stop_token& stop) {
            gate.pass(JobControl(stop));
            return value;
        };
    }
    static int fail(const std::stop_token& /*stop*/) { throw Error(ErrorCode::fileDamaged, "read: damaged"); }
    bool ends() {
        return eventually([this] { return !result.isBusy(); });
    }

    Gate gate;
    std::vector<Shown> shown;
    AsyncResult<int> result{
        [this] { shown.emplace_back(result.state(), result.value() ? std::optional(*result.value()) : std::nullopt); }};
};

TEST_F(AsyncResultTest, IsComputedAndKeepsThePreviousValueUntilThen) {
    result.begin(nullptr);
    EXPECT_TRUE(result.awaitsInput());
    result.compute(gated(1));
    EXPECT_FALSE(result.awaitsInput());
    ASSERT_TRUE(ends());
    result.begin(result.value());
    result.compute(gated(2));
    ASSERT_TRUE(ends());
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::computing, {}}, Shown{AsyncState::ready, 1},
                                   Shown{AsyncState::computing, 1}, Shown{AsyncState::ready, 2}));
    EXPECT_FALSE(result.awaitsInput());
}

TEST_F(AsyncResultTest, ShowsAnOlderValueWhileTheNewestIsComputed) {
    gate.hold();
    result.begin(nullptr);
    result.compute(gated(1));
    ASSERT_TRUE(eventually([this] { return gate.arrivals() == 1; }));
    result.compute(gated(2));
    result.compute(gated(3));
    gate.release();
    ASSERT_TRUE(ends());
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::computing, {}}, Shown{AsyncState::computing, 1},
                                   Shown{AsyncState::ready, 3}));
}

TEST_F(AsyncResultTest, AFailureReplacesAnAwaitedValueOnly) {
    result.compute(gated(1));
    ASSERT_TRUE(ends());
    result.compute(fail);
    ASSERT_TRUE(ends());
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::ready, 1}));
    result.begin(result.value());
    result.compute(fail);
    ASSERT_TRUE(ends());
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::ready, 1}, Shown{AsyncState::computing, 1},
                                   Shown{AsyncState::failed, {}}));
    EXPECT_EQ(result.problem(), QStringLiteral("read: damaged"));
}

TEST_F(AsyncResultTest, NoValueFollowsClearing) {
    result.clear();
    EXPECT_THAT(shown, ElementsAre()) << "it was empty";
    gate.hold();
    result.begin(nullptr);
    result.compute(gated(1));
    ASSERT_TRUE(eventually([this] { return gate.arrivals() == 1; }));
    result.clear();
    ASSERT_TRUE(ends()) << "the gate is still held";
    settle();
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::computing, {}}, Shown{AsyncState::empty, {}}));
}

TEST_F(AsyncResultTest, AwaitsInputWhileAStoppedComputationStillRuns) {
    gate.hold();
    result.begin(nullptr);
    result.compute(gated(1));
    ASSERT_TRUE(eventually([this] { return gate.arrivals() == 1; }));
    result.stop();
    EXPECT_TRUE(result.awaitsInput());
    gate.release();
    result.compute(gated(2));
    ASSERT_TRUE(ends());
    EXPECT_THAT(shown, ElementsAre(Shown{AsyncState::computing, {}}, Shown{AsyncState::ready, 2}));
}

} // namespace
} // namespace pollard::vm
