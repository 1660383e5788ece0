#include "window/files/data_menu.hpp"

#include "base/text.hpp"
#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"

#include <QAbstractItemView>
#include <QAreaSeries>
#include <QBuffer>
#include <QChart>
#include <QChartView>
#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QKeyEvent>
#include <QLineSeries>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QSettings>
#include <QSvgGenerator>
#include <QXYSeries>

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr auto kUnitsRow = "export/unitsRow";
constexpr double kDensity = 2; ///< px of a saved image per px of the screen

QImage imageOf(QWidget& widget) {
    QImage image(widget.size() * kDensity, QImage::Format_RGB32);
    image.setDevicePixelRatio(kDensity);
    image.fill(widget.palette().color(QPalette::Window));
    QPainter painter(&image);
    widget.render(&painter);
    return image;
}

QByteArray svgOf(QWidget& widget, const QString& title) {
    QByteArray svg;
    QBuffer buffer(&svg);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(widget.size());
    generator.setViewBox(widget.rect());
    generator.setTitle(title);
    QPainter painter(&generator);
    widget.render(&painter);
    painter.end();
    return svg;
}

QByteArray pngOf(QWidget& widget) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    imageOf(widget).save(&buffer, "png");
    return png;
}

QString write(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        return QStringLiteral("%1: %2").arg(path, file.errorString());
    }
    return {};
}

QList<int> selectedRows(const QAbstractItemView& view) {
    QList<int> rows;
    for (const QModelIndex& index : view.selectionModel()->selectedRows()) {
        if (!index.parent().isValid()) {
            rows << index.row();
        }
    }
    std::sort(rows.begin(), rows.end());
    return rows.size() > 1 ? rows : QList<int>(); // a single row is only the cursor
}

} // namespace

DataMenu::DataMenu(QWidget& widget, const QString& ending, std::function<vm::DataTable()> table, Models& models,
                   ErrorPresenter& errors)
    : QObject(&widget), widget_(widget), ending_(ending), table_(std::move(table)), models_(models), errors_(errors),
      isTable_(false) {
    start();
}

DataMenu::DataMenu(QAbstractItemView& view, const QString& ending, Models& models, ErrorPresenter& errors)
    : QObject(&view), widget_(view), ending_(ending),
      table_([&view] { return vm::tableOf(*view.model(), selectedRows(view)); }), models_(models), errors_(errors),
      isTable_(true) {
    start();
}

void DataMenu::start() {
    widget_.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&widget_, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& place) { makeMenu()->popup(widget_.mapToGlobal(place)); });
    if (isTable_) {
        widget_.installEventFilter(this);
    }
}

bool DataMenu::hasUnitsRow() const { return models_.store.value(QLatin1String(kUnitsRow), false).toBool(); }

QMenu* DataMenu::makeMenu() {
    auto* menu = new QMenu(&widget_);
    menu->setObjectName(QStringLiteral("dataMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const bool hasData = table_ && !table_().isEmpty();
    const auto add = [&](const QString& text, bool possible, auto run) {
        QAction* action = menu->addAction(text);
        action->setEnabled(possible);
        connect(action, &QAction::triggered, this, run);
    };
    if (isTable_) {
        add(tr("&Copy rows"), hasData, [this] { copyData(); });
    } else {
        add(tr("Copy &image"), true, [this] { copyImage(); });
    }
    if (!isTable_ && table_) {
        add(tr("&Copy data"), hasData, [this] { copyData(); });
    }
    menu->addSeparator();
    if (!isTable_) {
        add(tr("&Save image as…"), true, [this] { ask(true); });
    }
    if (!table_) {
        return menu;
    }
    add(tr("Save &data as…"), hasData, [this] { ask(false); });
    QAction* units = menu->addAction(tr("With a row of &units"));
    units->setToolTip(tr("Units are in a line of their own below the names of the columns"));
    units->setCheckable(true);
    units->setChecked(hasUnitsRow());
    connect(units, &QAction::toggled, this, [this](bool on) { models_.store.setValue(QLatin1String(kUnitsRow), on); });
    return menu;
}

QByteArray DataMenu::image() const { return pngOf(widget_); }

void DataMenu::copyImage() const { QGuiApplication::clipboard()->setImage(imageOf(widget_)); }

void DataMenu::copyData() const { QGuiApplication::clipboard()->setText(vm::tsvOf(table_(), hasUnitsRow())); }

QString DataMenu::saveImage(const QString& path) const {
    const bool drawing = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
    return write(path, drawing ? svgOf(widget_, widget_.accessibleName()) : pngOf(widget_));
}

QString DataMenu::saveData(const QString& path) const {
    const bool tabs = path.endsWith(QLatin1String(".tsv"), Qt::CaseInsensitive);
    const vm::DataTable table = table_();
    return write(path, (tabs ? vm::tsvOf(table, hasUnitsRow()) : vm::csvOf(table, hasUnitsRow())).toUtf8());
}

void DataMenu::ask(bool image) {
    const QString path = askWhereToSave(
        *widget_.window(), models_,
        image ? SaveQuestion{tr("Save the chart"), tr("SVG drawing (*.svg);;PNG image (*.png)"), ending_,
                             QStringLiteral("svg")}
              : SaveQuestion{tr("Save the numbers"), tr("Comma-separated table (*.csv);;Tab-separated table (*.tsv)"),
                             ending_, QStringLiteral("csv")});
    if (path.isEmpty()) {
        return;
    }
    const QString problem = image ? saveImage(path) : saveData(path);
    if (!problem.isEmpty()) {
        errors_.present(&widget_, tr("The file was not saved"), problem);
    }
}

bool DataMenu::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (isKey && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        // Takes precedence over the window's shortcut for copying the view.
        event->accept();
        if (event->type() == QEvent::KeyPress) {
            copyData();
        }
        return true;
    }
    return QObject::eventFilter(watched, event);
}

namespace {

/// A table of the points in the series of a chart that has no table.
vm::DataTable tableOfSeries(const QChart& chart) {
    vm::DataTable table{{QStringLiteral("series"), QStringLiteral("x"), QStringLiteral("y")}, {{}, {}, {}}, {}};
    int number = 0;
    for (const QAbstractSeries* series : chart.series()) {
        ++number;
        const auto* line = qobject_cast<const QXYSeries*>(series);
        if (const auto* area = qobject_cast<const QAreaSeries*>(series)) {
            line = area->upperSeries();
        }
        for (const QPointF& point : line != nullptr ? line->points() : QList<QPointF>()) {
            table.rows << QStringList{series->name().isEmpty() ? QString::number(number) : series->name(),
                                      vm::exactNumber(point.x()), vm::exactNumber(point.y())};
        }
    }
    return table;
}

/// Whether a view has rows with several columns: single-column lists are controls, not data.
bool isTable(const QAbstractItemView& view) {
    return view.model() != nullptr && view.model()->columnCount() > 1 && !view.objectName().isEmpty();
}

} // namespace

void addDataMenus(QMainWindow& window, Models& models, ErrorPresenter& errors) {
    for (QChartView* chart : window.findChildren<QChartView*>()) {
        if (chart->findChild<DataMenu*>() == nullptr) {
            new DataMenu(
                *chart, QStringLiteral("_chart"), [chart] { return tableOfSeries(*chart->chart()); }, models, errors);
        }
    }
    for (QAbstractItemView* view : window.findChildren<QAbstractItemView*>()) {
        if (isTable(*view)) {
            new DataMenu(*view, QStringLiteral("_table"), models, errors);
        }
    }
}

} // namespace pollard::app
