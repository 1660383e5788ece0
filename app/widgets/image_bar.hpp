#pragma once

#include <QFrame>
#include <QString>

#include <functional>

class QHBoxLayout;
class QPushButton;

namespace pollard::app {

class ElidedLabel;

/// A line of text with buttons over the image, visible while it has a text. Every button, and Escape, returns the
/// focus to the image.
class ImageBar : public QFrame {
    Q_OBJECT

public:
    /// @param objectName of the bar; the label's name has "Text" appended
    /// @param name accessible name @param image parent, which gets the focus when the bar disappears
    ImageBar(const char* objectName, const QString& name, QWidget& image);

    QPushButton* addButton(const char* objectName, const QString& text, const QString& name, const QString& toolTip,
                           const std::function<void()>& action);
    /// The last button, which Escape presses, too.
    void addClose(const char* objectName, const QString& toolTip, std::function<void()> action);
    /// An empty text hides the bar. Emits changed().
    void showText(const QString& text);
    /// Moves the bar to the top of the image, @p top px below its edge. @returns the space up to its lower edge
    int place(int top);

signals:
    /// Visibility, text or buttons have changed.
    void changed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget& image_;
    QHBoxLayout* row_;
    ElidedLabel* text_;
    std::function<void()> close_;
};

} // namespace pollard::app
