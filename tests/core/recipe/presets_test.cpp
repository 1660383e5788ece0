// Every preset has the effect it describes, on its sample and on images drawn here.
#include "recipe/presets.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "recipe/run_recipe.hpp"
#include "support/random_images.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

namespace pollard {
namespace {

using testing::makeImage;
using testing::Random;

const std::filesystem::path kResources = std::filesystem::path(POLLARD_SOURCE_DIR) / "resources";

LoadedImage sampleOf(const std::string& preset) {
    return readImage(kResources / "samples" / findPreset(preset)->recipe.sample);
}

RecipeResult run(const std::string& preset, const LoadedImage& loaded) {
    static EngineRegistry registry{makeCpuEngine()};
    return runRecipe(findPreset(preset)->recipe, loaded, registry.select("cpu"));
}

LoadedImage loadedAs(std::shared_ptr<const Image> image) {
    LoadedImage loaded;
    loaded.image = std::move(image);
    return loaded;
}

/// Connected sets (4 neighbours) of pixels whose level is at least @p threshold, by flooding.
struct Blob {
    std::size_t area = 0;
    double x = 0; ///< of the centroid
    double y = 0;
};
std::vector<Blob> blobs(const Image& image, std::uint16_t threshold, std::size_t smallest) {
    std::vector<bool> seen(image.pixelCount(), false);
    std::vector<Blob> found;
    for (std::size_t start = 0; start < image.pixelCount(); ++start) {
        if (seen[start] || image.level(start) < threshold) {
            continue;
        }
        Blob blob;
        std::vector<std::size_t> open{start};
        seen[start] = true;
        while (!open.empty()) {
            const std::size_t pixel = open.back();
            open.pop_back();
            const std::size_t x = pixel % image.width();
            const std::size_t y = pixel / image.width();
            ++blob.area;
            blob.x += static_cast<double>(x);
            blob.y += static_cast<double>(y);
            const auto visit = [&](bool there, std::size_t next) {
                if (there && !seen[next] && image.level(next) >= threshold) {
                    seen[next] = true;
                    open.push_back(next);
                }
            };
            visit(x > 0, pixel - 1);
            visit(x + 1 < image.width(), pixel + 1);
            visit(y > 0, pixel - image.width());
            visit(y + 1 < image.height(), pixel + image.width());
        }
        if (blob.area >= smallest) {
            blob.x /= static_cast<double>(blob.area);
            blob.y /= static_cast<double>(blob.area);
            found.push_back(blob);
        }
    }
    return found;
}

/// The levels below which a share of the pixels of each block lies.
std::vector<int> blockQuantiles(const Image& image, std::uint32_t side, double share) {
    std::vector<int> quantiles;
    for (std::uint32_t top = 0; top + side <= image.height(); top += side) {
        for (std::uint32_t left = 0; left + side <= image.width(); left += side) {
            std::vector<int> levels;
            for (std::uint32_t y = top; y < top + side; ++y) {
                for (std::uint32_t x = left; x < left + side; ++x) {
                    levels.push_back(image.level(std::size_t{y} * image.width() + x));
                }
            }
            const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(share * double(levels.size()));
            std::nth_element(levels.begin(), middle, levels.end());
            quantiles.push_back(*middle);
        }
    }
    return quantiles;
}

int spread(const std::vector<int>& values) {
    const auto [low, high] = std::ranges::minmax(values);
    return high - low;
}

TEST(Presets, AreWrittenAsThisProgramWritesThem) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(kResources / "presets")) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        EXPECT_EQ(toJson(parseRecipe(text)), text) << entry.path();
        const Preset* preset = findPreset(entry.path().stem().string());
        ASSERT_NE(preset, nullptr) << entry.path();
        EXPECT_EQ(toJson(preset->recipe), text) << "the built-in text is that of the file";
        names.insert(preset->name);
    }
    EXPECT_EQ(names.size(), allPresets().size());
    EXPECT_EQ(findPreset("none"), nullptr);
}

TEST(Presets, HaveASampleAPageAndWords) {
    std::ifstream file(std::filesystem::path(POLLARD_SOURCE_DIR) / "docs" / "presets.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const Preset& preset : allPresets()) {
        EXPECT_FALSE(preset.recipe.description.empty()) << preset.name;
        EXPECT_TRUE(std::filesystem::exists(kResources / "samples" / preset.recipe.sample)) << preset.name;
        EXPECT_THAT(page, ::testing::HasSubstr("## " + preset.recipe.name)) << preset.name;
        EXPECT_THAT(page, ::testing::HasSubstr("preset:" + preset.name)) << preset.name;
    }
}

TEST(Presets, ChangeTheirSamples) {
    for (const Preset& preset : allPresets()) {
        const LoadedImage sample = sampleOf(preset.name);
        const RecipeResult result = run(preset.name, sample);
        ASSERT_TRUE(result.image) << preset.name;
        const FilterReport& report = result.filters.back().filter;
        EXPECT_GT(report.changedPixels, sample.image->pixelCount() / 100) << preset.name;
        EXPECT_GT(report.keptNodes, 1U) << preset.name;
    }
}

TEST(PresetUnevenBackground, LeavesTheNucleiOnAnEvenGround) {
    const LoadedImage sample = sampleOf("uneven-background");
    const std::shared_ptr<const Image> held = run("uneven-background", sample).image;
    const Image& result = *held;
    // The background alone: the darker pixels of blocks larger than a nucleus.
    EXPECT_GT(spread(blockQuantiles(*sample.image, 48, 0.3)), 1000);
    const std::vector<int> ground = blockQuantiles(result, 48, 0.3);
    EXPECT_LT(spread(ground), 60);
    EXPECT_LT(std::ranges::max(ground), 150);
    EXPECT_EQ(blobs(result, 420, 40).size(), 60U) << "60 nuclei were drawn";
}

TEST(PresetDocumentText, TakesTheTextFromThePage) {
    const LoadedImage sample = sampleOf("document-text");
    const std::shared_ptr<const Image> held = run("document-text", sample).image;
    const Image& result = *held;
    EXPECT_GT(spread(blockQuantiles(*sample.image, 40, 0.8)), 60) << "the light is uneven";
    EXPECT_LT(std::ranges::max(blockQuantiles(result, 40, 0.5)), 12) << "the ground is even";
    // The table's edge is dark too, but touches the border.
    for (std::size_t i = result.pixelCount() - 8 * result.width(); i < result.pixelCount(); ++i) {
        ASSERT_LT(result.level(i), 12);
    }
    const std::size_t letters = blobs(result, 50, 6).size();
    EXPECT_GT(letters, 330U);
    EXPECT_LT(letters, 480U);
}

TEST(PresetDocumentText, KeepsExactlyTheSmallDarkPartsInside) {
    // Letters of 3 x 5 px on paper that gets darker, a dark strip at the left border, and a stamp that is too large.
    const auto inLetter = [](std::uint32_t x, std::uint32_t y) {
        return x >= 20 && x < 90 && y >= 10 && y < 60 && x % 7 < 3 && y % 10 < 5;
    };
    const auto inStamp = [](std::uint32_t x, std::uint32_t y) { return x >= 100 && x < 140 && y >= 10 && y < 60; };
    const auto page = makeImage(PixelType::u8, 150, 80, [&](auto x, auto y) {
        const std::uint32_t paper = 220 - x / 2;
        return x < 5 || inLetter(x, y) || inStamp(x, y) ? paper / 4 : paper;
    });
    const std::shared_ptr<const Image> held = run("document-text", loadedAs(page)).image;
    const Image& result = *held;
    for (std::uint32_t y = 0; y < 80; ++y) {
        for (std::uint32_t x = 0; x < 150; ++x) {
            const std::uint16_t level = result.level(std::size_t{y} * 150 + x);
            if (inLetter(x, y)) {
                ASSERT_GT(level, 90) << x << ',' << y;
            } else {
                ASSERT_LE(level, 4) << x << ',' << y << ": no more than the paper's own slope";
            }
        }
    }
}

TEST(PresetNutsAndScrews, TellsThemApart) {
    const LoadedImage sample = sampleOf("nuts");
    ASSERT_EQ(blobs(*sample.image, 110, 100).size(), 16U);
    const std::vector<Blob> nuts = blobs(*run("nuts", sample).image, 110, 100);
    const std::vector<Blob> screws = blobs(*run("screws", sample).image, 110, 100);
    EXPECT_EQ(nuts.size(), 9U) << "nine were drawn";
    EXPECT_EQ(screws.size(), 7U) << "seven were drawn";
    for (const Blob& nut : nuts) {
        for (const Blob& screw : screws) {
            EXPECT_GT(std::hypot(nut.x - screw.x, nut.y - screw.y), 40) << "one object is not both";
        }
    }
    // As labels, they are counted without a threshold.
    for (const auto& [name, count] : {std::pair("nuts", 9U), std::pair("screws", 7U)}) {
        Recipe recipe = findPreset(name)->recipe;
        std::get<FilterStep>(recipe.steps.back()).filter.output = Output::labels;
        EngineRegistry registry{makeCpuEngine()};
        EXPECT_EQ(runRecipe(recipe, sample, registry.select("cpu")).labelled->count, count);
    }
}

/// Dark winding lines with a known course among dark round spots of about their width, on noise.
TEST(PresetVessels, KeepsLinesAndRemovesSpots) {
    constexpr std::uint32_t kSide = 200;
    Random random(9);
    const auto onLine = [](std::uint32_t x, std::uint32_t y) {
        const double wave = 12 * std::sin(x / 25.0);
        return std::abs(y - (40 + wave)) < 2.5 || std::abs(y - (100 + wave)) < 2.0 || std::abs(y - (160 - wave)) < 3.0;
    };
    const auto inSpot = [](std::uint32_t x, std::uint32_t y) { // between the lines
        return std::hypot(x % 40 - 20.0, y % 60 - 10.0) < 5;
    };
    const auto image = makeImage(PixelType::u8, kSide, kSide, [&](auto x, auto y) {
        const std::uint32_t ground = 150 + random() % 8;
        return onLine(x, y) ? ground - 50 : inSpot(x, y) ? ground - 60 : ground;
    });
    const std::shared_ptr<const Image> held = run("vessels", loadedAs(image)).image;
    const Image& result = *held;
    int line = 0;
    int lineKept = 0;
    int spot = 0;
    int spotKept = 0;
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const bool dark = result.level(std::size_t{y} * kSide + x) < 125;
            line += onLine(x, y) ? 1 : 0;
            lineKept += onLine(x, y) && dark ? 1 : 0;
            const bool apart = inSpot(x, y) && !onLine(x, y);
            spot += apart ? 1 : 0;
            spotKept += apart && dark ? 1 : 0;
        }
    }
    ASSERT_GT(line, 2000);
    ASSERT_GT(spot, 800);
    EXPECT_GT(lineKept, 0.95 * line);
    EXPECT_LT(spotKept, 0.05 * spot);
}

/// Ships of 4 x 9 px on a sea with waves, near a bright coast.
TEST(PresetBrightSmallObjects, FindsShipsBesideACoast) {
    constexpr std::uint32_t kSide = 220;
    Random random(10);
    const auto inShip = [](std::uint32_t x, std::uint32_t y) { return x < 150 && x % 30 < 4 && y % 44 < 9; };
    const auto image = makeImage(PixelType::u16, kSide, kSide, [&](auto x, auto y) {
        const bool coast = x + 20 * std::sin(y / 30.0) > 185;
        return (coast ? 40000U : 6000U) + random() % 3000 + (inShip(x, y) ? 25000U : 0U);
    });
    const std::shared_ptr<const Image> held = run("bright-small-objects", loadedAs(image)).image;
    const Image& result = *held;
    std::size_t ships = 0;
    for (const Blob& blob : blobs(result, 20000, 1)) {
        EXPECT_GE(blob.area, 20U);
        EXPECT_LE(blob.area, 40U);
        ++ships;
    }
    EXPECT_EQ(ships, 5U * 5U);
}

/// Faint wide sources and single hot pixels of the same or more height, on noise.
TEST(PresetFaintSources, KeepsWhatIsFaintButWide) {
    constexpr std::uint32_t kSide = 180;
    Random random(11);
    const auto source = [](std::uint32_t x, std::uint32_t y) {
        const double dx = x % 45 - 22.0;
        const double dy = y % 45 - 22.0;
        return 26 * std::exp(-(dx * dx + dy * dy) / 18);
    };
    const auto isHot = [](std::uint32_t x, std::uint32_t y) { return x % 45 == 3 && y % 45 == 3; };
    const auto image = makeImage(PixelType::u8, kSide, kSide, [&](auto x, auto y) {
        return 10 + random() % 4 + static_cast<std::uint32_t>(source(x, y)) + (isHot(x, y) ? 60U : 0U);
    });
    const std::shared_ptr<const Image> held = run("faint-sources", loadedAs(image)).image;
    const Image& result = *held;
    EXPECT_EQ(blobs(result, 24, 4).size(), 16U);
    for (std::uint32_t y = 3; y < kSide; y += 45) {
        for (std::uint32_t x = 3; x < kSide; x += 45) {
            EXPECT_LT(result.level(std::size_t{y} * kSide + x), 20) << "a hot pixel has no volume";
        }
    }
}

} // namespace
} // namespace pollard
