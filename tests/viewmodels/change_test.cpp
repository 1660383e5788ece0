#include "vm/base/change.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pollard::vm {
namespace {

/// Notes the calls after a change.
struct Noting {
    int value = 1;
    std::string calls;

    void first() { calls += "first " + std::to_string(value) + ' '; }
    void second() { calls += "second"; }
};

TEST(Change, SaysWhetherTheValueDiffers) {
    std::string text = "a";
    EXPECT_FALSE(change(text, "a"));
    EXPECT_TRUE(change(text, "b"));
    EXPECT_EQ(text, "b");
}

TEST(Change, CallsInOrderAfterTheAssignment) {
    Noting noting;
    change(&noting, noting.value, 2, &Noting::first, &Noting::second);
    EXPECT_EQ(noting.value, 2);
    EXPECT_EQ(noting.calls, "first 2 second");
}

TEST(Change, CallsNothingForTheSameValue) {
    Noting noting;
    change(&noting, noting.value, 1, &Noting::first, &Noting::second);
    EXPECT_TRUE(noting.calls.empty());
}

} // namespace
} // namespace pollard::vm
