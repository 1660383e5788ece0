#include "docks/objects/measure_button.hpp"

#include "vm/objects/measured_channels.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QWidgetAction>

#include <algorithm>
#include <optional>
#include <string>

namespace pollard::app {
namespace {

constexpr int kMostRows = 8; ///< of the list that are visible at once
constexpr int kArrow = 40;   ///< px, for the margins and the arrow

} // namespace

MeasureButton::MeasureButton(vm::MeasuredChannels& channels, QWidget* parent)
    : QPushButton(parent), channels_(channels), all_(new QCheckBox(tr("All channels"))), list_(new QListWidget),
      pairs_(new QCheckBox(tr("Pairs (Pearson, Manders)"))), ring_(new WholeBox), counted_(new QComboBox),
      countedFrom_(new QLineEdit) {
    setObjectName(QStringLiteral("objectsChannels"));
    explain(this, tr("Channels in which objects are measured"),
            tr("Grey values of this channel only, or also mean, sum, lowest and highest value, standard deviation and "
               "median of chosen channels of the picture. Those are columns of the table such as mean[DAPI], which "
               "conditions and charts can use, too."));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* menu = new QMenu(this);
    auto* action = new QWidgetAction(menu);
    action->setDefaultWidget(makeChoices());
    menu->addAction(action);
    setMenu(menu);
    const auto change = [this](auto set) {
        MeasureChoice choice = channels_.choice();
        set(choice);
        channels_.setChoice(choice);
    };
    connect(all_, &QCheckBox::clicked, this, [change](bool all) {
        change([all](MeasureChoice& choice) {
            choice.all = all;
            choice.channels.clear();
        });
    });
    // The check box itself changes the item before the click is reported.
    connect(list_, &QListWidget::itemPressed, this, [this](const QListWidgetItem* item) {
        pressed_ = item->checkState();
        pressedRow_ = list_->row(item);
    });
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (list_->row(item) == pressedRow_ && item->checkState() == pressed_) {
            item->setCheckState(pressed_ == Qt::Checked ? Qt::Unchecked : Qt::Checked);
        }
    });
    connect(list_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        channels_.setChosen(static_cast<std::size_t>(list_->row(item)), item->checkState() == Qt::Checked);
    });
    connect(pairs_, &QCheckBox::clicked, this,
            [change](bool pairs) { change([pairs](MeasureChoice& choice) { choice.pairs = pairs; }); });
    connect(ring_, &QSpinBox::valueChanged, this, [change](int width) {
        change([width](MeasureChoice& choice) { choice.ring = static_cast<std::uint32_t>(width); });
    });
    connect(counted_, &QComboBox::activated, this, &MeasureButton::count);
    connect(countedFrom_, &QLineEdit::editingFinished, this, &MeasureButton::count);
    follow(this, &MeasureButton::showChoice, channels_, &vm::MeasuredChannels::changed,
           &vm::MeasuredChannels::choiceChanged);
}

QWidget* MeasureButton::makeChoices() {
    auto* choices = new QWidget;
    all_->setObjectName(QStringLiteral("measureAll"));
    explain(all_, tr("All channels"), tr("Measure the objects in every channel of the picture"));
    list_->setObjectName(QStringLiteral("measureChannels"));
    list_->setFrameShape(QFrame::NoFrame);
    explain(list_, tr("Single channels"), tr("Channels in which the objects are measured"));
    pairs_->setObjectName(QStringLiteral("measurePairs"));
    explain(pairs_, tr("Pairs of channels"),
            tr("Compare these channels in pairs, pixel by pixel: Pearson's correlation, and Manders' shares of one "
               "channel where the other one is above 0"));
    ring_->setObjectName(QStringLiteral("measureRing"));
    ring_->setRange(0, static_cast<int>(ChannelMeasuresSpec::kMostRing));
    ring_->setSpecialValueText(tr("None"));
    ring_->setSuffix(tr(" px"));
    ring_->setKeyboardTracking(false);
    explain(ring_, tr("Width of the background ring"),
            tr("Also measure the mean of the background within this many columns and rows of each object, without "
               "pixels of other objects"));
    auto* grid = new QGridLayout(choices);
    grid->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    grid->setHorizontalSpacing(kPanelSpacing);
    grid->setColumnStretch(1, 1);
    grid->addWidget(all_, 0, 0, 1, 2);
    grid->addWidget(list_, 1, 0, 1, 2);
    grid->addWidget(pairs_, 2, 0, 1, 2);
    grid->addWidget(captionFor(ring_, tr("Ring")), 3, 0);
    grid->addWidget(ring_, 3, 1);
    counted_->setObjectName(QStringLiteral("measureCounted"));
    explain(counted_, tr("Count objects of another channel"),
            tr("Count in each object the objects of another channel, for instance spots in nuclei: a column such as "
               "count[RFP]. An object counts in the object that has most of its pixels"));
    countedFrom_->setObjectName(QStringLiteral("measureCountedFrom"));
    countedFrom_->setPlaceholderText(tr("Otsu"));
    explain(countedFrom_, tr("Lowest value of the counted objects"),
            tr("Pixels of that channel with this value or more form the counted objects; if empty, Otsu's method finds "
               "the threshold"));
    grid->addWidget(captionFor(counted_, tr("Count in them")), 4, 0);
    grid->addWidget(counted_, 4, 1);
    grid->addWidget(captionFor(countedFrom_, tr("from value")), 5, 0);
    grid->addWidget(countedFrom_, 5, 1);
    return choices;
}

void MeasureButton::showChoice() {
    const MeasureChoice& choice = channels_.choice();
    const QSignalBlocker quietList(list_);
    const QSignalBlocker quietRing(ring_);
    const auto count = static_cast<int>(channels_.names().size());
    while (list_->count() > count) {
        delete list_->takeItem(count);
    }
    bool any = false;
    for (int row = 0; row < count; ++row) {
        if (row == list_->count()) {
            list_->addItem(QString());
        }
        const auto channel = static_cast<std::size_t>(row);
        const bool chosen = channels_.isChosen(channel);
        any = any || chosen;
        list_->item(row)->setText(QString::fromStdString(channels_.names()[channel]));
        list_->item(row)->setCheckState(chosen ? Qt::Checked : Qt::Unchecked);
    }
    if (count > 0) {
        list_->setFixedHeight(std::min(count, kMostRows) * list_->sizeHintForRow(0) + 2 * list_->frameWidth());
    }
    counted_->clear();
    counted_->addItem(tr("None"));
    for (const std::string& name : channels_.names()) {
        counted_->addItem(QString::fromStdString(name), QString::fromStdString(name));
    }
    const auto& counted = channels_.counted();
    const int place = counted ? counted_->findData(QString::fromStdString(counted->channel)) : 0;
    counted_->setCurrentIndex(std::max(place, 0));
    countedFrom_->setEnabled(place > 0);
    if (!countedFrom_->hasFocus() || !counted || !counted->from) {
        countedFrom_->setText(counted && counted->from ? QLocale().toString(*counted->from, 'g', 10) : QString());
    }
    all_->setChecked(choice.all);
    pairs_->setChecked(choice.pairs);
    ring_->setValue(static_cast<int>(choice.ring));
    pairs_->setEnabled(any);
    ring_->setEnabled(any && channels_.offersRing());
    setAccessibleDescription(channels_.choiceText());
    showText();
}

void MeasureButton::count() {
    if (counted_->currentIndex() <= 0) {
        channels_.setCounted(std::nullopt);
        return;
    }
    bool isNumber = false;
    const double from = QLocale().toDouble(countedFrom_->text().trimmed(), &isNumber);
    channels_.setCounted(CountedChannel{counted_->currentData().toString().toStdString(),
                                        isNumber ? std::optional(from) : std::nullopt});
    showChoice(); // drops a text that is no number
}

void MeasureButton::showText() {
    QString text = fontMetrics().elidedText(channels_.choiceText(), Qt::ElideRight, std::max(0, width() - kArrow));
    setText(text.replace(u'&', QStringLiteral("&&")));
}

void MeasureButton::resizeEvent(QResizeEvent* event) {
    QPushButton::resizeEvent(event);
    showText();
}

} // namespace pollard::app
