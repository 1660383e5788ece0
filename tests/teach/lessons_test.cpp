// The numbers in docs/lessons.md.

#include "components/label_scores.hpp"
#include "lessons/lesson_examples.hpp"
#include "trace/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace pollard::teach {
namespace {

/// The page with single blanks and without emphasis.
const std::string& page() {
    static const std::string text = [] {
        std::ifstream file(POLLARD_SOURCE_DIR "/docs/lessons.md");
        std::string all;
        for (std::string word; file >> word;) {
            all += word + " ";
        }
        std::erase(all, '*');
        return all;
    }();
    return text;
}

void expectSaid(const std::string& words) { EXPECT_NE(page().find(words), std::string::npos) << words; }

std::string number(std::int64_t value) { return std::to_string(value); }

TraceCursor ended(const char* player, const LabImage& image, const PlayerSpec& spec) {
    TraceCursor cursor(std::make_shared<const Trace>(findPlayer(player)->record(image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    return cursor;
}

std::string words(const auto& levels) {
    std::ostringstream text;
    for (const auto level : levels) {
        text << level << ' ';
    }
    return text.str();
}

TEST(LessonOfTheTree, SaysWhatThePlayersDo) {
    const TraceCursor tree = ended("union-find", twoPeaks(), {});
    expectSaid("On this image the player takes " + number(static_cast<std::int64_t>(tree.trace().steps.size())) +
               " steps.");
    expectSaid(number(static_cast<std::int64_t>(ended("flooding", twoPeaks(), {}).trace().steps.size())) +
               " steps on this image.");
    const TraceCursor attributes = ended("attributes", twoPeaks(), {});
    const auto& table = attributes.layer(Layer::table);
    const std::size_t columns = attributes.trace().tableColumns.size();
    expectSaid("Its max-tree has " + number(static_cast<std::int64_t>(table.size() / columns)) + " nodes.");
    for (std::size_t row = 0; row < table.size(); row += columns) {
        if (table[row + 1] == 3) {
            expectSaid("which makes an area of " + number(table[row + 2]) + ".");
            expectSaid("the sum of its levels, " + number(table[row + 3]) + ", less " + number(table[row + 2]) +
                       " times 2, is " + number(table[row + 4]) + ".");
        }
    }
}

TEST(LessonOfTheRules, SaysWhatThePlayersDo) {
    const LabImage image = twoMountains();
    const TraceCursor criterion = ended("filter-direct", image, mountainSpec());
    const std::vector<std::int64_t>& meets = criterion.layer(Layer::kept);
    expectSaid("a row of " + number(image.width) + " pixels");
    expectSaid("| the image | " + words(image.levels) + "| " +
               number(std::ranges::count_if(meets, [](auto kept) { return kept >= 0; })) + " |");
    for (const Rule rule : kAllRules) {
        const TraceCursor end = ended(playerOf(rule), image, mountainSpec());
        std::string name = titleOf(rule);
        if (rule != Rule::viterbi) { // a person's name
            name[0] = static_cast<char>(std::tolower(name[0]));
        }
        const auto& kept = end.layer(Layer::kept);
        expectSaid("| " + name + " | " + words(end.layer(Layer::output)) + "| " + number(std::ranges::count(kept, 1)) +
                   " |");
        std::int64_t changed = 0;
        for (std::size_t p = 0; p < kept.size(); ++p) {
            changed += kept[p] != meets[p] ? 1 : 0;
        }
        if (rule == Rule::viterbi) {
            expectSaid("It changes " + number(changed) + " answers");
        } else if (rule == Rule::max) {
            expectSaid("where max changes " + number(changed) + " and");
        } else if (rule == Rule::min) {
            expectSaid("and min " + number(changed) + " (");
        } else {
            EXPECT_EQ(changed, 0);
        }
    }
}

TEST(LessonOfTheGpu, SaysHowOftenThreadsComeTooLate) {
    constexpr std::uint32_t kOrders = 1'000;
    for (const std::uint32_t threads : {2U, 4U, 8U}) {
        PlayerSpec inTurn;
        inTurn.threads = threads;
        expectSaid("turns one operation each, " + number(retriesOf(inTurn)) + " times.");
        std::int64_t orders = 0;
        for (std::uint32_t seed = 1; seed <= kOrders; ++seed) {
            orders += retriesOf(threads, seed) > 0 ? 1 : 0;
        }
        const char* const before = threads == 2 ? "happened in " : "in ";
        expectSaid(before + number(orders) + " with " + number(threads));
    }
}

TEST(LessonOfTheGpu, SaysHowManyEdgesAreLeftOut) {
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        PlayerSpec spec;
        spec.connectivity = connectivity;
        const TraceCursor end = ended("grid-simplification", peaksAndSaddles(), spec);
        const auto& edges = end.layer(Layer::edge);
        const auto left = std::ranges::count(edges, static_cast<std::int64_t>(EdgeMark::superfluous));
        const auto all = static_cast<std::int64_t>(edges.size());
        if (connectivity == Connectivity::four) {
            expectSaid("With 4 neighbours " + number(left) + " of the " + number(all) + " edges");
            expectSaid(": " + number(all - left) + " and ");
        } else {
            expectSaid("with 8 neighbours " + number(left) + " of " + number(all) + ":");
            expectSaid(" and " + number(all - left) + " are left.");
        }
    }
}

/// The numbers of the letters in a row of the page, in its order; 0: a point.
std::vector<std::uint32_t> rowOf(const std::string& title) {
    std::vector<std::uint32_t> labels;
    const std::size_t begin = page().find(title + " . ") + title.size() + 1;
    for (std::size_t at = begin; at + 1 < page().size() && page()[at + 1] == ' '; at += 2) {
        const char letter = page()[at];
        labels.push_back(letter == '.' ? 0 : static_cast<std::uint32_t>(letter));
    }
    return labels;
}

TEST(LessonOfScores, SaysWhatTheScoresAre) {
    const std::vector<std::uint32_t> truth = rowOf("truth");
    const std::vector<std::uint32_t> result = rowOf("result");
    expectSaid("a row of " + number(static_cast<std::int64_t>(truth.size())) + " pixels");
    const LabelScores scores(result, truth, usualThresholds());
    const auto decimals = [](double value) {
        std::ostringstream text;
        text << std::fixed << std::setprecision(3) << value;
        return text.str();
    };
    const auto& foreground = scores.foreground();
    expectSaid("have " + std::to_string(foreground.truth) + " pixels together, the objects of the result " +
               std::to_string(foreground.found) + ", and " + std::to_string(foreground.both) + " are common");
    expectSaid("= " + decimals(foreground.iou()) + ". The Dice");
    expectSaid("= " + decimals(foreground.dice()) + ".");
    const MatchScore& match = scores.matches().front();
    expectSaid("| " + std::to_string(match.matched) + " of " + std::to_string(match.found) + " = " +
               decimals(match.precision()) + " |");
    expectSaid("| " + std::to_string(match.matched) + " of " + std::to_string(match.truth) + " = " +
               decimals(match.recall()) + " |");
    expectSaid("2 / 7 = " + decimals(match.f1()) + " |");
    expectSaid("1 / 6 = " + decimals(match.accuracy()) + " |");
    expectSaid("| " + decimals(match.panopticQuality()) + " |");
    expectSaid("their IoU is " + decimals(match.meanOverlap()) + ".");
    expectSaid("which makes " + decimals(meanAccuracy(scores.matches())) + ".");
    EXPECT_EQ(scores.matches()[4].matched, 1U) << "0.7";
    EXPECT_EQ(scores.matches()[5].matched, 0U) << "0.75";
    ASSERT_EQ(scores.truth().size(), 3U);
    EXPECT_EQ(scores.truth()[1].outcome, ObjectOutcome::split);
    EXPECT_EQ(scores.truth()[2].outcome, ObjectOutcome::missed);
    EXPECT_EQ(scores.found().back().outcome, ObjectOutcome::invented);
    expectSaid("with an IoU of " + decimals(scores.truth()[1].overlap) + " each");
}

TEST(Lessons, HaveTheirImages) {
    std::ifstream file(POLLARD_SOURCE_DIR "/docs/lessons.md");
    std::int64_t images = 0;
    for (std::string line; std::getline(file, line);) {
        if (const auto at = line.find("](lesson-"); at != std::string::npos) {
            const std::string name = line.substr(at + 2, line.find(')', at) - at - 2);
            EXPECT_TRUE(std::ifstream(POLLARD_SOURCE_DIR "/docs/" + name).good()) << name;
            ++images;
        }
    }
    EXPECT_EQ(images, 7);
}

} // namespace
} // namespace pollard::teach
