#include "window/menus/help_menu.hpp"

#include "canvas/gl_surface.hpp"
#include "engine/engine_registry.hpp"
#include "engine/program_facts.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/help_browser.hpp"
#include "shell/models.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/report.hpp"
#include "widgets/panel_parts.hpp"
#include "window/actions.hpp"
#include "window/dialogs/command_palette.hpp"
#include "window/dialogs/tour.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"
#include "window/workspaces.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSysInfo>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <QWhatsThis>

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kAboutWidth = 600;
constexpr QSize kKeysSize(680, 620);

QString helpText(const char* source) { return QCoreApplication::translate("Help", source); }

QDialog* makeDialog(QWidget& parent, const QString& title) {
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    return dialog;
}

void addClose(QDialog& dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    dialog.layout()->addWidget(buttons);
}

void addRow(QGridLayout& grid, const QString& name, const QString& value) {
    const int row = grid.rowCount();
    grid.addWidget(new CaptionLabel(name), row, 0, Qt::AlignLeft | Qt::AlignTop);
    auto* label = new QLabel(value);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    grid.addWidget(label, row, 1);
}

QGridLayout* makeTable() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    return grid;
}

/// Gives the first columns of the tables in a layout the same width.
void alignTables(QLayout& layout) {
    const QList<QGridLayout*> tables = layout.findChildren<QGridLayout*>();
    int width = 0;
    for (const QGridLayout* table : tables) {
        for (int row = 0; row < table->rowCount(); ++row) {
            if (const QLayoutItem* name = table->itemAtPosition(row, 0)) {
                width = std::max(width, name->sizeHint().width());
            }
        }
    }
    for (QGridLayout* table : tables) {
        table->setColumnMinimumWidth(0, width);
    }
}

QWidget* makePage(QLayout* content) {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->addLayout(content);
    layout->addStretch(1);
    return new ScrolledControls(page);
}

QWidget* makeVersions(const EngineRegistry& registry) {
    auto* table = makeTable();
    for (const Engine* engine : registry.engines()) {
        const std::string reason = engine->unusableReason();
        addRow(*table, helpText("Engine %1").arg(QString::fromStdString(engine->name()).toUpper()),
               reason.empty() ? QString::fromStdString(engine->device())
                              : helpText("not usable: %1").arg(QString::fromStdString(reason)));
    }
    const QString gl = openGlDescription();
    addRow(*table, helpText("Graphics"), gl.isEmpty() ? helpText("no OpenGL") : gl);
    addRow(*table, helpText("System"), QSysInfo::prettyProductName());
    QStringList libraries{QStringLiteral("Qt %1").arg(QLatin1String(qVersion()))};
    for (const LibraryVersion& library : libraryVersions()) {
        libraries << QString::fromStdString(library.name + ' ' + library.version);
    }
    addRow(*table, helpText("Libraries"), libraries.join(QStringLiteral(", ")));
    return makePage(table);
}

QWidget* makeLicences() {
    auto* table = makeTable();
    addRow(*table, QStringLiteral("Pollard"),
           helpText("GNU General Public License, version 3 or later. This is free software: you may change and "
                    "redistribute it. There is no warranty, to the extent permitted by law."));
    addRow(*table, QStringLiteral("Qt, Qt Charts"), QStringLiteral("LGPL-3.0-only, GPL-3.0-only"));
    for (const LibraryVersion& library : libraryVersions()) {
        addRow(*table, QString::fromStdString(library.name), QString::fromStdString(library.licence));
    }
    return makePage(table);
}

QWidget* makeCitation() {
    auto* content = new QVBoxLayout;
    auto* note = new CaptionLabel(helpText("If you use Pollard for a publication, please cite it and the algorithms: "
                                           "File > Save report lists the algorithms used for an image."));
    note->setWordWrap(true);
    content->addWidget(note);
    auto* citation = new QPlainTextEdit(vm::citationText(QStringLiteral(POLLARD_VERSION)) + QStringLiteral("\n\n") +
                                        vm::citationBibTex(QStringLiteral(POLLARD_VERSION)));
    citation->setObjectName(QStringLiteral("citation"));
    citation->setReadOnly(true);
    citation->setTabChangesFocus(true);
    explain(citation, helpText("Citation"), helpText("As a sentence and for BibTeX"));
    content->addWidget(citation);
    auto* copy = new QPushButton(helpText("Cop&y"));
    copy->setObjectName(QStringLiteral("copyCitation"));
    copy->setAutoDefault(false);
    explain(copy, helpText("Copy"), helpText("Copy the citation to the clipboard"));
    QObject::connect(copy, &QPushButton::clicked, citation,
                     [citation] { QGuiApplication::clipboard()->setText(citation->toPlainText()); });
    content->addWidget(copy, 0, Qt::AlignLeft);
    return makePage(content);
}

/// Shows all shortcuts of the menus, grouped by menu, and further keys and mouse gestures.
void showShortcuts(QWidget& parent, const QMenuBar& menus) {
    QDialog* dialog = makeDialog(parent, helpText("Keyboard and mouse"));
    dialog->setObjectName(QStringLiteral("shortcutsDialog"));
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 12, 0);
    QString menu;
    QGridLayout* keys = nullptr;
    for (const ListedAction& listed : actionsOfMenus(menus)) {
        if (listed.action->shortcuts().isEmpty()) {
            continue;
        }
        const QString top = listed.menu.section(QStringLiteral(" › "), 0, 0);
        if (keys == nullptr || top != menu) {
            menu = top;
            layout->addWidget(new SectionLabel(top));
            keys = makeTable();
            layout->addLayout(keys);
            layout->addSpacing(kPanelSpacing);
        }
        addRow(*keys, keysText(*listed.action), plainText(*listed.action));
    }
    layout->addWidget(new SectionLabel(helpText("In the image and the panels")));
    keys = makeTable();
    const std::pair<const char*, const char*> more[] = {
        {QT_TRANSLATE_NOOP("Help", "Arrow keys"),
         QT_TRANSLATE_NOOP("Help", "Move the image; with a drawing tool the cross or the selected shape")},
        {QT_TRANSLATE_NOOP("Help", "Shift + arrow keys"), QT_TRANSLATE_NOOP("Help", "Move the shape by 10 px")},
        {QT_TRANSLATE_NOOP("Help", "Ctrl + arrow keys"), QT_TRANSLATE_NOOP("Help", "Resize the shape")},
        {QT_TRANSLATE_NOOP("Help", "Alt + arrow keys"),
         QT_TRANSLATE_NOOP("Help", "Move the image while a drawing tool is chosen")},
        {QT_TRANSLATE_NOOP("Help", "Space"), QT_TRANSLATE_NOOP("Help", "With a drawing tool: click at the cross")},
        {QT_TRANSLATE_NOOP("Help", "Enter, Backspace, Escape"),
         QT_TRANSLATE_NOOP("Help", "Close a polygon, remove its last corner, cancel")},
        {QT_TRANSLATE_NOOP("Help", "Shift + Left, Shift + Right"), QT_TRANSLATE_NOOP("Help", "Move the split line")},
        {QT_TRANSLATE_NOOP("Help", "Arrow keys on a handle"),
         QT_TRANSLATE_NOOP("Help", "Move a bound of the filter by a small step")},
        {QT_TRANSLATE_NOOP("Help", "Page Up, Page Down on a handle"),
         QT_TRANSLATE_NOOP("Help", "Move a bound by ten steps")},
        {QT_TRANSLATE_NOOP("Help", "Home, End on a handle"), QT_TRANSLATE_NOOP("Help", "Move a bound to an end")},
        {QT_TRANSLATE_NOOP("Help", "Arrow keys on the histogram"),
         QT_TRANSLATE_NOOP("Help", "Move the black level, with Shift the white level")},
        {QT_TRANSLATE_NOOP("Help", "Arrow keys on the filter's histogram"),
         QT_TRANSLATE_NOOP("Help", "Move the lower bound, with Shift the upper one")},
        {QT_TRANSLATE_NOOP("Help", "Space, Delete on a criterion"),
         QT_TRANSLATE_NOOP("Help", "Turn it on or off, remove it")},
        {QT_TRANSLATE_NOOP("Help", "Space, Page Up, Page Down in the grid lab"),
         QT_TRANSLATE_NOOP("Help", "Play, one step back, one step on")},
        {QT_TRANSLATE_NOOP("Help", "Digits, +, - in the grid lab"),
         QT_TRANSLATE_NOOP("Help", "Change the level at the cursor")},
    };
    for (const auto& [key, what] : more) {
        addRow(*keys, helpText(key), helpText(what));
    }
    layout->addLayout(keys);
    layout->addSpacing(kPanelSpacing);
    layout->addWidget(new SectionLabel(helpText("Mouse")));
    auto* mouse = makeTable();
    const std::pair<const char*, const char*> gestures[] = {
        {QT_TRANSLATE_NOOP("Help", "Drag, left or middle button"), QT_TRANSLATE_NOOP("Help", "Move the image")},
        {QT_TRANSLATE_NOOP("Help", "Wheel"), QT_TRANSLATE_NOOP("Help", "Zoom about the pointer")},
        {QT_TRANSLATE_NOOP("Help", "Shift + wheel"), QT_TRANSLATE_NOOP("Help", "The next slice or page of the file")},
        {QT_TRANSLATE_NOOP("Help", "Double-click"),
         QT_TRANSLATE_NOOP("Help", "Fit the image to the window; close a polygon")},
        {QT_TRANSLATE_NOOP("Help", "Drag with a drawing tool"),
         QT_TRANSLATE_NOOP("Help", "Draw a shape, move one, or resize it at a handle; with Alt draw within another")},
        {QT_TRANSLATE_NOOP("Help", "Drag in the minimap"), QT_TRANSLATE_NOOP("Help", "Move the view")},
        {QT_TRANSLATE_NOOP("Help", "Drag the split line"), QT_TRANSLATE_NOOP("Help", "Compare before and after")},
        {QT_TRANSLATE_NOOP("Help", "Drag an edge in the histogram"),
         QT_TRANSLATE_NOOP("Help", "Change the black or the white level")},
        {QT_TRANSLATE_NOOP("Help", "Drag a bound in the filter's histogram"),
         QT_TRANSLATE_NOOP("Help", "Change that bound; between both bounds: move both")},
        {QT_TRANSLATE_NOOP("Help", "Click while picking components"),
         QT_TRANSLATE_NOOP("Help", "Remove the component there, with Shift keep it")},
        {QT_TRANSLATE_NOOP("Help", "Drop a file on the window"), QT_TRANSLATE_NOOP("Help", "Open it")},
    };
    for (const auto& [gesture, what] : gestures) {
        addRow(*mouse, helpText(gesture), helpText(what));
    }
    layout->addLayout(mouse);
    layout->addStretch(1);
    alignTables(*layout);
    auto* scroll = new QScrollArea(dialog);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    explain(scroll, dialog->windowTitle(), helpText("Arrow keys and Page Down move the list"));
    dialog->layout()->addWidget(scroll);
    addClose(*dialog);
    resizeOnScreen(*dialog, kKeysSize);
    dialog->open();
}

/// Shows versions, engines, licences and the citation.
void showAbout(QWidget& parent, const EngineRegistry& registry) {
    QDialog* dialog = makeDialog(parent, helpText("About Pollard"));
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    auto* layout = static_cast<QVBoxLayout*>(dialog->layout());
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* icon = new QLabel(dialog);
    icon->setPixmap(
        QIcon(QStringLiteral(":/pollard/icons/pollard-256.png")).pixmap(QSize(72, 72), parent.devicePixelRatioF()));
    head->addWidget(icon, 0, Qt::AlignTop);
    auto* words = new QLabel(
        QStringLiteral("<h2 style='margin:0'>Pollard %1</h2><p>%2</p>")
            .arg(QStringLiteral(POLLARD_VERSION),
                 helpText("Interactive mathematical morphology: builds the component tree of an image, measures every "
                          "component and prunes the tree while you drag a threshold.")),
        dialog);
    words->setWordWrap(true);
    head->addWidget(words, 1);
    layout->addLayout(head);
    auto* pages = new QTabWidget(dialog);
    pages->addTab(makeVersions(registry), helpText("&Versions"));
    pages->addTab(makeLicences(), helpText("&Licences"));
    pages->addTab(makeCitation(), helpText("How to &cite"));
    explain(pages, helpText("About Pollard"), helpText("Versions, licences and how to cite"));
    layout->addWidget(pages, 1);
    addClose(*dialog);
    resizeOnScreen(*dialog, {kAboutWidth, layout->totalHeightForWidth(kAboutWidth)});
    dialog->open();
}

/// Name of the dock that contains a widget; empty if there is none.
QString dockNameOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
        if (qobject_cast<const QDockWidget*>(widget) != nullptr) {
            return widget->objectName();
        }
    }
    return {};
}

HelpBrowser& shownBrowser(QMainWindow& window, Models& models) {
    auto* browser = window.findChild<HelpBrowser*>();
    if (browser == nullptr) {
        browser = new HelpBrowser(&window);
        QObject::connect(browser, &HelpBrowser::sampleChosen, &window,
                         [&window, &models](const QString& file) { openSample(window, models, file); });
    }
    browser->show();
    browser->raise();
    browser->activateWindow();
    return *browser;
}

/// Focuses the front panel at the right, which has the task of the workspace.
void focusTask(const QMainWindow& window) {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (window.dockWidgetArea(dock) == Qt::RightDockWidgetArea && isSeen(*dock)) {
            bringForward(*dock);
            return;
        }
    }
}

void showCommands(QMainWindow& window, Models& models) {
    auto* palette = new CommandPalette(actionsOfMenus(*window.menuBar()), &window, controlsOfPanels(window));
    auto* workspaces = window.findChild<Workspaces*>();
    QObject::connect(palette, &CommandPalette::chosen, workspaces, [workspaces, &window](QAction* action) {
        if (workspaces->actions().actions().contains(action)) {
            QTimer::singleShot(0, workspaces, [&window] { focusTask(window); }); // after the command
        }
    });
    QObject::connect(palette, &CommandPalette::helpRequested, &window,
                     [&window, &models](const QString& query) { shownBrowser(window, models).search(query); });
    palette->open();
}

QAction* makeWhatsThis(QMainWindow& window) {
    QAction* action = QWhatsThis::createAction(&window);
    action->setObjectName(QStringLiteral("whatsThis"));
    action->setText(helpText("&What's this?"));
    action->setToolTip(helpText("Click on a control to read what it does"));
    return action;
}

} // namespace

void openSample(QMainWindow& window, Models& models, const QString& file) {
    if (auto* presets = window.findChild<vm::PresetViewModel*>(); presets != nullptr) {
        models.leave.leave(presets, [presets, file] { presets->openSampleFile(file); });
    }
}

void showHelp(QMainWindow& window, Models& models, const QString& place) {
    shownBrowser(window, models).showPage(place);
}

void addHelpMenu(QMainWindow& window, Actions& actions, Models& models, const EngineRegistry& registry) {
    QMenu* menu = window.menuBar()->addMenu(helpText("&Help"));
    menu->addAction(actions.commands);
    menu->addSeparator();
    auto* tour = makeAction({QStringLiteral("tour"),
                             helpText("T&our"),
                             helpText("A small job on the open image, one step after the other"),
                             {},
                             {}},
                            &window);
    menu->addActions({actions.help, actions.firstSteps, window.findChild<QAction*>(QStringLiteral("trySample")), tour,
                      makeWhatsThis(window), actions.shortcuts});
    QObject::connect(tour, &QAction::triggered, &window, [&window, &models] { startTour(window, models); });
    menu->addSeparator();
    menu->addActions({actions.about, actions.aboutQt});
    QObject::connect(actions.commands, &QAction::triggered, &window,
                     [&window, &models] { showCommands(window, models); });
    QObject::connect(actions.help, &QAction::triggered, &window, [&window, &models] {
        showHelp(window, models, helpPageOf(dockNameOf(QApplication::focusWidget())));
    });
    QObject::connect(actions.firstSteps, &QAction::triggered, &window,
                     [&window, &models] { showHelp(window, models, QStringLiteral("tutorials")); });
    QObject::connect(actions.shortcuts, &QAction::triggered, &window,
                     [&window] { showShortcuts(window, *window.menuBar()); });
    QObject::connect(actions.about, &QAction::triggered, &window,
                     [&window, &registry] { showAbout(window, registry); });
    QObject::connect(actions.aboutQt, &QAction::triggered, qApp, &QApplication::aboutQt);
}

} // namespace pollard::app
