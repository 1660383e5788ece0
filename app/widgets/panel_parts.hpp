#pragma once

#include <QEvent>
#include <QLabel>
#include <QList>
#include <QPushButton>
#include <QScrollArea>
#include <QSize>
#include <QSplitter>
#include <QStatusBar>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <utility>
#include <vector>

class QAction;
class QComboBox;
class QGridLayout;
class QVBoxLayout;

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
    void applyStyle();
};

/// Name of a value, in the colour of secondary text.
class CaptionLabel : public QLabel {
    Q_OBJECT

public:
    explicit CaptionLabel(const QString& text = {}, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyStyle();
};

/// The caption of a control, with its shortcut.
[[nodiscard]] CaptionLabel* captionFor(QWidget* control, const QString& text);

/// One line of text that is elided if space is missing; the tooltip has the full text. Its size does not depend on the
/// text, so that another text needs a repaint but no layout.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    /// @param mode Qt::ElideRight for sentences, Qt::ElideMiddle for file names
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

/// Controls beside or above the content of a panel. Above it, the controls have the height that they need, at most half
/// of the panel, until a person drags the border.
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

/// Offers the neighbours of a pixel or a voxel, the most first, as values of Connectivity.
void offerNeighbours(QComboBox& choice, bool isVolume);

/// Allows a choice to be narrower than its texts, so that long texts do not widen the panel.
void shorten(QComboBox& choice);

/// Whether a part of a widget is on the screen. QWidget::isVisible() is also true for docks in a tab behind another
/// one, which are moved out of the window.
[[nodiscard]] bool isSeen(const QWidget& widget);

/// Sets accessible name, tooltip and What's This of a control.
void explain(QWidget* widget, const QString& name, const QString& toolTip);
/// Sets the object name, too.
void explain(QWidget* widget, const char* objectName, const QString& name, const QString& toolTip);

/// A label that keeps the size of its widest text, and at least its minimum size, so that a new text needs a repaint
/// but no layout.
template <class Label> class FixedSizeLabel : public Label {
public:
    using Label::Label;

    void showText(const QString& text) {
        if (text != this->text()) {
            this->setText(text);
            fitSize();
        }
    }

protected:
    void changeEvent(QEvent* event) override {
        Label::changeEvent(event);
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
            fitSize();
        }
    }

private:
    void fitSize() {
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
    void fitSize();

    QLabel* label_;
    int lines_;
};

/// A flat button with an icon of resources/icons, an accessible name and a tooltip.
[[nodiscard]] QToolButton* makeIconButton(QWidget* parent, const char* objectName, const QString& icon,
                                          const QString& name, const QString& toolTip);

/// Opens the folder of a file in the file manager. Visible in a status bar as long as the notice about the file.
class FolderButton : public QToolButton {
    Q_OBJECT

public:
    explicit FolderButton(QStatusBar& bar);
    /// Call it before the bar shows @p notice.
    void offer(const QString& folder, const QString& notice);

private:
    QString folder_;
    QString notice_;
};

/// Replaces missing content: a sentence on the purpose of the panel, and buttons that start its work.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    /// @param objectName of the sentence
    explicit EmptyState(const QString& objectName, QWidget* parent = nullptr);

    void setText(const QString& text) { text_->setText(text); }
    [[nodiscard]] QString text() const { return text_->text(); }
    /// Adds a button for an action, enabled while the action is.
    QPushButton* addButton(QAction& action);
    QPushButton* addButton(const QString& objectName, const QString& text, const QString& toolTip);

private:
    QLabel* text_;
    QVBoxLayout* column_;
};

/// Options that are seldom changed, below a heading that folds them. The folded heading names their values. The
/// settings store whether the options are folded.
class MoreOptions : public QWidget {
    Q_OBJECT

public:
    /// @param name object name, and key of the settings
    /// @param options controls inside @p content whose values the folded heading names: choices, numbers, check boxes
    MoreOptions(const QString& name, QWidget* content, const QList<QWidget*>& options, QWidget* parent = nullptr);

    [[nodiscard]] bool isFolded() const noexcept { return folded_; }
    void setFolded(bool folded);
    /// Updates the folded heading after a change of the options that emits no signal.
    void showValues();

private:
    QList<QWidget*> options_;
    QWidget* content_;
    QToolButton* heading_;
    ElidedLabel* values_;
    bool folded_ = true;
};

/// Rows of a name and a selectable text.
class FactList : public QWidget {
    Q_OBJECT

public:
    using Facts = std::vector<std::pair<QString, QString>>;

    explicit FactList(QWidget* parent = nullptr);
    /// Hides this if @p facts is empty.
    void setFacts(const Facts& facts);

private:
    QGridLayout* grid_ = nullptr;
    Facts facts_;
};

/// The largest size of a window on the screen of @p window: without its frame and the bars of the desktop.
[[nodiscard]] QSize largestSize(const QWidget& window);

/// Gives a window its first size, bounded by largestSize().
void resizeOnScreen(QWidget& window, const QSize& size);

} // namespace pollard::app
