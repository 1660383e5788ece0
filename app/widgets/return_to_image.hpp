#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QWidget>

class QKeyEvent;

namespace pollard::app {

/// Return in a number box, a combo box or a line edit of a panel accepts the value and moves the focus to the image,
/// where letters are shortcuts; Escape does so too and discards a number being typed. Invalid text keeps the focus.
/// Dialogs and editors of lists are not affected. Letters that follow Return without a pause are taken as text that was
/// meant for the field: they do nothing.
class ReturnToImage : public QObject {
    Q_OBJECT

public:
    static constexpr int kPause = 1000; ///< ms after which letters are shortcuts

    /// @param window whose panels are handled, docked or floating
    /// @param image that gets the focus; both must outlive this
    ReturnToImage(QWidget& window, QWidget& picture, QObject* parent = nullptr);

    /// Marks a field with invalid text.
    static void setWrong(QWidget& field, bool wrong);

signals:
    /// A letter that continues the text of a field was dropped.
    void letterDropped();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isField(const QWidget& widget) const;
    void giveBack();
    /// Handles a letter that continues the text of a field. @return whether it does
    bool dropsLetter(QKeyEvent& key);

    QWidget& window_;
    QWidget& picture_;
    QElapsedTimer typed_; ///< since the last letter or Return of a text
};

} // namespace pollard::app
