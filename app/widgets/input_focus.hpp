#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QWidget>

class QKeyEvent;
class QWindow;

namespace pollard::app {

/// Return in a number box, a combo box or a line edit of a panel accepts the value and moves the focus to the image,
/// where letters are shortcuts. Escape discards a number being typed and moves the focus, too. Invalid text keeps the
/// focus. Dialogs and editors of lists are not affected. Letters that follow Return without a pause are probably text
/// for the field, so they are ignored.
class ReturnToImage : public QObject {
    Q_OBJECT

public:
    static constexpr int kPause = 1000; ///< ms after which letters are shortcuts

    /// @param window whose panels are handled, docked or floating
    /// @param image widget that gets the focus; both must outlive this
    ReturnToImage(QWidget& window, QWidget& image, QObject* parent = nullptr);

    /// Marks a field with invalid text.
    static void setWrong(QWidget& field, bool wrong);

signals:
    /// A letter that continues the text of a field was dropped.
    void letterDropped();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isField(const QWidget& widget) const;
    void focusImage();
    /// Handles a letter that continues the text of a field. @return whether it does
    bool ignoresLetter(QKeyEvent& key);

    QWidget& window_;
    QWidget& image_;
    QElapsedTimer typed_; ///< since the last letter or Return of a text
};

/// Lets combo boxes find their entries by the first letter: the focused one gets letters that are shortcuts of the
/// window.
class LetterSearch : public QObject {
public:
    /// @param window whose combo boxes are handled, and that owns this
    explicit LetterSearch(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const QWidget& window_;
};

/// Number boxes, combo boxes, sliders and tab bars react to the wheel only while focused, and the wheel does not focus
/// them. Otherwise it scrolls the area around them.
class WheelFocus : public QObject {
    Q_OBJECT

public:
    /// Filters events of all widgets of the program.
    explicit WheelFocus(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// Returns the focus to a dialog when a window that the dialog blocks gets the focus. On X11 Qt does so only for
/// dialogs that block all windows; other dialogs get no keys after a click on the blocked window.
class ModalFocus : public QObject {
    Q_OBJECT

public:
    explicit ModalFocus(QObject* parent);

private:
    static void onFocus(const QWindow* window);
};

} // namespace pollard::app
