#include "window/panel_dock.hpp"

#include "widgets/panel_parts.hpp"

#include <QAction>
#include <QByteArray>
#include <QDataStream>
#include <QDockWidget>
#include <QMainWindow>
#include <QString>

#include <optional>

namespace pollard::app {
namespace {

/// The last focused widget of a dock, else its first in tab order.
QWidget* focusOf(QDockWidget& dock) {
    QWidget* panel = dock.widget();
    const auto takesFocus = [&dock](const QWidget* widget) {
        return widget->isVisibleTo(&dock) && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    if (QWidget* last = panel->focusWidget(); last != nullptr && takesFocus(last)) {
        return last;
    }
    for (QWidget* next = panel->nextInFocusChain(); next != panel; next = next->nextInFocusChain()) {
        if (panel->isAncestorOf(next) && takesFocus(next)) {
            return next;
        }
    }
    return panel;
}

/// Reads the docks and tool bars in the data of QMainWindow::saveState(), of Qt 5 and 6. Qt itself trusts the counts,
/// and a wrong one takes minutes.
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
    focusOf(dock)->setFocus(Qt::OtherFocusReason);
}

QDockWidget* dockOf(const QAction& action) {
    auto* dock = qobject_cast<QDockWidget*>(action.parent());
    return dock != nullptr && dock->toggleViewAction() == &action ? dock : nullptr;
}

} // namespace pollard::app
