#pragma once

#include <QObject>
#include <QWidget>

namespace pollard::app {

/// Return in a number box, a choice or a line of text of a panel takes the typed value and gives the keys back to the
/// picture, where letters are commands; Escape does so too, and a number that is being typed is dropped. A text that
/// is wrong keeps the keys. Dialogs, and fields of lists, are left alone.
class ReturnToPicture : public QObject {
    Q_OBJECT

public:
    /// @param window whose panels are meant, docked or floating
    /// @param picture that gets the keys; both must outlive this
    ReturnToPicture(QWidget& window, QWidget& picture, QObject* parent = nullptr);

    /// Marks a field whose text its panel cannot use.
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
