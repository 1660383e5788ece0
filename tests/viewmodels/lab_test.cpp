// The grid lab: the painted image, its tree, and the player.
#include "support/wait.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_recording.hpp"
#include "vm/lab/lab_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "player/player.hpp"
#include "support/random_images.hpp"

#include <QSignalSpy>
#include <gtest/gtest.h>

#include <set>

namespace pollard::vm {
namespace {

using teach::LabImage;
using teach::Layer;
using testing::eventually;

int indexOfPlayer(std::string_view id) {
    const auto all = teach::players();
    return static_cast<int>(std::ranges::find(all, id, &teach::PlayerInfo::id) - all.begin());
}

TEST(LabExamples, AreOfAllowedSizesWithDifferentNames) {
    std::set<std::string_view> ids;
    for (const LabExample& each : labExamples()) {
        SCOPED_TRACE(std::string(each.id));
        EXPECT_GE(each.image.width, 1U);
        EXPECT_LE(each.image.width, teach::kLabSide);
        EXPECT_GE(each.image.height, 1U);
        EXPECT_LE(each.image.height, teach::kLabSide);
        EXPECT_EQ(each.image.levels.size(), each.image.pixelCount());
        EXPECT_TRUE(ids.insert(each.id).second);
        EXPECT_EQ(findLabExample(each.id), &each);
    }
    EXPECT_EQ(findLabExample("no such thing"), nullptr);
}

TEST(LabImage, KeepsWhatItHasWhenItsSizeChanges) {
    LabViewModel lab;
    lab.setImage({2, 2, {1, 2, 3, 4}});
    lab.setSize(3, 3);
    EXPECT_EQ(lab.image(), (LabImage{3, 3, {1, 2, 2, 3, 4, 4, 3, 4, 4}}));
    lab.setSize(100, 0);
    EXPECT_EQ(lab.width(), 16);
    EXPECT_EQ(lab.height(), 1);
}

TEST(LabImage, TakesAStrokeBackAtOnce) {
    LabViewModel lab;
    lab.setImage({3, 1, {0, 0, 0}});
    lab.setBrush(7);
    for (const int pixel : {0, 1, 1, 2}) {
        lab.paint(pixel);
    }
    lab.endStroke();
    lab.paint(1); // changes nothing, so there is nothing to undo
    lab.endStroke();
    EXPECT_EQ(lab.image().levels, (std::vector<std::uint16_t>{7, 7, 7}));
    lab.undo();
    EXPECT_EQ(lab.image().levels, (std::vector<std::uint16_t>{0, 0, 0}));
}

TEST(LabImage, TakesTypedDigitsTogetherUntilTheCursorMoves) {
    LabViewModel lab;
    lab.setImage({2, 1, {3, 3}});
    for (const int digit : {6, 5, 5, 3, 5}) {
        lab.typeDigit(digit);
    }
    EXPECT_EQ(lab.levelAt(0), 65535);
    lab.typeDigit(4); // too large: starts again
    EXPECT_EQ(lab.levelAt(0), 4);
    lab.moveCursor(1, 0);
    lab.typeDigit(8);
    EXPECT_EQ(lab.levelAt(1), 8);
    lab.raise(-9);
    EXPECT_EQ(lab.levelAt(1), 0);
    lab.moveCursor(1, 1);
    EXPECT_EQ(lab.cursor(), 1) << "stays in the image";
}

TEST(LabImage, TakesACropThatLiesInTheImage) {
    Image image(PixelType::u8, 40, 10);
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        image.pixels<std::uint8_t>()[p] = static_cast<std::uint8_t>(p % 40);
    }
    LabViewModel lab;
    lab.takeCrop(image, {39, 0});
    EXPECT_EQ(lab.width(), 16);
    EXPECT_EQ(lab.height(), 10);
    EXPECT_EQ(lab.levelAt(0), 24);
    EXPECT_EQ(lab.levelAt(15), 39);
    lab.takeCrop(image, {-5, 4});
    EXPECT_EQ(lab.levelAt(0), 0);
}

TEST(DrawnTree, IsTheEnginesAndKeepsItsPlacesApart) {
    testing::Random random(5);
    for (int i = 0; i < 60; ++i) {
        const auto image = testing::randomImage(random, 1 + random() % 16, 1 + random() % 16);
        LabImage lab{image->width(), image->height(), {}};
        for (std::size_t p = 0; p < image->pixelCount(); ++p) {
            lab.levels.push_back(image->level(p));
        }
        const TreeKind kind = i % 2 == 0 ? TreeKind::max : TreeKind::min;
        const DrawnTree tree = makeDrawnTree(lab, kind, i % 3 == 0 ? Connectivity::eight : Connectivity::four);
        ASSERT_EQ(tree.nodes[0].area, lab.pixelCount());
        std::set<std::pair<double, double>> places;
        for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
            const DrawnTree::Node& node = tree.nodes[n];
            ASSERT_EQ(tree.nodeOf[node.canonical], n);
            ASSERT_EQ(node.level, lab.levels[node.canonical]);
            ASSERT_GT(node.across, 0);
            ASSERT_LT(node.across, 1);
            ASSERT_TRUE(n == 0 || node.down > tree.nodes[node.parent].down) << "children lie below";
            ASSERT_TRUE(places.insert({node.across, node.down}).second);
            std::uint32_t pixels = 0;
            for (std::uint32_t p = 0; p < lab.pixelCount(); ++p) {
                pixels += tree.holds(static_cast<std::uint32_t>(n), p) ? 1 : 0;
            }
            ASSERT_EQ(node.area, pixels);
        }
    }
}

class LabPlayer : public ::testing::Test {
protected:
    LabViewModel lab;
    LabPlayerViewModel player{lab};

    void SetUp() override {
        lab.setImage({4, 3, {1, 5, 1, 3, 1, 4, 1, 3, 1, 1, 1, 2}});
        ASSERT_TRUE(ready());
    }
    [[nodiscard]] bool ready() {
        return eventually([this] { return player.isIdle() && player.recording() != nullptr; });
    }
    [[nodiscard]] std::vector<std::vector<std::int64_t>> layers() const {
        std::vector<std::vector<std::int64_t>> all;
        for (std::size_t each = 0; each < teach::kLayers; ++each) {
            all.push_back(player.layer(static_cast<Layer>(each)));
        }
        return all;
    }
};

TEST_F(LabPlayer, ShowsTheSameForwardsAndBackwards) {
    std::vector<std::vector<std::vector<std::int64_t>>> seen{layers()};
    ASSERT_GT(player.stepCount(), 10);
    while (!player.atEnd()) {
        player.stepForward();
        seen.push_back(layers());
    }
    for (int step = player.stepCount(); step > 0; --step) {
        ASSERT_EQ(layers(), seen[static_cast<std::size_t>(step)]) << step;
        player.stepBack();
    }
    ASSERT_EQ(layers(), seen.front());
    player.toEnd();
    EXPECT_EQ(layers(), seen.back());
    player.moveTo(5);
    EXPECT_EQ(layers(), seen[5]);
}

TEST_F(LabPlayer, SaysSomethingElseAtEveryStep) {
    QSet<QString> said;
    for (int step = 0; step <= player.stepCount(); ++step) {
        player.moveTo(step);
        EXPECT_FALSE(player.caption().isEmpty());
        EXPECT_FALSE(player.caption().contains(u'%')) << player.caption().toStdString();
        EXPECT_TRUE(player.spoken().contains(player.caption()));
        said << player.spoken();
    }
    EXPECT_EQ(said.size(), player.stepCount() + 1);
}

TEST_F(LabPlayer, EndsWithTheTreeThatIsDrawn) {
    for (const LabExample& each : labExamples()) {
        lab.setImage(each.image);
        ASSERT_TRUE(ready());
        player.toEnd();
        const DrawnTree& tree = player.recording()->tree;
        const auto& parents = player.layer(Layer::parent);
        for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
            ASSERT_EQ(parents[tree.nodes[n].canonical], tree.nodes[tree.nodes[n].parent].canonical);
        }
    }
}

TEST_F(LabPlayer, FollowsTheImageAndStaysAtItsEnd) {
    player.toEnd();
    lab.setLevel(6, 9);
    ASSERT_TRUE(ready());
    EXPECT_EQ(player.recording()->trace->image, lab.image());
    EXPECT_TRUE(player.atEnd());
    player.moveTo(3);
    lab.setLevel(6, 2);
    ASSERT_TRUE(ready());
    EXPECT_EQ(player.done(), 3);
}

TEST_F(LabPlayer, StartsWhereAScenePutsIt) {
    teach::PlayerSpec spec;
    spec.kind = TreeKind::min;
    player.start(indexOfPlayer("union-find"), spec, 7);
    ASSERT_TRUE(ready());
    EXPECT_EQ(player.done(), 7);
    EXPECT_EQ(player.recording()->spec.kind, TreeKind::min);
    EXPECT_EQ(player.recording()->tree.kind, TreeKind::min);
}

TEST_F(LabPlayer, PlaysToTheEndAndFromTheStartAgain) {
    player.setSpeed(1000);
    EXPECT_EQ(player.speed(), LabPlayerViewModel::kSpeeds.back());
    player.setPlaying(true);
    ASSERT_TRUE(eventually([this] { return player.atEnd(); }));
    EXPECT_FALSE(player.isPlaying());
    player.togglePlaying();
    EXPECT_TRUE(player.isPlaying());
    EXPECT_FALSE(player.atEnd());
}

TEST_F(LabPlayer, CountsTheFirstAnswerToEveryQuestion) {
    player.setGuessing(true);
    std::size_t asked = 0;
    while (!player.atEnd()) {
        const auto question = player.question();
        if (!question) {
            player.stepForward();
            continue;
        }
        EXPECT_EQ(question->layer, Layer::parent);
        EXPECT_TRUE(player.caption().contains(pixelText(lab.image(), question->pixel)));
        const bool right = asked % 2 == 0;
        player.answer(right ? question->answer : -5);
        EXPECT_EQ(player.layer(Layer::parent)[question->pixel], question->answer) << "it is revealed";
        ++asked;
        EXPECT_EQ(player.score().asked(), asked);
        EXPECT_EQ(player.score().right(), (asked + 1) / 2);
    }
    ASSERT_GT(asked, 3U);
    player.toStart();
    while (!player.question()) {
        player.stepForward();
    }
    player.answer(-5); // the second answer
    EXPECT_EQ(player.score().asked(), asked);
    EXPECT_EQ(player.score().right(), (asked + 1) / 2);
}

TEST_F(LabPlayer, WaitsForTheAnswerWhilePlaying) {
    player.setGuessing(true);
    player.setSpeed(1000);
    player.setPlaying(true);
    ASSERT_TRUE(eventually([this] { return player.question().has_value(); }));
    const int place = player.done();
    testing::settle();
    EXPECT_EQ(player.done(), place);
    EXPECT_TRUE(player.isPlaying());
    const qint64 answer = player.question()->answer;
    player.answer(answer);
    EXPECT_GT(player.done(), place);
}

TEST_F(LabPlayer, ReadsOutWhatIsKnownOfAPixel) {
    player.toEnd();
    EXPECT_EQ(player.readout(1), QStringLiteral("Pixel (1, 0), level 5; parent (1, 1); number 1; node of (1, 0), level "
                                                "5, 1 px"));
    EXPECT_EQ(player.readout(-1), QString());
    EXPECT_EQ(player.readout(500), QString());
}

TEST_F(LabPlayer, SaysEverythingWhenAllOfItHolds) {
    QSignalSpy said(&player, &LabPlayerViewModel::stepChanged);
    QObject::connect(&player, &LabPlayerViewModel::stepChanged, &player, [this] {
        ASSERT_LE(player.done(), player.stepCount());
        ASSERT_EQ(player.recording()->tree.nodeOf.size(), player.recording()->trace->image.pixelCount());
    });
    lab.setSize(9, 2);
    ASSERT_TRUE(ready());
    player.toEnd();
    EXPECT_GE(said.size(), 2);
}

TEST_F(LabPlayer, LetsThreadsTakeTurnsByHand) {
    teach::PlayerSpec spec;
    spec.threads = 3;
    spec.turns = teach::Turns::byHand;
    player.start(indexOfPlayer("columns"), spec, 0);
    ASSERT_TRUE(ready());
    testing::Random random(9);
    std::size_t turns = 0;
    player.toEnd();
    while (!player.choices().empty()) {
        const std::vector<std::uint8_t> able = player.choices();
        for (int thread = 0; thread < 8; ++thread) {
            if (std::ranges::find(able, thread) == able.end()) {
                player.takeTurn(thread); // not possible
            }
        }
        ASSERT_EQ(player.spec().hand.size(), turns);
        player.takeTurn(able[random() % able.size()]);
        ASSERT_TRUE(ready());
        ASSERT_EQ(player.spec().hand.size(), ++turns);
        ASSERT_TRUE(player.atEnd());
    }
    ASSERT_GT(turns, 5U);
    const DrawnTree& tree = player.recording()->tree;
    for (const DrawnTree::Node& node : tree.nodes) {
        EXPECT_EQ(player.layer(Layer::parent)[node.canonical], tree.nodes[node.parent].canonical);
    }
    player.takeTurnBack();
    ASSERT_TRUE(ready());
    EXPECT_FALSE(player.choices().empty());
    lab.setLevel(0, 9);
    ASSERT_TRUE(ready());
    EXPECT_TRUE(player.spec().hand.empty()) << "the turns were of another image";
}

TEST_F(LabPlayer, ThresholdsWithinTheImage) {
    lab.setImage({2, 1, {100, 300}});
    EXPECT_EQ(player.spec().threshold, 200);
    lab.setImage({2, 1, {150, 250}});
    EXPECT_EQ(player.spec().threshold, 200) << "it still parts them";
    lab.setImage({2, 1, {7, 7}});
    EXPECT_EQ(player.spec().threshold, 7);
}

TEST(TeachText, WritesValuesAsAPersonReadsThem) {
    using Kind = teach::Value::Kind;
    const LabImage image{4, 2, std::vector<std::uint16_t>(8, 0)};
    EXPECT_EQ(valueText({Kind::pixel, 6}, image, 4), QStringLiteral("(2, 1)"));
    EXPECT_EQ(valueText({Kind::pixel, -1}, image, 4), QStringLiteral("–"));
    EXPECT_EQ(valueText({Kind::thread, 2}, image, 4), QStringLiteral("C"));
    EXPECT_EQ(valueText({Kind::bits, 3}, image, 4), QStringLiteral("1100")) << "the leftmost pixel first";
    EXPECT_EQ(valueText({Kind::level, 300}, image, 4), QStringLiteral("300"));
}

TEST(LabScore, CountsTheFirstAnswerToAStep) {
    LabScore score;
    const LabQuestion question{teach::Layer::parent, 0, 7};
    EXPECT_FALSE(score.answer(1, question, 6));
    EXPECT_TRUE(score.answer(1, question, 7)) << "right, but not at once";
    EXPECT_EQ(score.right(), 0U);
    EXPECT_TRUE(score.answer(2, question, 7));
    EXPECT_TRUE(score.answer(2, question, 7));
    EXPECT_EQ(score.right(), 1U);
    EXPECT_EQ(score.asked(), 2U);
}

} // namespace
} // namespace pollard::vm
