#include "window/workspaces.hpp"

#include "theme/icons.hpp"
#include "vm/settings/settings_view_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/panel_dock.hpp"
#include "window/panels.hpp"

#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <iterator>

namespace pollard::app {
namespace {

constexpr int kMostPanels = 6;
constexpr int kIconSide = 20;      ///< px
constexpr int kHeightForTwo = 800; ///< px, of a window with two panels one above the other

/// A row of the table of workspaces.
struct Workspace {
    const char* name;
    const char* title; ///< context "Workspaces"
    const char* toolTip;
    const char* icon;
    int width;                        ///< px, of the panels at the right
    const char* upper[kMostPanels];   ///< panels at the right, as tabs; the first one is in front
    const char* lower[kMostPanels]{}; ///< below them
    int lowerShare = 40;              ///< % of the height
};

constexpr Workspace kWorkspaces[] = {
    {"filter",
     QT_TRANSLATE_NOOP("Workspaces", "Filter"),
     QT_TRANSLATE_NOOP("Workspaces", "Filter the image by attributes of its components"),
     "filter",
     345,
     {"filter"}},
    {"objects",
     QT_TRANSLATE_NOOP("Workspaces", "Objects"),
     QT_TRANSLATE_NOOP("Workspaces", "Count and measure objects, follow them over the pages"),
     "measure",
     380,
     {"objects"}},
    {"contour",
     QT_TRANSLATE_NOOP("Workspaces", "Contour"),
     QT_TRANSLATE_NOOP("Workspaces", "Outline an object with a region snake"),
     "contour",
     396,
     {"contour"}},
    {"explore",
     QT_TRANSLATE_NOOP("Workspaces", "Explore"),
     QT_TRANSLATE_NOOP("Workspaces", "Look into the tree: component, chain, attribute plane, selection"),
     "scatter",
     380,
     {"plane", "icicle", "chain"},
     {"component", "selection"}},
    {"compare",
     QT_TRANSLATE_NOOP("Workspaces", "Compare"),
     QT_TRANSLATE_NOOP("Workspaces", "Compare the result with the original, the rules, and a series of filters"),
     "split",
     345,
     {"display", "filter"},
     {"rules", "profile", "spectrum"},
     50},
    {"volume",
     QT_TRANSLATE_NOOP("Workspaces", "Volume"),
     QT_TRANSLATE_NOOP("Workspaces", "See a volume from three sides and in space"),
     "orthogonal",
     300,
     {"rendering", "filter"}},
};

/// Panels that have a button in the bar and open at the left of the image in every workspace.
struct SidePanel {
    const char* name;
    const char* icon;
};
constexpr SidePanel kSidePanels[] = {{"image", "image"}, {"display", "contrast"}, {"region", "region_rectangle"}};

QString workspacesText(const char* source) { return QCoreApplication::translate("Workspaces", source); }

QDockWidget* dockNamed(const QMainWindow& window, const QString& panel) {
    return window.findChild<QDockWidget*>(panel + QStringLiteral("Dock"));
}

const Workspace& workspaceNamed(const QString& name) {
    const auto* found = std::find_if(std::begin(kWorkspaces), std::end(kWorkspaces),
                                     [&name](const Workspace& each) { return name == QLatin1String(each.name); });
    return found != std::end(kWorkspaces) ? *found : kWorkspaces[0];
}

/// Hides the names if the window is too low for them.
class WorkspaceBar : public QToolBar {
public:
    using QToolBar::QToolBar;

protected:
    void resizeEvent(QResizeEvent* event) override {
        QToolBar::resizeEvent(event);
        if (toolButtonStyle() == Qt::ToolButtonTextUnderIcon) {
            named_ = sizeHint().height();
        }
        setToolButtonStyle(height() < named_ ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
    }

private:
    int named_ = 0; ///< px, height with names
};

bool has(const Workspace& workspace, const QString& panel) {
    const auto lists = [&panel](const char* name) { return name != nullptr && panel == QLatin1String(name); };
    return std::any_of(std::begin(workspace.upper), std::end(workspace.upper), lists) ||
           std::any_of(std::begin(workspace.lower), std::end(workspace.lower), lists);
}

/// The panel that a workspace is for.
QDockWidget& mainPanel(const QMainWindow& window, const Workspace& workspace) {
    return *dockNamed(window, QLatin1String(workspace.upper[0]));
}

/// Whether one of the upper panels of a workspace is open.
bool hasUpperPanel(const QMainWindow& window, const Workspace& workspace) {
    return std::any_of(std::begin(workspace.upper), std::end(workspace.upper), [&window](const char* panel) {
        return panel != nullptr && !dockNamed(window, QLatin1String(panel))->isHidden();
    });
}

} // namespace

Workspaces::Workspaces(QMainWindow& window, vm::SettingsViewModel& settings)
    : QObject(&window), window_(window), settings_(settings), actions_(new QActionGroup(this)),
      reset_(new QAction(tr("&Reset this workspace"), this)), current_(QLatin1String(kWorkspaces[0].name)) {
    makeActions();
    makeBar();
}

QStringList Workspaces::names() {
    QStringList names;
    for (const Workspace& each : kWorkspaces) {
        names << QLatin1String(each.name);
    }
    return names;
}

void Workspaces::makeActions() {
    int number = 1;
    for (const Workspace& each : kWorkspaces) {
        auto* action = new QAction(themedIcon(QLatin1String(each.icon)), workspacesText(each.title), actions_);
        action->setObjectName(QStringLiteral("workspace-") + QLatin1String(each.name));
        action->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        action->setToolTip(workspacesText(each.toolTip));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, name = QLatin1String(each.name)] { show(name); });
    }
    reset_->setObjectName(QStringLiteral("resetWorkspace"));
    reset_->setToolTip(tr("Place the panels of this workspace as they were at first"));
    connect(reset_, &QAction::triggered, this, &Workspaces::reset);
}

void Workspaces::makeBar() {
    auto* bar = new WorkspaceBar(tr("Workspaces"), &window_);
    bar->setObjectName(QStringLiteral("workspaceBar"));
    bar->setMovable(false);
    bar->setIconSize({kIconSide, kIconSide});
    bar->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->addActions(actions_->actions());
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    bar->addWidget(space);
    for (const SidePanel& each : kSidePanels) {
        QAction* action = dockNamed(window_, QLatin1String(each.name))->toggleViewAction();
        action->setIcon(themedIcon(QLatin1String(each.icon)));
        bar->addAction(action);
    }
    for (QAction* action : bar->actions()) {
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action))) {
            button->setFocusPolicy(Qt::TabFocus);
            button->setAccessibleName(action->text());
            button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        }
    }
    window_.addToolBar(Qt::LeftToolBarArea, bar);
}

void Workspaces::show(const QString& name) {
    if (name != current_) {
        store();
        current_ = QLatin1String(workspaceNamed(name).name);
        place();
    } else if (QDockWidget& main = mainPanel(window_, workspaceNamed(current_)); !isSeen(main)) {
        main.show();
        main.raise();
    }
}

void Workspaces::showWorkspaceOf(const QString& panel) {
    const QDockWidget* dock = dockNamed(window_, panel);
    if (dock == nullptr || isSeen(*dock) || has(workspaceNamed(current_), panel)) {
        return;
    }
    for (const Workspace& each : kWorkspaces) {
        if (has(each, panel)) {
            show(QLatin1String(each.name));
            return;
        }
    }
}

void Workspaces::reset() {
    settings_.setArrangement(current_, {});
    arrange();
}

void Workspaces::restore() {
    current_ = QLatin1String(workspaceNamed(settings_.workspace()).name);
    place();
}

void Workspaces::place() {
    const QByteArray arrangement = settings_.arrangement(current_);
    if (!restoreDocks(window_, arrangement)) {
        if (!arrangement.isEmpty()) {
            settings_.setArrangementAside(current_);
            emit setAside(workspacesText(workspaceNamed(current_).title));
        }
        arrange();
    } else if (!hasUpperPanel(window_, workspaceNamed(current_))) {
        mainPanel(window_, workspaceNamed(current_)).show();
    }
    markCurrent();
}

void Workspaces::markCurrent() {
    window_.findChild<QToolBar*>(QStringLiteral("workspaceBar"))->show(); // states of earlier versions do not have it
    for (QAction* action : actions_->actions()) {
        action->setChecked(action->objectName() == QStringLiteral("workspace-") + current_);
    }
    emit shown(current_);
}

QString Workspaces::toText() const { return current_ + u':' + QString::fromLatin1(window_.saveState().toBase64()); }

void Workspaces::take(const QString& text) {
    const qsizetype colon = text.indexOf(u':');
    if (const QString name = text.left(std::max(colon, qsizetype{0})); names().contains(name)) {
        show(name);
    }
    restoreDocks(window_, QByteArray::fromBase64(text.mid(colon + 1).toLatin1()));
    markCurrent();
}

void Workspaces::store() {
    settings_.setArrangement(current_, window_.saveState());
    settings_.setWorkspace(current_);
}

void Workspaces::arrange() {
    const Workspace& workspace = workspaceNamed(current_);
    closePanels(window_);
    QList<QDockWidget*> columns;
    QDockWidget* first = nullptr;
    const auto addTabs = [&](const char* const(&names)[kMostPanels]) {
        for (const char* name : names) {
            if (name == nullptr) {
                break;
            }
            QDockWidget* dock = dockNamed(window_, QLatin1String(name));
            window_.addDockWidget(Qt::RightDockWidgetArea, dock, Qt::Vertical);
            dock->show();
            if (first != nullptr) {
                window_.tabifyDockWidget(first, dock);
            } else {
                first = dock;
            }
        }
    };
    addTabs(workspace.upper);
    columns << first;
    if (workspace.lower[0] != nullptr) {
        if (window_.height() >= kHeightForTwo) {
            first->raise();
            first = nullptr;
        }
        addTabs(workspace.lower);
        if (first != columns.front()) {
            columns << first;
        }
    }
    first->raise();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // the panels that are closed need no space
    QList<int> widths(columns.size(), std::min(workspace.width, window_.width() / 2));
    window_.resizeDocks(columns, widths, Qt::Horizontal);
    if (columns.size() > 1) {
        window_.resizeDocks(columns, {100 - workspace.lowerShare, workspace.lowerShare}, Qt::Vertical);
    }
}

} // namespace pollard::app
