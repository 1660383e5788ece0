// The spectrum, the profile and the presets with a real document.
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/tree/attribute_analysis.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QDir>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pollard::vm {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using testing::makeImage;
using testing::Random;
using ::testing::SizeIs;

class AnalysisViewModels : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    FilterViewModel filter{document};
    SpectrumViewModel spectrum{document, filter};
    ProfileViewModel profile{document, filter};
    PresetViewModel presets{document, filter, QStringLiteral(POLLARD_SOURCE_DIR "/resources/samples")};

    [[nodiscard]] bool idle() const { return !document.activity().isBusy() && !document.activity().isFiltering(); }
    void open(const std::shared_ptr<const Image>& image, const char* name = "a.tif") {
        const QString path = directory.filePath(QLatin1String(name));
        writeTiff(path.toStdString(), *image);
        document.open(path);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        ASSERT_EQ(document.activity().state(), DocumentActivity::State::ready)
            << document.activity().lastError().toStdString();
    }
    [[nodiscard]] bool measured() {
        return eventually([&] { return spectrum.state() == SpectrumViewModel::State::ready; });
    }
    [[nodiscard]] bool profiled() {
        return eventually([&] { return profile.state() == ProfileViewModel::State::ready; });
    }
    static std::shared_ptr<const Image> noise(std::uint32_t side) {
        Random random(3);
        return makeImage(PixelType::u16, side, side, [&](auto, auto) { return random() % 3000; });
    }
};

TEST_F(AnalysisViewModels, SpectrumSharesSumUpToTheWholeMass) {
    ASSERT_NO_FATAL_FAILURE(open(noise(60)));
    EXPECT_EQ(spectrum.state(), SpectrumViewModel::State::empty) << "no view shows it";
    spectrum.setActive(true);
    ASSERT_TRUE(measured());
    EXPECT_EQ(spectrum.attribute(), AttributeId::area);
    double sum = 0;
    for (int bin = 0; bin < spectrum.bins(); ++bin) {
        sum += spectrum.share(bin);
        EXPECT_LT(spectrum.edge(bin), spectrum.edge(bin + 1));
        EXPECT_LE(spectrum.share(bin), spectrum.largestShare());
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    ASSERT_THAT(spectrum.curve(), SizeIs(static_cast<std::size_t>(spectrum.bins()) + 1));
    EXPECT_EQ(spectrum.curve().front().share, 0);
    EXPECT_NEAR(spectrum.curve().back().share, 1, 1e-9);
    EXPECT_TRUE(spectrum.readout(0).contains(QLatin1String("area")));
    EXPECT_TRUE(spectrum.readout(-1).isEmpty());
    EXPECT_TRUE(spectrum.readout(spectrum.bins()).isEmpty());
}

TEST_F(AnalysisViewModels, SelectedBinsBecomeTheCriterionThatCountsTheirNodes) {
    ASSERT_NO_FATAL_FAILURE(open(noise(60)));
    spectrum.setActive(true);
    ASSERT_TRUE(measured());
    for (const auto& [first, last] :
         {std::pair(0, 0), std::pair(12, 12), std::pair(9, 4), std::pair(0, spectrum.bins() - 1)}) {
        QSignalSpy changes(&filter, &FilterViewModel::specChanged);
        spectrum.select(first, last);
        EXPECT_LE(changes.count(), 1);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        const auto [low, high] = std::minmax(first, last);
        std::uint64_t inside = 0;
        const auto& shares = spectrum.spectrum()->shares;
        for (int bin = low; bin <= high; ++bin) {
            inside += shares[static_cast<std::size_t>(bin)].nodes;
        }
        // The root is always kept and in no bin.
        const auto area = document.attribute(AttributeId::area);
        std::uint64_t kept = 1;
        for (std::size_t node = 1; node < area->size(); ++node) {
            kept += area->at(node) >= filter.minimum() && area->at(node) <= filter.maximum() ? 1 : 0;
        }
        EXPECT_EQ(kept, inside + 1) << first << " to " << last;
        EXPECT_EQ(document.shown().frame.report.keptNodes, inside + 1);
    }
    const FilterSpec before = filter.spec();
    ASSERT_LT(std::floor(spectrum.edge(2)), spectrum.edge(1)) << "no whole number lies in bin 1";
    spectrum.select(1, 1);
    spectrum.select(-1, 3);
    spectrum.select(0, spectrum.bins());
    EXPECT_EQ(filter.spec(), before) << "bins that are not there";
}

TEST_F(AnalysisViewModels, SpectrumFollowsTheCriterionTheTreeAndItsOwnChoices) {
    ASSERT_NO_FATAL_FAILURE(open(noise(40)));
    spectrum.setActive(true);
    ASSERT_TRUE(measured());
    filter.setAttribute(AttributeId::height);
    EXPECT_EQ(spectrum.attribute(), AttributeId::height);
    ASSERT_TRUE(measured());
    EXPECT_EQ(spectrum.spectrum()->attribute, AttributeId::height);
    spectrum.setAttribute(AttributeId::volume);
    EXPECT_EQ(filter.attribute(), AttributeId::height) << "looking is no choice";
    ASSERT_TRUE(measured());
    EXPECT_EQ(spectrum.spectrum()->attribute, AttributeId::volume);
    EXPECT_EQ(spectrum.spectrum()->bins.scale, BinScale::log);
    spectrum.setLogarithmic(false);
    ASSERT_TRUE(measured());
    EXPECT_EQ(spectrum.spectrum()->bins.scale, BinScale::linear);
    spectrum.setBinCount(10);
    ASSERT_TRUE(measured());
    EXPECT_EQ(spectrum.bins(), 10);
    spectrum.setBinCount(100000);
    EXPECT_EQ(spectrum.binCount(), SpectrumViewModel::kMostBins);
    ASSERT_TRUE(measured());
    const auto old = spectrum.spectrum();
    document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(eventually([&] { return idle() && spectrum.state() == SpectrumViewModel::State::ready; }));
    EXPECT_NE(spectrum.spectrum()->rootLevel, old->rootLevel);
    document.close();
    EXPECT_EQ(spectrum.state(), SpectrumViewModel::State::empty);
    EXPECT_EQ(spectrum.bins(), 0);
}

TEST_F(AnalysisViewModels, FlatImagesHaveNoSpectrumAndNoProfile) {
    ASSERT_NO_FATAL_FAILURE(open(makeImage(PixelType::u8, 20, 20, [](auto, auto) { return 9U; })));
    spectrum.setActive(true);
    profile.setActive(true);
    ASSERT_TRUE(eventually([&] { return spectrum.isFlat(); }));
    ASSERT_TRUE(profiled());
    EXPECT_TRUE(profile.thumbnails().empty());
    EXPECT_EQ(spectrum.largestShare(), 0);
}

TEST_F(AnalysisViewModels, ProfileShowsWhatTheFilterGives) {
    ASSERT_NO_FATAL_FAILURE(open(noise(50)));
    profile.setActive(true);
    ASSERT_TRUE(profiled());
    EXPECT_TRUE(profile.followsSpectrum());
    EXPECT_FALSE(profile.thresholds().empty());
    EXPECT_TRUE(std::ranges::is_sorted(profile.thresholds()));
    EXPECT_EQ(profile.setThresholdsText(QStringLiteral(" 50, 2;10 10")), QString());
    EXPECT_EQ(profile.thresholdsText(), QStringLiteral("2, 10, 50"));
    ASSERT_TRUE(profiled());
    ASSERT_THAT(profile.thumbnails(), SizeIs(3));
    for (int number = 0; number < 3; ++number) {
        profile.select(number);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        EXPECT_EQ(profile.current(), number);
        const ProfileThumbnail& thumbnail = profile.thumbnails()[static_cast<std::size_t>(number)];
        EXPECT_EQ(filter.minimum(), thumbnail.threshold);
        EXPECT_EQ(document.shown().frame.report.keptNodes, thumbnail.keptNodes);
        // An image that is smaller than a thumbnail is shown pixel by pixel.
        ASSERT_EQ(thumbnail.image->pixelCount(), document.result()->pixelCount());
        EXPECT_TRUE(std::equal(thumbnail.image->data(), thumbnail.image->data() + thumbnail.image->bytes(),
                               document.result()->data()));
    }
    profile.select(-1);
    EXPECT_TRUE(filter.spec().criteria.empty());
    EXPECT_EQ(profile.current(), -1);
}

TEST_F(AnalysisViewModels, ProfileShowsTheImageOutsideTheRegion) {
    ASSERT_NO_FATAL_FAILURE(open(noise(50)));
    const auto region = std::make_shared<Mask>(50, 50, false);
    for (std::uint32_t y = 10; y < 40; ++y) {
        region->setRun(5, 30, y, true);
    }
    document.choices().setDomain(region);
    ASSERT_TRUE(eventually([&] { return idle() && document.shown().domain == region; }));
    profile.setActive(true);
    profile.setThresholdsText(QStringLiteral("20"));
    ASSERT_TRUE(profiled());
    profile.select(0);
    ASSERT_TRUE(eventually([&] { return idle(); }));
    const Image& image = *profile.thumbnails().front().image;
    ASSERT_EQ(image.bytes(), document.result()->bytes());
    EXPECT_TRUE(std::equal(image.data(), image.data() + image.bytes(), document.result()->data()));
    EXPECT_FALSE(std::equal(image.data(), image.data() + image.bytes(), document.image()->data()));
}

TEST_F(AnalysisViewModels, DifferencesOfAProfileAddUpToTheImage) {
    const auto image = noise(50);
    ASSERT_NO_FATAL_FAILURE(open(image));
    profile.setActive(true);
    profile.setThresholdsText(QStringLiteral("3 9 40"));
    ASSERT_TRUE(profiled());
    const auto last = profile.thumbnails().back().image;
    profile.setDifferential(true);
    ASSERT_TRUE(eventually([&] { return profile.showsDifferences(); }));
    for (std::size_t pixel = 0; pixel < image->pixelCount(); ++pixel) {
        int sum = last->level(pixel);
        for (const ProfileThumbnail& each : profile.thumbnails()) {
            sum += each.image->level(pixel);
        }
        ASSERT_EQ(sum, image->level(pixel));
    }
}

TEST_F(AnalysisViewModels, ProfileTakesThresholdsOfTheLocale) {
    ASSERT_NO_FATAL_FAILURE(open(noise(20)));
    const QLocale before;
    struct Typed {
        const char* locale;
        const char* text;
        const char* shown;
    };
    for (const auto& [locale, text, shown] :
         {Typed{"de_DE", "1e3, 2,5; 1,25 1.5", "1,25; 1,5; 2,5; 1000"}, Typed{"de_DE", "1.000, 20", "20; 1000"},
          Typed{"fr_FR", "10,100", "10,1"}, Typed{"C", "1e3,2.5, 7", "2.5, 7, 1000"}}) {
        QLocale::setDefault(QLocale(QLatin1String(locale)));
        EXPECT_EQ(profile.setThresholdsText(QLatin1String(text)), QString()) << locale << ' ' << text;
        EXPECT_EQ(profile.thresholdsText(), QLatin1String(shown)) << locale << ' ' << text;
    }
    QLocale::setDefault(before);
}

TEST_F(AnalysisViewModels, ProfileRefusesWhatIsNoListOfNumbers) {
    for (const char* text : {"", "  ,", "3, x", "nan", "1e999"}) {
        EXPECT_FALSE(profile.setThresholdsText(QLatin1String(text)).isEmpty()) << text;
    }
    QString many;
    for (int i = 0; i < 100; ++i) {
        many += QString::number(i) + u' ';
    }
    EXPECT_FALSE(profile.setThresholdsText(many).isEmpty());
    EXPECT_TRUE(profile.followsSpectrum());
    EXPECT_TRUE(profile.setThresholdsText(QStringLiteral("5")).isEmpty());
    EXPECT_FALSE(profile.followsSpectrum());
    filter.setAttribute(AttributeId::height);
    EXPECT_TRUE(profile.followsSpectrum()) << "areas are no heights";
}

TEST_F(AnalysisViewModels, ThumbnailsOfLargeImagesAreMeansOfTheirPlaces) {
    // Bright on the left, dark on the right, with a bright spot to be removed.
    const auto image = makeImage(PixelType::u8, 1200, 600, [](auto x, auto y) {
        return x < 600 ? 200U : x == 900 && y == 300 ? 90U : 40U;
    });
    const auto small = makeThumbnail(*image, 60);
    ASSERT_EQ(small->width(), 60U);
    ASSERT_EQ(small->height(), 30U);
    EXPECT_EQ(small->level(0), 200);
    EXPECT_EQ(small->level(59), 40);
    const auto tall = makeThumbnail(*makeImage(PixelType::u8, 1, 1000, [](auto, auto y) { return y / 4; }), 10);
    EXPECT_EQ(tall->width(), 1U);
    EXPECT_EQ(tall->height(), 10U);
}

TEST_F(AnalysisViewModels, PresetsSetTreeAndFilterOfTheOpenImage) {
    ASSERT_NO_FATAL_FAILURE(open(noise(40)));
    for (int preset = 0; preset < presets.count(); ++preset) {
        QSignalSpy applied(&presets, &PresetViewModel::applied);
        presets.apply(preset);
        EXPECT_EQ(applied.count(), 1);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        const Recipe& recipe = findPreset(presets.name(preset).toStdString())->recipe;
        const auto& tree = std::get<TreeStep>(recipe.steps[0]);
        EXPECT_EQ(document.tree()->kind, tree.kind);
        EXPECT_EQ(document.tree()->connectivity, tree.connectivity);
        EXPECT_EQ(document.resultSpec().output, std::get<FilterStep>(recipe.steps[1]).filter.output);
        EXPECT_EQ(document.resultSpec().match, std::get<FilterStep>(recipe.steps[1]).filter.match);
    }
    EXPECT_EQ(presets.find(QStringLiteral("none")), -1);
}

TEST_F(AnalysisViewModels, PresetsOpenTheirSamples) {
    for (int preset = 0; preset < presets.count(); ++preset) {
        presets.openSample(preset);
        ASSERT_TRUE(eventually([&] { return idle(); }));
        const Recipe& recipe = findPreset(presets.name(preset).toStdString())->recipe;
        EXPECT_TRUE(document.path().endsWith(QString::fromStdString(recipe.sample)));
        FilterSpec wanted = std::get<FilterStep>(recipe.steps[1]).filter;
        for (Criterion& criterion : wanted.criteria) {
            criterion.grey.clear(); // the levels of the samples are values
        }
        EXPECT_EQ(document.resultSpec().criteria, wanted.criteria) << presets.title(preset).toStdString();
        EXPECT_EQ(document.resultSpec(), wanted);
        EXPECT_GT(document.shown().frame.report.changedPixels, 0U);
    }
}

TEST_F(AnalysisViewModels, PresetsApplyWithoutLive) {
    ASSERT_NO_FATAL_FAILURE(open(noise(40)));
    filter.setLive(false);
    presets.apply(presets.find(QStringLiteral("uneven-background")));
    ASSERT_TRUE(eventually([&] { return idle(); }));
    EXPECT_EQ(document.resultSpec().output, Output::residue);
    EXPECT_FALSE(filter.isPending());
}

TEST_F(AnalysisViewModels, TellsWhenASampleIsMissing) {
    QTemporaryDir none;
    PresetViewModel poor(document, filter, none.path());
    QSignalSpy failed(&poor, &PresetViewModel::failed);
    poor.openSample(0);
    EXPECT_EQ(failed.count(), 1);
    EXPECT_FALSE(document.hasImage());
}

} // namespace
} // namespace pollard::vm
