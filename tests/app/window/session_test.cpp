// Sessions and recipes in the real window: saved, opened, recovered after a crash, and with the same bytes as the
// command line.
#include "app/test_window.hpp"

#include "docks/recipe_panel.hpp"
#include "formats/tiff/tiff_writer.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/session/stored_sessions.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/files/session_files.hpp"
#include "window/panel_dock.hpp"
#include "window/workspaces.hpp"

#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

namespace pollard::app {
namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class SessionWindow : public ::testing::Test {
protected:
    QTemporaryDir folder;

    [[nodiscard]] QString pathOf(const char* name) const { return folder.filePath(QLatin1String(name)); }
    [[nodiscard]] QString writeImage(const char* name) const {
        const auto image = makeImage(PixelType::u8, 96, 80, [](std::uint32_t x, std::uint32_t y) {
            return static_cast<int>((x / 12 + y / 10) % 2 * 120 + (x * 7 + y * 13) % 40);
        });
        writeTiff(pathOf(name).toStdString(), *image);
        return pathOf(name);
    }
    static bool open(TestWindow& test, const QString& path) {
        test.window.openFile(path);
        return QTest::qWaitFor([&] { return !test.models.sessions.isOpening(); }, kPatience) && test.settle() &&
               test.models.document.hasImage();
    }
    static bool save(TestWindow& test, const QString& path) {
        QSignalSpy saved(&test.models.sessions, &vm::SessionViewModel::saved);
        test.models.sessions.save(path);
        return QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatience);
    }
    static QAction* action(const TestWindow& test, const char* name) {
        for (const ListedAction& each : actionsOfMenus(*test.window.menuBar())) {
            if (each.action->objectName() == QLatin1String(name)) {
                return each.action;
            }
        }
        ADD_FAILURE() << name;
        return nullptr;
    }
    static QDockWidget* dock(const TestWindow& test, const char* name) {
        return test.window.findChild<QDockWidget*>(QLatin1String(name));
    }
};

TEST_F(SessionWindow, ComesBackWithItsPanelsAndItsImage) {
    SharedImage result;
    {
        TestWindow first;
        EXPECT_FALSE(action(first, "saveSession")->isEnabled());
        ASSERT_TRUE(open(first, writeImage("a.tif")));
        EXPECT_TRUE(action(first, "saveSession")->isEnabled());
        first.models.document.choices().setTreeKind(TreeKind::min);
        first.models.filter.setRange(3, 900);
        first.models.filter.setRule(Rule::subtractive);
        ASSERT_TRUE(first.settle());
        dock(first, "chainDock")->show();
        dock(first, "displayDock")->hide();
        ASSERT_TRUE(save(first, pathOf("a.pollard")));
        result = first.models.document.result();
        // The Save action overwrites the same file.
        const auto content = [this] { // without the docks, whose layout may still change
            SavedSession session = loadSession(pathOf("a.pollard").toStdString());
            session.docks.clear();
            return session;
        };
        const SavedSession before = content();
        ASSERT_TRUE(QFile::remove(pathOf("a.pollard")));
        action(first, "saveSession")->trigger();
        ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(pathOf("a.pollard")); }, kPatience));
        EXPECT_EQ(toJson(content()), toJson(before));
    }
    TestWindow second;
    EXPECT_FALSE(dock(second, "chainDock")->isVisible());
    ASSERT_TRUE(open(second, pathOf("a.pollard")));
    EXPECT_TRUE(dock(second, "chainDock")->isVisible());
    EXPECT_FALSE(dock(second, "displayDock")->isVisible());
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const auto now = second.models.document.result();
            return now && samePixels(*now, *result);
        },
        kPatience));
    EXPECT_TRUE(second.models.recentFiles.paths().contains(pathOf("a.pollard")));
    EXPECT_TRUE(second.errors.titles.isEmpty()) << second.errors.texts.join(u'\n').toStdString();
    EXPECT_EQ(second.models.history.stack().count(), 0);
    EXPECT_FALSE(second.part<QAction>("undo")->isEnabled());
}

TEST_F(SessionWindow, NamesItsWorkspace) {
    {
        TestWindow first;
        ASSERT_TRUE(open(first, writeImage("a.tif")));
        first.window.workspaces().show(QStringLiteral("explore"));
        ASSERT_TRUE(save(first, pathOf("a.pollard")));
    }
    TestWindow second;
    Workspaces& workspaces = second.window.workspaces();
    workspaces.show(QStringLiteral("objects"));
    ASSERT_TRUE(open(second, pathOf("a.pollard")));
    EXPECT_EQ(workspaces.current(), "explore");
    EXPECT_TRUE(workspaces.actions().actions().at(3)->isChecked());
    EXPECT_FALSE(dock(second, "planeDock")->isHidden());
    EXPECT_TRUE(dock(second, "objectsDock")->isHidden());
    workspaces.show(QStringLiteral("objects"));
    EXPECT_FALSE(dock(second, "objectsDock")->isHidden()) << "the arrangement of Objects is as before";
    EXPECT_TRUE(dock(second, "planeDock")->isHidden());
    // Sessions of earlier versions have the arrangement alone.
    SavedSession old = loadSession(pathOf("a.pollard").toStdString());
    old.docks = old.docks.substr(old.docks.find(':') + 1);
    QFile file(pathOf("old.pollard"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(toJson(old)));
    file.close();
    ASSERT_TRUE(open(second, pathOf("old.pollard")));
    EXPECT_EQ(workspaces.current(), "objects");
    EXPECT_FALSE(dock(second, "planeDock")->isHidden());
}

TEST_F(SessionWindow, TellsWhatIsWrongAndStaysAsItIs) {
    TestWindow test;
    const QString image = writeImage("a.tif");
    ASSERT_TRUE(open(test, image));
    ASSERT_TRUE(save(test, pathOf("a.pollard")));
    test.models.filter.setRange(3, 90);
    ASSERT_TRUE(test.settle());
    const QByteArray state = test.window.saveState();
    QFile bad(pathOf("bad.pollard"));
    ASSERT_TRUE(bad.open(QIODevice::WriteOnly));
    bad.write("{\"pollard_session\": 99}");
    bad.close();
    test.window.openFile(pathOf("bad.pollard"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.errors.titles.size() == 1; }, kPatience));
    EXPECT_TRUE(test.errors.texts.front().contains(QStringLiteral("bad.pollard")));
    ASSERT_TRUE(QFile::remove(image));
    test.window.openFile(pathOf("a.pollard"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.errors.titles.size() == 2; }, kPatience));
    EXPECT_TRUE(test.errors.texts.back().contains(image)) << test.errors.texts.back().toStdString();
    EXPECT_EQ(test.models.filter.minimum(), 3);
    EXPECT_EQ(test.window.saveState(), state);
}

TEST_F(SessionWindow, SurvivesAnyTextAboutItsPanels) {
    TestWindow test;
    ASSERT_TRUE(open(test, writeImage("a.tif")));
    const QByteArray good = test.window.saveState();
    std::mt19937 random(4);
    for (int i = 0; i < 100; ++i) {
        QByteArray changed = good;
        for (int k = 0; k < 4; ++k) {
            changed[static_cast<qsizetype>(random() % static_cast<unsigned>(changed.size()))] =
                static_cast<char>(random() % 256);
        }
        emit test.models.sessions.docksFound(QString::fromLatin1(changed.toBase64()));
    }
    emit test.models.sessions.docksFound(QStringLiteral("no Base64 at all \u00e9"));
    emit test.models.sessions.docksFound(QString::fromLatin1(good.toBase64()));
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(dock(test, "filterDock")->isVisible());
}

TEST_F(SessionWindow, DoesNotTrustTheCountsOfToolBars) {
    TestWindow test;
    ASSERT_TRUE(open(test, writeImage("a.tif")));
    const QByteArray good = test.window.saveState();
    ASSERT_TRUE(restoreDocks(test.window, good));
    QByteArray name;
    for (const char letter : QByteArrayLiteral("workspaceBar")) {
        name.append('\0').append(letter);
    }
    const qsizetype text = good.indexOf(name);
    ASSERT_GT(text, 16);
    for (const qsizetype before : {16, 8}) { // lines; tool bars in a line
        QByteArray changed = good;
        changed[text - before] = '\x40';
        EXPECT_FALSE(restoreDocks(test.window, changed)) << "a billion";
    }
}

/// Leaves a session behind like a crashed process.
class Crashed {
public:
    Crashed(TestWindow& test, const QString& folder) {
        vm::SessionAutosave autosave(test.models.sessions, folder);
        QSignalSpy written(&autosave, &vm::SessionAutosave::written);
        autosave.writeNow();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !written.isEmpty(); }, kPatience));
        content_ = bytesOf(autosave.path());
        path_ = folder + QStringLiteral("/1-crashed.pollard");
    }
    void leave() const {
        QFile file(path_);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content_);
    }
    [[nodiscard]] QString path() const { return path_; }

private:
    QByteArray content_;
    QString path_;
};

TEST_F(SessionWindow, OffersToGoOnAfterACrash) {
    const QString kept = pathOf("state");
    TestWindow first;
    ASSERT_TRUE(open(first, writeImage("a.tif")));
    first.models.filter.setRange(7, 900);
    ASSERT_TRUE(first.settle());
    const Crashed crashed(first, kept);
    const auto click = [](TestWindow& test, const QString& text) {
        QMessageBox* box = nullptr;
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return (box = test.window.findChild<QMessageBox*>(QStringLiteral("recovery"))) != nullptr; },
            kPatience));
        ASSERT_TRUE(appears(*box));
        EXPECT_TRUE(box->informativeText().contains(QStringLiteral("a.tif"))) << box->informativeText().toStdString();
        for (QAbstractButton* button : box->buttons()) {
            EXPECT_FALSE(button->toolTip().isEmpty()) << button->text().toStdString();
            if (button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        FAIL() << text.toStdString();
    };
    crashed.leave();
    {
        TestWindow later;
        vm::SessionAutosave autosave(later.models.sessions, kept);
        offerRecovery(later.window, autosave);
        click(later, QStringLiteral("&Later"));
        EXPECT_FALSE(later.models.document.hasImage());
    }
    EXPECT_TRUE(QFile::exists(crashed.path()));
    {
        TestWindow second;
        vm::SessionAutosave autosave(second.models.sessions, kept);
        autosave.setDelay(1);
        offerRecovery(second.window, autosave);
        click(second, QStringLiteral("&Recover"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return second.models.document.hasImage(); }, kPatience));
        ASSERT_TRUE(second.settle());
        EXPECT_EQ(second.models.filter.minimum(), 7);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(crashed.path()); }, kPatience));
    }
    crashed.leave();
    TestWindow third;
    vm::SessionAutosave autosave(third.models.sessions, kept);
    offerRecovery(third.window, autosave);
    click(third, QStringLiteral("&Delete"));
    EXPECT_FALSE(QFile::exists(crashed.path()));
    EXPECT_FALSE(third.models.document.hasImage());
}

TEST_F(SessionWindow, TellsOfStoredSessionsThatCannotBeReadAndDeletesIt) {
    const QString kept = pathOf("state");
    ASSERT_TRUE(QDir().mkpath(kept));
    const auto leave = [&kept](const char* name) {
        QFile file(kept + u'/' + QLatin1String(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("{\"pollard_session\": 7}");
        return file.fileName();
    };
    const QString first = leave("1-a.pollard");
    const QString second = leave("2-b.pollard");
    const auto answer = [](TestWindow& test, const QString& text) {
        QMessageBox* box = nullptr;
        const auto isThere = [&] {
            for (auto* each : test.window.findChildren<QMessageBox*>(QStringLiteral("unreadable"))) {
                box = each->isVisible() ? each : box;
            }
            return box != nullptr;
        };
        ASSERT_TRUE(QTest::qWaitFor(isThere, kPatience));
        ASSERT_TRUE(appears(*box));
        EXPECT_TRUE(box->informativeText().contains(QStringLiteral("this program reads version 1")))
            << box->informativeText().toStdString();
        for (QAbstractButton* button : box->buttons()) {
            EXPECT_FALSE(button->toolTip().isEmpty()) << button->text().toStdString();
            if (button->text() == text) {
                QTest::mouseClick(button, Qt::LeftButton);
                return;
            }
        }
        FAIL() << text.toStdString();
    };
    {
        TestWindow test;
        vm::SessionAutosave autosave(test.models.sessions, kept);
        offerRecovery(test.window, autosave);
        answer(test, QStringLiteral("&Delete"));
        answer(test, QStringLiteral("&Keep"));
        EXPECT_NE(QFile::exists(first), QFile::exists(second));
    }
    TestWindow test;
    vm::SessionAutosave autosave(test.models.sessions, kept);
    offerRecovery(test.window, autosave);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !autosave.isLooking(); }, kPatience));
    EXPECT_TRUE(autosave.unreadable().isEmpty()) << "it was told once";
    EXPECT_TRUE(test.window.findChildren<QMessageBox*>().isEmpty());
}

#ifdef POLLARD_BINARY
TEST_F(SessionWindow, OfTheProgramIsThereAfterSigkill) {
    const QString image = writeImage("a.tif");
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
        environment.insert(QLatin1String(variable), folder.path());
    }
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(POLLARD_BINARY), {image, QStringLiteral("--keep"), QStringLiteral("area>=7"),
                                                   QStringLiteral("--panel"), QStringLiteral("chain")});
    const QString kept = pathOf("pollard/autosave");
    const auto sessions = [&kept] { return QDir(kept).entryList({QStringLiteral("*.pollard")}, QDir::Files); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return !sessions().isEmpty(); }, kPatience))
        << program.readAllStandardError().constData();
    program.kill(); // SIGKILL
    ASSERT_TRUE(program.waitForFinished(kPatience));
    ASSERT_EQ(program.exitStatus(), QProcess::CrashExit);

    TestWindow test;
    vm::SessionAutosave autosave(test.models.sessions, kept);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !autosave.isLooking(); }, kPatience));
    ASSERT_EQ(autosave.found().size(), 1);
    autosave.recover(autosave.found().front().path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(test.models.document.path(), image);
    EXPECT_EQ(test.models.filter.minimum(), 7);
    EXPECT_TRUE(dock(test, "chainDock")->isVisible());
}
#endif

class RecipeDock : public SessionWindow {
protected:
    TestWindow test;
    RecipePanel* panel = nullptr;
    QListView* steps = nullptr;
    QPlainTextEdit* text = nullptr;
    vm::RecipeViewModel* recipe = nullptr;

    void SetUp() override {
        ASSERT_TRUE(open(test, writeImage("a.tif")));
        dock(test, "recipeDock")->show();
        dock(test, "recipeDock")->raise();
        panel = test.window.findChild<RecipePanel*>();
        steps = test.part<QListView>("recipeSteps");
        text = test.part<QPlainTextEdit>("recipeText");
        recipe = test.window.findChild<vm::RecipeViewModel*>();
        QCoreApplication::processEvents();
    }
    void choose(int row) { steps->setCurrentIndex(recipe->index(row)); }
};

TEST_F(RecipeDock, EditsAndSwitchesStepsByKeyboard) {
    ASSERT_EQ(recipe->rowCount(), 3);
    choose(1);
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("\"connectivity\": 4")));
    auto* apply = test.part<QPushButton>("recipeApply");
    EXPECT_FALSE(apply->isEnabled());
    const QString before = text->toPlainText();
    text->setPlainText(
        QString(before).replace(QStringLiteral("\"connectivity\": 4"), QStringLiteral("\"connectivity\": 5")));
    EXPECT_TRUE(apply->isEnabled());
    QTest::keyClick(apply, Qt::Key_Space);
    EXPECT_TRUE(test.part<QLabel>("recipeProblem")->isVisible());
    EXPECT_TRUE(test.part<QLabel>("recipeProblem")->toolTip().contains(QStringLiteral("5: expected 4 or 8")));
    EXPECT_EQ(test.models.document.choices().connectivity(), Connectivity::four);
    text->setPlainText(
        QString(before).replace(QStringLiteral("\"connectivity\": 4"), QStringLiteral("\"connectivity\": 8")));
    QTest::keyClick(apply, Qt::Key_Space);
    EXPECT_FALSE(test.part<QLabel>("recipeProblem")->isVisible());
    EXPECT_EQ(test.models.document.choices().connectivity(), Connectivity::eight);
    EXPECT_FALSE(apply->isEnabled());
    test.part<QAction>("undo")->trigger();
    EXPECT_EQ(test.models.document.choices().connectivity(), Connectivity::four);
    EXPECT_EQ(text->toPlainText(), before);

    choose(2);
    steps->setFocus();
    QTest::keyClick(steps, Qt::Key_Space);
    EXPECT_FALSE(test.models.filter.isEnabled());
    QTest::keyClick(steps, Qt::Key_Space);
    EXPECT_TRUE(test.models.filter.isEnabled());
    // Changes in the window update the panel.
    test.models.filter.setRange(5, 90);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("5<=area<=90"))) << text->toPlainText().toStdString();
    test.part<QToolButton>("recipeRemove")->click();
    EXPECT_TRUE(test.models.filter.spec().criteria.empty());
}

TEST_F(RecipeDock, CopiesScriptsWhileThereIsAnImage) {
    test.models.filter.setRange(5, 90);
    ASSERT_TRUE(test.settle());
    action(test, "copyCommandLine")->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), recipe->commandLine());
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("pollard-cli filter")));
    action(test, "copyPython")->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), recipe->pythonScript());
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QString::fromStdString(toJson(recipe->recipe()))));
    const QList<QAction*> entries = test.part<QToolButton>("recipeCopy")->menu()->actions();
    ASSERT_EQ(entries.size(), 2);
    entries[0]->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), recipe->commandLine());
    entries[1]->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), recipe->pythonScript());
    test.models.document.close();
    EXPECT_EQ(recipe->pythonScript(), QString());
    EXPECT_FALSE(action(test, "copyPython")->isEnabled());
    EXPECT_FALSE(test.part<QToolButton>("recipeSave")->isEnabled());
    EXPECT_FALSE(action(test, "saveRecipe")->isEnabled());
    EXPECT_TRUE(test.part<QToolButton>("recipeLoad")->isEnabled()) << "for the next image";
}

#ifdef POLLARD_CLI_BINARY
TEST_F(RecipeDock, IsRunByTheCommandLineToTheSameBytes) {
    const auto isTheSame = [&](const std::string& what) {
        EXPECT_TRUE(test.settle());
        auto* files = test.window.findChild<vm::RecipeFiles*>();
        files->save(pathOf("r.json"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !files->isBusy(); }, kPatience)) << what;
        QSignalSpy saved(&test.models.document.saving(), &vm::DocumentSaving::saved);
        test.models.document.saving().saveFiltered(pathOf("window.tif"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !saved.isEmpty(); }, kPatience)) << what;
        QProcess cli;
        cli.start(QStringLiteral(POLLARD_CLI_BINARY),
                  {QStringLiteral("run"), pathOf("r.json"), pathOf("a.tif"), QStringLiteral("-o"), pathOf("out")});
        ASSERT_TRUE(cli.waitForFinished(kPatience)) << what;
        ASSERT_EQ(cli.exitCode(), 0) << what << ": " << cli.readAllStandardError().constData();
        const QByteArray window = bytesOf(pathOf("window.tif"));
        EXPECT_FALSE(window.isEmpty());
        EXPECT_TRUE(bytesOf(pathOf("out/a.tif")) == window) << what;
        QDir work(pathOf("work"));
        work.removeRecursively();
        ASSERT_TRUE(work.mkpath(QStringLiteral("results")));
        QProcess shell;
        shell.setWorkingDirectory(work.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"),
                           QFileInfo(QStringLiteral(POLLARD_CLI_BINARY)).path() + u':' + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), recipe->commandLine()});
        ASSERT_TRUE(shell.waitForFinished(kPatience)) << what;
        ASSERT_EQ(shell.exitCode(), 0) << what << ": " << shell.readAllStandardError().constData();
        QStringList written = work.entryList({QStringLiteral("*.tif")});
        written = written.isEmpty() ? QStringList{QStringLiteral("results/a.tif")} : written;
        EXPECT_TRUE(bytesOf(work.filePath(written.front())) == window) << what << ": the copied command";
    };
    test.models.filter.setRange(3, 500);
    isTheSame("filter");
    for (const Rule rule : kAllRules) {
        test.models.filter.setRule(rule);
        isTheSame("rule");
    }
    for (const Output output : {Output::residue, Output::mask, Output::filtered}) {
        test.models.filter.setOutput(output);
        isTheSame("output");
    }
    test.models.document.choices().setTreeKind(TreeKind::min);
    test.models.document.choices().setConnectivity(Connectivity::eight);
    isTheSame("tree");
    test.models.region.setState({{{RegionShape::Kind::ellipse, {{5, 5}, {70, 60}}}}, -1, true});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.region.pixelCount() >= 0; }, kPatience));
    isTheSame("region");
    test.models.document.reading().setReadRegion(PixelRegion{4, 6, 80, 70});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.image()->width() == 80; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.region.pixelCount() >= 0; }, kPatience));
    isTheSame("part");
    test.models.document.reading().setShrink(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.image()->width() == 40; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.region.pixelCount() >= 0; }, kPatience));
    isTheSame("smaller");
    // Chained filters: with two trees, in a region and without, one filter disabled.
    test.models.region.clear();
    test.models.document.choices().setTreeKind(TreeKind::max);
    ASSERT_TRUE(test.settle());
    test.models.filter.setRange(6, 500);
    ASSERT_TRUE(test.settle());
    action(test, "continueFromResult")->trigger();
    test.models.document.choices().setTreeKind(TreeKind::min);
    ASSERT_TRUE(test.settle());
    test.models.filter.setRange(4, 300);
    isTheSame("two filters");
    test.models.region.setState({{{RegionShape::Kind::rectangle, {{4, 3}, {30, 28}}}}, -1, false});
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.region.pixelCount() >= 0; }, kPatience));
    ASSERT_TRUE(test.settle());
    action(test, "continueFromResult")->trigger();
    ASSERT_TRUE(test.settle());
    test.models.filter.setOutput(Output::residue);
    test.models.filter.setRange(9, 200);
    isTheSame("three filters");
    ASSERT_TRUE(recipe->setData(recipe->index(recipe->filterRow(1)), Qt::Unchecked, Qt::CheckStateRole));
    isTheSame("one of them off");
    ASSERT_TRUE(recipe->setData(recipe->index(recipe->filterRow(1)), Qt::Checked, Qt::CheckStateRole));
    ASSERT_EQ(recipe->move(recipe->filterRow(0), 1), QString());
    isTheSame("in another order");
}
#endif

TEST_F(RecipeDock, GoesOnFromTheResultAndBackByTheKeyboard) {
    auto* note = test.part<QLabel>("earlierNote");
    auto* status = test.part<QLabel>("earlierStatus");
    EXPECT_FALSE(note->isVisible());
    EXPECT_FALSE(action(test, "continueFromResult")->isEnabled()) << "there is nothing to go on from";
    EXPECT_FALSE(action(test, "backToEarlierFilter")->isEnabled());
    test.models.filter.setRange(6, 500);
    ASSERT_TRUE(test.settle());
    const SharedImage opened = test.models.document.result();
    QTest::keyClick(&test.window, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(test.settle());
    EXPECT_TRUE(samePixels(*test.models.document.input(), *opened));
    EXPECT_FALSE(action(test, "continueFromResult")->isEnabled());
    EXPECT_TRUE(note->isVisible());
    EXPECT_EQ(note->text(), test.models.earlier.note());
    EXPECT_TRUE(note->toolTip().contains(QStringLiteral("6<=area<=500")));
    EXPECT_TRUE(status->isVisible());
    EXPECT_EQ(status->text(), note->text());
    EXPECT_TRUE(test.part<QAction>("undo")->text().contains(QStringLiteral("Continue from the result")));
    test.models.filter.setRange(20, 500);
    ASSERT_TRUE(test.settle());

    // The rows: moved by their buttons, with an error text for invalid moves.
    auto* up = test.part<QToolButton>("recipeUp");
    auto* down = test.part<QToolButton>("recipeDown");
    choose(recipe->filterRow(1));
    EXPECT_TRUE(up->isEnabled());
    EXPECT_FALSE(down->isEnabled());
    QTest::keyClick(up, Qt::Key_Space);
    ASSERT_TRUE(test.settle());
    EXPECT_EQ(steps->currentIndex().row(), recipe->filterRow(0)) << "the filter that was moved";
    EXPECT_TRUE(text->toPlainText().contains(QStringLiteral("20<=area<=500"))) << text->toPlainText().toStdString();
    EXPECT_EQ(test.models.filter.criteria().currentEntry().bounds().minimum, 6) << "whatever the tree has";
    text->setPlainText(text->toPlainText().replace(QStringLiteral("\"filtered\""), QStringLiteral("\"labels\"")));
    QTest::keyClick(test.part<QPushButton>("recipeApply"), Qt::Key_Space);
    EXPECT_TRUE(test.part<QLabel>("recipeProblem")->isVisible());
    EXPECT_TRUE(test.part<QLabel>("recipeProblem")->toolTip().contains(QStringLiteral("follows labels")));
    EXPECT_EQ(test.models.document.choices().earlierFilters().front().filter.output, Output::filtered);

    QTest::keyClick(test.part<QToolButton>("earlierBack"), Qt::Key_Space);
    ASSERT_TRUE(test.settle());
    EXPECT_FALSE(note->isVisible());
    EXPECT_FALSE(status->isVisible());
    EXPECT_EQ(test.models.document.input(), test.models.document.image());
    EXPECT_EQ(test.models.filter.minimum(), 20);
}

} // namespace
} // namespace pollard::app
