#include "components/object_tracks.hpp"

#include "base/error.hpp"
#include "support/object_masks.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace pollard {
namespace {

Components objectsOf(const std::vector<const char*>& rows) {
    Mask mask(static_cast<std::uint32_t>(std::char_traits<char>::length(rows[0])),
              static_cast<std::uint32_t>(rows.size()), false);
    for (std::uint32_t y = 0; y < mask.height(); ++y) {
        for (std::uint32_t x = 0; x < mask.width(); ++x) {
            mask.set(x, y, rows[y][x] == '#');
        }
    }
    return labelComponents(mask, nullptr, {});
}

TEST(TrackHistory, TellsWhereTracksGoAndHowTheyBeginAndEnd) {
    ObjectTracker tracker;
    TrackHistory history;
    for (const char* row : {"##...####", ".##..#.##", "..##.####", "...##...."}) {
        Components found = objectsOf({row});
        const auto objects = found.objects;
        history.add(objects, tracker.add(std::move(found)));
    }
    ASSERT_EQ(history.tracks().size(), 3U);
    const Track& first = history.tracks()[0];
    EXPECT_EQ(first.number, 1U);
    EXPECT_EQ(first.frameCount(), 4U);
    EXPECT_EQ(first.lastFrame(), 3U);
    EXPECT_EQ(first.began, TrackEventKind::birth);
    EXPECT_FALSE(first.ended);
    EXPECT_DOUBLE_EQ(first.displacement(), 3);
    EXPECT_DOUBLE_EQ(first.pathLength(), 3);
    EXPECT_DOUBLE_EQ(first.points[2].x, 2.5);
    const Track& second = history.tracks()[1];
    EXPECT_EQ(second.ended, TrackEventKind::death);
    EXPECT_EQ(second.lastFrame(), 2U);
    EXPECT_DOUBLE_EQ(second.points[0].x, 6.5);
    EXPECT_DOUBLE_EQ(second.points[1].x, 7.5);
    EXPECT_DOUBLE_EQ(second.displacement(), 0);
    EXPECT_DOUBLE_EQ(second.pathLength(), 2);
    const Track& third = history.tracks()[2];
    EXPECT_EQ(third.began, TrackEventKind::split);
    EXPECT_EQ(third.from, 2U);
    EXPECT_EQ(third.ended, TrackEventKind::merge);
    EXPECT_EQ(third.into, 2U);
    EXPECT_EQ(third.frameCount(), 1U);
    EXPECT_EQ(history.tracksOf(1), (std::vector<std::uint32_t>{1, 3, 2}));
    EXPECT_EQ(history.events(), (std::array<std::uint64_t, 4>{2, 1, 1, 1}));
}

TEST(TrackHistory, HasEveryObjectOnceAndNoGaps) {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
        testing::Random random(seed);
        ObjectTracker tracker;
        TrackHistory history;
        std::size_t objects = 0;
        std::vector<ComponentRecords> frames;
        for (int i = 0; i < 6; ++i) {
            Components found = labelComponents(
                testing::granularMask(random, 40, 30, 1 + random() % 4, 30 + random() % 40), nullptr, {});
            frames.push_back(found.objects);
            objects += found.count;
            history.add(frames.back(), tracker.add(std::move(found)));
        }
        std::set<std::pair<std::uint32_t, std::uint32_t>> seen; // frame, label
        for (const Track& track : history.tracks()) {
            ASSERT_GT(track.frameCount(), 0U);
            for (std::uint32_t k = 0; k < track.frameCount(); ++k) {
                const std::uint32_t frame = track.firstFrame + k;
                const TrackPoint& point = track.points[k];
                EXPECT_TRUE(seen.insert({frame, point.label}).second);
                EXPECT_EQ(history.tracksOf(frame)[point.label - 1], track.number);
                EXPECT_EQ(point.x, frames[frame][point.label - 1].centroidX());
                EXPECT_EQ(point.y, frames[frame][point.label - 1].centroidY());
            }
            EXPECT_EQ(track.ended.has_value(), track.lastFrame() + 1 < history.frameCount());
            EXPECT_GE(track.pathLength() + 1e-9, track.displacement());
        }
        EXPECT_EQ(seen.size(), objects);
        EXPECT_EQ(history.tracks().size(), tracker.trackCount());
    }
}

TEST(TrackHistory, RefusesFramesThatAreNotTheNext) {
    ObjectTracker tracker;
    TrackHistory history;
    Components found = objectsOf({"#.#"});
    const auto objects = found.objects;
    const FrameTracks frame = tracker.add(std::move(found));
    EXPECT_THROW(history.add({}, frame), Error);
    history.add(objects, frame);
    EXPECT_THROW(history.add(objects, frame), Error);
}

} // namespace
} // namespace pollard
