#include "vm/display/presentation_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

/// Changes of a drag without a frame of their own are replaced by later ones; limit on waiting changes.
constexpr std::size_t kMostWaiting = 256;

double nearestRank(const std::vector<double>& sorted, double share) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

QString milliseconds(double value) {
    return PresentationViewModel::tr("%1 ms").arg(QLocale().toString(value, 'f', value < 10 ? 1 : 0));
}

} // namespace

LatencySummary summarize(const std::vector<double>& milliseconds) {
    LatencySummary summary;
    summary.frames = milliseconds.size();
    if (milliseconds.empty()) {
        return summary;
    }
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    summary.last = milliseconds.back();
    summary.median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    summary.p95 = nearestRank(sorted, 0.95);
    return summary;
}

PresentationViewModel::PresentationViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : QObject(parent), document_(document), filter_(filter), lastSpec_(filter.spec()) {
    // The time starts before the filter is requested.
    connect(&filter_, &FilterViewModel::specAboutToChange, this, &PresentationViewModel::onFilterMoved);
    // Frames that wait for a tree or come from another engine do not show the speed of the filter.
    connect(&document_, &DocumentViewModel::treeChanged, this, &PresentationViewModel::forgetLatency);
    connect(&document_.choices(), &DocumentChoices::engineChanged, this, &PresentationViewModel::forgetLatency);
    connect(&document_.choices(), &DocumentChoices::engineChanged, this, &PresentationViewModel::engineBadgeChanged);
    connect(&document_, &DocumentViewModel::hasImageChanged, this, &PresentationViewModel::engineBadgeChanged);
}

void PresentationViewModel::setMode(DisplayMode mode) {
    change(this, mode_, mode, &PresentationViewModel::engineBadgeChanged);
}

void PresentationViewModel::reportPath(DisplayPath path, const QString& reason) {
    if (path == path_ && reason == reason_) {
        return;
    }
    path_ = path;
    reason_ = reason;
    emit engineBadgeChanged();
}

void PresentationViewModel::reportNumbers(const NumbersTransfer& numbers) {
    change(this, numbers_, numbers, &PresentationViewModel::engineBadgeChanged);
}

void PresentationViewModel::onFilterMoved() {
    FilterSpec spec = filter_.spec();
    if (!change(lastSpec_, spec)) {
        return;
    }
    if (!filter_.isLive() || document_.activity().state() != DocumentActivity::State::ready) {
        return;
    }
    if (waiting_.size() == kMostWaiting) {
        waiting_.pop_front();
    }
    waiting_.push_back({std::move(spec), Clock::now()});
}

void PresentationViewModel::forgetLatency() {
    waiting_.clear();
    history_.clear();
    emit latencyChanged();
}

void PresentationViewModel::reportFrame(const FilterSpec& spec) {
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Change& change) { return change.spec == spec; });
    if (found == waiting_.end()) {
        return; // a repeated image, or one that no control requested
    }
    const double passed = std::chrono::duration<double, std::milli>(Clock::now() - found->time).count();
    waiting_.erase(waiting_.begin(), found + 1);
    if (history_.size() == kHistory) {
        history_.pop_front();
    }
    history_.push_back(passed);
    emit latencyChanged();
    emit latencyMeasured(passed);
}

LatencySummary PresentationViewModel::latency() const { return summarize({history_.begin(), history_.end()}); }

QString PresentationViewModel::latencyText() const {
    return history_.empty() ? QString() : tr("%1 to screen").arg(milliseconds(history_.back()));
}

QString PresentationViewModel::latencyToolTip() const {
    QString meaning = tr("Time from the movement of a control to its image on the screen");
    const LatencySummary summary = latency();
    if (summary.frames == 0) {
        return meaning;
    }
    return meaning + u'\n' +
           tr("Last %n images: median %1, 95 % within %2", nullptr, static_cast<int>(summary.frames))
               .arg(milliseconds(summary.median), milliseconds(summary.p95));
}

QString PresentationViewModel::engineBadge() const {
    const QString name = document_.choices().engineName().toUpper();
    if (name.isEmpty() || !document_.hasImage()) {
        return {};
    }
    const bool missing = mode_ == DisplayMode::interop && path_ != DisplayPath::interop && path_ != DisplayPath::none;
    const QString remark = missing ? tr(" (no interop)") : QString();
    switch (path_) {
    case DisplayPath::interop:
        return tr("%1 + interop").arg(name);
    case DisplayPath::copy:
        return tr("%1 + copy").arg(name) + remark;
    case DisplayPath::upload:
    case DisplayPath::none:
        break;
    }
    return name + remark;
}

QString PresentationViewModel::engineToolTip() const {
    if (engineBadge().isEmpty()) {
        return tr("Engine and device in use");
    }
    QStringList lines{
        tr("Engine: %1, %2").arg(document_.choices().engineName().toUpper(), document_.choices().engineDevice())};
    switch (path_) {
    case DisplayPath::interop:
        lines << tr("Its filter writes straight into the window's textures.");
        break;
    case DisplayPath::copy:
        lines << tr("Its image reaches the window through main memory.");
        break;
    case DisplayPath::upload:
    case DisplayPath::none:
        break;
    }
    if (!reason_.isEmpty()) {
        lines << reason_;
    }
    if (numbers_.path == DisplayPath::interop) {
        lines << tr("It writes the numbers of the components there, too: %1.").arg(milliseconds(numbers_.milliseconds));
    } else if (numbers_.path == DisplayPath::upload) {
        lines << tr("The numbers of the components are copied to the graphics card: %1.")
                     .arg(milliseconds(numbers_.milliseconds));
    }
    if (!numbers_.problem.isEmpty() && numbers_.problem != reason_) {
        lines << numbers_.problem;
    }
    return lines.join(u'\n');
}

} // namespace pollard::vm
