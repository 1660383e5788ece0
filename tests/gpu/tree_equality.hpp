#pragma once

#include "base/buffer.hpp"
#include "tree/component_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace pollard::testing {

/// Equal values, or both NaN: an attribute that is undefined.
template <class T> [[nodiscard]] bool sameValue(T a, T b) { return a == b || (a != a && b != b); }

/// Like sameValue(), but doubles may differ as far as two libraries of mathematics do.
template <class T> [[nodiscard]] bool nearlySameValue(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T kTolerance = T(1e-12);
        return sameValue(a, b) || std::abs(a - b) <= kTolerance * std::max(std::abs(a), std::abs(b));
    } else {
        return a == b;
    }
}

template <class T>
[[nodiscard]] ::testing::AssertionResult equal(const char* what, const Buffer<T>& a, const Buffer<T>& b) {
    if (a.size() != b.size()) {
        return ::testing::AssertionFailure() << what << ": " << a.size() << " and " << b.size() << " elements";
    }
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), nearlySameValue<T>);
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
