#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QString>
#include <QWidget>

class QComboBox;

namespace pollard::app {

/// Space between the edge of a panel and its content, and between its rows, in px.
inline constexpr int kPanelMargin = 12;
inline constexpr int kPanelSpacing = 8;

/// Heading of a group of controls.
class SectionLabel : public QLabel {
    Q_OBJECT

public:
    explicit SectionLabel(const QString& text, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();
};

/// Name of a value, in the colour of secondary text.
class CaptionLabel : public QLabel {
    Q_OBJECT

public:
    explicit CaptionLabel(const QString& text = {}, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();
};

/// The caption of a control, with its shortcut.
[[nodiscard]] CaptionLabel* captionFor(QWidget* control, const QString& text);

/// One line of text that is elided in the middle if space is missing; the tooltip has the full text. Its size does not
/// depend on the text, so that another text needs a repaint but no layout.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    /// @param mode the end of a sentence gives way, the middle of a file name
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);
    /// Sets the text, the tooltip and the accessible name.
    void setFullText(const QString& text);
    /// Sets only the text.
    void showText(const QString& text);
    [[nodiscard]] const QString& fullText() const noexcept { return full_; }
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    using QLabel::setText; // triggers a layout and a second paint
    using QLabel::text;
    QString full_;
    Qt::TextElideMode mode_;
};

/// A thin line between groups.
class Divider : public QWidget {
    Q_OBJECT

public:
    explicit Divider(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Scrolls its content down but not sideways: its width always has room for the content and the scroll bar.
class ScrolledControls : public QScrollArea {
    Q_OBJECT

public:
    /// @param width px, minimum, of a column that does not grow; 0: takes the width of its place
    explicit ScrolledControls(QWidget* content, int width = 0, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    int width_;
};

/// Controls beside the content of a panel, or one above the other. Then the controls have the height that they need, at
/// most half of it, until the border is dragged.
class ControlsAndContent : public QSplitter {
    Q_OBJECT

public:
    enum class Upper { controls, content };

    /// @param width px, minimum, of the controls
    /// @param upper the upper part if they are one above the other
    ControlsAndContent(QWidget* controls, int width, QWidget* content, Upper upper, QWidget* parent = nullptr);
    void setTall(bool tall);

protected:
    bool event(QEvent* event) override;

private:
    QWidget* controls_;
    Upper upper_;
    bool isSetByHand_ = false;
};

/// Lets a choice be shorter than its texts, so that they do not widen the panel.
void shorten(QComboBox& choice);

/// Whether a part of a widget is on the screen: docks in tabs behind are moved off the window, not hidden.
[[nodiscard]] bool isSeen(const QWidget& widget);

/// Sets accessible name, tooltip and What's This of a control.
void explain(QWidget* widget, const QString& name, const QString& toolTip);

} // namespace pollard::app
