#include "window/dialogs/batch_dialog.hpp"

#include "engine/engine_registry.hpp"
#include "shell/canvas_actions.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "vm/document/image_units.hpp"
#include "vm/recipe/recipe_files.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/leave_question.hpp"

#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QStandardItemModel>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace pollard::app {
namespace {

constexpr QSize kSize(820, 600);
constexpr int kNameWidth = 200; ///< px
constexpr int kCellWidth = 84;

QPushButton* makeButton(const char* objectName, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(objectName));
    button->setToolTip(toolTip);
    button->setAutoDefault(false);
    return button;
}

template <class Box> Box* named(const char* objectName, const QString& name, const QString& toolTip, Box* box) {
    box->setObjectName(QLatin1String(objectName));
    explain(box, name, toolTip);
    return box;
}

QString sizeText(const PixelSize& size) {
    const QLocale locale;
    const QString height = size.y != size.x ? QStringLiteral(" × ") + locale.toString(size.y) : QString();
    return locale.toString(size.x) + height + u' ' + QString::fromStdString(size.unit);
}

void openOutside(const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }

} // namespace

vm::BatchViewModel::Engines enginesOf(const EngineRegistry& registry, const Models& models) {
    return [&registry, name = models.document.choices().requestedEngine().toStdString()] {
        return name == "auto" ? usableEngines(registry) : std::vector<Engine*>{&registry.select(name)};
    };
}

BatchDialog::BatchDialog(const EngineRegistry& registry, Models& models, const vm::RecipeViewModel& recipe,
                         const vm::PresetViewModel& presets, QWidget* parent)
    : QDialog(parent), models_(models), recipe_(recipe), batch_(enginesOf(registry, models)) {
    setObjectName(QStringLiteral("batchDialog"));
    setWindowTitle(tr("Apply to a folder"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAcceptDrops(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    addFiles(*layout);
    addChoices(*layout);
    addEnd(*layout);
    fillSources(presets);
    followImage();
    source_->setCurrentIndex(listsOpenImage() && !recipe_.isEmpty() ? 0 : source_->currentIndex());
    connect(source_, &QComboBox::currentIndexChanged, this, &BatchDialog::takeSource);
    connect(&recipe_, &vm::RecipeViewModel::changed, this, &BatchDialog::followImage);
    connect(files_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BatchDialog::showState);
    takeSource();
    follow(this, &BatchDialog::showState, batch_, &vm::BatchViewModel::changed);
    resizeOnScreen(*this, kSize);
}

void BatchDialog::addFiles(QBoxLayout& layout) {
    QPushButton* folder = makeButton("batchFolder", tr("Choose a &folder…"), tr("Apply to all images of a folder"));
    QPushButton* some = makeButton("batchFiles", tr("Choose f&iles…"), tr("Apply to these files only"));
    connect(folder, &QPushButton::clicked, this, &BatchDialog::chooseFolder);
    connect(some, &QPushButton::clicked, this, &BatchDialog::chooseFiles);
    count_ = new QLabel;
    count_->setObjectName(QStringLiteral("batchCount"));
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    row->addWidget(folder);
    row->addWidget(some);
    row->addWidget(count_, 1);
    layout.addLayout(row);
    connect(&batch_, &vm::BatchViewModel::changed, this, [this, folder, some] {
        folder->setEnabled(!batch_.isRunning());
        some->setEnabled(!batch_.isRunning());
    });
    files_ = named("batchList", tr("Files"), tr("The files with the result of each; a double click opens it"),
                   new QTableView);
    files_->setModel(&batch_);
    files_->setSelectionBehavior(QAbstractItemView::SelectRows);
    files_->setSelectionMode(QAbstractItemView::SingleSelection);
    files_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    files_->setTabKeyNavigation(false);
    files_->setWordWrap(false);
    files_->verticalHeader()->hide();
    files_->horizontalHeader()->setStretchLastSection(true);
    files_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    files_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    for (int column = 0; column < vm::BatchViewModel::kColumns; ++column) {
        const int least = column == vm::BatchViewModel::fileColumn ? kNameWidth : kCellWidth;
        files_->setColumnWidth(column, std::max(least, files_->horizontalHeader()->sectionSizeHint(column)));
    }
    connect(files_, &QTableView::activated, this, [this](const QModelIndex& index) { openResult(index.row()); });
    layout.addWidget(files_, 1);
}

void BatchDialog::addChoices(QBoxLayout& layout) {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(kPanelSpacing);
    source_ = named("batchSource", tr("Apply"), tr("The steps that are done with every file"), new QComboBox);
    QPushButton* load = makeButton("batchRecipe", tr("&Recipe file…"), tr("Apply a recipe that was saved as a file"));
    connect(load, &QPushButton::clicked, this, &BatchDialog::loadRecipe);
    target_ = named("batchTarget", tr("Save in"), tr("Folder of the results; it is made if it does not exist"),
                    new QLineEdit);
    target_->setPlaceholderText(tr("A new folder beside the files"));
    connect(target_, &QLineEdit::textEdited, &batch_, &vm::BatchViewModel::setFolder);
    QPushButton* where = makeButton("batchWhere", tr("C&hoose…"), tr("Choose the folder of the results"));
    where->setAccessibleName(tr("Folder of the results"));
    connect(where, &QPushButton::clicked, this, &BatchDialog::chooseTarget);
    const auto beside = [](QWidget* field, QWidget* button) {
        auto* row = new QHBoxLayout;
        row->setSpacing(kPanelSpacing);
        row->addWidget(field, 1);
        row->addWidget(button);
        return row;
    };
    form->addRow(captionFor(source_, tr("&Apply")), beside(source_, load));
    form->addRow(captionFor(target_, tr("&Save in")), beside(target_, where));
    resume_ =
        named("batchResume", tr("Skip files whose results are up to date"),
              tr("Continues an interrupted run of a preset or a recipe file: results stay that are not older than "
                 "their file and the recipe"),
              new QCheckBox(tr("S&kip files whose results are up to date")));
    connect(resume_, &QCheckBox::toggled, &batch_, &vm::BatchViewModel::setResuming);
    form->addRow(QString(), resume_);
    const auto stated = models_.document.pixelSizes().stated();
    pixelSize_ =
        named("batchPixelSize", tr("Pixel size for every file"),
              tr("The size that was set for the open image, in place of the sizes in the files"), new QCheckBox(this));
    pixelSize_->setVisible(stated.has_value());
    if (stated) {
        pixelSize_->setText(tr("&Pixel size for every file: %1").arg(sizeText(*stated)));
        form->addRow(QString(), pixelSize_);
        connect(pixelSize_, &QCheckBox::toggled, this,
                [this, stated](bool on) { batch_.setPixelSize(on ? stated : std::nullopt); });
    }
    addUnit(*form);
    joined_ = new CaptionLabel(
        tr("The objects of all files also come as one table: %1").arg(QLatin1String(vm::BatchViewModel::kTableName)));
    joined_->setWordWrap(true);
    form->addRow(QString(), joined_);
    layout.addLayout(form);
}

/// Adds the choice among the units of the open image. Initially it is the unit of the Objects panel, but pixels if the
/// size of a pixel was set by hand and is not used for every file.
void BatchDialog::addUnit(QFormLayout& form) {
    unit_ = named("batchUnit", tr("Unit of tables"),
                  tr("Of lengths and areas; every file brings the size of its pixels, and one without it fails"),
                  new QComboBox);
    const auto place = [this](LengthUnit unit) { return std::max(unit_->findData(static_cast<int>(unit)), 0); };
    connect(unit_, &QComboBox::currentIndexChanged, this,
            [this] { batch_.setUnit(static_cast<LengthUnit>(unit_->currentData().toInt())); });
    for (const LengthUnit unit : models_.objectTable.units()) {
        unit_->addItem(vm::unitText(unit, Dimension::length), static_cast<int>(unit));
    }
    const LengthUnit shown = models_.objectTable.unit();
    unit_->setCurrentIndex(place(pixelSize_->isHidden() ? shown : LengthUnit::pixel));
    connect(pixelSize_, &QCheckBox::toggled, this,
            [this, place, shown](bool on) { unit_->setCurrentIndex(place(on ? shown : LengthUnit::pixel)); });
    form.addRow(captionFor(unit_, tr("&Unit of tables")), unit_);
    const auto show = [this, &form] { form.setRowVisible(unit_, batch_.joinsTables() && unit_->count() > 1); };
    follow(&form, show, batch_, &vm::BatchViewModel::changed);
}

void BatchDialog::addEnd(QBoxLayout& layout) {
    progress_ = named("batchProgress", tr("Progress"), tr("Files that ended"), new QProgressBar);
    layout.addWidget(progress_);
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("batchProblem"));
    problem_->setWordWrap(true);
    layout.addWidget(problem_);
    open_ = makeButton("batchOpen", tr("&Open the result"), tr("Open the result of the selected file"));
    openTable_ = makeButton("batchOpenTable", tr("Open the &table"), tr("Open the table of the objects of all files"));
    showFolder_ = makeButton("batchShowFolder", tr("Sho&w in folder"), tr("Show the folder of the results"));
    start_ = makeButton("batchStart", tr("Start"), tr("Apply the steps to all files"));
    start_->setDefault(true);
    close_ = makeButton("batchClose", tr("Close"), QString());
    connect(open_, &QPushButton::clicked, this, [this] { openResult(currentRow()); });
    connect(openTable_, &QPushButton::clicked, this, [this] { openOutside(batch_.tableFile()); });
    connect(showFolder_, &QPushButton::clicked, this, [this] { openOutside(batch_.folder()); });
    connect(start_, &QPushButton::clicked, &batch_, &vm::BatchViewModel::start);
    connect(close_, &QPushButton::clicked, this, &BatchDialog::reject);
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    for (QPushButton* button : {open_, openTable_, showFolder_}) {
        row->addWidget(button);
    }
    row->addStretch(1);
    row->addWidget(start_);
    row->addWidget(close_);
    layout.addLayout(row);
}

void BatchDialog::fillSources(const vm::PresetViewModel& presets) {
    for (int preset = 0; preset < presets.count(); ++preset) {
        source_->addItem(tr("Preset: %1").arg(presets.title(preset)), presets.name(preset));
    }
}

bool BatchDialog::listsOpenImage() const { return !source_->itemData(0).isValid(); }
bool BatchDialog::usesOpenImage() const { return !source_->currentData().isValid(); }

void BatchDialog::followImage() {
    if (!recipe_.isAvailable()) {
        if (listsOpenImage()) {
            source_->removeItem(0);
        }
    } else {
        if (!listsOpenImage()) {
            source_->insertItem(0, QString());
        }
        source_->setItemText(0,
                             (recipe_.isEmpty() ? tr("Steps just done to %1: none yet") : tr("Steps just done to %1"))
                                 .arg(models_.document.name()));
        qobject_cast<QStandardItemModel*>(source_->model())->item(0)->setEnabled(!recipe_.isEmpty());
    }
    if (usesOpenImage()) {
        takeSource();
    }
}

void BatchDialog::takeSource() {
    const QString name = source_->currentData().toString();
    resume_->setEnabled(!usesOpenImage()); // the time of its last change is unknown
    resume_->setChecked(resume_->isChecked() && resume_->isEnabled());
    if (usesOpenImage()) {
        batch_.setRecipe(recipe_.isEmpty() ? std::nullopt : std::optional(recipe_.recipe()));
    } else if (const Preset* preset = findPreset(name.toStdString())) {
        batch_.setRecipe(preset->recipe);
    } else {
        batch_.loadRecipe(name);
    }
}

void BatchDialog::loadRecipe() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose a recipe"), models_.settings.lastDirectory(),
                                     tr("Recipe (*.json)") + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty()) {
        source_->addItem(tr("Recipe: %1").arg(QFileInfo(path).fileName()), path);
        source_->setCurrentIndex(source_->count() - 1);
    }
}

void BatchDialog::chooseFolder() {
    const QString folder = askForFolder(*this, models_, tr("Folder of images"));
    if (!folder.isEmpty()) {
        batch_.setInputs({folder});
    }
}

void BatchDialog::chooseFiles() {
    const QStringList files = askForImages(*this, models_);
    if (!files.isEmpty()) {
        batch_.setInputs(files);
    }
}

void BatchDialog::chooseTarget() {
    const QString folder = askForFolder(*this, models_, tr("Folder of the results"));
    if (!folder.isEmpty()) {
        batch_.setFolder(folder);
    }
}

int BatchDialog::currentRow() const { return files_->currentIndex().isValid() ? files_->currentIndex().row() : -1; }

void BatchDialog::openResult(int row) {
    const QString file = row < 0 ? QString() : batch_.resultFile(row);
    if (file.endsWith(QLatin1String(".tif"))) {
        models_.openFile(file);
    } else if (!file.isEmpty()) {
        openOutside(file);
    }
}

void BatchDialog::showState() {
    const bool running = batch_.isRunning();
    count_->setText(batch_.rowCount() == 0 ? tr("Choose files, or drop them here.") : batch_.summary());
    const bool isTyped = target_->hasFocus() && target_->isModified();
    if (!isTyped && target_->text() != batch_.folder()) {
        target_->setText(batch_.folder());
    }
    for (QWidget* choice : std::initializer_list<QWidget*>{source_, target_, pixelSize_, unit_}) {
        choice->setEnabled(!running);
    }
    resume_->setEnabled(!running && !usesOpenImage());
    joined_->setVisible(batch_.joinsTables());
    progress_->setVisible(running);
    progress_->setRange(0, std::max(1, batch_.rowCount()));
    progress_->setValue(batch_.ended());
    problem_->setText(batch_.problem());
    problem_->setVisible(!batch_.problem().isEmpty());
    for (QPushButton* button : {open_, openTable_, showFolder_}) {
        button->setVisible(batch_.isFinished());
    }
    open_->setEnabled(currentRow() >= 0 && !batch_.resultFile(currentRow()).isEmpty());
    openTable_->setEnabled(!batch_.tableFile().isEmpty());
    start_->setEnabled(batch_.canStart());
    close_->setText(running ? tr("Cancel") : tr("Close"));
    close_->setToolTip(running ? tr("Stop; finished files stay") : tr("Close this dialog"));
}

void BatchDialog::reject() {
    if (batch_.isRunning()) {
        batch_.cancel();
    } else {
        QDialog::reject();
    }
}

bool BatchDialog::mayStop() {
    if (!batch_.isRunning() || batch_.isStopping()) {
        return true;
    }
    StopQuestion question(*parentWidget(), QStringLiteral("leaveBatch"));
    if (question.isAskedAlready()) {
        return false;
    }
    QMessageBox& box = question.box;
    box.setInformativeText(tr("Finished files stay."));
    const auto* stop = question.add(tr("&Stop and leave"), QMessageBox::DestructiveRole, tr("Stop and leave"),
                                    tr("The remaining files are not processed"));
    question.addDefault(tr("&Cancel"), tr("Cancel"), tr("The batch goes on, and nothing is closed"));
    const auto count = [this, &box] {
        const QLocale locale;
        box.setText(tr("%1 of %2 files are done. Stop the batch and leave?")
                        .arg(locale.toString(batch_.ended()), locale.toString(batch_.rowCount())));
    };
    follow(&box, count, batch_, &vm::BatchViewModel::changed);
    connect(&batch_, &vm::BatchViewModel::finished, &box, &QDialog::reject); // and its results are shown
    return question.answer() == stop;
}

void BatchDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!batch_.isRunning() && !localFiles(*event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void BatchDialog::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    batch_.addInputs(localFiles(*event->mimeData()));
}

void showBatch(QMainWindow& window, Models& models, const EngineRegistry& registry, const QStringList& inputs) {
    auto* dialog = window.findChild<BatchDialog*>();
    if (dialog == nullptr) {
        dialog = new BatchDialog(registry, models, *window.findChild<vm::RecipeViewModel*>(),
                                 *window.findChild<vm::PresetViewModel*>(), &window);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    if (!inputs.isEmpty()) {
        dialog->add(inputs);
    }
}

bool mayStopBatch(const QMainWindow& window) {
    auto* dialog = window.findChild<BatchDialog*>();
    return dialog == nullptr || dialog->mayStop();
}

void addBatch(QMainWindow& window, Models& models, const EngineRegistry& registry) {
    QMenu* file = window.menuBar()->actions().constFirst()->menu();
    QAction* apply = makeAction({QStringLiteral("applyToFolder"),
                                 BatchDialog::tr("Appl&y to a folder…"),
                                 BatchDialog::tr("Batch: do the same with many files, such as all images of a folder"),
                                 {},
                                 {}},
                                &window);
    file->insertAction(window.findChild<QAction*>(QStringLiteral("saveSession")), apply);
    QObject::connect(apply, &QAction::triggered, &window,
                     [&window, &models, &registry] { showBatch(window, models, registry); });
}

} // namespace pollard::app
