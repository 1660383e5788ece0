#pragma once

#include <QObject>
#include <QWidget>

namespace pollard::app {

/// Return in a number box, a combo box or a line edit of a panel accepts the value and moves the focus to the picture,
/// where letters are shortcuts; Escape does so too and discards a number being typed. Invalid text keeps the focus.
/// Dialogs and editors of lists are not affected.
class ReturnToPicture : public QObject {
    Q_OBJECT

public:
    /// @param window whose panels are handled, docked or floating
    /// @param picture that gets the focus; both must outlive this
    ReturnToPicture(QWidget& window, QWidget& picture, QObject* parent = nullptr);

    /// Marks a field with invalid text.
    static void setWrong(QWidget& field, bool wrong);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isField(const QWidget& widget) const;
    void giveBack();

    QWidget& window_;
    QWidget& picture_;
};

} // namespace pollard::app
