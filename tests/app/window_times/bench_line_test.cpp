#include "window_times/bench_line.hpp"

#include <gmock/gmock.h>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

BenchLine parse(QStringList arguments) {
    arguments.prepend(QStringLiteral("pollard_window_bench"));
    return parseBenchLine(arguments);
}

TEST(BenchLine, ReadsMeasurementsBesideTheOptionsOfTheWindow) {
    const BenchLine line = parse({"--measure-drag", "40", "--size", "1600x1000", "--measure-hover=9", "--pointer-rate",
                                  "60", "--contour", "1,2,3,4", "--measure-live-contour", "7", "in.tif"});
    EXPECT_EQ(line.window.error, QString());
    EXPECT_EQ(line.window.size, QSize(1600, 1000));
    EXPECT_EQ(line.window.image, QStringLiteral("in.tif"));
    EXPECT_EQ(line.drag, 40);
    EXPECT_EQ(line.hover, 9);
    EXPECT_EQ(line.pointerRate, 60);
    EXPECT_EQ(line.liveContour, 7);
    EXPECT_EQ(line.view + line.brush + line.focus + line.contour, 0);
}

TEST(BenchLine, NamesWhatIsWrong) {
    const auto errorOf = [](const QStringList& arguments) { return parse(arguments).window.error.toStdString(); };
    EXPECT_THAT(errorOf({"--measure-drag", "5", "--size", "big", "a.tif"}), HasSubstr("'big'"));
    for (const char* number : {"0", "-3", "many", "1e3", "100001"}) {
        EXPECT_THAT(errorOf({"--measure-drag", number, "a.tif"}), HasSubstr(number));
    }
    EXPECT_THAT(errorOf({"--measure-drag", "5"}), HasSubstr("image"));
    EXPECT_THAT(errorOf({"a.tif"}), HasSubstr("no measurement"));
    for (const char* number : {"0", "-1", "fast"}) {
        EXPECT_THAT(errorOf({"--measure-hover", "9", "--pointer-rate", number, "a.tif"}), HasSubstr(number));
    }
    EXPECT_THAT(errorOf({"--pointer-rate", "60", "a.tif"}), HasSubstr("needs --measure-hover"));
    EXPECT_THAT(errorOf({"--measure-focus", "0", "a.tif"}), HasSubstr("measure-focus"));
    EXPECT_THAT(errorOf({"--measure-contour", "9", "a.tif"}), HasSubstr("--measure-contour: needs --contour"));
    EXPECT_THAT(errorOf({"--measure-live-contour", "9", "a.tif"}), HasSubstr("live-contour: needs --contour"));
    EXPECT_THAT(errorOf({"--contour", "1,2,3,4", "--measure-live-contour", "0", "a.tif"}), HasSubstr("live-contour"));
}

TEST(BenchLine, AnswersHelpWithBothKindsOfOptions) {
    const BenchLine line = parse({"--help", "--measure-drag", "many"});
    EXPECT_EQ(line.window.error, QString());
    EXPECT_THAT(line.window.help.toStdString(), HasSubstr("--measure-drag"));
    EXPECT_THAT(line.window.help.toStdString(), HasSubstr("--transfer"));
}

} // namespace
} // namespace pollard::app
