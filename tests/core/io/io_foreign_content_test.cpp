// Files that are no images: the error names what they are.
#include "io/read_support.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"
#include "support/temp_dir.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <string_view>

namespace pollard::test {
namespace {

using ::testing::HasSubstr;

class ForeignContent : public ::testing::Test {
protected:
    std::filesystem::path file(const std::string& name, std::string_view content) {
        std::ofstream(dir_ / name, std::ios::binary) << content;
        return dir_ / name;
    }

    static std::string refusal(const std::filesystem::path& path) {
        try {
            (void)readImage(path);
        } catch (const Error& error) {
            return error.what();
        }
        return "read";
    }

    TempDir dir_;
};

/// A header of Analyze 7.5 with three sides.
std::string analyzeHeader(bool swapped) {
    std::string header(348, '\0');
    const std::uint32_t size = swapped ? __builtin_bswap32(348) : 348;
    const std::uint16_t sides = swapped ? __builtin_bswap16(3) : 3;
    std::memcpy(header.data(), &size, sizeof size);
    std::memcpy(header.data() + 40, &sides, sizeof sides);
    return header;
}

TEST_F(ForeignContent, NamesTextsThatStandInForImages) {
    EXPECT_THAT(refusal(file("a.tif", "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n")),
                HasSubstr("a.tif: is a pointer of Git LFS"));
    EXPECT_THAT(refusal(file("a.png", "\n<!DOCTYPE HTML><html></html>")), HasSubstr("is a web page"));
    EXPECT_THAT(refusal(file("b.png", "<?xml version=\"1.0\"?><html xmlns=\"x\"/>")), HasSubstr("is a web page"));
    EXPECT_THAT(refusal(file("c.png", "<?xml version=\"1.0\"?><!-- x --><svg/>")), HasSubstr("is an SVG drawing"));
    EXPECT_THAT(refusal(file("d.png", "\xef\xbb\xbf{\"a\": 1}")), HasSubstr("is a JSON file"));
    EXPECT_THAT(refusal(file("e.tif", "%PDF-1.4\n")), HasSubstr("is a PDF document"));
}

TEST_F(ForeignContent, NamesMetadataWithoutPixels) {
    EXPECT_THAT(refusal(file("a.companion.ome", "<?xml version=\"1.0\"?><OME xmlns=\"x\"/>")),
                HasSubstr("is OME-XML without pixels"));
    EXPECT_THAT(refusal(file("b.xml", "<?xml version=\"1.0\"?><root/>")), HasSubstr("is an XML file"));
}

TEST_F(ForeignContent, NamesMedicalFilesWithoutTheirMarks) {
    EXPECT_THAT(refusal(file("a.hdr", analyzeHeader(false))), HasSubstr("Analyze 7.5"));
    EXPECT_THAT(refusal(file("b.hdr", analyzeHeader(true))), HasSubstr("Analyze 7.5"));
    using namespace std::string_view_literals;
    EXPECT_THAT(refusal(file("a.dcm", "\x08\0\x05\0CS\x0a\0ISO_IR 100"sv)), HasSubstr("DICOM without"));
    EXPECT_THAT(refusal(file("b.dcm", "\x08\0\x05\0\x0a\0\0\0ISO_IR 100"sv)), HasSubstr("DICOM without"));
}

TEST_F(ForeignContent, NamesTheHeaderBesidePixels) {
    file("a.hdr", analyzeHeader(false));
    EXPECT_THAT(refusal(file("a.img", std::string(64, '\1'))), HasSubstr("open its header a.hdr"));
    EXPECT_THAT(refusal(file("b.img", std::string(64, '\1'))), HasSubstr("the content is none of"));
}

TEST_F(ForeignContent, SaysNothingOfOtherFiles) {
    for (const std::string_view content :
         {std::string_view("x"), std::string_view("\x08\0", 2), std::string_view("<")}) {
        EXPECT_EQ(foreignContent(openSource(file("a.bin", content))), "") << content;
    }
    EXPECT_EQ(foreignContent(openSource(file("c.hdr", analyzeHeader(false).substr(0, 347)))), "");
}

TEST_F(ForeignContent, PipesAreRefusedAsSuch) {
    EXPECT_THAT(refusal("-"), HasSubstr("standard input is not read"));
    EXPECT_THAT(refusal("/dev/null"), HasSubstr("is a pipe or a device"));
}

} // namespace
} // namespace pollard::test
