#include "lab/race/race_dialog.hpp"

#include "lab/race/race_chart.hpp"
#include "vm/base/value_text.hpp"
#include "widgets/panel_parts.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Race = vm::RaceViewModel;

constexpr QSize kSize(680, 560);

enum Column { algorithmColumn, engineColumn, timeColumn, columns };

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
    times_->setHeaderLabels({tr("Algorithm"), tr("Engine"), tr("ms")});
    explain(times_, tr("Times"), tr("Median time of %1 builds, node tables included").arg(Race::kRounds));
    rows->addWidget(times_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    start_->setObjectName(QStringLiteral("raceStart"));
    start_->setToolTip(tr("Build the tree with every algorithm, %1 times each").arg(Race::kRounds));
    cancel_->setObjectName(QStringLiteral("raceCancel"));
    cancel_->setToolTip(tr("End the race"));
    buttons->addButton(start_, QDialogButtonBox::ActionRole);
    buttons->addButton(cancel_, QDialogButtonBox::ActionRole);
    rows->addWidget(buttons);
    resize(kSize);
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
    times_->clear();
    for (const Race::Runner& runner : race_.runners()) {
        const QString time = runner.milliseconds         ? vm::shortValue(*runner.milliseconds)
                             : !runner.problem.isEmpty() ? runner.problem
                             : race_.isRunning()         ? tr("…")
                                                         : QStringLiteral("–");
        auto* item = new QTreeWidgetItem(times_, {runner.name, runner.engine, time});
        item->setToolTip(algorithmColumn, runner.source);
        item->setToolTip(timeColumn, runner.problem);
    }
    for (int column = 0; column < columns; ++column) {
        times_->resizeColumnToContents(column);
    }
}

} // namespace pollard::app
