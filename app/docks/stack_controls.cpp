#include "docks/stack_controls.hpp"

#include "theme/icons.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/stack_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kLeastSlider = 80;  ///< px
constexpr int kNarrowSlider = 40; ///< px
constexpr int kLabelWidth = 60;   ///< px kept free for names of positions, which differ
constexpr int kFurtherColumn = 5; ///< behind the columns of the axes
constexpr int kRowBelowAxes = 16; ///< below the lines of all axes

QString keysOf(int axis) {
    switch (axis) {
    case 0:
        return StackControls::tr("Page Up and Page Down");
    case 1:
        return StackControls::tr("comma and full stop");
    default:
        return StackControls::tr("square brackets");
    }
}

} // namespace

StackControls::StackControls(vm::StackViewModel& stack, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), stack_(stack), document_(document) {
    setObjectName(QStringLiteral("stackControls"));
    grid_ = new QGridLayout(this);
    grid_->setContentsMargins(kPanelMargin, 3, kPanelMargin, 3);
    grid_->setHorizontalSpacing(kPanelSpacing);
    grid_->setVerticalSpacing(2);
    grid_->setColumnStretch(1, 1);
    slices_ = makeControl<QComboBox>(
        this, "slices", tr("Slices"),
        tr("A volume has one tree of all slices, and a filter works on the whole volume; pages are images with a "
           "tree "
           "each; a projection makes one image of the slices: of the largest, smallest or mean value at each "
           "pixel, or the sharpest slice. The next file with slices opens in the same way"));
    using Depth = vm::StackViewModel::Depth;
    const std::pair<QString, Depth> depths[] = {{tr("As a volume"), Depth::volume}, {tr("As pages"), Depth::slice},
                                                {tr("Maximum"), Depth::maximum},    {tr("Minimum"), Depth::minimum},
                                                {tr("Mean"), Depth::mean},          {tr("Sharpest"), Depth::sharpest}};
    for (const auto& [name, depth] : depths) {
        slices_->addItem(name, static_cast<int>(depth));
    }
    connect(slices_, &QComboBox::activated, this,
            [this] { stack_.setDepth(static_cast<Depth>(slices_->currentData().toInt())); });
    otherControls_ = new QHBoxLayout;
    otherControls_->setSpacing(kPanelSpacing);
    grid_->addLayout(otherControls_, 0, kFurtherColumn);
    otherControls_->addWidget(slices_);
    axes_ =
        makeControl<QToolButton>(this, "axesOfPages", tr("Axes of the pages"),
                                 tr("State which pages are channels, slices and times. The file does not state it"));
    axes_->setText(tr("Axes…"));
    axes_->setAutoRaise(true);
    connect(axes_, &QToolButton::clicked, this, &StackControls::askForAxes);
    const auto addView = [this](const QString& name) {
        auto* button = new QToolButton(this);
        button->setObjectName(name);
        button->setAutoRaise(true);
        button->hide();
        otherControls_->addWidget(button);
        return button;
    };
    sections_ = addView(QStringLiteral("orthogonalViews"));
    rendering_ = addView(QStringLiteral("renderingView3d"));
    otherControls_->addWidget(axes_);
    connect(&stack_, &vm::StackViewModel::positionChanged, this, &StackControls::showPositions);
    connect(&stack_, &vm::StackViewModel::playingChanged, this, &StackControls::showPlaying);
    connect(&document_.reading(), &vm::DocumentReading::cacheChanged, this, &StackControls::showCache);
    // A change that failed or was cancelled must not stay in the control.
    connect(&document_.activity(), &vm::DocumentActivity::stateChanged, this, &StackControls::showSlices);
    follow(this, &StackControls::showSlices, document_, &vm::DocumentViewModel::imageChanged);
    follow(this, &StackControls::makeRows, stack_, &vm::StackViewModel::axesChanged);
}

void StackControls::setVolumeViews(QAction* sections, QAction* rendering) {
    sections_->setDefaultAction(sections);
    rendering_->setDefaultAction(rendering);
    showSlices();
}

StackControls::Row StackControls::makeRow(int axis) {
    Row row;
    const QString title = stack_.axisTitle(axis);
    row.title = new CaptionLabel(title, this);
    row.label = new QLabel(this);
    row.label->setTextFormat(Qt::PlainText);
    row.label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row.label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.label->setAccessibleName(tr("%1: name of the position").arg(title));
    row.slider = new QSlider(Qt::Horizontal, this);
    row.slider->setObjectName(QStringLiteral("stackSlider%1").arg(axis));
    row.slider->setRange(1, stack_.size(axis));
    row.slider->setPageStep(1);
    const QString toolTip = tr("Position along %1 (%2)").arg(title, keysOf(axis));
    explain(row.slider, title, toolTip);
    row.number = new WholeBox(this);
    row.number->setObjectName(axis == 0 ? QStringLiteral("page") : QStringLiteral("stackNumber%1").arg(axis));
    row.number->setRange(1, stack_.size(axis));
    row.number->setSuffix(tr(" of %1").arg(stack_.size(axis)));
    row.number->setKeyboardTracking(false);
    explain(row.number, title, toolTip);
    row.play = new QToolButton(this);
    row.play->setObjectName(QStringLiteral("stackPlay%1").arg(axis));
    row.play->setCheckable(true);
    row.play->setAutoRaise(true);
    row.play->setIcon(themedIcon(QStringLiteral("play")));
    explain(row.play, tr("Play %1").arg(title), tr("Show one position after the other, again and again"));

    int column = 0;
    for (QWidget* widget :
         {static_cast<QWidget*>(row.title), static_cast<QWidget*>(row.slider), static_cast<QWidget*>(row.label),
          static_cast<QWidget*>(row.number), static_cast<QWidget*>(row.play)}) {
        grid_->addWidget(widget, axis, column++);
    }
    connect(row.slider, &QSlider::valueChanged, this, [this, axis](int value) { stack_.setPosition(axis, value - 1); });
    connect(row.number, &QSpinBox::valueChanged, this,
            [this, axis](int value) { stack_.setPosition(axis, value - 1); });
    connect(row.play, &QToolButton::clicked, this, [this, axis](bool checked) { stack_.play(checked ? axis : -1); });
    return row;
}

void StackControls::makeRows() {
    for (const Row& row : rows_) {
        for (QWidget* widget :
             {static_cast<QWidget*>(row.title), static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.slider),
              static_cast<QWidget*>(row.number), static_cast<QWidget*>(row.play)}) {
            widget->setObjectName(QString());
            widget->hide();
            widget->deleteLater();
        }
    }
    rows_.clear();
    for (int axis = 0; axis < stack_.axisCount(); ++axis) {
        rows_.push_back(makeRow(axis));
    }
    setVisible(!rows_.empty());
    showPositions();
    showPlaying();
    showCache();
}

void StackControls::showPositions() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const int axis = static_cast<int>(i);
        const QSignalBlocker quietSlider(rows_[i].slider);
        const QSignalBlocker quietNumber(rows_[i].number);
        rows_[i].slider->setValue(stack_.position(axis) + 1);
        coupling::showValue(*rows_[i].number, stack_.position(axis) + 1);
        const bool projected = stack_.isProjected(axis);
        for (QWidget* control : {static_cast<QWidget*>(rows_[i].slider), static_cast<QWidget*>(rows_[i].number),
                                 static_cast<QWidget*>(rows_[i].play)}) {
            control->setEnabled(!projected);
        }
        const QString label = projected ? tr("all") : stack_.label(axis);
        rows_[i].label->setText(label);
        rows_[i].title->setToolTip(label);
    }
    arrange();
}

void StackControls::showPlaying() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool playing = stack_.playing() == static_cast<int>(i);
        rows_[i].play->setChecked(playing);
        rows_[i].play->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    }
}

void StackControls::showSlices() {
    slices_->setVisible(stack_.offersDepth());
    axes_->setVisible(stack_.offersAxes());
    slices_->setCurrentIndex(slices_->findData(static_cast<int>(stack_.depth())));
    for (QToolButton* const view : {sections_, rendering_}) {
        view->setVisible(document_.isVolume() && view->defaultAction() != nullptr);
    }
    arrange();
}

int StackControls::rowsWidth(int slider) const {
    std::array<int, 3> widths{};
    for (const Row& row : rows_) {
        const std::array<const QWidget*, 3> controls{row.title, row.number, row.play};
        for (std::size_t i = 0; i < controls.size(); ++i) {
            widths[i] = std::max(widths[i], controls[i]->minimumSizeHint().width());
        }
    }
    const int gaps = 3 * grid_->horizontalSpacing();
    return 2 * kPanelMargin + widths[0] + slider + widths[1] + widths[2] + gaps;
}

QSize StackControls::minimumSizeHint() const {
    const int further = 2 * kPanelMargin + otherControls_->minimumSize().width();
    return {std::max(rowsWidth(kNarrowSlider), further), QWidget::minimumSizeHint().height()};
}

void StackControls::arrange() {
    int label = kLabelWidth;
    for (const Row& row : rows_) {
        label = std::max(label, row.label->sizeHint().width());
    }
    const int gap = grid_->horizontalSpacing();
    const bool isNarrow = width() < rowsWidth(kLeastSlider) + gap + label + gap + otherControls_->minimumSize().width();
    for (const Row& row : rows_) {
        row.label->setVisible(!isNarrow);
        row.slider->setMinimumWidth(isNarrow ? kNarrowSlider : kLeastSlider);
    }
    if (isNarrow == std::exchange(isNarrow_, isNarrow)) {
        return;
    }
    grid_->removeItem(otherControls_);
    if (isNarrow) {
        grid_->addLayout(otherControls_, kRowBelowAxes, 0, 1, kFurtherColumn);
    } else {
        grid_->addLayout(otherControls_, 0, kFurtherColumn);
    }
}

void StackControls::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StackControls::askForAxes() {
    bool isGiven = false;
    const QString order = QInputDialog::getText(
        this, tr("Axes of the pages"),
        tr("From the slowest to the fastest, with the number of positions:\nt (times), z (slices), c (channels), as in "
           "t3z5c2 or tz5.\nLeave it empty for plain pages."),
        QLineEdit::Normal, QString::fromStdString(document_.request().axes), &isGiven);
    if (isGiven) {
        document_.reading().setAxes(order);
    }
}

void StackControls::showCache() {
    const int pages = document_.reading().cachedPages();
    const QString size = QLocale().formattedDataSize(static_cast<qint64>(document_.reading().cachedBytes()), 1,
                                                     QLocale::DataSizeIecFormat);
    const QString kept = pages == 1 ? tr("1 other page kept ready, %1").arg(size)
                                    : tr("%1 other pages kept ready, %2").arg(QLocale().toString(pages), size);
    const QString why = tr("Pages keep their trees after they were shown, so that going back takes no time; the "
                           "preferences set the memory for it");
    setToolTip(pages == 0 ? QString() : kept + u'\n' + why);
}

} // namespace pollard::app
