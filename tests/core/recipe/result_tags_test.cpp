#include "recipe/result_tags.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <string>

namespace pollard {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CarriedTag ascii(std::uint16_t tag, const std::string& text) {
    CarriedTag made{tag, 2, text.size() + 1, std::vector<std::byte>(text.size() + 1)};
    std::memcpy(made.data.data(), text.data(), text.size());
    return made;
}

std::string textOf(const std::vector<CarriedTag>& tags, std::uint16_t number) {
    const auto found = std::find_if(tags.begin(), tags.end(), [=](const CarriedTag& tag) { return tag.tag == number; });
    return found == tags.end() ? "none" : reinterpret_cast<const char*>(found->data.data());
}

std::vector<CarriedTag> resultTags(const ImageInfo& source, ResultValues values) {
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

ImageInfo mapped() {
    ImageInfo info = satellite();
    info.mapping = ValueMapping{.offset = -12.25, .step = 0.125};
    return info;
}

TEST(ResultTags, AreAllKeptBesideTheFilesOwnLevels) {
    EXPECT_EQ(resultTags(satellite(), ResultValues::levels), satellite().carried);
}

TEST(ResultTags, SayHowLevelsBecomeValuesAgain) {
    const auto tags = resultTags(mapped(), ResultValues::levels);
    const std::string metadata = textOf(tags, 42112);
    EXPECT_THAT(metadata, HasSubstr("role=\"scale\">0.125<"));
    EXPECT_THAT(metadata, HasSubstr("role=\"offset\">-12.25<"));
    EXPECT_THAT(metadata, HasSubstr("north"));
    EXPECT_THAT(metadata, Not(HasSubstr("0.5")));
    EXPECT_EQ(textOf(tags, 42113), "none") << "no level is -9999";
    EXPECT_EQ(textOf(tags, 34737), "WGS 84|");
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
    for (const ImageInfo& info : {satellite(), mapped()}) {
        const auto tags = resultTags(info, ResultValues::others);
        EXPECT_THAT(textOf(tags, 42112), Not(HasSubstr("role")));
        EXPECT_THAT(textOf(tags, 42112), HasSubstr("north"));
        EXPECT_EQ(textOf(tags, 42113), "none");
    }
}

TEST(ResultTags, MakeMetadataWhereThereIsNoneOrADamagedOne) {
    ImageInfo info;
    info.mapping = ValueMapping{.offset = 1, .step = 2};
    EXPECT_THAT(textOf(resultTags(info, ResultValues::levels), 42112), HasSubstr("role=\"scale\">2<"));
    info.carried = {ascii(42112, "<GDALMetadata><Item")};
    EXPECT_THAT(textOf(resultTags(info, ResultValues::levels), 42112), HasSubstr("role=\"offset\">1<"));
    info.mapping.reset();
    info.carried.clear();
    EXPECT_TRUE(resultTags(info, ResultValues::others).empty());
}

TEST(ResultTags, GiveEveryChannelItsScale) {
    using enum ResultValues;
    std::vector<SampleValues> samples{
        {levels, ValueMapping{.offset = -12.25, .step = 0.125}}, {}, {levels, ValueMapping{.offset = 3, .step = 2}}};
    const auto tags = pageFacts(satellite(), samples).carried;
    const std::string metadata = textOf(tags, 42112);
    for (const char* item : {"sample=\"0\" role=\"scale\">0.125<", "sample=\"0\" role=\"offset\">-12.25<",
                             "sample=\"2\" role=\"scale\">2<", "sample=\"2\" role=\"offset\">3<", "north"}) {
        EXPECT_THAT(metadata, HasSubstr(item));
    }
    EXPECT_THAT(metadata, Not(HasSubstr("sample=\"1\"")));
    EXPECT_THAT(metadata, Not(HasSubstr("0.5")));
    EXPECT_EQ(textOf(tags, 42113), "none");
    samples[0].values = others;
    samples[2].values = differences;
    const std::string changed = textOf(pageFacts(satellite(), samples).carried, 42112);
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
