#include "app/test_window.hpp"

#include "shell/translation.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/command_palette.hpp"

#include <QDockWidget>
#include <QLocale>
#include <QMenuBar>

namespace pollard::app {
namespace {

class Translation : public ::testing::Test {
protected:
    void SetUp() override {
        if (!translatedLanguages().contains(QStringLiteral("fr"))) {
            GTEST_SKIP() << "built without Qt Linguist tools";
        }
        before_ = QLocale();
    }
    void TearDown() override {
        installLanguage(QStringLiteral("en"));
        QLocale::setDefault(before_);
    }

private:
    QLocale before_;
};

TEST_F(Translation, ReachesEveryKindOfText) {
    EXPECT_EQ(installLanguage(QStringLiteral("fr")), QStringLiteral("fr"));
    TestWindow test;
    EXPECT_EQ(test.window.actionList().minTree->text(), QStringLiteral("Mi&n-tree"));
    EXPECT_EQ(test.window.actionList().open->text(), QStringLiteral("&Ouvrir…")) << "a class";
    EXPECT_EQ(test.part<QDockWidget>("chainDock")->windowTitle(), QStringLiteral("Chaîne")) << "a free function";
    EXPECT_EQ(test.window.menuBar()->actions().constFirst()->text(), QStringLiteral("&Fichier"));
    EXPECT_EQ(vm::attributeTitle(AttributeId::area), QStringLiteral("Aire")) << "a word of core";
    EXPECT_EQ(QLocale().decimalPoint(), QStringLiteral(","));
}

TEST_F(Translation, LeavesRoomForTheControlsOfPanels) {
    using Theme = vm::SettingsViewModel::Theme;
    installLanguage(QStringLiteral("fr"));
    TestWindow test;
    test.window.resize(1280, 800);
    test.open("noise", makeNoise(40));
    for (const Theme theme : {Theme::contrast, Theme::light}) {
        test.models.settings.setTheme(theme);
        for (const char* name :
             {"imageDock", "displayDock", "filterDock", "regionDock", "objectsDock", "contourDock"}) {
            auto* dock = test.part<QDockWidget>(name);
            dock->show();
            dock->raise();
            ASSERT_TRUE(QTest::qWaitFor([&] { return !dock->visibleRegion().isEmpty(); }, kPatience));
            ASSERT_TRUE(test.isLaidOut());
            const auto areas = dock->findChildren<ScrolledControls*>();
            ASSERT_FALSE(areas.isEmpty()) << name;
            for (const ScrolledControls* area : areas) {
                EXPECT_LE(area->widget()->width(), area->viewport()->width()) << name;
            }
        }
    }
}

TEST_F(Translation, IsEnglishForWhatThereIsNot) {
    EXPECT_EQ(installLanguage(QStringLiteral("tlh")), QStringLiteral("en"));
    EXPECT_EQ(installLanguage(QStringLiteral("fr-CA")), QStringLiteral("fr"));
    EXPECT_EQ(installLanguage(QStringLiteral("en")), QStringLiteral("en"));
    TestWindow test;
    EXPECT_EQ(test.window.actionList().open->text(), QStringLiteral("&Open…"));
}

TEST_F(Translation, GivesEveryActionOfAMenuALetterThatItCanHave) {
    installLanguage(QStringLiteral("fr"));
    TestWindow test;
    for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
        EXPECT_FALSE(plainText(*each.action).isEmpty());
        EXPECT_FALSE(each.action->text().endsWith(u'&')) << each.action->text().toStdString();
    }
}

} // namespace
} // namespace pollard::app
