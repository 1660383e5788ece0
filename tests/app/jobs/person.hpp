#pragma once

#include "app/test_window.hpp"

#include <QPointF>
#include <QString>
#include <QStringList>

namespace pollard::app {

/// Simulates a user with mouse and keyboard: finds controls by visible or accessible names, and reads only visible
/// texts. Names refer to one part of the window: a panel, a dialog or a further window.
class Person {
public:
    explicit Person(TestWindow& test) : test_(test), part_(&test.window) {}

    /// Ends the test if anything failed, because later steps would wait in vain. Each step that waits begins with this
    /// call. Not for slots, because an exception must not cross Qt's event loop.
    static void endIfFailed();

    /// File > Open. @param keep answers the question about the work on the image before
    void open(const QString& path, bool keep = false);
    /// Answers the question about unsaved work: keep it for next time.
    void keepWork();
    /// Selects a menu entry by its path: "View", "Panels", "Objects".
    void menu(const QStringList& entries);
    /// Switches to a panel: by its tab, else by View > Panels.
    void panel(const QString& title);
    /// Switches to a further window or a dialog, after waiting for it.
    void window(const QString& title);
    /// Accepts the next file dialog with this path.
    void answer(const QString& path);
    /// Clicks this button of the next other dialog that waits for an answer.
    void confirm(const QString& button);

    void press(const QString& button);
    /// Presses a button with a menu, and selects an entry of the menu.
    void press(const QString& button, const QString& entry);
    void choose(const QString& box, const QString& entry);
    /// Replaces the text of a field and presses Return.
    void type(const QString& field, const QString& text);
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    /// Moves the pointer to a position in the image, px.
    void pointAt(QPointF place);
    /// Drags between two positions in the image, px.
    void drag(QPointF from, QPointF to);
    /// Drags around this share of the middle of a chart.
    void enclose(const QString& chart, double share);

    /// Waits until a visible text contains @p words.
    void reads(const QString& words);
    /// The texts of the part, one per line.
    [[nodiscard]] QString texts() const;
    /// The text after a caption, or of a field with this name.
    [[nodiscard]] QString valueOf(const QString& name);
    [[nodiscard]] bool isEnabled(const QString& name);
    /// Mouse clicks up to now; the choice of a list counts as two, as with the mouse, a drag as one.
    [[nodiscard]] int clicks() const noexcept { return clicks_; }
    /// The titles of the part's table, and its rows as displayed.
    [[nodiscard]] QList<QStringList> table();

private:
    /// The visible control with this name; a failure and nullptr if none appears before a timeout.
    [[nodiscard]] QWidget* find(const QString& name);
    [[nodiscard]] QPoint onWindow(QPointF place) const;

    TestWindow& test_;
    QWidget* part_;
    int clicks_ = 0;
};

} // namespace pollard::app
