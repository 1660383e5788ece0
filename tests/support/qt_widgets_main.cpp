#include <gmock/gmock.h>

#include <QApplication>
#include <QSurfaceFormat>
#include <QTemporaryDir>

#include <cstdio>

namespace {

// The user's settings must be neither read nor changed.
bool redirectSettings(const QTemporaryDir& home) {
    return home.isValid() && qputenv("XDG_CONFIG_HOME", home.filePath("config").toUtf8()) &&
           qputenv("XDG_DATA_HOME", home.filePath("data").toUtf8()) &&
           qputenv("XDG_STATE_HOME", home.filePath("state").toUtf8()) &&
           qputenv("XDG_CACHE_HOME", home.filePath("cache").toUtf8());
}

} // namespace

// Tests of windows need a display: a real one, or Xvfb as started by test.sh.
int main(int argc, char** argv) {
    ::testing::InitGoogleMock(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) {
        return RUN_ALL_TESTS();
    }
    const QTemporaryDir home;
    if (!redirectSettings(home)) {
        std::fprintf(stderr, "app_tests: cannot make a temporary folder for settings\n");
        return 1;
    }
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    const QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
