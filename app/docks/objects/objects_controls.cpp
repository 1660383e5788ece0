#include "docks/objects/objects_controls.hpp"

#include "docks/objects/region_controls.hpp"

#include "components/objects/object_rule.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/measured_channels.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/range_slider.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QWidgetAction>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>

namespace pollard::app {
namespace {

constexpr int kMostRows = 8; ///< of the list, visible without scrolling
constexpr int kArrow = 40;   ///< px, for the margins and the arrow

} // namespace

MeasureButton::MeasureButton(vm::MeasuredChannels& channels, QWidget* parent)
    : QPushButton(parent), channels_(channels), all_(new QCheckBox(tr("All channels"))), list_(new QListWidget),
      pairs_(new QCheckBox(tr("Pairs (Pearson, Manders)"))), ring_(new WholeBox), counted_(new QComboBox),
      countedFrom_(new QLineEdit) {
    setObjectName(QStringLiteral("objectsChannels"));
    explain(this, tr("Channels in which objects are measured"),
            tr("Grey values of this channel only, or also mean, sum, lowest and highest value, standard deviation and "
               "median of chosen channels of the image. Those are columns of the table such as mean[DAPI], which "
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
    explain(all_, "measureAll", tr("All channels"), tr("Measure the objects in every channel of the image"));
    list_->setFrameShape(QFrame::NoFrame);
    explain(list_, "measureChannels", tr("Single channels"), tr("Channels in which the objects are measured"));
    explain(pairs_, "measurePairs", tr("Pairs of channels"),
            tr("Compare these channels in pairs, pixel by pixel: Pearson's correlation, and Manders' shares of one "
               "channel where the other is above 0"));
    ring_->setRange(0, static_cast<int>(ChannelMeasuresSpec::kMostRing));
    ring_->setSpecialValueText(tr("None"));
    ring_->setSuffix(tr(" px"));
    ring_->setKeyboardTracking(false);
    explain(ring_, "measureRing", tr("Width of the background ring"),
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
    explain(counted_, "measureCounted", tr("Count objects of another channel"),
            tr("Count in each object the objects of another channel, for instance spots in nuclei: a column such as "
               "count[RFP]. An object counts in the object that has most of its pixels"));
    countedFrom_->setPlaceholderText(tr("Otsu"));
    explain(countedFrom_, "measureCountedFrom", tr("Lowest value of the counted objects"),
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

using Objects = vm::ObjectsViewModel;
using vm::FindBy;

namespace {

constexpr int kByHandEntry = -1; ///< data of an entry of the threshold
constexpr int kAboveEntry = -2;  ///< data of another one
constexpr int kNoSplitEntry = -1;
constexpr double kLeastSigmas = 0.1;
constexpr double kMostSigmas = 1000;
constexpr double kSigmaStep = 0.5;
constexpr int kLargestBox = 4096; ///< px

int thresholdEntry(std::optional<ThresholdMethod> method) { return method ? static_cast<int>(*method) : kByHandEntry; }

} // namespace

ObjectsControls::ObjectsControls(Objects& objects, const vm::ObjectTableModel& table, QWidget* parent)
    : QWidget(parent), objects_(objects), source_(new QComboBox(this)), measured_(new QLabel(this)),
      channels_(new MeasureButton(objects.channels(), this)), channelsState_(new QLabel(this)),
      find_(new QComboBox(this)), regions_(new RegionControls(objects, table, this)), threshold_(new QComboBox(this)),
      dark_(addOption(QStringLiteral("objectsDark"), tr("&Dark"), &ObjectRule::dark)), background_(new QWidget(this)),
      sigmas_(new NumberBox(background_)), box_(new WholeBox(background_)), low_(new ValueBox(this)),
      high_(new ValueBox(this)), range_(new RangeSlider(this)), connectivity_(new QComboBox(this)),
      fillHoles_(addOption(QStringLiteral("objectsFillHoles"), tr("Fill &holes"), &ObjectRule::fillHoles)),
      split_(new QComboBox(this)), splitStrength_(new QSlider(Qt::Horizontal, this)),
      borderInZ_(new QCheckBox(tr("Border along &z, too"), this)), opacity_(new QSlider(Qt::Horizontal, this)),
      outlines_(new QCheckBox(tr("Outl&ines"), this)) {
    makeChoices();
    makeWays();
    makeRange();
    makeSplit();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelSpacing);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto add = [&](const QString& caption, QWidget* control, QWidget* beside = nullptr) {
        QLabel* label = captionFor(control, caption);
        grid->addWidget(label, row, 0);
        grid->addWidget(control, row, 1, 1, beside == nullptr ? 2 : 1);
        if (beside != nullptr) {
            grid->addWidget(beside, row, 2);
        }
        ++row;
        return label;
    };
    add(tr("O&f"), source_);
    grid->addWidget(measured_, row++, 0, 1, 3);
    channelsCaption_ = add(tr("&Measure in"), channels_);
    grid->addWidget(channelsState_, row++, 0, 1, 3);
    add(tr("Fi&nd"), find_);
    const auto addWay = [&](FindBy way) {
        std::vector<QWidget*>& widgets = ofWays_[static_cast<std::size_t>(way)];
        for (const ControlRow& each : regions_->rows(way)) {
            if (!each.caption.isEmpty()) {
                widgets.push_back(add(each.caption, each.control, each.beside));
            } else {
                grid->addWidget(each.control, row, 0, 1, each.beside == nullptr ? 3 : 2);
                if (each.beside != nullptr) {
                    grid->addWidget(each.beside, row, 2);
                }
                ++row;
            }
            widgets.push_back(each.control);
            if (each.beside != nullptr) {
                widgets.push_back(each.beside);
            }
        }
    };
    addWay(FindBy::best);
    addWay(FindBy::hierarchy);
    addWay(FindBy::labels);
    thresholdCaption_ = add(tr("&Threshold"), threshold_, dark_);
    grid->addWidget(background_, row++, 0, 1, 3);
    grid->addWidget(range_, row++, 0, 1, 3);
    auto* bounds = new QHBoxLayout;
    bounds->setSpacing(kPanelSpacing);
    bounds->addWidget(low_, 1);
    to_ = new CaptionLabel(tr("to"), this);
    bounds->addWidget(to_);
    bounds->addWidget(high_, 1);
    levelsCaption_ = captionFor(low_, tr("Va&lues"));
    grid->addWidget(levelsCaption_, row, 0);
    grid->addLayout(bounds, row++, 1, 1, 2);
    neighboursCaption_ = add(tr("Neighbo&urs"), connectivity_);
    grid->addWidget(fillHoles_, row++, 0, 1, 3);
    addWay(FindBy::watershed);
    splitCaption_ = add(tr("&Split"), split_, splitStrength_);
    QCheckBox* withoutBorder = addOption(QStringLiteral("objectsWithoutBorder"), tr("Without those at the &border"),
                                         &ObjectRule::withoutBorder);
    explain(withoutBorder, tr("Without those at the border"),
            tr("Objects with a pixel in the first or last row or column of the image are not listed, coloured or "
               "written. Objects at the edge of the region stay."));
    grid->addWidget(withoutBorder, row++, 0, 1, 3);
    explain(borderInZ_, "objectsBorderInZ", tr("Border along z, too"),
            tr("Also leave out the objects with a voxel in the first or last slice of the volume"));
    couple(
        borderInZ_, objects_, [](const Objects& objects) { return !objects.option(&ObjectRule::borderXy); },
        [](Objects& objects, bool on) { objects.setOption(&ObjectRule::borderXy, !on); }, &Objects::settingsChanged);
    grid->addWidget(borderInZ_, row++, 0, 1, 3);
    QWidget* last = fillHoles_;
    for (QWidget* control : ofWays_[static_cast<std::size_t>(FindBy::watershed)]) {
        if (control->focusPolicy() != Qt::NoFocus) {
            setTabOrder(last, control);
            last = control;
        }
    }
    setTabOrder(last, split_);
    setTabOrder(split_, splitStrength_);
    setTabOrder(splitStrength_, withoutBorder);
    setTabOrder(withoutBorder, borderInZ_);
    setTabOrder(borderInZ_, opacity_);
    add(tr("&Opacity"), opacity_, outlines_);
    setTabOrder(opacity_, outlines_);
    grid->setRowStretch(row, 1);
    connectModel();
}

QCheckBox* ObjectsControls::addOption(const QString& name, const QString& caption, bool ObjectRule::*option) {
    auto* box = new QCheckBox(caption, this);
    box->setObjectName(name);
    couple(
        box, objects_, [option](const Objects& objects) { return objects.option(option); },
        [option](Objects& objects, bool on) { objects.setOption(option, on); }, &Objects::settingsChanged);
    return box;
}

void ObjectsControls::makeChoices() {
    addChoices<StepImage>(source_,
                          {{tr("Result (as shown)"), StepImage::result}, {tr("Original"), StepImage::original}});
    explain(source_, "objectsSource", tr("Image in which objects are found"),
            tr("Image that is thresholded: the result of the filter with any output (filtered image, residue, "
               "mask), or the image as it was read. A residue makes a local threshold. Grey values of the objects "
               "always come from the original."));
    measured_->setObjectName(QStringLiteral("objectsMeasured"));
    measured_->setWordWrap(true);
    channelsState_->setObjectName(QStringLiteral("objectsChannelsState"));
    channelsState_->setWordWrap(true);
    channelsState_->setTextFormat(Qt::PlainText);
    explain(fillHoles_, tr("Fill holes"),
            tr("Fill the holes of the foreground before objects are found. A component of the background that touches "
               "the border of the image, pixels outside the region or pixels without data is no hole."));
    const auto addMethod = [this](const QString& name, std::optional<ThresholdMethod> method, const QString& what) {
        threshold_->addItem(name, thresholdEntry(method));
        threshold_->setItemData(threshold_->count() - 1, what, Qt::ToolTipRole);
    };
    addMethod(tr("By hand"), std::nullopt, tr("The levels below"));
    addMethod(tr("Otsu"), ThresholdMethod::otsu, tr("Separates the means of both classes best (Otsu 1979)"));
    addMethod(tr("Otsu of roots"), ThresholdMethod::otsuRoot,
              tr("Otsu's threshold of the square roots of the values: for dim objects beside bright ones"));
    addMethod(tr("Triangle"), ThresholdMethod::triangle,
              tr("The corner of the histogram: for few objects on much background (Zack 1977)"));
    addMethod(tr("Li"), ThresholdMethod::li, tr("Smallest cross entropy (Li and Tam 1998)"));
    threshold_->addItem(tr("Above background"), kAboveEntry);
    makeBackground();
    explain(threshold_, "objectsThreshold", tr("Method of the threshold"),
            tr("Method that finds the threshold between background and objects"));
    explain(dark_, tr("Dark objects"), tr("Objects are darker than the threshold that the method finds"));
    explain(connectivity_, "objectsConnectivity", tr("Neighbours of a pixel"),
            tr("Neighbours that belong to one object"));
    opacity_->setRange(0, 100);
    for (QComboBox* choice : {source_, threshold_, connectivity_}) {
        shorten(*choice);
    }
    explain(outlines_, "objectsOutlines", tr("Outlines only"),
            tr("Colour the outlines of objects only, so that the image or its channels can be seen in them"));
    explain(opacity_, "objectsOpacity", tr("Opacity of the colours"),
            tr("Opacity of the objects' colours in the image"));
}

void ObjectsControls::makeWays() {
    const auto addWay = [this](const QString& name, FindBy way, const QString& what) {
        find_->addItem(name, static_cast<int>(way));
        find_->setItemData(find_->count() - 1, what, Qt::ToolTipRole);
    };
    addWay(tr("Threshold"), FindBy::threshold, tr("Connected pixels with values of a range"));
    addWay(tr("Best components"), FindBy::best,
           tr("Round or oval objects, without a threshold, separate if they touch"));
    addWay(tr("Watershed"), FindBy::watershed, tr("Regions of a watershed within a threshold"));
    addWay(tr("Regions of a hierarchy"), FindBy::hierarchy,
           tr("The whole image divided into regions, as many as a slider leaves"));
    addWay(tr("Labels of a file"), FindBy::labels, tr("Objects that another program or a person has drawn"));
    explain(find_, "objectsFind", tr("Way to find objects"), tr("How objects are found in the image"));
    shorten(*find_);
    couple(
        find_, objects_.regions(), [](const vm::ObjectRegions& regions) { return regions.way(); },
        [](vm::ObjectRegions& regions, FindBy way) { regions.setWay(way); });
}

void ObjectsControls::makeBackground() {
    sigmas_->setRange(kLeastSigmas, kMostSigmas);
    sigmas_->setDecimals(1);
    sigmas_->setSingleStep(kSigmaStep);
    sigmas_->setSuffix(QStringLiteral(" σ"));
    explain(sigmas_, "objectsSigmas", tr("Sigma above the background"),
            tr("Objects differ from the local background by more than this multiple of its spread"));
    box_->setRange(static_cast<int>(BackgroundThreshold::kLeastBox), kLargestBox);
    box_->setSuffix(QStringLiteral(" px"));
    explain(box_, "objectsBox", tr("Box of the background"),
            tr("Side of the boxes in which the background is measured: larger than the objects"));
    auto* row = new QHBoxLayout(background_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    row->addWidget(sigmas_, 1);
    row->addWidget(new CaptionLabel(tr("box"), background_));
    row->addWidget(box_, 1);
    for (QAbstractSpinBox* number : std::initializer_list<QAbstractSpinBox*>{sigmas_, box_}) {
        number->setKeyboardTracking(false);
    }
    const auto setAbove = [this] { objects_.setAbove({sigmas_->value(), static_cast<std::uint32_t>(box_->value())}); };
    connect(sigmas_, &QDoubleSpinBox::valueChanged, this, setAbove);
    connect(box_, &QSpinBox::valueChanged, this, setAbove);
}

void ObjectsControls::makeSplit() {
    addChoices<int>(split_, {{tr("No"), kNoSplitEntry},
                             {tr("By shape"), static_cast<int>(SplitBy::shape)},
                             {tr("By brightness"), static_cast<int>(SplitBy::brightness)}});
    explain(
        split_, "objectsSplit", tr("Splitting of objects that touch"),
        tr("Lines of a watershed split objects that touch: by shape at necks, by brightness between brighter (of dark "
           "objects: darker) parts. The pixels of the lines belong to no object."));
    shorten(*split_);
    splitStrength_->setRange(0, 100);
    explain(
        splitStrength_, "objectsSplitStrength", tr("Strength of splitting"),
        tr("Largest width of a neck in percent of the width of the narrower part; by brightness, the largest "
           "brightness between two parts in percent of the less bright one, above the darkest pixel of the object"));
    couple(
        split_, objects_,
        [](const Objects& objects) { return objects.split() ? static_cast<int>(objects.split()->by) : kNoSplitEntry; },
        [](Objects& objects, int entry) {
            objects.setSplit(entry == kNoSplitEntry ? std::nullopt : std::optional(static_cast<SplitBy>(entry)));
        },
        &Objects::settingsChanged);
    couple(
        splitStrength_, objects_,
        [](const Objects& objects) { return static_cast<int>(std::lround(100 * objects.splitStrength())); },
        [](Objects& objects, int percent) { objects.setSplitStrength(percent / 100.0); }, &Objects::settingsChanged);
}

void ObjectsControls::makeRange() {
    range_->setObjectName(QStringLiteral("objectsRange"));
    range_->setToolTip(tr("Values of objects. Moving them sets the threshold by hand."));
    explain(low_, "objectsLow", tr("Lowest value of objects"), tr("Lowest value that belongs to an object"));
    explain(high_, "objectsHigh", tr("Highest value of objects"), tr("Highest value that belongs to an object"));
    for (ValueBox* box : {low_, high_}) {
        box->setScale(0, std::numeric_limits<std::uint16_t>::max(), 1);
        box->setMinimumWidth(box->minimumSizeHint().width()); // the same for every depth
    }
}

void ObjectsControls::connectModel() {
    couple(source_, objects_, &Objects::source, &Objects::setSource, &Objects::settingsChanged);
    using Channels = vm::MeasuredChannels;
    follow(this, &ObjectsControls::showChannels, objects_.channels(), &Channels::changed);
    couple(
        threshold_, objects_,
        [](const Objects& objects) { return objects.above() ? kAboveEntry : thresholdEntry(objects.threshold()); },
        [](Objects& objects, int entry) {
            if (entry == kAboveEntry) {
                objects.setAbove(objects.above().value_or(BackgroundThreshold{}));
                return;
            }
            objects.setThreshold(entry == kByHandEntry ? std::nullopt
                                                       : std::optional(static_cast<ThresholdMethod>(entry)));
        },
        &Objects::settingsChanged);
    couple(connectivity_, objects_, &Objects::connectivity, &Objects::setConnectivity, &Objects::settingsChanged);
    couple(
        opacity_, objects_,
        [](const Objects& objects) { return static_cast<int>(std::lround(100 * objects.opacity())); },
        [](Objects& objects, int percent) { objects.setOpacity(percent / 100.0); }, &Objects::opacityChanged);
    couple(outlines_, objects_, &Objects::showsOutlines, &Objects::setShowsOutlines, &Objects::opacityChanged);
    connect(low_, &ValueBox::valueChanged, this,
            [this](double low) { objects_.setValues(low, std::max(low, objects_.values().high)); });
    connect(high_, &ValueBox::valueChanged, this,
            [this](double high) { objects_.setValues(std::min(high, objects_.values().low), high); });
    const auto levelAt = [this](double position) {
        const LevelRange domain = objects_.domain();
        return static_cast<int>(std::lround(domain.low + position * (domain.high - domain.low)));
    };
    connect(range_, &RangeSlider::lowerMoved, this, [this, levelAt](double position) {
        objects_.setLevels(std::min<int>(levelAt(position), objects_.levels().high), objects_.levels().high);
    });
    connect(range_, &RangeSlider::upperMoved, this, [this, levelAt](double position) {
        objects_.setLevels(objects_.levels().low, std::max<int>(levelAt(position), objects_.levels().low));
    });
    connect(range_, &RangeSlider::lowerStepped, this, [this](int steps) {
        objects_.setLevels(std::min<int>(objects_.levels().low + steps, objects_.levels().high),
                           objects_.levels().high);
    });
    connect(range_, &RangeSlider::upperStepped, this, [this](int steps) {
        objects_.setLevels(objects_.levels().low, std::max<int>(objects_.levels().high + steps, objects_.levels().low));
    });
    connect(&objects_, &Objects::changed, this, &ObjectsControls::showSource);
    follow(this, &ObjectsControls::refresh, objects_, &Objects::settingsChanged);
}

void ObjectsControls::showSource() {
    const vm::DocumentViewModel& document = objects_.document();
    const bool ofResult = objects_.source() == StepImage::result && document.hasResult();
    const bool ofLabels = ofResult && document.resultSpec().output == Output::labels;
    measured_->setText(ofLabels ? tr("Values are the numbers of the kept components.")
                                : tr("Grey values are measured in the original."));
    explain(measured_, ofLabels ? tr("Values of labels") : tr("Image that is measured"),
            ofLabels ? tr("The output of the filter is labels: the threshold applies to the numbers of components, and "
                          "components that touch become one object. The output mask makes objects of kept components.")
                     : tr("Mean, lowest and highest grey value and the channels of objects are measured in the image "
                          "as it was read, not in the result in which objects are found."));
    measured_->setVisible(ofLabels || (ofResult && vm::mayChange(document.resultSpec())));
}

void ObjectsControls::showChannels() {
    const vm::MeasuredChannels& channels = objects_.channels();
    const bool several = channels.names().size() > 1;
    channels_->setVisible(several);
    channelsCaption_->setVisible(several);
    const QString state = channels.stateText();
    channelsState_->setText(state);
    channelsState_->setVisible(!state.isEmpty());
}

void ObjectsControls::showKind() {
    const bool volume = objects_.document().isVolume();
    const auto current = static_cast<int>(objects_.connectivity());
    if (connectivity_->findData(current) >= 0) {
        return;
    }
    const QSignalBlocker quiet(connectivity_);
    offerNeighbours(*connectivity_, volume);
    connectivity_->setCurrentIndex(connectivity_->findData(current));
}

void ObjectsControls::showWay() {
    const FindBy way = objects_.regions().way();
    const QSignalBlocker quiet(find_);
    coupling::showValue(*find_, static_cast<int>(way));
    for (std::size_t i = 0; i < ofWays_.size(); ++i) {
        for (QWidget* widget : ofWays_[i]) {
            widget->setVisible(i == static_cast<std::size_t>(way));
        }
    }
    const bool ofThreshold = objects_.rule().usesThreshold();
    for (QWidget* widget : {thresholdCaption_, static_cast<QWidget*>(threshold_), static_cast<QWidget*>(dark_),
                            static_cast<QWidget*>(fillHoles_)}) {
        widget->setVisible(ofThreshold);
    }
    const bool isAbove = ofThreshold && objects_.above().has_value();
    background_->setVisible(isAbove);
    for (QWidget* widget : std::initializer_list<QWidget*>{range_, levelsCaption_, low_, to_, high_}) {
        widget->setVisible(ofThreshold && !isAbove);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{splitCaption_, split_, splitStrength_}) {
        widget->setVisible(way == FindBy::threshold);
    }
    for (QWidget* widget : std::initializer_list<QWidget*>{neighboursCaption_, connectivity_}) {
        widget->setVisible(way != FindBy::best);
    }
}

void ObjectsControls::refresh() {
    showKind();
    showWay();
    const bool isVolume = objects_.document().isVolume();
    borderInZ_->setVisible(isVolume);
    if (const auto* methods = qobject_cast<QStandardItemModel*>(threshold_->model())) {
        QStandardItem* const above = methods->item(threshold_->findData(kAboveEntry));
        above->setEnabled(!isVolume);
        above->setToolTip(
            isVolume ? tr("The local background is measured in images, not in volumes")
                     : tr("Brighter than the surroundings by some sigma, for sources in the sky (SExtractor)"));
    }
    borderInZ_->setEnabled(objects_.option(&ObjectRule::withoutBorder));
    splitStrength_->setEnabled(objects_.split().has_value());
    const QSignalBlocker quietLow(low_);
    const QSignalBlocker quietHigh(high_);
    showSource();
    dark_->setEnabled(objects_.threshold().has_value());
    const BackgroundThreshold above = objects_.above().value_or(BackgroundThreshold{});
    const QSignalBlocker quietSigmas(sigmas_);
    const QSignalBlocker quietBox(box_);
    sigmas_->setValue(above.sigmas);
    box_->setValue(static_cast<int>(above.box));
    const LevelRange domain = objects_.domain();
    const LevelRange levels = objects_.levels();
    const std::optional<ValueMapping>& mapping = objects_.mapping();
    const QString unit = QString::fromStdString(unitOf(mapping));
    for (ValueBox* box : {low_, high_}) {
        box->setScale(objects_.valueOf(domain.low), objects_.valueOf(domain.high), objects_.valueStep());
        box->setSuffix(unit.isEmpty() ? QString() : u' ' + unit);
    }
    const ValueBounds values = objects_.values();
    coupling::showValue(*low_, values.low);
    coupling::showValue(*high_, values.high);
    const auto describe = [&mapping](ValueBox* box, const QString& what, std::uint16_t level) {
        box->setToolTip(mapping ? QStringLiteral("%1 (%2)").arg(what, vm::levelText(mapping, level)) : what);
    };
    describe(low_, tr("Lowest value that belongs to an object"), levels.low);
    describe(high_, tr("Highest value that belongs to an object"), levels.high);
    const double span = std::max(1, domain.high - domain.low);
    range_->setPositions((levels.low - domain.low) / span, (levels.high - domain.low) / span);
    range_->describe(tr("Lowest value of objects"), vm::greyText(mapping, levels.low), tr("Highest value of objects"),
                     vm::greyText(mapping, levels.high));
}

} // namespace pollard::app
