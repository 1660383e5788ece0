// Forbidden pixels converted to runs on their own thread, and the state after a failure.
#include "vm/recipe/result_steps.hpp"

#include "support/object_masks.hpp"
#include "viewmodels/support/wait.hpp"

#include <gtest/gtest.h>

#include <QStringList>

#include <atomic>
#include <new>

namespace pollard::vm {
namespace {

using testing::eventually;

std::shared_ptr<const Mask> columnOf(std::uint32_t column) {
    return std::make_shared<const Mask>(testing::makeMask(20, 10, [column](auto x, auto) { return x == column; }));
}

struct RunsWithLittleMemory : ::testing::Test {
    std::atomic<int> asked{0};
    std::atomic<bool> full{false};
    ForbiddenRuns runs{[this](const Mask& mask) {
        ++asked;
        if (full) {
            throw std::bad_alloc();
        }
        return StoredMask::of(mask);
    }};
    int followed = 0;
    QStringList told;

    RunsWithLittleMemory() {
        QObject::connect(&runs, &ForbiddenRuns::followed, &runs, [this] { ++followed; });
        QObject::connect(&runs, &ForbiddenRuns::notFollowed, &runs, [this](const QString& why) { told << why; });
    }
};

TEST_F(RunsWithLittleMemory, KeepTheMaskBeforeAndTell) {
    const auto first = columnOf(3);
    EXPECT_FALSE(runs.follow(first));
    ASSERT_TRUE(eventually([&] { return followed == 1; }));
    ASSERT_TRUE(runs.follow(first));

    full = true;
    const auto second = columnOf(7);
    EXPECT_FALSE(runs.follow(second));
    ASSERT_TRUE(eventually([&] { return told.size() == 1; }));
    EXPECT_FALSE(told.front().isEmpty());
    EXPECT_EQ(followed, 1);
    EXPECT_EQ(runs.stored(), StoredMask::of(*first)) << "the mask before is lost";
    EXPECT_FALSE(runs.isBusy());

    EXPECT_FALSE(runs.follow(second)) << "it is taken for done";
    EXPECT_FALSE(runs.isBusy()) << "what failed is tried again by itself";
    EXPECT_EQ(asked, 2);
    EXPECT_TRUE(runs.follow(first));
    EXPECT_EQ(runs.stored(), StoredMask::of(*first));
}

TEST_F(RunsWithLittleMemory, TryAgainAfterAnotherMask) {
    full = true;
    const auto mask = columnOf(5);
    EXPECT_FALSE(runs.follow(mask));
    ASSERT_TRUE(eventually([&] { return told.size() == 1; }));
    EXPECT_FALSE(runs.stored().has_value());

    full = false;
    EXPECT_TRUE(runs.follow(nullptr));
    EXPECT_FALSE(runs.follow(mask));
    ASSERT_TRUE(eventually([&] { return followed == 1; }));
    EXPECT_TRUE(runs.follow(mask));
    EXPECT_EQ(runs.stored(), StoredMask::of(*mask));
}

} // namespace
} // namespace pollard::vm
