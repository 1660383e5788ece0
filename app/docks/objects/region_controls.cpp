#include "docks/objects/region_controls.hpp"

#include "components/objects/object_rule.hpp"
#include "overlays/objects_overlay.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/best_learning.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QColor>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QPaintEvent>
#include <QPainter>
#include <QPalette>
#include <QSignalBlocker>
#include <QSize>
#include <QSizePolicy>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

namespace pollard::app {

namespace {

using Objects = vm::ObjectsViewModel;
using Regions = vm::ObjectRegions;
using vm::FindBy;
using vm::LogScale;

constexpr double kLargestSize = 1e18;
constexpr int kPercent = 100;
constexpr std::array kRegionWays{FindBy::best, FindBy::watershed, FindBy::hierarchy, FindBy::labels};

/// Adds an entry with a tooltip.
template <class Value> void addEntry(QComboBox* box, const QString& title, Value value, const QString& toolTip) {
    box->addItem(title, static_cast<int>(value));
    box->setItemData(box->count() - 1, toolTip, Qt::ToolTipRole);
}

QSlider* logSlider(QSlider* slider) {
    slider->setOrientation(Qt::Horizontal);
    slider->setRange(0, LogScale::kSteps);
    slider->setPageStep(LogScale::kSteps / 20);
    return slider;
}

void showScale(ValueBox* box, const LogScale& scale, double value, const QString& unit) {
    const QSignalBlocker quiet(box);
    box->setScale(scale.none, scale.most, std::max(scale.least - scale.none, 1e-12));
    box->setSuffix(unit.isEmpty() ? QString() : u' ' + unit);
    coupling::showValue(*box, value);
}

void showPosition(QSlider* slider, int position) {
    const QSignalBlocker quiet(slider);
    slider->setValue(position);
}

} // namespace

/// The colours of boundaries from the weakest to the strongest one, with their strengths; the part up to the cut is a
/// line. Without a scale it takes no place.
class StrengthScale : public QWidget {
public:
    using QWidget::QWidget;

    void show(const std::optional<LogScale>& scale, double cut, const QString& unit) {
        const bool isOther = scale.has_value() != scale_.has_value();
        scale_ = scale;
        cut_ = cut;
        weakest_ = scale ? vm::shortValue(scale->least) : QString();
        strongest_ = scale ? vm::withUnit(vm::shortValue(scale->most), unit.toStdString()) : QString();
        setAccessibleDescription(RegionControls::tr("%1 to %2").arg(weakest_, strongest_));
        if (isOther) {
            updateGeometry();
        }
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {0, scale_ ? fontMetrics().height() : 0}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        if (!scale_) {
            return;
        }
        constexpr int kGap = 6;
        QPainter painter(this);
        const int from = fontMetrics().horizontalAdvance(weakest_) + kGap;
        const int to = width() - fontMetrics().horizontalAdvance(strongest_) - kGap;
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, weakest_);
        painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, strongest_);
        const double cut = cut_ > scale_->none ? scale_->positionOf(cut_) / double{LogScale::kSteps} : 0;
        const int middle = height() / 2;
        for (int x = from; x < to; ++x) {
            const double share = (x - from) / static_cast<double>(std::max(to - from, 1));
            painter.setPen(share < cut ? palette().color(QPalette::Mid) : QColor::fromRgba(strengthColour(share)));
            const int half = share < cut ? 0 : height() / 3;
            painter.drawLine(x, middle - half, x, middle + half);
        }
    }

private:
    std::optional<LogScale> scale_;
    double cut_ = 0;
    QString weakest_;
    QString strongest_;
};

RegionControls::RegionControls(Objects& objects, const vm::ObjectTableModel& table, QWidget* parent)
    : QObject(parent), objects_(objects), regions_(objects.regions()), learning_(objects.learning()), table_(table) {
    makeBest(parent);
    makeLearning(parent);
    makeWatershed(parent);
    makeHierarchy(parent);
    makeLabels(parent);
    for (const FindBy way : kRegionWays) {
        auto* const state = new CaptionLabel(QString(), parent);
        state->setObjectName(QStringLiteral("objectsFound%1").arg(static_cast<int>(way)));
        state->setTextFormat(Qt::PlainText);
        states_.push_back(state);
    }
    connect(&regions_, &Regions::markingChanged, this, &RegionControls::refresh);
    connect(&table_, &vm::ObjectTableModel::unitChanged, this, &RegionControls::refresh);
    connect(&objects_, &Objects::changed, this, &RegionControls::refresh);
    connect(&objects_, &Objects::progressChanged, this, &RegionControls::showState);
    follow(this, &RegionControls::refresh, objects_, &Objects::settingsChanged);
}

std::vector<ControlRow> RegionControls::rows(FindBy way) const {
    switch (way) {
    case FindBy::threshold:
        break;
    case FindBy::best:
        return {{tr("Si&ze"), size_, dark_},   {tr("Stri&ctness"), strictness_, strictnessText_},
                {QString(), mark_, clear_},    {QString(), next_, answers_},
                {QString(), learn_, builtIn_}, {QString(), states_[0], nullptr}};
    case FindBy::watershed:
        return {{tr("Relief"), relief_, lines_},
                {tr("&Seeds"), seeds_, nullptr},
                {tr("At least"), least_, leastValue_},
                {QString(), states_[1], nullptr}};
    case FindBy::hierarchy:
        return {{tr("&Strength"), strength_, nullptr}, {tr("&Weight"), weight_, nullptr},
                {tr("&Cut"), cut_, cutValue_},         {tr("Dr&aw"), drawing_, nullptr},
                {QString(), scale_, nullptr},          {QString(), states_[2], nullptr}};
    case FindBy::labels:
        return {{tr("File"), labelFile_, chooseLabels_}, {QString(), states_[3], nullptr}};
    }
    return {};
}

void RegionControls::makeBest(QWidget* parent) {
    size_ = new LengthBox(kLargestSize, tr("Automatic"), parent);
    explain(
        size_, "objectsSize", tr("Expected size of an object"),
        tr("Area that objects are expected to have, in the square of the table's unit; in a volume their volume, in "
           "its cube. At 0 it is estimated from the image. A factor of 0.7 to 1.4 makes little difference."));
    dark_ = makeControl<QCheckBox>(parent, "objectsBestDark", tr("Dark objects"),
                                   tr("Objects are darker than their surroundings"), tr("&Dark"));
    strictness_ = new QSlider(Qt::Horizontal, parent);
    explain(strictness_, "objectsStrictness", tr("Strictness"),
            tr("How well a candidate has to fit an object, in percent: a small number finds many objects, a large "
               "number few"));
    strictness_->setRange(1, kPercent - 1);
    strictnessText_ = new CaptionLabel(QString(), parent);
    strictnessText_->setMinimumWidth(strictnessText_->fontMetrics().horizontalAdvance(tr("%1 %").arg(kPercent)));
    mark_ = makeControl<QPushButton>(
        parent, "objectsMark", tr("Add or remove objects by clicks"),
        tr("A click on an object of the image forbids objects at this pixel, a click beside the objects forces an "
           "object there; a second click takes the mark back (Esc ends it)"),
        tr("&Add or remove"));
    mark_->setCheckable(true);
    clear_ = makeControl<QPushButton>(parent, "objectsClearMarks", tr("Clear the marks"),
                                      tr("Take all forced and forbidden pixels back"), QString());
    couple(
        dark_, objects_, [](const Objects& objects) { return objects.option(&ObjectRule::dark); },
        [](Objects& objects, bool on) { objects.setOption(&ObjectRule::dark, on); }, &Objects::settingsChanged);
    connect(size_, &QDoubleSpinBox::valueChanged, this, [this](double size) { regions_.setSize(size, table_.unit()); });
    connect(strictness_, &QSlider::valueChanged, this,
            [this](int percent) { regions_.setStrictness(percent / double{kPercent}); });
    couple(mark_, regions_, &Regions::isMarking, &Regions::setMarking, &Regions::markingChanged);
    connect(clear_, &QPushButton::clicked, &regions_, &Regions::clearMarks);
}

void RegionControls::makeLearning(QWidget* parent) {
    next_ = makeControl<QPushButton>(
        parent, "objectsNextUnsure", tr("Next unsure candidate"),
        tr("Show the candidate whose fit is next to the strictness, with a ring; its answer tells the most"),
        tr("Next unsure"));
    answers_ = new QWidget(parent);
    auto* const yes = makeControl<QPushButton>(answers_, "objectsUnsureYes", tr("The candidate is an object"),
                                               tr("Force an object there and show the next candidate"), tr("Yes"));
    auto* const no = makeControl<QPushButton>(answers_, "objectsUnsureNo", tr("The candidate is no object"),
                                              tr("Forbid objects there and show the next candidate"), tr("No"));
    auto* const row = new QHBoxLayout(answers_);
    row->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* const answer : {yes, no}) {
        answer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // half of the column each
        row->addWidget(answer);
    }
    learn_ = makeControl<QPushButton>(
        parent, "objectsLearnWeights", tr("Learn the weights from the listed objects"),
        tr("Fit the weights of the score to the objects of the table, marked and edited ones, too. Mark or edit the "
           "whole image first: each candidate that is not listed counts as no object"),
        tr("Learn weights"));
    builtIn_ = makeControl<QPushButton>(parent, "objectsBuiltInWeights", tr("Built-in weights"),
                                        tr("Use the weights of the program instead of the learned ones"),
                                        tr("Built-in weights"));
    connect(next_, &QPushButton::clicked, &learning_, &vm::BestLearning::askNext);
    connect(yes, &QPushButton::clicked, this, [this] { learning_.answer(true); });
    connect(no, &QPushButton::clicked, this, [this] { learning_.answer(false); });
    connect(learn_, &QPushButton::clicked, this, [this] { learning_.learn(table_.listing()); });
    connect(builtIn_, &QPushButton::clicked, &learning_, &vm::BestLearning::useBuiltInWeights);
    connect(&learning_, &vm::BestLearning::changed, this, &RegionControls::showLearning);
    connect(&learning_, &vm::BestLearning::changed, this, &RegionControls::showState);
}

void RegionControls::makeWatershed(QWidget* parent) {
    relief_ = new QComboBox(parent);
    explain(relief_, "objectsRelief", tr("What the watershed floods"),
            tr("The regions of the watershed lie within the threshold and separate objects that touch"));
    addEntry(relief_, tr("Values"), Relief::levels, tr("From bright maxima downwards, of dark objects from minima up"));
    addEntry(relief_, tr("Gradient"), Relief::gradient, tr("From flat parts to edges"));
    addEntry(relief_, tr("Distance"), Relief::distance, tr("Distance to the background: from thick parts to necks"));
    lines_ = makeControl<QCheckBox>(parent, "objectsLines", tr("Lines between the regions"),
                                    tr("Pixels of lines between regions belong to no object"), tr("Lines"));
    seeds_ = new QComboBox(parent);
    explain(seeds_, "objectsSeeds", tr("Measure of seeds"),
            tr("Which maxima of the relief (minima of dark objects and of gradients) are seeds of regions"));
    addEntry(seeds_, tr("Height"), SeedMeasure::height, tr("h-maxima: they rise more than this above their pass"));
    addEntry(seeds_, tr("Dynamics"), SeedMeasure::dynamics, tr("Rise above the pass to a higher maximum"));
    addEntry(seeds_, tr("Area"), SeedMeasure::area, tr("Pixels above the pass"));
    addEntry(seeds_, tr("Volume"), SeedMeasure::volume, tr("Sum of the rises of the pixels above the pass"));
    least_ = logSlider(new QSlider(parent));
    leastValue_ = new ValueBox(parent);
    explain(least_, "objectsLeast", tr("Least measure of a seed"),
            tr("Maxima with less are no seeds: to the right there are fewer and larger regions. The last maximum of "
               "each object always is a seed. In values of the image, px of distance, or px"));
    explain(leastValue_, "objectsLeastValue", tr("Least measure of a seed"), least_->toolTip());
    shorten(*relief_);
    shorten(*seeds_);
    couple(
        relief_, regions_, [](const Regions& regions) { return regions.watershed().relief; },
        [](Regions& regions, Relief relief) { regions.setRelief(relief); });
    couple(
        seeds_, regions_, [](const Regions& regions) { return regions.watershed().by; },
        [](Regions& regions, SeedMeasure by) { regions.setSeeds(by); });
    connect(lines_, &QCheckBox::toggled, &regions_, &Regions::setLines);
    connect(least_, &QSlider::valueChanged, this,
            [this](int position) { regions_.setLeast(regions_.leastScale().at(position)); });
    connect(leastValue_, &ValueBox::valueChanged, &regions_, &Regions::setLeast);
}

void RegionControls::makeHierarchy(QWidget* parent) {
    strength_ = new QComboBox(parent);
    explain(strength_, "objectsStrength", tr("Strength of boundaries"),
            tr("What makes the boundary between two regions strong"));
    addEntry(strength_, tr("Area"), Strength::area, tr("Pixels of the smaller basin"));
    addEntry(strength_, tr("Dynamics"), Strength::dynamics, tr("Rise above the lowest weight of the flatter basin"));
    addEntry(strength_, tr("Volume"), Strength::volume, tr("Sum of the rises over the pixels of the smaller basin"));
    addEntry(strength_, tr("Altitude"), Strength::altitude, tr("Smallest weight that connects them: flat zones"));
    weight_ = new QComboBox(parent);
    explain(weight_, "objectsWeight", tr("Weight between neighbours"),
            tr("Weight of the edge between two neighbouring pixels"));
    addEntry(weight_, tr("Difference"), EdgeWeight::difference, tr("Difference of the values, for an image"));
    addEntry(weight_, tr("Maximum"), EdgeWeight::maximum, tr("Larger value, for a gradient or another relief"));
    cut_ = logSlider(new QSlider(parent));
    cutValue_ = new ValueBox(parent);
    explain(cut_, "objectsCut", tr("Cut of the hierarchy"),
            tr("Boundaries up to this strength are removed: to the right there are fewer and larger regions"));
    explain(cutValue_, "objectsCutValue", tr("Cut of the hierarchy"),
            tr("Boundaries up to this strength are removed, in values of the image or px"));
    for (QComboBox* box : {strength_, weight_}) {
        shorten(*box);
    }
    couple(
        strength_, regions_, [](const Regions& regions) { return regions.hierarchy().strength; },
        [](Regions& regions, Strength strength) { regions.setStrength(strength); });
    couple(
        weight_, regions_, [](const Regions& regions) { return regions.hierarchy().weight; },
        [](Regions& regions, EdgeWeight weight) { regions.setWeight(weight); });
    connect(cut_, &QSlider::valueChanged, this, [this](int position) {
        if (const auto scale = regions_.cutScale()) {
            regions_.setCut(scale->at(position));
        }
    });
    connect(cutValue_, &ValueBox::valueChanged, &regions_, &Regions::setCut);
    drawing_ = new QComboBox(parent);
    explain(drawing_, "objectsDrawing", tr("What is drawn of the regions"),
            tr("The colour of each region, or the boundaries between the regions"));
    addEntry(drawing_, tr("Labels"), HierarchyDrawing::labels, tr("Each region in the colour of its label or class"));
    addEntry(drawing_, tr("Means"), HierarchyDrawing::means, tr("Each region in the colour of its mean value"));
    addEntry(drawing_, tr("Boundaries"), HierarchyDrawing::boundaries,
             tr("The boundaries that are stronger than the cut, in the colours of their strengths"));
    shorten(*drawing_);
    couple(
        drawing_, objects_, [](const Objects& objects) { return objects.drawing(); },
        [](Objects& objects, HierarchyDrawing drawing) { objects.setDrawing(drawing); }, &Objects::opacityChanged);
    scale_ = new StrengthScale(parent);
    explain(
        scale_, "objectsStrengthScale", tr("Strengths of the boundaries"),
        tr("Colours of the boundaries, from the weakest to the strongest boundary; those up to the cut are removed"));
    connect(&objects_, &Objects::opacityChanged, this, &RegionControls::showHierarchy);
}

void RegionControls::makeLabels(QWidget* parent) {
    labelFile_ = new QLineEdit(parent);
    explain(labelFile_, "objectsLabelFile", tr("File of labels"),
            tr("Label image of the same size as this image, or outlines: each number is an object, which keeps it. A "
               "name without a folder is beside the image; {stem} is the image's name without its ending, so that "
               "each image has its own file"));
    chooseLabels_ = makeControl<QPushButton>(
        parent, "objectsChooseLabels", tr("Choose a file of labels"),
        tr("Choose a label image (TIFF, PNG, OME-Zarr, NIfTI) or outlines (GeoJSON, COCO, ImageJ)"), tr("…"));
    connect(labelFile_, &QLineEdit::editingFinished, this, [this] { regions_.setLabelFile(labelFile_->text()); });
    connect(chooseLabels_, &QPushButton::clicked, this, &RegionControls::chooseLabels);
}

void RegionControls::chooseLabels() {
    const QString folder = QFileInfo(objects_.document().path()).path();
    const QString path = QFileDialog::getOpenFileName(chooseLabels_->window(), tr("Choose labels"), folder);
    if (!path.isEmpty()) {
        regions_.chooseLabelFile(path);
    }
}

void RegionControls::refresh() {
    if (!labelFile_->hasFocus() || !labelFile_->isModified()) {
        labelFile_->setText(regions_.labelFile());
    }
    showBest();
    showWatershed();
    showHierarchy();
    showState();
}

void RegionControls::showBest() {
    const BestRule& rule = regions_.best();
    const LengthUnit unit = table_.unit();
    const QSignalBlocker quietSize(size_);
    size_->setSuffix(u' ' + vm::unitText(unit, dimension()));
    coupling::showValue(*size_, regions_.sizeIn(unit));
    const int percent = static_cast<int>(std::lround(kPercent * rule.strictness));
    showPosition(strictness_, percent);
    strictnessText_->setText(tr("%1 %").arg(QLocale().toString(percent)));
    const auto marks = static_cast<int>(rule.marks.size());
    clear_->setText(marks == 0 ? tr("Clear") : tr("Clear %1").arg(QLocale().toString(marks)));
    clear_->setEnabled(marks != 0);
    showLearning();
}

void RegionControls::showLearning() {
    next_->setEnabled(learning_.canAsk());
    answers_->setEnabled(learning_.question().has_value());
    learn_->setEnabled(learning_.canLearn());
    builtIn_->setEnabled(learning_.hasWeights());
}

void RegionControls::showWatershed() {
    const WatershedRule& rule = regions_.watershed();
    const QSignalBlocker quietRelief(relief_);
    const QSignalBlocker quietLines(lines_);
    const QSignalBlocker quietSeeds(seeds_);
    coupling::showValue(*relief_, static_cast<int>(rule.relief));
    coupling::showValue(*seeds_, static_cast<int>(rule.by));
    lines_->setChecked(rule.lines);
    const LogScale scale = regions_.leastScale();
    showPosition(least_, scale.positionOf(rule.least));
    showScale(leastValue_, scale, rule.least, regions_.leastUnit());
}

void RegionControls::showHierarchy() {
    const HierarchyRule& rule = regions_.hierarchy();
    const QSignalBlocker quietStrength(strength_);
    const QSignalBlocker quietWeight(weight_);
    coupling::showValue(*strength_, static_cast<int>(rule.strength));
    coupling::showValue(*weight_, static_cast<int>(rule.weight));
    const std::optional<LogScale> scale = regions_.cutScale();
    cut_->setEnabled(scale.has_value());
    cutValue_->setEnabled(scale.has_value());
    if (scale) {
        showPosition(cut_, scale->positionOf(regions_.cut()));
        showScale(cutValue_, *scale, regions_.cut(), regions_.cutUnit());
    }
    scale_->show(objects_.drawing() == HierarchyDrawing::boundaries ? scale : std::nullopt, regions_.cut(),
                 regions_.cutUnit());
}

Dimension RegionControls::dimension() const {
    return objects_.document().isVolume() ? Dimension::volume : Dimension::area;
}

QString RegionControls::bestText() const {
    if (!learning_.problem().isEmpty()) {
        return learning_.problem();
    }
    if (const auto& question = learning_.question()) {
        return question->isObject ? tr("Is the candidate in the ring an object? By the scores it is.")
                                  : tr("Is the candidate in the ring an object? By the scores it is not.");
    }
    if (const std::uint32_t unmet = regions_.unmetMarks(); unmet != 0) {
        return unmet == 1 ? tr("1 mark has no object: no candidate contains it, or another mark excludes it")
                          : tr("%1 marks have no object: no candidate contains them, or other marks exclude them")
                                .arg(vm::countText(unmet));
    }
    const double size = regions_.expectedSizeIn(table_.unit());
    const QString text = vm::withUnit(vm::shortValue(size), vm::unitText(table_.unit(), dimension()).toStdString());
    return size <= 0                        ? QString()
           : dimension() == Dimension::area ? tr("Expected area: %1").arg(text)
                                            : tr("Expected volume: %1").arg(text);
}

void RegionControls::showState() {
    const auto found = objects_.objects();
    const bool isComputing = objects_.state() == Objects::State::computing;
    const QLocale locale;
    QString text;
    if (isComputing && objects_.progress() > 0 && objects_.progress() < 1) {
        text = tr("Computing… %1 %").arg(locale.toString(static_cast<int>(kPercent * objects_.progress())));
    } else if (regions_.way() == FindBy::best) {
        text = bestText();
    } else if (const auto count = regions_.way() == FindBy::hierarchy ? regions_.regionCount()
                                  : found ? std::optional<std::size_t>(found->components.count)
                                          : std::nullopt) {
        const bool areObjects = regions_.way() == FindBy::labels;
        text = *count == 1 ? (areObjects ? tr("1 object") : tr("1 region"))
                           : (areObjects ? tr("%1 objects") : tr("%1 regions")).arg(vm::countText(*count));
    }
    for (QLabel* state : states_) {
        state->setText(text);
    }
}

} // namespace pollard::app
