#include "vm/contour/contour_run.hpp"

#include "snake/contour/contour_starts.hpp"
#include "snake/contour_levels.hpp"
#include "snake/snake_job.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <chrono>
#include <utility>

namespace pollard::vm {

void SnakeRecord::add(const SnakeState& state) {
    Entry entry;
    entry.known = {state.kind,   state.round,  state.reach,  static_cast<std::uint32_t>(state.nodes.size()),
                   state.energy, state.inside, state.outside};
    entry.firstChange = changes_.size();
    const bool whole =
        fullStates_.empty() || state.nodes.size() != last_.size() || count() - fullStates_.back().number >= kSpacing;
    if (whole) {
        fullStates_.push_back({count(), state.nodes});
        fullStateBytes_ += state.nodes.size() * sizeof(ContourNode);
    } else {
        for (std::size_t i = 0; i < last_.size(); ++i) {
            if (state.nodes[i] != last_[i]) {
                changes_.push_back({static_cast<std::uint32_t>(i), state.nodes[i]});
            }
        }
    }
    entry.whole = fullStates_.size() - 1;
    last_ = state.nodes;
    entries_.push_back(entry);
}

Contour SnakeRecord::nodes(int number) const {
    const Entry& entry = entries_[static_cast<std::size_t>(number)];
    const FullState& whole = fullStates_[entry.whole];
    Contour nodes = whole.nodes;
    const auto next = static_cast<std::size_t>(number) + 1;
    const std::size_t end = next < entries_.size() ? entries_[next].firstChange : changes_.size();
    for (std::size_t i = entries_[static_cast<std::size_t>(whole.number)].firstChange; i < end; ++i) {
        nodes[changes_[i].node] = changes_[i].place;
    }
    return nodes;
}

SnakeState SnakeRecord::state(int number) const {
    const Figures& known = figures(number);
    return {known.kind, known.round, known.reach, nodes(number), known.energy, known.inside, known.outside};
}

std::uint64_t SnakeRecord::bytes() const noexcept {
    return entries_.size() * sizeof(Entry) + fullStates_.size() * sizeof(FullState) + fullStateBytes_ +
           changes_.size() * sizeof(Change);
}

void ContourRecord::begin(std::span<const SnakeState> starts, Background background) {
    background_ = background;
    energies_.clear();
    if (background_ == Background::own) {
        energies_.push_back(0);
        for (const SnakeState& start : starts) {
            energies_.front() += start.energy;
        }
    }
    members_.assign(starts.size(), {});
    for (std::size_t i = 0; i < starts.size(); ++i) {
        members_[i].states.add(starts[i]);
        members_[i].numbers.push_back(0);
    }
    movers_.assign(1, 0);
}

void ContourRecord::add(std::size_t contour, const SnakeState& state) {
    if (background_ == Background::own) {
        const SnakeRecord& own = members_[contour].states;
        energies_.push_back(energies_.back() + (state.energy - own.figures(own.count() - 1).energy));
    }
    members_[contour].states.add(state);
    members_[contour].numbers.push_back(count());
    movers_.push_back(static_cast<std::uint32_t>(contour));
}

void ContourRecord::trim(double lengthPrice) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const SnakeRecord& states = members_[i].states;
        SnakeState state = states.state(states.count() - 1);
        if (background_ == Background::common) {
            const Figures present = figures(count() - 1, i);
            state.energy = present.energy;
            state.outside = present.outside;
        }
        const std::size_t nodes = state.nodes.size();
        pollard::trim(state, lengthPrice);
        if (state.nodes.size() == nodes) {
            continue;
        }
        state.kind = SnakeStep::trim;
        state.reach = 0;
        add(i, state);
    }
}

int ContourRecord::ownState(const Member& member, int number) {
    return static_cast<int>(std::ranges::upper_bound(member.numbers, number) - member.numbers.begin()) - 1;
}

Contour ContourRecord::nodes(int number, std::size_t contour) const {
    const Member& member = members_[contour];
    return member.states.nodes(ownState(member, number));
}

std::vector<Contour> ContourRecord::allNodes(int number) const {
    std::vector<Contour> all;
    all.reserve(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
        all.push_back(nodes(number, i));
    }
    return all;
}

ContourRecord::Figures ContourRecord::figures(int number, std::size_t contour) const {
    const Member& member = members_[contour];
    Figures known = member.states.figures(ownState(member, number));
    if (background_ == Background::own) {
        known.energy = energies_[static_cast<std::size_t>(number)];
        return known;
    }
    const Member& last = members_[moverOf(number)];
    const Figures& common = last.states.figures(ownState(last, number));
    known.energy = common.energy;
    known.outside = common.outside;
    return known;
}

SnakeState ContourRecord::state(int number) const {
    const Member& member = members_[moverOf(number)];
    return member.states.state(ownState(member, number));
}

std::uint64_t ContourRecord::bytes() const noexcept {
    std::uint64_t bytes = movers_.size() * (sizeof(std::uint32_t) + sizeof(int)) + energies_.size() * sizeof(double);
    for (const Member& member : members_) {
        bytes += member.states.bytes();
    }
    return bytes;
}

std::shared_ptr<const RowSums> CachedSums::of(const std::shared_ptr<const Image>& image,
                                              const std::shared_ptr<const Mask>& valid, const JobControl& control) {
    const std::scoped_lock lock(mutex_);
    if (!sums_ || &sums_->image() != image.get()) {
        sums_.reset();
        sums_ = std::make_shared<const RowSums>(image, valid.get(), control);
    }
    return sums_;
}

namespace {

/// Texts of the contour workspace.
struct Texts {
    Q_DECLARE_TR_FUNCTIONS(pollard::vm::ContourViewModel)
};

std::shared_ptr<SnakeGroup> groupOf(const ContourPlan& plan, std::vector<Contour> starts, const ContourInput& ground,
                                    const JobControl& control) {
    return std::make_shared<SnakeGroup>(
        jobOf(plan, std::move(starts), ground),
        plan.engine.apart ? nullptr : ground.sums->of(ground.image, ground.valid, control), control);
}

/// The contour without forbidden pixels, if it is in the image.
Contour keptOff(Contour contour, const ContourPlan& plan, const JobControl& control) {
    const Mask* const forbidden = plan.forbidden.get();
    const auto isInImage = [forbidden](ContourNode node) {
        return node.x >= 0 && node.y >= 0 && std::cmp_less_equal(node.x, forbidden->width()) &&
               std::cmp_less_equal(node.y, forbidden->height());
    };
    if (forbidden == nullptr || !isSimple(contour) || !std::ranges::all_of(contour, isInImage)) {
        return contour;
    }
    return withoutPixels(contour, *forbidden, plan.spec, control);
}

} // namespace

QString lawName(RegionLaw law) {
    switch (law) {
    case RegionLaw::gaussian:
        return Texts::tr("Gaussian");
    case RegionLaw::poisson:
        return Texts::tr("Poisson");
    case RegionLaw::gamma:
        return Texts::tr("Gamma");
    case RegionLaw::rayleigh:
        return Texts::tr("Rayleigh");
    }
    return {};
}

SnakeJob jobOf(const ContourPlan& plan, std::vector<Contour> starts, const ContourInput& ground) {
    SnakeJob job{ground.image, ground.valid, std::move(starts), plan.spec, plan.forbidden, plan.engine.algorithm};
    if (plan.engine.apart) {
        job.parts = partsAround(job.starts, *plan.engine.apart, *ground.image);
    }
    return job;
}

ContourRun makeRun(const ContourStart& start, const ContourInput& ground, const JobControl& control) {
    ContourRun run;
    static_cast<ContourPlan&>(run) = start;
    std::vector<Contour> contours = start.make(control);
    for (Contour& contour : contours) {
        contour = keptOff(std::move(contour), start, control);
    }
    if (start.choosesLaw) {
        run.spec.law = chosenLaw(*ground.image, ground.valid.get(), contours, run.engine.apart);
    }
    run.snake = groupOf(run, std::move(contours), ground, control);
    std::vector<SnakeState> starts;
    for (std::size_t i = 0; i < run.snake->size(); ++i) {
        starts.push_back(run.snake->state(i));
    }
    run.record.begin(starts, start.engine.apart ? ContourRecord::Background::own : ContourRecord::Background::common);
    if (start.engine.apart) {
        run.parts = partsAround(run.record.allNodes(0), *start.engine.apart, *ground.image);
    }
    run.contour = std::min(start.contour, starts.size() - 1);
    return run;
}

std::shared_ptr<SnakeGroup> replayedSnake(const ContourRun& run, const ContourInput& ground,
                                          const JobControl& control) {
    std::shared_ptr<SnakeGroup> snake = groupOf(run, run.record.allNodes(0), ground, control);
    for (int number = 1; number < run.record.count(); ++number) {
        static_cast<void>(snake->advance(control));
    }
    return snake;
}

bool evolveToEnd(ContourRun& run, std::uint64_t most, const JobControl& control) {
    while (run.snake->advance(control)) {
        run.record.add(run.snake->last(), run.snake->state(run.snake->last()));
        if (run.record.bytes() >= most) {
            return false;
        }
    }
    finishRun(run);
    return true;
}

void finishRun(ContourRun& run) {
    run.record.trim(run.spec.lengthPrice);
    run.snake.reset();
    run.finished = true;
    run.shown = run.record.count() - 1;
}

SnakeStretch advanceSome(SnakeGroup& snake, int most, const JobControl& control) {
    constexpr std::chrono::milliseconds kLongest{15}; // a frame of the window
    const auto end = std::chrono::steady_clock::now() + kLongest;
    SnakeStretch stretch;
    try {
        while (std::cmp_less(stretch.steps.size(), most)) {
            if (!snake.advance(control)) {
                stretch.finished = true;
                break;
            }
            stretch.steps.push_back({snake.last(), snake.state(snake.last())});
            if (std::chrono::steady_clock::now() >= end) {
                break;
            }
        }
    } catch (const Cancelled&) { // the states so far are kept
        return stretch;
    }
    return stretch;
}

QString nameOf(const ContourRun& run, std::uint32_t width, std::uint32_t height) {
    QString name = Texts::tr("%1: %2, step %3, length %4")
                       .arg(run.id)
                       .arg(lawName(run.spec.law))
                       .arg(usedMaxStep(run.spec, width, height))
                       .arg(run.spec.minLength);
    if (run.spec.lengthPrice != 0) {
        name = Texts::tr("%1, price %2").arg(name, QLocale().toString(run.spec.lengthPrice));
    }
    if (run.engine.isWhole && !run.engine.algorithm.empty()) {
        name = Texts::tr("%1, %2").arg(name, QString::fromStdString(run.engine.algorithm));
    }
    if (run.record.contours() > 1) {
        name = Texts::tr("%1, %2 contours").arg(name).arg(run.record.contours());
    }
    if (run.engine.apart) {
        name = Texts::tr("%1, surroundings of %2 px").arg(name).arg(*run.engine.apart);
    }
    return run.parent == 0 ? Texts::tr("%1; %2").arg(name, run.origin)
                           : Texts::tr("%1; from run %2 at state %3").arg(name).arg(run.parent).arg(run.parentState);
}

QString sentenceOf(const std::string& message) {
    QString text = QString::fromStdString(message);
    const QString prefix = QStringLiteral("region snake: ");
    if (text.startsWith(prefix)) {
        text.remove(0, prefix.size());
    }
    if (text.isEmpty()) {
        return Texts::tr("There is not enough memory.");
    }
    text[0] = text[0].toUpper();
    return text.endsWith(u'.') ? text : text + u'.';
}

QString takeoverText(const std::string& why) { return Texts::tr("The CPU moved the contour: %1").arg(sentenceOf(why)); }

} // namespace pollard::vm
