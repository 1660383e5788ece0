// The channel of the Image panel.
#include "app/test_window.hpp"

#include "io/write/image_writer.hpp"

#include <QComboBox>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include <array>
#include <cstdint>
#include <vector>

namespace pollard::app {
namespace {

/// An image of 40 x 30 px in shades of haematoxylin.
QString writeColours(const QTemporaryDir& folder) {
    const QString path = folder.filePath(QStringLiteral("colours.tif"));
    const auto writer = makeRgbWriter(path.toStdString(), RgbFormat::tiff, 40, 30);
    std::vector<std::uint8_t> rgb;
    for (int pixel = 0; pixel < 40 * 30; ++pixel) {
        for (const int density : {65, 70, 29}) {
            rgb.push_back(static_cast<std::uint8_t>(255 - pixel % 40 * density / 20));
        }
    }
    writer->write(rgb);
    writer->finish();
    return path;
}

/// Chooses an entry as a user does.
void choose(QComboBox& box, const QString& text) {
    const int index = box.findText(text);
    ASSERT_GE(index, 0) << text.toStdString();
    box.setCurrentIndex(index);
    emit box.activated(index);
}

/// Answers the next dialog for a text.
void answer(const QString& text) {
    QTimer::singleShot(0, qApp, [text] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        EXPECT_FALSE(dialog->labelText().isEmpty());
        dialog->setTextValue(text);
        text.isEmpty() ? dialog->reject() : dialog->accept();
    });
}

TEST(ImagePanel, ChoosesChannelsStainsAndExpressions) {
    const QTemporaryDir folder;
    TestWindow test;
    test.window.openFile(writeColours(folder));
    ASSERT_TRUE(test.settle());
    auto& box = *test.part<QComboBox>("channel");
    const auto level = [&] { return test.models.document.image()->level(39); };
    EXPECT_EQ(box.currentText(), QStringLiteral("Luminance"));
    choose(box, QStringLiteral("Green"));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(level(), 255 - 39 * 70 / 20);
    EXPECT_EQ(box.currentText(), QStringLiteral("Green"));

    choose(box, QStringLiteral("Haematoxylin (of H&E)"));
    ASSERT_TRUE(test.settle());
    EXPECT_GT(level(), test.models.document.image()->level(0)) << "more stain is brighter";
    EXPECT_EQ(test.models.document.reading().channelName(), QStringLiteral("stain(he,haematoxylin)"));
    EXPECT_GE(box.findText(QStringLiteral("Red")), 0) << "the channels of the file stay";

    answer(QStringLiteral("max(red, blue)"));
    choose(box, QStringLiteral("Expression…"));
    ASSERT_TRUE(test.settle());
    ASSERT_TRUE(test.models.document.imageInfo()->mapping);
    EXPECT_EQ(test.models.document.imageInfo()->mapping->valueOf(level()), 255 - 39 * 29 / 20);
    const QString shown = box.currentText();
    EXPECT_EQ(shown, test.models.document.reading().channelName());

    answer({});
    choose(box, QStringLiteral("Expression…"));
    EXPECT_EQ(box.currentText(), shown) << "cancelled";
    EXPECT_TRUE(test.errors.texts.isEmpty());
    answer(QStringLiteral("max(red"));
    choose(box, QStringLiteral("Expression…"));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.errors.texts.size(), 1);
    EXPECT_EQ(box.currentText(), shown);
}

TEST(ImagePanel, PicksStainsOnTheImage) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("slide.tif"));
    constexpr std::array<std::array<std::uint8_t, 3>, 3> kColours{{{255, 255, 255}, {90, 110, 200}, {180, 120, 60}}};
    const auto writer = makeRgbWriter(path.toStdString(), RgbFormat::tiff, 60, 40);
    std::vector<std::uint8_t> rgb;
    for (int pixel = 0; pixel < 60 * 40; ++pixel) {
        const auto& colour = kColours[static_cast<std::size_t>(pixel % 60 / 20)];
        rgb.insert(rgb.end(), colour.begin(), colour.end());
    }
    writer->write(rgb);
    writer->finish();
    TestWindow test;
    test.window.openFile(path);
    ASSERT_TRUE(test.settle());
    auto& box = *test.part<QComboBox>("channel");
    EXPECT_GE(box.findText(QStringLiteral("Eosin (estimated, Macenko)")), 0);
    choose(box, QStringLiteral("Pick stains on the image…"));
    EXPECT_EQ(box.currentText(), QStringLiteral("Luminance")) << "nothing is chosen yet";
    EXPECT_TRUE(test.window.canvas()->hasFocus()) << "for Escape";
    EXPECT_TRUE(test.models.display.composite().isOn()) << "stains are told by their colours";
    const auto called = [&](const QString& name) {
        for (QWidget* widget : test.window.findChildren<QWidget*>()) {
            if (widget->accessibleName() == name) {
                return widget;
            }
        }
        ADD_FAILURE() << name.toStdString();
        return static_cast<QWidget*>(nullptr);
    };
    auto* const separate = qobject_cast<QPushButton*>(called(QStringLiteral("Separate stains")));
    auto* const name = qobject_cast<QLineEdit*>(called(QStringLiteral("Name of stain 2")));
    EXPECT_FALSE(separate->isEnabled());
    const auto place = [&](double x, double y) {
        const QPointF view = test.models.display.view().toView({x, y}) / test.window.canvas()->devicePixelRatioF();
        return test.inWindow(test.window.canvas(), view);
    };
    ASSERT_TRUE(test.isLaidOut());
    const QPointF before = test.models.display.view().toView({0, 0});
    test.press(place(25, 10));
    test.move(place(30, 15));
    test.move(place(35, 30));
    test.release(place(35, 30));
    test.press(place(50, 20)); // a click
    test.release(place(50, 20));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.models.stains.isBusy(); }, kPatience));
    EXPECT_EQ(test.models.display.view().toView({0, 0}), before) << "the image stays";
    ASSERT_TRUE(separate->isEnabled()) << test.models.stains.problem().toStdString();
    EXPECT_EQ(test.models.stains.colour(vm::StainPicks::Part::first).rgb(), qRgb(90, 110, 200));
    EXPECT_EQ(test.models.stains.colour(vm::StainPicks::Part::second).rgb(), qRgb(180, 120, 60));
    name->setFocus();
    QTest::keyClicks(name, QStringLiteral("DAB"));
    separate->click();
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(box.currentText(), QStringLiteral("Stain 1 (own vectors)"));
    EXPECT_TRUE(separate->parentWidget()->isHidden());
    EXPECT_FALSE(test.models.display.composite().isOn()) << "as before";
    const auto amountAt = [&](std::size_t pixel) {
        const auto& document = test.models.document;
        return valueOf(document.imageInfo()->mapping, document.image()->level(pixel));
    };
    constexpr double kRounding = 1e-6;
    EXPECT_NEAR(amountAt(50), 0, kRounding);
    choose(box, QStringLiteral("DAB"));
    ASSERT_TRUE(test.settle());
    EXPECT_NEAR(amountAt(30), 0, kRounding);
    EXPECT_GT(amountAt(50), kRounding);
    EXPECT_EQ(box.currentText(), QStringLiteral("DAB"));
    EXPECT_TRUE(test.errors.texts.isEmpty());
    choose(box, QStringLiteral("Pick stains on the image…"));
    EXPECT_FALSE(separate->parentWidget()->isHidden());
    EXPECT_TRUE(separate->isEnabled()) << "the parts are still there";
    QTest::keyClick(test.window.canvas(), Qt::Key_Escape);
    EXPECT_FALSE(test.models.stains.isPicking());
    EXPECT_TRUE(separate->parentWidget()->isHidden());
}

} // namespace
} // namespace pollard::app
