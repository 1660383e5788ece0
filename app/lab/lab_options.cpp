#include "lab/lab_options.hpp"

#include "lab/lab_painters.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/lab/lab_player_view_model.hpp"
#include "vm/lab/lab_recording.hpp"
#include "vm/lab/lab_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>

#include <algorithm>
#include <array>
#include <limits>

namespace pollard::app {

using Lab = vm::LabViewModel;

LabImageControls::LabImageControls(Lab& lab, QWidget* parent)
    : QWidget(parent), lab_(lab), example_(new QComboBox(this)),
      width_(makeSide("labWidth", tr("Width"), tr("Width of the image, px"))),
      height_(makeSide("labHeight", tr("Height"), tr("Height of the image, px"))), brush_(new WholeBox(this)),
      crop_(new QPushButton(tr("Crop of the image"), this)), undo_(new QPushButton(tr("Undo"), this)) {
    auto* rows = new QGridLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kPanelSpacing);
    rows->addWidget(new SectionLabel(tr("Image"), this), 0, 0, 1, 2);
    example_->setObjectName(QStringLiteral("labExample"));
    example_->addItem(tr("Examples"));
    for (const vm::LabExample& each : vm::labExamples()) {
        example_->addItem(vm::exampleTitle(each));
    }
    explain(example_, tr("Example"), tr("Instructive images"));
    rows->addWidget(example_, 1, 0, 1, 2);
    brush_->setObjectName(QStringLiteral("labBrush"));
    brush_->setRange(0, Lab::kLargestLevel);
    explain(brush_, tr("Level of the brush"),
            tr("The grey level that the mouse paints; right-click takes it from a "
               "pixel"));
    int row = 2;
    const auto add = [&](const QString& title, QSpinBox* box) {
        rows->addWidget(captionFor(box, title), row, 0);
        rows->addWidget(box, row++, 1);
    };
    add(tr("Width"), width_);
    add(tr("Height"), height_);
    add(tr("Brush level"), brush_);
    crop_->setObjectName(QStringLiteral("labCrop"));
    crop_->setEnabled(false);
    explain(crop_, tr("Crop of the image"), tr("Take the pixels in the middle of the view of the open image"));
    undo_->setObjectName(QStringLiteral("labUndo"));
    explain(undo_, tr("Undo"), tr("Undo the last change of the image (Ctrl+Z)"));
    rows->addWidget(crop_, row++, 0, 1, 2);
    rows->addWidget(undo_, row, 0, 1, 2);
    rows->setColumnStretch(1, 1);

    connect(example_, &QComboBox::activated, this, [this](int entry) {
        lab_.loadExample(entry - 1);
        example_->setCurrentIndex(entry);
    });
    couple(width_, lab_, &Lab::width, &Lab::setWidth, &Lab::imageChanged);
    couple(height_, lab_, &Lab::height, &Lab::setHeight, &Lab::imageChanged);
    couple(brush_, lab_, &Lab::brush, &Lab::setBrush, &Lab::brushChanged);
    connect(crop_, &QPushButton::clicked, this, &LabImageControls::cropWanted);
    connect(undo_, &QPushButton::clicked, &lab_, &Lab::undo);
    follow(this, &LabImageControls::showState, lab_, &Lab::imageChanged);
}

QSpinBox* LabImageControls::makeSide(const char* name, const QString& title, const QString& tip) {
    auto* box = new WholeBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(1, static_cast<int>(teach::kLabSide));
    box->setKeyboardTracking(false);
    explain(box, title, tip);
    return box;
}

void LabImageControls::showState() {
    undo_->setEnabled(lab_.canUndo());
    int entry = 0;
    const auto examples = vm::labExamples();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        if (examples[i].image == lab_.image()) {
            entry = static_cast<int>(i) + 1;
        }
    }
    example_->setCurrentIndex(entry);
}

namespace {

using Player = vm::LabPlayerViewModel;
using teach::PlayerSpec;

constexpr int kFewestThreads = 2;
constexpr int kMostThreads = 8;
constexpr int kTurnColumns = 4;
constexpr double kLargestBound = 1e6;
constexpr int kSwatch = 12; ///< px
/// Attributes that a student can compute by hand.
constexpr std::array kAttributes{AttributeId::area,     AttributeId::height, AttributeId::volume,  AttributeId::width,
                                 AttributeId::heightPx, AttributeId::level,  AttributeId::contrast};

QIcon swatch(const QColor& colour) {
    QPixmap pixmap(kSwatch, kSwatch);
    pixmap.fill(colour);
    return pixmap;
}

/// Shows or hides a control with its caption.
void setShown(const QGridLayout& rows, QWidget* control, bool shown) {
    control->setVisible(shown);
    const int at = rows.indexOf(control);
    int row = 0;
    int column = 0;
    int rowSpan = 0;
    int columnSpan = 0;
    rows.getItemPosition(at, &row, &column, &rowSpan, &columnSpan);
    if (column > 0) {
        rows.itemAtPosition(row, 0)->widget()->setVisible(shown);
    }
}

} // namespace

LabOptions::LabOptions(Player& player, QWidget* parent)
    : QWidget(parent), player_(player), rows_(new QGridLayout(this)) {
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(kPanelSpacing);
    rows_->setColumnStretch(1, 1);
    makePlayer();
    makeTree();
    makeThreads();
    makeFilter();
    follow(this, &LabOptions::showState, player_, &Player::specChanged);
    follow(this, &LabOptions::showTurns, player_, &Player::recordingChanged, &Player::stepChanged);
}

template <class Change> void LabOptions::choose(const Change& change) {
    PlayerSpec spec = player_.spec();
    change(spec);
    player_.setSpec(spec);
}

template <class Control, class Value>
void LabOptions::coupleOption(Control* control, Value teach::PlayerSpec::*member) {
    couple(
        control, player_, [member](const Player& player) { return player.spec().*member; },
        [this, member](Player&, Value value) { choose([&](PlayerSpec& spec) { spec.*member = value; }); },
        &Player::specChanged);
}

void LabOptions::add(const QString& title, QWidget* control) {
    const int row = rows_->rowCount();
    rows_->addWidget(captionFor(control, title), row, 0);
    rows_->addWidget(control, row, 1);
}

QComboBox* LabOptions::makeChoice(const char* name, const QString& title, const QString& tip) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    explain(box, title, tip);
    add(title, box);
    return box;
}

QSpinBox* LabOptions::makeNumber(const char* name, const QString& title, const QString& tip, int least, int most) {
    auto* box = new WholeBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    explain(box, title, tip);
    add(title, box);
    return box;
}

QComboBox* LabOptions::makeAlgorithms(const char* name) {
    auto* box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(24);
    for (const teach::PlayerInfo& each : teach::players()) {
        box->addItem(vm::teachText(each.title));
        box->setItemData(box->count() - 1, vm::teachText(each.summary), Qt::ToolTipRole);
    }
    box->view()->setMinimumWidth(box->view()->sizeHintForColumn(0));
    return box;
}

void LabOptions::makePlayer() {
    rows_->addWidget(new SectionLabel(tr("Algorithm"), this), 0, 0, 1, 2);
    algorithm_ = makeAlgorithms("labPlayer");
    explain(algorithm_, tr("Algorithm"), tr("Algorithm to play step by step"));
    rows_->addWidget(algorithm_, 1, 0, 1, 2);
    connect(algorithm_, &QComboBox::activated, &player_, &Player::setPlayer);
    beside_ = makeAlgorithms("labPlayerBeside");
    beside_->insertItem(0, tr("Compare with…"));
    explain(
        beside_, tr("Compare with"),
        tr("Show another algorithm on the same image beside the first, at the same share of its steps; the first entry "
           "shows none"));
    rows_->addWidget(beside_, 2, 0, 1, 2);
    connect(beside_, &QComboBox::activated, &player_, [this](int entry) { player_.setBeside(entry - 1); });
    const auto show = [this] { beside_->setCurrentIndex(player_.beside() + 1); };
    connect(&player_, &Player::besideChanged, this, show);
    show();
}

void LabOptions::makeTree() {
    kind_ = makeChoice("labKind", tr("Tree"), tr("Bright components (max-tree) or dark ones (min-tree)"));
    kind_->addItem(tr("Max-tree"), static_cast<int>(TreeKind::max));
    kind_->addItem(tr("Min-tree"), static_cast<int>(TreeKind::min));
    connectivity_ = makeChoice("labConnectivity", tr("Neighbours"),
                               tr("Pixels are joined across their sides, or across their corners as well"));
    connectivity_->addItem(tr("4"), static_cast<int>(Connectivity::four));
    connectivity_->addItem(tr("8"), static_cast<int>(Connectivity::eight));
    tile_ = makeChoice("labTile", tr("Tiles"), tr("Side of the tiles, px"));
    for (const int side : {2, 4, 8}) {
        tile_->addItem(tr("%1 x %1 px").arg(side), side);
    }
    coupleOption(kind_, &PlayerSpec::kind);
    coupleOption(connectivity_, &PlayerSpec::connectivity);
    coupleOption(tile_, &PlayerSpec::tileSide);
}

void LabOptions::makeThreads() {
    threads_ = makeNumber("labThreads", tr("Threads"), tr("Number of virtual threads"), kFewestThreads, kMostThreads);
    turns_ = makeChoice("labTurns", tr("Turns"), tr("Order of the threads' turns"));
    turns_->addItem(tr("In order"), static_cast<int>(teach::Turns::inOrder));
    turns_->addItem(tr("At random"), static_cast<int>(teach::Turns::random));
    turns_->addItem(tr("By hand"), static_cast<int>(teach::Turns::byHand));
    seed_ = makeNumber("labSeed", tr("Seed"), tr("The same number draws the same turns again"), 0,
                       std::numeric_limits<int>::max());
    hand_ = new QWidget(this);
    auto* hand = new QGridLayout(hand_);
    hand->setContentsMargins(0, 0, 0, 0);
    hand->setSpacing(2);
    for (int thread = 0; thread < kMostThreads; ++thread) {
        const QString name = vm::threadName(thread);
        auto* button = new QPushButton(swatch(threadColour(thread)), name, hand_);
        button->setObjectName(QStringLiteral("labTurn%1").arg(name));
        explain(button, tr("Thread %1").arg(name), tr("Let thread %1 do its next operation").arg(name));
        hand->addWidget(button, thread / kTurnColumns, thread % kTurnColumns);
        connect(button, &QPushButton::clicked, &player_, [this, thread] { player_.takeTurn(thread); });
        turnButtons_ << button;
    }
    turnBack_ = new QPushButton(tr("Undo"), hand_);
    turnBack_->setObjectName(QStringLiteral("labTurnBack"));
    explain(turnBack_, tr("Undo"), tr("Undo the last turn"));
    hand->addWidget(turnBack_, 2, 0, 1, kTurnColumns);
    connect(turnBack_, &QPushButton::clicked, &player_, &Player::takeTurnBack);
    rows_->addWidget(hand_, rows_->rowCount(), 0, 1, 2);
    coupleOption(threads_, &PlayerSpec::threads);
    coupleOption(seed_, &PlayerSpec::seed);
    connect(turns_, &QComboBox::activated, this, [this] {
        choose([this](PlayerSpec& spec) { spec.turns = static_cast<teach::Turns>(turns_->currentData().toInt()); });
    });
}

void LabOptions::makeFilter() {
    attribute_ = makeChoice("labAttribute", tr("Attribute"), tr("Attribute that the filter measures"));
    for (const AttributeId id : kAttributes) {
        attribute_->addItem(vm::attributeTitle(id), static_cast<int>(id));
        attribute_->setItemData(attribute_->count() - 1, vm::attributeDetails(id), Qt::ToolTipRole);
    }
    minimum_ = new NumberBox(this);
    minimum_->setObjectName(QStringLiteral("labMinimum"));
    minimum_->setRange(0, kLargestBound);
    minimum_->setDecimals(0);
    explain(minimum_, tr("At least"), tr("Components whose attribute is less do not meet the criterion"));
    add(tr("At least"), minimum_);
    threshold_ = makeNumber("labThreshold", tr("Threshold"), tr("Objects are pixels of at least this level"), 0,
                            std::numeric_limits<std::uint16_t>::max());
    const auto criterion = [this] {
        choose([this](PlayerSpec& spec) {
            spec.filter.criteria = {{static_cast<AttributeId>(attribute_->currentData().toInt()), minimum_->value(),
                                     std::numeric_limits<double>::infinity()}};
        });
    };
    connect(attribute_, &QComboBox::activated, this, criterion);
    connect(minimum_, &QDoubleSpinBox::valueChanged, this, criterion);
    coupleOption(threshold_, &PlayerSpec::threshold);
}

void LabOptions::showState() {
    const PlayerSpec& spec = player_.spec();
    const teach::PlayerInfo& info = player_.info();
    const QSignalBlocker quietMinimum(minimum_);
    const auto select = [](QComboBox* box, int value) { box->setCurrentIndex(box->findData(value)); };
    algorithm_->setCurrentIndex(player_.player());
    const bool byHand = info.asksThreads && spec.turns == teach::Turns::byHand;
    const bool atRandom = spec.turns == teach::Turns::random;
    select(turns_, static_cast<int>(byHand || atRandom ? spec.turns : teach::Turns::inOrder));
    const auto* const turns = qobject_cast<QStandardItemModel*>(turns_->model());
    turns->item(turns_->findData(static_cast<int>(teach::Turns::byHand)))->setEnabled(info.asksThreads);
    if (!spec.filter.criteria.empty()) {
        select(attribute_, static_cast<int>(spec.filter.criteria.front().attribute));
        minimum_->setValue(spec.filter.criteria.front().minimum);
    }
    for (QWidget* control : {kind_, connectivity_}) {
        setShown(*rows_, control, info.asksTree);
    }
    setShown(*rows_, tile_, info.asksTiles);
    setShown(*rows_, threads_, info.asksThreads);
    setShown(*rows_, turns_, info.asksThreads || info.asksTurns);
    setShown(*rows_, seed_, (info.asksThreads || info.asksTurns) && atRandom);
    hand_->setVisible(byHand);
    for (QWidget* control : std::initializer_list<QWidget*>{attribute_, minimum_}) {
        setShown(*rows_, control, info.asksFilter);
    }
    setShown(*rows_, threshold_, info.asksThreshold);
}

void LabOptions::showTurns() {
    const std::vector<std::uint8_t> able = player_.choices();
    const int threads = static_cast<int>(player_.spec().threads);
    for (int thread = 0; thread < turnButtons_.size(); ++thread) {
        turnButtons_[thread]->setVisible(thread < threads);
        turnButtons_[thread]->setEnabled(std::ranges::find(able, thread) != able.end());
    }
    turnBack_->setEnabled(!player_.spec().hand.empty());
}

} // namespace pollard::app
