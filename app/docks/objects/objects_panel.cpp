#include "docks/objects/objects_panel.hpp"

#include "vm/session/edit_history.hpp"

#include "docks/objects/classes_panel.hpp"
#include "docks/objects/label_controls.hpp"
#include "docks/objects/objects_chart_panel.hpp"
#include "docks/objects/objects_controls.hpp"
#include "docks/objects/objects_table.hpp"
#include "docks/objects/score_panel.hpp"
#include "geo/vector_layer.hpp"
#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/input_focus.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kControlsWidth = 250;
constexpr int kConditionWidth = 90; ///< px, minimum

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

ObjectsPanel::ObjectsPanel(vm::ObjectsViewModel& objects, vm::ObjectTableModel& table, vm::ObjectExport& exporter,
                           vm::ObjectTracksViewModel& tracks, vm::LabelEditViewModel& edits, vm::ScoreViewModel& score,
                           vm::DisplayViewModel& display, vm::EditHistory& history, QWidget* parent)
    : QWidget(parent), objects_(objects), table_(table), exporter_(exporter), edits_(edits), display_(display),
      history_(history), condition_(new ConditionField(table, this)), problem_(new QLabel(this)),
      units_(new QComboBox(this)), pages_(new QStackedWidget(this)), view_(new ObjectsTable(table, this)),
      empty_(new EmptyState(QStringLiteral("objectsEmpty"), this)), summary_(new ElidedLabel(this)),
      results_(new QSplitter(this)) {
    problem_->setObjectName(QStringLiteral("objectsConditionProblem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    findThreshold_ = empty_->addButton(QStringLiteral("objectsFindThreshold"), tr("Find the threshold"),
                                       tr("Let Otsu's method find the threshold between background and objects"));
    useOriginal_ = empty_->addButton(QStringLiteral("objectsUseOriginal"), tr("Find in the original"),
                                     tr("Find objects in the image as it was read"));
    everyRow_ = empty_->addButton(QStringLiteral("objectsEveryRow"), tr("Show all objects"),
                                  tr("Clear the condition, and list objects at the border"));
    connect(findThreshold_, &QPushButton::clicked, this, [this] { objects_.setThreshold(ThresholdMethod::otsu); });
    connect(useOriginal_, &QPushButton::clicked, this, [this] { objects_.setSource(StepImage::original); });
    connect(everyRow_, &QPushButton::clicked, this, [this] {
        objects_.setOption(&ObjectRule::withoutBorder, false);
        table_.setCondition({});
    });
    pages_->addWidget(empty_);
    pages_->addWidget(view_);
    summary_->setObjectName(QStringLiteral("objectsSummary"));

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(makeCondition());
    column->addWidget(problem_);
    auto* classes = new ClassesPanel(objects_.classes(), table_);
    column->addWidget(classes);
    classes->hide();
    connect(classes_, &QToolButton::toggled, classes, &QWidget::setVisible);
    follow(
        this, [this] { classes_->setChecked(classes_->isChecked() || !objects_.classes().isEmpty()); },
        objects_.classes(), &vm::ClassList::classesChanged);
    column->addLayout(makeHead());
    auto* tools = new LabelControls(edits_, objects_, table_);
    column->addWidget(tools);
    follow(
        this,
        [this, tools] {
            edit_->setChecked(edits_.isOn());
            edit_->setEnabled(edits_.isOn() || edits_.isAvailable());
            tools->setVisible(edits_.isOn() || edits_.isEdited());
        },
        edits_, &vm::LabelEditViewModel::toolChanged, &vm::LabelEditViewModel::edited);
    column->addWidget(results_, 1);
    column->addWidget(summary_);
    results_->setChildrenCollapsible(false);
    results_->addWidget(pages_);
    auto* chart = new ObjectsChartPanel(table_);
    results_->addWidget(chart);
    results_->setStretchFactor(0, 1);
    auto* followed = new TracksPanel(tracks);
    results_->addWidget(followed);
    auto* scored = new ScorePanel(score, objects_.document(), display_);
    results_->addWidget(scored);
    for (const auto& [button, section] :
         {std::pair<QToolButton*, QWidget*>(chart_, chart), std::pair<QToolButton*, QWidget*>(followed_, followed),
          std::pair<QToolButton*, QWidget*>(scored_, scored)}) {
        section->hide(); // leaves space for the table
        connect(button, &QToolButton::toggled, section, &QWidget::setVisible);
        connect(button, &QToolButton::toggled, this, [this, opened = button] { showSections(opened); });
    }
    connect(followed, &TracksPanel::saveRequested, this, &ObjectsPanel::saveTracksRequested);
    body_ = new ControlsAndContent(new ObjectsControls(objects_, table_), kControlsWidth, content,
                                   ControlsAndContent::Upper::controls, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->addWidget(body_);
    connectModels();
}

void ObjectsPanel::setTall(bool tall) {
    body_->setTall(tall);
    results_->setOrientation(tall ? Qt::Vertical : Qt::Horizontal);
    const QList<QToolButton*> all{scored_, followed_, chart_};
    const auto open = std::ranges::find_if(all, &QToolButton::isChecked);
    showSections(open != all.end() ? *open : scored_);
}

void ObjectsPanel::showSections(QToolButton* last) {
    const QList<QToolButton*> all{chart_, followed_, scored_};
    if (results_->orientation() == Qt::Vertical) {
        for (QToolButton* const button : all) {
            button->setChecked(button->isChecked() && (button == last || !last->isChecked()));
        }
    }
}

QLayout* ObjectsPanel::makeHead() {
    auto* head = new WrappingRow(3);
    makeMarkButtons(*head);
    makeColumnMenu();
    head->addWidget(columns_);
    chart_ = makeIconButton(this, "objectsShowChart", QStringLiteral("chart"), tr("Chart"),
                            tr("Show a chart of the objects with the table"));
    chart_->setCheckable(true);
    head->addWidget(chart_);
    followed_ = makeIconButton(this, "objectsShowTracks", QStringLiteral("thin_line"), tr("Tracks over the pages"),
                               tr("Follow the objects over the pages of a stack"));
    followed_->setCheckable(true);
    head->addWidget(followed_);
    scored_ = makeIconButton(this, "objectsShowScore", QStringLiteral("difference"), tr("Score"),
                             tr("Compare the objects with the true ones of a file"));
    scored_->setCheckable(true);
    head->addWidget(scored_);
    makeSaveMenu();
    head->addWidget(save_);
    return head;
}

QLayout* ObjectsPanel::makeCondition() {
    condition_->setObjectName(QStringLiteral("objectsCondition"));
    condition_->setClearButtonEnabled(true);
    condition_->setMinimumWidth(kConditionWidth);
    explain(condition_, tr("Condition for the rows"),
            tr("Only objects that meet this are listed, coloured and written to files. Compare with <, <=, >, >=, ==, "
               "!=; join by && and ||; calculate with + - * / and parentheses.\n"
               "Names of features are completed while you type, and the arrow down lists all features. A length or an "
               "area may have a unit, as in %1; without one it is in the unit behind the field.")
                .arg(vm::shownCondition(QStringLiteral("area > 15 µm² && width < 3.5 px"))));
    makeUnits();
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing / 2);
    row->addWidget(condition_, 1);
    row->addWidget(units_);
    classes_ = makeIconButton(this, "objectsShowClasses", QStringLiteral("classes"), tr("Classes"),
                              tr("Sort the objects into classes with a colour each"));
    classes_->setCheckable(true);
    row->addWidget(classes_);
    return row;
}

void ObjectsPanel::makeMarkButtons(QLayout& head) {
    edit_ = makeIconButton(this, "objectsEdit", QStringLiteral("brush"), tr("Edit by hand"),
                           tr("Edit the objects on the image by hand: brush, eraser, polygon, join, cut"));
    edit_->setCheckable(true);
    connect(edit_, &QToolButton::toggled, &edits_, &vm::LabelEditViewModel::setOn);
    remove_ = makeIconButton(this, "objectsDelete", QStringLiteral("delete"), tr("Delete the selected objects"),
                             tr("Delete the selected objects from table, image and files (Del)"));
    keep_ = makeIconButton(this, "objectsKeep", QStringLiteral("keep"), tr("Keep only the selected objects"),
                           tr("Keep only the selected objects and delete the others of the table"));
    undo_ = makeIconButton(this, "objectsUndo", QStringLiteral("undo"), tr("Undo"),
                           tr("Undo the last change, a deletion too (Ctrl+Z)"));
    redo_ = makeIconButton(this, "objectsRedo", QStringLiteral("redo"), tr("Redo"),
                           tr("Redo the change that was undone (Ctrl+Y)"));
    refine_ = makeIconButton(this, "objectsRefine", QStringLiteral("contour"), tr("Refine with a contour"),
                             tr("Let contours (region snakes) start at the outlines of the selected objects"));
    for (QToolButton* button : {edit_, remove_, keep_, undo_, redo_, refine_}) {
        head.addWidget(button);
    }
    refineText_ = refine_->toolTip();
    vm::ObjectMarks& marks = table_.marks();
    connect(remove_, &QToolButton::clicked, this, [&marks] { marks.remove(std::vector(marks.selected())); });
    connect(keep_, &QToolButton::clicked, this, [this, &marks] {
        if (const auto listing = table_.listing()) {
            marks.keepOnly(std::vector(marks.selected()), listing->labels);
        }
    });
    connect(refine_, &QToolButton::clicked, this, &ObjectsPanel::refineRequested);
    connect(undo_, &QToolButton::clicked, &history_, &vm::EditHistory::undo);
    connect(redo_, &QToolButton::clicked, &history_, &vm::EditHistory::redo);
    follow(this, &ObjectsPanel::showUndo, history_.stack(), &QUndoStack::canUndoChanged, &QUndoStack::canRedoChanged);
}

void ObjectsPanel::makeColumnMenu() {
    columns_ = makeIconButton(this, "objectsColumns", QStringLiteral("columns"), tr("Columns"),
                              tr("Features shown in the table"));
    columns_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(columns_);
    menu->setToolTipsVisible(true);
    columns_->setMenu(menu);
    menu->addSeparator();
    fillColumnMenu();
    QAction* help = menu->addAction(tr("&How features are defined…"));
    help->setObjectName(QStringLiteral("objectsFeatureHelp"));
    help->setToolTip(tr("All features with their formulas, and how ImageJ defines perimeter and circularity"));
    connect(help, &QAction::triggered, this,
            [this] { emit helpRequested(QStringLiteral("objects#features-of-objects")); });
}

void ObjectsPanel::fillColumnMenu() {
    qDeleteAll(columnActions_);
    columnActions_.clear();
    columnsOfVolumes_ = vm::describesVolumes();
    QMenu* menu = columns_->menu();
    QAction* const end = menu->actions().constFirst(); // the separator
    for (const ObjectFeatureInfo& info : vm::describedFeatures()) {
        if (info.feature == ObjectFeature::label) {
            continue;
        }
        auto* action = new QAction(vm::featureName(info.feature), menu);
        menu->insertAction(end, action);
        columnActions_ << action;
        action->setObjectName(QStringLiteral("objectsColumn-") + fromView(info.id));
        action->setToolTip(table_.helpOf(info.feature));
        action->setCheckable(true);
        action->setChecked(table_.isColumnShown(info.feature));
        connect(action, &QAction::toggled, &table_,
                [this, feature = info.feature](bool shown) { table_.setColumnShown(feature, shown); });
    }
}

void ObjectsPanel::makeSaveMenu() {
    save_ = makeIconButton(this, "objectsSave", QStringLiteral("save"), tr("Save the objects"),
                           tr("Write the objects of the table into a file"));
    save_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(save_);
    menu->setToolTipsVisible(true);
    const auto add = [&](vm::ObjectFile file, const QString& name, const QString& what) {
        QAction* action = menu->addAction(name);
        action->setObjectName(QStringLiteral("objectsSave-") + vm::suffixOf(file));
        action->setToolTip(what);
        connect(action, &QAction::triggered, this, [this, file] { emit saveRequested(file); });
        return action;
    };
    add(vm::ObjectFile::table, tr("&Table (CSV)…"), tr("Columns, rows, order and unit as they are shown"));
    QAction* pixels = menu->addAction(tr("Table in &pixels (CSV)…"));
    pixels->setObjectName(QStringLiteral("objectsSave-pixels"));
    pixels->setToolTip(tr("All features of every row, in px"));
    connect(pixels, &QAction::triggered, this, &ObjectsPanel::savePixelTableRequested);
    saveLabels_ = add(vm::ObjectFile::labels, tr("&Label image (TIFF)…"),
                      tr("The numbers of the objects, 16 or 32 bits a pixel"));
    saveOutlines_ =
        add(vm::ObjectFile::outlines, tr("&Outlines (GeoJSON)…"),
            tr("Polygons along the edges of pixels, in longitude and latitude if the image has a map, with measures in "
               "the unit of the table; of a volume, those in each slice"));
    saveVector_ = add(vm::ObjectFile::vector, tr("Outlines for &maps (GeoPackage)…"),
                      tr("The same polygons in the coordinate system of the image; also FlatGeobuf and CSV with WKT"));
    saveVector_->setVisible(writesVectorFiles());
    vectorText_ = saveVector_->toolTip();
    add(vm::ObjectFile::regions, tr("&Regions (ImageJ)…"), tr("A zip for ImageJ's ROI manager"));
    save_->setMenu(menu);
    follow(
        this, [this] { save_->setEnabled(exporter_.isAvailable()); }, exporter_, &vm::ObjectExport::availableChanged);
}

void ObjectsPanel::makeUnits() {
    units_->setObjectName(QStringLiteral("objectsUnits"));
    units_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(units_, &QComboBox::currentIndexChanged, &table_,
            [this] { table_.setUnit(static_cast<LengthUnit>(units_->currentData().toInt())); });
}

void ObjectsPanel::connectModels() {
    connect(&table_, &vm::ObjectTableModel::columnsChanged, this, [this] {
        if (columnsOfVolumes_ != vm::describesVolumes()) {
            fillColumnMenu();
        }
    });
    follow(this, &ObjectsPanel::showKind, objects_.document(), &vm::DocumentViewModel::imageChanged);
    connect(condition_, &QLineEdit::textChanged, &table_, &vm::ObjectTableModel::setCondition);
    connect(view_, &ObjectsTable::visitRequested, this, &ObjectsPanel::visit);
    connect(&objects_, &vm::ObjectsViewModel::changed, this, &ObjectsPanel::showState);
    follow(this, &ObjectsPanel::showState, table_, &vm::ObjectTableModel::listingChanged);
    follow(this, &ObjectsPanel::showCondition, table_, &vm::ObjectTableModel::conditionChanged);
    follow(this, &ObjectsPanel::showUnits, table_, &vm::ObjectTableModel::unitChanged);
    follow(this, &ObjectsPanel::showSummary, table_.marks(), &vm::ObjectMarks::selectionChanged,
           &vm::ObjectMarks::removedChanged);
}

QString ObjectsPanel::emptyText() const {
    using State = vm::ObjectsViewModel::State;
    if (objects_.state() == State::failed) {
        return objects_.rule().usesThreshold()
                   ? tr("There are no objects: %1.\nSet the levels by hand.").arg(objects_.problem())
                   : tr("There are no objects: %1.").arg(objects_.problem());
    }
    const auto listing = table_.listing();
    if (!listing && objects_.source() == StepImage::result && !objects_.document().hasResult() &&
        !objects_.document().activity().isBusy()) {
        return tr("There is no result. Objects can be found in the original.");
    }
    if (!listing) {
        return tr("Finding objects…");
    }
    const QLocale locale;
    if (listing->objectCount() == 0) {
        if (!objects_.rule().usesThreshold()) {
            return objects_.regions().way() == vm::FindBy::best
                       ? tr("No candidate fits an object.\nLower the strictness, or check the size.")
                   : objects_.regions().way() == vm::FindBy::labels ? tr("The file has no labels here.")
                                                                    : tr("There are no regions.");
        }
        if (const std::optional<ValueMapping>& mapping = objects_.mapping()) {
            const ValueBounds values = objects_.values();
            return tr("No pixel has a value from %1 to %2.\nWiden the values, or let a method find the threshold.")
                .arg(vm::greyNumber(values.low), vm::withUnit(vm::greyNumber(values.high), unitOf(mapping)));
        }
        return tr("No pixel has a level from %1 to %2.\nWiden the levels, or let a method find the threshold.")
            .arg(locale.toString(int{listing->found->low}), locale.toString(int{listing->found->high}));
    }
    const auto all = static_cast<int>(listing->objectCount());
    if (listing->atBorder > 0) {
        return tr("All objects that meet the condition touch the border (%1).").arg(locale.toString(listing->atBorder));
    }
    return table_.marks().removedCount() == all
               ? tr("All objects are deleted. Undo brings them back.")
               : tr("None of the %1 objects meets the condition.").arg(locale.toString(all));
}

void ObjectsPanel::showState() {
    const bool rows = table_.rowCount() > 0;
    if (!rows) {
        empty_->setText(emptyText());
        showSuggestions();
    }
    pages_->setCurrentWidget(rows ? static_cast<QWidget*>(view_) : empty_);
    showSummary();
}

void ObjectsPanel::showSuggestions() {
    const auto listing = table_.listing();
    const bool found = listing && !listing->rows.empty();
    useOriginal_->setVisible(!listing && objects_.source() == StepImage::result && !objects_.document().hasResult());
    findThreshold_->setVisible(listing && !found && !objects_.threshold() && objects_.rule().usesThreshold());
    everyRow_->setVisible(found && (listing->atBorder > 0 || !table_.condition().isEmpty()));
}

void ObjectsPanel::showSummary() {
    summary_->setFullText(table_.summary());
    const vm::ObjectMarks& marks = table_.marks();
    remove_->setEnabled(marks.selectedCount() > 0);
    keep_->setEnabled(marks.selectedCount() > 0);
    refine_->setEnabled(marks.selectedCount() > 0 && !objects_.document().isVolume());
}

void ObjectsPanel::showKind() {
    const bool volume = objects_.document().isVolume();
    refine_->setToolTip(volume ? vm::imagesOnlyText() : refineText_);
    saveVector_->setEnabled(!volume);
    saveVector_->setToolTip(volume ? tr("A volume has no place on a map") : vectorText_);
    saveLabels_->setText(volume ? tr("&Label volume (NIfTI, NRRD, MetaImage, TIFF)…") : tr("&Label image (TIFF)…"));
    QMenu& files = *save_->menu();
    if (QAction* next = volume ? files.actions().constFirst() : saveOutlines_; next != saveLabels_) {
        files.insertAction(next, saveLabels_);
    }
    condition_->setPlaceholderText(
        tr("Show where, e.g. %1")
            .arg(vm::shownCondition(volume ? QStringLiteral("area >= 50 && sphericity > 0.8")
                                           : QStringLiteral("area >= 50 && circularity > 0.8"))));
}

void ObjectsPanel::showUndo() {
    undo_->setEnabled(history_.stack().canUndo());
    redo_->setEnabled(history_.stack().canRedo());
}

void ObjectsPanel::showCondition() {
    const QString problem = table_.conditionProblem().isEmpty() ? table_.conditionNotice() : table_.conditionProblem();
    problem_->setVisible(!problem.isEmpty());
    ReturnToImage::setWrong(*condition_, !problem.isEmpty());
    problem_->setText(problem);
    if (condition_->text() != table_.condition()) {
        const QSignalBlocker quiet(condition_);
        condition_->setText(table_.condition());
    }
    const auto size = objects_.document().pixelSizes().present();
    condition_->mark(vm::conditionProblem(table_.condition(), table_.unit(), size, {}, table_.channelColumns()).span);
}

void ObjectsPanel::showUnits() {
    const QSignalBlocker quiet(units_);
    const QString why = table_.whyNoUnit();
    units_->setEnabled(why.isEmpty());
    units_->clear();
    for (const LengthUnit unit : table_.units()) {
        units_->addItem(vm::unitText(unit, Dimension::length), static_cast<int>(unit));
    }
    units_->setCurrentIndex(units_->findData(static_cast<int>(table_.unit())));
    explain(units_, tr("Unit of lengths"),
            why.isEmpty() ? tr("Lengths and areas in pixels, or in a unit of the scene. A condition keeps its meaning.")
                          : why);
    showSummary();
}

void ObjectsPanel::visit(std::uint32_t label) {
    if (const auto listing = table_.listing(); listing && listing->lists(label)) {
        const ComponentRecord& object = listing->object(label);
        objects_.showSliceOf(label);
        display_.setCentre({object.centroidX() + 0.5, object.centroidY() + 0.5});
    }
}

} // namespace pollard::app
