// The channels of a composite image: list, looks, reading.
#include "vm/display/channel_look.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/channels.hpp"
#include "io/write/image_writer.hpp"
#include "support/channel_files.hpp"
#include "viewmodels/support/wait.hpp"
#include "vm/image/open_request.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

using test::makeChannel;
using test::writeChannelPages;
using testing::eventually;

class Composite : public ::testing::Test {
protected:
    QTemporaryDir folder;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    CompositeViewModel composite{document};

    [[nodiscard]] QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void open(const QString& file, int page = 0) {
        document.open(file, page);
        ASSERT_TRUE(eventually([&] { return !document.activity().isBusy() && !document.activity().isFiltering(); }));
        ASSERT_TRUE(document.hasImage()) << document.activity().lastError().toStdString();
        ASSERT_TRUE(eventually([&] { return composite.state() != AsyncState::computing; }));
    }
    /// Three channels; channel c has the levels 1000 c + x + 10 y.
    QString writeCells() {
        const QString file = path("cells.ome.tif");
        writeChannelPages(file.toStdString(), {makeChannel("DAPI", 460), makeChannel("GFP", 509), makeChannel("Cy3")},
                          20, 10, [](int channel, auto x, auto y) {
                              return 1000 * channel + static_cast<int>(x) + 10 * static_cast<int>(y);
                          });
        return file;
    }
    QString writePhoto() {
        const QString file = path("photo.tif");
        const auto writer = makeRgbWriter(file.toStdString(), RgbFormat::tiff, 4, 2);
        std::vector<std::uint8_t> rgb;
        for (std::uint8_t pixel = 0; pixel < 8; ++pixel) {
            rgb.insert(rgb.end(), {pixel, static_cast<std::uint8_t>(100 + pixel), 200});
        }
        writer->write(rgb);
        writer->finish();
        return file;
    }
    /// Seven bands as Sentinel-2 names them.
    QString writeScene() {
        std::vector<Channel> bands;
        for (const char* name : {"B02", "B03", "B04", "B05", "B08", "B11", "B12"}) {
            bands.push_back(makeChannel(name));
        }
        const QString file = path("scene.tif");
        writeChannelPages(file.toStdString(), bands, 6, 5,
                          [](int band, auto x, auto) { return 100 * band + static_cast<int>(x); });
        return file;
    }
    [[nodiscard]] QStringList drawn() const {
        QStringList titles;
        for (int row = 0; row < composite.count(); ++row) {
            if (composite.isDrawn(row)) {
                titles << composite.title(row);
            }
        }
        return titles;
    }
};

TEST(ChannelLooks, OfASceneWithNamedBandsAreTrueColours) {
    ImageInfo info;
    info.photometric = "RGB";
    info.samples = 4;
    for (const auto& names : {std::vector<std::string>{"Red", "Green", "Blue", "NIR"},
                              std::vector<std::string>{"Blue", "Green", "Red", "NIR"}}) {
        info.channels.clear();
        for (std::size_t i = 0; i < names.size(); ++i) {
            info.channels.push_back(makeChannel(names[i].c_str()));
            info.channels.back().sample = static_cast<int>(i);
        }
        const std::vector<ChannelLook> looks = defaultLooks(channelsOf(info), false);
        ASSERT_EQ(looks.size(), 4U);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_TRUE(looks[i].visible) << names[i];
            EXPECT_EQ(looks[i].colour, QColor(names[i] == "Red"     ? Qt::red
                                              : names[i] == "Green" ? Qt::green
                                                                    : Qt::blue))
                << names[i];
        }
        EXPECT_FALSE(looks[3].visible) << "the infrared";
    }
    std::vector<Channel> dyes{makeChannel("red"), makeChannel("green"), makeChannel("blue"), makeChannel("nir")};
    dyes[0].colour = {0, 255, 255};
    EXPECT_TRUE(defaultLooks(dyes, false)[3].visible) << "the file has other colours";
}

TEST(ChannelLooks, HaveTheColourOfTheFileTheLightTheDyeOrThePlace) {
    const auto colourOf = [](Channel channel) {
        return defaultLooks(std::vector<Channel>{makeChannel("other"), std::move(channel)}, false)[1].colour;
    };
    EXPECT_EQ(colourOf(makeChannel("x")), QColor(Qt::green)) << "the second place";
    EXPECT_EQ(colourOf(makeChannel("DAPI")), QColor(Qt::blue));
    EXPECT_EQ(colourOf(makeChannel("Alexa Fluor 594")), QColor(Qt::red));
    EXPECT_EQ(colourOf(makeChannel("ch2: AF-647")), QColor(Qt::magenta));
    EXPECT_EQ(colourOf(makeChannel("mEGFP")), QColor(Qt::green));
    EXPECT_EQ(colourOf(makeChannel("DAPI", 600)), QColor(Qt::red)) << "the wavelength of the file";
    Channel stated = makeChannel("DAPI", 460);
    stated.colour = {1, 2, 3};
    EXPECT_EQ(colourOf(stated), QColor(1, 2, 3));
}

TEST_F(Composite, ListsTheChannelsOfPagesInColoursOfTheirLight) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    ASSERT_TRUE(composite.isPossible());
    ASSERT_EQ(composite.count(), 3);
    EXPECT_EQ(composite.title(1), QStringLiteral("GFP (509 nm)"));
    EXPECT_EQ(composite.data(composite.index(0), Qt::DecorationRole), QColor(Qt::blue));
    EXPECT_EQ(composite.look(1).colour, QColor(Qt::green));
    EXPECT_EQ(composite.sourceRow(), 0);
    EXPECT_FALSE(composite.isShown());
    EXPECT_EQ(composite.plane(0), nullptr) << "nothing is read before it is wanted";
}

TEST_F(Composite, ReadsAllChannelsWhileItIsOn) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells(), 1));
    composite.setOn(true);
    EXPECT_EQ(composite.state(), AsyncState::computing);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    ASSERT_EQ(composite.layers().size(), 3U);
    EXPECT_TRUE(composite.layers()[1].isSource);
    EXPECT_EQ(composite.layers()[2].before->image()->level(20 + 3), 2000 + 3 + 10);
    EXPECT_EQ(composite.valuesAt(3, 1), QStringLiteral("DAPI 13, GFP 1,013, Cy3 2,013"));
    EXPECT_EQ(composite.valuesAt(20, 1), QString());
    composite.setOn(false);
    EXPECT_FALSE(composite.isShown());
    EXPECT_EQ(composite.plane(0), nullptr) << "its memory is free";
}

TEST_F(Composite, PixelsThatAreStillInUseAreNotReadAgain) {
    const QString file = writeCells();
    ASSERT_NO_FATAL_FAILURE(open(file));
    const OpenRequest all = allChannels(document.request(), *document.imageInfo());
    const auto read = [&](std::vector<std::size_t> wanted) {
        return document.reading().channelReader()->read(all, {}, wanted, {});
    };
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    const auto shared = read({2, 0}).planes;
    EXPECT_EQ(shared[0].image, composite.plane(2)->pyramid->image());
    EXPECT_EQ(shared[0].channel.name, "Cy3");
    EXPECT_EQ(shared[1].image, composite.plane(0)->pyramid->image());
    composite.setOn(false);
    const Image* const before = shared[0].image.get();
    EXPECT_EQ(read({2}).planes[0].image.get(), before) << "held here";
    EXPECT_EQ(read({1}).planes[0].image->level(0), 1000) << "gone, and read again";
    ASSERT_TRUE(QFile::remove(file));
    EXPECT_THROW((void)read({1}), Error);
}

TEST_F(Composite, AnotherChannelOfTheFilterNeedsNoReading) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    const auto pyramid = composite.layers()[2].before;
    composite.filterOn(2);
    ASSERT_TRUE(eventually([&] { return composite.sourceRow() == 2; }));
    EXPECT_EQ(document.page(), 2);
    EXPECT_EQ(composite.state(), AsyncState::ready);
    EXPECT_EQ(composite.layers()[2].before, pyramid);
}

TEST_F(Composite, WindowsAreAutomaticOrSet) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    const LevelWindow automatic = composite.plane(1)->automatic;
    EXPECT_GE(automatic.low, 1000);
    EXPECT_LE(automatic.high, 1109);
    EXPECT_EQ(composite.window(1), automatic);
    QSignalSpy looks(&composite, &CompositeViewModel::looksChanged);
    composite.setWindow(1, {70000, -5});
    EXPECT_EQ(composite.window(1), (LevelWindow{65534, 65535})) << "limited to the levels";
    composite.setWindow(1, {1010, 1050});
    EXPECT_EQ(composite.layers()[1].window, (LevelWindow{1010, 1050}));
    EXPECT_EQ(looks.count(), 2);
    composite.autoWindow(1);
    EXPECT_EQ(composite.window(1), automatic);
    composite.fullWindow(1);
    EXPECT_EQ(composite.window(1), (LevelWindow{0, 65535}));
    EXPECT_EQ(levelsOf({-1, 1}, ValueMapping{-1, 0.5}), (LevelWindow{0, 4}));
    EXPECT_EQ(valuesOf({0, 4}, ValueMapping{-1, 0.5}), (ChannelWindow{-1, 1}));
    ValueMapping scaled;
    scaled.file.slope = -2;
    scaled.file.intercept = 10;
    EXPECT_EQ(ofSamples({1, 4}, scaled), (ChannelWindow{2, 8})) << "a window of the file is one of samples";
    EXPECT_EQ(ofSamples({1, 4}, std::nullopt), (ChannelWindow{1, 4}));
}

TEST_F(Composite, TheDisplaySetsTheWindowsOfAllDrawnChannels) {
    DisplayViewModel display(document);
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    const LevelWindow grey = display.window();
    display.composite().setOn(true);
    ASSERT_TRUE(eventually([&] { return display.composite().isShown(); }));
    display.composite().setVisible(2, false);
    display.fullWindow();
    EXPECT_EQ(display.composite().window(0), (LevelWindow{0, 65535}));
    EXPECT_EQ(display.composite().window(1), (LevelWindow{0, 65535}));
    EXPECT_NE(display.composite().window(2), (LevelWindow{0, 65535})) << "not drawn";
    EXPECT_EQ(display.window(), grey) << "of the channel alone";
    display.autoWindow();
    EXPECT_EQ(display.composite().window(1), display.composite().plane(1)->automatic);
}

TEST_F(Composite, SoloShowsOneChannelAndMovesWithItsRow) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    composite.setVisible(2, false);
    EXPECT_EQ(drawn(), (QStringList{"DAPI (460 nm)", "GFP (509 nm)"}));
    composite.setSolo(2);
    EXPECT_EQ(drawn(), QStringList{"Cy3"});
    ASSERT_TRUE(composite.moveRow({}, 2, {}, 0));
    EXPECT_EQ(composite.title(0), QStringLiteral("Cy3"));
    EXPECT_EQ(composite.solo(), 0);
    EXPECT_EQ(composite.sourceRow(), 1);
    composite.setSolo({});
    ASSERT_TRUE(composite.moveRow({}, 0, {}, 3));
    EXPECT_EQ(composite.title(2), QStringLiteral("Cy3"));
    EXPECT_FALSE(composite.moveRow({}, 0, {}, 0));
}

TEST_F(Composite, APhotoHasItsOwnColoursAndARowForTheLuminance) {
    ASSERT_NO_FATAL_FAILURE(open(writePhoto()));
    ASSERT_EQ(composite.count(), 4);
    EXPECT_EQ(drawn(), (QStringList{"Red", "Green", "Blue"}));
    EXPECT_EQ(composite.sourceRow(), 3) << "the luminance";
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    for (const CompositeViewModel::Layer& layer : composite.layers()) {
        EXPECT_EQ(layer.window, (LevelWindow{0, 255}));
    }
    document.reading().setChannelName(QStringLiteral("green"));
    ASSERT_TRUE(eventually([&] { return composite.count() == 3; }));
    EXPECT_EQ(composite.sourceRow(), 1);
}

TEST_F(Composite, ComputedChannelsAreShownAloneUnlessTheyAreTicked) {
    composite.setOn(true);
    ASSERT_NO_FATAL_FAILURE(open(writePhoto()));
    ASSERT_TRUE(eventually([&] { return composite.isShown(); })) << "the luminance leaves the colours";
    document.reading().setChannelName(QStringLiteral("stain(he,eosin)"));
    ASSERT_TRUE(eventually([&] { return composite.title(composite.sourceRow()) != QStringLiteral("Luminance"); }));
    EXPECT_FALSE(composite.isOn());
    EXPECT_FALSE(composite.isShown());
    EXPECT_TRUE(composite.isWanted()) << "for other channels and images";
    composite.setVisible(composite.sourceRow(), true);
    EXPECT_TRUE(composite.isOn());
    composite.setVisible(composite.sourceRow(), false);
    EXPECT_FALSE(composite.isOn());
    composite.setOn(true);
    EXPECT_TRUE(composite.isDrawn(composite.sourceRow())) << "ticked";
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    document.reading().setChannelName(QStringLiteral("green"));
    ASSERT_TRUE(eventually([&] { return composite.count() == 3; }));
    EXPECT_TRUE(composite.isOn());
}

TEST_F(Composite, ClosingLeavesNoChannels) {
    ASSERT_NO_FATAL_FAILURE(open(writeCells()));
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    document.close();
    EXPECT_FALSE(composite.isPossible());
    EXPECT_FALSE(composite.isShown());
    EXPECT_TRUE(composite.layers().empty());
}

TEST_F(Composite, BandsOfASceneAreShownInTrueOrFalseColours) {
    ASSERT_NO_FATAL_FAILURE(open(writeScene()));
    EXPECT_EQ(drawn(), (QStringList{"B02", "B03", "B04"}));
    EXPECT_EQ(composite.look(0).colour, QColor(Qt::blue));
    EXPECT_EQ(composite.look(2).colour, QColor(Qt::red));
    for (std::size_t i = 0; i < kBandComposites.size(); ++i) {
        EXPECT_TRUE(composite.offers(i)) << kBandComposites[i].title;
    }
    composite.setColourMap(4, ColourMap::viridis);
    composite.showBands(1);
    EXPECT_EQ(drawn(), (QStringList{"B03", "B04", "B08"}));
    EXPECT_EQ(composite.look(4).colour, QColor(Qt::red));
    EXPECT_FALSE(composite.look(4).map.has_value());
    EXPECT_EQ(composite.look(1).colour, QColor(Qt::blue));
    composite.resetLooks();
    EXPECT_EQ(drawn(), (QStringList{"B02", "B03", "B04"}));
}

TEST_F(Composite, LooksStayForAnImageOfTheSameChannels) {
    const QString first = writeCells();
    ASSERT_NO_FATAL_FAILURE(open(first));
    composite.setColour(1, Qt::magenta);
    composite.setGamma(0, 100);
    EXPECT_EQ(composite.look(0).gamma, kLargestGamma);
    const QString second = path("more.ome.tif");
    ASSERT_TRUE(QFile::copy(first, second));
    ASSERT_NO_FATAL_FAILURE(open(second));
    EXPECT_EQ(composite.look(1).colour, QColor(Qt::magenta));
    ASSERT_NO_FATAL_FAILURE(open(writeScene()));
    ASSERT_NO_FATAL_FAILURE(open(first));
    EXPECT_EQ(composite.look(1).colour, QColor(Qt::green));
}

TEST_F(Composite, AFileThatCannotBeReadGivesItsError) {
    const QString file = writeCells();
    ASSERT_NO_FATAL_FAILURE(open(file));
    ASSERT_TRUE(QFile::remove(file));
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.state() == AsyncState::failed; }));
    EXPECT_THAT(composite.problem().toStdString(), ::testing::HasSubstr("cells.ome.tif"));
    EXPECT_FALSE(composite.isShown());
}

TEST_F(Composite, AtMostSixteenChannelsAreVisible) {
    std::vector<Channel> bands;
    for (int i = 0; i < 20; ++i) {
        bands.push_back(makeChannel(("n" + std::to_string(i)).c_str()));
    }
    const QString file = path("many.ome.tif");
    writeChannelPages(file.toStdString(), bands, 3, 3, [](int band, auto, auto) { return band; });
    ASSERT_NO_FATAL_FAILURE(open(file));
    composite.setOn(true);
    ASSERT_TRUE(eventually([&] { return composite.isShown(); }));
    EXPECT_EQ(composite.plane(19), nullptr) << "of many channels only the visible ones are read";
    for (int row = 0; row < composite.count(); ++row) {
        EXPECT_TRUE(composite.setData(composite.index(row), Qt::Checked, Qt::CheckStateRole));
    }
    EXPECT_EQ(drawn().size(), 16);
    ASSERT_TRUE(eventually([&] { return composite.layers().size() == 16; }));
    composite.setVisible(0, false);
    composite.setVisible(19, true);
    ASSERT_TRUE(eventually([&] { return composite.plane(19) != nullptr; }));
    EXPECT_EQ(composite.plane(19)->pyramid->image()->level(0), 19);
}

} // namespace
} // namespace pollard::vm
