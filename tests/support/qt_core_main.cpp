#include <gmock/gmock.h>

#include <QCoreApplication>

// Tests of QObjects need an event loop but no display.
int main(int argc, char** argv) {
    ::testing::InitGoogleMock(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }
    const QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
