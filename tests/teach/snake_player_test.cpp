#include "players/players.hpp"

#include "snake/contour/contour.hpp"
#include "snake/contour/contour_rows.hpp"
#include "snake/snake_job.hpp"
#include "teach/tree_lab.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pollard::teach {
namespace {

/// A bright disc in noise.
LabImage disc(testing::Random& random) {
    LabImage image{16, 16, {}};
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
            const bool in = (x - 6) * (x - 6) + (y - 8) * (y - 8) < 30;
            image.levels.push_back(static_cast<std::uint16_t>((in ? 180 : 60) + random() % 40));
        }
    }
    return image;
}

TraceCursor ended(const LabImage& image) {
    TraceCursor cursor(std::make_shared<const Trace>(snakePlayer().record(image, {})));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor;
}

Contour contourAt(const TraceCursor& cursor) {
    const auto& layer = cursor.layer(Layer::contour);
    Contour contour;
    for (std::size_t i = 0; i < layer.size() && layer[i] >= 0; i += 2) {
        contour.push_back({static_cast<std::int32_t>(layer[i]), static_cast<std::int32_t>(layer[i + 1])});
    }
    return contour;
}

TEST(SnakePlayer, EndsWithTheEnginesContour) {
    testing::Random random(53);
    for (int i = 0; i < 1'000 && !HasFailure(); ++i) {
        const LabImage image = i % 4 == 0 ? disc(random) : testing::randomLab(random);
        const TraceCursor end = ended(image);
        const Contour start = shownSnakeStart(image);
        if (start.empty()) {
            EXPECT_EQ(end.trace().steps.size(), 1U);
            EXPECT_LT(std::max(image.width, image.height), 3U);
            continue;
        }
        SnakeJob job;
        job.image = std::make_shared<const Image>(imageOf(image));
        job.starts = {start};
        job.spec = shownSnakeSpec(image);
        const SnakeResult expected = makeCpuEngine()->runSnake(job, {});
        ASSERT_EQ(trimmed(contourAt(end)), expected.states[0].nodes) << "image " << i;
        ASSERT_EQ(end.trace().steps.back().values[0].value, expected.states[0].round);
        EXPECT_LT(end.trace().steps.size(), 5'000U);

        const Image inside = contourMask(expected.states[0].nodes, image.width, image.height);
        std::int64_t pixels[2] = {0, 0};
        double sum[2] = {0, 0};
        for (std::uint32_t y = 0; y < image.height; ++y) {
            for (std::uint32_t x = 0; x < image.width; ++x) {
                const int side = inside.level(image.pixelAt(x, y)) != 0 ? 0 : 1;
                ++pixels[side];
                sum[side] += image.levels[image.pixelAt(x, y)];
            }
        }
        const auto cell = [&](RegionCell column) { return end.layer(Layer::table)[static_cast<std::size_t>(column)]; };
        EXPECT_EQ(cell(RegionCell::pixelsInside), pixels[0]);
        EXPECT_EQ(cell(RegionCell::pixelsOutside), pixels[1]);
        EXPECT_EQ(cell(RegionCell::meanInside), std::llround(sum[0] / static_cast<double>(pixels[0])));
        EXPECT_EQ(cell(RegionCell::meanOutside), std::llround(sum[1] / static_cast<double>(pixels[1])));
    }
}

TEST(SnakePlayer, TakesTheBestOfThePlacesThatItTried) {
    testing::Random random(59);
    for (int i = 0; i < 50; ++i) {
        const Trace trace = snakePlayer().record(disc(random), {});
        std::optional<std::int64_t> best; // of the places that are allowed
        int moves = 0;
        for (const Step& step : trace.steps) {
            const std::string caption = step.text->caption;
            if (step.text->line == 5) {
                ASSERT_TRUE(best);
                EXPECT_EQ(step.values[3].value, *best);
                best.reset();
                ++moves;
            } else if (step.text->line == 4 && caption.find("%4") != std::string::npos) {
                best = std::min(best.value_or(step.values[3].value), step.values[3].value);
            }
        }
        EXPECT_GT(moves, 3);
    }
}

TEST(SnakePlayer, SaysWhichEdgesGoUp) {
    testing::Random random(67);
    const TraceCursor cursor(std::make_shared<const Trace>(snakePlayer().record(disc(random), {})));
    const Contour start = contourAt(cursor);
    ASSERT_GT(start.size(), 2U);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const std::string caption = cursor.trace().steps.at(i).text->caption;
        const ContourNode to = start[(i + 1) % start.size()];
        EXPECT_EQ(caption.find("goes up") != std::string::npos, to.y < start[i].y) << caption;
        EXPECT_EQ(caption.find("horizontal") != std::string::npos, to.y == start[i].y) << caption;
    }
}

TEST(SnakePlayer, FindsADisc) {
    testing::Random random(61);
    const LabImage image = disc(random);
    const TraceCursor end = ended(image);
    const Image inside = contourMask(contourAt(end), 16, 16);
    int wrong = 0;
    for (std::uint32_t p = 0; p < 256; ++p) {
        wrong += (inside.level(p) != 0) != (image.levels[p] >= 180) ? 1 : 0;
    }
    EXPECT_LE(wrong, 12);
}

} // namespace
} // namespace pollard::teach
