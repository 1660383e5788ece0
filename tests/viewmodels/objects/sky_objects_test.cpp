// An image of the sky: sources above the local background, with their places and fluxes.

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/write/volume_writer.hpp"
#include "support/random_images.hpp"
#include "support/sky_cards.hpp"
#include "viewmodels/support/wait.hpp"

#include <gmock/gmock.h>

#include <QFile>
#include <QStringList>
#include <QTemporaryDir>

#include <algorithm>
#include <vector>

namespace pollard::vm {
namespace {

using testing::eventually;
using ::testing::HasSubstr;

class SkyObjects : public ::testing::Test {
protected:
    QTemporaryDir directory;
    EngineRegistry registry{makeCpuEngine()};
    DocumentViewModel document{DocumentServices::standard(registry)};
    ObjectsViewModel objects{document};
    ObjectTableModel table{objects};
    QString file = directory.filePath(QStringLiteral("sky.fits"));

    void SetUp() override {
        const std::vector<FormatFilter> formats = readableFormats();
        const bool readsFits =
            std::ranges::any_of(formats, [](const FormatFilter& format) { return format.name == "FITS"; });
        if (!readsFits || !testing::hasWcs()) {
            GTEST_SKIP() << "this build has no cfitsio or no wcslib";
        }
        // A slope with one star of 3000 above it.
        const auto image = testing::makeImage(PixelType::u16, 100, 100, [](auto x, auto y) {
            return 1000 + 20 * x + (x * 7 + y * 13) % 5 + (x == 33 && y == 12 ? 3000 : 0);
        });
        PlaneFacts facts;
        facts.sky = testing::sipHeader();
        facts.scale.unit = "adu";
        writeFits(file.toStdString(), {*image, facts});
        document.open(file);
        ASSERT_TRUE(eventually([this] { return !document.activity().isBusy() && document.hasImage(); }));
        objects.setSource(StepImage::original);
        objects.setActive(true);
        objects.setAbove({5, 16});
        ASSERT_TRUE(eventually([this] {
            return objects.state() == ObjectsViewModel::State::ready && table.listing() &&
                   table.listing()->found == objects.objects();
        }));
    }
    [[nodiscard]] QStringList titles() const {
        QStringList all;
        for (int column = 0; column < table.columnCount(); ++column) {
            all << table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        }
        return all;
    }
    [[nodiscard]] double value(const QString& title) const {
        return table.data(table.index(0, static_cast<int>(titles().indexOf(title))), Qt::UserRole).toDouble();
    }
};

TEST_F(SkyObjects, HavePlacesAndFluxes) {
    ASSERT_EQ(table.rowCount(), 1);
    ASSERT_TRUE(titles().contains(QStringLiteral("RA (°)")));
    EXPECT_NEAR(value(QStringLiteral("RA (°)")), 150.1015718570, 1e-9);
    EXPECT_NEAR(value(QStringLiteral("Dec (°)")), 2.2057433030, 1e-9);
    EXPECT_NEAR(value(QStringLiteral("Flux (adu)")), 3000, 30);
}

TEST_F(SkyObjects, AreListedByConditionsOnPlacesAndFluxes) {
    const auto lists = [this](const char* condition, int rows) {
        table.setCondition(QString::fromLatin1(condition));
        EXPECT_EQ(table.conditionProblem(), QString()) << condition;
        return eventually([&] { return table.rowCount() == rows; });
    };
    ASSERT_EQ(table.rowCount(), 1);
    EXPECT_TRUE(lists("flux > 4000", 0));
    EXPECT_TRUE(lists("flux > 2000 && ra_deg > 150 && dec_deg < 3", 1));
    EXPECT_TRUE(lists("dec_deg > 3", 0));
    table.setCondition(QStringLiteral("lon > 3"));
    EXPECT_EQ(table.conditionProblem(), QStringLiteral("This table has no column “lon”."));
    EXPECT_TRUE(lists("flux > 4000", 0));
    objects.setThreshold(ThresholdMethod::otsu);
    EXPECT_TRUE(eventually([this] { return !table.conditionProblem().isEmpty() && table.rowCount() > 0; }))
        << "without a background there is no flux";
    objects.setAbove({5, 16});
    EXPECT_TRUE(eventually([this] { return table.conditionProblem().isEmpty() && table.rowCount() == 0; }));
}

TEST_F(SkyObjects, AreWrittenWithPlacesAndLoseTheFluxWithTheBackground) {
    ObjectExport writer(table);
    const QString target = directory.filePath(QStringLiteral("sky.csv"));
    writer.save(ObjectFile::table, target);
    ASSERT_TRUE(eventually([&] { return QFile::exists(target); }));
    QFile written(target);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_THAT(written.readAll().toStdString(), HasSubstr("150.1015718"));
    objects.setThreshold(ThresholdMethod::otsu);
    ASSERT_TRUE(eventually([this] { return !titles().contains(QStringLiteral("Flux (adu)")); }));
    EXPECT_TRUE(titles().contains(QStringLiteral("RA (°)")));
    EXPECT_FALSE(objects.settings().rule.above);
}

} // namespace
} // namespace pollard::vm
