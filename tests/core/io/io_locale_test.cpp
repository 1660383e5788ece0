// Numbers in files and facts under a locale whose decimal separator is a comma, as a window has in most of Europe.
#include "base/text.hpp"
#include "io/image_file.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/metadata/imagej_description.hpp"
#include "io/metadata/ome_xml.hpp"
#include "io/read_support.hpp"
#include "support/temp_dir.hpp"

#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <string>

namespace pollard::test {
namespace {

/// Compiles the German locale into a temporary folder once, and selects it in each test.
class CommaLocale : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_.emplace();
        const std::string file = (*folder_ / "de_DE.UTF-8").string();
        const std::string command = "localedef -i de_DE -f UTF-8 '" + file + "' >/dev/null 2>&1";
        [[maybe_unused]] const int status = std::system(command.c_str()); // warnings give a status, too
        ::setenv("LOCPATH", folder_->path().c_str(), 1);
    }

    static void TearDownTestSuite() {
        ::unsetenv("LOCPATH");
        folder_.reset();
    }

    void SetUp() override {
        if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
            GTEST_SKIP() << "there is no definition of the German locale (package locales)";
        }
        char text[8];
        std::snprintf(text, sizeof text, "%.1f", 0.5);
        ASSERT_STREQ(text, "0,5");
    }

    void TearDown() override { std::setlocale(LC_ALL, "C"); }

    inline static std::optional<TempDir> folder_;
    TempDir dir_;
};

TEST_F(CommaLocale, NumbersHaveAPoint) {
    EXPECT_EQ(leadingNumber("0.499|Left"), 0.499);
    EXPECT_EQ(factNumber(0.25), "0.25");
    EXPECT_EQ(exactNumber(0.1), "0.1");
    EXPECT_EQ(sizeText(1'500'000), "1.5 MB");
}

TEST_F(CommaLocale, OmeXmlHasItsSizes) {
    ImageInfo info;
    info.pages = 1;
    describeOmeXml(R"(<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0">
<Pixels ID="Pixels:0" Type="uint8" SizeX="4" SizeY="4" SizeZ="1" SizeC="1" SizeT="1" DimensionOrder="XYZCT"
PhysicalSizeX="0.25" PhysicalSizeY="0.5" PhysicalSizeZ="1.75" TimeIncrement="2.5"><TiffData/></Pixels></Image></OME>)",
                   info);
    EXPECT_EQ(info.pixelSize, (PixelSize{0.25, 0.5, "µm", "OME-XML", false, 1.75}));
    EXPECT_EQ(info.facts.back().second, "2.5 s");
}

TEST_F(CommaLocale, ImageJHasItsSpacing) {
    ImageInfo info;
    info.pages = 4;
    describeImageJ("ImageJ=1.53\nimages=4\nslices=4\nunit=micron\nspacing=1.75\n", 2, 2, info);
    ASSERT_TRUE(info.pixelSize);
    EXPECT_EQ(info.pixelSize->x, 0.5);
    EXPECT_EQ(info.pixelSize->z, 1.75);
}

TEST_F(CommaLocale, GdalHasItsValueWithoutData) {
    CopiedTag tag{kGdalNoDataTag, 2, 5, {}};
    for (const char letter : {'-', '0', '.', '5', '\0'}) {
        tag.data.push_back(std::byte(letter));
    }
    EXPECT_EQ(noDataOf({tag}), -0.5);
}

TEST_F(CommaLocale, PortableFloatMapsHaveTheirScale) {
    const std::filesystem::path file = dir_ / "a.pfm";
    std::FILE* out = std::fopen(file.c_str(), "wb");
    ASSERT_NE(out, nullptr);
    std::fputs("Pf\n1 1\n-0.5\n", out);
    const float value = 0.25F;
    std::fwrite(&value, sizeof value, 1, out);
    std::fclose(out);
    EXPECT_EQ(readImageInfo(file).format, "PFM");
}

TEST(LeadingNumber, EndsWithTheNumber) {
    EXPECT_EQ(leadingNumber("12"), 12);
    EXPECT_EQ(leadingNumber(" \t+1.5e3 m"), 1500);
    EXPECT_EQ(leadingNumber("-0.5"), -0.5);
    EXPECT_EQ(leadingNumber("3,5"), 3);
    EXPECT_EQ(leadingNumber(".25"), 0.25);
    for (const char* text : {"", " ", "+", "-", "--1", "+-1", "x1", "e5"}) {
        EXPECT_FALSE(leadingNumber(text)) << text;
    }
}

TEST(LeadingNumber, KnowsWhatIsNotFinite) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(leadingNumber("1e999"), kInfinity);
    EXPECT_EQ(leadingNumber("-1e999"), -kInfinity);
    EXPECT_EQ(leadingNumber("1e-999"), 0);
    EXPECT_EQ(leadingNumber("-inf"), -kInfinity);
    ASSERT_TRUE(leadingNumber("nan"));
    EXPECT_TRUE(std::isnan(*leadingNumber("nan")));
}

TEST(NumberText, IsAsPrintfHasIt) {
    for (const double value : {0.0, 0.25, -1.0 / 3, 4.5e-7, 1e10, 1e300, 123456.789}) {
        char text[400];
        std::snprintf(text, sizeof text, "%.10g", value);
        EXPECT_EQ(generalText(value, 10), text);
        std::snprintf(text, sizeof text, "%.2f", value);
        EXPECT_EQ(fixedText(value, 2), text);
    }
}

TEST(NumberText, DecimalsAreWithoutTheErrorsOfProducts) {
    EXPECT_NE(1116 * 0.2 * 0.2, 44.64);
    EXPECT_EQ(decimalOf(1116 * 0.2 * 0.2), 44.64);
    EXPECT_EQ(decimalOf(3 * 0.1), 0.3);
    for (const double value : {0.0, 1.0, -2.5, 1e300, 4e-300, 123456789012345.0}) {
        EXPECT_EQ(decimalOf(value), value);
    }
    EXPECT_TRUE(std::isnan(decimalOf(std::nan(""))));
    EXPECT_TRUE(std::isinf(decimalOf(std::numeric_limits<double>::infinity())));
}

} // namespace
} // namespace pollard::test
