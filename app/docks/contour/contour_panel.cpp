#include "docks/contour/contour_panel.hpp"

#include "docks/charts/contour_charts.hpp"
#include "docks/contour/contour_bars.hpp"
#include "docks/contour/contour_controls.hpp"
#include "docks/value_range_controls.hpp"
#include "geo/vector_layer.hpp"
#include "shell/models.hpp"
#include "snake/region_law.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/world_scale.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QAction>
#include <QCheckBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHideEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QShowEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <optional>
#include <string>

namespace pollard::app {
namespace {

using Contours = vm::ContourViewModel;

constexpr int kControlsWidth = 225;
constexpr int kRunsWidth = 100;       ///< px, minimum
constexpr double kManyDigits = 10000; ///< from this value on numbers are shown without decimals

/// The name of a region in its colour.
QString coloured(const QString& text, const QColor& colour) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text);
}

} // namespace

ContourPanel::ContourPanel(Models& models, QWidget* parent)
    : QWidget(parent), models_(models), contours_(models.contours), histograms_(models.contours),
      series_(models.contours) {
    setFocusPolicy(Qt::ClickFocus);
    makeStartActions();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    body_ =
        new ControlsAndContent(makeControls(), kControlsWidth, makeContent(), ControlsAndContent::Upper::content, this);
    layout->addWidget(body_);
    connectModels();
    enableStarts();
}

void ContourPanel::setTall(bool tall) {
    body_->setTall(tall);
    charts_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal);
}

void ContourPanel::makeStartActions() {
    struct Place {
        const char* objectName;
        QString text;
        QString toolTip;
        void (ContourPanel::*start)(bool add);
    };
    const Place places[] = {
        {"Rectangle", tr("&Draw a rectangle"), tr("Draw a rectangle on the image; it is no part of the region"),
         &ContourPanel::drawRectangle},
        {"Ellipse", tr("Draw an &ellipse"), tr("Draw an ellipse on the image; it is no part of the region"),
         &ContourPanel::drawEllipse},
        {"Polygon", tr("Draw a &polygon"), tr("Click the corners of a polygon; it is no part of the region"),
         &ContourPanel::drawPolygon},
        {"Middle", tr("&Rectangle in the middle"), tr("A rectangle over the middle half of the visible part"),
         &ContourPanel::startInMiddle},
        {"Region", tr("&Shape of the region"), tr("The selected shape of the region, or the last one"),
         &ContourPanel::startFromRegion},
        {"Shapes", tr("&All shapes of the region"), tr("A contour for every shape of the region"),
         &ContourPanel::startFromShapes},
        {"Pick", tr("Picked &component"), tr("Refine the outline of the component last kept or removed by a click"),
         &ContourPanel::startFromPick},
        {"Selection", tr("Selected c&omponents"), tr("Refine the outlines of all selected components"),
         &ContourPanel::startFromSelection},
        {"Objects", tr("Selected o&bjects"),
         tr("Refine the outlines of all objects that are selected in the Objects panel"),
         &ContourPanel::startFromObjects},
    };
    for (const bool add : {false, true}) {
        for (const Place& place : places) {
            auto* action = new QAction(place.text, this);
            action->setObjectName(QLatin1String(add ? "contourAdd" : "contourFrom") + QLatin1String(place.objectName));
            action->setToolTip(place.toolTip);
            connect(action, &QAction::triggered, this, [this, start = place.start, add] { (this->*start)(add); });
            (add ? adds_ : starts_).push_back(action);
        }
    }
}

QWidget* ContourPanel::makeControls() {
    auto* controls = new QWidget;
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    column->addWidget(new LawThumbnails(contours_, models_.display, controls));
    auto* forbidden = new ForbiddenControls(models_, controls);
    connect(forbidden, &ForbiddenControls::imageRequested, this, &ContourPanel::maskRequested);
    column->addWidget(forbidden); // above the parameters, which can be long
    column->addWidget(new ContourControls(contours_, controls));
    auto* objects = makeControl<QCheckBox>(
        controls, "contourShowObjects", tr("Show objects"),
        tr("Show the colours of the Objects panel below the contours, and in all workspaces"), tr("Show ob&jects"));
    using Overlays = vm::OverlaysViewModel;
    couple(objects, models_.overlays, &Overlays::hasObjects, &Overlays::setObjects, &Overlays::changed);
    column->addWidget(objects);
    column->addStretch(1);
    return controls;
}

QWidget* ContourPanel::makeContent() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* head = new WrappingRow(3);
    start_ =
        makeIconButton(this, "contourStart", QStringLiteral("add"), tr("New start"),
                       tr("Start a new contour; the other runs stay. The Objects panel refines a selected object"));
    start_->setText(tr("Start"));
    start_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    start_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(start_);
    menu->setToolTipsVisible(true);
    menu->addActions(starts_);
    start_->setMenu(menu);
    head->addWidget(start_);
    head->addWidget(new ContourPicker(contours_, adds_, content));
    makeRuns(*head);
    column->addLayout(head);
    transport_ = new ContourTransport(contours_, content);
    column->addWidget(transport_);
    followed_ = new FollowBar(contours_, content);
    column->addWidget(followed_);
    problem_ = new ElidedLabel(content);
    problem_->setObjectName(QStringLiteral("contourProblem"));
    column->addWidget(problem_);
    even_ = evenRangeButton(models_.document, content);
    column->addWidget(even_);
    charts_ = new QSplitter(content);
    charts_->setChildrenCollapsible(false);
    charts_->addWidget(new ContourChart(contours_));
    charts_->addWidget(new RegionLevelsChart(histograms_));
    pages_ = new QStackedWidget(content);
    pages_->addWidget(charts_);
    overPages_ = makeSeries();
    pages_->addWidget(overPages_);
    empty_ = new EmptyState(QStringLiteral("contourEmpty"), this);
    empty_->setText(tr("Choose where the contour starts: around an object, or across its border."));
    for (QAction* action : {starts_[0], starts_[3]}) {
        empty_->addButton(*action);
    }
    pages_->addWidget(empty_);
    column->addWidget(pages_, 1);
    column->addWidget(makeNumbers());
    return content;
}

QWidget* ContourPanel::makeSeries() {
    auto* series = new QWidget(this);
    auto* measure = makeControl<QComboBox>(series, "contourMeasure", tr("Measurement over the pages"),
                                           tr("The measurement that the chart shows over the pages"));
    for (const vm::ContourMeasure each : vm::kContourMeasures) {
        measure->addItem(vm::nameOf(each), static_cast<int>(each));
    }
    connect(measure, &QComboBox::currentIndexChanged, this,
            [this, measure] { series_.setMeasure(static_cast<vm::ContourMeasure>(measure->currentData().toInt())); });
    auto* column = new QVBoxLayout(series);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(measure, 0, Qt::AlignLeft);
    column->addWidget(new ContourSeriesChart(series_), 1);
    return series;
}

QWidget* ContourPanel::makeNumbers() {
    numbers_ = new QWidget(this);
    auto* grid = new QGridLayout(numbers_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPanelMargin);
    grid->setVerticalSpacing(1);
    grid->setColumnStretch(4, 1);
    const QString titles[] = {tr("px"), tr("mean"), tr("variance")};
    const char* names[2][3] = {{"contourInsidePixels", "contourInsideMean", "contourInsideVariance"},
                               {"contourOutsidePixels", "contourOutsideMean", "contourOutsideVariance"}};
    for (int column = 0; column < 3; ++column) {
        auto* title = new CaptionLabel(titles[column], numbers_);
        areaTitle_ = column == 0 ? title : areaTitle_;
        grid->addWidget(title, 0, column + 1, Qt::AlignRight);
        for (int row = 0; row < 2; ++row) {
            auto* cell = new QLabel(numbers_);
            cell->setObjectName(QLatin1String(names[row][column]));
            cell->setTextInteractionFlags(Qt::TextSelectableByMouse);
            cells_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = cell;
            grid->addWidget(cell, row + 1, column + 1, Qt::AlignRight);
        }
    }
    for (QLabel*& name : regionNames_) {
        name = new QLabel(numbers_);
    }
    grid->addWidget(regionNames_[0], 1, 0);
    grid->addWidget(regionNames_[1], 2, 0);
    applyStyle();
    state_ = new ElidedLabel(numbers_);
    state_->setObjectName(QStringLiteral("contourNumber"));
    energy_ = new ElidedLabel(numbers_);
    energy_->setObjectName(QStringLiteral("contourEnergy"));
    change_ = new ElidedLabel(numbers_);
    change_->setObjectName(QStringLiteral("contourChange"));
    for (ElidedLabel* label : {state_, energy_, change_}) {
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    grid->addWidget(state_, 0, 4);
    grid->addWidget(energy_, 1, 4);
    grid->addWidget(change_, 2, 4);
    return numbers_;
}

void ContourPanel::makeRuns(QLayout& row) {
    runs_ = makeControl<QComboBox>(
        this, "contourRuns", tr("Runs"),
        tr("All runs on this image. A changed parameter or a moved node starts a new run from the shown state; "
           "the old one stays."));
    runs_->setMinimumWidth(kRunsWidth);
    runs_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    runs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    runs_->setPlaceholderText(tr("No run"));
    row.addWidget(runs_);
    compare_ = makeIconButton(this, "contourCompare", QStringLiteral("thin_line"), tr("Draw thin"),
                              tr("Draw the last contour of this run as a thin line, to compare others with it"));
    compare_->setCheckable(true);
    row.addWidget(compare_);
    delete_ = makeIconButton(this, "contourDelete", QStringLiteral("delete"), tr("Delete this run"),
                             tr("Delete this run with all its states; Undo brings it back"));
    row.addWidget(delete_);
    follow_ =
        makeIconButton(this, "contourFollow", QStringLiteral("follow"), tr("Follow over the pages"),
                       tr("Let the contours go through the pages after this one, in a file with times along time"));
    row.addWidget(follow_);
    connect(follow_, &QToolButton::clicked, this, [this] { contours_.follow().start(models_.limits.readLimits()); });
    makeSaveMenu();
    row.addWidget(save_);
    connect(runs_, &QComboBox::currentIndexChanged, &contours_, &Contours::selectRun);
    connect(compare_, &QToolButton::toggled, this,
            [this](bool compared) { contours_.runs().setCompared(contours_.runs().current(), compared); });
    connect(delete_, &QToolButton::clicked, this, [this] { contours_.deleteRun(contours_.runs().current()); });
}

void ContourPanel::makeSaveMenu() {
    save_ = makeIconButton(this, "contourSave", QStringLiteral("save"), tr("Save the contour"),
                           tr("Write the contour that is shown, or its run, into files"));
    save_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(save_);
    menu->setToolTipsVisible(true);
    const auto add = [&](vm::ContourFile file, const QString& name, const QString& what) {
        QAction* action = menu->addAction(name);
        action->setObjectName(QStringLiteral("contourSave-") + vm::suffixOf(file));
        action->setToolTip(what);
        connect(action, &QAction::triggered, this, [this, file] { emit saveRequested(file); });
        return action;
    };
    add(vm::ContourFile::outline, tr("&Outline (GeoJSON)…"),
        tr("The shown contour as a polygon, in longitude and latitude if the image has a map; of a contour that was "
           "followed the polygons of all pages, with their areas and means"));
    add(vm::ContourFile::vector, tr("Outline for m&aps (GeoPackage)…"),
        tr("The same in the coordinate system of the image; also FlatGeobuf and CSV with WKT"))
        ->setVisible(writesVectorFiles());
    add(vm::ContourFile::mask, tr("&Mask (TIFF)…"), tr("255 inside of the shown contour, 0 outside"));
    add(vm::ContourFile::region, tr("&Region (ImageJ)…"), tr("The shown contour as a region of ImageJ"));
    add(vm::ContourFile::drawing, tr("&Drawing (SVG)…"), tr("The shown contour as a path, as large as the image"));
    add(vm::ContourFile::trace, tr("&Trace of the run (CSV)…"),
        tr("Energy, nodes, sizes, means, variances of all states"));
    saveTable_ = menu->addAction(tr("Ta&ble of the pages (CSV)…"));
    saveTable_->setObjectName(QStringLiteral("contourSave-table"));
    saveTable_->setToolTip(tr("Area, length and mean of the contours on all pages that they were followed over"));
    connect(saveTable_, &QAction::triggered, this, &ContourPanel::tableRequested);
    connect(menu, &QMenu::aboutToShow, this, [this] { saveTable_->setEnabled(models_.contourExport.hasPages()); });
    menu->addSeparator();
    QAction* frames = menu->addAction(tr("&Frames (PNG)…"));
    frames->setObjectName(QStringLiteral("contourSave-png"));
    frames->setToolTip(tr("The view with the contour, a numbered image for every recorded state"));
    connect(frames, &QAction::triggered, this, &ContourPanel::framesRequested);
    save_->setMenu(menu);
}

void ContourPanel::connectModels() {
    using Runs = vm::ContourRuns;
    follow(this, &ContourPanel::showRuns, contours_.runs(), &Runs::changed);
    follow(this, &ContourPanel::showState, contours_.runs(), &Runs::changed, &Runs::problemChanged);
    connect(&contours_.playback(), &vm::ContourPlayback::changed, this, &ContourPanel::showState);
    connect(&contours_.runs(), &Runs::shownChanged, this, &ContourPanel::showNumbers);
    connect(&models_.contourExport, &vm::ContourExport::availableChanged, this, &ContourPanel::showState);
    connect(&models_.document, &vm::DocumentViewModel::hasImageChanged, this, &ContourPanel::enableStarts);
    connect(&models_.region, &vm::RegionViewModel::changed, this, &ContourPanel::enableStarts);
    connect(&models_.region, &vm::RegionViewModel::toolChanged, this, &ContourPanel::showLine);
    connect(&models_.region, &vm::RegionViewModel::drawnOnce, this,
            [this](const RegionShape& shape) { contours_.startFromShapes({shape}, addsDrawnShape_); });
    connect(&models_.filter.picks(), &vm::PicksModel::changed, this, &ContourPanel::enableStarts);
    connect(&models_.selection, &vm::NodeSelection::changed, this, &ContourPanel::enableStarts);
    connect(&models_.objectTable.marks(), &vm::ObjectMarks::selectionChanged, this, &ContourPanel::enableStarts);
    connect(&contours_.follow(), &vm::ContourFollow::changed, this, &ContourPanel::showState);
    connect(followed_, &FollowBar::chartToggled, this, &ContourPanel::showPage);
}

void ContourPanel::draw(vm::RegionViewModel::Tool tool, bool add) {
    addsDrawnShape_ = add;
    contours_.settings().forbidden().setPainting(false); // one tool at a time
    models_.region.drawOnce(tool);
}

void ContourPanel::startFromRegion(bool add) {
    const vm::RegionViewModel& region = models_.region;
    if (region.count() > 0) {
        const RegionShape* selected = region.selectedShape();
        contours_.startFromShapes({selected != nullptr ? *selected : region.shapes().back()}, add);
    }
}

void ContourPanel::startFromShapes(bool add) { contours_.startFromShapes(models_.region.shapes(), add); }

void ContourPanel::startInMiddle(bool add) {
    const vm::ViewTransform& view = models_.display.view();
    const QRectF image(QPointF(0, 0), QSizeF(view.imageSize));
    const QSizeF seen = QSizeF(view.viewSize) / view.zoom;
    const QRectF part(view.centre - QPointF(seen.width(), seen.height()) / 2, seen);
    contours_.startInMiddle(part.intersects(image) ? part.intersected(image) : image, add);
}

void ContourPanel::startFromPick(bool add) {
    if (const auto canonical = models_.filter.picks().last()) {
        contours_.startFromComponent(*canonical, add);
    }
}

void ContourPanel::startFromSelection(bool add) { contours_.startFromNodes(models_.selection.nodes(), add); }

void ContourPanel::startFromObjects(bool add) {
    const vm::ChosenObjects chosen = models_.objectTable.marks().chosen();
    contours_.startFromObjects(chosen.found, chosen.labels, add);
}

void ContourPanel::enableStarts() {
    const bool there = models_.document.hasImage();
    const bool isThere[] = {there,
                            there,
                            there,
                            there,
                            there && models_.region.count() > 0,
                            there && models_.region.count() > 1,
                            there && models_.filter.picks().count() > 0,
                            there && models_.selection.count() > 0,
                            there && !models_.document.isVolume() &&
                                !models_.objectTable.marks().chosen().labels.empty()};
    for (qsizetype i = 0; i < starts_.size(); ++i) {
        starts_[i]->setEnabled(isThere[i]);
        adds_[i]->setEnabled(isThere[i]);
    }
    start_->setEnabled(there);
}

void ContourPanel::showRuns() {
    const QSignalBlocker quietRuns(runs_);
    const QSignalBlocker quietCompare(compare_);
    const int count = static_cast<int>(contours_.runs().all().size());
    while (runs_->count() > count) {
        runs_->removeItem(runs_->count() - 1);
    }
    for (int i = 0; i < count; ++i) {
        const vm::ContourRun& run = contours_.runs().all()[static_cast<std::size_t>(i)];
        const QString name = contours_.runs().nameOf(i);
        if (i == runs_->count()) {
            runs_->addItem(name);
        } else if (runs_->itemText(i) != name) {
            runs_->setItemText(i, name);
        }
        runs_->setItemData(
            i,
            tr("%1 states%2").arg(QLocale().toString(run.record.count()), run.finished ? tr(", finished") : QString()),
            Qt::ToolTipRole);
    }
    runs_->setCurrentIndex(contours_.runs().current());
    runs_->setEnabled(count > 0);
    const vm::ContourRun* run = contours_.runs().currentRun();
    compare_->setChecked(run != nullptr && run->compared);
    compare_->setEnabled(run != nullptr);
    delete_->setEnabled(run != nullptr);
}

void ContourPanel::showState() {
    const bool there = contours_.runs().current() >= 0;
    showPage();
    numbers_->setVisible(there);
    transport_->setVisible(there);
    showLine();
    follow_->setVisible(models_.document.pageCount() > 1);
    follow_->setEnabled(contours_.follow().isPossible() && !contours_.follow().isRunning());
    save_->setEnabled(models_.contourExport.isAvailable());
    showNumbers();
}

void ContourPanel::showPage() {
    const bool there = contours_.runs().current() >= 0;
    QWidget* const charts = followed_->wantsChart() ? overPages_ : static_cast<QWidget*>(charts_);
    pages_->setCurrentWidget(there ? charts : empty_);
}

void ContourPanel::showLine() {
    QString text = contours_.runs().problem();
    const auto mapping = vm::originalMappingOf(models_.document);
    even_->setVisible(!text.isEmpty() && mapping && !mapping->isProportional());
    if (models_.region.isDrawingOnce()) {
        text = models_.region.tool() == vm::RegionViewModel::Tool::polygon
                   ? tr("Click the corners on the image; Return closes the polygon, Escape ends.")
                   : tr("Drag over the image to draw the start; Escape ends.");
    }
    problem_->setVisible(!text.isEmpty());
    problem_->setFullText(text);
}

void ContourPanel::showNumbers() {
    const auto figures = contours_.runs().figures();
    if (!figures) {
        return;
    }
    const QLocale locale;
    const std::optional<ValueMapping> mapping = vm::originalMappingOf(contours_.document());
    const auto info = contours_.document().imageInfo();
    areaTitle_->setText(vm::sceneSize(info.get()) ? tr("area") : tr("px"));
    const RegionSums* regions[] = {&figures->inside, &figures->outside};
    for (std::size_t row = 0; row < cells_.size(); ++row) {
        const RegionSums& sums = *regions[row];
        const QString pixels = locale.toString(static_cast<qlonglong>(sums.pixels));
        const QString area = vm::sceneArea(info.get(), static_cast<double>(sums.pixels));
        cells_[row][0]->setText(area.isEmpty() ? pixels : area);
        cells_[row][0]->setToolTip(area.isEmpty() ? QString() : tr("%1 px").arg(pixels));
        if (mapping) {
            const double step = mapping->distanceOf(1);
            const std::string unit = unitOf(mapping);
            cells_[row][1]->setText(vm::greyText(mapping, meanOf(sums)));
            cells_[row][1]->setToolTip(vm::levelText(mapping, meanOf(sums)));
            cells_[row][2]->setText(
                vm::withUnit(vm::greyNumber(step * step * varianceOf(sums)), unit.empty() ? unit : unit + "²"));
            continue;
        }
        cells_[row][1]->setToolTip({});
        cells_[row][1]->setText(locale.toString(meanOf(sums), 'f', 1));
        cells_[row][2]->setText(locale.toString(varianceOf(sums), 'f', varianceOf(sums) < kManyDigits ? 1 : 0));
    }
    QString how = tr("start");
    if (figures->kind == SnakeStep::move) {
        how = tr("step %1 px").arg(figures->reach);
    } else if (figures->kind == SnakeStep::split) {
        how = tr("split");
    } else if (figures->kind == SnakeStep::trim) {
        how = tr("trimmed");
    }
    const QString number = locale.toString(contours_.runs().shown());
    const QString last = locale.toString(contours_.runs().stateCount() - 1);
    state_->setFullText(contours_.runs().isFinished() ? tr("State %1 of %2").arg(number, last)
                                                      : tr("State %1 of %2 so far").arg(number, last));
    energy_->setFullText(tr("Energy %1").arg(locale.toString(figures->energy, 'f', 1)));
    change_->setFullText(tr("%1 nodes, %2").arg(locale.toString(static_cast<qulonglong>(figures->nodes)), how));
}

void ContourPanel::applyStyle() {
    const QPalette present = QGuiApplication::palette();
    regionNames_[0]->setText(coloured(tr("Inside"), insideColour(present)));
    regionNames_[1]->setText(coloured(tr("Outside"), outsideColour(present)));
}

void ContourPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && regionNames_[0] != nullptr) {
        applyStyle();
    }
}

bool ContourPanel::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (key.modifiers() == Qt::NoModifier && ContourTransport::isKey(key.key())) {
            event->accept(); // takes precedence over shortcuts of the window
            return true;
        }
    }
    return QWidget::event(event);
}

void ContourPanel::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() != Qt::NoModifier || !transport_->press(event->key())) {
        QWidget::keyPressEvent(event);
    }
}

void ContourPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    contours_.setActive(true);
}

void ContourPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!event->spontaneous()) { // a minimised window keeps its contour
        contours_.setActive(false);
        if (models_.region.isDrawingOnce()) {
            models_.region.setTool(vm::RegionViewModel::Tool::hand);
        }
    }
}

} // namespace pollard::app
