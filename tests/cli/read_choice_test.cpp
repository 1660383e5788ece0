#include "options/option_values.hpp"

#include "command.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pollard::cli {
namespace {

using Range = MappingChoice::Range;
using Type = RawLayout::SampleType;

TEST(Region, IsFourNumbers) {
    EXPECT_EQ(parseRegion("1,2,30,40"), (PixelRegion{1, 2, 30, 40}));
    EXPECT_EQ(parseRegion("0,0,1,4294967295"), (PixelRegion{0, 0, 1, 0xffff'ffffU}));
    for (const char* text :
         {"", "1", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,0", "-1,2,3,4", "1,2,3,x", "1, 2,3,4", "1,2,3,4294967296"}) {
        EXPECT_THROW((void)parseRegion(text), UsageError) << text;
    }
}

TEST(Range, IsANameOrTwoValues) {
    EXPECT_EQ(parseRange("auto"), MappingChoice{});
    EXPECT_EQ(parseRange("minmax").range, Range::minMax);
    EXPECT_EQ(parseRange("-10.5:2e3"), (MappingChoice{Range::fixed, -10.5, 2000}));
    EXPECT_EQ(parseRange("0%:100%"), (MappingChoice{Range::percentile, 0, 1}));
    EXPECT_EQ(parseRange("25%:75%"), (MappingChoice{Range::percentile, 0.25, 0.75}));
    for (const char* text : {"", "full", "1", "1:1", "2:1", ":", "1:", ":2", "a:b", "1%:2", "1:2%", "-1%:50%",
                             "50%:101%", "nan:1", "0:inf", "1:2:3", "%:%"}) {
        EXPECT_THROW((void)parseRange(text), UsageError) << text;
    }
}

TEST(Raw, NamesSizeTypeAndFurtherFields) {
    EXPECT_EQ(parseRawLayout("640x480:u16"), (RawLayout{640, 480, Type::u16, false, 1, 0, 1}));
    EXPECT_EQ(parseRawLayout("3x2:f64:be:samples=3:offset=5000000000:pages=7"),
              (RawLayout{3, 2, Type::f64, true, 3, 5'000'000'000U, 7}));
    EXPECT_EQ(parseRawLayout("3x2:i8:be:le").bigEndian, false);
    for (const char* text : {"", "640x480", "640:u16", "0x480:u16", "640x0:u16", "640x480:u12", "640x480:u16:xe",
                             "640x480:u16:samples=0", "640x480:u16:pages=-1", "640x480:u16:offset=-1",
                             "640x480:u16:offset=", "640x480x2:u16", "640x480:u16:colour=3", "u16:640x480"}) {
        EXPECT_THROW((void)parseRawLayout(text), UsageError) << text;
    }
}

TEST(PixelSize, IsALengthOrTwoOrThree) {
    const auto size = [](double x, double y, const char* unit) { return PixelSize{x, y, unit, "set by hand"}; };
    EXPECT_EQ(parsePixelSize("0.325um"), size(0.325, 0.325, "µm"));
    EXPECT_EQ(parsePixelSize("0.325µm"), size(0.325, 0.325, "µm"));
    EXPECT_EQ(parsePixelSize("0.325x0.65um"), size(0.325, 0.65, "µm"));
    EXPECT_EQ(parsePixelSize("0.5x0.5x2um"), (PixelSize{0.5, 0.5, "µm", "set by hand", false, 2}));
    EXPECT_EQ(parsePixelSize("30 m"), size(30, 30, "m"));
    EXPECT_EQ(parsePixelSize("1e-3km"), size(0.001, 0.001, "km"));
    for (const char* unit : {"nm", "mm", "cm", "m", "km"}) {
        EXPECT_EQ(parsePixelSize("4" + std::string(unit)), size(4, 4, unit));
    }
    for (const char* text :
         {"",      "um",  "0.325", "0um",     "-1um",  "1x2x0um", "1x2x3x4um", "1x2xum", "x1um",  "1xum",
          "1inch", "1px", "1°",    "1umx2um", "nanum", "infm",    "1e30m",     "1e-30m", "1,5um", "0.325  um"}) {
        EXPECT_THROW((void)parsePixelSize(text), UsageError) << text;
    }
}

TEST(Amount, TakesUnitsOfAThousand) {
    EXPECT_EQ(parseAmount("--max", "1"), 1U);
    EXPECT_EQ(parseAmount("--max", "2.5k"), 2500U);
    EXPECT_EQ(parseAmount("--max", "40M"), 40'000'000U);
    EXPECT_EQ(parseAmount("--max", "4G"), 4'000'000'000U);
    EXPECT_EQ(parseAmount("--max", "1T"), 1'000'000'000'000U);
    for (const char* text : {"", "0", "-1", "G", "1.5.2", "1g", "1e30", "nan"}) {
        EXPECT_THROW((void)parseAmount("--max", text), UsageError) << text;
    }
}

} // namespace
} // namespace pollard::cli
