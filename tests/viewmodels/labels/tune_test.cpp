// Numbers of the window's recipe that are tried beside the truth, and taken.

#include "vm/recipe/tune_view_model.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "support/random_images.hpp"
#include "viewmodels/support/workspace.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/recipe/result_steps.hpp"

#include <gmock/gmock.h>

#include <QTemporaryDir>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard::testing {
namespace {

using vm::AsyncState;

/// Three images: a true object of the value 200 - 10 i, and an invented one of 100.
class Tuning : public ::testing::Test {
protected:
    QTemporaryDir folder;
    Workspace work;
    vm::ResultSteps results{{work.document, work.region, work.objects, work.table, work.contours, work.history}};
    vm::RecipeViewModel recipe{{work.document, work.filter, work.region, work.history}};
    vm::TuneViewModel tune{{work.document, work.objects, work.score, recipe, work.history},
                           [this] { return std::vector<Engine*>{&work.registry.select("cpu")}; }};

    void SetUp() override {
        recipe.addResults(results);
        for (int i = 0; i != 3; ++i) {
            const auto bright = static_cast<std::uint32_t>(200 - 10 * i);
            write(i, "", [=](auto x, auto y) -> std::uint32_t {
                return y < 2 || y > 8 ? 0 : x >= 2 && x < 9 ? bright : x >= 20 && x < 27 ? 100 : 0;
            });
            write(i, "_truth", [](auto x, auto y) { return y >= 2 && y <= 8 && x >= 2 && x < 9 ? 4U : 0U; });
        }
        ASSERT_TRUE(work.open(pathOf(0, "")));
        work.objects.setSource(StepImage::original);
        work.objects.setActive(true);
        work.objects.setThreshold(ThresholdMethod::otsu);
        ASSERT_TRUE(work.rests());
        work.score.setTruth(QStringLiteral("{stem}_truth.tif"));
    }
    template <class Level> void write(int number, const char* ending, Level level) const {
        writeTiff(pathOf(number, ending).toStdString(), {*makeImage(PixelType::u8, 32, 12, level), {}}, {});
    }
    [[nodiscard]] QString pathOf(int number, const char* ending) const {
        return folder.filePath(QStringLiteral("i%1%2.tif").arg(number).arg(QLatin1String(ending)));
    }
    [[nodiscard]] bool ends() {
        return eventually([this] { return tune.state() != AsyncState::computing; });
    }
};

TEST_F(Tuning, ProposesTheNumbersOfTheRecipe) {
    const std::vector<vm::TuneRange> ranges = tune.proposals();
    ASSERT_FALSE(ranges.empty());
    EXPECT_EQ(ranges.front().name, QStringLiteral("objects.threshold"));
    const double otsu = work.objects.objects()->low;
    EXPECT_EQ(ranges.front().first, otsu / 2);
    EXPECT_EQ(ranges.front().last, otsu * 2);
    EXPECT_THAT((vm::TuneRange{QStringLiteral("n"), 0, 1, 3}).values().values, ::testing::ElementsAre(0, .5, 1));
}

TEST_F(Tuning, TriesAllImagesWithATruthAndTakesATrialInOneEntry) {
    tune.start({{QStringLiteral("objects.threshold"), 90, 210, 5}}); // 90, 120, 150, 180, 210
    ASSERT_TRUE(ends());
    ASSERT_EQ(tune.state(), AsyncState::ready) << tune.problem().toStdString();
    const auto result = tune.result();
    EXPECT_EQ(result->images, 3U);
    EXPECT_EQ(result->f1, (std::vector<double>{2. / 3, 1, 1, 1, 0}));
    EXPECT_EQ(result->best, 1U);
    EXPECT_EQ(result->folds.size(), 3U);
    EXPECT_EQ(result->crossValidatedF1(), 1);
    const int before = work.history.stack().index();
    EXPECT_EQ(tune.take(2), QString());
    ASSERT_TRUE(work.rests());
    EXPECT_EQ(work.objects.objects()->components.count, 1U);
    EXPECT_EQ(work.objects.objects()->low, 150);
    EXPECT_EQ(work.history.stack().index(), before + 1);
    work.history.undo();
    ASSERT_TRUE(work.rests());
    EXPECT_EQ(work.objects.objects()->components.count, 2U);
    work.objects.setThreshold(ThresholdMethod::li);
    ASSERT_TRUE(work.rests());
    EXPECT_NE(tune.take(2), QString()) << "the recipe is another one";
}

TEST_F(Tuning, OfOneImageIsNotCrossValidated) {
    work.score.setTruth(QStringLiteral("i0_truth.tif"));
    tune.start({{QStringLiteral("objects.threshold"), 90, 210, 2}, {QStringLiteral("filter.area"), 1, 2, 2}});
    ASSERT_TRUE(ends());
    EXPECT_EQ(tune.state(), AsyncState::failed) << "the filter has no criterion";
    tune.start({{QStringLiteral("objects.threshold"), 90, 210, 2, QStringLiteral("HU")}});
    ASSERT_TRUE(ends());
    ASSERT_EQ(tune.state(), AsyncState::ready) << tune.problem().toStdString();
    EXPECT_THAT(tune.result()->units, ::testing::ElementsAre(QStringLiteral("HU")));
    EXPECT_EQ(tune.result()->images, 1U);
    EXPECT_TRUE(tune.result()->folds.empty());
    tune.start({{QStringLiteral("objects.threshold"), 1, 254, 50}});
    tune.cancel();
    EXPECT_EQ(tune.state(), AsyncState::empty);
    EXPECT_EQ(tune.result(), nullptr);
}

} // namespace
} // namespace pollard::testing
