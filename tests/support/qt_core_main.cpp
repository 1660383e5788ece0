#include "support/own_home.hpp"
#include "support/own_locale.hpp"

#include <gmock/gmock.h>

#include <QCoreApplication>

#include <cstdio>

// Tests of QObjects need an event loop but no display.
int main(int argc, char** argv) {
    ::testing::InitGoogleMock(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }
    const pollard::testing::OwnHome home;
    if (!home.use()) {
        std::fprintf(stderr, "viewmodels_tests: cannot make a temporary folder for settings\n");
        return 1;
    }
    const QCoreApplication application(argc, argv);
    ::testing::UnitTest::GetInstance()->listeners().Append(new pollard::testing::OwnLocale); // the listeners own it
    return RUN_ALL_TESTS();
}
