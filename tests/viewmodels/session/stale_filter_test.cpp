// A filter carried over to another image: when the notice appears and when it ends. Removing all filters.
#include "vm/recipe/earlier_filters.hpp"

#include "viewmodels/support/recipe_window.hpp"

#include <gmock/gmock.h>

#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace pollard::vm {
namespace {

using ::testing::HasSubstr;
using testing::samePixels;

class StaleFilters : public ::testing::Test, public testing::RecipeWindow {
protected:
    QTemporaryDir folder;
    StaleFilter carried{models};
    EarlierFilters earlier{models};

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    void SetUp() override {
        for (const char* name : {"a.tif", "b.tif", "c.tif"}) {
            testing::writeDiscPages(pathOf(name), 9, static_cast<std::uint32_t>(name[0]));
        }
        const auto flat = testing::makeImage(PixelType::u8, 60, 48, [](auto, auto) { return 7; });
        writeTiff(pathOf("flat.tif").toStdString(), *flat, {.compression = TiffCompression::none});
        ASSERT_TRUE(space.open(pathOf("a.tif")));
    }
    [[nodiscard]] std::string noticeOn(const char* name) {
        EXPECT_TRUE(space.open(pathOf(name)));
        return carried.text().toStdString();
    }
    void filter() {
        space.filter.setRange(12, 100'000);
        ASSERT_TRUE(space.rests());
    }
};

TEST_F(StaleFilters, AreNoticedWithWhatTheyLeave) {
    EXPECT_EQ(noticeOn("b.tif"), "") << "without a filter";
    filter();
    EXPECT_FALSE(carried.isNoticed()) << "it is of this image";
    const std::string notice = noticeOn("c.tif");
    EXPECT_THAT(notice, HasSubstr("b.tif"));
    const FilterReport& report = space.document.shown().frame.report;
    EXPECT_THAT(
        notice,
        HasSubstr(QLocale().toString(static_cast<qulonglong>(report.keptNodes)).toStdString() + " of " +
                  QLocale().toString(static_cast<qulonglong>(report.keptNodes + report.removedNodes)).toStdString()));
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(carried.isNoticed()) << "of the next page it is no more meant than of this";
    EXPECT_EQ(noticeOn("b.tif"), "") << "back at the image that it is of";
    EXPECT_NE(noticeOn("a.tif"), "");
    EXPECT_EQ(noticeOn("flat.tif"), "") << "it takes nothing away";
    EXPECT_NE(noticeOn("a.tif"), "");
    space.document.close();
    EXPECT_FALSE(carried.isNoticed());
}

TEST_F(StaleFilters, ThatAreKeptAreKeptForTheNextImagesUntilTheyChange) {
    filter();
    ASSERT_NE(noticeOn("b.tif"), "");
    carried.keep();
    EXPECT_FALSE(carried.isNoticed());
    EXPECT_EQ(noticeOn("c.tif"), "");
    space.document.reading().setPage(1);
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(noticeOn("a.tif"), "");
    space.filter.setMinimum(20);
    ASSERT_TRUE(space.rests());
    EXPECT_FALSE(carried.isNoticed()) << "a change ends it for good";
    EXPECT_THAT(noticeOn("b.tif"), HasSubstr("a.tif"));
}

TEST_F(StaleFilters, AreClearedForAnotherKindOfImage) {
    StaleFilter clearing(models, &earlier);
    QSignalSpy told(&clearing, &StaleFilter::clearedForOtherKind);
    const auto wide = testing::makeImage(PixelType::u16, 60, 48, [](auto x, auto y) { return 300 + x * 5 + y; });
    writeTiff(pathOf("wide.tif").toStdString(), *wide, {.compression = TiffCompression::none});
    filter();
    ASSERT_TRUE(space.open(pathOf("b.tif"))); // of the series
    EXPECT_EQ(told.size(), 0);
    EXPECT_EQ(space.filter.minimum(), 12);
    EXPECT_THAT(clearing.text().toStdString(), HasSubstr("still applied"));
    ASSERT_TRUE(space.open(pathOf("wide.tif"))); // 16 bits
    EXPECT_EQ(told.size(), 1);
    EXPECT_TRUE(clearing.isCleared());
    EXPECT_THAT(clearing.text().toStdString(), HasSubstr("a.tif cleared for another kind"));
    EXPECT_TRUE(samePixels(*space.document.result(), *wide));
    clearing.keep();
    ASSERT_TRUE(space.rests());
    EXPECT_EQ(clearing.text(), QString());
    EXPECT_EQ(space.filter.minimum(), 12) << "it is back";
    ASSERT_TRUE(space.open(pathOf("a.tif")));
    EXPECT_EQ(told.size(), 1) << "a kept filter stays for every kind";
    EXPECT_EQ(space.filter.minimum(), 12);
    space.filter.setMinimum(13);
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.open(pathOf("wide.tif")));
    EXPECT_EQ(told.size(), 2);
    clearing.dismiss();
    EXPECT_EQ(clearing.text(), QString());
    EXPECT_TRUE(samePixels(*space.document.result(), *wide));
}

TEST_F(StaleFilters, EveryEditEndsTheNotice) {
    filter();
    const auto root = [this] { return space.document.tree()->canonical[1]; };
    const std::vector<std::pair<const char*, std::function<void()>>> edits{
        {"bounds", [this] { space.filter.setMinimum(space.filter.minimum() + 1); }},
        {"another criterion", [this] { space.filter.criteria().add(AttributeId::height); }},
        {"prominence", [this] { space.filter.setProminentOnly(!space.filter.isProminentOnly()); }},
        {"pick", [&] { space.filter.picks().pick(root(), PicksModel::PickEffect::removed); }},
        {"output", [this] { space.filter.setOutput(Output::residue); }},
        {"off", [this] { space.filter.setEnabled(false); }},
    };
    const char* names[] = {"b.tif", "c.tif"};
    int turn = 0;
    for (const auto& [what, edit] : edits) {
        ASSERT_NE(noticeOn(names[turn++ % 2]), "") << what;
        edit();
        EXPECT_FALSE(carried.isNoticed()) << what;
        ASSERT_TRUE(space.rests());
        EXPECT_FALSE(carried.isNoticed()) << what;
    }
}

TEST_F(StaleFilters, ThoseOfASessionOrOfAPresetForTheImageAreNoAccident) {
    filter();
    ASSERT_TRUE(space.save(pathOf("a.json")));
    ASSERT_NE(noticeOn("b.tif"), "");
    space.filter.setMinimum(20); // makes it a filter of b.tif
    ASSERT_TRUE(space.rests());
    ASSERT_TRUE(space.openSession(pathOf("a.json")));
    EXPECT_EQ(carried.text(), QString());
    ASSERT_NE(noticeOn("c.tif"), "");
    space.filter.setMinimum(30); // like a preset before its sample is opened
    carried.expect(pathOf("b.tif"));
    EXPECT_EQ(noticeOn("b.tif"), "");
}

TEST_F(StaleFilters, ClearedFiltersLeaveTheImageAsItWasReadInOneStep) {
    const auto original = space.document.image();
    EXPECT_FALSE(earlier.canClear());
    filter();
    earlier.continueFromResult();
    ASSERT_TRUE(space.rests());
    space.filter.setProminentOnly(true);
    space.filter.setProminentCount(1);
    space.filter.criteria().add(AttributeId::height);
    space.filter.picks().pick(space.document.tree()->canonical[1], PicksModel::PickEffect::removed);
    space.filter.setOutput(Output::residue);
    ASSERT_TRUE(space.rests());
    const auto filtered = space.document.result();
    ASSERT_FALSE(samePixels(*filtered, *original));
    const FilterViewModel::State before = space.filter.state();
    const FilterStages stages = space.document.choices().earlierFilters();
    const int entries = space.history.stack().count();
    ASSERT_TRUE(earlier.canClear());
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *original));
    EXPECT_TRUE(space.document.choices().earlierFilters().empty());
    EXPECT_FALSE(earlier.canClear());
    EXPECT_EQ(space.history.stack().count(), entries + 1);
    space.history.undo();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *filtered));
    EXPECT_EQ(space.filter.state(), before);
    EXPECT_EQ(space.document.choices().earlierFilters(), stages);
    space.filter.setLive(false);
    earlier.clearAll();
    ASSERT_TRUE(space.rests());
    EXPECT_TRUE(samePixels(*space.document.result(), *original)) << "live or not";
}

} // namespace
} // namespace pollard::vm
