#pragma once

#include <QTest>

namespace pollard::testing {

/// Processes events until @p condition holds; false after a timeout.
template <class Condition> [[nodiscard]] bool eventually(Condition condition, int milliseconds = 20000) {
    return QTest::qWaitFor(condition, milliseconds);
}

/// Processes events for 30 ms, so that unwanted ones would occur: no condition could end this.
inline void settle() { QTest::qWait(30); }

} // namespace pollard::testing
