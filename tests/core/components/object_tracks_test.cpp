// Tracked objects: overlaps against pixel counts, tracks against the rules.

#include "base/error.hpp"
#include "components/object_tracks.hpp"
#include "support/object_masks.hpp"

#include <gmock/gmock.h>

#include <tbb/task_arena.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = TrackEventKind;

Components objectsOf(const Mask& mask) {
    return labelComponents(mask, nullptr, {.connectivity = Connectivity::four, .algorithm = {}, .features = false});
}

/// Objects from rows of text; '#' is set.
Components frame(const std::vector<std::string>& rows) {
    return objectsOf(makeMask(static_cast<std::uint32_t>(rows.front().size()), static_cast<std::uint32_t>(rows.size()),
                              [&](auto x, auto y) { return rows[y][x] == '#'; }));
}

std::vector<ObjectOverlap> countedOverlaps(const Components& before, const Components& now) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (std::size_t i = 0; i < before.labels.size(); ++i) {
        if (before.labels[i] != 0 && now.labels[i] != 0) {
            ++counts[{before.labels[i], now.labels[i]}];
        }
    }
    std::vector<ObjectOverlap> overlaps;
    for (const auto& [pair, pixels] : counts) {
        overlaps.push_back({pair.first, pair.second, pixels});
    }
    return overlaps;
}

TEST(ObjectOverlaps, EqualCountsOfPixelsForAnyNumberOfThreads) {
    Random random(91);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const std::uint32_t width = 1 + random() % 90;
        const std::uint32_t height = 1 + random() % 300;
        const Components before = objectsOf(granularMask(random, width, height, 1 + random() % 5, random() % 101));
        const Components now = objectsOf(granularMask(random, width, height, 1 + random() % 5, random() % 101));
        const auto wanted = countedOverlaps(before, now);
        for (const int threads : {1, 4}) {
            EXPECT_EQ(tbb::task_arena(threads).execute([&] { return overlapsOf(before, now); }), wanted);
        }
    }
}

TEST(ObjectOverlaps, RefuseFramesThatDoNotFit) {
    const Components small = frame({"#.#"});
    EXPECT_THROW((void)overlapsOf(small, frame({"#.#."})), Error);
    Components unlabelled = frame({"#.#"});
    unlabelled.labels = {};
    EXPECT_THROW((void)overlapsOf(small, unlabelled), Error);
    EXPECT_THROW((void)overlapsOf(unlabelled, small), Error);
}

TEST(ObjectTracks, GoOnWhileObjectsMoveOverThemselves) {
    ObjectTracker tracker;
    EXPECT_THAT(tracker.add(frame({"##....##", "........"})).tracks, ElementsAre(1, 2));
    const FrameTracks moved = tracker.add(frame({".##..##.", "........"}));
    EXPECT_THAT(moved.tracks, ElementsAre(1, 2));
    EXPECT_THAT(moved.events, IsEmpty());
    EXPECT_EQ(moved.frame, 1U);
    // Labels swap, tracks do not.
    EXPECT_THAT(tracker.add(frame({".....##.", ".##....."})).events,
                ElementsAre(TrackEvent{Kind::death, 2, 1, 0}, TrackEvent{Kind::birth, 2, 3, 0}));
    EXPECT_EQ(tracker.frameCount(), 3U);
    EXPECT_EQ(tracker.trackCount(), 3U);
}

TEST(ObjectTracks, SplitIntoTheLargestPartAndNewOnes) {
    ObjectTracker tracker;
    tracker.add(frame({"########"}));
    const FrameTracks parts = tracker.add(frame({"#.####.#"}));
    EXPECT_THAT(parts.tracks, ElementsAre(2, 1, 3));
    EXPECT_THAT(parts.events, ElementsAre(TrackEvent{Kind::split, 1, 2, 1}, TrackEvent{Kind::split, 1, 3, 1}));
}

TEST(ObjectTracks, MergeIntoThatOfTheLargestPart) {
    ObjectTracker tracker;
    tracker.add(frame({"#.####.#"}));
    const FrameTracks whole = tracker.add(frame({"########"}));
    EXPECT_THAT(whole.tracks, ElementsAre(2));
    EXPECT_THAT(whole.events, ElementsAre(TrackEvent{Kind::merge, 1, 1, 2}, TrackEvent{Kind::merge, 1, 3, 2}));
}

TEST(ObjectTracks, OfEqualPartsFollowTheSmallerLabel) {
    ObjectTracker tracker;
    tracker.add(frame({"#####"}));
    EXPECT_THAT(tracker.add(frame({"##.##"})).tracks, ElementsAre(1, 2));
    EXPECT_THAT(tracker.add(frame({"#####"})).tracks, ElementsAre(1));
}

TEST(ObjectTracks, MayMergeWithOneAndSplitFromAnotherAtOnce) {
    ObjectTracker tracker;
    tracker.add(frame({"######.####"}));
    // The left object's larger part continues its track; the smaller part joins the right object, whose track has the
    // larger overlap.
    const FrameTracks now = tracker.add(frame({"####.######"}));
    EXPECT_THAT(now.tracks, ElementsAre(1, 2));
    EXPECT_THAT(now.events, IsEmpty());
}

TEST(ObjectTracks, OfAnEmptyFrameAreNone) {
    ObjectTracker tracker;
    EXPECT_THAT(tracker.add(frame({"...."})).tracks, IsEmpty());
    EXPECT_THAT(tracker.add(frame({".##."})).events, ElementsAre(TrackEvent{Kind::birth, 1, 1, 0}));
    EXPECT_THAT(tracker.add(frame({"...."})).events, ElementsAre(TrackEvent{Kind::death, 2, 1, 0}));
    EXPECT_THAT(tracker.add(frame({".##."})).tracks, ElementsAre(2)) << "a number is never used again";
}

TEST(ObjectTracks, StayAsTheyWereWhenAFrameIsRefused) {
    ObjectTracker tracker;
    tracker.add(frame({"##.#"}));
    EXPECT_THROW(tracker.add(frame({"##.##"})), Error);
    EXPECT_THAT(tracker.add(frame({"##.#"})).tracks, ElementsAre(1, 2));
    EXPECT_EQ(tracker.frameCount(), 2U);
}

/// Every object is on one track, every track starts once and ends at most once, and events agree with overlaps.
TEST(ObjectTracks, KeepTheirLawsOnRandomFrames) {
    Random random(92);
    for (int repeat = 0; repeat < 60; ++repeat) {
        const std::uint32_t width = 1 + random() % 60;
        const std::uint32_t height = 1 + random() % 60;
        ObjectTracker tracker;
        Components last;
        std::vector<std::uint32_t> lastTracks;
        std::set<std::uint32_t> alive;
        std::set<std::uint32_t> ended;
        for (std::uint32_t t = 0; t < 8; ++t) {
            Components now = objectsOf(granularMask(random, width, height, 1 + random() % 6, random() % 101));
            const FrameTracks result = tracker.add(objectsOf(
                makeMask(width, height, [&](auto x, auto y) { return now.labels[std::size_t{y} * width + x] != 0; })));
            ASSERT_EQ(result.tracks.size(), now.count);
            const std::set<std::uint32_t> distinct(result.tracks.begin(), result.tracks.end());
            ASSERT_EQ(distinct.size(), now.count);
            const auto overlaps = t == 0 ? std::vector<ObjectOverlap>{} : countedOverlaps(last, now);
            const auto overlapsTrack = [&](std::uint32_t trackBefore, std::uint32_t trackNow) {
                return std::any_of(overlaps.begin(), overlaps.end(), [&](const ObjectOverlap& overlap) {
                    return (trackBefore == 0 || lastTracks[overlap.before - 1] == trackBefore) &&
                           (trackNow == 0 || result.tracks[overlap.now - 1] == trackNow);
                });
            };
            for (const TrackEvent& event : result.events) {
                ASSERT_EQ(event.frame, t);
                switch (event.kind) {
                case Kind::birth:
                    ASSERT_TRUE(alive.insert(event.track).second);
                    ASSERT_FALSE(overlapsTrack(0, event.track));
                    break;
                case Kind::split:
                    ASSERT_TRUE(alive.insert(event.track).second);
                    ASSERT_TRUE(overlapsTrack(event.other, event.track));
                    break;
                case Kind::merge:
                    ASSERT_EQ(alive.erase(event.track), 1U);
                    ASSERT_TRUE(ended.insert(event.track).second);
                    ASSERT_TRUE(overlapsTrack(event.track, event.other));
                    break;
                case Kind::death:
                    ASSERT_EQ(alive.erase(event.track), 1U);
                    ASSERT_TRUE(ended.insert(event.track).second);
                    ASSERT_FALSE(overlapsTrack(event.track, 0));
                    break;
                }
            }
            ASSERT_EQ(alive, distinct);
            for (const std::uint32_t track : distinct) {
                ASSERT_FALSE(ended.contains(track));
                ASSERT_LE(track, tracker.trackCount());
            }
            last = std::move(now);
            lastTracks = result.tracks;
        }
    }
}

} // namespace
} // namespace pollard::testing
