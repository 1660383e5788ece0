#include "recipe/results/result_tags.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <string>

namespace pollard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CopiedTag ascii(std::uint16_t tag, const std::string& text) {
    CopiedTag made{tag, 2, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(made.data.data(), text.data(), text.size());
    return made;
}

std::string textOf(const std::vector<CopiedTag>& tags, std::uint16_t number) {
    const auto found = std::find_if(tags.begin(), tags.end(), [=](const CopiedTag& tag) { return tag.tag == number; });
    return found == tags.end() ? "none" : reinterpret_cast<const char*>(found->data.data());
}

std::vector<CopiedTag> resultTags(const ImageInfo& source, ResultValues values) {
    return resultFacts(source, values).carried;
}

ImageInfo satellite() {
    ImageInfo info;
    info.carried = {ascii(42113, "-9999"), ascii(34737, "WGS 84|"),
                    ascii(42112, "<GDALMetadata>\n"
                                 "  <Item name=\"AREA\">north</Item>\n"
                                 "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n"
                                 "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">7</Item>\n"
                                 "</GDALMetadata>\n")};
    return info;
}

/// Values of samples in a file that is no TIFF.
ImageInfo mapped() {
    ImageInfo info;
    info.format = "DICOM";
    info.mapping = ValueMapping{.offset = -12.25, .step = 0.125};
    info.mapping->file = {ValueType::i16, 0.125, 4083.75, bitsOfSample(std::int16_t{-32768})};
    info.mapping->unit = "HU";
    return info;
}

TEST(ResultTags, AreAllKeptBesideTheFilesOwnLevels) {
    EXPECT_EQ(resultTags(satellite(), ResultValues::levels), satellite().carried);
}

TEST(ResultTags, AreThoseOfTheSamplesWhateverTheirLevels) {
    ImageInfo info = satellite();
    info.format = "TIFF";
    info.mapping = ValueMapping{.offset = 7, .step = 0.5};
    info.mapping->file = {ValueType::i16, 0.5, 7, {}};
    EXPECT_EQ(resultTags(info, ResultValues::levels), info.carried);
    EXPECT_FALSE(resultFacts(info, ResultValues::levels).scene.scale);
}

TEST(ResultTags, StateTheScaleOfOtherFormats) {
    const auto tags = resultTags(mapped(), ResultValues::levels);
    const std::string metadata = textOf(tags, 42112);
    EXPECT_THAT(metadata, HasSubstr("role=\"scale\">0.125<"));
    EXPECT_THAT(metadata, HasSubstr("role=\"offset\">4083.75<"));
    EXPECT_THAT(metadata, HasSubstr("role=\"unittype\">HU<"));
    const PlaneFacts facts = resultFacts(mapped(), ResultValues::levels);
    EXPECT_EQ(facts.scale, (Calibration{0.125, 4083.75, "HU"}));
}

TEST(ResultTags, HaveTheCalibrationOfImageJ) {
    ImageInfo info = mapped();
    info.format = "TIFF";
    const PlaneFacts facts = resultFacts(info, ResultValues::levels);
    EXPECT_EQ(facts.scene.scale, (Calibration{0.125, 4083.75, "HU"}));
    EXPECT_TRUE(facts.carried.empty());
    EXPECT_THAT(textOf({*imageDescription(facts.scene, {ValueType::i16, 1, 4, 4, 1})}, 270),
                HasSubstr("\ncf=0\nc0=4083.75\nc1=0.125\nvunit=HU\n"));
}

TEST(ResultTags, HaveTheMarkOfPixelsWithoutData) {
    const auto noDataOf = [](const ImageInfo& info, ValueType type, std::uint64_t mark) {
        const ResultSamples samples{type, mark};
        return textOf(resultFacts(info, {ResultValues::levels, samples}).carried, 42113);
    };
    EXPECT_EQ(noDataOf(satellite(), ValueType::i16, bitsOfSample(std::int16_t{-9999})), "-9999");
    EXPECT_EQ(noDataOf(satellite(), ValueType::i16, bitsOfSample(std::int16_t{-32768})), "-32768");
    EXPECT_EQ(noDataOf({}, ValueType::f32, bitsOfSample(std::numeric_limits<float>::quiet_NaN())), "nan");
    EXPECT_EQ(noDataOf({}, ValueType::u64, ~std::uint64_t{0}), "18446744073709551615");
    ImageInfo info = satellite();
    info.carried.front() = ascii(42113, "-3.40282346638528860e+38");
    EXPECT_EQ(noDataOf(info, ValueType::f32, bitsOfSample(std::numeric_limits<float>::lowest())),
              "-3.40282346638528860e+38")
        << "the text of the source";
}

TEST(ResultTags, GiveDifferencesNoOffset) {
    const std::string metadata = textOf(resultTags(mapped(), ResultValues::differences), 42112);
    EXPECT_THAT(metadata, HasSubstr("role=\"scale\">0.125<"));
    EXPECT_THAT(metadata, Not(HasSubstr("offset")));
    const std::string plain = textOf(resultTags(satellite(), ResultValues::differences), 42112);
    EXPECT_THAT(plain, HasSubstr("role=\"scale\">0.5<"));
    EXPECT_THAT(plain, Not(HasSubstr("offset")));
    EXPECT_EQ(textOf(resultTags(satellite(), ResultValues::differences), 42113), "none");
}

TEST(ResultTags, GiveMasksNeitherScaleNorGaps) {
    const auto tags = resultTags(satellite(), ResultValues::others);
    EXPECT_THAT(textOf(tags, 42112), Not(HasSubstr("role")));
    EXPECT_THAT(textOf(tags, 42112), HasSubstr("north"));
    EXPECT_EQ(textOf(tags, 42113), "none");
    EXPECT_TRUE(resultTags(mapped(), ResultValues::others).empty());
}

TEST(ResultTags, MakeMetadataWhereThereIsNoneOrADamagedOne) {
    ImageInfo info;
    info.mapping = ValueMapping{.offset = 1, .step = 2};
    info.mapping->file = {ValueType::u8, 2, 1, {}};
    EXPECT_THAT(textOf(resultTags(info, ResultValues::levels), 42112), HasSubstr("role=\"scale\">2<"));
    info.carried = {ascii(42112, "<GDALMetadata><Item")};
    EXPECT_THAT(textOf(resultTags(info, ResultValues::levels), 42112), HasSubstr("role=\"offset\">1<"));
    info.mapping.reset();
    info.carried.clear();
    EXPECT_TRUE(resultTags(info, ResultValues::others).empty());
}

TEST(ResultTags, GiveEveryChannelItsScale) {
    using enum ResultValues;
    const auto scaled = [](double slope, double intercept) {
        ValueMapping mapping;
        mapping.file = {ValueType::u16, slope, intercept, {}};
        return mapping;
    };
    std::vector<SampleValues> samples{{levels, scaled(0.125, -12.25)}, {}, {levels, scaled(2, 3)}};
    ImageInfo info;
    const std::string metadata = textOf(pageFacts(info, samples).carried, 42112);
    for (const char* item : {"sample=\"0\" role=\"scale\">0.125<", "sample=\"0\" role=\"offset\">-12.25<",
                             "sample=\"2\" role=\"scale\">2<", "sample=\"2\" role=\"offset\">3<"}) {
        EXPECT_THAT(metadata, HasSubstr(item));
    }
    EXPECT_THAT(metadata, Not(HasSubstr("sample=\"1\"")));
    samples[0].values = others;
    samples[2].values = differences;
    const std::string changed = textOf(pageFacts(info, samples).carried, 42112);
    EXPECT_THAT(changed, Not(HasSubstr("sample=\"0\"")));
    EXPECT_THAT(changed, HasSubstr("sample=\"2\" role=\"scale\">2<"));
    EXPECT_THAT(changed, Not(HasSubstr("offset")));
    EXPECT_EQ(pageFacts(satellite(), std::vector<SampleValues>(3)).carried, satellite().carried);
}

TEST(ResultTags, KeepTheScaleOfUnchangedChannels) {
    using enum ResultValues;
    ImageInfo info;
    info.carried = {ascii(42112, "<GDALMetadata>"
                                 "<Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.25</Item>"
                                 "<Item name=\"OFFSET\" sample=\"0\" role=\"offset\">5</Item>"
                                 "<Item name=\"SCALE\" sample=\"1\" role=\"scale\">0.5</Item>"
                                 "<Item name=\"OFFSET\" sample=\"1\" role=\"offset\">7</Item>"
                                 "<Item name=\"SCALE\" sample=\"2\" role=\"scale\">0.125</Item></GDALMetadata>")};
    const std::vector<SampleValues> samples{{levels}, {differences}, {others}};
    const std::string text = textOf(pageFacts(info, samples).carried, 42112);
    for (const char* kept : {">0.25<", ">5<", ">0.5<"}) {
        EXPECT_THAT(text, HasSubstr(kept));
    }
    for (const char* untrue : {">7<", ">0.125<"}) {
        EXPECT_THAT(text, Not(HasSubstr(untrue)));
    }
}

TEST(ResultTags, DescribeTheBandThatWasRead) {
    ImageInfo info;
    info.samples = 2;
    info.carried = {ascii(42112, "<GDALMetadata>\n"
                                 "  <Item name=\"AREA\">north</Item>\n"
                                 "  <Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">Blue</Item>\n"
                                 "  <Item name=\"DESCRIPTION\" sample=\"1\" role=\"description\">Red</Item>\n"
                                 "</GDALMetadata>\n")};
    info.band = 1;
    const std::string red = textOf(resultTags(info, ResultValues::levels), 42112);
    EXPECT_THAT(red, HasSubstr("sample=\"0\" role=\"description\">Red<"));
    EXPECT_THAT(red, HasSubstr("north"));
    EXPECT_THAT(red, Not(HasSubstr("Blue")));
    info.band = kSeveralBands;
    info.facts = {{"Channel", "nd(nir,red)"}};
    const std::string index = textOf(resultTags(info, ResultValues::levels), 42112);
    EXPECT_THAT(index, HasSubstr("sample=\"0\" role=\"description\">nd(nir,red)<"));
    EXPECT_THAT(index, Not(HasSubstr("Blue")));
    EXPECT_THAT(index, Not(HasSubstr(">Red<")));
    info.carried = {ascii(42112, "<GDALMetadata><Item name=\"DESCRIPTION\" sample=\"0\">Blue</Item></GDALMetadata>")};
    info.facts.clear();
    EXPECT_EQ(textOf(resultTags(info, ResultValues::levels), 42112), "none");
}

TEST(ResultTags, DescribeTheChannelsOfPages) {
    ImageInfo info;
    info.pages = 6;
    info.axes = {{'z', 2, {}}, {'c', 3, {"DAPI", "GFP", "far red"}}};
    info.channels.resize(3);
    info.channels[1].wavelength = 509;
    const std::vector<SampleValues> one(1);
    const SceneDescription pages = pageFacts(info, one).scene;
    EXPECT_EQ(pages.axes, std::vector<StackAxis>{info.axes[1]});
    EXPECT_EQ(pages.channels, info.channels);
    info.axes.pop_back();
    EXPECT_TRUE(pageFacts(info, one).scene.axes.empty());
}

} // namespace
} // namespace pollard
