#include "window/dialogs/chunk_filter_dialog.hpp"

#include "shell/file_dialogs.hpp"
#include "shell/models.hpp"
#include "shell/notices.hpp"
#include "vm/batch/chunk_filter_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"
#include "window/dialogs/leave_question.hpp"

#include <QAction>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMainWindow>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kPlace = 1;      ///< in the status bar, after the pixel under the pointer
constexpr int kBarWidth = 100; ///< px
constexpr int kBarHeight = 8;
constexpr int kSteps = 1000;
constexpr int kNameWidth = 240; ///< px, of the name of the result

QToolButton* makeTextButton(QWidget* parent, const char* objectName, const QString& icon, const QString& text,
                            const QString& toolTip) {
    QToolButton* button = makeIconButton(parent, objectName, icon, text, toolTip);
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

} // namespace

ChunkFilterStatus::ChunkFilterStatus(QMainWindow& window, vm::ChunkFilterViewModel& whole)
    : QWidget(window.statusBar()), whole_(whole), text_(new QLabel(this)), progress_(new QProgressBar(this)),
      cancel_(makeTextButton(this, "wholeCancel", QStringLiteral("cancel"), tr("Cancel"),
                             tr("Stop filtering the whole image, and keep or remove the work done so far"))),
      open_(makeTextButton(this, "wholeOpen", QStringLiteral("open"), tr("Open"), tr("Open the result"))),
      close_(makeIconButton(this, "wholeClose", QStringLiteral("cancel"), tr("Close"), tr("Close this notice"))) {
    setObjectName(QStringLiteral("wholeSign"));
    text_->setObjectName(QStringLiteral("wholeText"));
    progress_->setRange(0, kSteps);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(kBarWidth);
    progress_->setMaximumHeight(kBarHeight);
    progress_->setAccessibleName(tr("Progress of the whole image"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kPanelSpacing);
    for (QWidget* part : std::initializer_list<QWidget*>{text_, progress_, cancel_, open_, close_}) {
        row->addWidget(part);
    }
    window.statusBar()->insertPermanentWidget(kPlace, this);
    connect(cancel_, &QToolButton::clicked, this, &ChunkFilterStatus::cancelWanted);
    connect(close_, &QToolButton::clicked, &whole_, &vm::ChunkFilterViewModel::dismissResult);
    connect(open_, &QToolButton::clicked, this, [this] { emit openWanted(whole_.target()); });
    follow(this, &ChunkFilterStatus::showState, whole_, &vm::ChunkFilterViewModel::jobChanged);
}

void ChunkFilterStatus::showState() {
    const bool running = whole_.isRunning();
    progress_->setVisible(running);
    cancel_->setVisible(running);
    cancel_->setEnabled(!whole_.isStopping());
    open_->setVisible(!running);
    close_->setVisible(!running);
    if (running) {
        text_->setText(whole_.progressText());
        text_->setToolTip(whole_.stage());
        progress_->setValue(static_cast<int>(whole_.progress() * kSteps));
    } else if (whole_.hasResult()) {
        const QString name = QFileInfo(whole_.target()).fileName();
        text_->setText(tr("%1 is written").arg(fontMetrics().elidedText(name, Qt::ElideMiddle, kNameWidth)));
        text_->setToolTip(QDir::toNativeSeparators(whole_.target()));
    }
    setVisible(running || whole_.hasResult());
}

namespace {

constexpr int kWidth = 560; ///< px
constexpr auto kSuffix = "tif";

/// Appended to the name of the image: "_whole_filtered".
QString endingOf(Output output) {
    const std::string_view name = nameOf(output);
    return QStringLiteral("_whole_") + QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

constexpr unsigned kMebi = 20;
constexpr int kLeastMebi = 64;
constexpr int kMostMebi = 1'000'000'000;
constexpr int kMebiStep = 256;

int inMebi(std::uint64_t bytes) {
    return static_cast<int>(std::clamp<std::uint64_t>(bytes >> kMebi, kLeastMebi, kMostMebi));
}

QString treeText(const ChunkRequest& job) {
    const QString kind =
        job.kind == TreeKind::max ? ChunkFilterDialog::tr("max-tree") : ChunkFilterDialog::tr("min-tree");
    const bool four = job.connectivity == Connectivity::four;
    return QStringLiteral("%1, %2").arg(kind, four ? ChunkFilterDialog::tr("4-connected")
                                                   : ChunkFilterDialog::tr("8-connected"));
}

} // namespace

ChunkFilterDialog::ChunkFilterDialog(Models& models, vm::ChunkFilterPlan plan, QWidget* parent)
    : QDialog(parent), models_(models), plan_(std::move(plan)), target_(new QLineEdit(this)),
      resume_(new QCheckBox(tr("&Continue the interrupted work"), this)), note_(new CaptionLabel({}, this)) {
    setObjectName(QStringLiteral("wholeFilterDialog"));
    setWindowTitle(tr("Filter the whole image"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelSpacing);
    auto* heading = new SectionLabel(
        tr("Apply the present filter to all of %1").arg(QString::fromStdString(plan_.job.source.filename().string())),
        this);
    heading->setWordWrap(true);
    layout->addWidget(heading);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * kPanelMargin);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    addFacts(*grid);
    layout->addLayout(grid);
    grid->addWidget(new Divider(this), grid->rowCount(), 0, 1, 2);

    target_->setObjectName(QStringLiteral("wholeTarget"));
    explain(target_, tr("File of the result"), tr("TIFF with reduced versions, which opens at any of its levels"));
    auto* browse = new QPushButton(tr("&Browse…"), this);
    browse->setObjectName(QStringLiteral("wholeBrowse"));
    browse->setAutoDefault(false);
    explain(browse, tr("Browse"), tr("Choose folder and name of the result"));
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    row->addWidget(target_, 1);
    row->addWidget(browse);
    const int place = grid->rowCount();
    grid->addWidget(captionFor(target_, tr("&Save as")), place, 0);
    grid->addLayout(row, place, 1);
    resume_->setObjectName(QStringLiteral("wholeResume"));
    explain(resume_, tr("Continue the interrupted work"),
            tr("An earlier start with this file ended early. Unless continued, its work is removed."));
    resume_->setChecked(!plan_.wasTooLarge); // interrupted work continues with the chunks of its plan
    grid->addWidget(resume_, place + 1, 1);
    note_->setObjectName(QStringLiteral("wholeNote"));
    note_->setWordWrap(true);
    grid->addWidget(note_, place + 2, 1);
    layout->addStretch(1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    start_ = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    start_->setObjectName(QStringLiteral("wholeStart"));
    start_->setDefault(true);
    start_->setToolTip(tr("Filter in the background; the window stays free for other work"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    connect(browse, &QPushButton::clicked, this, &ChunkFilterDialog::browse);
    connect(target_, &QLineEdit::textChanged, this, &ChunkFilterDialog::showTarget);
    const QString name = QFileInfo(QString::fromStdString(plan_.job.source.string())).completeBaseName();
    target_->setText(QDir::toNativeSeparators(
        QDir(models_.settings.lastDirectory())
            .filePath(name + endingOf(plan_.job.filter.output) + u'.' + QLatin1String(kSuffix))));
    setMinimumWidth(kWidth);
    start_->setFocus();
}

void ChunkFilterDialog::addFacts(QGridLayout& grid) {
    const auto add = [&grid](const QString& name, const QString& text) {
        const int row = grid.rowCount();
        auto* fact = new QLabel(text);
        fact->setTextInteractionFlags(Qt::TextSelectableByMouse);
        fact->setAccessibleName(name);
        fact->setWordWrap(true);
        grid.addWidget(new CaptionLabel(name), row, 0, Qt::AlignTop);
        grid.addWidget(fact, row, 1, Qt::AlignTop);
        return fact;
    };
    const QLocale locale;
    const ChunkRequest& job = plan_.job;
    add(tr("Size"), tr("%1 × %2 px").arg(locale.toString(plan_.width), locale.toString(plan_.height)));
    add(tr("Tree"), treeText(job));
    if (!plan_.criteria.isEmpty()) {
        add(tr("Criteria"), plan_.criteria.join(job.filter.match == Match::all ? tr(", and\n") : tr(", or\n")))
            ->setObjectName(QStringLiteral("wholeCriteria"));
    }
    if (job.filter.prominent) {
        add(job.kind == TreeKind::max ? tr("Maxima") : tr("Minima"),
            tr("only the %1 most prominent, by %2")
                .arg(locale.toString(job.filter.prominent->count), vm::prominenceTitle(job.filter.prominent->measure)))
            ->setObjectName(QStringLiteral("wholeProminent"));
    }
    if (plan_.hasOtherLevels) {
        add(tr("Grey levels"), tr("by the range of all values, which may be wider than the shown one"));
    }
    add(tr("Rule"), vm::ruleTitle(job.filter.rule));
    add(tr("Output"), vm::outputTitle(job.filter.output));
    if (job.memory > 0) {
        addMemory(grid);
    }
}

void ChunkFilterDialog::addMemory(QGridLayout& grid) {
    auto* memory = new QSpinBox(this);
    memory->setObjectName(QStringLiteral("wholeMemory"));
    memory->setRange(kLeastMebi, inMebi(std::max(plan_.available, plan_.job.memory)));
    memory->setGroupSeparatorShown(true);
    memory->setSingleStep(kMebiStep);
    memory->setSuffix(QStringLiteral(" MiB"));
    memory->setValue(inMebi(plan_.job.memory));
    explain(memory, tr("Memory"), tr("Memory for the work. Chunks of the image are as large as it allows."));
    connect(memory, &QSpinBox::valueChanged, this,
            [this](int mebi) { plan_.job.memory = static_cast<std::uint64_t>(mebi) << kMebi; });
    auto* row = new QHBoxLayout;
    row->setSpacing(kPanelSpacing);
    row->addWidget(memory);
    auto* there = new CaptionLabel(
        tr("of %1 that this program may use")
            .arg(QLocale().formattedDataSize(static_cast<qint64>(plan_.available), 1, QLocale::DataSizeIecFormat)),
        this);
    there->setWordWrap(true);
    row->addWidget(there, 1);
    const int place = grid.rowCount();
    grid.addWidget(captionFor(memory, tr("&Memory")), place, 0);
    grid.addLayout(row, place, 1);
}

QString ChunkFilterDialog::target() const {
    const QString name = target_->text().trimmed();
    return name.isEmpty() || !QFileInfo(name).suffix().isEmpty() ? name : name + u'.' + QLatin1String(kSuffix);
}

bool ChunkFilterDialog::resumes() const { return !resume_->isHidden() && resume_->isChecked(); }

void ChunkFilterDialog::browse() {
    const QString path = askWhereToSave(*this, models_,
                                        {tr("File of the result"), tr("TIFF image (*.tif *.tiff)"),
                                         endingOf(plan_.job.filter.output), QLatin1String(kSuffix)});
    if (!path.isEmpty()) {
        target_->setText(QDir::toNativeSeparators(path));
    }
}

void ChunkFilterDialog::showTarget() {
    const QString problem = vm::ChunkFilterViewModel::targetProblem(plan_, target());
    const bool isReplaced = problem.isEmpty() && QFileInfo::exists(target());
    note_->setText(isReplaced ? tr("This file exists. It is replaced when the result is complete.") : problem);
    note_->setVisible(!note_->text().isEmpty());
    resume_->setVisible(problem.isEmpty() && vm::ChunkFilterViewModel::canResume(target()));
    start_->setEnabled(problem.isEmpty());
}

namespace {

/// Asks a question while a whole image is filtered. The end of the work closes the box.
struct ChunkQuestion : StopQuestion {
    ChunkQuestion(QMainWindow& window, vm::ChunkFilterViewModel& whole, const QString& name)
        : StopQuestion(window, name) {
        QObject::connect(&whole, &vm::ChunkFilterViewModel::jobChanged, &box, [this, &whole] {
            if (!whole.isRunning()) {
                box.reject(); // shows the result
            }
        });
    }
};

void askToStop(QMainWindow& window, vm::ChunkFilterViewModel& whole) {
    if (!whole.isRunning() || whole.isStopping()) {
        return;
    }
    ChunkQuestion question(window, whole, QStringLiteral("stopChunkFilter"));
    if (question.isAskedAlready()) {
        return;
    }
    question.box.setText(ChunkFilterDialog::tr("The whole image is being filtered. Stop?"));
    const auto* keep = question.add(
        ChunkFilterDialog::tr("&Keep for later"), QMessageBox::AcceptRole, ChunkFilterDialog::tr("Keep for later"),
        ChunkFilterDialog::tr("Stop. Filter the whole image into the same file to continue"));
    const auto* discard =
        question.add(ChunkFilterDialog::tr("&Discard"), QMessageBox::DestructiveRole, ChunkFilterDialog::tr("Discard"),
                     ChunkFilterDialog::tr("Stop and remove the work done so far"));
    question.addDefault(ChunkFilterDialog::tr("&Go on"), ChunkFilterDialog::tr("Go on"),
                        ChunkFilterDialog::tr("The work goes on"));
    const QAbstractButton* const answer = question.answer();
    if (answer == keep) {
        whole.interrupt();
    } else if (answer == discard) {
        whole.cancel();
    }
}

} // namespace

void addChunkFilter(QMainWindow& window, Models& models, QAction& filterWhole, ErrorPresenter& errors) {
    using Whole = vm::ChunkFilterViewModel;
    Whole& whole = models.chunkFilter;
    const auto showState = [&whole, &filterWhole, does = filterWhole.toolTip()] {
        filterWhole.setEnabled(whole.problem().isEmpty());
        filterWhole.setToolTip(whole.problem().isEmpty() ? does : whole.problem());
    };
    follow(&filterWhole, showState, whole, &Whole::problemChanged);
    QObject::connect(&filterWhole, &QAction::triggered, &whole, &Whole::plan);
    QObject::connect(&whole, &Whole::planned, &window, [&window, &models](const vm::ChunkFilterPlan& plan) {
        auto* dialog = new ChunkFilterDialog(models, plan, &window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &QDialog::accepted, &models.chunkFilter, [dialog, &models] {
            models.settings.setLastDirectory(QFileInfo(dialog->target()).absolutePath());
            models.chunkFilter.start(dialog->plan(), dialog->target(), dialog->resumes());
        });
        dialog->open();
    });
    presentErrors(window, errors, whole, &Whole::failed);
    auto* sign = new ChunkFilterStatus(window, whole);
    QObject::connect(sign, &ChunkFilterStatus::cancelWanted, &window, [&window, &whole] { askToStop(window, whole); });
    QObject::connect(sign, &ChunkFilterStatus::openWanted, &window,
                     [&models](const QString& path) { models.openFile(path); });
}

bool mayInterruptChunkFilter(QMainWindow& window, vm::ChunkFilterViewModel& whole) {
    if (!whole.isRunning() || whole.isStopping()) {
        return true;
    }
    ChunkQuestion question(window, whole, QStringLiteral("leaveChunkFilter"));
    if (question.isAskedAlready()) {
        return false;
    }
    question.box.setText(ChunkFilterDialog::tr("The whole image is being filtered. Stop and leave?"));
    question.box.setInformativeText(
        ChunkFilterDialog::tr("The work done so far is kept: choose the same file to continue."));
    const auto* stop =
        question.add(ChunkFilterDialog::tr("&Stop and leave"), QMessageBox::DestructiveRole,
                     ChunkFilterDialog::tr("Stop and leave"), ChunkFilterDialog::tr("The result is not written yet"));
    question.addDefault(ChunkFilterDialog::tr("&Cancel"), ChunkFilterDialog::tr("Cancel"),
                        ChunkFilterDialog::tr("The work goes on, and nothing is closed"));
    if (question.answer() != stop) {
        return false;
    }
    whole.interrupt();
    return true;
}

} // namespace pollard::app
