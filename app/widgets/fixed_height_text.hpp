#pragma once

#include <QEvent>
#include <QLabel>

namespace pollard::app {

/// A label that keeps the size of its widest text, and at least its minimum size, so that a new text needs a repaint
/// but no layout.
template <class Label> class Steady : public Label {
public:
    using Label::Label;

    void showText(const QString& text) {
        if (text != this->text()) {
            this->setText(text);
            keepRoom();
        }
    }

protected:
    void changeEvent(QEvent* event) override {
        Label::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
            keepRoom();
        }
    }

private:
    void keepRoom() {
        const QSize room = this->sizeHint().expandedTo(this->minimumSize());
        if (room != this->minimumSize() || room != this->maximumSize()) {
            this->setFixedSize(room);
        }
    }
};

/// A label of several lines that keeps the height of its longest text as long as its width is constant.
class FixedHeightLabel : public QWidget {
    Q_OBJECT

public:
    /// @param lines minimum
    explicit FixedHeightLabel(int lines, QWidget* parent = nullptr);
    [[nodiscard]] QLabel& label() noexcept { return *label_; }
    void showText(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void keepRoom();

    QLabel* label_;
    int lines_;
};

} // namespace pollard::app
