// Window, tone curve and colours of files, and their storage.
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/display/look_store.hpp"
#include "vm/image/look.hpp"

#include "viewmodels/support/image_world.hpp"

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

namespace pollard::vm {
namespace {

using testing::ImageWorld;
using testing::makeImage;

struct CurvePoint {
    ToneCurve curve;
    double gamma;
    double t;
    double value;
};

TEST(ToneCurve, FollowsItsFormula) {
    for (const CurvePoint& c : std::initializer_list<CurvePoint>{
             {ToneCurve::linear, 3, 0.25, 0.25},
             {ToneCurve::logarithmic, 3, 0.001, std::log(2.0) / std::log(1001.0)},
             {ToneCurve::logarithmic, 3, 0.5, std::log(501.0) / std::log(1001.0)},
             {ToneCurve::squareRoot, 3, 0.25, 0.5},
             {ToneCurve::asinh, 3, 0.1, std::asinh(1.0) / std::asinh(10.0)},
             {ToneCurve::gamma, 2, 0.5, 0.25},
             {ToneCurve::gamma, 0.5, 0.25, 0.5},
         }) {
        EXPECT_NEAR(applyCurve(c.curve, c.gamma, c.t), c.value, 1e-12) << nameOf(c.curve) << " " << c.t;
    }
    for (const ToneCurve curve : kToneCurves) {
        EXPECT_EQ(applyCurve(curve, 0.7, -1), 0) << nameOf(curve);
        EXPECT_NEAR(applyCurve(curve, 0.7, 2), 1, 1e-12) << nameOf(curve);
        EXPECT_EQ(findToneCurve(nameOf(curve)), curve);
        EXPECT_FALSE(titleOf(curve).isEmpty());
    }
    EXPECT_FALSE(findToneCurve("bent"));
}

std::shared_ptr<Image> ramp(int first) {
    return makeImage(PixelType::u16, 300, 20, [=](auto x, auto) { return static_cast<std::uint32_t>(first) + x; });
}

/// A display with a settings file, which a second one can read like after a restart.
class DisplayLook : public ::testing::Test {
protected:
    QTemporaryDir folder;
    QString store = folder.filePath("settings.ini");
    QSettings settings{store, QSettings::IniFormat};
    ImageWorld images;
    LookStore memory{&settings};
    DisplayViewModel display{images.document, &memory};
};

TEST_F(DisplayLook, EveryFileKeepsItsOwn) {
    ASSERT_NO_FATAL_FAILURE(images.open("a", ramp(2000)));
    display.setWindow(2100, 2200);
    display.setToneCurve(ToneCurve::gamma);
    display.setGamma(0.5);
    display.setColourMap(ColourMap::magma);
    display.setInverted(true);
    ASSERT_NO_FATAL_FAILURE(images.open("b", ramp(500)));
    EXPECT_EQ(display.window(), (LevelWindow{500, 799}));
    EXPECT_EQ(display.toneCurve(), ToneCurve::linear);
    EXPECT_EQ(display.colourMap(), ColourMap::magma) << "a new file gets the colours that were chosen last";
    display.setColourMap(ColourMap::turbo);
    display.setInverted(false);
    QSignalSpy windows(&display, &DisplayViewModel::windowChanged);
    ASSERT_NO_FATAL_FAILURE(images.open("a"));
    EXPECT_EQ(windows.size(), 1);
    EXPECT_EQ(display.window(), (LevelWindow{2100, 2200}));
    EXPECT_EQ(display.toneCurve(), ToneCurve::gamma);
    EXPECT_EQ(display.gamma(), 0.5);
    EXPECT_EQ(display.colourMap(), ColourMap::magma);
    EXPECT_TRUE(display.isInverted());
    ASSERT_NO_FATAL_FAILURE(images.open("b"));
    EXPECT_EQ(display.colourMap(), ColourMap::turbo);
    EXPECT_FALSE(display.isInverted());
}

TEST_F(DisplayLook, IsRememberedAfterARestart) {
    {
        LookStore first(&settings);
        DisplayViewModel shown(images.document, &first);
        ASSERT_NO_FATAL_FAILURE(images.open("a", ramp(2000)));
        shown.setWindow(2100, 2200);
        shown.setToneCurve(ToneCurve::logarithmic);
        shown.setColourMap(ColourMap::cividis);
        images.document.close();
    }
    settings.sync();
    QSettings again(store, QSettings::IniFormat);
    LookStore later(&again);
    DisplayViewModel shown(images.document, &later);
    EXPECT_EQ(shown.colourMap(), ColourMap::cividis);
    ASSERT_NO_FATAL_FAILURE(images.open("a"));
    EXPECT_EQ(shown.window(), (LevelWindow{2100, 2200}));
    EXPECT_EQ(shown.toneCurve(), ToneCurve::logarithmic);
}

TEST_F(DisplayLook, PagesOfAFileShareIt) {
    images.files["stack"] = {{ramp(2000), nullptr, {}, 0}, {ramp(3000), nullptr, {}, 0}};
    ASSERT_NO_FATAL_FAILURE(images.open("stack"));
    display.setToneCurve(ToneCurve::squareRoot);
    images.document.reading().setPage(1);
    ASSERT_TRUE(images.rests());
    EXPECT_EQ(display.toneCurve(), ToneCurve::squareRoot);
    EXPECT_EQ(display.window(), (LevelWindow{3000, 3299})) << "an automatic window is chosen for every page";
    display.setWindow(2000, 4000);
    images.document.reading().setPage(0);
    ASSERT_TRUE(images.rests());
    EXPECT_EQ(display.window(), (LevelWindow{2000, 4000}));
    display.autoWindow();
    EXPECT_EQ(display.window(), (LevelWindow{2000, 2299}));
    images.document.reading().setPage(1);
    ASSERT_TRUE(images.rests());
    EXPECT_EQ(display.window(), (LevelWindow{3000, 3299}));
}

TEST_F(DisplayLook, CanBeTheSameForAllFiles) {
    ASSERT_NO_FATAL_FAILURE(images.open("a", ramp(2000)));
    display.setWindow(100, 900);
    QSignalSpy locks(&display, &DisplayViewModel::sameForAllChanged);
    display.setSameForAll(true);
    display.setColourMap(ColourMap::viridis);
    ASSERT_NO_FATAL_FAILURE(images.open("b", ramp(500)));
    EXPECT_EQ(display.window(), (LevelWindow{100, 900}));
    EXPECT_EQ(display.colourMap(), ColourMap::viridis);
    ASSERT_NO_FATAL_FAILURE(images.open("eight", makeImage(PixelType::u8, 9, 9, [](auto x, auto) { return x; })));
    EXPECT_EQ(display.window(), (LevelWindow{0, 255})) << "levels of 16 bits say nothing about 8";
    EXPECT_EQ(display.colourMap(), ColourMap::viridis);
    display.setSameForAll(false);
    EXPECT_EQ(locks.size(), 2);
    ASSERT_NO_FATAL_FAILURE(images.open("a"));
    EXPECT_EQ(display.colourMap(), ColourMap::grey) << "as it was before all became the same";
    EXPECT_EQ(display.window(), (LevelWindow{100, 900}));
}

TEST_F(DisplayLook, PercentagesSetTheAutomaticWindow) {
    ASSERT_NO_FATAL_FAILURE(images.open("a", makeImage(PixelType::u16, 1000, 10, [](auto x, auto) { return x; })));
    EXPECT_EQ(display.window(), (LevelWindow{0, 998}));
    display.setAutoLow(10);
    EXPECT_EQ(display.window(), (LevelWindow{99, 998}));
    display.setAutoHigh(60);
    EXPECT_EQ(display.window(), (LevelWindow{99, 599}));
    display.setAutoLow(80);
    EXPECT_EQ(display.autoLow(), DisplayViewModel::kLargestAutoLow);
    display.setAutoHigh(std::nan(""));
    EXPECT_EQ(display.autoHigh(), 60);
    EXPECT_LT(display.windowLow(), display.windowHigh());
}

TEST_F(DisplayLook, TheWindowOfTheFileIsTheFirstOne) {
    ValueMapping ct;
    ct.offset = -1024;
    ct.unit = "HU";
    const auto open = [&](const char* name, ChannelWindow window) {
        images.files[name] = {{ramp(900), nullptr, ct, 16, window}}; // -124 to 175 HU
        images.open(name);
    };
    ASSERT_NO_FATAL_FAILURE(open("soft", {-160, 239}));
    EXPECT_EQ(display.window(), (LevelWindow{864, 1263})) << "values, not samples";
    display.autoWindow();
    EXPECT_NE(display.window(), (LevelWindow{864, 1263}));
    ASSERT_NO_FATAL_FAILURE(open("beyond", {500, 900}));
    EXPECT_EQ(display.window(), (LevelWindow{900, 1199})) << "automatic, because all would be black";
    ASSERT_NO_FATAL_FAILURE(open("lung", {-1350, 150}));
    EXPECT_EQ(display.window(), (LevelWindow{0, 1174})) << "within the levels";
    const auto info = images.document.imageInfo();
    QStringList texts;
    for (const NamedWindow& each : namedWindows(info.get())) {
        texts << each.id + u' ' + each.valuesText();
    }
    EXPECT_EQ(texts.join(u'\n').remove(u',').toStdString(),
              "file -1350 to 150 HU\nbrain 0 to 80 HU\nbone -700 to 1300 HU\n"
              "lung -1350 to 150 HU\nsoftTissue -160 to 240 HU");
}

TEST_F(DisplayLook, ZscaleIsAboutTheMedianOfTheValues) {
    // 1900 pixels from 1001 to 1009 and 100 far above them
    images.files["sky"] = {{makeImage(PixelType::u16, 100, 20,
                                      [](auto x, auto y) {
                                          const auto i = y * 100 + x;
                                          return i % 20 == 0 ? 60000U : static_cast<unsigned>(1000 + i / 2 % 10);
                                      }),
                            nullptr,
                            {},
                            16,
                            {}}};
    ASSERT_NO_FATAL_FAILURE(images.open("sky"));
    display.zscaleWindow();
    // astropy: ZScaleInterval().get_limits(values)
    EXPECT_NEAR(display.windowLow(), 1001.0, 1e-9);
    EXPECT_NEAR(display.windowHigh(), 1025.3843281984284, 1e-9);
    EXPECT_EQ(display.look().window, Look::Window::fixed);
}

TEST_F(DisplayLook, NamedWindowsAreOfTheFileOrOfHounsfieldUnits) {
    EXPECT_TRUE(namedWindows(nullptr).isEmpty());
    ImageInfo info;
    EXPECT_TRUE(namedWindows(&info).isEmpty());
    info.mapping.emplace().unit = "K";
    EXPECT_TRUE(namedWindows(&info).isEmpty());
    info.window = ChannelWindow{0.5, 300};
    ASSERT_EQ(namedWindows(&info).size(), 1);
    EXPECT_EQ(namedWindows(&info).front().values, (ChannelWindow{0.5, 300}));
    info.mapping->unit = "HU";
    EXPECT_EQ(namedWindows(&info).size(), 5);
}

TEST_F(DisplayLook, LevelsThatStandForValuesAreRememberedAsValues) {
    // The second page maps other values to the levels: 0 .. 131070 instead of -1000 .. 64535.
    ValueMapping first;
    first.offset = -1000;
    ValueMapping second;
    second.step = 2;
    images.files["signed"] = {{ramp(2000), nullptr, first, 32}, {ramp(2000), nullptr, second, 32}};
    ASSERT_NO_FATAL_FAILURE(images.open("signed"));
    EXPECT_TRUE(display.hasValues());
    EXPECT_EQ(display.valueOf(2000), 1000);
    EXPECT_EQ(display.levelOf(1000), 2000);
    display.setWindow(3000, 5000); // values 2000 to 4000
    images.document.reading().setPage(1);
    ASSERT_TRUE(images.rests());
    EXPECT_EQ(display.window(), (LevelWindow{1000, 2000}));
    EXPECT_EQ(display.valueStep(), 2);
    images.document.reading().setPage(0);
    ASSERT_TRUE(images.rests());
    EXPECT_EQ(display.window(), (LevelWindow{3000, 5000}));
    EXPECT_FALSE(display.saturation()) << "every mapping reaches the ends of the levels";
}

/// The marks of the shader, pixel by pixel.
Saturation marked(const Image& image, const Mask* valid, LevelWindow window) {
    Saturation counted;
    for (std::uint32_t y = 0; y < image.height(); ++y) {
        for (std::uint32_t x = 0; x < image.width(); ++x) {
            if (valid != nullptr && !valid->test(x, y)) {
                continue;
            }
            const double level = image.level(std::size_t{y} * image.width() + x);
            const bool low = level <= window.low + 0.05;
            counted.black += low ? 1U : 0U;
            counted.white += !low && level >= window.high - 0.05 ? 1U : 0U;
            ++counted.pixels;
        }
    }
    return counted;
}

TEST_F(DisplayLook, CountsWhatTheWindowClipsAsItIsMarked) {
    testing::Random random(5);
    for (const PixelType type : {PixelType::u8, PixelType::u16}) {
        const auto most = static_cast<std::uint32_t>(maxLevelOf(type));
        const auto image = makeImage(type, 67, 41, [&](auto, auto) { return random() % (most + 1); });
        auto valid = std::make_shared<Mask>(67, 41, true);
        for (std::uint32_t x = 0; x < 67; ++x) {
            valid->set(x, 7, false);
        }
        // Integer levels, and values between two levels.
        for (const std::optional<ValueMapping>& mapping :
             {std::optional<ValueMapping>(), std::optional(ValueMapping{-10, 0.37})}) {
            images.files["p"] = {{image, valid, mapping, 0}};
            ASSERT_NO_FATAL_FAILURE(images.open("p"));
            for (int i = 0; i < 40; ++i) {
                const double low = 0.001 * (random() % (1000 * most));
                display.setWindow(i % 2 == 0 ? low : std::floor(low), low + 0.25 * (random() % (2 * most)));
                ASSERT_EQ(display.clipped(), marked(*image, valid.get(), display.window()))
                    << display.windowLow() << " to " << display.windowHigh();
            }
            display.fullWindow();
            ASSERT_EQ(display.clipped(), marked(*image, valid.get(), display.window()));
        }
    }
}

TEST_F(DisplayLook, TellsWhatIsMarkedBesideWhatIsSaturated) {
    ASSERT_NO_FATAL_FAILURE(images.open("a", makeImage(PixelType::u8, 100, 10, [](auto x, auto y) -> std::uint32_t {
                                            return y > 0 ? 100 : x < 2 ? 10 : x < 5 ? 200 : 100;
                                        })));
    display.setWindow(0, 255);
    EXPECT_EQ(display.clippedText().toStdString(), "Clipped by the window: none white, none black");
    QSignalSpy windows(&display, &DisplayViewModel::windowChanged);
    display.setWindow(10, 200);
    EXPECT_EQ(windows.size(), 1) << "the text follows it";
    EXPECT_EQ(display.clippedText().toStdString(), "Clipped by the window: 3 px (0.30 %) white, 2 px (0.20 %) black");
    EXPECT_EQ(display.saturationText().toStdString(), "Saturated in the file: none white, none black");
    images.document.close();
    EXPECT_TRUE(display.clippedText().isEmpty());
}

TEST_F(DisplayLook, CountsWhatIsSaturated) {
    images.files["twelve"] = {{makeImage(PixelType::u16, 100, 10,
                                         [](auto x, auto y) -> std::uint32_t {
                                             return y > 0 ? 7 : x < 3 ? 4095 : x < 8 ? 0 : 9;
                                         }),
                               nullptr,
                               {},
                               12}};
    ASSERT_NO_FATAL_FAILURE(images.open("twelve"));
    EXPECT_EQ(display.saturation(), (Saturation{5, 3, 1000}));
    EXPECT_EQ(display.saturationText().toStdString(),
              "Saturated in the file: 3 px (0.30 %) white, 5 px (0.50 %) black");
    images.files["bits"] = {{makeImage(PixelType::u8, 8, 8, [](auto x, auto) { return x % 2; }), nullptr, {}, 1}};
    ASSERT_NO_FATAL_FAILURE(images.open("bits"));
    EXPECT_FALSE(display.saturation());
    EXPECT_TRUE(display.saturationText().isEmpty());
}

TEST_F(DisplayLook, SettersTellOnlyChanges) {
    QSignalSpy curves(&display, &DisplayViewModel::toneCurveChanged);
    QSignalSpy colours(&display, &DisplayViewModel::colourMapChanged);
    QSignalSpy marks(&display, &DisplayViewModel::marksChanged);
    for (int i = 0; i < 2; ++i) {
        display.setToneCurve(ToneCurve::gamma);
        display.setGamma(9);
        display.setInverted(true);
        display.setMarksSaturation(true);
    }
    EXPECT_EQ(curves.size(), 2);
    EXPECT_EQ(colours.size(), 1);
    EXPECT_EQ(marks.size(), 1);
    EXPECT_EQ(display.gamma(), kLargestGamma);
    display.setGamma(0);
    EXPECT_EQ(display.gamma(), kSmallestGamma);
}

TEST(Look, IsTheSameAfterJson) {
    Look look;
    look.window = Look::Window::fixed;
    look.range = {-3.5e-7, 1e12};
    look.inValues = true;
    look.maxLevel = 65535;
    look.curve = ToneCurve::gamma;
    look.gamma = 0.37;
    look.map = ColourMap::turbo;
    look.inverted = true;
    EXPECT_EQ(lookFromJson(toJson(look)), look);
    EXPECT_EQ(lookFromJson(toJson(Look{})), Look{});
    for (const char* key : {"window", "curve", "map", "gamma", "low", "high", "maxLevel"}) {
        QJsonObject broken = toJson(look);
        broken.remove(key);
        EXPECT_FALSE(lookFromJson(broken)) << key;
    }
    QJsonObject backwards = toJson(look);
    backwards["low"] = 2e12;
    EXPECT_FALSE(lookFromJson(backwards));
}

TEST(LookStore, HoldsTheLatestHundredFiles) {
    LookStore memory;
    Look look;
    for (int i = 0; i < 105; ++i) {
        look.gamma = 1 + i * 0.01;
        memory.remember(QString::number(i), look);
    }
    EXPECT_EQ(memory.size(), LookStore::kMaxFiles);
    EXPECT_EQ(memory.recall("4"), Look{});
    EXPECT_EQ(memory.recall("5").gamma, 1.05);
    EXPECT_EQ(memory.recall("104").gamma, 1 + 104 * 0.01);
    memory.clear();
    EXPECT_EQ(memory.size(), 0U);
}

TEST(LookStore, HoldsAFileOnce) {
    LookStore memory;
    Look look;
    memory.remember("a", look);
    look.gamma = 2;
    memory.remember("a", look);
    EXPECT_EQ(memory.size(), 1U);
    EXPECT_EQ(memory.recall("a").gamma, 2);
}

TEST(LookStore, TakesOverTheOldInvertedGrey) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    settings.setValue("display/colourMap", "inverted-grey");
    const LookStore memory(&settings);
    EXPECT_EQ(memory.recall("any").map, ColourMap::grey);
    EXPECT_TRUE(memory.recall("any").inverted);
}

TEST(LookStore, NonsenseInTheFileIsForgotten) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    settings.setValue("display/colourMap", "mauve");
    settings.setValue("display/files", R"([{"path": "/a"}, 7, {"path": "", "map": "grey"}])");
    settings.setValue("display/sharedLook", "{");
    const LookStore memory(&settings);
    EXPECT_EQ(memory.size(), 0U);
    EXPECT_FALSE(memory.isShared());
    EXPECT_EQ(memory.recall("/a"), Look{});
}

TEST(DisplayPreferences, AreKept) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    ImageWorld images;
    {
        DisplayViewModel display(images.document);
        HistogramViewModel histogram(images.document, display);
        keepDisplayPreferences(settings, display, histogram);
        display.setAutoLow(2);
        display.setMarksSaturation(true);
        display.compare().setBlinkInterval(1.5);
        display.compare().setBlinkByItself(false);
        display.compare().setAbsolute(true);
        display.compare().setMode(CompareViewModel::Mode::blink);
        histogram.setSource(HistogramViewModel::Source::view);
    }
    DisplayViewModel display(images.document);
    HistogramViewModel histogram(images.document, display);
    keepDisplayPreferences(settings, display, histogram);
    EXPECT_EQ(display.autoLow(), 2);
    EXPECT_EQ(display.autoHigh(), 99.9);
    EXPECT_TRUE(display.marksSaturation());
    EXPECT_EQ(display.compare().blinkInterval(), 1.5);
    EXPECT_FALSE(display.compare().blinksByItself());
    EXPECT_TRUE(display.compare().isAbsolute());
    EXPECT_EQ(display.compare().mode(), CompareViewModel::Mode::off) << "nothing blinks without being asked to";
    EXPECT_EQ(histogram.source(), HistogramViewModel::Source::view);
}

} // namespace
} // namespace pollard::vm
