#include "support/own_home.hpp"
#include "support/own_locale.hpp"

#include <gmock/gmock.h>

#include <QApplication>
#include <QSurfaceFormat>

#include <cstdio>

// Tests of windows need a display: a real one, or Xvfb as started by test.sh.
int main(int argc, char** argv) {
    ::testing::InitGoogleMock(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }
    const pollard::testing::OwnHome home;
    if (!home.use()) {
        std::fprintf(stderr, "app_tests: cannot make a temporary folder for settings\n");
        return 1;
    }
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    const QApplication application(argc, argv);
    ::testing::UnitTest::GetInstance()->listeners().Append(new pollard::testing::OwnLocale); // the listeners own it
    return RUN_ALL_TESTS();
}
