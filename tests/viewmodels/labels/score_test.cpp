// The objects of the window beside the true ones of a file.

#include "vm/labels/score_view_model.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "support/random_volumes.hpp"
#include "viewmodels/support/workspace.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::testing {
namespace {

using ::testing::ElementsAre;
using vm::AsyncState;

struct Box {
    std::uint32_t left, top, right, bottom;
    std::uint32_t number;
};

std::shared_ptr<Image> boxes(const std::vector<Box>& all, std::uint32_t width = 40) {
    return makeImage(PixelType::u8, width, 20, [&all](auto x, auto y) -> std::uint32_t {
        for (const Box& box : all) {
            if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) {
                return box.number;
            }
        }
        return 0;
    });
}

/// One object of each outcome, two of the merged ones.
class ObjectScores : public ::testing::Test {
protected:
    QTemporaryDir directory;
    Workspace work;
    vm::ScoreViewModel& score = work.score;
    vm::ScoreErrorModel errors{score};

    void SetUp() override {
        const auto image = boxes(
            {{2, 2, 9, 9, 200}, {14, 2, 17, 9, 200}, {20, 2, 23, 9, 200}, {28, 2, 33, 9, 200}, {14, 13, 29, 18, 200}});
        (void)write(
            *boxes({{2, 2, 9, 9, 7}, {14, 2, 23, 9, 9}, {2, 14, 5, 17, 4}, {14, 13, 20, 18, 11}, {23, 13, 29, 18, 12}}),
            "cells_truth.tif");
        ASSERT_TRUE(work.open(write(*image, "cells.tif")));
        work.objects.setSource(StepImage::original);
        work.objects.setThreshold(ThresholdMethod::otsu);
        work.objects.setActive(true);
        score.setActive(true);
        ASSERT_TRUE(rests());
        ASSERT_EQ(work.table.rowCount(), 5);
    }
    [[nodiscard]] QString write(const Image& image, const char* name) {
        const QString path = directory.filePath(QLatin1String(name));
        writeTiff(path.toStdString(), {image, {}}, {.compression = TiffCompression::none});
        return path;
    }
    [[nodiscard]] bool rests() {
        return work.rests() && eventually([this] { return score.isIdle(); });
    }
    [[nodiscard]] std::vector<QString> listed() const {
        std::vector<QString> rows;
        for (int row = 0; row < errors.rowCount(); ++row) {
            QStringList texts;
            for (int column = 0; column < errors.columnCount(); ++column) {
                texts << errors.index(row, column).data().toString();
            }
            rows.push_back(texts.join(u' '));
        }
        return rows;
    }
};

TEST_F(ObjectScores, CountsAndListsTheErrors) {
    EXPECT_EQ(score.state(), AsyncState::empty) << "there is no truth";
    score.setTruth(QStringLiteral("{stem}_truth.tif"));
    ASSERT_TRUE(rests());
    const auto result = score.score();
    ASSERT_TRUE(result) << score.problem().toStdString();
    const MatchScore& match = result->totals.matches.front();
    EXPECT_EQ(match.matched, 1U);
    EXPECT_EQ(match.found, 5U);
    EXPECT_EQ(match.truth, 5U);
    EXPECT_DOUBLE_EQ(match.f1(), 0.2);
    EXPECT_EQ(result->totals.matches.size(), 1 + usualThresholds().size());
    EXPECT_THAT(listed(), ElementsAre("Missed 4 4, 16 0.000", "Invented 4 31, 6 0.000", "Split 9 19, 6 0.400",
                                      "Merged 11 17, 16 0.438", "Merged 12 26, 16 0.438"));
    EXPECT_DOUBLE_EQ(errors.errorAt(0)->x, 3.5);
    EXPECT_DOUBLE_EQ(errors.errorAt(0)->y, 15.5);
    EXPECT_EQ(errors.errorAt(5), nullptr);
    const auto outcomes = result->outcomes->pixels<std::uint8_t>();
    EXPECT_EQ(outcomes[5 * 40 + 5], 1);
    EXPECT_EQ(outcomes[15 * 40 + 3], 2);
    EXPECT_EQ(outcomes[5 * 40 + 30], 3);
    ASSERT_TRUE(result->distances);
    EXPECT_GT(result->distances->hausdorff95, 0);
}

TEST_F(ObjectScores, FollowConditionEditsAndThreshold) {
    score.setTruth(QStringLiteral("{stem}_truth.tif"));
    ASSERT_TRUE(rests());
    const auto truth = score.score()->truth;
    work.table.setCondition(QStringLiteral("area < 90"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.score()->totals.number(ObjectOutcome::missed), 3U) << "the object of two is not listed";
    work.labelEdits.remove({4});
    ASSERT_TRUE(eventually([this] { return !work.labelEdits.isBusy(); }) && rests());
    EXPECT_EQ(score.score()->totals.number(ObjectOutcome::invented), 0U);
    EXPECT_EQ(score.score()->truth, truth) << "it is read once";
    score.setThreshold(0.4);
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.score()->totals.matches.front().matched, 2U);
    score.setThreshold(-1);
    EXPECT_EQ(score.threshold(), vm::ScoreViewModel::kLeastThreshold);
}

TEST_F(ObjectScores, SaysWhyThereIsNone) {
    score.setTruth(QStringLiteral("none.tif"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.state(), AsyncState::failed);
    EXPECT_TRUE(score.problem().contains(QStringLiteral("none.tif"))) << score.problem().toStdString();
    EXPECT_EQ(errors.rowCount(), 0);
    (void)write(*boxes({}, 30), "small.tif");
    score.setTruth(QStringLiteral("small.tif"));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(score.problem().contains(QStringLiteral("30 x 20"))) << score.problem().toStdString();
    score.chooseTruth(directory.filePath(QStringLiteral("cells_truth.tif")));
    EXPECT_EQ(score.truth(), QStringLiteral("{stem}_truth.tif"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.state(), AsyncState::ready);
}

TEST_F(ObjectScores, AreInSessions) {
    const QString session = directory.filePath(QStringLiteral("cells.pollard"));
    ASSERT_TRUE(work.save(session));
    EXPECT_FALSE(work.sessions.isModified());
    score.setTruth(QStringLiteral("{stem}_truth.tif"));
    score.setThreshold(0.4);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(work.sessions.isModified());
    const std::size_t matched = score.score()->totals.matches.front().matched;
    const QString scored = directory.filePath(QStringLiteral("scored.pollard"));
    ASSERT_TRUE(work.save(scored));
    EXPECT_FALSE(work.sessions.isModified());
    ASSERT_TRUE(work.openSession(session));
    EXPECT_EQ(score.truth(), QString()) << "this session has none";
    score.setThreshold(0.7);
    ASSERT_TRUE(work.openSession(scored));
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.truth(), QStringLiteral("{stem}_truth.tif"));
    EXPECT_EQ(score.threshold(), 0.4);
    ASSERT_TRUE(score.score()) << score.problem().toStdString();
    EXPECT_EQ(score.score()->totals.matches.front().matched, matched);
    EXPECT_FALSE(work.sessions.isModified());
}

TEST_F(ObjectScores, ColoursWhileThereIsAScore) {
    score.setColoursErrors(true);
    EXPECT_FALSE(score.coloured());
    score.setTruth(QStringLiteral("{stem}_truth.tif"));
    ASSERT_TRUE(rests());
    EXPECT_EQ(score.coloured(), score.score());
    score.setActive(false);
    EXPECT_FALSE(score.coloured()) << "the panel is closed";
    score.setActive(true);
    ASSERT_TRUE(rests());
    EXPECT_TRUE(score.coloured());
    score.setColoursErrors(false);
    EXPECT_FALSE(score.coloured());
}

TEST_F(ObjectScores, OfAVolumeLeadToTheirSlices) {
    // A cube in slices 1 and 2 that the truth has too, and another one: of the truth in slices 5 to 7, else in slice 0.
    const auto cubes = [](std::uint32_t first, std::uint32_t last) {
        return makeVolume(PixelType::u8, {20, 12, 9}, [=](auto x, auto y, auto z) -> std::uint32_t {
            const bool isRow = y >= 2 && y < 6;
            return isRow && x < 4 && (z == 1 || z == 2)                    ? 100
                   : isRow && x >= 10 && x < 16 && z >= first && z <= last ? 200
                                                                           : 0;
        });
    };
    const auto path = [this](const char* name) { return directory.filePath(QLatin1String(name)); };
    writeVoxels(path("cubes.nii").toStdString(), {*cubes(0, 0), {}});
    writeVoxels(path("cubes_truth.nii").toStdString(), {*cubes(5, 7), {}});
    score.setTruth(QStringLiteral("{stem}_truth.nii"));
    ASSERT_TRUE(work.open(path("cubes.nii")));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(work.document.isVolume());
    ASSERT_TRUE(score.score()) << score.problem().toStdString();
    EXPECT_EQ(score.score()->totals.matches.front().matched, 1U);
    EXPECT_THAT(listed(), ElementsAre("Missed 200 13, 4, 6 0.000", "Invented 1 13, 4, 0 0.000"));
    score.showSliceOf(*errors.errorAt(0));
    EXPECT_TRUE(eventually([this] { return work.document.shown().slice == 6; }));
}

} // namespace
} // namespace pollard::testing
