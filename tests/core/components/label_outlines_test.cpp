// Labels from outlines: what Pollard writes is read with equal numbers; files of other programs by their definitions.

#include "base/error.hpp"
#include "components/components.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/object_files.hpp"
#include "components/outline_files/json_outlines.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "components/outline_files/outlines.hpp"
#include "components/outline_files/roi_outlines.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/text_file.hpp"
#include "support/random_images.hpp"
#include "support/temp_dir.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

using Numbers = std::vector<std::uint32_t>;

class LabelOutlines : public ::testing::Test {
protected:
    [[nodiscard]] StoredLabels read(const std::string& name, const std::string& text, const Extent& extent,
                                    const std::string& image = {}) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return readOutlines(folder_ / name, extent, image);
    }
    [[nodiscard]] std::string refusal(const std::string& name, const std::string& text) const {
        try {
            (void)read(name, text, {4, 3}, "a.png");
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    test::TempDir folder_;
};

/// A label image with touching, nested and divided objects.
Numbers randomNumbers(Random& random, const Extent& extent) {
    constexpr std::array<std::uint32_t, 5> kNumbers{0, 1, 5, 300, 70'000};
    Numbers numbers(extent.pixelCount());
    for (std::size_t i = 0; i != numbers.size(); ++i) {
        numbers[i] = i > 0 && random() % 3 != 0 ? numbers[i - 1] : kNumbers[random() % kNumbers.size()];
    }
    return numbers;
}

TEST_F(LabelOutlines, ReadsWhatIsWritten) {
    Random random(31);
    for (int round = 0; round != 60; ++round) {
        const bool inVolume = round % 3 == 2;
        const Extent extent{1 + random() % 9, 1 + random() % 9, inVolume ? 2U : 1U};
        const Numbers numbers = randomNumbers(random, extent);
        const Connectivity connectivity = inVolume         ? Connectivity::six
                                          : round % 3 == 0 ? Connectivity::four
                                                           : Connectivity::eight;
        const Components found = measureNumbers(numbers, extent, nullptr, nullptr, connectivity);
        TextFile text(folder_ / "o.geojson", "write");
        writeObjectOutlines(text, found, allLabels(found));
        text.commit();
        EXPECT_THAT(readOutlines(folder_ / "o.geojson", extent).labels.span(), ElementsAreArray(numbers));
        writeObjectRois(folder_ / "o.zip", found, allLabels(found));
        EXPECT_THAT(readOutlines(folder_ / "o.zip", extent).labels.span(), ElementsAreArray(numbers));
    }
}

TEST_F(LabelOutlines, APixelIsInsideIfItsCentreIs) {
    const std::string feature = R"({"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":)";
    EXPECT_THAT(
        read("a.json", feature + "[[[0.4,0.6],[2.6,0.6],[2.6,1.6],[0.4,1.6],[0.4,0.6]]]}}", {4, 3}).labels.span(),
        ElementsAre(0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0));
    // A hole, and parts outside of the image.
    EXPECT_THAT(
        read("a.json", feature + "[[[-9,-9],[9,-9],[9,9],[-9,9]],[[1,1],[3,1],[3,2],[1,2]]]}}", {4, 3}).labels.span(),
        ElementsAre(1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1));
}

TEST_F(LabelOutlines, NumbersObjectsInTheirOrderIfOneHasNoNumber) {
    const auto square = [](const std::string& facts, int x) {
        const std::string left = std::to_string(x);
        const std::string right = std::to_string(x + 1);
        return R"({"type":"Feature",)" + facts + R"("geometry":{"type":"Polygon","coordinates":[[[)" + left + ",0],[" +
               right + ",0],[" + right + ",1],[" + left + ",1]]]}}";
    };
    const auto all = [&](const std::string& first, const std::string& second) {
        return R"({"type":"FeatureCollection","features":[)" + square(first, 0) + ',' + square(second, 2) + "]}";
    };
    EXPECT_THAT(read("a.geojson", all(R"("id":8,)", R"("id":9,"properties":{"label":4},)"), {3, 1}).labels.span(),
                ElementsAre(8, 0, 4));
    EXPECT_THAT(read("a.geojson", all(R"("id":"b2",)", R"("id":9,)"), {3, 1}).labels.span(), ElementsAre(1, 0, 2));
    EXPECT_THAT(read("a.geojson", '[' + square("", 1) + ']', {3, 1}).labels.span(), ElementsAre(0, 1, 0));
}

/// maskApi.c of pycocotools: rleToString().
std::string compressed(const std::vector<std::uint32_t>& runs) {
    std::string text;
    for (std::size_t i = 0; i != runs.size(); ++i) {
        std::int64_t x = runs[i];
        if (i > 2) {
            x -= runs[i - 2];
        }
        for (bool more = true; more;) {
            auto c = static_cast<char>(x & 0x1f);
            x >>= 5;
            more = (c & 0x10) != 0 ? x != -1 : x != 0;
            c = static_cast<char>(more ? c | 0x20 : c);
            text += static_cast<char>(c + 48);
        }
    }
    return text;
}

TEST_F(LabelOutlines, ReadsMasksOfCoco) {
    Random random(3);
    for (int round = 0; round != 40; ++round) {
        const Extent extent{1 + random() % 40, 1 + random() % 40};
        Numbers numbers(extent.pixelCount());
        std::ranges::generate(numbers, [&] { return random() % 9 == 0 ? 6U : 0U; });
        if (round % 2 == 0) {
            std::ranges::fill(numbers, 6U);
        }
        std::vector<std::uint32_t> runs{0};
        std::uint32_t last = 0;
        for (std::uint32_t x = 0; x != extent.width; ++x) {
            for (std::uint32_t y = 0; y != extent.height; ++y) {
                const std::uint32_t number = numbers[std::size_t{y} * extent.width + x];
                if (number != last) {
                    runs.push_back(0);
                    last = number;
                }
                ++runs.back();
            }
        }
        std::string list;
        for (const std::uint32_t run : runs) {
            list += (list.empty() ? "" : ",") + std::to_string(run);
        }
        std::string escaped;
        for (const char c : compressed(runs)) {
            escaped += c == '\\' ? "\\\\" : std::string(1, c);
        }
        for (const std::string& counts : {'[' + list + ']', '"' + escaped + '"'}) {
            const std::string text = R"({"images":[{"id":3,"file_name":"x/a.png"},{"id":4,"file_name":"b.png"}],)"
                                     R"("annotations":[{"id":6,"image_id":3,"segmentation":{"size":[)" +
                                     std::to_string(extent.height) + ',' + std::to_string(extent.width) +
                                     R"(],"counts":)" + counts + R"(}},{"id":7,"image_id":4,"segmentation":[]}]})";
            EXPECT_THAT(read("c.json", text, extent, "a.png").labels.span(), ElementsAreArray(numbers));
        }
    }
}

TEST_F(LabelOutlines, ReadsPolygonsOfCoco) {
    const std::string text = R"({"images":[{"id":1,"file_name":"other.png"}],"annotations":[
        {"id":12,"image_id":1,"segmentation":[[0,0,1,0,1,2,0,2],[3,0,4,0,4,1,3,1]]},
        {"id":5,"image_id":1,"segmentation":[[1,1,3,1,3,2,1,2]]}]})";
    EXPECT_THAT(read("c.json", text, {4, 2}, "a.png").labels.span(), ElementsAre(12, 0, 0, 12, 12, 5, 5, 0));
}

TEST_F(LabelOutlines, ReadsRegionsOfImageJ) {
    RoiBytes rectangle(RoiType::rectangle, {1, 0, 3, 2}, 0, 0);
    const auto write = [&](const std::string& name, const RoiBytes& roi) {
        std::ofstream file(folder_ / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(roi.bytes().data()), // NOLINT: bytes of a file
                   static_cast<std::streamsize>(roi.bytes().size()));
    };
    write("cell.roi", rectangle);
    EXPECT_THAT(readOutlines(folder_ / "cell.roi", {4, 2}).labels.span(), ElementsAre(0, 1, 1, 0, 0, 1, 1, 0));
    rectangle.placeInSlice(1);
    write("7-2.roi", rectangle);
    EXPECT_THAT(readOutlines(folder_ / "7-2.roi", {4, 1, 2}).labels.span(), ElementsAre(0, 0, 0, 0, 0, 7, 7, 0));
    StoredZip zip(folder_ / "set.zip", "write");
    zip.add("set/0002-0003.roi", rectangle.bytes()); // ImageJ names regions by their centres
    zip.add("set/notes.txt", {});
    zip.commit();
    EXPECT_THAT(readOutlines(folder_ / "set.zip", {4, 1}).labels.span(), ElementsAre(0, 1, 1, 0));
}

/// Tests of ImageJ's own files are in tests/peers/labels_of_others.py.
TEST_F(LabelOutlines, CentresOnEdgesAreInsideOnTheRightInImageJ) {
    struct Corner {
        int x;
        int y;
    };
    const std::vector<Corner> diamond{{2, 0}, {4, 2}, {2, 4}, {0, 2}}; // all edges go through centres of pixels
    const RoiBytes roi = ringRoi(RoiType::polygon, std::span<const Corner>(diamond));
    const std::string bytes(reinterpret_cast<const char*>(roi.bytes().data()), roi.bytes().size()); // NOLINT
    EXPECT_THAT(read("1.roi", bytes, {4, 4}).labels.span(), ElementsAre(0, 0, 1, 0,                 //
                                                                        0, 1, 1, 1,                 //
                                                                        0, 1, 1, 1,                 //
                                                                        0, 0, 1, 0));
    EXPECT_THAT(read("a.json", R"({"type":"Polygon","coordinates":[[[2,0],[4,2],[2,4],[0,2]]]})", {4, 4}).labels.span(),
                ElementsAre(0, 1, 0, 0, //
                            1, 1, 1, 0, //
                            1, 1, 1, 0, //
                            0, 1, 0, 0));
}

TEST_F(LabelOutlines, RectanglesOfImageJHaveRoundCorners) {
    const RoiBytes roi(RoiType::rectangle, {0, 0, 8, 6}, 0, 0);
    std::string bytes(reinterpret_cast<const char*>(roi.bytes().data()), roi.bytes().size()); // NOLINT
    bytes[55] = 4; // the diameter of a corner
    EXPECT_THAT(read("1.roi", bytes, {8, 6}).labels.span(), ElementsAre(0, 1, 1, 1, 1, 1, 1, 0, //
                                                                        1, 1, 1, 1, 1, 1, 1, 1, //
                                                                        1, 1, 1, 1, 1, 1, 1, 1, //
                                                                        1, 1, 1, 1, 1, 1, 1, 1, //
                                                                        1, 1, 1, 1, 1, 1, 1, 1, //
                                                                        0, 1, 1, 1, 1, 1, 1, 0));
}

TEST_F(LabelOutlines, NumbersAndSlicesFollowFromNamesAndFacts) {
    RoiBytes roi(RoiType::rectangle, {1, 0, 3, 2}, 0, 0);
    const auto of = [&](const std::string& name, bool inVolume) {
        const std::string bytes(reinterpret_cast<const char*>(roi.bytes().data()), roi.bytes().size()); // NOLINT
        return outlineOfRoi(bytes, name, inVolume);
    };
    EXPECT_EQ(of("0012", false).number, 12U);
    EXPECT_EQ(of("0", false).number, std::nullopt);
    EXPECT_EQ(of("cell 3", false).number, std::nullopt);
    roi.placeInSlice(4);
    EXPECT_EQ(of("12-5", true).number, 12U);
    EXPECT_EQ(of("12-5", true).slice, 4U);
    EXPECT_EQ(of("12-6", true).number, std::nullopt);
    EXPECT_EQ(of("12-5", false).slice, std::nullopt) << "an image has one slice";
    const std::vector<StoredOutline> found = outlinesOfJson(
        R"({"type":"Feature","id":3,"properties":{"label":8,"slice":2},"geometry":{"type":"MultiPolygon","coordinates":
            [[[[0,0],[1,0],[1,1]]],[[[2,2],[3,2],[3,3]],[[2.5,2.5],[2.6,2.5],[2.6,2.6]]]]}})",
        {9, 9, 3}, "");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].number, 8U);
    EXPECT_EQ(found[0].slice, 2U);
    ASSERT_EQ(found[0].polygons.size(), 2U);
    EXPECT_EQ(found[0].polygons[1].size(), 2U);
}

TEST_F(LabelOutlines, RefusesDamagedFilesInOneSentence) {
    EXPECT_THAT(refusal("a.json", "{"), HasSubstr("a.json: "));
    EXPECT_THAT(refusal("a.json", "{}"), HasSubstr("it has something else than polygons"));
    EXPECT_THAT(refusal("a.json", R"({"type":"Point","coordinates":[1,2]})"),
                HasSubstr("it has something else than polygons"));
    EXPECT_THAT(refusal("a.json", R"({"type":"Polygon","coordinates":[[[1]]]})"), HasSubstr("no pair of numbers"));
    EXPECT_THAT(refusal("a.json", R"({"type":"Polygon","pollard_coordinates":"longitude/latitude","coordinates":[]})"),
                HasSubstr("longitudes and latitudes"));
    EXPECT_THAT(refusal("a.json", R"({"images":[],"annotations":[]})"), HasSubstr("none of the name 'a.png'"));
    const auto mask = [](const std::string& size, const std::string& counts) {
        return R"({"images":[{"id":1}],"annotations":[{"segmentation":{"size":)" + size + R"(,"counts":)" + counts +
               "}}]}";
    };
    EXPECT_THAT(refusal("a.json", mask("[4,3]", "[1]")), HasSubstr("the image has 4 x 3 px"));
    EXPECT_THAT(refusal("a.json", mask("[3,4]", "[1,99]")), HasSubstr("more pixels than the image"));
    EXPECT_THAT(refusal("a.json", mask("[3,4]", R"("Z")")), HasSubstr("runs of a mask are damaged"));
    EXPECT_THAT(refusal("a.json", mask("[3,4]", R"("ooooooooo")")), HasSubstr("runs of a mask are damaged"));
    EXPECT_THAT(refusal("a.roi", "Iou"), HasSubstr("cut off"));
    EXPECT_THAT(refusal("a.roi", "none of ImageJ"), HasSubstr("no region of ImageJ"));
    EXPECT_THAT(refusal("a.zip", "PK"), HasSubstr("no zip file"));
    RoiBytes line(RoiType::rectangle, {1, 0, 3, 2}, 0, 0);
    std::string bytes(reinterpret_cast<const char*>(line.bytes().data()), line.bytes().size()); // NOLINT
    bytes[6] = 3;
    EXPECT_THAT(refusal("a.roi", bytes), HasSubstr("has no area"));
    for (std::size_t size = 4; size != 52; ++size) { // cut off anywhere: an error or a region, never a crash
        bytes[6] = 0;
        (void)refusal("a.roi", bytes.substr(0, size));
    }
    EXPECT_THAT(refusal("none.json", ""), HasSubstr("it is empty"));
    EXPECT_THAT(refusal("a.json", R"({"images":[{"id":1}],"annotations":[{"segmentation":[{"x":1,"y":2}]}]})"),
                HasSubstr("no list of numbers"));
}

/// Changes bytes of a file at random places: an error or labels, never a crash.
TEST_F(LabelOutlines, SurviveChangedBytes) {
    Random random(99);
    const Extent extent{9, 7};
    const Components found =
        measureNumbers(randomNumbers(random, extent), extent, nullptr, nullptr, Connectivity::four);
    writeObjectRois(folder_ / "o.zip", found, allLabels(found));
    TextFile text(folder_ / "o.json", "write");
    writeObjectOutlines(text, found, allLabels(found));
    text.commit();
    for (const std::string name : {"o.zip", "o.json"}) {
        std::ifstream file(folder_ / name, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        int readable = 0;
        for (int round = 0; round != 1500; ++round) {
            std::string changed = bytes;
            for (unsigned count = 1 + random() % 3; count != 0; --count) {
                changed[random() % changed.size()] = static_cast<char>(random());
            }
            readable += refusal("c" + std::string(name == "o.zip" ? ".zip" : ".json"), changed).empty() ? 1 : 0;
        }
        EXPECT_GT(readable, 0) << name;
        EXPECT_LT(readable, 1500) << name;
    }
}

TEST_F(LabelOutlines, AreLabelsOfAnImage) {
    std::ofstream(folder_ / "a_cells.geojson") << R"({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]})";
    const LabelSource source = labelsOfImage(folder_ / "a.png", {});
    EXPECT_THAT(source("{stem}_cells.geojson", {2, 1}, false, {})->labels.span(), ElementsAre(1, 0));
    EXPECT_FALSE(namesOutlines("a.zarr.zip"));
    EXPECT_FALSE(namesOutlines("a.tif"));
}

} // namespace
} // namespace pollard::testing
