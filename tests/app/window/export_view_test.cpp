#include "app/test_window.hpp"

#include "export/view_exporter.hpp"
#include "export/view_image.hpp"
#include "io/image_file.hpp"
#include "overlays/overlay_layer.hpp"
#include "shell/canvas_actions.hpp"
#include "vm/base/file_export.hpp"
#include "window/files/export_view.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QPrinter>
#include <QSignalSpy>
#include <QStatusBar>

#include <memory>
#include <utility>

namespace pollard::app {
namespace {

class ExportView : public ::testing::Test {
protected:
    TestWindow test;
    QTemporaryDir folder;

    void SetUp() override {
        test.open("picture", makeImage(PixelType::u8, 300, 200, [](std::uint32_t x, std::uint32_t y) {
                      return static_cast<int>((x * 5 + y * 11) % 256);
                  }));
        test.models.display.fullWindow();
    }
    [[nodiscard]] OverlayLayer* layer() { return test.part<OverlayLayer>("overlayLayer"); }
    /// Exports the plan and reads the file.
    [[nodiscard]] QImage exported(const vm::ExportPlan& plan, const char* name, bool overlays = false) {
        const QString path = folder.filePath(QLatin1String(name));
        ViewExporter exporter(*test.window.canvas(), overlays ? layer() : nullptr);
        QSignalSpy finished(&exporter, &ViewExporter::finished);
        exporter.start(path, plan);
        EXPECT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, kPatience));
        EXPECT_EQ(finished.value(0).value(0).toString(), QString());
        if (path.endsWith(QLatin1String(".png"))) {
            return QImage(path).convertToFormat(QImage::Format_RGB32);
        }
        const LoadedImage loaded = readImage(path.toStdString()); // luminance equals the level in a grey map
        QImage image(static_cast<int>(loaded.image->width()), static_cast<int>(loaded.image->height()),
                     QImage::Format_RGB32);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const int level = loaded.image->level(static_cast<std::size_t>(y * image.width() + x));
                image.setPixel(x, y, qRgb(level, level, level));
            }
        }
        return image;
    }
    static void expectSame(const QImage& a, const QImage& b) {
        ASSERT_EQ(a.size(), b.size());
        for (int y = 0; y < a.height(); ++y) {
            for (int x = 0; x < a.width(); ++x) {
                ASSERT_LE(std::abs(qRed(a.pixel(x, y)) - qRed(b.pixel(x, y))), 1) << x << ", " << y;
            }
        }
    }
};

TEST_F(ExportView, VisiblePartAtItsOwnScaleEqualsTheCanvas) {
    test.window.resize(900, 640); // the least zoom follows the size of the canvas
    ASSERT_TRUE(test.isLaidOut());
    for (const double zoom : {0.5, 1.0, 3.0, 4.7}) {
        SCOPED_TRACE(zoom);
        test.models.display.setZoom(zoom);
        ASSERT_EQ(test.models.display.view().zoom, zoom);
        test.models.display.setCentre({140, 90});
        ASSERT_TRUE(test.settle());
        const vm::ViewTransform& view = test.models.display.view();
        const QImage canvas = test.window.canvas()->grabFramebuffer();
        const vm::ExportPlan plan = vm::planExport({false, zoom, false}, view);
        const QImage file = exported(plan, "view.png");
        const QPointF corner = view.toView({0, 0});
        const QPoint first(std::max(0, qRound(corner.x())), std::max(0, qRound(corner.y())));
        expectSame(file, canvas.copy(QRect(first, file.size())).convertToFormat(QImage::Format_RGB32));
    }
}

TEST_F(ExportView, WholeImageAtFullScaleHasEveryLevelInPngAndTiff) {
    const vm::ExportPlan plan = vm::planExport({true, 1, false}, test.models.display.view());
    for (const char* name : {"whole.png", "whole.tif"}) {
        const QImage file = exported(plan, name);
        ASSERT_EQ(file.size(), QSize(300, 200)) << name;
        for (int y = 0; y < 200; ++y) {
            for (int x = 0; x < 300; ++x) {
                ASSERT_NEAR(qRed(file.pixel(x, y)), (x * 5 + y * 11) % 256, 1) << name << " " << x << ", " << y;
            }
        }
    }
}

TEST_F(ExportView, LargeImageIsDrawnInBandsWithoutSeams) {
    // 2,400 x 1,600 px: several bands and parts; a px of the image is 8 x 8 px.
    const vm::ExportPlan plan = vm::planExport({true, 8, false}, test.models.display.view());
    const QImage file = exported(plan, "large.png");
    ASSERT_EQ(file.size(), QSize(2400, 1600));
    for (int y = 0; y < 1600; y += 3) {
        for (int x = 0; x < 2400; x += 3) {
            ASSERT_NEAR(qRed(file.pixel(x, y)), (x / 8 * 5 + y / 8 * 11) % 256, 1) << x << ", " << y;
        }
    }
}

TEST_F(ExportView, OverlaysAreDrawnOnlyIfAskedFor) {
    test.models.region.add({RegionShape::Kind::rectangle, {{100, 50}, {200, 150}}});
    ASSERT_TRUE(test.settle());
    const vm::ExportPlan plan = vm::planExport({true, 2, true}, test.models.display.view());
    const QImage bare = exported(plan, "bare.png");
    const QImage dressed = exported(plan, "dressed.png", true);
    ASSERT_EQ(bare.size(), dressed.size());
    EXPECT_LT(qRed(dressed.pixel(100, 50)), qRed(bare.pixel(100, 50)) * 0.7 + 1) << "dimmed outside";
    EXPECT_EQ(dressed.pixel(300, 200), bare.pixel(300, 200)) << "untouched inside";
}

TEST_F(ExportView, OverlaysOfALowerBandLieAtTheirRows) {
    test.models.region.add({RegionShape::Kind::rectangle, {{0, 0}, {300, 60}}});
    ASSERT_TRUE(test.settle());
    const vm::ExportPlan plan = vm::planExport({true, 2, true}, test.models.display.view());
    constexpr int kTop = 200; // below the region
    const QImage bare = renderRows(*test.window.canvas(), nullptr, plan, kTop, kTop);
    const QImage dressed = renderRows(*test.window.canvas(), layer(), plan, kTop, kTop);
    for (int y = 0; y < 120; y += 20) { // as high as the region, above the scale bar
        for (int x = 100; x < 500; x += 20) {
            const int level = qRed(bare.pixel(x, y));
            EXPECT_LE(qRed(dressed.pixel(x, y)), level * 0.7 + 1) << x << ", " << y;
        }
    }
}

TEST_F(ExportView, CopyPutsTheViewWithItsOverlaysOnTheClipboard) {
    QGuiApplication::clipboard()->clear();
    test.window.actionList().canvas->copyView->trigger();
    const QImage copied = QGuiApplication::clipboard()->image();
    const Canvas& canvas = *test.window.canvas();
    EXPECT_EQ(copied.size(), (QSizeF(canvas.size()) * canvas.devicePixelRatioF()).toSize());
    // The scale bar is white on a dark plate in the lower left corner.
    int white = 0;
    for (int x = 0; x < 220; ++x) {
        for (int y = copied.height() - 60; y < copied.height(); ++y) {
            white += copied.pixelColor(x, y) == QColor(Qt::white) ? 1 : 0;
        }
    }
    EXPECT_GT(white, 200);
}

TEST_F(ExportView, TellsTheSizeOfItsOwnPixels) {
    for (const double scale : {0.5, 1.0, 2.0}) {
        for (const char* name : {"view.tif", "view.png"}) {
            const QString path = folder.filePath(QLatin1String(name));
            ViewExporter exporter(*test.window.canvas(), nullptr);
            QSignalSpy finished(&exporter, &ViewExporter::finished);
            exporter.start(path, vm::planExport({true, scale, false}, test.models.display.view()),
                           PixelSize{0.5, 0.25, "µm", "", false});
            ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, kPatience));
            const ImageInfo info = readImageInfo(path.toStdString());
            EXPECT_EQ(info.width, 300 * scale);
            ASSERT_TRUE(info.pixelSize);
            EXPECT_DOUBLE_EQ(info.pixelSize->x, 0.5 / scale);
            EXPECT_DOUBLE_EQ(info.pixelSize->y, 0.25 / scale);
            EXPECT_EQ(info.pixelSize->unit, "µm");
        }
    }
}

TEST_F(ExportView, FailureLeavesNothingAndTellsWhy) {
    ViewExporter exporter(*test.window.canvas(), nullptr);
    QSignalSpy finished(&exporter, &ViewExporter::finished);
    const QString path = folder.filePath(QStringLiteral("missing/view.png"));
    exporter.start(path, vm::planExport({true, 1, false}, test.models.display.view()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, kPatience));
    EXPECT_TRUE(finished[0][0].toString().contains(path)) << finished[0][0].toString().toStdString();
}

TEST_F(ExportView, CancelLeavesTheTargetAsItWas) {
    const QString path = folder.filePath(QStringLiteral("old.png"));
    QFile old(path);
    ASSERT_TRUE(old.open(QIODevice::WriteOnly));
    old.write("old");
    old.close();
    ViewExporter exporter(*test.window.canvas(), nullptr);
    QSignalSpy finished(&exporter, &ViewExporter::finished);
    QObject::connect(&exporter, &ViewExporter::progressed, &exporter, &ViewExporter::cancel);
    exporter.start(path, vm::planExport({true, 8, false}, test.models.display.view()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, kPatience));
    ASSERT_TRUE(old.open(QIODevice::ReadOnly));
    EXPECT_EQ(old.readAll(), "old");
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1) << "no temporary is left";
}

TEST_F(ExportView, DialogLinksScaleAndWidthAndShowsTheSize) {
    ExportDialog dialog(test.models.display.view());
    dialog.findChild<QRadioButton*>(QStringLiteral("exportWhole"))->setChecked(true);
    auto* scale = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("exportScale"));
    auto* width = dialog.findChild<QSpinBox*>(QStringLiteral("exportWidth"));
    scale->setValue(200);
    EXPECT_EQ(width->value(), 600);
    width->setValue(150);
    EXPECT_EQ(scale->value(), 50);
    EXPECT_EQ(dialog.plan().size, QSize(150, 100));
    EXPECT_TRUE(dialog.findChild<QLabel*>(QStringLiteral("exportSize"))->text().contains(QStringLiteral("150")));
    scale->setValue(5); // below the range
    EXPECT_EQ(scale->value(), 10);
}

TEST_F(ExportView, SavesTheWholeImageInTheColoursOfTheView) {
    test.models.display.setZoom(4); // a part is seen
    for (const char* name : {"shown.png", "shown.jpg", "shown.tif"}) {
        const QString path = folder.filePath(QLatin1String(name));
        saveAsShown(test.window, test.models, test.errors, *test.window.canvas(), path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path); }, kPatience)) << name;
        const LoadedImage saved = readImage(path.toStdString());
        ASSERT_EQ(saved.image->width(), 300U) << name;
        ASSERT_EQ(saved.image->height(), 200U) << name;
        EXPECT_EQ(saved.info.samples, 3) << name;
        EXPECT_NEAR(saved.image->level(3 * 300 + 10), 10 * 5 + 3 * 11,
                    QLatin1String(name).endsWith(QLatin1String("jpg")) ? 8 : 1)
            << name;
    }
    EXPECT_TRUE(test.errors.texts.isEmpty());
}

TEST(Paste, OpensTheImageOnTheClipboard) {
    TestWindow test;
    QImage image(20, 10, QImage::Format_RGB32);
    image.fill(QColor(90, 90, 90));
    image.setPixelColor(3, 4, QColor(200, 200, 200));
    QApplication::clipboard()->setImage(image);
    test.part<QAction>("paste")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    const SharedImage grey = test.models.document.image();
    ASSERT_EQ(grey->width(), 20U);
    ASSERT_EQ(grey->height(), 10U);
    EXPECT_EQ(grey->level(0), 90);
    EXPECT_EQ(grey->level(4 * 20 + 3), 200);
    EXPECT_EQ(test.models.document.imageInfo()->samples, 1) << "an image without colours is grey";
    const QString first = test.models.document.path();
    image.fill(QColor(255, 0, 0));
    QApplication::clipboard()->setImage(image);
    test.part<QAction>("paste")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.path() != first; }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.imageInfo()->samples, 3);
    QApplication::clipboard()->clear();
    test.part<QAction>("paste")->trigger();
    EXPECT_EQ(test.window.statusBar()->currentMessage(), QStringLiteral("There is no image on the clipboard"));
}

/// Why the print failed; empty after success.
QString printed(const QString& path) {
    auto printer = std::make_shared<QPrinter>();
    printer->setOutputFormat(QPrinter::PdfFormat);
    printer->setOutputFileName(path);
    QImage image(300, 200, QImage::Format_RGB32);
    image.fill(Qt::red);
    vm::FileExport printing(nullptr);
    QSignalSpy failed(&printing, &vm::FileExport::failed);
    printImage(printing, std::move(printer), image, QStringLiteral("cells.tif"));
    EXPECT_TRUE(printing.isBusy()) << "another thread draws the page";
    EXPECT_TRUE(QTest::qWaitFor([&] { return !printing.isBusy(); }, kPatience));
    return failed.isEmpty() ? QString() : failed.value(0).value(1).toString();
}

TEST(Print, SaysThatThePageIsNotAccepted) {
    const QTemporaryDir folder;
    EXPECT_EQ(printed(folder.filePath(QStringLiteral("missing/view.pdf"))),
              QStringLiteral("The printer does not accept the page."));
}

TEST(Print, WritesTitleAndImageOnOnePage) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("view.pdf"));
    EXPECT_EQ(printed(path), QString());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray pdf = file.readAll();
    EXPECT_TRUE(pdf.startsWith("%PDF"));
    EXPECT_TRUE(pdf.contains("/Subtype /Image"));
    EXPECT_TRUE(pdf.contains("/Font"));
    EXPECT_TRUE(pdf.contains("/Count 1")) << "one page";
}

} // namespace
} // namespace pollard::app
