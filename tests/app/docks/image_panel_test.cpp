// The channel of the Image panel.
#include "app/test_window.hpp"

#include "io/write/rgb_writer.hpp"

#include <QComboBox>
#include <QInputDialog>
#include <QTimer>

namespace pollard::app {
namespace {

/// A picture of 40 x 30 px in shades of haematoxylin.
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

} // namespace
} // namespace pollard::app
