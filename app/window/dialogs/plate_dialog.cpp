#include "window/dialogs/plate_dialog.hpp"

#include "shell/canvas_actions.hpp"
#include "shell/models.hpp"
#include "theme/colours.hpp"
#include "vm/batch/plate_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/menus/menus.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QPixmap>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr QSize kPlateSize(860, 560);
constexpr int kCell = 68; ///< px, a small image with its frame
constexpr QSize kLegend(160, 14);
constexpr int kDigits = 4;
constexpr vm::ColourMap kHeat = vm::ColourMap::viridis;

QColor heatColour(double share) {
    static const std::vector<QColor> stops = colourStops(kHeat);
    const auto last = static_cast<double>(stops.size() - 1);
    return stops[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * last))];
}

/// Black or white, whichever has more contrast to the colour of a well.
QColor heatInk(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    const double luminance =
        0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    constexpr double kEqual = 0.179; // luminance with the same contrast to black and white, of WCAG 2.1
    return luminance > kEqual ? Qt::black : Qt::white;
}

QString numberText(double value) { return QLocale().toString(value, 'g', kDigits); }

} // namespace

PlateDialog::PlateDialog(vm::PlateViewModel& plate, Models& models, QWidget* parent)
    : QDialog(parent), plate_(plate), models_(models), wells_(new QTableWidget(this)), column_(new QComboBox(this)),
      field_(new QComboBox(this)), lowest_(new QLabel(this)), colours_(new QLabel(this)), highest_(new QLabel(this)),
      state_(new QLabel(this)), progress_(new QProgressBar(this)) {
    setObjectName(QStringLiteral("plateDialog"));
    auto* top = new QHBoxLayout;
    field_->setObjectName(QStringLiteral("plateField"));
    explain(field_, tr("Field"), tr("The field of the well that is open"));
    top->addWidget(captionFor(field_, tr("&Field")));
    top->addWidget(field_);
    column_->setObjectName(QStringLiteral("plateColumn"));
    explain(column_, tr("Colour by"), tr("Colours each well by its value in a column of the table of objects"));
    top->addWidget(captionFor(column_, tr("&Colour by")));
    top->addWidget(column_);
    auto* table = new QPushButton(tr("&Table…"), this);
    table->setObjectName(QStringLiteral("plateTable"));
    table->setAutoDefault(false);
    explain(table, tr("Table"), tr("Open the table of objects that a batch over the plate wrote"));
    connect(table, &QPushButton::clicked, this, &PlateDialog::chooseTable);
    top->addWidget(table);
    top->addStretch(1);
    lowest_->setObjectName(QStringLiteral("plateLowest"));
    highest_->setObjectName(QStringLiteral("plateHighest"));
    colours_->setPixmap(colourMapIcon(kHeat, kLegend).pixmap(kLegend));
    for (QLabel* part : {lowest_, colours_, highest_}) {
        top->addWidget(part);
    }
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    wells_->setObjectName(QStringLiteral("plateWells"));
    explain(wells_, tr("Wells"), tr("A click or Return opens a well"));
    wells_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    wells_->setSelectionMode(QAbstractItemView::SingleSelection);
    wells_->setIconSize(QSize(kCell - 4, kCell - 4));
    wells_->horizontalHeader()->setDefaultSectionSize(kCell);
    wells_->verticalHeader()->setDefaultSectionSize(kCell);
    layout->addWidget(wells_, 1);
    state_->setObjectName(QStringLiteral("plateState"));
    state_->setWordWrap(true);
    layout->addWidget(state_);
    progress_->setRange(0, 0);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    layout->addWidget(progress_);
    resizeOnScreen(*this, kPlateSize);
    connect(wells_, &QTableWidget::cellClicked, this, &PlateDialog::openCell);
    auto* enter = new QAction(this);
    enter->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    enter->setShortcutContext(Qt::WidgetShortcut);
    wells_->addAction(enter);
    connect(enter, &QAction::triggered, this, [this] { openCell(wells_->currentRow(), wells_->currentColumn()); });
    connect(column_, &QComboBox::activated, this, [this](int entry) { plate_.setColumn(entry - 1); });
    connect(field_, &QComboBox::activated, &plate_, &vm::PlateViewModel::openField);
    connect(&plate_, &vm::PlateViewModel::thumbnailsChanged, this, &PlateDialog::showWells);
    connect(&plate_, &vm::PlateViewModel::thumbnailRead, this, &PlateDialog::showWell);
    follow(this, &PlateDialog::showPlate, plate_, &vm::PlateViewModel::changed);
}

void PlateDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    plate_.setShown(true);
}

void PlateDialog::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    plate_.setShown(false);
}

void PlateDialog::showPlate() {
    const Plate* plate = plate_.plate();
    setWindowTitle(plate == nullptr
                       ? tr("Plate map")
                       : tr("Plate map of %1").arg(QString::fromStdString(plate->folder.filename().string())));
    const QSignalBlocker quiet(wells_);
    const auto rows = plate == nullptr ? 0 : static_cast<int>(plate->rows.size());
    const auto columns = plate == nullptr ? 0 : static_cast<int>(plate->columns.size());
    if (wells_->rowCount() != rows || wells_->columnCount() != columns) {
        wells_->clear();
        wells_->setRowCount(rows);
        wells_->setColumnCount(columns);
    }
    const auto titles = [](const std::vector<std::string>& names) {
        QStringList texts;
        for (const std::string& name : names) {
            texts << QString::fromStdString(name);
        }
        return texts;
    };
    if (plate != nullptr) {
        wells_->setVerticalHeaderLabels(titles(plate->rows));
        wells_->setHorizontalHeaderLabels(titles(plate->columns));
    }
    showColumns();
    showFields();
    showWells();
    if (plate != nullptr && plate_.well() >= 0) {
        const Plate::Well& well = plate->wells[static_cast<std::size_t>(plate_.well())];
        wells_->setCurrentCell(static_cast<int>(well.row), static_cast<int>(well.column));
    }
}

void PlateDialog::showColumns() {
    const QStringList columns = plate_.columns();
    if (column_->count() != columns.size() + 1 || column_->itemText(1) != columns.value(0)) {
        column_->clear();
        column_->addItem(tr("Small images"));
        column_->addItems(columns);
    }
    column_->setCurrentIndex(plate_.column() + 1);
    const auto range = plate_.range();
    for (QLabel* part : {lowest_, colours_, highest_}) {
        part->setVisible(range.has_value());
    }
    if (range) {
        lowest_->setText(numberText(range->first));
        highest_->setText(numberText(range->second));
    }
}

void PlateDialog::showFields() {
    if (field_->count() != plate_.fieldCount()) {
        field_->clear();
        for (int field = 0; field < plate_.fieldCount(); ++field) {
            field_->addItem(QString::number(field));
        }
    }
    field_->setCurrentIndex(plate_.field());
    field_->setEnabled(field_->count() > 1);
}

void PlateDialog::showWells() {
    progress_->setVisible(plate_.isReading());
    const Plate* plate = plate_.plate();
    state_->setText(!plate_.problem().isEmpty() ? plate_.problem()
                    : plate == nullptr          ? tr("The open image belongs to no plate.")
                                                : QString());
    state_->setVisible(!state_->text().isEmpty());
    if (plate == nullptr) {
        return;
    }
    for (int i = 0; i < static_cast<int>(plate->wells.size()); ++i) {
        showWell(i);
    }
}

void PlateDialog::showWell(int number) {
    const Plate& plate = *plate_.plate();
    const Plate::Well& well = plate.wells[static_cast<std::size_t>(number)];
    const auto row = static_cast<int>(well.row);
    const auto column = static_cast<int>(well.column);
    QTableWidgetItem* item = wells_->item(row, column);
    if (item == nullptr) {
        item = new QTableWidgetItem;
        item->setTextAlignment(Qt::AlignCenter);
        wells_->setItem(row, column, item);
    }
    const QString name = QString::fromStdString(well.name);
    const std::optional<double> value = plate_.value(number);
    const auto range = plate_.range();
    const bool isMissing = well.fields.empty();
    item->setFlags(isMissing ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(isMissing ? tr("%1: missing in the files").arg(name)
                     : value   ? tr("%1: %2 %3").arg(name, column_->currentText(), numberText(*value))
                               : name);
    item->setText(isMissing ? tr("missing") : value ? numberText(*value) : QString());
    const QImage image = range ? QImage() : plate_.thumbnail(number);
    item->setData(Qt::DecorationRole, image.isNull() ? QVariant() : QVariant(QPixmap::fromImage(image)));
    if (value) {
        const double width = range->second - range->first;
        const QColor colour = heatColour(width > 0 ? (*value - range->first) / width : 1);
        item->setBackground(colour);
        item->setForeground(heatInk(colour));
    } else {
        item->setData(Qt::BackgroundRole, {});
        item->setData(Qt::ForegroundRole, {});
    }
}

void PlateDialog::chooseTable() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose a table of objects"), models_.settings.lastDirectory(),
                                     tr("Table (*.csv)") + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty()) {
        plate_.loadTable(path);
    }
}

void PlateDialog::openCell(int row, int column) {
    const Plate* plate = plate_.plate();
    if (plate == nullptr) {
        return;
    }
    const auto found = std::ranges::find_if(plate->wells, [&](const Plate::Well& well) {
        return static_cast<int>(well.row) == row && static_cast<int>(well.column) == column;
    });
    if (found != plate->wells.end()) {
        plate_.open(static_cast<int>(found - plate->wells.begin()));
    }
}

void addPlate(QMainWindow& window, Models& models) {
    using View = vm::PlateViewModel;
    auto* plate = new View(models.document, &window);
    QObject::connect(plate, &View::openRequested, &window, [&models](const QString& path) { models.openFile(path); });
    const auto add = [&window](const char* name, const QString& text, const QString& tip, const QKeySequence& key) {
        return makeAction({QLatin1String(name), text, tip, {}, key.isEmpty() ? QList<QKeySequence>() : QList{key}},
                          &window);
    };
    QAction* map =
        add("plateMap", PlateDialog::tr("Plate &map…"),
            PlateDialog::tr("The wells of the plate with small images, or coloured by a table of objects"), {});
    QAction* previousWell =
        add("previousWell", PlateDialog::tr("Previo&us well"), PlateDialog::tr("The well before this one on the plate"),
            QKeySequence(Qt::CTRL | Qt::Key_PageUp));
    QAction* nextWell = add("nextWell", PlateDialog::tr("Next &well"), PlateDialog::tr("The next well of the plate"),
                            QKeySequence(Qt::CTRL | Qt::Key_PageDown));
    QAction* previousField = add("previousField", PlateDialog::tr("Pre&vious field"),
                                 PlateDialog::tr("The field before this one of the well"),
                                 QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp));
    QAction* nextField = add("nextField", PlateDialog::tr("Next &field"), PlateDialog::tr("The next field of the well"),
                             QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown));
    const QList<QAction*> actions{map, previousWell, nextWell, previousField, nextField};
    const QString scaleName = QStringLiteral("measureScale");
    if (QMenu* menu = menuWith(window, scaleName)) {
        auto* scale = window.findChild<QAction*>(scaleName);
        menu->insertActions(scale, actions);
        menu->insertSeparator(scale);
    }
    QObject::connect(map, &QAction::triggered, &window, [&window, &models, plate] {
        auto* dialog = window.findChild<PlateDialog*>();
        if (dialog == nullptr) {
            dialog = new PlateDialog(*plate, models, &window);
        }
        dialog->show();
        dialog->raise();
        dialog->activateWindow();
    });
    QObject::connect(previousWell, &QAction::triggered, plate, [plate] { plate->step(-1); });
    QObject::connect(nextWell, &QAction::triggered, plate, [plate] { plate->step(1); });
    QObject::connect(previousField, &QAction::triggered, plate, [plate] { plate->stepField(-1); });
    QObject::connect(nextField, &QAction::triggered, plate, [plate] { plate->stepField(1); });
    const auto enable = [=] {
        for (QAction* action : actions) {
            action->setVisible(plate->plate() != nullptr);
        }
        map->setEnabled(plate->plate() != nullptr);
        previousWell->setEnabled(plate->canStep(-1));
        nextWell->setEnabled(plate->canStep(1));
        previousField->setEnabled(plate->canStepField(-1));
        nextField->setEnabled(plate->canStepField(1));
    };
    follow(map, enable, *plate, &View::changed);
}

} // namespace pollard::app
