#include "vm/lab/race_view_model.hpp"

#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "cpu/textbook_trees.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>

namespace pollard::vm {
namespace {

constexpr const char* kJob = "max-tree";

double medianTime(Engine& engine, const SessionOptions& options, const std::shared_ptr<const Image>& image,
                  const TreeSpec& spec, const std::stop_token& stop) {
    const auto session = engine.openSession(options);
    session->open(image);
    const JobControl control(stop);
    std::array<double, RaceViewModel::kRounds> times{};
    for (double& time : times) {
        time = session->buildTree(spec, control).milliseconds;
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

} // namespace

RaceViewModel::RaceViewModel(const std::vector<Engine*>& engines, DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document) {
    std::ptrdiff_t textbooks = 0;
    const auto add = [this, &textbooks](Engine& engine, const AlgorithmInfo& algorithm, int threads,
                                        const QString& name) {
        const QString device = threads == 1 ? tr("1 thread") : QString::fromStdString(engine.device());
        Runner runner;
        runner.name = name;
        runner.engine = QStringLiteral("%1: %2").arg(QString::fromStdString(engine.name()), device);
        runner.source = QString::fromStdString(algorithm.source);
        const auto place = cpu::isTextbook(algorithm.name) ? textbooks++ : static_cast<std::ptrdiff_t>(runners_.size());
        entries_.insert(entries_.begin() + place, {&engine, algorithm.name, {threads}});
        runners_.insert(runners_.begin() + place, runner);
    };
    QStringList absent;
    for (Engine* engine : engines) {
        if (!engine->unusableReason().empty()) {
            absent << QStringLiteral("%1: %2").arg(QString::fromStdString(engine->name()),
                                                   QString::fromStdString(engine->unusableReason()));
            continue;
        }
        for (const AlgorithmInfo& algorithm : engine->algorithms()) {
            if (algorithm.job != kJob) {
                continue;
            }
            const QString name = QString::fromStdString(algorithm.name);
            if (cpu::isTextbook(algorithm.name)) {
                add(*engine, algorithm, 1, name);
            } else if (engine->name() == "cpu") { // the gain by threads is half of the lesson
                add(*engine, algorithm, 1, tr("%1, 1 thread").arg(name));
                add(*engine, algorithm, 0, tr("%1, all threads").arg(name));
            } else {
                add(*engine, algorithm, 0, name);
            }
        }
    }
    if (std::ranges::none_of(engines, [](const Engine* engine) { return engine->name() == "cuda"; })) {
        absent << tr("cuda: this program was built without it");
    }
    absent_ = absent.join(u'\n');
    connect(&document_, &DocumentViewModel::imageChanged, this, &RaceViewModel::onInputChanged);
    connect(&document_.choices(), &DocumentChoices::treeSpecChanged, this, &RaceViewModel::onInputChanged);
    connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
        if (document_.input() != raced_.lock()) {
            onInputChanged();
        }
    });
}

void RaceViewModel::onInputChanged() {
    cancel();
    forgetTimes();
    emit changed();
}

std::optional<double> RaceViewModel::speedUp(const Runner& runner) const {
    const auto first = std::ranges::find_if(runners_, [](const Runner& each) { return each.milliseconds.has_value(); });
    return runner.milliseconds ? std::optional(*first->milliseconds / std::max(*runner.milliseconds, 1e-6))
                               : std::nullopt;
}

bool RaceViewModel::isAvailable() const { return document_.hasImage() && !runners_.empty(); }

QString RaceViewModel::subject() const {
    if (!document_.hasImage()) {
        return {};
    }
    const Image& image = *document_.input();
    return tr("%1 x %2 px, %3 bits, %4, %5 neighbours")
        .arg(image.width())
        .arg(image.height())
        .arg(bitsOf(image.type()))
        .arg(document_.choices().treeKind() == TreeKind::max ? tr("max-tree") : tr("min-tree"))
        .arg(static_cast<int>(document_.choices().connectivity()));
}

void RaceViewModel::start() {
    if (!isAvailable() || running_) {
        return;
    }
    forgetTimes();
    raced_ = document_.input();
    running_ = true;
    worker_.post(
        Lane::measure,
        [this, race = race_, entries = entries_, image = document_.input(),
         wanted = document_.choices().treeSpec()](const std::stop_token& stop) {
            for (std::size_t i = 0; i < entries.size(); ++i) {
                TreeSpec spec = wanted;
                spec.algorithm = entries[i].algorithm;
                std::optional<double> time;
                QString problem;
                try {
                    time = medianTime(*entries[i].engine, entries[i].options, image, spec, stop);
                } catch (const std::exception& error) {
                    problem = QString::fromUtf8(error.what());
                }
                // Safe: the worker's job ends before this object is destroyed.
                QMetaObject::invokeMethod(
                    this, [this, race, i, time, problem] { onTime(race, i, time, problem); }, Qt::QueuedConnection);
            }
        },
        [this](LatestWinsWorker::Generation, const JobOutcome&) {
            running_ = false;
            emit changed();
        });
    emit changed();
}

void RaceViewModel::cancel() { worker_.cancel(Lane::measure); }

void RaceViewModel::forgetTimes() {
    ++race_;
    for (Runner& runner : runners_) {
        runner.milliseconds.reset();
        runner.problem.clear();
    }
}

void RaceViewModel::onTime(int race, std::size_t runner, std::optional<double> milliseconds, const QString& problem) {
    if (race != race_) {
        return;
    }
    runners_[runner].milliseconds = milliseconds;
    runners_[runner].problem = problem;
    emit changed();
}

} // namespace pollard::vm
