#include "widgets/panel_parts.hpp"

#include "theme/icons.hpp"
#include "theme/theme.hpp"
#include "tree/component_tree.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kShortest = 8;     ///< letters of a choice that are always visible
constexpr int kLeastHeight = 36; ///< px, of scrolled controls

void setTextColour(QLabel& label, const QColor& colour) {
    QPalette palette = label.palette();
    if (palette.color(QPalette::WindowText) != colour) {
        palette.setColor(QPalette::WindowText, colour);
        label.setPalette(palette);
    }
}

} // namespace

SectionLabel::SectionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { applyStyle(); }

void SectionLabel::applyStyle() {
    QFont heading = font();
    if (heading.weight() != QFont::DemiBold) {
        heading.setWeight(QFont::DemiBold);
        setFont(heading);
    }
}

void SectionLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        applyStyle();
    }
}

CaptionLabel::CaptionLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { applyStyle(); }

void CaptionLabel::applyStyle() { setTextColour(*this, secondaryText(QGuiApplication::palette())); }

void CaptionLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::StyleChange) {
        applyStyle();
    }
}

CaptionLabel* captionFor(QWidget* control, const QString& text) {
    auto* label = new CaptionLabel(text, control->parentWidget());
    label->setBuddy(control);
    return label;
}

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == full_ && text == toolTip()) {
        return;
    }
    setToolTip(text);
    setAccessibleName(text);
    showText(text);
}

void ElidedLabel::showText(const QString& text) {
    if (text != full_) {
        full_ = text;
        update();
    }
}

QSize ElidedLabel::minimumSizeHint() const { return {40, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect room = contentsRect();
    style()->drawItemText(&painter, room, QStyle::visualAlignment(layoutDirection(), alignment()), palette(),
                          isEnabled(), fontMetrics().elidedText(full_, mode_, room.width()), foregroundRole());
}

Divider::Divider(QWidget* parent) : QWidget(parent) { setFixedHeight(1); }

void Divider::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), hairline(palette())); }

ScrolledControls::ScrolledControls(QWidget* content, int width, QWidget* parent) : QScrollArea(parent), width_(width) {
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // keeps its width free, so that nothing moves sideways
    QScrollBar* bar = verticalScrollBar();
    bar->setVisible(bar->maximum() > bar->minimum());
    connect(bar, &QScrollBar::rangeChanged, bar, [bar](int least, int most) { bar->setVisible(most > least); });
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(width > 0 ? QSizePolicy::Maximum : QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize ScrolledControls::sizeHint() const {
    const QSize hint = widget()->sizeHint(); // QScrollArea keeps its hint from before the style sheet
    const int least = minimumSizeHint().width();
    return {width_ > 0 ? least : std::max(least, hint.width()), hint.height()};
}

QSize ScrolledControls::minimumSizeHint() const {
    const int wanted = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {std::max(width_, wanted), std::min(kLeastHeight, QScrollArea::minimumSizeHint().height())};
}

bool ScrolledControls::event(QEvent* event) {
    // The style sheet sets the widths of controls when they are shown.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) {
        updateGeometry();
    }
    return QScrollArea::event(event);
}

ControlsAndContent::ControlsAndContent(QWidget* controls, int width, QWidget* content, Upper upper, QWidget* parent)
    : QSplitter(parent), controls_(new ScrolledControls(controls, width, this)), upper_(upper) {
    setChildrenCollapsible(false);
    addWidget(controls_);
    addWidget(content);
    setStretchFactor(indexOf(content), 1);
    connect(this, &QSplitter::splitterMoved, this, [this] { isSetByHand_ = true; });
}

void ControlsAndContent::setTall(bool tall) {
    isSetByHand_ = false;
    setOrientation(tall ? Qt::Vertical : Qt::Horizontal);
    controls_->setSizePolicy(tall ? QSizePolicy::Expanding : QSizePolicy::Maximum, QSizePolicy::Expanding);
    insertWidget(tall && upper_ == Upper::content ? 1 : 0, controls_);
}

bool ControlsAndContent::event(QEvent* event) {
    const bool handled = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest && orientation() == Qt::Vertical && !isSetByHand_) {
        const int content = widget(1 - indexOf(controls_))->sizeHint().height();
        const int most = std::clamp(height() - content, height() * 3 / 10, height() / 2);
        const int wanted = std::min(controls_->sizeHint().height(), most);
        const int rest = std::max(height() - handleWidth() - wanted, 0);
        setSizes(indexOf(controls_) == 0 ? QList{wanted, rest} : QList{rest, wanted});
    }
    return handled;
}

void offerNeighbours(QComboBox& choice, bool isVolume) {
    choice.clear();
    const auto add = [&choice](const QString& name, Connectivity connectivity) {
        choice.addItem(name, static_cast<int>(connectivity));
    };
    if (isVolume) {
        add(QCoreApplication::translate("Neighbours", "26: also at corners"), Connectivity::twentySix);
        add(QCoreApplication::translate("Neighbours", "18: also at edges"), Connectivity::eighteen);
        add(QCoreApplication::translate("Neighbours", "6: at faces only"), Connectivity::six);
    } else {
        add(QCoreApplication::translate("Neighbours", "8: also at corners"), Connectivity::eight);
        add(QCoreApplication::translate("Neighbours", "4: at sides only"), Connectivity::four);
    }
}

void shorten(QComboBox& choice) {
    choice.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice.setMinimumContentsLength(kShortest);
}

bool isSeen(const QWidget& widget) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(&widget);
    const auto* scrolled = qobject_cast<const QScrollArea*>(&widget);
    // The viewport covers the area, and a scrolled widget the viewport.
    const QWidget& surface = scrolled != nullptr && scrolled->widget() != nullptr ? *scrolled->widget()
                             : area != nullptr                                    ? *area->viewport()
                                                                                  : widget;
    return surface.isVisible() && !surface.visibleRegion().isEmpty();
}

void explain(QWidget* widget, const QString& name, const QString& toolTip) {
    widget->setAccessibleName(name);
    widget->setToolTip(toolTip);
    widget->setWhatsThis(QStringLiteral("<b>%1</b><p>%2</p>").arg(name.toHtmlEscaped(), toolTip.toHtmlEscaped()));
}

void explain(QWidget* widget, const char* objectName, const QString& name, const QString& toolTip) {
    widget->setObjectName(QLatin1String(objectName));
    explain(widget, name, toolTip);
}

FixedHeightLabel::FixedHeightLabel(int lines, QWidget* parent)
    : QWidget(parent), label_(new QLabel(this)), lines_(lines) {
    label_->setWordWrap(true);
    fitSize();
}

void FixedHeightLabel::showText(const QString& text) {
    if (text != label_->text()) {
        label_->setText(text);
        fitSize();
    }
}

void FixedHeightLabel::fitSize() {
    const int least = std::max(minimumHeight(), lines_ * label_->fontMetrics().lineSpacing());
    setFixedHeight(width() > 0 ? std::max(least, label_->heightForWidth(width())) : least);
}

void FixedHeightLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        setMinimumHeight(0);
        fitSize();
    }
    label_->setGeometry(rect());
}

void FixedHeightLabel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        setMinimumHeight(0);
        fitSize();
    }
}

QToolButton* makeIconButton(QWidget* parent, const char* objectName, const QString& icon, const QString& name,
                            const QString& toolTip) {
    auto* button = new QToolButton(parent);
    button->setIcon(themedIcon(icon));
    button->setAutoRaise(true);
    explain(button, objectName, name, toolTip);
    return button;
}

FolderButton::FolderButton(QStatusBar& bar) : QToolButton(&bar) {
    setObjectName(QStringLiteral("showInFolder"));
    setText(tr("Show in folder"));
    setAutoRaise(true);
    hide();
    connect(&bar, &QStatusBar::messageChanged, this,
            [this](const QString& shown) { setVisible(!shown.isEmpty() && shown == notice_); });
    connect(this, &QToolButton::clicked, this, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder_)); });
}

void FolderButton::offer(const QString& folder, const QString& notice) {
    folder_ = folder;
    notice_ = notice;
    explain(this, tr("Show in folder"), tr("Open %1 in the file manager").arg(folder));
}

EmptyState::EmptyState(const QString& objectName, QWidget* parent)
    : QWidget(parent), text_(new QLabel(this)), column_(new QVBoxLayout(this)) {
    text_->setObjectName(objectName);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    column_->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    column_->setSpacing(kPanelSpacing);
    column_->addStretch(1);
    column_->addWidget(text_);
    column_->addStretch(1);
}

QPushButton* EmptyState::addButton(QAction& action) {
    QPushButton* button =
        addButton(action.objectName() + QStringLiteral("Here"), action.text().remove(u'&'), action.toolTip());
    button->setEnabled(action.isEnabled());
    connect(&action, &QAction::enabledChanged, button, &QPushButton::setEnabled);
    connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

QPushButton* EmptyState::addButton(const QString& objectName, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(objectName);
    explain(button, text, toolTip);
    button->setMinimumWidth(button->sizeHint().width() + 2 * kPanelMargin);
    column_->insertWidget(column_->count() - 1, button, 0, Qt::AlignHCenter);
    return button;
}

namespace {

/// Empty for a box that is not checked.
QString valueOf(const QWidget& option) {
    if (const auto* choice = qobject_cast<const QComboBox*>(&option)) {
        return choice->currentText();
    }
    if (const auto* number = qobject_cast<const QAbstractSpinBox*>(&option)) {
        return number->text();
    }
    const auto* box = qobject_cast<const QCheckBox*>(&option);
    return box != nullptr && box->isChecked() ? box->text().remove(u'&') : QString();
}

} // namespace

MoreOptions::MoreOptions(const QString& name, QWidget* content, const QList<QWidget*>& options, QWidget* parent)
    : QWidget(parent), options_(options), content_(content), heading_(new QToolButton(this)),
      values_(new ElidedLabel(this)) {
    setObjectName(name);
    heading_->setObjectName(name + QStringLiteral("Heading"));
    heading_->setText(tr("More"));
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading_->setAutoRaise(true);
    explain(heading_, tr("More options"), tr("Show or hide options that are seldom changed"));
    values_->setForegroundRole(QPalette::PlaceholderText);
    auto* head = new QHBoxLayout;
    head->setSpacing(kPanelSpacing / 2);
    head->addWidget(heading_);
    head->addWidget(values_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addLayout(head);
    layout->addWidget(content_);
    for (QWidget* option : options_) {
        if (auto* choice = qobject_cast<QComboBox*>(option)) {
            connect(choice, &QComboBox::currentTextChanged, this, &MoreOptions::showValues);
        } else if (auto* number = qobject_cast<QSpinBox*>(option)) {
            connect(number, &QSpinBox::textChanged, this, &MoreOptions::showValues);
        } else if (auto* box = qobject_cast<QCheckBox*>(option)) {
            connect(box, &QCheckBox::toggled, this, &MoreOptions::showValues);
        }
    }
    connect(heading_, &QToolButton::clicked, this, [this] { setFolded(!folded_); });
    setFolded(QSettings().value(QStringLiteral("folded/") + name, true).toBool());
}

void MoreOptions::setFolded(bool folded) {
    folded_ = folded;
    heading_->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
    content_->setVisible(!folded);
    values_->setVisible(folded);
    showValues();
    QSettings().setValue(QStringLiteral("folded/") + objectName(), folded);
}

void MoreOptions::showValues() {
    QStringList values;
    for (const QWidget* option : options_) {
        if (const QString value = valueOf(*option); !value.isEmpty() && option->isEnabled()) {
            values.push_back(value);
        }
    }
    values_->setFullText(values.join(QStringLiteral(", ")));
}

namespace {

constexpr int kLongText = 24; ///< longer texts get a separate line

} // namespace

FactList::FactList(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    hide();
}

void FactList::setFacts(const Facts& facts) {
    if (facts == facts_) {
        return;
    }
    facts_ = facts;
    while (QLayoutItem* item = grid_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    int row = 0;
    for (const auto& [name, text] : facts_) {
        auto* value = new QLabel(text, this);
        value->setTextFormat(Qt::PlainText);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        value->setWordWrap(true);
        value->setAccessibleName(name);
        auto* caption = new CaptionLabel(name, this);
        caption->setWordWrap(name.size() > kLongText);
        if (name.size() + text.size() > kLongText + kLongText / 2) {
            grid_->addWidget(caption, row++, 0, 1, 2);
            value->setIndent(10);
            grid_->addWidget(value, row++, 0, 1, 2);
        } else {
            grid_->addWidget(caption, row, 0, Qt::AlignLeft | Qt::AlignTop);
            grid_->addWidget(value, row++, 1);
        }
    }
    setVisible(!facts_.empty());
}

namespace {

constexpr QSize kFrame(12, 40); ///< px that the window manager adds

} // namespace

QSize largestSize(const QWidget& window) { return window.screen()->availableSize() - kFrame; }

void resizeOnScreen(QWidget& window, const QSize& size) { window.resize(size.boundedTo(largestSize(window))); }

} // namespace pollard::app
