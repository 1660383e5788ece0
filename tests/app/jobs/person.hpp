#pragma once

#include "app/test_window.hpp"

#include <QPointF>
#include <QString>
#include <QStringList>

class QDockWidget;
class QTableView;

namespace pollard::app {

/// Works in the window with mouse and keyboard, finds controls by the names that they show or that a screen reader
/// says, and reads visible texts only. Names are those of one part of the window: a panel, a dialog or a further
/// window.
class Person {
public:
    explicit Person(TestWindow& test) : test_(test), part_(&test.window) {}

    /// File > Open.
    void open(const QString& path);
    /// Chooses an entry of a menu, after those that lead to it: "View", "Panels", "Objects".
    void menu(const QStringList& entries);
    /// Goes to a panel: by its tab, else by View > Panels.
    void panel(const QString& title);
    /// Goes to a further window or a dialog, waits for it.
    void window(const QString& title);
    /// Gives the next file dialog this path.
    void answer(const QString& path);

    void press(const QString& button);
    /// Presses a button with a menu, and chooses an entry of that.
    void press(const QString& button, const QString& entry);
    void choose(const QString& box, const QString& entry);
    /// Replaces the text of a field and ends with Return.
    void type(const QString& field, const QString& text);
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    /// Moves the pointer to a place of the picture, px.
    void pointAt(QPointF place);
    /// Drags from one place of the picture to another, px.
    void drag(QPointF from, QPointF to);

    /// Waits until a text that contains this is to be read.
    void reads(const QString& words);
    /// The texts of the part, one a line.
    [[nodiscard]] QString texts() const;
    /// The text behind a caption, or of a field with this name.
    [[nodiscard]] QString valueOf(const QString& name);
    [[nodiscard]] bool isEnabled(const QString& name);
    /// The titles of the table of the part, and its rows as they are shown.
    [[nodiscard]] QList<QStringList> table();

private:
    /// The one visible control with this name; a failure and nullptr if there is none within a while.
    [[nodiscard]] QWidget* find(const QString& name);
    [[nodiscard]] QPoint onWindow(QPointF place) const;

    TestWindow& test_;
    QWidget* part_;
};

} // namespace pollard::app
