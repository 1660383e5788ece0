#include "docks/channel_controls.hpp"

#include "docks/charts/level_charts.hpp"
#include "theme/colours.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/image/look.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QColorDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QMenu>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

using Composite = vm::CompositeViewModel;

constexpr QSize kSwatch(40, 14);
constexpr int kMostRows = 8;     ///< of the list, without scrolling
constexpr int kRowSpacing = 2;   ///< px around a row of the list
constexpr int kNumberWidth = 64; ///< px, minimum

struct NamedColour {
    const char* name;
    Qt::GlobalColor colour;
};
constexpr std::array kColours{
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Red"), Qt::red},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Green"), Qt::green},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Blue"), Qt::blue},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Cyan"), Qt::cyan},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Magenta"), Qt::magenta},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "Yellow"), Qt::yellow},
    NamedColour{QT_TRANSLATE_NOOP("pollard::app::ChannelControls", "White"), Qt::white},
};

QIcon swatchOf(const QColor& colour) {
    QPixmap pixmap(kSwatch);
    pixmap.fill(colour);
    return QIcon(pixmap);
}

QPushButton* makeButton(QWidget* parent, const QString& objectName, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(objectName);
    explain(button, text, toolTip);
    return button;
}

} // namespace

ChannelControls::ChannelControls(Composite& composite, QWidget* parent) : QWidget(parent), composite_(composite) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing);
    state_ = new CaptionLabel({}, this);
    state_->setObjectName(QStringLiteral("channelState"));
    state_->setWordWrap(true);
    addList(*layout);
    addButtons(*layout);
    addCutOut(*layout);
    layout->addWidget(state_);
    chart_ = new ChannelHistograms(composite_, this);
    layout->addWidget(chart_, 1);
    addWindow(*layout);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ChannelControls::showRow);
    connect(&composite_, &Composite::looksChanged, this, &ChannelControls::showRow);
    connect(&composite_, &Composite::stateChanged, this, &ChannelControls::showState);
    follow(this, &ChannelControls::selectSource, composite_, &Composite::channelsChanged);
    showState();
}

void ChannelControls::addList(QBoxLayout& layout) {
    list_ = makeControl<QListView>(this, "channelList", tr("Channels"),
                                   tr("Ticked channels are added in their colours, at most %1. Drag to reorder; window "
                                      "and colour below belong to the selected channel.")
                                       .arg(Composite::kMostShown));
    list_->setModel(&composite_);
    list_->setIconSize({14, 14});
    list_->setSpacing(kRowSpacing);
    list_->setDragDropMode(QAbstractItemView::InternalMove);
    list_->setDefaultDropAction(Qt::MoveAction);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideMiddle);
    layout.addWidget(list_);
}

void ChannelControls::addButtons(QBoxLayout& layout) {
    filter_ = makeButton(this, QStringLiteral("filterChannel"), tr("Filter"),
                         tr("Builds the tree of the selected channel and filters it"));
    solo_ = makeButton(this, QStringLiteral("soloChannel"), tr("Solo"), tr("Shows the selected channel alone"));
    solo_->setCheckable(true);
    colour_ = makeButton(this, QStringLiteral("channelColour"), tr("Colour"),
                         tr("Colour of the selected channel at the upper end of its window, or a colour map"));
    colour_->setMenu(new QMenu(colour_));
    bands_ = makeButton(this, QStringLiteral("bandComposite"), tr("Presets"),
                        tr("Three bands as red, green and blue, or the colours that the file suggests"));
    bands_->setMenu(new QMenu(bands_));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton* button : {colour_, solo_, filter_, bands_}) {
        button->setMinimumWidth(0);
        buttons->addWidget(button);
    }
    layout.addLayout(buttons);
    fillColours();
    connect(bands_->menu(), &QMenu::aboutToShow, this, &ChannelControls::fillBands);
    connect(filter_, &QPushButton::clicked, this, [this] { changeRow(&Composite::filterOn); });
    connect(solo_, &QPushButton::toggled, this,
            [this](bool on) { composite_.setSolo(on && row() >= 0 ? std::optional(row()) : std::nullopt); });
}

void ChannelControls::addCutOut(QBoxLayout& layout) {
    auto* box = makeControl<QCheckBox>(
        this, "cutsOut", tr("Masks cut out all channels"),
        tr("With the mask as result of the filter: shows all channels where the filter keeps objects, and black "
           "elsewhere"),
        tr("Masks cut out all channels"));
    layout.addWidget(box);
    couple(box, composite_, &Composite::cutsOut, &Composite::setCutsOut, &Composite::looksChanged);
}

void ChannelControls::fillColours() {
    QMenu& menu = *colour_->menu();
    for (const NamedColour& named : kColours) {
        const QColor colour(named.colour);
        menu.addAction(swatchOf(colour), tr(named.name), this,
                       [this, colour] { changeRow([&](Composite& c, int row) { c.setColour(row, colour); }); });
    }
    menu.addAction(tr("Other…"), this, &ChannelControls::chooseColour);
    menu.addSeparator();
    for (const vm::ColourMap map : vm::kColourMaps) {
        menu.addAction(colourMapIcon(map, kSwatch), vm::titleOf(map), this,
                       [this, map] { changeRow([&](Composite& c, int row) { c.setColourMap(row, map); }); });
    }
}

void ChannelControls::fillBands() {
    QMenu& menu = *bands_->menu();
    menu.clear();
    for (std::size_t i = 0; i < vm::kBandComposites.size(); ++i) {
        if (composite_.offers(i)) {
            menu.addAction(vm::titleOf(vm::kBandComposites[i]), this, [this, i] { composite_.showBands(i); });
        }
    }
    menu.addSeparator();
    menu.addAction(tr("Colours of the file"), &composite_, &Composite::resetLooks);
}

void ChannelControls::chooseColour() {
    if (row() >= 0) {
        const QColor colour = QColorDialog::getColor(composite_.look(row()).colour, this, tr("Colour of the channel"));
        changeRow([&](Composite& composite, int row) { composite.setColour(row, colour); });
    }
}

void ChannelControls::addWindow(QBoxLayout& layout) {
    window_ = new QWidget(this);
    low_ = makeControl<ValueBox>(window_, "channelLow", tr("Black level of the channel"),
                                 tr("Value of the selected channel that is black"));
    high_ = makeControl<ValueBox>(window_, "channelHigh", tr("Full level of the channel"),
                                  tr("Value of the selected channel in its full colour"));
    gamma_ = makeControl<NumberBox>(window_, "channelGamma", tr("Gamma of the channel"),
                                    tr("Power of the tone curve: below 1 the dark parts become brighter"));
    setFormat(gamma_, {.least = vm::kSmallestGamma, .most = vm::kLargestGamma, .step = 0.1, .decimals = 2});
    auto* automatic =
        makeControl<QPushButton>(window_, "channelAuto", tr("Automatic window of the channel"),
                                 tr("Window from the darkest to the brightest 0.1 % of the pixels"), tr("Auto"));
    auto* full =
        makeControl<QPushButton>(window_, "channelFull", tr("Full range of the channel"),
                                 tr("Window from 0 to the largest level that the pixel type holds"), tr("Full"));
    auto* grid = gridOf(
        {{captionFor(low_, tr("Blac&k")), captionFor(high_, tr("F&ull colour")), captionFor(gamma_, tr("&Gamma"))},
         {low_, high_, gamma_},
         {automatic, full}},
        4);
    grid->setContentsMargins(0, 0, 0, 0);
    window_->setLayout(grid);
    for (QWidget* widget : std::initializer_list<QWidget*>{low_, high_, gamma_}) {
        widget->setMinimumWidth(kNumberWidth);
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    layout.addWidget(window_);
    const auto setEdge = [this](double vm::LevelWindow::*edge, double value) {
        changeRow([&](Composite& composite, int row) {
            if (const Composite::Plane* plane = composite.plane(row)) {
                vm::LevelWindow window = composite.window(row);
                window.*edge = vm::levelOf(value, plane->mapping);
                composite.setWindow(row, window);
            }
        });
    };
    connect(low_, &QDoubleSpinBox::valueChanged, this,
            [setEdge](double value) { setEdge(&vm::LevelWindow::low, value); });
    connect(high_, &QDoubleSpinBox::valueChanged, this,
            [setEdge](double value) { setEdge(&vm::LevelWindow::high, value); });
    connect(gamma_, &QDoubleSpinBox::valueChanged, this,
            [this](double gamma) { changeRow([&](Composite& c, int row) { c.setGamma(row, gamma); }); });
    connect(automatic, &QPushButton::clicked, this, [this] { changeRow(&Composite::autoWindow); });
    connect(full, &QPushButton::clicked, this, [this] { changeRow(&Composite::fullWindow); });
}

int ChannelControls::row() const { return list_->currentIndex().row(); }

template <class Change> void ChannelControls::changeRow(Change change) {
    if (row() >= 0) {
        std::invoke(change, composite_, row());
    }
}

void ChannelControls::selectSource() {
    if (composite_.sourceRow() >= 0) {
        list_->setCurrentIndex(composite_.index(composite_.sourceRow()));
    }
    const int rows = std::clamp(composite_.count(), 2, kMostRows);
    const int height = std::max(list_->sizeHintForRow(0), list_->fontMetrics().height()) + 2 * kRowSpacing;
    list_->setFixedHeight(rows * height + 2 * list_->frameWidth() + 2 * kRowSpacing);
    showRow();
}

void ChannelControls::showRow() {
    const int selected = row();
    chart_->setRow(selected);
    const bool valid = selected >= 0;
    const bool isRead = valid && composite_.plane(selected) != nullptr;
    window_->setEnabled(isRead);
    colour_->setEnabled(valid);
    solo_->setEnabled(valid);
    filter_->setEnabled(valid && !composite_.isSource(selected));
    const QSignalBlocker quietSolo(solo_);
    solo_->setChecked(valid && composite_.solo() == selected);
    if (!valid) {
        return;
    }
    const vm::ChannelLook& look = composite_.look(selected);
    colour_->setIcon(look.map ? colourMapIcon(*look.map, kSwatch) : swatchOf(look.colour));
    if (isRead) {
        const QSignalBlocker quietLow(low_);
        const QSignalBlocker quietHigh(high_);
        const QSignalBlocker quietGamma(gamma_);
        const auto& mapping = composite_.plane(selected)->mapping;
        const auto ends = vm::valuesOf({0, static_cast<double>(composite_.maxLevel())}, mapping);
        const auto window = vm::valuesOf(composite_.window(selected), mapping);
        for (ValueBox* box : {low_, high_}) {
            box->setScale(ends.low, ends.high, mapping ? mapping->step : 1);
        }
        low_->setValue(window.low);
        high_->setValue(window.high);
        coupling::showValue(*gamma_, look.gamma);
    }
}

void ChannelControls::showState() {
    using State = vm::AsyncState;
    const State state = composite_.state();
    state_->setText(state == State::computing ? tr("Reading channels…")
                    : state == State::failed  ? composite_.problem()
                                              : QString());
    state_->setVisible(!state_->text().isEmpty());
    showRow();
}

} // namespace pollard::app
