#include "window/panel_dock.hpp"

#include "shell/notices.hpp"
#include "widgets/panel_parts.hpp"

#include <QAction>
#include <QApplication>
#include <QByteArray>
#include <QDataStream>
#include <QDockWidget>
#include <QMainWindow>
#include <QStatusBar>
#include <QString>
#include <QToolBar>

#include <algorithm>
#include <optional>

namespace pollard::app {
namespace {

/// The widget of a part that had the focus last, else the first in tab order; null if no widget takes the focus.
QWidget* focusOf(QWidget& part) {
    const auto takesFocus = [&part](const QWidget* widget) {
        return widget->isVisibleTo(&part) && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    if (QWidget* last = part.focusWidget(); last != nullptr && takesFocus(last)) {
        return last;
    }
    for (QWidget* next = part.nextInFocusChain(); next != &part; next = next->nextInFocusChain()) {
        if (part.isAncestorOf(next) && takesFocus(next)) {
            return next;
        }
    }
    return nullptr;
}

/// The visible parts of a window in the order of F6.
QList<QWidget*> partsOf(QMainWindow& window) {
    QList<QWidget*> parts;
    for (QToolBar* bar : window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        parts << bar;
    }
    parts << window.centralWidget()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
    for (QDockWidget* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        parts << dock;
    }
    parts << window.statusBar();
    parts.removeIf([](const QWidget* part) {
        const auto* dock = qobject_cast<const QDockWidget*>(part);
        return !part->isVisible() || (dock != nullptr && !isSeen(*dock->widget()));
    });
    return parts;
}

QString partName(const QWidget& part) {
    return part.windowTitle().isEmpty() ? part.accessibleName() : part.windowTitle();
}

/// Reads the docks and tool bars in the data of QMainWindow::saveState() of Qt 5 and 6. Qt itself trusts the counts; it
/// works for minutes if a count is wrong.
class DockStateCheck {
public:
    explicit DockStateCheck(const QByteArray& state) : stream_(state) { stream_.setVersion(QDataStream::Qt_5_0); }

    [[nodiscard]] bool passes() {
        if (read<qint32>() != kStart || read<qint32>() != 0 || read<quint8>() != kDocks) {
            return false;
        }
        const auto areas = read<qint32>();
        bool sound = areas >= 0 && areas <= kMostAreas;
        for (qint32 i = 0; sound && i < areas; ++i) {
            const auto area = read<qint32>();
            sound = area >= 0 && area < kMostAreas && isSizeRead() && isSizeRead() && isGroupRead(0);
        }
        return sound && isCentreRead() && areToolBarsRead() && stream_.status() == QDataStream::Ok;
    }

private:
    static constexpr qint32 kStart = 0xff;
    static constexpr quint8 kDocks = 0xfd;
    static constexpr quint8 kTabs = 0xfa;
    static constexpr quint8 kDock = 0xfb;
    static constexpr quint8 kGroup = 0xfc;
    static constexpr quint8 kToolBars = 0xfe;
    static constexpr quint8 kToolBarsWithGeometry = 0xfc;
    static constexpr qint32 kMostAreas = 4;
    static constexpr qint32 kMostItems = 100; ///< in a group
    static constexpr int kMostNested = 20;

    template <class T> T read() {
        T value{};
        stream_ >> value;
        return value;
    }
    bool isSizeRead() {
        const auto size = read<qint32>();
        return size >= -QWIDGETSIZE_MAX && size <= kMostItems * QWIDGETSIZE_MAX; // of a group: the sum
    }
    bool isCentreRead() {
        const bool sizes = isSizeRead() && isSizeRead();
        for (qint32 corner = 0; corner < kMostAreas; ++corner) {
            read<qint32>(); // its area
        }
        return sizes;
    }
    /// A number of lines, areas or items. @param most allowed
    std::optional<qint32> countRead(qint32 most) {
        const auto count = read<qint32>();
        return count >= 0 && count <= most ? std::optional(count) : std::nullopt;
    }
    bool areToolBarsRead() {
        const auto kind = read<quint8>();
        const auto lines = countRead(kMostItems);
        bool sound = (kind == kToolBars || kind == kToolBarsWithGeometry) && lines;
        for (qint32 line = 0; sound && line < *lines; ++line) {
            const auto area = countRead(kMostAreas - 1);
            const auto items = countRead(kMostItems);
            sound = area && items;
            for (qint32 i = 0; sound && i < *items; ++i) {
                read<QString>();
                read<quint8>(); // hidden
                sound = isSizeRead() && isSizeRead();
                read<quint32>();
                if (kind == kToolBarsWithGeometry) {
                    read<quint32>();
                }
            }
        }
        return sound;
    }
    bool isGroupRead(int nested) {
        const auto kind = read<quint8>();
        const qint32 front = kind == kTabs ? read<qint32>() : -1;
        const auto orientation = read<quint8>();
        const auto items = read<qint32>();
        bool sound = (kind == kTabs || kind == kGroup) &&
                     (orientation == Qt::Horizontal || orientation == Qt::Vertical) && items >= 0 &&
                     items <= kMostItems && front >= -1 && front < items && nested < kMostNested;
        for (qint32 i = 0; sound && i < items && stream_.status() == QDataStream::Ok; ++i) {
            sound = isItemRead(nested);
        }
        return sound;
    }
    bool isItemRead(int nested) {
        const auto kind = read<quint8>();
        if (kind == kDock) {
            read<QString>();
            read<quint8>(); // hidden or floating
        }
        const bool sizes = isSizeRead() && isSizeRead() && isSizeRead() && isSizeRead();
        return sizes && (kind == kDock || (kind == kGroup && isGroupRead(nested + 1)));
    }

    QDataStream stream_;
};

} // namespace

bool restoreDocks(QMainWindow& window, const QByteArray& state) {
    return DockStateCheck(state).passes() && window.restoreState(state);
}

void showPanel(QMainWindow& window, const QString& name) {
    if (auto* dock = window.findChild<QDockWidget*>(name + QStringLiteral("Dock"))) {
        dock->show();
        dock->raise();
    }
}

void raiseWhenAsked(QDockWidget& dock) {
    QAction* entry = dock.toggleViewAction();
    QObject::disconnect(entry, &QAction::triggered, &dock,
                        nullptr); // Qt's slot hides open docks even if they are behind another tab
    QObject::connect(entry, &QAction::triggered, &dock, [&dock, entry](bool shown) {
        if (!shown && isSeen(dock)) {
            dock.close();
        } else {
            bringForward(dock);
            entry->setChecked(true);
        }
    });
}

void bringForward(QDockWidget& dock) {
    dock.show();
    dock.raise();
    if (dock.isFloating()) {
        dock.activateWindow();
    }
    QWidget* focus = focusOf(*dock.widget());
    (focus != nullptr ? focus : dock.widget())->setFocus(Qt::OtherFocusReason);
}

void focusPart(QMainWindow& window, int step) {
    const QList<QWidget*> parts = partsOf(window);
    const QWidget* focused = QApplication::focusWidget();
    const auto here = std::find_if(parts.begin(), parts.end(), [focused](const QWidget* part) {
        return focused != nullptr && (part == focused || part->isAncestorOf(focused));
    });
    const qsizetype count = parts.size();
    qsizetype place = here != parts.end() ? here - parts.begin() : step > 0 ? -1 : 0;
    for (qsizetype tried = 0; tried < count; ++tried) {
        place = (place + step + count) % count;
        auto* dock = qobject_cast<QDockWidget*>(parts[place]);
        if (QWidget* focus = focusOf(dock != nullptr ? *dock->widget() : *parts[place])) {
            focus->window()->activateWindow();                         // of a floating panel
            focus->window()->setAttribute(Qt::WA_KeyboardFocusChange); // like Tab, so that controls show the focus
            focus->setFocus(Qt::TabFocusReason);
            showNotice(window, partName(*parts[place]));
            return;
        }
    }
}

QDockWidget* dockOf(const QAction& action) {
    auto* dock = qobject_cast<QDockWidget*>(action.parent());
    return dock != nullptr && dock->toggleViewAction() == &action ? dock : nullptr;
}

} // namespace pollard::app
