// Reading of prepared scenes, and one clear sentence for every error in them.
#include "vm/lab/lab_view_model.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

QByteArray scene(const QByteArray& fields) {
    return R"({"scenes": [{"title": "T", "player": "union-find", "picture": "peaks")" + fields + "}]}";
}

std::string problemOf(const QByteArray& json) {
    try {
        static_cast<void>(readScenes(json));
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(LabScenes, AreReadWithAllTheirFields) {
    const auto scenes = readScenes(R"({"scenes": [
        {"title": "One", "player": "union-find", "picture": "peaks"},
        {"title": "Two", "player": "union-find", "picture": {"width": 2, "height": 1, "levels": [0, 65535]},
         "tree": "min", "connectivity": 8, "tile_side": 2, "threads": 8, "turns": "random", "seed": 12,
         "criterion": "height>=3", "threshold": 7, "step": 4, "guess": true}]})");
    ASSERT_EQ(scenes.size(), 2U);
    EXPECT_EQ(scenes[0].title, QStringLiteral("One"));
    EXPECT_EQ(scenes[0].image, findLabExample("peaks")->image);
    EXPECT_EQ(scenes[0].step, 0);
    EXPECT_FALSE(scenes[0].guessing);
    const PreparedScene& two = scenes[1];
    EXPECT_EQ(two.image, (teach::LabImage{2, 1, {0, 65535}}));
    EXPECT_EQ(two.spec.kind, TreeKind::min);
    EXPECT_EQ(two.spec.connectivity, Connectivity::eight);
    EXPECT_EQ(two.spec.tileSide, 2U);
    EXPECT_EQ(two.spec.threads, 8U);
    EXPECT_EQ(two.spec.turns, teach::Turns::random);
    EXPECT_EQ(two.spec.seed, 12U);
    EXPECT_EQ(two.spec.filter.criteria.at(0), parseCriterion("height>=3"));
    EXPECT_EQ(two.spec.threshold, 7);
    EXPECT_EQ(two.step, 4);
    EXPECT_TRUE(two.guessing);
}

TEST(LabScenes, AreReadAsTheyAreWritten) {
    const auto scenes = readScenes(R"({"scenes": [
        {"title": "One", "player": "union-find", "picture": "noise"},
        {"title": "\"Two\"", "player": "flooding", "picture": {"width": 2, "height": 1, "levels": [0, 65535]},
         "tree": "min", "connectivity": 8, "tile_side": 2, "threads": 8, "turns": "random", "seed": 12,
         "criterion": "3<=height<=5", "threshold": 7, "step": 4, "guess": true,
         "beside": "forest"}]})");
    EXPECT_EQ(scenes[0].beside, -1);
    EXPECT_EQ(teach::players()[static_cast<std::size_t>(scenes[1].beside)].id, "forest");
    for (const PreparedScene& one : scenes) {
        const auto again = readScenes("{\"scenes\": [" + sceneText(one) + "]}");
        ASSERT_EQ(again.size(), 1U);
        EXPECT_EQ(again[0].title, one.title);
        EXPECT_EQ(again[0].image, one.image);
        EXPECT_EQ(again[0].player, one.player);
        EXPECT_EQ(again[0].spec, one.spec);
        EXPECT_EQ(again[0].step, one.step);
        EXPECT_EQ(again[0].guessing, one.guessing);
        EXPECT_EQ(again[0].beside, one.beside);
    }
}

TEST(LabScenes, SayWhatIsWrong) {
    struct Case {
        QByteArray json;
        const char* says;
    };
    const std::vector<Case> cases{
        {"", "at byte"},
        {"\x00\xff\x80garbage", "at byte"},
        {"[]", "\"scenes\""},
        {R"({"scenes": 3})", "\"scenes\""},
        {R"({"scenes": []})", "0 scenes"},
        {R"({"scenes": [5]})", "scene 1"},
        {R"({"scenes": [{"title": "A", "picture": "hill", "player": "flooding", "beside": "x"}]})", "beside"},
        {R"({"scenes": [{"title": "A", "picture": "hill", "player": "flooding", "beside": 3}]})", "beside"},
        {R"({"scenes": [{}]})", "\"title\""},
        {R"({"scenes": [{"title": "T"}]})", "\"picture\""},
        {R"({"scenes": [{"title": "T", "picture": "peaks"}]})", "\"player\""},
        {R"({"scenes": [{"title": 4, "picture": "peaks"}]})", "\"title\""},
        {R"({"scenes": [{"title": "T", "picture": "peaks", "player": "chess"}]})", "chess"},
        {R"({"scenes": [{"title": "T", "picture": {"width": 0, "height": 1, "levels": []}}]})", "\"width\""},
        {R"({"scenes": [{"title": "T", "picture": {"width": 17, "height": 1, "levels": []}}]})", "\"width\""},
        {R"({"scenes": [{"title": "T", "picture": {"width": 2, "height": 2, "levels": [1, 2, 3]}}]})", "\"levels\""},
        {R"({"scenes": [{"title": "T", "picture": {"width": 1, "height": 1, "levels": [65536]}}]})", "\"levels\""},
        {R"({"scenes": [{"title": "T", "picture": {"width": 1, "height": 1, "levels": ["x"]}}]})", "\"levels\""},
        {R"({"scenes": [{"title": "T", "picture": {"width": 1, "height": 1, "levels": [1], "z": 0}}]})", "\"z\""},
        {scene(R"(, "tree": "oak")"), "oak"},
        {scene(R"(, "connectivity": 6)"), "\"connectivity\""},
        {scene(R"(, "tile_side": 3)"), "\"tile_side\""},
        {scene(R"(, "threads": 9)"), "\"threads\""},
        {scene(R"(, "threads": 2.5)"), "\"threads\""},
        {scene(R"(, "seed": -1)"), "\"seed\""},
        {scene(R"(, "seed": 1e300)"), "\"seed\""},
        {scene(R"(, "criterion": "area>")"), "\"criterion\""},
        {scene(R"(, "threshold": "high")"), "\"threshold\""},
        {scene(R"(, "step": -3)"), "\"step\""},
        {scene(R"(, "guess": 1)"), "\"guess\""},
        {scene(R"(, "music": "loud")"), "\"music\" is not known"},
    };
    for (const Case& each : cases) {
        const std::string problem = problemOf(each.json);
        EXPECT_TRUE(problem.starts_with("cannot read scenes: ")) << problem << " for " << each.json.constData();
        EXPECT_NE(problem.find(each.says), std::string::npos) << problem << " for " << each.json.constData();
        EXPECT_EQ(problem.find('\n'), std::string::npos);
    }
}

TEST(LabScenes, AreNotTooMany) {
    EXPECT_NE(problemOf(QByteArray(kLargestSceneFile + 1, ' ')).find("bytes"), std::string::npos);
    QByteArray many = R"({"scenes": [0)";
    for (qsizetype i = 0; i < kMostScenes; ++i) {
        many += ",0";
    }
    EXPECT_NE(problemOf(many + "]}").find("501 scenes"), std::string::npos);
    EXPECT_NE(problemOf(QByteArray(10000, '[')), "no error");
}

} // namespace
} // namespace pollard::vm
