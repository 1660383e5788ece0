#include "window/window_look.hpp"

#include "shell/notices.hpp"
#include "vm/settings/settings_view_model.hpp"
#include "widgets/panel_parts.hpp"
#include "window/workspaces.hpp"

#include <QDataStream>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QLayout>
#include <QMainWindow>
#include <QRect>
#include <QScreen>
#include <QStandardPaths>
#include <QWidget>

#include <utility>

namespace pollard::app {
namespace {

constexpr QSize kFirstSize(1360, 860); ///< without a stored size
constexpr int kPlacedTime = 300;       ///< ms, after which a place is no step on the way to another state
constexpr Qt::WindowStates kLargeStates = Qt::WindowMaximized | Qt::WindowFullScreen;

/// Whether the data of QWidget::saveGeometry() is complete. Qt itself reads missing data as 0.
bool isWhole(const QByteArray& geometry) {
    constexpr quint32 kMagic = 0x1D9D0CB;
    constexpr quint16 kVersion = 3; // of Qt 5.4 to 6
    QDataStream stream(geometry);
    stream.setVersion(QDataStream::Qt_4_0);
    quint32 magic = 0;
    quint16 version = 0;
    quint16 minor = 0;
    QRect frame;
    QRect normal;
    QRect present;
    qint32 screen = 0;
    quint8 maximised = 0;
    quint8 fullScreen = 0;
    qint32 screenWidth = 0;
    stream >> magic >> version >> minor >> frame >> normal >> screen >> maximised >> fullScreen >> screenWidth >>
        present;
    return stream.status() == QDataStream::Ok && magic == kMagic && version == kVersion && normal.isValid();
}

} // namespace

WindowLook::WindowLook(QMainWindow& window, Workspaces& workspaces, vm::SettingsViewModel& settings,
                       ErrorPresenter& errors)
    : QObject(&window), window_(window), workspaces_(workspaces), settings_(settings), errors_(errors) {
    placed_.setSingleShot(true);
    placed_.setInterval(kPlacedTime);
    connect(&placed_, &QTimer::timeout, this, &WindowLook::keepNormalPlace);
    connect(&workspaces_, &Workspaces::setAside, this, [this](const QString& workspace) {
        tell(tr("The settings are damaged: the places of the panels in the workspace %1 were set aside.")
                 .arg(workspace));
    });
    // The layout never resizes the window: while panels are moved, they need more space than in their places, and the
    // window would keep the size.
    window.layout()->setSizeConstraint(QLayout::SetNoConstraint);
    arranged_.setSingleShot(true);
    arranged_.setInterval(0);
    connect(&arranged_, &QTimer::timeout, this, &WindowLook::boundSize);
    window.installEventFilter(this);
}

void WindowLook::boundSize() {
    window_.setMinimumSize(window_.layout()->totalMinimumSize().boundedTo(largestSize(window_)));
}

void WindowLook::restore() {
    const bool isPlaced = restorePlace();
    const Qt::WindowStates states = settings_.windowStates() | (window_.windowState() & kLargeStates);
    // Qt keeps a second list of the panels for a window that is maximised and hidden, and the list is dangling when
    // the window is shown. So the state comes last.
    window_.setWindowState(Qt::WindowNoState);
    const QSize largest = largestSize(window_);
    const bool fillsScreen = window_.width() >= largest.width() && window_.height() >= largest.height();
    if (!isPlaced || (states != Qt::WindowNoState && fillsScreen)) {
        resizeOnScreen(window_, kFirstSize);
    } else {
        window_.resize(window_.size().boundedTo(window_.screen()->availableSize()));
    }
    normalPlace_ = window_.saveGeometry();
    workspaces_.restore();
    holdFloatingPanels();
    window_.setWindowState(states);
}

void WindowLook::holdFloatingPanels() {
    for (QWidget* panel : window_.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (panel->isWindow() && panel->isVisible()) {
            panel->hide();
            floating_ << panel;
        }
    }
}

void WindowLook::showFloatingPanels() {
    for (const QPointer<QWidget>& panel : std::exchange(floating_, {})) {
        if (panel) {
            panel->show();
        }
    }
}

bool WindowLook::restorePlace() {
    const QByteArray place = settings_.windowGeometry();
    if (!place.isEmpty() && !isWhole(place)) {
        settings_.setPlaceAside();
        tell(tr("The settings are damaged: the place of the window was set aside."));
        return false;
    }
    return window_.restoreGeometry(place);
}

void WindowLook::store() {
    if (isNormal()) { // not larger than the screen
        const QSize frame = window_.frameGeometry().size() - window_.size();
        window_.resize(window_.size().boundedTo(window_.screen()->availableSize() - frame));
    }
    keepNormalPlace();
    settings_.setWindowGeometry(normalPlace_);
    settings_.setWindowStates(window_.windowState() & kLargeStates);
    workspaces_.store();
}

bool WindowLook::isNormal() const { return (window_.windowState() & (kLargeStates | Qt::WindowMinimized)) == 0; }

void WindowLook::keepNormalPlace() {
    if (isNormal()) {
        normalPlace_ = window_.saveGeometry();
    }
}

bool WindowLook::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && (event->type() == QEvent::Move || event->type() == QEvent::Resize ||
                                event->type() == QEvent::WindowStateChange)) {
        placed_.start(); // only the place after the last change counts
    } else if (watched == &window_ && event->type() == QEvent::LayoutRequest) {
        arranged_.start(); // only the sizes after all changes count
    } else if (watched == &window_ && event->type() == QEvent::Show) {
        QMetaObject::invokeMethod(this, &WindowLook::showFloatingPanels, Qt::QueuedConnection);
    }
    return false;
}

void WindowLook::reportFailedStart() {
    tell(tr("The last start failed: the places of the window and its panels were set aside."));
}

void WindowLook::reportDamagedFile(const QString& copy) {
    tell(tr("The settings file is damaged and was set aside as %1.").arg(QDir::toNativeSeparators(copy)));
}

void WindowLook::tell(const QString& sentence) {
    messages_ << sentence;
    if (messages_.size() > 1) {
        return;
    }
    QMetaObject::invokeMethod(
        this,
        [this] { errors_.present(&window_, tr("Settings of the window"), std::exchange(messages_, {}).join(u'\n')); },
        Qt::QueuedConnection);
}

StartMark::StartMark(const QString& path, QObject* parent) : QObject(parent), file_(path) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    file_.setStaleLockTime(0); // only the end of its process makes a mark stale
    const bool isLeft = QFile::exists(path);
    lastFailed_ = file_.tryLock(0) && isLeft;
}

QString StartMark::standardPath() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/Pollard/pollard.starting");
}

void StartMark::endWith(QWidget& window) { window.installEventFilter(this); }

bool StartMark::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Paint || event->type() == QEvent::Close) {
        watched->removeEventFilter(this);
        // After this event: painting and the layout before it may be the failure.
        QMetaObject::invokeMethod(
            this, [this] { file_.unlock(); }, Qt::QueuedConnection);
    }
    return false;
}

} // namespace pollard::app
