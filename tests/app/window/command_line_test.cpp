#include "headless/command_line.hpp"

#include <gmock/gmock.h>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

CommandLine parse(QStringList arguments) {
    arguments.prepend(QStringLiteral("pollard"));
    return parseCommandLine(arguments);
}

TEST(CommandLine, ReadsEveryOption) {
    const CommandLine line =
        parse({"--screenshot", "out.png", "--size", "1600x1000", "--keep", "10<=area<=100", "--rule", "max", "--output",
               "residue", "--theme", "dark", "--split", "--engine", "cpu", "--transfer", "copy", "in.tif"});
    EXPECT_EQ(line.error, QString());
    EXPECT_EQ(line.screenshot, QStringLiteral("out.png"));
    EXPECT_EQ(line.image, QStringLiteral("in.tif"));
    EXPECT_EQ(line.size, QSize(1600, 1000));
    EXPECT_THAT(line.keep, ::testing::ElementsAre(Criterion{AttributeId::area, 10, 100}));
    EXPECT_EQ(line.rule, Rule::max);
    EXPECT_EQ(line.output, Output::residue);
    EXPECT_EQ(line.theme, vm::SettingsViewModel::Theme::dark);
    EXPECT_EQ(line.engine, QStringLiteral("cpu"));
    EXPECT_TRUE(line.split);
    EXPECT_EQ(line.transfer, vm::DisplayMode::copy);
}

TEST(CommandLine, ReadsWhereAContourStarts) {
    const CommandLine line = parse({"--panel", "objects", "--contour", "10,20,30,40", "in.tif"});
    EXPECT_EQ(line.error, QString());
    EXPECT_EQ(line.contour, QRect(10, 20, 30, 40));
    EXPECT_EQ(line.panels, (QStringList{QStringLiteral("objects"), QStringLiteral("contour")}));
    EXPECT_FALSE(parse({"in.tif"}).contour);
    for (const char* wrong : {"10,20,30", "10,20,0,40", "a,b,c,d", "-1,2,3,4", "1,2,3,4,5"}) {
        EXPECT_THAT(parse({QStringLiteral("--contour=") + QLatin1String(wrong), "in.tif"}).error.toStdString(),
                    HasSubstr("--contour"))
            << wrong;
    }
    EXPECT_THAT(parse({"--panel", "contours", "in.tif"}).error.toStdString(), HasSubstr("contour"));
}

TEST(CommandLine, ReadsWhichObjectsAreListed) {
    const CommandLine line = parse({"--where", "area >= 50 && holes == 0", "in.tif"});
    EXPECT_EQ(line.error, QString());
    EXPECT_EQ(line.where, QStringLiteral("area >= 50 && holes == 0"));
    EXPECT_EQ(line.panels, QStringList{QStringLiteral("objects")});
    EXPECT_THAT(parse({"--where", "area >=", "in.tif"}).error.toStdString(), HasSubstr("--where"));
}

TEST(CommandLine, StartsWithNothing) {
    const CommandLine line = parse({});
    EXPECT_EQ(line.error, QString());
    EXPECT_TRUE(line.image.isEmpty());
    EXPECT_EQ(line.transfer, vm::DisplayMode::automatic);
    EXPECT_TRUE(line.keep.empty());
    EXPECT_FALSE(line.match || line.rule || line.output || line.size || line.theme);
}

TEST(CommandLine, TakesSeveralCriteria) {
    const CommandLine line = parse({"--keep", "area>=10", "--keep", "level<=50", "--match", "any", "a.tif"});
    EXPECT_EQ(line.error, QString());
    ASSERT_EQ(line.keep.size(), 2U);
    EXPECT_EQ(line.keep[0].attribute, AttributeId::area);
    EXPECT_EQ(line.keep[1].maximum, 50);
    EXPECT_EQ(line.match, Match::any);
}

TEST(CommandLine, NamesWhatIsWrong) {
    const auto errorOf = [](const QStringList& arguments) { return parse(arguments).error.toStdString(); };
    EXPECT_THAT(errorOf({"--size", "big", "a.tif"}), HasSubstr("'big'"));
    EXPECT_THAT(errorOf({"--size", "10x10", "a.tif"}), HasSubstr("320"));
    EXPECT_THAT(errorOf({"--size", "1000x8193", "a.tif"}), HasSubstr("8192"));
    EXPECT_THAT(errorOf({"--keep", "colour>=3", "a.tif"}), HasSubstr("colour"));
    EXPECT_THAT(errorOf({"--keep", "area>=3", "--keep", "colour>=3", "a.tif"}), HasSubstr("colour"));
    EXPECT_THAT(errorOf({"--match", "some", "a.tif"}), HasSubstr("'some'"));
    EXPECT_THAT(errorOf({"--rule", "best", "a.tif"}), HasSubstr("'best'"));
    EXPECT_THAT(errorOf({"--output", "gold", "a.tif"}), HasSubstr("'gold'"));
    EXPECT_THAT(errorOf({"--theme", "blue", "a.tif"}), HasSubstr("'blue'"));
    EXPECT_THAT(errorOf({"--language", "klingon", "a.tif"}), HasSubstr("'klingon'"));
    EXPECT_THAT(errorOf({"--transfer", "magic", "a.tif"}), HasSubstr("'magic'"));
    EXPECT_THAT(errorOf({"--screenshot", "a.png"}), HasSubstr("image"));
    EXPECT_THAT(errorOf({"a.tif", "b.tif"}), HasSubstr("one image"));
    EXPECT_THAT(errorOf({"--nonsense"}), HasSubstr("nonsense"));
}

TEST(CommandLine, AnswersHelpAndVersionWhateverElseIsThere) {
    const CommandLine asked = parse({"--help", "--size", "big"});
    EXPECT_THAT(asked.help.toStdString(), HasSubstr("--screenshot"));
    EXPECT_THAT(asked.help.toStdString(), HasSubstr("--transfer"));
    EXPECT_EQ(asked.error, QString());
    EXPECT_TRUE(parse({"--version", "x.tif"}).version);
}

} // namespace
} // namespace pollard::app
