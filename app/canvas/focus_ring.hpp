#pragma once

#include <QWidget>

namespace pollard::app {

/// A ring of two colours along the edge of a view of an image while the view has the keyboard focus and the user
/// works with the keyboard. One of the two colours contrasts with any image.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    static constexpr int kOuter = 2; ///< width of the ring in the colour of the selection, logical px
    static constexpr int kInner = 1; ///< width of the ring within it, in the colour of the background

    /// @param view parent
    explicit FocusRing(QWidget& view);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void showFor(const QEvent& event);

    QWidget& view_;
    bool isByKeyboard_ = false;
};

} // namespace pollard::app
