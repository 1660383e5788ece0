#include "vm/settings/recent_files_model.hpp"
#include "vm/settings/settings_view_model.hpp"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace pollard::vm {
namespace {

class Settings : public ::testing::Test {
protected:
    QTemporaryDir directory;
    QString file = directory.filePath("settings.ini");
    QSettings settings{file, QSettings::IniFormat};
};

TEST_F(Settings, RecentFilesHaveTheLatestFirstAndEachOnce) {
    RecentFilesModel model(settings);
    QSignalSpy changes(&model, &RecentFilesModel::changed);
    model.add("/images/a.tif");
    model.add("/images/b.tif");
    model.add("/images/sub/../a.tif");
    EXPECT_EQ(model.paths(), QStringList({"/images/a.tif", "/images/b.tif"}));
    EXPECT_EQ(changes.size(), 3);
    model.add("/images/a.tif");
    model.add(QString());
    EXPECT_EQ(changes.size(), 3);
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.data(model.index(1), Qt::DisplayRole).toString(), "b.tif");
    EXPECT_EQ(model.data(model.index(1), RecentFilesModel::PathRole).toString(), "/images/b.tif");
    EXPECT_EQ(model.pathAt(7), QString());
    EXPECT_FALSE(model.data(QModelIndex(), Qt::DisplayRole).isValid());
}

TEST_F(Settings, RecentFilesAreAtMostTen) {
    RecentFilesModel model(settings);
    for (int i = 0; i < 15; ++i) {
        model.add(QStringLiteral("/images/%1.tif").arg(i));
    }
    EXPECT_EQ(model.rowCount(), RecentFilesModel::kMaxFiles);
    EXPECT_EQ(model.pathAt(0), "/images/14.tif");
    EXPECT_EQ(model.pathAt(9), "/images/5.tif");
}

TEST_F(Settings, RecentFilesAreRememberedAndForgotten) {
    {
        RecentFilesModel model(settings);
        model.add("/images/a.tif");
        model.add("/images/b, with comma.tif");
    }
    settings.sync();
    QSettings again(file, QSettings::IniFormat);
    RecentFilesModel model(again);
    EXPECT_EQ(model.paths(), QStringList({"/images/b, with comma.tif", "/images/a.tif"}));
    model.remove("/images/a.tif");
    EXPECT_EQ(model.rowCount(), 1);
    model.clear();
    EXPECT_TRUE(RecentFilesModel(again).isEmpty());
}

TEST_F(Settings, HaveSensibleFirstValues) {
    const SettingsViewModel model(settings);
    EXPECT_EQ(model.theme(), SettingsViewModel::Theme::system);
    EXPECT_TRUE(model.isLive());
    EXPECT_FALSE(model.isSmooth());
    EXPECT_EQ(model.engine(), "auto");
    EXPECT_TRUE(QDir(model.lastDirectory()).exists());
    EXPECT_TRUE(model.workspace().isEmpty());
    EXPECT_TRUE(model.arrangement("filter").isEmpty());
}

TEST_F(Settings, AreRememberedAndTellOnlyChanges) {
    {
        SettingsViewModel model(settings);
        QSignalSpy themes(&model, &SettingsViewModel::themeChanged);
        QSignalSpy lives(&model, &SettingsViewModel::liveChanged);
        for (int i = 0; i < 2; ++i) {
            model.setTheme(SettingsViewModel::Theme::dark);
            model.setLive(false);
            model.setSmooth(true);
            model.setLogarithmicHistogram(false);
            model.setEngine("cpu");
            model.setThreads(3);
            model.setLanguage("fr");
            model.setReducedMotion(true);
            model.setSceneUnits(false);
            model.setLastDirectory("/images");
            model.setWindowGeometry("geometry");
            model.setWindowStates(Qt::WindowMaximized | Qt::WindowFullScreen);
            model.setWorkspace("objects");
            model.setArrangement("objects", QByteArray("\0state", 6));
        }
        EXPECT_EQ(themes.size(), 1);
        EXPECT_EQ(lives.size(), 1);
    }
    settings.sync();
    QSettings again(file, QSettings::IniFormat);
    const SettingsViewModel model(again);
    EXPECT_EQ(model.theme(), SettingsViewModel::Theme::dark);
    EXPECT_FALSE(model.isLive());
    EXPECT_TRUE(model.isSmooth());
    EXPECT_FALSE(model.isLogarithmicHistogram());
    EXPECT_EQ(model.engine(), "cpu");
    EXPECT_EQ(model.threads(), 3);
    EXPECT_EQ(model.language(), "fr");
    EXPECT_TRUE(model.hasReducedMotion());
    EXPECT_FALSE(model.hasSceneUnits());
    EXPECT_EQ(model.lastDirectory(), "/images");
    EXPECT_EQ(model.windowGeometry(), "geometry");
    EXPECT_EQ(model.windowStates(), Qt::WindowMaximized | Qt::WindowFullScreen);
    EXPECT_EQ(model.workspace(), "objects");
    EXPECT_EQ(model.arrangement("objects"), QByteArray("\0state", 6));
    EXPECT_TRUE(model.arrangement("filter").isEmpty());
}

TEST_F(Settings, ADamagedFileIsCopiedAndEmptied) {
    settings.setValue("theme", "dark");
    settings.sync();
    EXPECT_TRUE(setDamagedFileAside(settings).isEmpty());
    const QString path = directory.filePath("damaged.ini");
    const QByteArray garbage = "theme=dark\nno settings [\n[open\n\x01";
    QFile written(path);
    ASSERT_TRUE(written.open(QIODevice::WriteOnly));
    written.write(garbage);
    written.close();
    QSettings damaged(path, QSettings::IniFormat);
    QFile copy(setDamagedFileAside(damaged));
    ASSERT_TRUE(copy.open(QIODevice::ReadOnly));
    EXPECT_EQ(copy.readAll(), garbage);
    EXPECT_TRUE(damaged.allKeys().isEmpty());
}

TEST_F(Settings, ThatMadeAStartFailAreSetAside) {
    SettingsViewModel model(settings);
    EXPECT_FALSE(model.setLookAside()) << "there are none";
    model.setWindowGeometry("geometry");
    model.setWorkspace("objects");
    model.setArrangement("objects", "docks");
    model.setThreads(3);
    EXPECT_TRUE(model.setLookAside());
    EXPECT_TRUE(model.windowGeometry().isEmpty());
    EXPECT_TRUE(model.workspace().isEmpty());
    EXPECT_TRUE(model.arrangement("objects").isEmpty());
    EXPECT_EQ(settings.value("setAside/window/geometry").toByteArray(), "geometry");
    EXPECT_EQ(settings.value("setAside/workspaces/objects").toByteArray(), "docks");
    EXPECT_EQ(SettingsViewModel(settings).threads(), 3);
    EXPECT_FALSE(model.setLookAside());
}

TEST_F(Settings, TheArrangementOfAVersionWithoutWorkspacesIsThatOfTheFirstOneShown) {
    settings.setValue("window/state", QByteArray("docks"));
    SettingsViewModel model(settings);
    EXPECT_EQ(model.arrangement("filter"), "docks");
    model.setWorkspace("filter");
    EXPECT_TRUE(model.arrangement("filter").isEmpty());
    model.setArrangement("filter", "others");
    EXPECT_EQ(model.arrangement("filter"), "others");
}

TEST_F(Settings, NonsenseInTheFileIsTheFirstValue) {
    settings.setValue("theme", "plaid");
    settings.setValue("threads", -5);
    const SettingsViewModel model(settings);
    EXPECT_EQ(model.theme(), SettingsViewModel::Theme::system);
    EXPECT_EQ(model.threads(), 0);
}

} // namespace
} // namespace pollard::vm
