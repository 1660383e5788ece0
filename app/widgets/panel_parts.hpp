#pragma once

#include <QLabel>
#include <QString>
#include <QWidget>

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

/// One line of text that is elided in the middle if space is missing; the tooltip has the full text. Its size does not
/// depend on the text, so that another text needs a repaint but no layout.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);
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
};

/// A thin line between groups.
class Divider : public QWidget {
    Q_OBJECT

public:
    explicit Divider(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Sets accessible name, tooltip and What's This of a control.
void explain(QWidget* widget, const QString& name, const QString& toolTip);

} // namespace pollard::app
