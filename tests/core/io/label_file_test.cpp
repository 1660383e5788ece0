// Label images of any format, with the numbers of the file.

#include "base/error.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "image/image.hpp"
#include "io/label_file.hpp"
#include "recipe/results/result_file.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

class LabelFile : public ::testing::Test {
protected:
    [[nodiscard]] std::string refusal(const std::string& name) const {
        try {
            (void)readLabels(folder_ / name);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    test::TempDir folder_;
};

TEST_F(LabelFile, KeepsNumbersOf32Bits) {
    const std::vector<std::uint32_t> wide{0, 1, 65'536, 1'000'000, 4'000'000'000U, 3};
    for (const std::string name : {"wide.tif", "wide.nrrd"}) {
        writeResult(folder_ / name, resultPlane(wide, Extent{3, 2}, {}), {});
        const StoredLabels read = readLabels(folder_ / name);
        EXPECT_EQ(read.extent, (Extent{3, 2})) << name;
        EXPECT_THAT(read.labels.span(), ElementsAreArray(wide)) << name;
        requireLabels(folder_ / name);
    }
}

TEST_F(LabelFile, KeepsMoreThan65536Numbers) {
    std::vector<std::uint32_t> many(300 * 300);
    for (std::uint32_t i = 0; i != many.size(); ++i) {
        many[i] = 3 * i;
    }
    writeResult(folder_ / "many.tif", resultPlane(many, Extent{300, 300}, {}), {});
    EXPECT_THAT(readLabels(folder_ / "many.tif").labels.span(), ElementsAreArray(many));
}

TEST_F(LabelFile, ReadsImagesOf8And16Bits) {
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        for (const std::string name : {"narrow.tif", "narrow.png"}) {
            const auto image = makeImage(type, 3, 2, [](auto x, auto y) { return 50 * x + y; });
            const LoadedImage loaded{image, nullptr, {}};
            writeResult(folder_ / name, resultPlane(*image, loaded, ResultValues::levels), {});
            EXPECT_THAT(readLabels(folder_ / name).labels.span(), ElementsAre(0, 50, 100, 1, 51, 101)) << name;
        }
    }
}

TEST_F(LabelFile, ReadsVolumes) {
    const std::vector<std::uint32_t> labels{0, 1, 2, 70'000, 4, 5, 6, 7};
    writeResult(folder_ / "v.nii", resultPlane(labels, Extent{2, 2, 2}, {}), {});
    const StoredLabels read = readLabels(folder_ / "v.nii", {}, true);
    EXPECT_EQ(read.extent, (Extent{2, 2, 2}));
    EXPECT_THAT(read.labels.span(), ElementsAreArray(labels));
}

TEST_F(LabelFile, RefusesWhatHasNoLabels) {
    std::ofstream(folder_ / "rgb.ppm") << "P3 2 1 255\n1 2 3 4 5 6\n";
    EXPECT_THAT(refusal("rgb.ppm"), HasSubstr("is no label image: it has 3 samples per pixel"));
    std::ofstream(folder_ / "bits.pbm") << "P1 2 1\n1 0\n";
    EXPECT_THAT(refusal("bits.pbm"), HasSubstr("is no label image: its numbers are colours or densities"));
    const auto nrrd = [this](const std::string& type, const std::string& values) {
        std::ofstream(folder_ / "a.nrrd")
            << "NRRD0004\ntype: " << type << "\ndimension: 2\nsizes: 2 1\nencoding: ascii\n\n"
            << values << '\n';
    };
    nrrd("short", "3 -1");
    EXPECT_THAT(refusal("a.nrrd"), HasSubstr("is no label image: it has the value -1"));
    nrrd("float", "3 1.5");
    EXPECT_THAT(refusal("a.nrrd"), HasSubstr("is no label image: it has the value 1.5"));
    nrrd("float", "3 4294967296");
    EXPECT_THAT(refusal("a.nrrd"), HasSubstr("is no label image: it has the value 4294967296"));
    nrrd("float", "3 nan");
    EXPECT_THAT(readLabels(folder_ / "a.nrrd").labels.span(), ElementsAre(3, 0));
    EXPECT_THROW((void)readLabels(folder_ / "none.tif"), Error);
}

} // namespace
} // namespace pollard::testing
