"""napari's window, used by mouse and keys."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

import napari
from napari.utils.notifications import notification_manager
from qtpy.QtCore import QEvent, QPoint, QPointF, Qt
from qtpy.QtGui import QMouseEvent
from qtpy.QtTest import QTest
from qtpy.QtWidgets import QApplication, QComboBox

from .facts import skip


def action_of(menu, name, *more):
    """The action with these names along menus, as a user finds it."""
    if hasattr(menu, "aboutToShow"):
        menu.aboutToShow.emit()
    action = next(each for each in menu.actions() if each.text().replace("&", "").startswith(name))
    return action_of(action.menu(), *more) if more else action


class Window:
    """A viewer with its menus."""

    def __init__(self):
        self.viewer = napari.Viewer()
        self.application = QApplication.instance()

    def choose(self, *names):
        """Chooses an entry of the menu bar."""
        action_of(self.viewer.window._qt_window.menuBar(), *names).trigger()
        self.application.processEvents()

    def wait_for(self, condition, seconds=60):
        """Handles events until a condition holds."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.application.processEvents()

    def widget(self, name):
        """The widget of the plugin with this name; nothing if it did not open."""
        window = self.viewer.window
        docks = window.dock_widgets if hasattr(window, "dock_widgets") else {  # since napari 0.6
            title: dock.widget() for title, dock in window._dock_widgets.items()}
        return next((each for title, each in docks.items() if title.startswith(name)), None)

    def click(self, button):
        """Clicks a button."""
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button.rect().center())

    def pick(self, box: QComboBox, text):
        """Chooses an entry of a list by the arrow keys."""
        box.setFocus()
        for _ in range(2 * box.count()):
            if box.currentText() == text:
                break
            QTest.keyClick(box, Qt.Key.Key_Down if box.findText(text) > box.currentIndex() else Qt.Key.Key_Up)
        assert box.currentText() == text, (box.currentText(), text)

    def enter(self, edit, text):
        """Types a text in place of the present one, and Enter."""
        edit.setFocus()
        edit.selectAll()
        QTest.keyClicks(edit, text) if text else QTest.keyClick(edit, Qt.Key.Key_Delete)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    def drag(self, slider, handle, to, steps=20):
        """Drags a handle of a range slider to a value. Returns the number of steps."""
        def place(value):
            style = slider.style().pixelMetric(slider.style().PixelMetric.PM_SliderLength, None, slider)
            width = slider.width() - style
            return QPoint(int(style / 2 + width * value / slider.maximum()), slider.height() // 2)
        first = slider.value()[handle]
        button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(slider, button, none, place(first))
        for i in range(1, steps + 1):
            point = QPointF(place(first + (to - first) * i / steps))
            self.application.sendEvent(slider, QMouseEvent(QEvent.Type.MouseMove, point, QPointF(slider.mapToGlobal(
                point.toPoint())), button, button, none))
            self.wait_for(lambda: False, 0.02)
        QTest.mouseRelease(slider, button, none, place(to))

    def finish(self, panel):
        """Waits until a widget of the plugin has done all."""
        self.wait_for(lambda: not panel.is_busy and not (hasattr(panel, "_timer") and panel._timer.isActive()))

    def draw(self, path, width=1600, height=1000):
        """Saves an image of the window."""
        self.viewer.window._qt_window.resize(width, height)
        self.wait_for(lambda: False, 0.5)
        self.viewer.reset_view()
        self.wait_for(lambda: False, 0.5)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.viewer.window.screenshot(str(path), canvas_only=False, flash=False)

    def errors(self):
        """Texts of the notifications of errors, which this forgets."""
        texts = [record.message for record in notification_manager.records if str(record.severity) == "error"]
        notification_manager.records.clear()
        return texts


def with_display():
    """Runs this script on a virtual display, with settings of its own."""
    if shutil.which("xvfb-run") is None:
        skip("no xvfb-run; Debian has xvfb and xauth")
    with tempfile.TemporaryDirectory() as settings:
        environment = os.environ | {"POLLARD_PEERS_DISPLAY": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QPA_PLATFORM": "xcb",
                                    "NAPARI_CONFIG": os.path.join(settings, "napari.yaml"), "XDG_RUNTIME_DIR": settings}
        return subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24 +extension GLX", sys.executable, "-B",
                               *sys.argv], check=False, env=environment).returncode
