#include "docks/contour/contour_controls.hpp"

#include "gl/tone.hpp"
#include "shell/models.hpp"
#include "snake/snake_job.hpp"
#include "theme/theme.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/number_box.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPen>
#include <QShowEvent>
#include <QSignalBlocker>
#include <QTransform>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kSide = static_cast<int>(vm::ContourLaws::kSide) / 2; ///< logical px
constexpr double kLine = 1.5;                                       ///< logical px
const QColor kLineColour(255, 122, 48);
const QColor kHaloColour(24, 24, 24);

} // namespace

LawThumbnails::LawThumbnails(vm::ContourViewModel& contours, vm::DisplayViewModel& display, QWidget* parent)
    : QWidget(parent), contours_(contours), display_(display), laws_(contours), message_(new ElidedLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    message_->setObjectName(QStringLiteral("contourLawsMessage"));
    column->addWidget(message_);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const RegionLaw law = kRegionLaws[i];
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("contourLaw-") + QString::fromStdString(std::string(nameOf(law))));
        button->setText(vm::lawName(law));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({kSide, kSide});
        button->setAutoRaise(true);
        button->setCheckable(true);
        connect(button, &QToolButton::clicked, &laws_, [this, law] { laws_.take(law); });
        row->addWidget(button);
        buttons_[i] = button;
    }
    row->addStretch(1);
    column->addLayout(row);
    connect(&display_, &vm::DisplayViewModel::windowChanged, this, &LawThumbnails::showTone);
    connect(&display_, &vm::DisplayViewModel::toneCurveChanged, this, &LawThumbnails::showTone);
    connect(&contours_.runs(), &vm::ContourRuns::changed, this, &LawThumbnails::showLaws);
    onPixelRatio(this, [this] { showTone(); });
    follow(this, &LawThumbnails::showLaws, laws_, &vm::ContourLaws::changed);
}

void LawThumbnails::showTone() {
    if (isVisible()) { // else showEvent() follows
        showLaws();
    }
}

void LawThumbnails::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showLaws();
}

void LawThumbnails::showLaws() {
    setVisible(contours_.runs().current() >= 0);
    message_->setFullText(messageText());
    const auto comparison = laws_.comparison();
    const QImage grey = comparison ? greyImage(*comparison->image, display_) : QImage();
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        QToolButton& button = *buttons_[i];
        const RegionLaw law = kRegionLaws[i];
        const vm::LawContours* found = comparison ? comparison->find(law) : nullptr;
        const bool isChosen = comparison && law == comparison->chosen;
        QFont bold = font();
        bold.setBold(isChosen);
        button.setFont(bold);
        button.setEnabled(found != nullptr);
        button.setChecked(found != nullptr && laws_.current() == law);
        button.setIcon(found != nullptr ? QIcon(imageOf(grey, *found)) : QIcon());
        explain(&button, isChosen ? tr("%1, chosen by the noise").arg(vm::lawName(law)) : vm::lawName(law),
                found != nullptr ? textOf(*found, isChosen) : messageText());
    }
}

QString LawThumbnails::messageText() const {
    switch (laws_.state()) {
    case vm::AsyncState::empty:
        return tr("The results of the other laws appear after the last state");
    case vm::AsyncState::computing:
        return tr("Trying the other laws…");
    case vm::AsyncState::failed:
        return laws_.problem();
    case vm::AsyncState::ready:
        break;
    }
    return tr("Results of the laws; the noise fits %1").arg(vm::lawName(laws_.comparison()->chosen));
}

QString LawThumbnails::textOf(const vm::LawContours& found, bool isChosen) const {
    const QLocale locale;
    const QString pixels = tr("%1 px").arg(locale.toString(static_cast<qulonglong>(found.pixels)));
    const QString area = vm::sceneArea(contours_.document().imageInfo().get(), static_cast<double>(found.pixels));
    const QString numbers = tr("%1: area %2, energy %3")
                                .arg(vm::lawName(found.run.spec.law), area.isEmpty() ? pixels : area,
                                     locale.toString(found.energy, 'f', 1));
    const QString how = tr("Click to continue with these contours. Energies of different laws do not compare");
    return isChosen ? tr("%1\nThe law that fits the growth of the noise with the level\n%2").arg(numbers, how)
                    : tr("%1\n%2").arg(numbers, how);
}

QPixmap LawThumbnails::imageOf(const QImage& grey, const vm::LawContours& found) const {
    const double ratio = devicePixelRatioF();
    QPixmap pixmap =
        QPixmap::fromImage(grey).scaled(QSize(kSide, kSide) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    const QTransform toImage = QTransform::fromScale(pixmap.width(), pixmap.height());
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : {QPen(kHaloColour, (kLine + 1.5) * ratio), QPen(kLineColour, kLine * ratio)}) {
        painter.setPen(pen);
        for (const QPolygonF& outline : found.outlines) {
            painter.drawPolygon(toImage.map(outline));
        }
    }
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

using Area = vm::ForbiddenArea;

ForbiddenControls::ForbiddenControls(Models& models, QWidget* parent) : QWidget(parent), models_(models) {
    auto* brush = makeControl<WholeBox>(this, "forbiddenBrush", tr("Size of the brush"),
                                        tr("Diameter of the brush, px of the image"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(3);
    Area& area = models_.contours.settings().forbidden();
    auto* caption = new CaptionLabel(tr("&Forbid"), this);
    row->addWidget(caption);
    row->addStretch(1);
    auto* paint = makeIconButton(this, "forbiddenPaint", QStringLiteral("brush"), tr("Paint the forbidden area"),
                                 tr("Paint pixels that no contour may contain; Shift erases, Esc ends"));
    paint->setCheckable(true);
    auto* erase = makeIconButton(this, "forbiddenErase", QStringLiteral("erase"), tr("Erase the forbidden area"),
                                 tr("The brush erases; Shift paints"));
    erase->setCheckable(true);
    caption->setBuddy(paint);
    brush->setRange(1, Area::kLargestBrush);
    brush->setSuffix(tr(" px"));
    brush->setKeyboardTracking(false);
    brush->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    for (QWidget* part : std::initializer_list<QWidget*>{paint, erase, brush, makeMenu()}) {
        row->addWidget(part);
    }
    couple(paint, area, &Area::isPainting, &Area::setPainting, &Area::brushChanged);
    const auto setErasing = [](Area& area, bool erases) {
        area.setErasing(erases);
        area.setPainting(area.isPainting() || erases);
    };
    couple(erase, area, &Area::isErasing, setErasing, &Area::brushChanged);
    couple(brush, area, &Area::brush, &Area::setBrush, &Area::brushChanged);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &ForbiddenControls::showState);
    connect(&models_.selection, &vm::NodeSelection::changed, this, &ForbiddenControls::showState);
    follow(this, &ForbiddenControls::showState, area, &Area::changed);
}

QToolButton* ForbiddenControls::makeMenu() {
    auto* more = makeIconButton(this, "forbiddenMore", QStringLiteral("image"), tr("More for the forbidden area"),
                                tr("Take the forbidden area from an image or from the selection, or clear it"));
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* objectName, const QString& name, const QString& what) {
        QAction* action = menu->addAction(name);
        action->setObjectName(QLatin1String(objectName));
        action->setToolTip(what);
        return action;
    };
    auto* fromImage = add("forbiddenFromImage", tr("From a mask &image…"),
                          tr("All pixels that are not 0 in an image as large as this one"));
    fromSelection_ =
        add("forbiddenFromSelection", tr("From the &selection"), tr("The pixels of all selected components"));
    clear_ = add("forbiddenClear", tr("&Clear"), tr("Forbid nothing"));
    more->setMenu(menu);
    Area& area = models_.contours.settings().forbidden();
    connect(fromImage, &QAction::triggered, this, &ForbiddenControls::imageRequested);
    connect(fromSelection_, &QAction::triggered, this, [this, &area] { area.takeNodes(models_.selection.nodes()); });
    connect(clear_, &QAction::triggered, &area, &Area::clear);
    return more;
}

void ForbiddenControls::showState() {
    const bool there = models_.document.hasImage();
    setEnabled(there);
    fromSelection_->setEnabled(there && models_.selection.count() > 0);
    clear_->setEnabled(models_.contours.settings().forbidden().mask() != nullptr);
}

namespace {

constexpr int kLargestStep = 1024;      ///< px
constexpr int kLongestEdge = 1024;      ///< px
constexpr int kMostNodes = 1 << 16;     ///< upper limit of the field
constexpr int kLargestMargin = 100'000; ///< px
constexpr int kSurroundings = 0;        ///< index of the choice
constexpr int kWholeImage = 1;
constexpr int kMostPixels = 1'000'000'000;
constexpr double kHighestPrice = 100'000; ///< upper limit of the field
constexpr int kAutomaticLaw = -1;         ///< data of the choice

} // namespace

ContourControls::ContourControls(vm::ContourViewModel& contours, QWidget* parent)
    : QWidget(parent), contours_(contours), reach_(new QComboBox(this)), margin_(new WholeBox(this)),
      law_(new QComboBox(this)), moves_(new QComboBox(this)), engine_(new QComboBox(this)),
      maxStep_(new QComboBox(this)), minLength_(new WholeBox(this)), maxNodes_(new WholeBox(this)),
      minPixels_(new WholeBox(this)), lengthPrice_(new NumberBox(this)),
      tinted_(new QCheckBox(tr("T&int the inside"), this)) {
    makeReach();
    makeChoices();
    makeLengths();
    using Row = std::pair<QString, QWidget*>;
    const auto arrange = [](QWidget* parent, const QList<Row>& rows) {
        auto* grid = new QGridLayout(parent);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(kPanelSpacing);
        grid->setVerticalSpacing(5);
        grid->setColumnStretch(1, 1);
        for (const auto& [caption, control] : rows) {
            const int row = grid->rowCount();
            auto* name = captionFor(control, caption);
            name->setToolTip(control->toolTip());
            grid->addWidget(name, row, 0);
            grid->addWidget(control, row, 1);
        }
    };
    auto* usual = new QWidget(this);
    arrange(usual, {{tr("Compare &with"), reach_}, {tr("M&argin"), margin_}});
    auto* others = new QWidget(this);
    arrange(others, {{tr("&Law"), law_},
                     {tr("&Moves"), moves_},
                     {tr("&By"), engine_},
                     {tr("Max &step"), maxStep_},
                     {tr("Min len&gth"), minLength_},
                     {tr("Max &nodes"), maxNodes_},
                     {tr("Min r&egion"), minPixels_},
                     {tr("Length &price"), lengthPrice_}});
    more_ = new MoreOptions(QStringLiteral("contourMore"), others, {law_, moves_, engine_}, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    column->addWidget(usual);
    column->addWidget(tinted_);
    column->addWidget(more_);
    column->addStretch(1);

    for (QComboBox* box : {reach_, law_, moves_, engine_, maxStep_}) {
        shorten(*box);
    }
    for (QAbstractSpinBox* box :
         std::initializer_list<QAbstractSpinBox*>{minLength_, maxNodes_, minPixels_, lengthPrice_}) {
        box->setKeyboardTracking(false);
        box->setGroupSeparatorShown(true);
    }
    connect(engine_, &QComboBox::currentIndexChanged, this, &ContourControls::applyEngine);
    connect(reach_, &QComboBox::activated, this, &ContourControls::applyReach);
    connect(margin_, &QSpinBox::valueChanged, this, &ContourControls::applyReach);
    connect(&contours_.settings(), &vm::ContourSettings::engineSet, this, &ContourControls::showEngines);
    connect(&contours_.settings(), &vm::ContourSettings::engineSet, this, &ContourControls::showReach);
    connect(&contours_.runs(), &vm::ContourRuns::changed, this, &ContourControls::showReach);
    connect(&contours_.document().choices(), &vm::DocumentChoices::engineChanged, this, &ContourControls::showEngines);
    connect(&contours_.document(), &vm::DocumentViewModel::frameReady, this, &ContourControls::showEngines);
    coupleLaw();
    coupleSpec(moves_, &SnakeSpec::moves);
    coupleSpec(maxStep_, &SnakeSpec::maxStep);
    coupleSpec(minLength_, &SnakeSpec::minLength);
    coupleSpec(maxNodes_, &SnakeSpec::maxNodes);
    coupleSpec(minPixels_, &SnakeSpec::minPixels);
    coupleSpec(lengthPrice_, &SnakeSpec::lengthPrice);
    using Contours = vm::ContourViewModel;
    couple(tinted_, contours_, &Contours::isTinted, &Contours::setTinted, &Contours::tintedChanged);
    connect(&contours_.document(), &vm::DocumentViewModel::imageChanged, this, &ContourControls::showAutomatic);
    follow(this, &ContourControls::showAutomatic, contours_.settings(), &vm::ContourSettings::specChanged);
    showEngines();
    showReach();
}

void ContourControls::makeChoices() {
    const auto add = [](QComboBox* box, const QString& name, auto value, const QString& what) {
        box->addItem(name, static_cast<int>(value));
        box->setItemData(box->count() - 1, what, Qt::ToolTipRole);
    };
    add(law_, tr("Automatic"), kAutomaticLaw,
        tr("New contours take the law that fits the growth of the noise with the level around them; the shown ones "
           "continue with it"));
    add(law_, tr("Gaussian"), RegionLaw::gaussian,
        tr("Mean and variance unknown: cameras, most images\nn/2 ln(Q/n − (Z/n)²)"));
    add(law_, tr("Poisson"), RegionLaw::poisson, tr("Counts: few photons in microscopy, astronomy\n−Z ln(Z/n)"));
    add(law_, tr("Gamma"), RegionLaw::gamma, tr("Speckle in intensity: radar\nn ln(Z/n)"));
    add(law_, tr("Rayleigh"), RegionLaw::rayleigh, tr("Speckle in amplitude: radar, ultrasound\nn ln(Q/n)"));
    explain(law_, "contourLaw", tr("Law of the levels in a region"),
            tr("Distribution of the levels in a region. The contour moves until the sum of both regions' energies is "
               "least; a region has n pixels, Z is the sum of their levels, Q the sum of their squares:\n"
               "Gaussian  n/2 ln(Q/n − (Z/n)²)\n"
               "Poisson  −Z ln(Z/n)\n"
               "Gamma  n ln(Z/n)\n"
               "Rayleigh  n ln(Q/n)"));
    add(moves_, tr("Local best"), SnakeMoves::localBest, tr("Every node that gains more than both neighbours"));
    add(moves_, tr("Even and odd"), SnakeMoves::parity, tr("All even nodes together, then all odd ones"));
    add(moves_, tr("One by one"), SnakeMoves::sequential, tr("Each node sees the new places of the others"));
    explain(moves_, "contourMoves", tr("Nodes that move at once"), tr("Which nodes move at once"));
    explain(engine_, "contourEngine", tr("Engine and algorithm"),
            tr("The CPU computes a state when it is needed. A GPU computes all states at once; they are shown at the "
               "chosen speed, and a pause holds the shown one. Several contours on the whole image always evolve on "
               "the CPU"));
    explain(tinted_, "contourTinted", tr("Tint the inside"), tr("Tint the inside of the contour"));
}

void ContourControls::makeReach() {
    reach_->addItem(tr("Surroundings"));
    reach_->setItemData(
        kSurroundings,
        tr("Each contour evolves in the box around its start and the margin, independent of all pixels outside"),
        Qt::ToolTipRole);
    reach_->addItem(tr("Whole image"));
    reach_->setItemData(
        kWholeImage,
        tr("The outside is the rest of the image. Several contours share it, take turns, and never overlap"),
        Qt::ToolTipRole);
    explain(reach_, "contourReach", tr("Reach of a contour"),
            tr("Surroundings: the contour separates one object from the pixels around it. Several contours are "
               "independent, their boxes may not overlap, and any engine can move them. Whole image: the contour "
               "divides the image in two; several share the outside and take turns"));
    margin_->setRange(1, kLargestMargin);
    margin_->setValue(static_cast<int>(vm::ContourSettings::kUsualMargin));
    margin_->setSuffix(tr(" px"));
    margin_->setKeyboardTracking(false);
    explain(margin_, "contourMargin", tr("Margin around a start"),
            tr("Reach of the surroundings on each side of the start. The contour can grow up to the dashed line on the "
               "image"));
}

void ContourControls::makeLengths() {
    maxStep_->addItem(tr("Automatic"), 0);
    for (int step = 1; step <= kLargestStep; step *= 2) {
        maxStep_->addItem(tr("%1 px").arg(QLocale().toString(step)), step);
    }
    explain(maxStep_, "contourMaxStep", tr("Largest step of a node"),
            tr("d_max: nodes are tried at this distance first, then at half this distance and so on down to 1 px. It "
               "has to reach over the noise; automatic is the power of two below 1/32 of the longer side"));
    minLength_->setRange(2, kLongestEdge);
    minLength_->setSuffix(tr(" px"));
    explain(minLength_, "contourMinLength", tr("Longest edge that is not split"),
            tr("l_min: when no node moves, longer edges get a node in their middle. Short edges follow fine details, "
               "long ones are smooth and fast"));
    maxNodes_->setRange(3, kMostNodes);
    explain(maxNodes_, "contourMaxNodes", tr("Most nodes"), tr("No edge is split beyond so many nodes"));
    minPixels_->setRange(1, kMostPixels);
    minPixels_->setSuffix(tr(" px"));
    minPixels_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(minPixels_, "contourMinPixels", tr("Smallest region"), tr("Least number of pixels inside, and outside"));
    lengthPrice_->setObjectName(QStringLiteral("contourLengthPrice"));
    lengthPrice_->setRange(0, kHighestPrice);
    lengthPrice_->setDecimals(3);
    lengthPrice_->setSpecialValueText(tr("None"));
    lengthPrice_->setSuffix(tr(" / px"));
    lengthPrice_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    explain(
        lengthPrice_, tr("Price on length"),
        tr("Energy that each pixel of the contour's length adds. A higher price gives smoother, shorter contours: a "
           "spur w px wide goes if each of its pixels lowers the energy by less than 2/w of the price. Too high a "
           "price shrinks the contour to the smallest region"));
}

/// The first entry is stepwise evolution on the CPU, which can stop after every state; the algorithms of a GPU engine
/// follow.
void ContourControls::showEngines() {
    const QSignalBlocker quiet(engine_);
    engine_->clear();
    engine_->addItem(tr("CPU, stepwise"));
    const auto add = [this](const QString& name, const QString& algorithm, const QString& what) {
        engine_->addItem(name, algorithm);
        engine_->setItemData(engine_->count() - 1, what, Qt::ToolTipRole);
    };
    if (const Engine* engine = contours_.document().shown().frame.engine;
        engine != nullptr && engine->name() != "cpu") {
        const QString name = QString::fromStdString(engine->name());
        for (const AlgorithmInfo& algorithm : engine->algorithms()) {
            if (algorithm.job != kSnakeJob) {
                continue;
            }
            if (engine_->count() == 1) {
                add(tr("%1, for these moves").arg(name), QString(),
                    tr("The algorithm of %1 for the moves above; if it fails, the CPU takes the same states")
                        .arg(name));
            }
            const QString called = QString::fromStdString(algorithm.name);
            add(tr("%1: %2").arg(name, called), called, tr("This algorithm, with moves of its own"));
        }
    }
    const ContourEngine& present = contours_.settings().engine();
    engine_->setCurrentIndex(
        std::max(0, present.isWhole ? engine_->findData(QString::fromStdString(present.algorithm)) : 0));
    engine_->setEnabled(engine_->count() > 1);
    moves_->setEnabled(!present.isWhole || present.algorithm.empty());
    more_->showValues();
}

void ContourControls::applyEngine() {
    ContourEngine engine = contours_.settings().engine();
    engine.isWhole = engine_->currentIndex() > 0;
    engine.algorithm = engine_->currentData().toString().toStdString();
    contours_.settings().setEngine(engine);
}

void ContourControls::applyReach() {
    contours_.settings().setReach(reach_->currentIndex() == kSurroundings
                                      ? std::optional(static_cast<std::uint32_t>(margin_->value()))
                                      : std::nullopt);
}

void ContourControls::showReach() {
    const std::array<QSignalBlocker, 2> quiet{QSignalBlocker(reach_), QSignalBlocker(margin_)};
    const auto reach = contours_.reach();
    reach_->setCurrentIndex(reach ? kSurroundings : kWholeImage);
    if (reach) {
        margin_->setValue(static_cast<int>(std::min<std::uint32_t>(*reach, kLargestMargin)));
    }
    margin_->setEnabled(reach.has_value());
}

template <class Control, class Value> void ContourControls::coupleSpec(Control* control, Value SnakeSpec::*member) {
    using Settings = vm::ContourSettings;
    couple(
        control, contours_.settings(), [member](const Settings& settings) { return settings.spec().*member; },
        [member](Settings& settings, Value value) {
            SnakeSpec spec = settings.spec();
            spec.*member = value;
            settings.setSpec(spec);
        },
        &Settings::specChanged);
}

void ContourControls::coupleLaw() {
    vm::ContourSettings& settings = contours_.settings();
    connect(law_, &QComboBox::currentIndexChanged, this, [this] {
        const int law = law_->currentData().toInt();
        law == kAutomaticLaw ? contours_.chooseLaw() : contours_.setLaw(static_cast<RegionLaw>(law));
    });
    const auto show = [this, &settings] {
        const QSignalBlocker quiet(law_);
        const RegionLaw law = settings.spec().law;
        const bool isFound = settings.isLawAutomatic() && contours_.runs().current() >= 0;
        law_->setItemText(0, isFound ? tr("Automatic (%1)").arg(vm::lawName(law)) : tr("Automatic"));
        law_->setCurrentIndex(settings.isLawAutomatic() ? 0 : law_->findData(static_cast<int>(law)));
        more_->showValues();
    };
    follow(this, show, settings, &vm::ContourSettings::specChanged, &vm::ContourSettings::lawAutomaticChanged);
    connect(&contours_.runs(), &vm::ContourRuns::changed, this, show);
}

void ContourControls::showAutomatic() {
    const auto image = contours_.document().image();
    SnakeSpec automatic = contours_.settings().spec();
    automatic.maxStep = 0;
    maxStep_->setItemText(0, image ? tr("Auto (%1 px)").arg(usedMaxStep(automatic, image->width(), image->height()))
                                   : tr("Auto"));
}

} // namespace pollard::app
