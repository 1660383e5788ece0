#include "app/test_window.hpp"

#include "shell/help_browser.hpp"
#include "shell/translation.hpp"
#include "support/channel_files.hpp"
#include "theme/theme.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/panels.hpp"
#include "window/workspaces.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextDocument>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

TEST(CommandPalette, FindsAndRunsWithTheKeyboardAlone) {
    TestWindow test;
    test.open("noise", makeNoise(32));
    ASSERT_EQ(test.models.document.choices().treeKind(), TreeKind::max);
    QTest::keyClick(&test.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = test.part<CommandPalette>("commandPalette");
    ASSERT_NE(palette, nullptr);
    auto* query = palette->findChild<QLineEdit*>(QStringLiteral("commandQuery"));
    const auto* list = palette->findChild<QTreeWidget*>(QStringLiteral("commandList"));
    QTest::keyClicks(query, QStringLiteral("tree min"));
    ASSERT_NE(list->currentItem(), nullptr);
    EXPECT_EQ(list->currentItem()->text(0), QStringLiteral("Min-tree"));
    EXPECT_EQ(list->currentItem()->text(2), QKeySequence(Qt::CTRL | Qt::Key_2).toString(QKeySequence::NativeText));
    QTest::keyClick(query, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.choices().treeKind() == TreeKind::min; }, kPatience));
    ASSERT_TRUE(test.settle());
}

TEST(CommandPalette, ArrowsChooseAndWhatIsImpossibleIsNotRun) {
    TestWindow test;
    QAction possible(QStringLiteral("&Alpha one"));
    QAction second(QStringLiteral("Alpha &two"));
    QAction impossible(QStringLiteral("Alpha three"));
    impossible.setEnabled(false);
    auto* palette = new CommandPalette({{&impossible, {}}, {&possible, {}}, {&second, {}}}, &test.window);
    palette->open();
    auto* query = palette->findChild<QLineEdit*>();
    const auto* list = palette->findChild<QTreeWidget*>();
    QTest::keyClicks(query, QStringLiteral("alpha"));
    EXPECT_EQ(list->topLevelItemCount(), 4) << "the last one searches the help";
    EXPECT_EQ(list->currentItem()->text(0), QStringLiteral("Alpha one"));
    QTest::keyClick(query, Qt::Key_Down);
    EXPECT_EQ(list->currentItem()->text(0), QStringLiteral("Alpha two"));
    int runs = 0;
    QObject::connect(&second, &QAction::triggered, &second, [&runs] { ++runs; });
    QTest::keyClick(query, Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([&] { return runs == 1; }, kPatience));
}

/// Enters a query in a new command palette. @return its list
QTreeWidget* found(TestWindow& test, const QString& query) {
    test.window.actionList().commands->trigger();
    CommandPalette* palette = test.window.findChildren<CommandPalette*>().back();
    palette->findChild<QLineEdit*>()->setText(query); // may have letters that no key of a test has
    return palette->findChild<QTreeWidget*>();
}

/// Words that people use, the first command for them and its place.
struct Job {
    const char* query;
    const char* command;
    const char* place;
};

void expectFirst(TestWindow& test, const std::vector<Job>& jobs) {
    for (const Job& job : jobs) {
        const QTreeWidget* list = found(test, QString::fromUtf8(job.query));
        const QTreeWidgetItem* first = list->topLevelItem(0);
        EXPECT_EQ(first->text(0).remove(QStringLiteral("✓ ")).toStdString(), job.command) << job.query;
        EXPECT_EQ(first->text(1).toStdString(), job.place) << job.query;
        qobject_cast<QDialog*>(list->window())->reject();
    }
}

TEST(CommandPalette, KnowsJobsAndSynonyms) {
    TestWindow test;
    test.window.resize(1280, 800);
    test.open("noise", makeNoise(32));
    const char* workspace = "View › Workspace";
    const char* panels = "View › Panels";
    expectFirst(test, {{"count", "Objects", workspace},
                       {"count cells", "Objects", workspace},
                       {"measure", "Objects", workspace},
                       {"measure area", "Objects", workspace},
                       {"segment", "Objects", workspace},
                       {"threshold", "Objects", workspace},
                       {"watershed", "Only the most prominent maxima", "Filter panel"},
                       {"split touching", "Only the most prominent maxima", "Filter panel"},
                       {"outline", "Contour", workspace},
                       {"background", "Uneven background", "Presets"},
                       {"despeckle", "Filter", workspace},
                       {"denoise", "Filter", workspace},
                       {"median", "Filter", workspace},
                       {"batch", "Apply to a folder", "File"},
                       {"export csv", "Save the objects", "Objects panel"},
                       {"crop", "Crop to region", "Region"},
                       {"units", "Image", panels},
                       {"calibrate", "Image", panels},
                       {"merge channels", "Display", panels},
                       {"pixel size", "Pixel size from a scale bar", "Image"},
                       {"scale bar", "Scale bar", "View › Overlays"},
                       {"invert", "Inverted", "View › Colours"},
                       {"dark mode", "Preferences", "File"},
                       {"classify", "Classes", "Objects panel"},
                       {"undo all", "Clear filter", "Image"},
                       {"before after", "Before and after", "View"},
                       {"component", "Component", panels},
                       {"from", "Smallest value that is kept", "Filter panel"},
                       {"to", "Largest value that is kept", "Filter panel"}});
}

TEST(CommandPalette, KnowsJobsInFrench) {
    if (!translatedLanguages().contains(QStringLiteral("fr"))) {
        GTEST_SKIP() << "built without Qt Linguist tools";
    }
    const auto back = qScopeGuard([before = QLocale()] {
        installLanguage(QStringLiteral("en"));
        QLocale::setDefault(before);
    });
    installLanguage(QStringLiteral("fr"));
    TestWindow test;
    test.window.resize(1280, 800);
    test.open("noise", makeNoise(32));
    const char* workspace = "Vue › Espace de travail";
    const char* panels = "Vue › Panneaux";
    expectFirst(test, {{"seuil", "Objets", workspace},
                       {"segmenter", "Objets", workspace},
                       {"compter les cellules", "Objets", workspace},
                       {"mesurer", "Objets", workspace},
                       {"aire", "Objets", workspace},
                       {"ligne de partage des eaux", "Seulement les maxima les plus proéminents", "Panneau Filtre"},
                       {"séparer", "Seulement les maxima les plus proéminents", "Panneau Filtre"},
                       {"débruiter", "Filtre", workspace},
                       {"rogner", "Recadrer sur la région", "Région"},
                       {"unités", "Image", panels},
                       {"étalonner", "Image", panels},
                       {"barre d'échelle", "Barre d'échelle", "Vue › Superpositions"},
                       {"capture d'écran", "Exporter la vue", "Fichier"},
                       {"mode sombre", "Préférences", "Fichier"},
                       {"boucher les trous", "Remplir les trous", "Panneau Objets"}});
}

TEST(CommandPalette, OffersCommandsBeforeRecentFilesOfTheirName) {
    TestWindow test;
    test.models.recentFiles.add(QStringLiteral("/pictures/batch.tif"));
    const QTreeWidget* list = found(test, QStringLiteral("batch"));
    EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("Apply to a folder"));
    const auto recent = list->findItems(QStringLiteral("batch.tif"), Qt::MatchEndsWith);
    ASSERT_EQ(recent.size(), 1);
    EXPECT_EQ(recent.front()->text(1), QStringLiteral("File › Open recent"));
}

TEST(CommandPalette, FindsProjectionsOfAStackAndTheBatchBeforeItsPages) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("v.ome.tif"));
    test::writeStack(
        path.toStdString(), {{'c', 2, {"DAPI", "GFP"}}, {'z', 3, {}}}, 20, 16,
        [](const std::vector<int>& at, std::uint32_t x, std::uint32_t) { return 10 * at[1] + static_cast<int>(x); });
    TestWindow test;
    test.window.openFile(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.isVolume(); }, kPatience));
    ASSERT_TRUE(test.settle());
    for (const auto& [query, command] :
         {std::pair("maximum projection", "Maximum projection"), std::pair("as pages", "Slices as pages"),
          std::pair("batch", "Apply to a folder")}) {
        const QTreeWidget* list = found(test, QLatin1String(query));
        EXPECT_EQ(list->topLevelItem(0)->text(0).toStdString(), command);
        qobject_cast<QDialog*>(list->window())->reject();
    }
    test.part<QAction>("depthMaximum")->trigger();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return test.models.document.request().projection == Projection::maximum; }, kPatience));
}

TEST(CommandPalette, FindsIndicesOfChannels) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("colours.png"));
    QImage colours(20, 16, QImage::Format_RGB32);
    colours.fill(Qt::darkGreen);
    ASSERT_TRUE(colours.save(path));
    TestWindow test;
    test.window.openFile(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.models.document.hasImage(); }, kPatience));
    ASSERT_TRUE(test.settle());
    const QTreeWidgetItem* first = found(test, QStringLiteral("ndvi"))->topLevelItem(0);
    EXPECT_EQ(first->text(0), QStringLiteral("Channel"));
    EXPECT_EQ(first->text(1), QStringLiteral("Image panel"));
}

TEST(CommandPalette, LeadsToWorkspacesAndControlsWithTheFocusInThem) {
    TestWindow test;
    test.window.resize(1280, 800);
    test.open("noise", makeNoise(32));
    const auto run = [&test](const QString& query) {
        QTest::keyClick(found(test, query)->window()->findChild<QLineEdit*>(), Qt::Key_Return);
    };
    const auto focusIn = [&test](const char* dock) {
        const QWidget* focused = test.window.focusWidget();
        return focused != nullptr && test.part<QDockWidget>(dock)->isAncestorOf(focused);
    };
    run(QStringLiteral("count"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return focusIn("objectsDock"); }, kPatience));
    EXPECT_EQ(test.window.workspaces().current(), QStringLiteral("objects"));
    auto* plane = test.part<QDockWidget>("planeDock");
    const QString across = plane->findChild<QAbstractButton*>(QStringLiteral("planeX"))->text();
    run(QStringLiteral("swap the axes"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return focusIn("planeDock"); }, kPatience));
    EXPECT_EQ(test.window.focusWidget()->accessibleName(), QStringLiteral("Swap the axes"));
    EXPECT_EQ(test.window.workspaces().current(), QStringLiteral("explore"));
    EXPECT_EQ(plane->findChild<QAbstractButton*>(QStringLiteral("planeY"))->text(), across) << "the button is pressed";
}

TEST(CommandPalette, OffersTheHelpWhereNoCommandFits) {
    TestWindow test;
    const QTreeWidget* list = found(test, QStringLiteral("granulometries"));
    ASSERT_EQ(list->topLevelItemCount(), 1);
    EXPECT_EQ(list->topLevelItem(0)->text(0), QStringLiteral("Nothing found. Search the help for “granulometries”"));
    auto* query = list->window()->findChild<QLineEdit*>();
    query->setText(QStringLiteral("tree"));
    EXPECT_GT(list->topLevelItemCount(), 2);
    EXPECT_EQ(list->topLevelItem(list->topLevelItemCount() - 1)->text(0), QStringLiteral("Search the help for “tree”"));
    query->setText(QStringLiteral("seidel"));
    QTest::keyClick(query, Qt::Key_Return);
    auto* browser = test.part<HelpBrowser>("helpBrowser");
    ASSERT_NE(browser, nullptr);
    EXPECT_TRUE(browser->isVisible());
    EXPECT_EQ(browser->findChild<QLineEdit*>(QStringLiteral("helpQuery"))->text(), QStringLiteral("seidel"));
    browser->close();
}

TEST(CommandPalette, HasWordsOnlyForCommandsThatExist) {
    TestWindow test;
    for (const QString& name : namesWithWords()) {
        EXPECT_NE(test.window.findChild<QObject*>(name), nullptr) << name.toStdString();
    }
}

TEST(Help, HasThePageAndTheHeadingOfEveryDock) {
    TestWindow test;
    for (const QDockWidget* dock : test.window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QString place = helpPageOf(dock->objectName());
        QFile file(QStringLiteral(":/pollard/help/%1.md").arg(place.section(u'#', 0, 0)));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << place.toStdString();
        const QString anchor = place.section(u'#', 1);
        vm::HelpIndex index;
        index.add(QStringLiteral("page"), QString::fromUtf8(file.readAll()));
        const bool found = std::any_of(index.sections().begin(), index.sections().end(),
                                       [&](const vm::HelpSection& section) { return section.anchor == anchor; });
        EXPECT_TRUE(anchor.isEmpty() || found) << place.toStdString();
    }
}

TEST(Help, HasPagesForUsersWithoutQuotationsByAccident) {
    for (const QFileInfo& page : QDir(QStringLiteral(":/pollard/help")).entryInfoList({QStringLiteral("*.md")})) {
        EXPECT_FALSE(page.fileName().front().isDigit()) << "a record of a decision: " << page.fileName().toStdString();
        QFile file(page.filePath());
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QString before;
        for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
            const bool continues = !before.isEmpty() && !before.startsWith(u'>');
            EXPECT_FALSE(continues && line.startsWith(u'>')) << page.fileName().toStdString() << line.toStdString();
            before = line;
        }
    }
}

TEST(Help, OpensAtTheFocusedDockAndGoesBack) {
    TestWindow test;
    auto* dock = test.part<QDockWidget>("chainDock");
    dock->show();
    dock->raise();
    for (QWidget* inside : dock->findChildren<QWidget*>()) {
        if ((inside->focusPolicy() & Qt::TabFocus) != 0 && inside->isVisible() && inside->isEnabled()) {
            inside->setFocus();
            break;
        }
    }
    ASSERT_TRUE(dock->isAncestorOf(QApplication::focusWidget()));
    test.window.actionList().help->trigger();
    auto* browser = test.part<HelpBrowser>("helpBrowser");
    ASSERT_NE(browser, nullptr);
    EXPECT_EQ(browser->page(), QStringLiteral("inspect"));
    browser->showPage(QStringLiteral("attributes"));
    EXPECT_EQ(browser->page(), QStringLiteral("attributes"));
    browser->showPage(QStringLiteral("no such page"));
    EXPECT_EQ(browser->page(), QStringLiteral("attributes"));
    browser->findChild<QPushButton*>(QStringLiteral("helpBack"))->click();
    EXPECT_EQ(browser->page(), QStringLiteral("inspect"));
    browser->close();
}

TEST(Help, BeginsWithTheTutorialsWhichOpenTheirImages) {
    TestWindow test;
    test.part<QPushButton>("welcomeFirstSteps")->click();
    auto* browser = test.part<HelpBrowser>("helpBrowser");
    ASSERT_NE(browser, nullptr);
    EXPECT_EQ(browser->page(), QStringLiteral("tutorials"));
    auto* list = browser->findChild<QListWidget*>(QStringLiteral("helpFound"));
    EXPECT_EQ(list->currentRow(), 0);
    auto* text = browser->findChild<HelpPageView*>();
    QStringList samples;
    QStringList images;
    for (QTextBlock block = text->document()->begin(); block.isValid(); block = block.next()) {
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextCharFormat format = it.fragment().charFormat();
            if (format.anchorHref().contains(QStringLiteral("samples"))) {
                samples << format.anchorHref();
            }
            if (format.isImageFormat()) {
                images << format.toImageFormat().name();
            }
        }
    }
    EXPECT_EQ(samples.size(), 6);
    EXPECT_GE(images.size(), 10);
    for (const QString& image : images) {
        EXPECT_FALSE(QImage(QStringLiteral(":/pollard/help/") + image).isNull()) << image.toStdString();
    }
    for (const QString& sample : samples) {
        const QString name = QFileInfo(sample).fileName();
        const QUrl link = text->document()->baseUrl().resolved(QUrl(sample));
        emit text->anchorClicked(link);
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return QFileInfo(test.models.document.path()).fileName() == name; }, kPatience))
            << sample.toStdString() << " as " << link.toString().toStdString();
        ASSERT_TRUE(test.settle());
    }
    QSignalSpy chosen(browser, &HelpBrowser::sampleChosen);
    emit text->anchorClicked(
        text->document()->baseUrl().resolved(QUrl(QStringLiteral("../resources/samples/README.md"))));
    EXPECT_TRUE(chosen.isEmpty()) << "no image";
    EXPECT_EQ(browser->page(), QStringLiteral("tutorials"));
    browser->close();
}

TEST(Help, SearchLeadsToTheSection) {
    HelpBrowser browser;
    browser.show();
    ASSERT_TRUE(appears(browser));
    auto* query = browser.findChild<QLineEdit*>(QStringLiteral("helpQuery"));
    auto* found = browser.findChild<QListWidget*>(QStringLiteral("helpFound"));
    const int pages = found->count();
    EXPECT_GE(pages, 6);
    QTest::keyClicks(query, QStringLiteral("granulometry"));
    ASSERT_GT(found->count(), 0);
    QTest::keyClick(query, Qt::Key_Return);
    EXPECT_EQ(browser.page(), QStringLiteral("analyses"));
    const auto* text = browser.findChild<HelpPageView*>();
    EXPECT_TRUE(text->textCursor().block().text().contains(QStringLiteral("granulometry"), Qt::CaseInsensitive));
    const auto isMarked = [text](const QString& word) {
        const QList<QTextEdit::ExtraSelection> marks = text->extraSelections();
        return !marks.isEmpty() && marks.front().cursor.selectedText().compare(word, Qt::CaseInsensitive) == 0 &&
               text->viewport()->rect().contains(text->cursorRect(marks.front().cursor));
    };
    EXPECT_TRUE(isMarked(QStringLiteral("granulometry")));
    browser.search(QStringLiteral("flatness"));
    EXPECT_TRUE(isMarked(QStringLiteral("flatness"))) << "the first hit is shown without a click";
    EXPECT_EQ(found->currentRow(), 0);
    query->setText(QStringLiteral("nothing has this word qzx"));
    EXPECT_FALSE(found->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    query->clear();
    EXPECT_EQ(found->count(), pages);
    EXPECT_TRUE(text->extraSelections().isEmpty());
}

TEST(About, CopiesTheCitation) {
    TestWindow test;
    test.window.actionList().about->trigger();
    auto* dialog = test.part<QDialog>("aboutDialog");
    ASSERT_NE(dialog, nullptr);
    QGuiApplication::clipboard()->clear();
    dialog->findChild<QPushButton*>(QStringLiteral("copyCitation"))->click();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("@software{pollard")));
    dialog->close();
}

/// Contrast ratio (L1 + 0.05) / (L2 + 0.05) of relative luminances (WCAG 2.1).
double contrast(const QColor& a, const QColor& b) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const auto luminance = [&](const QColor& c) {
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double light = std::max(luminance(a), luminance(b));
    const double dark = std::min(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

TEST(HighContrast, HasSevenToOneEverywhere) {
    TestWindow test;
    test.models.settings.setTheme(vm::SettingsViewModel::Theme::contrast);
    const QPalette palette = test.window.palette();
    using Role = QPalette::ColorRole;
    for (const auto& [text, ground] :
         {std::pair{Role::WindowText, Role::Window}, std::pair{Role::Text, Role::Base},
          std::pair{Role::Text, Role::AlternateBase}, std::pair{Role::ButtonText, Role::Button},
          std::pair{Role::HighlightedText, Role::Highlight}, std::pair{Role::Link, Role::Base},
          std::pair{Role::ToolTipText, Role::ToolTipBase}, std::pair{Role::PlaceholderText, Role::Base}}) {
        EXPECT_GE(contrast(palette.color(text), palette.color(ground)), 7) << text << " on " << ground;
    }
    EXPECT_GE(contrast(secondaryText(palette), palette.color(Role::Window)), 7);
    test.models.settings.setTheme(vm::SettingsViewModel::Theme::light);
}

} // namespace
} // namespace pollard::app
