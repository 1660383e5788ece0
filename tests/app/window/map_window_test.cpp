// An image with map coordinates in the window: the position under the pointer, files in degrees or pixels. Questions
// about the content of files.

#include "app/test_window.hpp"

#include "batch/input_files.hpp"
#include "docks/objects/objects_panel.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "geo/vector_layer.hpp"
#include "support/map_tags.hpp"
#include "widgets/panel_parts.hpp"
#include "window/image_area.hpp"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPointer>
#include <QStatusBar>
#include <QTimer>

namespace pollard::app {
namespace {

using testing::MapKeys;

class MapWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;
    TestWindow test;

    /// 64 x 64 px with a bright square.
    void open(const QString& name, const std::vector<CopiedTag>& tags) {
        const auto image = makeImage(PixelType::u8, 64, 64, [](std::uint32_t x, std::uint32_t y) {
            return x >= 20 && x < 40 && y >= 10 && y < 30 ? 200 : 20;
        });
        const QString path = folder.filePath(name);
        PlaneFacts facts;
        facts.carried = tags;
        writeTiff(path.toStdString(), {*image, facts});
        test.window.openFile(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() == path; }, kPatience));
        ASSERT_TRUE(test.settle());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.map.isPending(); }, kPatience));
    }
    [[nodiscard]] ElidedLabel& probe() { return *test.part<ElidedLabel>("probe"); }

    /// Accepts the next file dialog with a file and a file type, by index; returns the number of types in @p kinds.
    void answer(const QString& path, int kind, int* kinds) {
        auto* timer = new QTimer(&test.window);
        timer->setInterval(10);
        QObject::connect(timer, &QTimer::timeout, timer, [timer, path, kind, kinds] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) {
                return;
            }
            timer->deleteLater();
            *kinds = static_cast<int>(dialog->nameFilters().size());
            dialog->selectNameFilter(dialog->nameFilters().at(std::min(kind, *kinds - 1)));
            dialog->setDirectory(QFileInfo(path).path());
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            static_cast<QDialog*>(dialog)->accept();
        });
        timer->start();
    }
    [[nodiscard]] QJsonObject savedRegion(int kind, int* kinds) {
        const QString path = folder.filePath(QStringLiteral("region.geojson"));
        QFile::remove(path);
        answer(path, kind, kinds);
        test.window.findChild<QAction*>(QStringLiteral("saveRegion"))->trigger();
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QJsonDocument::fromJson(file.readAll()).object();
    }
};

TEST_F(MapWindow, TellsThePlaceUnderThePointer) {
    POLLARD_NEED_PROJ();
    open(QStringLiteral("map.tif"), pollard::testing::mapTags(MapKeys::geographic(4326), 16, 48.5, 0.001, 0.001));
    test.models.probe.setPosition({20.5, 10.5});
    EXPECT_TRUE(probe().fullText().contains(test.models.map.textAt(20, 10))) << probe().fullText().toStdString();
    EXPECT_TRUE(probe().toolTip().contains(QStringLiteral("WGS 84")));
    const QSize before = probe().size();
    test.models.probe.setPosition({63.5, 63.5});
    QApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    EXPECT_EQ(probe().size(), before) << "nothing is laid out for another text";
    open(QStringLiteral("plain.tif"), {});
    test.models.probe.setPosition({20.5, 10.5});
    EXPECT_FALSE(probe().fullText().contains(QStringLiteral("°")));
    EXPECT_FALSE(probe().toolTip().contains(QStringLiteral("WGS 84")));
}

TEST_F(MapWindow, SavesARegionInDegreesOrPixels) {
    POLLARD_NEED_PROJ();
    int kinds = 0;
    open(QStringLiteral("map.tif"), pollard::testing::mapTags(MapKeys::projected(32633), 600000, 5350000, 10, 10));
    const RegionShape box{RegionShape::Kind::rectangle, {{5, 6}, {30, 40}}};
    test.models.region.add(box);
    EXPECT_TRUE(savedRegion(0, &kinds).contains(QStringLiteral("pollard_coordinates")));
    EXPECT_EQ(kinds, 2);
    test.models.region.clear();
    test.models.region.load(folder.filePath(QStringLiteral("region.geojson")), test.models.map.map());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.region.isLoading(); }, kPatience));
    EXPECT_EQ(test.models.region.shapes(), std::vector<RegionShape>{box});
    EXPECT_FALSE(savedRegion(1, &kinds).contains(QStringLiteral("pollard_coordinates")));
    open(QStringLiteral("plain.tif"), {});
    test.models.region.add(box);
    EXPECT_FALSE(savedRegion(0, &kinds).contains(QStringLiteral("pollard_coordinates")));
    EXPECT_EQ(kinds, 1);
}

/// Answers dialogs for an entry of a list one after another.
class Answers {
public:
    Answers(QWidget& window, QStringList answers) : answers_(std::move(answers)), timer_(new QTimer(&window)) {
        QObject::connect(timer_, &QTimer::timeout, timer_, [this] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr || dialog == last_ || answers_.isEmpty()) {
                return;
            }
            last_ = dialog;
            questions << dialog->labelText() + u':' + dialog->comboBoxItems().join(u',');
            const QString answer = answers_.takeFirst();
            dialog->setTextValue(answer);
            answer.isEmpty() ? dialog->reject() : dialog->accept();
        });
        timer_->start(10);
    }
    QStringList questions;

private:
    QStringList answers_;
    QTimer* timer_;
    QPointer<QInputDialog> last_;
};

TEST_F(MapWindow, AsksForTheLayerOfARegion) {
    if (!writesVectorFiles()) {
        GTEST_SKIP() << "a build without GDAL";
    }
    open(QStringLiteral("plain.tif"), {});
    Answers answers(test.window, {QString(), QStringLiteral("lakes")});
    for (const int shapes : {0, 2}) {
        int kinds = 0;
        answer(QStringLiteral(POLLARD_SOURCE_DIR "/tests/support/two_layers.gpkg"), 0, &kinds);
        test.window.findChild<QAction*>(QStringLiteral("loadRegion"))->trigger();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return answers.questions.size() == (shapes == 0 ? 1 : 2) && !test.models.region.isLoading(); },
            kPatience));
        EXPECT_EQ(answers.questions.back(), QStringLiteral("Layer with the polygons:ponds,lakes"));
        EXPECT_EQ(test.models.region.count(), shapes);
    }
}

TEST_F(MapWindow, OpensTheFirstWellOfAPlateThatIsThere) {
    const QString plate = folder.filePath(QStringLiteral("screen.zarr"));
    const auto write = [&](const QString& name, const QByteArray& text) {
        QDir().mkpath(QFileInfo(plate + u'/' + name).path());
        QFile file(plate + u'/' + name);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    };
    write(QStringLiteral(".zattrs"), R"({"plate": {"wells": [{"path": "A/1"}, {"path": "B/2"}]}})");
    write(QStringLiteral(".zgroup"), R"({"zarr_format": 2})");
    write(QStringLiteral("B/2/.zattrs"), R"({"well": {"images": [{"path": "0"}, {"path": "1"}]}})");
    write(QStringLiteral("B/2/.zgroup"), R"({"zarr_format": 2})");
    write(QStringLiteral("B/2/1/.zarray"),
          R"({"zarr_format": 2, "shape": [30, 40], "chunks": [30, 40], "dtype": "|u1", "compressor": null,)"
          R"( "fill_value": 7, "order": "C", "filters": null})");
    if (imagesListedBy(plate.toStdString()).paths.empty()) {
        GTEST_SKIP() << "a build without Zarr";
    }
    emit test.window.findChild<ImageArea*>()->fileChosen(plate + QStringLiteral("/.zattrs"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.path() == plate + QStringLiteral("/B/2/1"); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.image()->width(), 40U);
}

TEST_F(MapWindow, SavesObjectsInPixelsAndSaysWhyWhereTheSystemIsUnknown) {
    int kinds = 0;
    MapKeys keys = MapKeys::projected(kUserDefinedKey);
    keys.citation = "Grid of the mine";
    open(QStringLiteral("mine.tif"), pollard::testing::mapTags(keys, 0, 0, 1, 1));
    test.models.objects.setActive(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.objectExport.isAvailable(); }, kPatience));
    const QString path = folder.filePath(QStringLiteral("o.geojson"));
    answer(path, 0, &kinds);
    emit test.window.findChild<ObjectsPanel*>()->saveRequested(vm::ObjectFile::outlines);
    EXPECT_EQ(kinds, 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.objectExport.isBusy(); }, kPatience));
    EXPECT_TRUE(QFile::exists(path));
    EXPECT_TRUE(test.window.statusBar()->currentMessage().contains(QStringLiteral("Grid of the mine")));
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

} // namespace
} // namespace pollard::app
