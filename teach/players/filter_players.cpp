#include "players/players.hpp"

#include "filter/node_decision.hpp"
#include "player/lab_tree.hpp"
#include "trace/trace.hpp"

#include <algorithm>
#include <utility>

namespace pollard::teach {
namespace {

/// Steps common to all rules; their lines in the pseudo-code depend on the number of lines of the rule.
struct CommonTexts {
    StepText meets, fails, value, failsValue, rootMeets, rootStays, end;
};
constexpr CommonTexts textsAround(int ruleLines) {
    return {
        {POLLARD_TEACH("The node of %1 meets the criterion."), 1},
        {POLLARD_TEACH("The node of %1 does not meet the criterion."), 1},
        {POLLARD_TEACH("The node of %1 has %2, which meets the criterion."), 1},
        {POLLARD_TEACH("The node of %1 has %2, which does not meet the criterion."), 1},
        {POLLARD_TEACH("The root is kept: the image needs a background."), 2 + ruleLines},
        {POLLARD_TEACH("The root stays under every rule: the image needs a background."), 2 + ruleLines},
        {POLLARD_TEACH("Every pixel has the level of its node: this is the filtered image."), 3 + ruleLines},
    };
}
constexpr CommonTexts kAroundNothing = textsAround(0);
constexpr CommonTexts kAroundTwo = textsAround(2);
constexpr CommonTexts kAroundFour = textsAround(4);

struct LevelTexts {
    StepText root, kept, removed;
};
constexpr LevelTexts levelTexts(int ruleLines) {
    return {
        {POLLARD_TEACH("The own pixels of the root keep its level %1."), 4 + ruleLines},
        {POLLARD_TEACH("The node of %1 was kept: its own pixels keep its level %2."), 4 + ruleLines},
        {POLLARD_TEACH("The node of %1 was removed: its own pixels get %2, like the pixels of %3 above it."),
         5 + ruleLines},
    };
}
constexpr LevelTexts kLevelsAfterNothing = levelTexts(0);
constexpr LevelTexts kLevelsAfterTwo = levelTexts(2);
constexpr LevelTexts kLevelsAfterFour = levelTexts(4);
constexpr LevelTexts kContrasts{
    {POLLARD_TEACH("The own pixels of the root keep its level %1."), 4},
    {POLLARD_TEACH("The node of %1 was kept: on %4 of its parent %3 it puts its contrast, which gives %2."), 4},
    {POLLARD_TEACH("The node of %1 was removed: its contrast goes, and %2 is left, as in %3 above it."), 5},
};

constexpr const char* kForEach = POLLARD_TEACH("for each node:");
constexpr const char* kCriterion = POLLARD_TEACH("    keep it if it meets the criterion, else remove it");
constexpr const char* kRoot = POLLARD_TEACH("keep the root");
constexpr const char* kFromRoot = POLLARD_TEACH("for each node, from the root to the leaves:");
constexpr const char* kFromLeaves = POLLARD_TEACH("for each node, from the leaves to the root:");
constexpr const char* kKeeps = POLLARD_TEACH("    if it is kept: its pixels keep its level");
constexpr const char* kTakes = POLLARD_TEACH("    else: its pixels get the level of its parent's pixels");
constexpr const char* kGoesWithParent = POLLARD_TEACH("    if its parent is removed: remove it");

constexpr std::array kDirectLines{kForEach, kCriterion, kRoot, kFromRoot, kKeeps, kTakes};
constexpr std::array kMinLines{kForEach, kCriterion, kFromRoot, kGoesWithParent, kRoot, kFromRoot, kKeeps, kTakes};
constexpr std::array kMaxLines{kForEach, kCriterion, kFromLeaves, POLLARD_TEACH("    if it is kept: keep its parent"),
                               kRoot,    kFromRoot,  kKeeps,      kTakes};
constexpr std::array kViterbiLines{
    kForEach,    kCriterion,
    kFromLeaves, POLLARD_TEACH("    keep it if that changes no more decisions than removing all in it"),
    kFromRoot,   kGoesWithParent,
    kRoot,       kFromRoot,
    kKeeps,      kTakes};
constexpr std::array kSubtractiveLines{
    kForEach,
    kCriterion,
    kRoot,
    kFromRoot,
    POLLARD_TEACH("    if it is kept: its level = new level of its parent + its contrast"),
    POLLARD_TEACH("    else: its level = new level of its parent")};

constexpr StepText kMinRemoves{
    POLLARD_TEACH("The node of %1 meets the criterion, but lies in %2, which is removed: it is removed too."), 3};
constexpr StepText kMinLeaves{POLLARD_TEACH("The parent of %1 is %2: the decision stays."), 3};
constexpr StepText kMaxKeeps{
    POLLARD_TEACH("%1 is kept, so its parent %2 is kept too: a component needs the one around it."), 3};
constexpr StepText kMaxLeaves{POLLARD_TEACH("%1 is removed: the decision about its parent %2 stays."), 3};
constexpr StepText kCheaper{
    POLLARD_TEACH("Keeping %1 costs %2 decisions more than removing it with all in it: it may stay."), 3};
constexpr StepText kDearer{
    POLLARD_TEACH("Keeping %1 costs %2 decisions more than removing it with all in it: it is removed."), 3};
constexpr StepText kPruned{POLLARD_TEACH("%1 lies in %2, which is removed: it is removed too."), 5};
constexpr StepText kNotPruned{POLLARD_TEACH("The parent of %1 is %2: the decision stays."), 5};

/// Records one rule on one image.
class FilterRecording {
public:
    FilterRecording(const LabImage& image, const PlayerSpec& spec, Rule rule)
        : lab_(image, spec), spec_(shownFilter(spec.filter, rule)), rule_(rule), trace_(image) {
        lab_.show(trace_);
        trace_.setUp(Layer::number, image.pixelCount());
        trace_.setUp(Layer::kept, image.pixelCount());
        trace_.setUp(Layer::output, image.pixelCount());
    }

    Trace run() {
        decideByCriteria();
        switch (rule_) {
        case Rule::direct:
            finish(kAroundNothing, kLevelsAfterNothing);
            break;
        case Rule::subtractive:
            finish(kAroundNothing, kContrasts);
            break;
        case Rule::min:
            pruneUnderRemoved(kMinRemoves, kMinLeaves);
            finish(kAroundTwo, kLevelsAfterTwo);
            break;
        case Rule::max:
            keepAncestors();
            finish(kAroundTwo, kLevelsAfterTwo);
            break;
        case Rule::viterbi:
            pruneWithFewestChanges();
            finish(kAroundFour, kLevelsAfterFour);
            break;
        }
        return trace_.take();
    }

private:
    [[nodiscard]] const ComponentTree& tree() const noexcept { return lab_.tree(); }
    [[nodiscard]] bool isShownKept(std::size_t node) const {
        return trace_.at(Layer::kept, tree().canonical[node]) == 1;
    }
    void showKept(std::size_t node) { trace_.set(Layer::kept, tree().canonical[node], keep_[node] != 0 ? 1 : 0); }

    void decideByCriteria() {
        FilterSpec alone = spec_;
        alone.rule = Rule::direct;
        const FilterColumns columns = lab_.columns(alone);
        NodeDecision decision = decideNodes(tree(), alone, columns, {});
        keep_ = std::move(decision.keep);
        keep_[0] = decision.rootCounts ? 1 : 0;
        const AttributeColumn* const shown =
            columns.criteria.size() == 1 && attributeInfo(columns.criteria[0]->id).integral ? columns.criteria[0].get()
                                                                                            : nullptr;
        for (std::size_t i = 0; i < keep_.size(); ++i) {
            const bool meets = keep_[i] != 0;
            if (shown != nullptr) {
                const auto value = static_cast<std::int64_t>(shown->at(i));
                trace_.step(meets ? kAroundNothing.value : kAroundNothing.failsValue,
                            {lab_.canonical(i), numberValue(value)});
                trace_.set(Layer::number, tree().canonical[i], value);
            } else {
                trace_.step(meets ? kAroundNothing.meets : kAroundNothing.fails, {lab_.canonical(i)});
            }
            lab_.mark(trace_, i);
            showKept(i);
            trace_.ask();
        }
    }

    void pruneUnderRemoved(const StepText& removes, const StepText& leaves) {
        removeDescendants(tree(), keep_, [&](std::size_t i) {
            const std::uint32_t parent = tree().parent[i];
            trace_.step(isShownKept(i) && keep_[i] == 0 ? removes : leaves,
                        {lab_.canonical(i), lab_.canonical(parent)});
            lab_.mark(trace_, i, parent);
            showKept(i);
        });
    }

    void keepAncestors() {
        raiseToAncestors(tree(), keep_, [&](std::size_t i) {
            const std::uint32_t parent = tree().parent[i];
            trace_.step(keep_[i] != 0 ? kMaxKeeps : kMaxLeaves, {lab_.canonical(i), lab_.canonical(parent)});
            lab_.mark(trace_, i, parent);
            showKept(parent);
        });
    }

    void pruneWithFewestChanges() {
        Buffer<std::int64_t> excess(keep_.size());
        std::ranges::transform(keep_, excess.begin(), excessAlone);
        keepIfCheaper(tree(), excess, keep_, [&](std::size_t i, std::int64_t cost) {
            trace_.step(cost <= 0 ? kCheaper : kDearer, {lab_.canonical(i), numberValue(cost)});
            lab_.mark(trace_, i, tree().parent[i]);
            showKept(i);
            trace_.ask();
        });
        keep_[0] = 1;
        pruneUnderRemoved(kPruned, kNotPruned);
    }

    void finish(const CommonTexts& texts, const LevelTexts& levels) {
        trace_.step(keep_[0] != 0 ? texts.rootMeets : texts.rootStays);
        lab_.mark(trace_, 0);
        keep_[0] = 1;
        showKept(0);
        watchLevels(tree(), rule_, keep_, [&](std::size_t i, std::uint16_t level) {
            const std::uint32_t parent = tree().parent[i];
            const Value now = levelValue(level);
            if (i == 0) {
                trace_.step(levels.root, {now});
            } else if (keep_[i] == 0) {
                trace_.step(levels.removed, {lab_.canonical(i), now, lab_.canonical(parent)});
            } else if (rule_ == Rule::subtractive) {
                const std::int64_t above = trace_.at(Layer::output, tree().canonical[parent]);
                trace_.step(levels.kept, {lab_.canonical(i), now, lab_.canonical(parent), {Value::Kind::level, above}});
            } else {
                trace_.step(levels.kept, {lab_.canonical(i), now});
            }
            lab_.mark(trace_, i, parent);
            for (const std::uint32_t p : lab_.ownPixels(i)) {
                trace_.set(Layer::output, p, level);
            }
            trace_.ask();
        });
        trace_.step(texts.end);
        trace_.clearMarks();
    }

    LabTree lab_;
    FilterSpec spec_;
    Rule rule_;
    TraceRecorder trace_;
    Buffer<std::uint8_t> keep_;
};

template <Rule kRule> Trace recordFilter(const LabImage& image, const PlayerSpec& spec) {
    return FilterRecording(image, spec, kRule).run();
}

template <Rule kRule> constexpr PlayerInfo info(std::string_view id, const char* title, const char* summary,
                                                std::span<const char* const> lines) {
    PlayerInfo player;
    player.id = id;
    player.title = title;
    player.summary = summary;
    player.lines = lines;
    player.asksTree = true;
    player.asksFilter = true;
    player.record = &recordFilter<kRule>;
    return player;
}

constexpr std::array kInfos{
    info<Rule::direct>("filter-direct", POLLARD_TEACH("Filter: direct rule"),
                       POLLARD_TEACH("Every node is judged alone; pixels of removed nodes fall to the nearest kept "
                                     "node above them."),
                       kDirectLines),
    info<Rule::min>("filter-min", POLLARD_TEACH("Filter: min rule"),
                    POLLARD_TEACH("A node stays only if all nodes that hold it stay: branches are cut at the first "
                                  "node that fails."),
                    kMinLines),
    info<Rule::max>("filter-max", POLLARD_TEACH("Filter: max rule"),
                    POLLARD_TEACH("A node stays if anything in it stays: branches are cut above the last node that "
                                  "meets the criterion."),
                    kMaxLines),
    info<Rule::viterbi>("filter-viterbi", POLLARD_TEACH("Filter: Viterbi rule"),
                        POLLARD_TEACH("Branches are cut where that changes the fewest decisions of the criterion."),
                        kViterbiLines),
    info<Rule::subtractive>(
        "filter-subtractive", POLLARD_TEACH("Filter: subtractive rule"),
        POLLARD_TEACH(
            "Removed nodes take their contrast along: kept nodes above them sink with them and keep their shapes."),
        kSubtractiveLines),
};

} // namespace

const std::array<PlayerInfo, kAllRules.size()>& filterPlayers() { return kInfos; }

FilterSpec shownFilter(const FilterSpec& filter, Rule rule) {
    FilterSpec shown;
    shown.criteria = filter.criteria;
    shown.match = filter.match;
    shown.rule = rule;
    return shown;
}

} // namespace pollard::teach
