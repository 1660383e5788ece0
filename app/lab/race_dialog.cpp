#include "lab/race_dialog.hpp"

#include "theme/theme.hpp"
#include "vm/base/data_table.hpp"
#include "vm/base/value_text.hpp"
#include "widgets/panel_parts.hpp"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QCategoryAxis>
#include <QChart>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGraphicsLayout>
#include <QHeaderView>
#include <QHorizontalBarSeries>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSaveFile>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pollard::app {

using Race = vm::RaceViewModel;

namespace {

constexpr double kHeadroom = 1.15; ///< factor for the longest bar
constexpr int kTicks = 6;

} // namespace

RaceChart::RaceChart(Race& race, QWidget* parent) : Chart("raceChart", {}, {360, 180}, parent), race_(race) {
    explain(this, tr("Times"),
            tr("Milliseconds that each algorithm takes for the tree of the open image: shorter is "
               "better"));
    chart()->layout()->setContentsMargins(-1, -1, -1, -1); // the margins of the style
    connect(&race_, &Race::changed, this, &RaceChart::showTimes);
    showTimes();
}

void RaceChart::showTimes() {
    QChart& chart = *this->chart();
    chart.removeAllSeries();
    for (QAbstractAxis* axis : chart.axes()) {
        chart.removeAxis(axis);
        delete axis;
    }
    auto* bars = new QBarSet(tr("ms"));
    QStringList names;
    QStringList said;
    double longest = 0;
    for (auto each = race_.runners().rbegin(); each != race_.runners().rend(); ++each) { // bars start at the bottom
        const Race::Runner& runner = *each;
        const double time = runner.milliseconds.value_or(0);
        *bars << time;
        longest = std::max(longest, time);
        names << QStringLiteral("%1 %2").arg(runner.engine.section(u':', 0, 0), runner.name);
        if (runner.milliseconds) {
            said.prepend(tr("%1: %2 ms").arg(names.back(), vm::shortValue(time)));
        }
    }
    auto* series = new QHorizontalBarSeries;
    bars->setBorderColor(Qt::transparent);
    series->append(bars);
    auto* across = new QCategoryAxis;
    const double end = longest > 0 ? longest * kHeadroom : 1;
    across->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    setTicks(*across, 0, end, ticksBetween(0, end, false, kTicks), [](double value) { return value; });
    across->setTitleText(tr("Time, ms"));
    auto* down = new QBarCategoryAxis;
    down->append(names);
    chart.addAxis(across, Qt::AlignBottom);
    chart.addAxis(down, Qt::AlignLeft);
    addSeries(series, across, down);
    applyStyle();
    setAccessibleDescription(said.join(QStringLiteral("; ")));
}

void RaceChart::styleSeries(const QPalette& palette) {
    QChart& chart = *this->chart();
    chart.setBackgroundBrush(palette.color(QPalette::Base));
    for (QAbstractAxis* axis : chart.axes()) {
        axis->setLabelsColor(palette.color(QPalette::Text));
        axis->setTitleBrush(palette.color(QPalette::Text));
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
        axis->setGridLineColor(hairline(palette));
        axis->setLinePenColor(secondaryText(palette));
    }
    for (QAbstractSeries* series : chart.series()) {
        for (QBarSet* bars : static_cast<QHorizontalBarSeries*>(series)->barSets()) {
            bars->setColor(palette.color(QPalette::Highlight));
        }
    }
}

namespace {

using Race = vm::RaceViewModel;

constexpr QSize kSize(720, 600);

enum Column { algorithmColumn, engineColumn, timeColumn, speedUpColumn, columns };

} // namespace

RaceDialog::RaceDialog(const std::vector<Engine*>& engines, vm::DocumentViewModel& document, QWidget* parent)
    : QDialog(parent), race_(engines, document), subject_(new QLabel(this)), times_(new QTreeWidget(this)),
      start_(new QPushButton(tr("Start"), this)), cancel_(new QPushButton(tr("Stop"), this)) {
    setObjectName(QStringLiteral("raceDialog"));
    setWindowTitle(tr("Race of the algorithms"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* rows = new QVBoxLayout(this);
    subject_->setWordWrap(true);
    rows->addWidget(subject_);
    rows->addWidget(new RaceChart(race_, this), 1);
    times_->setObjectName(QStringLiteral("raceTimes"));
    times_->setRootIsDecorated(false);
    times_->setColumnCount(columns);
    times_->setHeaderLabels({tr("Algorithm"), tr("Engine"), tr("ms"), tr("Speed-up")});
    times_->headerItem()->setToolTip(speedUpColumn, tr("Time of the first row, divided by the time of this row"));
    explain(times_, tr("Times"), tr("Median time of %1 builds, node tables included").arg(Race::kRounds));
    rows->addWidget(times_, 1);
    auto* absent = new QLabel(race_.absent(), this);
    absent->setObjectName(QStringLiteral("raceAbsent"));
    absent->setWordWrap(true);
    absent->setToolTip(tr("Engines that do not take part, with the reason"));
    absent->setVisible(!absent->text().isEmpty());
    rows->addWidget(absent);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    start_->setObjectName(QStringLiteral("raceStart"));
    start_->setToolTip(tr("Build the tree with every algorithm, %1 times each").arg(Race::kRounds));
    cancel_->setObjectName(QStringLiteral("raceCancel"));
    cancel_->setToolTip(tr("End the race"));
    buttons->addButton(start_, QDialogButtonBox::ActionRole);
    buttons->addButton(cancel_, QDialogButtonBox::ActionRole);
    save_ = buttons->addButton(tr("Save as CSV…"), QDialogButtonBox::ActionRole);
    save_->setObjectName(QStringLiteral("raceSave"));
    save_->setToolTip(tr("Write the table into a file"));
    connect(save_, &QPushButton::clicked, this, &RaceDialog::save);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    rows->addWidget(buttons);
    resizeOnScreen(*this, kSize);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(start_, &QPushButton::clicked, &race_, &Race::start);
    connect(cancel_, &QPushButton::clicked, &race_, &Race::cancel);
    connect(&race_, &Race::changed, this, &RaceDialog::showState);
    showState();
}

void RaceDialog::showState() {
    subject_->setText(race_.isAvailable() ? race_.subject() : tr("Open an image first."));
    start_->setEnabled(race_.isAvailable() && !race_.isRunning());
    cancel_->setEnabled(race_.isRunning());
    (race_.isRunning() ? cancel_ : start_)->setDefault(true); // not Close, which ends the race
    times_->clear();
    bool isFirstWithout = true; // they run one after the other
    for (const Race::Runner& runner : race_.runners()) {
        const bool isDone = runner.milliseconds || !runner.problem.isEmpty();
        const bool runs = race_.isRunning() && !isDone && std::exchange(isFirstWithout, false);
        const QString time = runner.milliseconds         ? vm::shortValue(*runner.milliseconds)
                             : !runner.problem.isEmpty() ? runner.problem
                             : runs                      ? tr("running")
                             : race_.isRunning()         ? tr("…")
                                                         : QStringLiteral("–");
        const auto speedUp = race_.speedUp(runner);
        auto* item = new QTreeWidgetItem(
            times_, {runner.name, runner.engine, time, speedUp ? QLocale().toString(*speedUp, 'f', 1) : QString()});
        if (speedUp) { // exact value, for saved tables
            item->setData(timeColumn, Qt::UserRole, *runner.milliseconds);
            item->setData(speedUpColumn, Qt::UserRole, *speedUp);
        }
        if (runs) {
            times_->setCurrentItem(item);
        }
        item->setToolTip(algorithmColumn, runner.source);
        item->setToolTip(timeColumn, runner.problem);
    }
    save_->setEnabled(
        std::ranges::any_of(race_.runners(), [](const auto& each) { return each.milliseconds.has_value(); }));
    for (int column = 0; column < columns; ++column) {
        times_->resizeColumnToContents(column);
    }
}

void RaceDialog::save() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the times"), QStringLiteral("race.csv"), tr("Table (*.csv)"));
    if (path.isEmpty()) {
        return;
    }
    QSaveFile file(path);
    const QByteArray csv = vm::csvOf(vm::tableOf(*times_->model()), false).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(csv) != csv.size() || !file.commit()) {
        subject_->setText(tr("The times were not saved: %1").arg(file.errorString()));
    }
}

} // namespace pollard::app
