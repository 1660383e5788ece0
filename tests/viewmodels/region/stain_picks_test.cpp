// Stains picked on the image: parts, vectors, channels, sessions.
#include "vm/region/stain_picks.hpp"

#include "viewmodels/support/workspace.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/channels.hpp"
#include "io/write/image_writer.hpp"
#include "vm/filter/channel_filters.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace pollard::vm {
namespace {

using Part = StainPicks::Part;
using ::testing::Contains;

/// 60 x 20 px: 20 columns each of a background, a blue and a brown stain.
class StainPick : public ::testing::Test {
protected:
    StainPick() {
        const auto writer = makeRgbWriter(path.toStdString(), RgbFormat::tiff, 60, 20);
        std::vector<std::uint8_t> rgb;
        for (int pixel = 0; pixel < 60 * 20; ++pixel) {
            const auto& colour = kColours[static_cast<std::size_t>(pixel % 60 / 20)];
            rgb.insert(rgb.end(), colour.begin(), colour.end());
        }
        writer->write(rgb);
        writer->finish();
    }
    void pick(QPointF from, QPointF to) {
        stains.beginArea(from);
        stains.moveArea(to);
        stains.finishArea();
        ASSERT_TRUE(testing::eventually([&] { return !stains.isBusy(); }));
    }
    [[nodiscard]] StainVector directly(std::uint32_t x, std::uint32_t width) const {
        ReadOptions options;
        options.region = PixelRegion{x, 2, width, 5};
        return stainVectorOf(readDensity(path.toStdString(), options));
    }
    [[nodiscard]] QStringList offered() {
        QStringList names;
        for (const ChannelEntry& entry : offeredChannels(space.document.reading(), space.filter.channels())) {
            names << entry.name;
        }
        return names;
    }

    static constexpr std::array<std::array<std::uint8_t, 3>, 3> kColours{
        {{240, 250, 245}, {90, 110, 200}, {180, 120, 60}}};
    QTemporaryDir folder;
    QString path = folder.filePath(QStringLiteral("slide.tif"));
    testing::Workspace space;
    StainPicks stains{space.document};
};

TEST_F(StainPick, PartsOfTheImageGiveTwoChannelsWithNames) {
    EXPECT_FALSE(stains.isAvailable());
    stains.setPicking(true);
    EXPECT_FALSE(stains.isPicking());
    ASSERT_TRUE(space.open(path));
    ASSERT_TRUE(stains.isAvailable());
    stains.setPicking(true);
    stains.setName(Part::first, QStringLiteral(" Nuclei; blue"));
    EXPECT_EQ(stains.name(Part::first), QStringLiteral("Nuclei blue"));
    pick({22.4, 2.9}, {38.7, 6.2});
    EXPECT_EQ(stains.area(Part::first), QRectF(22, 2, 17, 5)) << "whole pixels";
    EXPECT_EQ(stains.vector(Part::first), directly(22, 17));
    EXPECT_EQ(stains.colour(Part::first).rgb(), qRgb(90, 110, 200));
    EXPECT_EQ(stains.part(), Part::second) << "the next one";
    EXPECT_FALSE(stains.canSeparate());
    pick({50.5, 10.5}, {50.5, 10.5});
    EXPECT_EQ(stains.area(Part::second), QRectF(48, 8, 5, 5)) << "around a click";
    ASSERT_TRUE(stains.canSeparate()) << stains.problem().toStdString();
    EXPECT_TRUE(stains.problem().isEmpty());
    stains.separate();
    ASSERT_TRUE(space.rests());
    const std::string expected =
        stainText(std::array{CustomStain{"Nuclei blue", directly(22, 17)}, CustomStain{"", directly(48, 5)}}, 0);
    EXPECT_EQ(space.document.reading().channelName().toStdString(), expected);
    EXPECT_THAT(offered(), Contains(QStringLiteral("Nuclei blue")));
    EXPECT_THAT(offered(), Contains(QStringLiteral("Stain 2 (own vectors)")));
    EXPECT_TRUE(stains.area(Part::first)) << "it is the same image";
    EXPECT_FALSE(stains.isPicking()) << "the stain is displayed";
    const Image& amounts = *space.document.image();
    EXPECT_GT(amounts.level(30), amounts.level(50)) << "where the stain is";
    EXPECT_EQ(amounts.level(50), 0);

    // Other channels leave them in the list; sessions keep the numbers.
    space.document.reading().setChannelName(QStringLiteral("red"));
    ASSERT_TRUE(space.rests());
    EXPECT_THAT(offered(), Contains(QStringLiteral("Nuclei blue")));
    const QString session = folder.filePath(QStringLiteral("s.pollard"));
    ASSERT_TRUE(space.save(session));
    testing::Workspace again;
    ASSERT_TRUE(again.openSession(session));
    const QList<ChannelEntry> entries = offeredChannels(again.document.reading(), again.filter.channels());
    EXPECT_TRUE(std::ranges::any_of(entries,
                                    [&](const ChannelEntry& entry) { return entry.choice.toStdString() == expected; }));
    EXPECT_THAT(entries, Contains(::testing::Field(&ChannelEntry::name, QStringLiteral("Stain 2 (own vectors)"))));
}

TEST_F(StainPick, TheBackgroundReplacesWhite) {
    ASSERT_TRUE(space.open(path));
    stains.setPicking(true);
    pick({22, 2}, {38, 7});
    const auto white = stains.vector(Part::first);
    stains.setPart(Part::background);
    pick({2, 2}, {18, 7});
    EXPECT_EQ(stains.part(), Part::background);
    EXPECT_FALSE(stains.vector(Part::background)) << "it is no stain";
    ASSERT_TRUE(stains.vector(Part::first));
    EXPECT_NE(stains.vector(Part::first), white);
    StainVector expected{};
    for (std::size_t c = 0; c < 3; ++c) {
        expected[c] = std::log10(static_cast<double>(kColours[0][c]) / kColours[1][c]);
    }
    EXPECT_EQ(stains.vector(Part::first), stainVectorOf(expected));
    stains.setPart(Part::second);
    pick({4, 4}, {9, 9});
    EXPECT_FALSE(stains.canSeparate());
    EXPECT_FALSE(stains.problem().isEmpty()) << "the second stain is the background";
    pick({30, 4}, {35, 9});
    EXPECT_FALSE(stains.canSeparate());
    EXPECT_FALSE(stains.problem().isEmpty()) << "the same colour twice";
}

TEST_F(StainPick, PartsAreThoseOfTheFileWhateverIsRead) {
    ASSERT_TRUE(space.open(path));
    space.document.reading().setReadRegion(PixelRegion{15, 1, 30, 18});
    ASSERT_TRUE(space.rests());
    space.document.reading().setShrink(2);
    ASSERT_TRUE(space.rests());
    stains.setPicking(true);
    pick({4, 1}, {10, 3}); // 23 .. 35 of the file
    EXPECT_EQ(stains.vector(Part::first), directly(23, 12));
    pick({14, 1}, {40, 3}); // the last block
    EXPECT_EQ(stains.area(Part::second), QRectF(14, 1, 1, 2));
    EXPECT_EQ(stains.vector(Part::second), directly(43, 2));
    space.document.reading().setShrink(1);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(stains.area(Part::first)) << "px of another image";
    EXPECT_TRUE(stains.isPicking());
}

TEST_F(StainPick, ThePartOfAShrunkImageEndsWithThePage) {
    ASSERT_TRUE(space.open(path));
    space.document.reading().setShrink(7); // 9 x 3 blocks of 60 x 20 px
    ASSERT_TRUE(space.rests());
    stains.setPicking(true);
    pick({3, 0}, {9, 3});
    EXPECT_EQ(stains.problem(), QString());
    ReadOptions options;
    options.region = PixelRegion{21, 0, 39, 20};
    EXPECT_EQ(stains.vector(Part::first), stainVectorOf(readDensity(path.toStdString(), options)));
}

TEST_F(StainPick, ColoursOfAnImageAreForgottenWithIt) {
    ASSERT_TRUE(space.open(path));
    stains.setPicking(true);
    pick({22, 2}, {38, 7});
    pick({42, 2}, {58, 7});
    ASSERT_TRUE(stains.canSeparate());
    const QString other = folder.filePath(QStringLiteral("other.tif"));
    ASSERT_TRUE(QFile::copy(path, other));
    ASSERT_TRUE(space.open(other));
    EXPECT_FALSE(stains.canSeparate());
    EXPECT_FALSE(stains.vector(Part::first));
    EXPECT_FALSE(stains.colour(Part::second).isValid());
    EXPECT_EQ(stains.part(), Part::first);
}

TEST_F(StainPick, EndsWithAnImageWithoutColours) {
    ASSERT_TRUE(space.open(path));
    stains.setPicking(true);
    pick({22, 2}, {38, 7});
    const QString grey = folder.filePath(QStringLiteral("grey.tif"));
    writeTiff(grey.toStdString(), Image(PixelType::u8, 10, 10));
    ASSERT_TRUE(space.open(grey));
    EXPECT_FALSE(stains.isPicking());
    EXPECT_FALSE(stains.isAvailable());
    EXPECT_FALSE(stains.area(Part::first));
}

} // namespace
} // namespace pollard::vm
