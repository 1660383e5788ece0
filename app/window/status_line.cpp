#include "window/status_line.hpp"

#include "docks/filter/counter_table.hpp"
#include "theme/icons.hpp"
#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QFile>
#include <QList>
#include <QLocale>
#include <QTimer>

#ifdef Q_OS_UNIX
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace pollard::app {

std::uint64_t residentBytes() {
#ifdef Q_OS_LINUX
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QList<QByteArray> pages = file.readAll().split(' ');
    return pages.size() < 2 ? 0 : pages[1].toULongLong() * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
    return 0;
#endif
}

std::uint64_t peakResidentBytes() {
#ifdef Q_OS_LINUX
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
#else
    return 0;
#endif
}

namespace {

constexpr int kMemoryInterval = 1000; ///< ms
constexpr int kLatencyInterval = 250; ///< ms; keeps the changing number readable
constexpr int kProgressWidth = 180;   ///< px
constexpr int kProgressSteps = 1000;

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
}

} // namespace

template <class Label> Label* StatusLine::addValue(const QString& name, const QString& toolTip, const QString& widest) {
    auto* label = new Label(QString(), this);
    label->setAccessibleName(name);
    label->setToolTip(toolTip);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setContentsMargins(8, 0, 4, 0);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // keeps the baseline of labels of fixed size
    if (!widest.isEmpty()) {
        label->setMinimumWidth(label->fontMetrics().horizontalAdvance(widest) + 14);
    }
    addPermanentWidget(label);
    return label;
}

StatusLine::StatusLine(Models& models, QWidget* parent)
    : QStatusBar(parent), models_(models), probe_(new ElidedLabel(this)), job_(new QLabel(this)),
      progress_(new QProgressBar(this)), cancel_(new QToolButton(this)) {
    setAccessibleName(tr("Status line"));
    setContentsMargins(kPanelMargin - 4, 0, 4, 0);
    probe_->setObjectName(QStringLiteral("probe"));
    explain(probe_, tr("Pixel under the pointer"), probeToolTip());
    probe_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    addWidget(probe_, 1);

    progress_->setObjectName(QStringLiteral("progress"));
    progress_->setRange(0, kProgressSteps);
    progress_->setTextVisible(false);
    progress_->setFixedWidth(kProgressWidth);
    progress_->setMaximumHeight(8);
    progress_->setAccessibleName(tr("Progress"));
    cancel_->setObjectName(QStringLiteral("cancel"));
    cancel_->setText(tr("Cancel"));
    cancel_->setIcon(themedIcon(QStringLiteral("cancel")));
    cancel_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    cancel_->setAutoRaise(true);
    explain(cancel_, tr("Cancel"), tr("Stop the job; the shown image stays"));
    addPermanentWidget(new FolderButton(*this));
    addPermanentWidget(job_);
    addPermanentWidget(progress_);
    addPermanentWidget(cancel_);

    earlier_ = addValue<CaptionLabel>(tr("Earlier filters"), QString(), {});
    earlier_->setObjectName(QStringLiteral("earlierStatus"));
    engine_ = addValue<CaptionLabel>(tr("Engine"), QString(), {});
    time_ = addValue<Value>(tr("Time"), tr("Time of the last filtering"), QStringLiteral("0.00 ms"));
    latency_ = addValue<Value>(tr("Time to screen"), QString(), QStringLiteral("000 ms to screen"));
    memory_ = addValue<Value>(tr("Memory"), tr("Memory that Pollard uses"), QStringLiteral("000.0 MiB"));
    zoom_ = addValue<Value>(tr("Zoom"), tr("Pixels of the screen per pixel of the image"), QStringLiteral("0000 %"));
    engine_->setObjectName(QStringLiteral("engineStatus"));
    latency_->setObjectName(QStringLiteral("latencyStatus"));
    zoom_->setObjectName(QStringLiteral("zoomStatus"));

    using Document = vm::DocumentViewModel;
    connect(cancel_, &QToolButton::clicked, &models_.document, &Document::cancel);
    connect(&models_.probe, &vm::ProbeViewModel::changed, this, &StatusLine::showProbe);
    connect(&models_.map, &vm::ImageMap::changed, this, &StatusLine::showProbe);
    follow(this, &StatusLine::showTime, models_.document, &Document::frameReady);
    follow(this, &StatusLine::showWork, models_.document.activity(), &vm::DocumentActivity::busyChanged,
           &vm::DocumentActivity::progressChanged);
    using Presentation = vm::PresentationViewModel;
    follow(this, &StatusLine::showEngine, models_.presentation, &Presentation::engineBadgeChanged);
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(kLatencyInterval);
    connect(pause, &QTimer::timeout, this, &StatusLine::showLatency);
    connect(&models_.presentation, &Presentation::latencyChanged, pause, [pause] {
        if (!pause->isActive()) {
            pause->start();
        }
    });
    const auto showZoom = [this] {
        zoom_->showText(models_.document.hasImage() ? models_.display.zoomText() : QString());
    };
    connect(&models_.display, &vm::DisplayViewModel::viewChanged, this, showZoom);
    follow(this, showZoom, models_.document, &Document::hasImageChanged);
    follow(this, &StatusLine::showEarlier, models_.earlier, &vm::EarlierFilters::changed);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &StatusLine::showMemory);
    timer->start(kMemoryInterval);
    showLatency();
    showMemory();
}

QString StatusLine::probeToolTip() {
    return tr("Place, value before and after the filter, node of the tree, its grey level and its area");
}

void StatusLine::showProbe() {
    const vm::ProbeViewModel& probe = models_.probe;
    if (!probe.isValid()) {
        probe_->showText(models_.document.hasImage() ? tr("Point at the image to read its values") : QString());
        probe_->setEnabled(false);
        probe_->setToolTip(probeToolTip());
        return;
    }
    probe_->setEnabled(true);
    const QLocale locale;
    QStringList parts{QStringLiteral("x %1, y %2").arg(probe.x()).arg(probe.y())};
    const bool isVolume = models_.document.isVolume();
    if (isVolume) {
        parts.last() += QStringLiteral(", z %1").arg(probe.z());
    }
    QString toolTip = probeToolTip();
    if (const QString place = probe.patientPlace(); !place.isEmpty()) {
        parts << place;
        toolTip +=
            QLatin1Char('\n') + tr("In the patient: distances of the voxel's centre from the origin of the file, to "
                                   "the right (R) or left (L), to anterior (A) or posterior (P), to superior (S) "
                                   "or inferior (I)");
    }
    if (const QString place = models_.map.textAt(probe.x(), probe.y()); !place.isEmpty()) {
        parts << place;
        toolTip += QLatin1Char('\n') + models_.map.detailsAt(probe.x(), probe.y());
    }
    if (const QString levels = probe.levelsText(); !levels.isEmpty()) {
        toolTip += QLatin1Char('\n') + levels;
    }
    probe_->setToolTip(toolTip);
    const QString before = probe.originalText();
    parts << (probe.filtered() < 0 ? tr("value %1").arg(before)
                                   : tr("value %1 → %2").arg(before, probe.filteredText()));
    if (models_.display.composite().isShown() && !probe.isInSection()) {
        parts << models_.display.composite().valuesAt(probe.x(), probe.y());
    }
    if (!probe.hasData()) {
        parts << tr("no data");
    }
    if (probe.node() >= 0) {
        parts << tr("node %1").arg(locale.toString(probe.node()));
    }
    if (probe.area() >= 0) {
        parts << (isVolume ? tr("volume %1 voxels") : tr("area %1 px")).arg(locale.toString(probe.area()));
    }
    probe_->showText(parts.join(QStringLiteral("   ·   ")));
}

void StatusLine::showWork() {
    const bool busy = models_.document.activity().isBusy();
    job_->setVisible(busy);
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
    job_->setText(models_.document.activity().progressText());
    progress_->setValue(static_cast<int>(models_.document.activity().progress() * kProgressSteps));
    showProbe();
}

void StatusLine::showEarlier() {
    const QString note = models_.earlier.note();
    earlier_->setText(note);
    earlier_->setToolTip(models_.earlier.details());
    earlier_->setVisible(!note.isEmpty());
}

void StatusLine::showEngine() {
    engine_->setText(models_.presentation.engineBadge());
    engine_->setToolTip(models_.presentation.engineToolTip());
    engine_->setAccessibleDescription(models_.presentation.engineToolTip());
}

void StatusLine::showTime() {
    time_->showText(models_.document.hasResult() ? durationText(models_.document.shown().frame.report.milliseconds)
                                                 : QString());
}

void StatusLine::showLatency() {
    const QString text = models_.presentation.latencyText();
    latency_->setVisible(!text.isEmpty());
    latency_->showText(text);
    latency_->setToolTip(models_.presentation.latencyToolTip());
}

void StatusLine::showMemory() {
    const std::uint64_t bytes = residentBytes();
    memory_->setVisible(bytes > 0);
    memory_->showText(bytesText(bytes));
}

} // namespace pollard::app
