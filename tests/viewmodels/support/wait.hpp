#pragma once

#include <QTest>

namespace pollard::testing {

/// Turns the event loop until @p condition holds; false if it never did.
template <class Condition> [[nodiscard]] bool eventually(Condition condition, int milliseconds = 20000) {
    return QTest::qWaitFor(condition, milliseconds);
}

/// Turns the event loop for 30 ms, the chance of what must not happen. No condition could end it.
inline void settle() { QTest::qWait(30); }

} // namespace pollard::testing
