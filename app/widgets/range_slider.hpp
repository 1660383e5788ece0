#pragma once

#include <QAbstractSlider>
#include <QString>
#include <QWidget>

namespace pollard::app {

/// One handle of a RangeSlider: takes the keyboard focus and speaks for itself to assistive programs.
class RangeHandle : public QAbstractSlider {
    Q_OBJECT

public:
    explicit RangeHandle(QWidget* parent);

signals:
    /// A key asked for so many small steps up (negative: down).
    void stepped(int steps);
    void jumpedToStart();
    void jumpedToEnd();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
};

/// A horizontal slider with two handles for an interval. Positions run from 0 to 1; what they mean is the owner's
/// business, and the owner says where the handles stand after it was told of a movement.
class RangeSlider : public QWidget {
    Q_OBJECT

public:
    explicit RangeSlider(QWidget* parent = nullptr);

    /// Moves the handles without emitting anything.
    void setPositions(double lower, double upper);
    [[nodiscard]] double lower() const noexcept { return lower_; }
    [[nodiscard]] double upper() const noexcept { return upper_; }
    /// Names and values for assistive programs.
    void describe(const QString& lowerName, const QString& lowerValue, const QString& upperName,
                  const QString& upperValue);

    [[nodiscard]] RangeHandle* lowerHandle() const noexcept { return lowerHandle_; }
    [[nodiscard]] RangeHandle* upperHandle() const noexcept { return upperHandle_; }
    /// Where the middle of a handle is for a position, in px from the left.
    [[nodiscard]] double pixelOf(double position) const;

    [[nodiscard]] QSize sizeHint() const override { return {200, 30}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {90, 30}; }

signals:
    void lowerMoved(double position);
    void upperMoved(double position);
    /// Keys: so many small steps, whatever a step is for the owner.
    void lowerStepped(int steps);
    void upperStepped(int steps);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    enum class Drag { none, lower, upper, both };

    void placeHandles();
    [[nodiscard]] double positionAt(double pixel) const;

    RangeHandle* lowerHandle_;
    RangeHandle* upperHandle_;
    double lower_ = 0;
    double upper_ = 1;
    Drag drag_ = Drag::none;
    double grip_ = 0;  ///< px between the pointer and what it holds
    double width_ = 0; ///< of the interval while both handles move, as positions
};

} // namespace pollard::app
