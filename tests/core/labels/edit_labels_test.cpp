#include "labels/edit_labels.hpp"

#include "base/error.hpp"
#include "labels/label_edit.hpp"
#include "labels/label_journal.hpp"
#include "labels/label_runs.hpp"
#include "labels/pixel_spans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace pollard {
namespace {

using Labels = std::vector<std::uint32_t>;

/// 32 random bits a call.
class Random {
public:
    using result_type = std::uint32_t;
    explicit Random(std::uint32_t seed) : generator_(seed) {}
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return static_cast<result_type>(generator_()); }

private:
    std::mt19937 generator_;
};

double squareDistance(const Voxel& a, const Voxel& b) {
    const auto square = [](std::uint32_t one, std::uint32_t other) {
        const double by = static_cast<double>(one) - static_cast<double>(other);
        return by * by;
    };
    return square(a.x, b.x) + square(a.y, b.y) + square(a.z, b.z);
}

/// A label image with its largest number.
struct EditModel {
    Extent extent;
    Labels labels;
    std::uint32_t count = 0;

    [[nodiscard]] EditedLabels image() { return {labels, extent, count}; }
    [[nodiscard]] LabelBox whole() const {
        return {{0, 0, 0}, {extent.width - 1, extent.height - 1, extent.slices - 1}};
    }
    [[nodiscard]] Voxel voxel(std::size_t pixel) const { return voxelAt(static_cast<std::uint32_t>(pixel), extent); }
};

EditModel randomModel(Random& random, const Extent& extent, std::uint32_t count) {
    EditModel model{extent, Labels(extent.pixelCount()), count};
    for (std::uint32_t& label : model.labels) {
        label = random() % (count + 2) < 2 ? 0 : random() % (count + 1);
    }
    return model;
}

/// Distance of the centre of a pixel to a path between the centres of pixels, in sides along x.
double distanceTo(const std::vector<RegionPoint>& points, double x, double y, const BrushTip& tip) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const RegionPoint& from = points[i == 0 ? 0 : i - 1];
        const double ax = std::floor(from.x) + .5;
        const double ay = (std::floor(from.y) + .5) * tip.sideY;
        const double bx = std::floor(points[i].x) + .5 - ax;
        const double by = (std::floor(points[i].y) + .5) * tip.sideY - ay;
        const double length = bx * bx + by * by;
        const double t = length > 0 ? std::clamp(((x - ax) * bx + (y - ay) * by) / length, 0., 1.) : 0.;
        least = std::min(least, std::hypot(x - ax - t * bx, y - ay - t * by));
    }
    return least;
}

std::set<std::size_t> pixelsOf(const PixelSpans& spans) {
    std::set<std::size_t> pixels;
    std::size_t end = 0;
    for (const PixelSpan& span : spans) {
        EXPECT_GE(span.first, end);
        EXPECT_LT(span.first, span.last);
        end = span.last;
        for (std::size_t pixel = span.first; pixel < span.last; ++pixel) {
            pixels.insert(pixel);
        }
    }
    return pixels;
}

RegionPoint randomPoint(Random& random, const Extent& extent) {
    std::uniform_real_distribution<double> x(-6, extent.width + 6.);
    std::uniform_real_distribution<double> y(-6, extent.height + 6.);
    return {x(random), y(random)};
}

TEST(EditLabels, AStrokeHasThePixelsWithinItsRadius) {
    Random random(1);
    for (int turn = 0; turn < 400; ++turn) {
        const Extent extent{1 + random() % 30, 1 + random() % 30, turn % 2 == 0 ? 1U : 1 + random() % 6};
        std::vector<RegionPoint> points(random() % 5);
        std::ranges::generate(points, [&] { return randomPoint(random, extent); });
        BrushTip tip;
        tip.radius = std::uniform_real_distribution<double>(0, 9)(random);
        tip.slice = static_cast<std::uint32_t>(random() % extent.slices);
        tip.ball = random() % 2 == 0;
        tip.sideY = turn % 3 == 0 ? 1 : 1.7;
        tip.sideZ = turn % 3 == 0 ? 1 : 2.3;
        const std::set<std::size_t> found = pixelsOf(strokeSpans(extent, points, tip));
        const double radius = std::max(tip.radius, BrushTip::kLeast);
        for (std::size_t pixel = 0; pixel < extent.pixelCount(); ++pixel) {
            const Voxel at = voxelAt(static_cast<std::uint32_t>(pixel), extent);
            const double deep = (static_cast<double>(at.z) - tip.slice) * tip.sideZ;
            const double distance = std::hypot(distanceTo(points, at.x + .5, (at.y + .5) * tip.sideY, tip), deep);
            if (std::abs(distance - radius) > 1e-9) { // else the sides differ by rounding
                ASSERT_EQ(found.contains(pixel), distance < radius && (tip.ball || at.z == tip.slice)) << turn;
            }
        }
    }
}

TEST(EditLabels, AStrokeOfOnePixelIsConnected) {
    const PixelSpans spans = strokeSpans({20, 20, 1}, std::vector<RegionPoint>{{1, 2}, {17, 9}}, {.radius = .5});
    const std::set<std::size_t> pixels = pixelsOf(spans);
    for (std::size_t x = 1; x <= 17; ++x) {
        const auto y = static_cast<std::size_t>(std::lround(2 + 7 * (static_cast<double>(x) - 1) / 16));
        EXPECT_TRUE(pixels.contains(y * 20 + x));
    }
    EXPECT_LT(pixels.size(), 2 * 17U);
    EXPECT_EQ(strokeSpans({20, 20, 1}, std::vector<RegionPoint>{{3.9, 4.2}}, {.radius = 0}), (PixelSpans{{83, 84}}));
}

TEST(EditLabels, AStrokeRefusesNumbersWithoutAPlace) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW((void)strokeSpans({4, 4, 1}, std::vector<RegionPoint>{{nan, 0}}, {}), Error);
    EXPECT_THROW((void)strokeSpans({4, 4, 1}, std::vector<RegionPoint>{{1, 1}}, {.radius = nan}), Error);
    EXPECT_THROW((void)strokeSpans({4, 4, 1}, std::vector<RegionPoint>{{1, 1}}, {.radius = 1, .sideZ = 0}), Error);
    EXPECT_TRUE(strokeSpans({4, 4, 1}, std::vector<RegionPoint>{{-1e8, 1e8}}, {.radius = 3}).empty());
}

TEST(EditLabels, APolygonHasTheCentresInsideByTheEvenOddRule) {
    Random random(2);
    for (int turn = 0; turn < 100; ++turn) {
        const Extent extent{1 + random() % 25, 1 + random() % 25, 3};
        RegionShape shape{RegionShape::Kind::polygon, std::vector<RegionPoint>(random() % 7)};
        std::ranges::generate(shape.points, [&] { return randomPoint(random, extent); });
        const std::set<std::size_t> found = pixelsOf(polygonSpans(extent, shape.points, 1));
        for (std::size_t pixel = 0; pixel < extent.pixelCount(); ++pixel) {
            const Voxel at = voxelAt(static_cast<std::uint32_t>(pixel), extent);
            const bool inside = at.z == 1 && shape.points.size() > 2 && contains(shape, {at.x + .5, at.y + .5});
            ASSERT_EQ(found.contains(pixel), inside);
        }
    }
}

/// Neighbours of a pixel in the same slice, or in a volume, with or without those that share no side.
std::vector<std::size_t> neighbours(const EditModel& model, std::size_t pixel, bool touching, bool inSlice) {
    const Voxel at = model.voxel(pixel);
    std::vector<std::size_t> found;
    for (std::size_t other = 0; other < model.labels.size(); ++other) {
        const Voxel to = model.voxel(other);
        const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
        const std::uint32_t x = apart(at.x, to.x);
        const std::uint32_t y = apart(at.y, to.y);
        const std::uint32_t z = apart(at.z, to.z);
        if (std::max({x, y, z}) == 1 && (touching || x + y + z == 1) && (!inSlice || z == 0)) {
            found.push_back(other);
        }
    }
    return found;
}

/// Components of the pixels that hold: numbers from 1 on in raster order.
template <class Holds>
std::vector<int> componentsOf(const EditModel& model, bool touching, bool inSlice, const Holds& holds) {
    std::vector<int> parts(model.labels.size(), 0);
    int count = 0;
    for (std::size_t start = 0; start < parts.size(); ++start) {
        if (parts[start] != 0 || !holds(start)) {
            continue;
        }
        parts[start] = ++count;
        std::vector<std::size_t> open{start};
        while (!open.empty()) {
            const std::size_t from = open.back();
            open.pop_back();
            for (const std::size_t to : neighbours(model, from, touching, inSlice)) {
                if (parts[to] == 0 && holds(to)) {
                    parts[to] = count;
                    open.push_back(to);
                }
            }
        }
    }
    return parts;
}

/// The object of a label in a copy, cut along a line.
Labels naiveCut(const EditModel& model, std::uint32_t label, const std::set<std::size_t>& line, bool touching) {
    const std::vector<int> parts = componentsOf(
        model, touching, false, [&](std::size_t at) { return model.labels[at] == label && !line.contains(at); });
    const int count = *std::ranges::max_element(parts);
    Labels result = model.labels;
    if (count < 2) {
        return result;
    }
    int largest = 1;
    for (int part = 2; part <= count; ++part) {
        largest = std::ranges::count(parts, part) > std::ranges::count(parts, largest) ? part : largest;
    }
    for (std::size_t at = 0; at < result.size(); ++at) {
        if (model.labels[at] != label) {
            continue;
        }
        int part = parts[at];
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t other = 0; parts[at] == 0 && other < result.size(); ++other) {
            const double distance = squareDistance(model.voxel(at), model.voxel(other));
            const bool isFirst = distance == best && parts[other] < part;
            if (parts[other] != 0 && (distance < best || isFirst)) {
                best = distance;
                part = parts[other];
            }
        }
        if (part != largest) {
            result[at] = model.count + static_cast<std::uint32_t>(part < largest ? part : part - 1);
        }
    }
    return result;
}

/// The boxes of the objects that differ.
std::map<std::uint32_t, LabelBox> naiveChanges(const EditModel& before, const Labels& after) {
    std::map<std::uint32_t, LabelBox> boxes;
    for (std::size_t at = 0; at < after.size(); ++at) {
        if (before.labels[at] != after[at]) {
            const LabelBox here{before.voxel(at), before.voxel(at)};
            for (const std::uint32_t label : {before.labels[at], after[at]}) {
                boxes.try_emplace(label, here).first->second.add(here);
            }
        }
    }
    boxes.erase(0);
    return boxes;
}

TEST(EditLabels, RandomHistoriesAgreeWithDefinitionsAndReturnToTheSameBytes) {
    Random random(3);
    for (int turn = 0; turn < 30; ++turn) {
        const Extent extent{1 + random() % 9, 1 + random() % 9, turn % 3 == 0 ? 1 + random() % 3 : 1U};
        EditModel model = randomModel(random, extent, turn % 5);
        LabelHistory history(1 << 20);
        std::vector<EditModel> states{model};
        for (int step = 0; step < 60; ++step) {
            Labels expected = model.labels;
            LabelEdit edit(extent, model.count);
            const auto label = static_cast<std::uint32_t>(random() % (model.count + 2));
            const auto from = static_cast<std::uint32_t>(1 + random() % (model.count + 1));
            const std::vector<RegionPoint> points{randomPoint(random, extent), randomPoint(random, extent)};
            const auto slice = static_cast<std::uint32_t>(random() % extent.slices);
            const PixelSpans spans =
                strokeSpans(extent, points, {.radius = 1.5, .slice = slice, .ball = step % 2 == 0});
            switch (random() % 4) {
            case 0: {
                const PaintOver over = step % 2 == 0 ? PaintOver::background : PaintOver::everything;
                for (const std::size_t at : pixelsOf(spans)) {
                    expected[at] = over == PaintOver::background && expected[at] != 0 ? expected[at] : label;
                }
                edit = paintLabel(model.image(), spans, label, over);
                break;
            }
            case 1: {
                std::vector<std::uint8_t> chosen(random() % (model.count + 2));
                std::ranges::generate(chosen, [&] { return static_cast<std::uint8_t>(random() % 4 == 0 ? 1 : 0); });
                for (std::uint32_t& at : expected) {
                    at = at != 0 && at <= chosen.size() && chosen[at - 1] != 0 ? label : at;
                }
                edit = replaceLabels(model.image(), chosen, label, model.whole());
                break;
            }
            case 2: {
                const PixelSpans line =
                    throughSlices(extent, strokeSpans(extent, points, {.slice = slice}), 0, extent.slices - 1);
                expected = naiveCut(model, from, pixelsOf(line), step % 2 == 0);
                edit = cutLabel(model.image(), from, line, model.whole(), step % 2 == 0);
                break;
            }
            default: {
                const std::size_t at = random() % model.labels.size();
                const auto region = componentsOf(
                    model, false, true, [&](std::size_t pixel) { return model.labels[pixel] == model.labels[at]; });
                const LabelRegion found = regionAt(model.image(), model.voxel(at));
                bool atBorder = false;
                std::map<std::uint32_t, int> sides;
                std::set<std::size_t> pixels;
                for (std::size_t pixel = 0; pixel < region.size(); ++pixel) {
                    if (region[pixel] != region[at]) {
                        continue;
                    }
                    pixels.insert(pixel);
                    const Voxel place = model.voxel(pixel);
                    atBorder = atBorder || place.x == 0 || place.y == 0 || place.x + 1 == extent.width ||
                               place.y + 1 == extent.height;
                    for (const std::size_t other : neighbours(model, pixel, false, true)) {
                        sides[model.labels[other]] += region[other] != region[at] ? 1 : 0;
                    }
                }
                if (atBorder) {
                    EXPECT_TRUE(found.pixels.empty());
                    break;
                }
                EXPECT_EQ(pixelsOf(found.pixels), pixels);
                sides.erase(0);
                std::uint32_t around = 0;
                for (const auto& [other, count] : sides) {
                    around = count > (around == 0 ? 0 : sides[around]) ? other : around;
                }
                EXPECT_EQ(found.around, around);
                for (const std::size_t pixel : pixels) {
                    expected[pixel] = label;
                }
                edit = paintLabel(model.image(), found.pixels, label);
                break;
            }
            }
            ASSERT_EQ(model.labels, expected) << turn << ' ' << step;
            const auto changes = naiveChanges(states.back(), expected);
            ASSERT_EQ(edit.changed(), changes);
            EXPECT_EQ(edit.isEmpty(), changes.empty());
            model.count = edit.labels();
            EXPECT_LE(*std::ranges::max_element(model.labels), model.count);
            if (!edit.isEmpty()) {
                history.push(std::move(edit));
                states.push_back(model);
            }
        }
        ASSERT_EQ(history.position(), states.size() - 1);
        for (int walk = 0; walk < 200; ++walk) {
            const bool back = random() % 2 == 0 ? history.position() > 0 : history.position() == history.newest();
            if (back && history.position() > 0) {
                history.at(history.position()).revert(model.labels);
                history.setPosition(history.position() - 1);
            } else if (history.position() < history.newest()) {
                history.setPosition(history.position() + 1);
                history.at(history.position()).apply(model.labels);
            }
            ASSERT_EQ(model.labels, states[history.position()].labels);
        }
    }
}

TEST(EditLabels, ANewEditDropsThoseThatWereUndone) {
    EditModel model{{4, 1, 1}, {0, 0, 0, 0}, 0};
    LabelHistory history(1000);
    history.push(paintLabel(model.image(), {{0, 1}}, 1));
    model.count = 1;
    history.push(paintLabel(model.image(), {{1, 2}}, 2));
    EXPECT_EQ(history.at(2).changed().begin()->first, 2U);
    history.setPosition(1);
    EXPECT_EQ(history.newest(), 2U);
    history.push(paintLabel(model.image(), {{2, 3}}, 1));
    EXPECT_EQ(history.newest(), 2U);
    EXPECT_EQ(history.position(), 2U);
}

TEST(EditLabels, AThousandStrokesTakeLessThanATwentiethOfTheImage) {
    const Extent extent{6000, 4000, 1};
    EditModel model{extent, Labels(extent.pixelCount()), 0};
    LabelHistory history(extent.pixelCount() * sizeof(std::uint32_t) / 20);
    Random random(4);
    for (int step = 0; step < 1000; ++step) {
        RegionPoint at{static_cast<double>(random() % 6000), static_cast<double>(random() % 4000)};
        std::vector<RegionPoint> points;
        for (int i = 0; i < 12; ++i) {
            points.push_back(at);
            at.x += static_cast<double>(random() % 41) - 20;
            at.y += static_cast<double>(random() % 41) - 20;
        }
        LabelEdit edit = paintLabel(model.image(), strokeSpans(extent, points, {.radius = 20}), model.count + 1,
                                    PaintOver::background);
        model.count = edit.labels();
        history.push(std::move(edit));
    }
    EXPECT_EQ(history.oldest(), 0U);
    EXPECT_LT(history.bytes(), extent.pixelCount() * sizeof(std::uint32_t) / 20);
    RecordProperty("bytes", static_cast<int>(history.bytes()));
    for (std::size_t at = history.position(); at > 0; --at) {
        history.at(at).revert(model.labels);
    }
    EXPECT_EQ(std::ranges::count(model.labels, 0U), static_cast<std::ptrdiff_t>(model.labels.size()));
}

TEST(EditLabels, TheOldestEditsAreDroppedAboveTheLimit) {
    EditModel model{{64, 64, 1}, Labels(4096), 0};
    LabelHistory history(2000);
    for (std::uint32_t step = 0; step < 100; ++step) {
        history.push(paintLabel(model.image(), {{step, step + 1}}, 1 + step % 2));
        model.count = 2;
        ASSERT_LE(history.bytes(), 2000U);
    }
    EXPECT_GT(history.oldest(), 0U);
    EXPECT_EQ(history.position(), 100U);
    const std::size_t dropped = history.oldest();
    for (std::size_t at = history.position(); at > dropped; --at) {
        history.at(at).revert(model.labels);
    }
    EXPECT_EQ(std::ranges::count(model.labels, 0U), 4096 - static_cast<std::ptrdiff_t>(dropped));
}

/// An edit of many runs, with numbers in turn. @param kinds of numbers; many do not compress well
LabelEdit largeEdit(EditModel& model, std::uint32_t kinds) {
    std::mt19937 random(3);
    LabelEdit edit(model.extent, model.count);
    for (std::size_t pixel = random() % 3; pixel < model.labels.size(); pixel += 1 + random() % 3) {
        edit.add({pixel, pixel + 1}, 0, 1 + static_cast<std::uint32_t>(random() % kinds));
    }
    edit.apply(model.labels);
    return edit;
}

TEST(EditLabels, ALargeEditIsCompressedAndReturnsToTheSameBytes) {
    EditModel model{{400, 300, 1}, Labels(120000), 0};
    const LabelEdit edit = largeEdit(model, 2);
    LabelHistory history(edit.bytes() / 2);
    history.push(edit);
    EXPECT_LE(history.bytes(), edit.bytes() / 2);
    const LabelEdit& kept = history.at(1);
    EXPECT_TRUE(kept.changed().empty());
    EXPECT_EQ(kept.unpacked().changed(), edit.changed());
    EXPECT_EQ(kept.unpacked().labels(), edit.labels());
    const Labels after = model.labels;
    kept.revert(model.labels);
    EXPECT_EQ(model.labels, Labels(120000));
    kept.unpacked().apply(model.labels);
    EXPECT_EQ(model.labels, after);
}

TEST(EditLabels, AnEditAboveTheLimitOfOneIsNotKept) {
    EditModel model{{400, 300, 1}, Labels(120000), 0};
    const LabelEdit edit = largeEdit(model, 1U << 30U);
    const auto packedBytes = [&] {
        LabelEdit packed = edit;
        packed.pack();
        return packed.bytes();
    }();
    const LabelEdit small = paintLabel(model.image(), {{0, 1}}, 1);
    for (const bool isKept : {true, false}) {
        LabelHistory history(packedBytes / LabelHistory::kTimesForOne + (isKept ? 1 : -1));
        history.push(small);
        history.push(edit);
        EXPECT_EQ(history.position(), 2U);
        EXPECT_EQ(history.oldest(), isKept ? 1U : 2U);
        EXPECT_EQ(history.bytes(), isKept ? packedBytes : 0U);
        history.push(small);
        EXPECT_EQ(history.oldest(), 2U) << "both are more than all may have";
        EXPECT_EQ(history.newest(), 3U);
    }
}

/// Random strokes, journalled with numbers that are labels + 5.
TEST(LabelJournal, HasTheEditsUpToTheLastRecordThatIsWhole) {
    std::mt19937 random(4);
    const Extent extent{19, 7, 2};
    std::vector<std::uint32_t> labels(extent.pixelCount());
    const auto numberOf = [](std::uint32_t label) { return label == 0 ? 0 : label + 5; };
    const auto stored = [&] {
        std::vector<std::uint32_t> numbers(labels.size());
        std::ranges::transform(labels, numbers.begin(), numberOf);
        return LabelRuns::of(numbers, extent);
    };
    std::string journal = journalStart(extent);
    std::vector<std::size_t> ends{journal.size()};
    std::vector<LabelRuns> states{stored()};
    std::optional<LabelEdit> last;
    for (std::uint32_t step = 0; step < 8; ++step) {
        const bool back = step % 4 == 3; // the last edit is undone
        if (back) {
            last->revert(labels);
        } else {
            const auto at = [&](std::uint32_t most) { return static_cast<double>(random() % most); };
            const std::vector<RegionPoint> points{{at(19), at(7)}, {at(19), at(7)}};
            last = paintLabel({labels, extent, step}, strokeSpans(extent, points, {.radius = 1.5, .slice = step % 2}),
                              step + 1);
        }
        journal += journalRecord(*last, !back, numberOf);
        ends.push_back(journal.size());
        states.push_back(stored());
    }
    for (std::size_t bytes = 0; bytes <= journal.size(); ++bytes) {
        LabelRuns found = states.front();
        const std::size_t count = replayJournal(std::string_view(journal).substr(0, bytes), found);
        const auto whole =
            static_cast<std::size_t>(std::ranges::count_if(ends, [&](auto end) { return end <= bytes; }));
        ASSERT_EQ(count, whole == 0 ? 0 : whole - 1) << bytes;
        ASSERT_EQ(found, states[count]) << bytes;
    }
    for (std::size_t from = 0; from < states.size(); ++from) { // the stored image has some of the edits
        LabelRuns found = states[from];
        ASSERT_EQ(replayJournal(journal, found), 8U);
        ASSERT_EQ(found, states.back()) << from;
    }
    for (std::size_t byte = ends.front(); byte < journal.size(); ++byte) {
        std::string broken = journal;
        broken[byte] = static_cast<char>(broken[byte] ^ 0x20);
        LabelRuns found = states.front();
        const std::size_t count = replayJournal(broken, found);
        ASSERT_LE(ends[count], byte);
        ASSERT_EQ(found, states[count]);
    }
}

TEST(LabelJournal, RefusesRunsOutsideOfTheImage) {
    const Extent extent{4, 2, 1};
    const LabelRuns empty = LabelRuns::of(std::vector<std::uint32_t>(8), extent);
    const auto countOf = [&](const Extent& size, std::string_view runs) {
        LabelRuns found = empty;
        const std::size_t count = replayJournal(journalStart(size) + framedRecord(runs), found);
        EXPECT_TRUE(found.areComplete());
        return count;
    };
    EXPECT_EQ(countOf(extent, std::string_view("\x02\x06\x07", 3)), 1U);
    EXPECT_EQ(countOf(extent, std::string_view("\x02\x07\x07", 3)), 0U) << "longer than the image";
    EXPECT_EQ(countOf(extent, std::string_view("\x09\x00\x07", 3)), 0U) << "begins outside";
    EXPECT_EQ(countOf(extent, std::string_view("\x02\x01", 2)), 0U) << "without a number";
    EXPECT_EQ(countOf(extent, std::string_view("\x00\x01\xff\xff\xff\xff\x1f", 7)), 0U) << "more than 32 bits";
    EXPECT_EQ(countOf({2, 4, 1}, std::string_view("\x02\x06\x07", 3)), 0U) << "of another image";
}

TEST(LabelRuns, HaveTheNumbersOfTheImage) {
    Random random(5);
    for (int turn = 0; turn < 50; ++turn) {
        const EditModel model = randomModel(random, {1 + random() % 9, 1 + random() % 9, 1 + random() % 3}, 3);
        LabelRuns stored = LabelRuns::of(model.labels, model.extent);
        ASSERT_TRUE(stored.areComplete());
        const auto numbers = stored.numbers();
        EXPECT_TRUE(std::ranges::equal(numbers, model.labels));
        ++stored.runs[1];
        EXPECT_FALSE(stored.areComplete());
        stored.runs.pop_back();
        EXPECT_FALSE(stored.areComplete());
    }
    EXPECT_FALSE((LabelRuns{0xffff'ffff, 0xffff'ffff, 0xffff'ffff, {}}).areComplete());
    EXPECT_FALSE((LabelRuns{0, 1, 1, {}}).areComplete());
}

TEST(EditLabels, RefusesANumberThatNoObjectHas) {
    EditModel model{{4, 1, 1}, {1, 2, 0, 0}, 2};
    EXPECT_THROW(paintLabel(model.image(), {{0, 1}}, 4), Error);
    EXPECT_THROW(replaceLabels(model.image(), std::vector<std::uint8_t>{1}, 5, model.whole()), Error);
    EXPECT_EQ(model.labels, (Labels{1, 2, 0, 0}));
}

} // namespace
} // namespace pollard
