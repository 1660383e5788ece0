#include "app/test_window.hpp"

#include "base/system.hpp"
#include "docks/stack_controls.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "shell/file_dialogs.hpp"
#include "vm/settings/limits_view_model.hpp"
#include "window/dialogs/document_dialogs.hpp"
#include "window/dialogs/memory_dialog.hpp"
#include "window/dialogs/preferences_dialog.hpp"
#include "window/dialogs/raw_dialog.hpp"

#include "theme/theme.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

namespace pollard::app {
namespace {

using ::testing::HasSubstr;

vm::MemoryPlan largePlan() {
    ImageInfo info;
    info.width = 40000;
    info.height = 30000;
    info.bits = 16;
    info.samples = 1;
    info.levels = {{40000, 30000}, {10000, 7500}};
    return vm::planMemory(info, {}, 1'800'000'000, {std::uint64_t{23} << 30U, std::uint64_t{12} << 30U});
}

QRadioButton* choiceWith(const QDialog& dialog, const char* text) {
    for (QRadioButton* button : dialog.findChildren<QRadioButton*>()) {
        if (button->text().contains(QLatin1String(text))) {
            return button;
        }
    }
    ADD_FAILURE() << "no choice " << text;
    return nullptr;
}

TEST(MemoryQuestion, ShowsNumbersAndGivesWhatWasChosen) {
    vm::OpenRequest request;
    request.path = QStringLiteral("/somewhere/big.tif");
    MemoryDialog dialog(largePlan(), request);
    dialog.show();
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        texts << label->text();
    }
    const std::string all = texts.join(u'\n').toStdString();
    EXPECT_THAT(all, HasSubstr("big.tif"));
    EXPECT_THAT(all, HasSubstr("23.0 GiB"));
    EXPECT_THAT(all, HasSubstr("12.0 GiB"));
    EXPECT_FALSE(choiceWith(dialog, "whole image: 40000")->isEnabled()) << "more than the GPU has";
    EXPECT_EQ(dialog.choice().shrink, 2) << "the largest that fits is the first choice";
    EXPECT_FALSE(dialog.wantsCpu());

    choiceWith(dialog, "Shrink by 4")->click();
    EXPECT_EQ(dialog.choice().shrink, 4);
    EXPECT_EQ(dialog.choice().level, 0);
    choiceWith(dialog, "level 1")->click();
    EXPECT_EQ(dialog.choice().level, 1);
    EXPECT_EQ(dialog.choice().shrink, 1);
    choiceWith(dialog, "part")->click();
    const auto boxes = dialog.findChildren<QSpinBox*>();
    ASSERT_EQ(boxes.size(), 4);
    boxes[0]->setValue(39000);
    boxes[1]->setValue(0);
    boxes[2]->setValue(5000);
    boxes[3]->setValue(700);
    const auto region = dialog.choice().region;
    ASSERT_TRUE(region);
    EXPECT_EQ(*region, (PixelRegion{39000, 0, 1000, 700})) << "not beyond the page";
}

/// 8 bits, no GPU: 11 to 59 bytes per pixel.
vm::MemoryPlan planOf(std::uint32_t side, std::uint64_t there, std::vector<ResolutionLevel> levels = {}) {
    ImageInfo info;
    info.width = info.height = side;
    info.bits = 8;
    info.samples = 1;
    info.levels = std::move(levels);
    return vm::planMemory(info, {}, 122, {there, 0});
}

TEST(MemoryQuestion, ChoosesTheLargestThatFitsAndSaysWhyOthersDoNot) {
    constexpr std::uint64_t kGib = std::uint64_t{1} << 30U;
    struct Case {
        std::uint32_t side;
        std::uint64_t there;
        const char* chosen;
        QStringList off; ///< impossible choices
    };
    const Case cases[] = {
        {10000, 8 * kGib, "whole image", {}},                               // at most 5.5 GiB
        {10000, 4 * kGib, "Shrink by 2", {}},                               // the whole image may fit
        {10000, 1 * kGib, "Shrink by 4", {QStringLiteral("whole image")}},  // at least 1.02 GiB
        {65536, 24 * kGib, "Shrink by 4", {QStringLiteral("whole image")}}, // size claimed by a damaged file
        {65536, 6 * kGib, "Shrink by 8", {QStringLiteral("whole image"), QStringLiteral("Shrink by 2")}},
    };
    for (const Case& one : cases) {
        MemoryDialog dialog(planOf(one.side, one.there), {});
        dialog.show();
        ASSERT_TRUE(dialog.canOpen());
        for (const QRadioButton* button : dialog.findChildren<QRadioButton*>()) {
            const bool isOff = std::any_of(one.off.begin(), one.off.end(),
                                           [&](const QString& text) { return button->text().contains(text); });
            EXPECT_EQ(button->isEnabled(), !isOff) << button->text().toStdString();
            EXPECT_EQ(button->text().contains(QStringLiteral("needs at least")), isOff) << button->text().toStdString();
            EXPECT_EQ(button->isChecked(), button->text().contains(QLatin1String(one.chosen)))
                << one.side << ", " << one.there << ": " << button->text().toStdString();
        }
    }
}

TEST(MemoryQuestion, OffersOnlyToCancelWhereNothingFits) {
    MemoryDialog dialog(planOf(65536, std::uint64_t{3} << 30U), {});
    dialog.show();
    EXPECT_FALSE(dialog.canOpen());
    EXPECT_TRUE(dialog.findChildren<QRadioButton*>().isEmpty());
    const auto buttons = dialog.findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 1);
    EXPECT_EQ(dialog.findChild<QDialogButtonBox*>()->standardButton(buttons.front()), QDialogButtonBox::Cancel);
    EXPECT_THAT(dialog.findChild<QLabel*>(QStringLiteral("memoryProblem"))->text().toStdString(),
                HasSubstr("needs at least 4.0 GiB of 3.0 GiB free"));
    MemoryDialog smaller(planOf(65536, std::uint64_t{3} << 30U, {{65536, 65536}, {8192, 8192}}), {});
    ASSERT_TRUE(smaller.canOpen()) << "a level of the file is read alone";
    EXPECT_EQ(smaller.choice().level, 1);
}

TEST(MemoryQuestion, APartThatCannotFitIsNotOpened) {
    MemoryDialog dialog(planOf(65536, std::uint64_t{8} << 30U), {});
    dialog.show();
    choiceWith(dialog, "a part")->click();
    QPushButton* open = nullptr;
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
        open = button->text().contains(QLatin1String("Open")) ? button : open;
    }
    ASSERT_NE(open, nullptr);
    EXPECT_TRUE(open->isEnabled());
    const auto boxes = dialog.findChildren<QSpinBox*>();
    ASSERT_EQ(boxes.size(), 4);
    boxes[0]->setValue(0);
    boxes[1]->setValue(0);
    boxes[2]->setValue(65536);
    boxes[3]->setValue(65536);
    EXPECT_FALSE(open->isEnabled());
    EXPECT_THAT(choiceWith(dialog, "a part")->text().toStdString(), HasSubstr("needs at least"));
    choiceWith(dialog, "Shrink by 8")->click();
    EXPECT_TRUE(open->isEnabled());
    choiceWith(dialog, "a part")->click();
    EXPECT_FALSE(open->isEnabled());
    boxes[3]->setValue(1000);
    EXPECT_TRUE(open->isEnabled());
}

TEST(MemoryQuestion, OffersTheCpuWhereTheGpuIsTooSmall) {
    ImageInfo info;
    info.width = info.height = 10000;
    info.bits = 8;
    info.samples = 1;
    const vm::MemoryPlan plan = vm::planMemory(info, {}, 1, {std::uint64_t{64} << 30U, std::uint64_t{2} << 30U});
    ASSERT_TRUE(plan.mustAsk());
    MemoryDialog dialog(plan, {});
    choiceWith(dialog, "CPU")->click();
    EXPECT_TRUE(dialog.wantsCpu());
    EXPECT_EQ(dialog.choice().shrink, 1);
}

TEST(Preferences, ChangeTheLimitsAtOnce) {
    TestWindow test;
    test.window.actionList().preferences->trigger();
    auto* dialog = test.part<PreferencesDialog>("preferences");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("maxMegapixels"))->setValue(250);
    EXPECT_EQ(test.models.limits.readLimits().maxPixels, 250'000'000U);
    dialog->findChild<QSpinBox*>(QStringLiteral("cacheMib"))->setValue(0);
    EXPECT_EQ(test.models.limits.cacheBytes(), 0U);
    constexpr std::uint64_t kGib = std::uint64_t{1} << 30U;
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memoryGib"))->setValue(1);
    EXPECT_EQ(test.models.limits.memoryBytes(), kGib);
    EXPECT_LT(availableMemory(), kGib) << "less than the limit by what the program has";
    auto* ask = dialog->findChild<QCheckBox*>(QStringLiteral("askAboutMemory"));
    EXPECT_TRUE(ask->isChecked());
    ask->click();
    EXPECT_FALSE(test.models.limits.isAsking());
    test.models.limits.restoreDefaults();
    EXPECT_TRUE(ask->isChecked());
}

TEST(Preferences, ChangeWhatTheySayAndComeBackToTheFirstValues) {
    TestWindow test;
    test.window.actionList().preferences->trigger();
    auto* dialog = test.part<PreferencesDialog>("preferences");
    ASSERT_NE(dialog, nullptr);
    const auto choose = [dialog](const char* name, const QVariant& data) {
        auto* box = dialog->findChild<QComboBox*>(QLatin1String(name));
        ASSERT_NE(box, nullptr) << name;
        ASSERT_GE(box->findData(data), 0) << name;
        box->setCurrentIndex(box->findData(data));
        emit box->activated(box->currentIndex());
    };
    using Theme = vm::SettingsViewModel::Theme;
    choose("theme", static_cast<int>(Theme::contrast));
    EXPECT_EQ(test.models.settings.theme(), Theme::contrast);
    EXPECT_TRUE(isDark(test.window.palette()));
    choose("language", QStringLiteral("fr"));
    EXPECT_EQ(test.models.settings.language(), QStringLiteral("fr"));
    choose("preferredEngine", QStringLiteral("cpu"));
    EXPECT_EQ(test.models.document.choices().requestedEngine(), QStringLiteral("cpu"));
    choose("preferredColourMap", static_cast<int>(vm::ColourMap::viridis));
    EXPECT_EQ(test.models.display.colourMap(), vm::ColourMap::viridis);
    dialog->findChild<QSpinBox*>(QStringLiteral("threads"))->setValue(2);
    EXPECT_EQ(test.models.settings.threads(), 2);
    ASSERT_TRUE(test.models.display.compare().blinksByItself());
    dialog->findChild<QCheckBox*>(QStringLiteral("reducedMotion"))->click();
    EXPECT_FALSE(test.models.display.compare().blinksByItself());
    EXPECT_FALSE(test.window.isAnimated());
    dialog->findChild<QCheckBox*>(QStringLiteral("rulersCountPixels"))->click();
    EXPECT_TRUE(test.models.overlays.areRulersInPixels());

    dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
    EXPECT_EQ(test.models.settings.theme(), Theme::system);
    EXPECT_TRUE(test.models.settings.language().isEmpty());
    EXPECT_EQ(test.models.settings.threads(), 0);
    EXPECT_FALSE(test.models.settings.hasReducedMotion());
    EXPECT_FALSE(test.models.overlays.areRulersInPixels());
    EXPECT_EQ(test.models.document.choices().requestedEngine(), QStringLiteral("auto"));
    EXPECT_EQ(dialog->findChild<QComboBox*>(QStringLiteral("theme"))->currentData().toInt(),
              static_cast<int>(Theme::system));
}

TEST(OpenDialog, ChoosesATypedFolderOfZarrAndEntersOthers) {
    const QTemporaryDir folder;
    for (const char* name : {"plate.zarr", "plain"}) {
        ASSERT_TRUE(QDir(folder.path()).mkdir(QLatin1String(name)));
    }
    QFile group(folder.filePath(QStringLiteral("plate.zarr/.zgroup")));
    ASSERT_TRUE(group.open(QIODevice::WriteOnly));
    group.write("{\"zarr_format\": 2}");
    group.close();
    TestWindow test;
    test.models.settings.setLastDirectory(folder.path());
    const auto typed = [&test](const QString& name, QString& shown) {
        QTimer timer;
        timer.setInterval(10);
        QObject::connect(&timer, &QTimer::timeout, &timer, [&timer, &shown, name] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                timer.stop();
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
                QMetaObject::invokeMethod(dialog, "accept");
                shown = dialog->directory().absolutePath();
                if (dialog->result() != QDialog::Accepted) {
                    dialog->reject();
                }
            }
        });
        timer.start();
        return askForImage(test.window, test.models);
    };
    QString shown;
    EXPECT_EQ(typed(QStringLiteral("plain"), shown), QString());
    EXPECT_EQ(QFileInfo(shown).fileName(), QStringLiteral("plain"));
    EXPECT_EQ(typed(QStringLiteral("plate.zarr"), shown), folder.filePath(QStringLiteral("plate.zarr")));
    EXPECT_EQ(QFileInfo(shown).fileName(), QFileInfo(folder.path()).fileName()) << "the folder is not entered";
}

TEST(RawData, IsOpenedThroughTheDialog) {
    TestWindow test;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("dump.raw"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QByteArray bytes(256 * 256, '\0');
    for (int i = 0; i < 256 * 256; ++i) {
        bytes[i] = static_cast<char>(i % 256);
    }
    file.write(bytes);
    file.close();
    auto* dialogs = test.window.findChild<DocumentDialogs*>();
    ASSERT_NE(dialogs, nullptr);
    dialogs->openRaw(path);
    auto* dialog = test.part<RawDialog>("rawDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->findChild<QSpinBox*>(QStringLiteral("rawWidth"))->setValue(256);
    dialog->findChild<QSpinBox*>(QStringLiteral("rawHeight"))->setValue(300);
    auto* type = dialog->findChild<QComboBox*>(QStringLiteral("rawType"));
    type->setCurrentIndex(0);
    emit type->activated(0);
    EXPECT_THAT(dialog->findChild<QLabel*>(QStringLiteral("rawCheck"))->text().toStdString(), HasSubstr("only"));
    QPushButton* open = nullptr;
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
        if (button->text().contains(QLatin1String("Open"))) {
            open = button;
        }
    }
    ASSERT_NE(open, nullptr);
    EXPECT_FALSE(open->isEnabled());
    dialog->findChild<QSpinBox*>(QStringLiteral("rawHeight"))->setValue(128);
    dialog->findChild<QSpinBox*>(QStringLiteral("rawPages"))->setValue(2);
    EXPECT_THAT(dialog->findChild<QLabel*>(QStringLiteral("rawCheck"))->text().toStdString(), HasSubstr("exactly"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !dialog->findChild<QLabel*>(QStringLiteral("rawPreview"))->pixmap().isNull(); }, kPatience));
    open->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.image()->height(), 128U);
    EXPECT_EQ(test.models.document.pageCount(), 2);
    EXPECT_EQ(test.models.document.image()->level(7), 7);
}

TEST(StackPanel, TurnsPagesAndTellsWhatIsKept) {
    TestWindow test;
    test.models.limits.setCacheMib(256);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("stack.tif"));
    writeTiff(path.toStdString(),
              {6,
               [](int page, const JobControl&) {
                   return Plane{ownedRows(makeImage(PixelType::u8, 50, 40, [page](std::uint32_t x, std::uint32_t) {
                       return static_cast<int>(x) + 10 * page;
                   }))};
               }},
              {.arePages = true});
    test.window.openFile(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    auto* slider = test.part<QSlider>("stackSlider0");
    auto* number = test.part<QSpinBox>("page");
    ASSERT_NE(slider, nullptr);
    EXPECT_TRUE(slider->isVisible());
    EXPECT_EQ(slider->maximum(), 6);
    slider->setValue(4);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.page(), 3);
    EXPECT_EQ(number->value(), 4);
    QTest::keyClick(test.window.canvas(), Qt::Key_PageDown);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.page(), 4);
    QTest::keyClick(test.window.canvas(), Qt::Key_Home);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(slider->value(), 1);
    QTest::keyClick(test.window.canvas(), Qt::Key_End);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(number->value(), 6);
    QWidget host;
    host.resize(1000, 200);
    StackControls strip(test.models.stack, test.models.document, &host);
    host.show();
    ASSERT_TRUE(appears(host));
    const int least = strip.minimumSizeHint().width();
    EXPECT_LE(least, 280) << "beside a panel in 628 px, as at 200 % on 1280 x 800";
    const auto* axes = strip.findChild<QToolButton*>(QStringLiteral("axesOfPages"));
    for (const int width : {900, least, 900, least}) {
        strip.resize(width, 120);
        QCoreApplication::processEvents();
        const auto* box = strip.findChild<QSpinBox*>(QStringLiteral("page"));
        EXPECT_GE(box->width(), box->minimumSizeHint().width()) << width;
        EXPECT_GE(strip.findChild<QSlider*>(QStringLiteral("stackSlider0"))->width(), 40) << width;
        EXPECT_GE(axes->width(), axes->minimumSizeHint().width()) << width;
        EXPECT_EQ(axes->y() >= box->geometry().bottom(), width == least) << "a line of its own";
        for (const QWidget* control : strip.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            EXPECT_TRUE(!control->isVisible() || strip.rect().contains(control->geometry()))
                << width << control->objectName().toStdString();
        }
    }
    EXPECT_THAT(test.part<QWidget>("stackControls")->toolTip().toStdString(), HasSubstr("3 other"));
    EXPECT_TRUE(test.window.actionList().saveAllPages->isEnabled());
    test.open("single", makeNoise(32));
    EXPECT_FALSE(test.window.actionList().saveAllPages->isEnabled());
    EXPECT_EQ(test.window.findChild<QSlider*>(QStringLiteral("stackSlider0")), nullptr);
}

} // namespace
} // namespace pollard::app
