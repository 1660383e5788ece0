#pragma once

#include "base/buffer.hpp"
#include "tree/component_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pollard::testing {

/// Equal values, or both NaN: an attribute that is undefined.
template <class T> [[nodiscard]] bool sameValue(T a, T b) { return a == b || (a != a && b != b); }

template <class T>
[[nodiscard]] ::testing::AssertionResult equal(const char* what, const Buffer<T>& a, const Buffer<T>& b) {
    if (a.size() != b.size()) {
        return ::testing::AssertionFailure() << what << ": " << a.size() << " and " << b.size() << " elements";
    }
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), sameValue<T>);
    if (x == a.end()) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << what << " differs at " << x - a.begin() << ": " << *x << " and " << *y;
}

/// Whether two trees have the same nodes and pixels.
inline void expectEqual(const ComponentTree& a, const ComponentTree& b) {
    ASSERT_TRUE(equal("canonical", a.canonical, b.canonical));
    ASSERT_TRUE(equal("parent", a.parent, b.parent));
    ASSERT_TRUE(equal("subtreeEnd", a.subtreeEnd, b.subtreeEnd));
    ASSERT_TRUE(equal("level", a.level, b.level));
    ASSERT_TRUE(equal("pixelNode", a.pixelNode, b.pixelNode));
    ASSERT_EQ(a.leafCount, b.leafCount);
    ASSERT_EQ(a.depth, b.depth);
}

} // namespace pollard::testing
