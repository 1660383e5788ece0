#include "vm/tree/profile_view_model.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"

#include "analysis/spectrum.hpp"
#include "filter/analysis_image.hpp"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::array kShares{0.005, 0.02, 0.06, 0.15, 0.40}; ///< of the grey mass, mostly in few components
constexpr std::uint32_t kSpectrumBins = 64;

QString numberText(double value) { return QString::number(value, 'g', 10); }

} // namespace

ProfileViewModel::ProfileViewModel(DocumentViewModel& document, FilterViewModel& filter, QObject* parent)
    : QObject(parent), document_(document), filter_(filter) {
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        show(State::empty, {}); // the displayed pictures are of another tree
        update();
    });
    connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
        if (waiting_ && (id == filter_.attribute() || id == AttributeId::area)) {
            post();
        }
    });
    connect(&filter_, &FilterViewModel::attributeChanged, this, [this] {
        followsSpectrum_ = true; // thresholds do not transfer to another attribute
        emit thresholdsChanged();
        update();
    });
    connect(&filter_, &FilterViewModel::ruleChanged, this, &ProfileViewModel::update);
    connect(&filter_, &FilterViewModel::rangeChanged, this, &ProfileViewModel::currentChanged);
}

QString ProfileViewModel::thresholdsText() const {
    QStringList texts;
    for (const double threshold : thresholds_) {
        texts << numberText(threshold);
    }
    return texts.join(QStringLiteral(", "));
}

QString ProfileViewModel::titleOf(int number) const {
    const AttributeInfo& info = attributeInfo(shown_.attribute);
    const double threshold = shown_.thumbnails[static_cast<std::size_t>(number)].threshold;
    const bool whole = threshold == std::floor(threshold) && std::abs(threshold) < 1e15;
    const QString value =
        whole ? QLocale().toString(static_cast<qlonglong>(threshold)) : QLocale().toString(threshold, 'g', 4);
    const QString text = QStringLiteral("≥ %1").arg(value);
    const QString unit = QString::fromUtf8(info.unit.data(), static_cast<qsizetype>(info.unit.size()));
    return unit.isEmpty() ? text : QStringLiteral("%1 %2").arg(text, unit);
}

QString ProfileViewModel::descriptionOf(int number) const {
    const ProfileThumbnail& thumbnail = shown_.thumbnails[static_cast<std::size_t>(number)];
    const QLocale locale;
    return tr("Keeps %1 of %2 nodes")
        .arg(locale.toString(static_cast<qulonglong>(thumbnail.keptNodes)),
             locale.toString(static_cast<qulonglong>(shown_.nodes)));
}

int ProfileViewModel::current() const {
    if (!filter_.isAvailable() || filter_.attribute() != shown_.attribute ||
        filter_.maximum() < filter_.domainMaximum()) {
        return -1;
    }
    const auto found = std::ranges::find_if(shown_.thumbnails, [this](const ProfileThumbnail& each) {
        return filter_.domain().clamp(each.threshold) == filter_.minimum() || each.threshold == filter_.minimum();
    });
    return found == shown_.thumbnails.end() ? -1 : static_cast<int>(found - shown_.thumbnails.begin());
}

QString ProfileViewModel::setThresholdsText(const QString& text) {
    static const QRegularExpression gaps(QStringLiteral("[\\s,;]+"));
    std::vector<double> thresholds;
    for (const QString& part : text.split(gaps, Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const double value = part.toDouble(&isNumber);
        if (!isNumber || !std::isfinite(value)) {
            return tr("'%1' is not a number").arg(part);
        }
        thresholds.push_back(value);
    }
    std::ranges::sort(thresholds);
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    if (thresholds.empty()) {
        return tr("No threshold is left");
    }
    if (thresholds.size() > kMostThresholds) {
        return tr("%1 thresholds; at most %2 are shown").arg(thresholds.size()).arg(kMostThresholds);
    }
    if (thresholds == thresholds_) {
        return {};
    }
    thresholds_ = std::move(thresholds);
    followsSpectrum_ = false;
    emit thresholdsChanged();
    update();
    return {};
}

void ProfileViewModel::followSpectrum() {
    if (followsSpectrum_) {
        return;
    }
    followsSpectrum_ = true;
    emit thresholdsChanged();
    update();
}

void ProfileViewModel::setDifferential(bool differential) {
    if (differential == differential_) {
        return;
    }
    differential_ = differential;
    emit differentialChanged();
    update();
}

void ProfileViewModel::setActive(bool active) {
    if (active == active_) {
        return;
    }
    active_ = active;
    emit activeChanged();
    if (active_) {
        update();
    }
}

void ProfileViewModel::select(int number) {
    if (number >= static_cast<int>(shown_.thumbnails.size())) {
        return;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double threshold = number < 0 ? -kInfinity : shown_.thumbnails[static_cast<std::size_t>(number)].threshold;
    filter_.setCriterion({shown_.attribute, threshold, kInfinity});
}

void ProfileViewModel::update() {
    worker_.cancel(Lane::measure);
    worker_.forget(Lane::measure);
    waiting_ = false;
    if (!active_) {
        return;
    }
    if (!document_.tree()) {
        show(State::empty, {});
        return;
    }
    show(State::computing, shown_.attribute == filter_.attribute() ? shown_ : Made{});
    waiting_ = true;
    post();
}

void ProfileViewModel::post() {
    const auto area = document_.attribute(AttributeId::area);
    const auto column = document_.attribute(filter_.attribute());
    if (!area || !column) {
        document_.requestAttribute(column ? AttributeId::area : filter_.attribute());
        return;
    }
    waiting_ = false;
    const ProfileSource source{document_.tree(), document_.input(), intersection(document_.valid(), document_.domain()),
                               column};
    struct Job {
        std::vector<double> thresholds;
        Made made;
    };
    auto job = std::make_shared<Job>();
    job->thresholds = thresholds_;
    job->made.attribute = column->id;
    job->made.differential = differential_;
    const bool follows = followsSpectrum_;
    worker_.post(
        Lane::measure,
        [job, source, area, follows, rule = filter_.rule()](const std::stop_token& stop) {
            const JobControl control(stop);
            if (follows) {
                BinSpec bins;
                bins.count = kSpectrumBins;
                const bool positive = source.column->minimum >= 0 && source.column->maximum > 0;
                bins.scale = positive ? BinScale::log : BinScale::linear;
                job->thresholds =
                    thresholdsAtShares(patternSpectrum(*source.tree, *area, *source.column, bins, control), kShares);
            }
            job->made.nodes = source.tree->nodeCount();
            job->made.original = makeThumbnail(*source.image, kThumbnailSide);
            job->made.thumbnails =
                makeProfileThumbnails(source, job->thresholds, rule, job->made.differential, kThumbnailSide, control);
        },
        [this, job, follows](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            if (outcome.ok()) {
                if (follows && job->thresholds != thresholds_) {
                    thresholds_ = job->thresholds;
                    emit thresholdsChanged();
                }
                show(State::ready, std::move(job->made));
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                show(State::failed, {});
            }
        });
}

void ProfileViewModel::show(State state, Made made) {
    if (state == State::empty && state_ == State::empty) {
        return;
    }
    state_ = state;
    shown_ = std::move(made);
    emit changed();
}

} // namespace pollard::vm
