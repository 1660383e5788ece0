#pragma once

#include <gtest/gtest.h>

#include <QLocale>

namespace pollard::testing {

/// Gives each test the locale that the program started with, whatever locale the test before it selected.
class OwnLocale : public ::testing::EmptyTestEventListener {
    void OnTestEnd(const ::testing::TestInfo&) override { QLocale::setDefault(atStart_); }

    QLocale atStart_;
};

} // namespace pollard::testing
