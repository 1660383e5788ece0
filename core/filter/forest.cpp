#include "filter/forest.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "filter/node_decision.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kBlock = 1U << 16; ///< nodes that are decided at a time
constexpr std::size_t kWord = 64;        ///< nodes whose answers are one number

/// A condition that some nodes of the forest ask.
struct Question {
    Criterion condition;
    std::size_t around = 0; ///< number of the component around, 0: the node itself
    const AttributeColumn* column = nullptr;
};

/// A node of a decision tree with the number of its question.
struct Step {
    std::size_t question = 0;
    std::uint32_t met = 0;
    std::uint32_t otherwise = 0;
};

/// The numbers of the nodes in question, and of the components around them.
using Places = std::vector<std::vector<std::uint32_t>>;

class ForestDecision {
public:
    ForestDecision(const Forest& forest, const FilterColumns& columns, std::size_t nodes) {
        for (const auto& column : columns.forest) {
            if (column == nullptr || column->size() != nodes) {
                throw Error(ErrorCode::invalidArgument, "filter the tree: a column of the forest is missing");
            }
        }
        for (const DecisionTree& tree : forest.trees) {
            std::vector<Step>& steps = trees_.emplace_back();
            for (const ForestNode& node : tree) {
                steps.push_back({questionOf(node, columns), node.met, node.otherwise});
            }
        }
        if (factors_.size() > 1) {
            area_ = &columnOf(AttributeId::area, columns);
        }
    }

    void decide(const ComponentTree& tree, Buffer<std::uint8_t>& keep, const JobControl& control) const {
        Places places(factors_.size());
        std::vector<std::uint32_t> open; // the node and its ancestors, the root first
        for (std::uint32_t node = 0; node < keep.size(); ++node) {
            if (node % kBlock == 0) {
                control.throwIfStopped();
            }
            while (!open.empty() && tree.subtreeEnd[open.back()] <= node) {
                open.pop_back();
            }
            if (keep[node] != 0) {
                addPlaces(node, open, places);
            }
            open.push_back(node);
            if (places[0].size() == kBlock) {
                decideBlock(places, keep, control);
            }
        }
        decideBlock(places, keep, control);
    }

private:
    static const AttributeColumn& columnOf(AttributeId id, const FilterColumns& columns) {
        const auto found = std::ranges::find_if(columns.forest, [id](const auto& column) { return column->id == id; });
        if (found == columns.forest.end()) {
            throw Error(ErrorCode::invalidArgument, "filter the tree: a column of the forest is missing");
        }
        return **found;
    }

    std::size_t questionOf(const ForestNode& node, const FilterColumns& columns) {
        const auto factor = std::ranges::find(factors_, node.around);
        const auto around = static_cast<std::size_t>(factor - factors_.begin());
        if (factor == factors_.end()) {
            factors_.push_back(node.around);
        }
        const auto same = std::ranges::find_if(questions_, [&](const Question& question) {
            return question.around == around && question.condition == node.condition;
        });
        const auto number = static_cast<std::size_t>(same - questions_.begin());
        if (same == questions_.end()) {
            questions_.push_back({node.condition, around, &columnOf(node.condition.attribute, columns)});
        }
        return number;
    }

    void addPlaces(std::uint32_t node, const std::vector<std::uint32_t>& ancestors, Places& places) const {
        places[0].push_back(node);
        for (std::size_t i = 1; i < factors_.size(); ++i) {
            const double least = area_->at(node) * factors_[i];
            const auto smaller = std::ranges::partition_point(
                ancestors, [&](std::uint32_t ancestor) { return area_->at(ancestor) >= least; });
            places[i].push_back(smaller == ancestors.begin() ? 0 : *(smaller - 1));
        }
    }

    void decideBlock(Places& places, Buffer<std::uint8_t>& keep, const JobControl& control) const {
        const std::size_t words = (places[0].size() + kWord - 1) / kWord;
        forEachIndex(
            words, control, [&](std::size_t word) { decideWord(places, word * kWord, keep); }, kBlock / kWord / 64);
        for (auto& nodes : places) {
            nodes.clear();
        }
    }

    void decideWord(const Places& places, std::size_t first, Buffer<std::uint8_t>& keep) const {
        const std::size_t count = std::min(kWord, places[0].size() - first);
        std::vector<std::uint64_t> answers(questions_.size());
        for (std::size_t q = 0; q < questions_.size(); ++q) {
            answers[q] = questions_[q].around == 0 ? answersTo(questions_[q], places[0].data() + first, count)
                                                   : answersAround(questions_[q], places[0].data() + first,
                                                                   places[questions_[q].around].data() + first, count);
        }
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t votes = 0;
            for (const std::vector<Step>& steps : trees_) {
                std::uint32_t next = 0;
                while (next < ForestNode::kDrop) {
                    const Step& step = steps[next];
                    next = (answers[step.question] >> i & 1) != 0 ? step.met : step.otherwise;
                }
                votes += next == ForestNode::kKeep ? 1 : 0;
            }
            keep[places[0][first + i]] = votes * 2 > trees_.size() ? 1 : 0;
        }
    }

    static std::uint64_t answersTo(const Question& question, const std::uint32_t* nodes, std::size_t count) {
        return std::visit(
            [&]<class T>(const Buffer<T>& values) {
                const CriterionBounds<T> bounds = boundsOf<T>(question.condition);
                std::uint64_t answers = 0;
                for (std::size_t i = 0; i < count && !bounds.empty; ++i) {
                    const T value = values[nodes[i]];
                    answers |= std::uint64_t{value >= bounds.minimum && value <= bounds.maximum} << i;
                }
                return answers;
            },
            question.column->values);
    }

    static std::uint64_t answersAround(const Question& question, const std::uint32_t* nodes,
                                       const std::uint32_t* around, std::size_t count) {
        const Criterion& asked = question.condition;
        std::uint64_t answers = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double value =
                relativeTo(question.column->at(around[i]), question.column->at(nodes[i]), asked.attribute);
            answers |= std::uint64_t{value >= asked.minimum && value <= asked.maximum} << i;
        }
        return answers;
    }

    std::vector<std::uint32_t> factors_{1}; ///< of ForestNode::around, each once
    std::vector<Question> questions_;
    std::vector<std::vector<Step>> trees_;
    const AttributeColumn* area_ = nullptr;
};

} // namespace

std::uint32_t componentAround(const ComponentTree& tree, const AttributeColumn& area, std::uint32_t node,
                              std::uint32_t multiple) noexcept {
    const double least = area.at(node) * multiple;
    do {
        node = tree.parent[node];
    } while (node != 0 && area.at(node) < least);
    return node;
}

double relativeTo(double around, double own, AttributeId id) noexcept {
    const double relative = attributeInfo(id).grey == Grey::none ? own / around : own - around;
    return std::isfinite(relative) ? relative : std::numeric_limits<double>::quiet_NaN();
}

std::string forestProblem(const Forest& forest) {
    if (forest.trees.size() > kMostDecisionTrees) {
        return "more than " + std::to_string(kMostDecisionTrees) + " decision trees";
    }
    for (const DecisionTree& tree : forest.trees) {
        if (tree.empty() || tree.size() > kMostQuestions) {
            return "a decision tree has " + std::to_string(tree.size()) + " questions; possible are 1 to " +
                   std::to_string(kMostQuestions);
        }
        for (std::size_t i = 0; i < tree.size(); ++i) {
            for (const std::uint32_t next : {tree[i].met, tree[i].otherwise}) {
                if (next < ForestNode::kDrop && (next <= i || next >= tree.size())) {
                    return "question " + std::to_string(i) + " leads to " + std::to_string(next) +
                           ", which is no later question";
                }
            }
            if (tree[i].around < 1 || tree[i].around > kMostAround) {
                return "question " + std::to_string(i) + ": the multiple of the area must be 1 to " +
                       std::to_string(kMostAround);
            }
            if (tree[i].around > 1 && tree[i].condition.unit != LengthUnit::pixel) {
                return "question " + std::to_string(i) + ": a ratio has no unit";
            }
        }
    }
    return {};
}

namespace {

constexpr std::string_view kAroundWord = " around ";
constexpr std::string_view kThen = " ? ";
constexpr std::string_view kElse = " : ";

std::string answerText(std::uint32_t next) {
    return next == ForestNode::kKeep ? "keep" : next == ForestNode::kDrop ? "drop" : std::to_string(next);
}

std::uint32_t wholeOf(std::string_view text, const std::string& question) {
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        throw Error(ErrorCode::invalidArgument, "'" + question + "': '" + std::string(text) + "' is no number");
    }
    return number;
}

std::uint32_t answerOf(std::string_view text, const std::string& question) {
    return text == "keep" ? ForestNode::kKeep : text == "drop" ? ForestNode::kDrop : wholeOf(text, question);
}

} // namespace

ForestNode parseQuestion(const std::string& text) {
    const std::size_t then = text.find(kThen);
    const std::size_t otherwise = text.find(kElse, then == std::string::npos ? 0 : then);
    if (then == std::string::npos || otherwise == std::string::npos) {
        throw Error(ErrorCode::invalidArgument,
                    "'" + text + "': expected a question, for instance 'area>=100 around 2 ? keep : 1'");
    }
    const std::string_view answers = std::string_view(text).substr(then + kThen.size());
    const std::size_t middle = otherwise - then - kThen.size();
    std::string_view condition = std::string_view(text).substr(0, then);
    ForestNode node;
    if (const std::size_t around = condition.find(kAroundWord); around != std::string_view::npos) {
        node.around = wholeOf(condition.substr(around + kAroundWord.size()), text);
        condition = condition.substr(0, around);
    }
    node.condition = parseCriterion(condition);
    node.met = answerOf(answers.substr(0, middle), text);
    node.otherwise = answerOf(answers.substr(middle + kElse.size()), text);
    return node;
}

std::string toString(const ForestNode& node) {
    const std::string around = node.around == 1 ? "" : std::string(kAroundWord) + std::to_string(node.around);
    return toString(node.condition) + around + std::string(kThen) + answerText(node.met) + std::string(kElse) +
           answerText(node.otherwise);
}

Buffer<std::uint8_t> meetForest(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns,
                                const JobControl& control) {
    Buffer<std::uint8_t> keep = meetCriteria(spec, columns, tree.nodeCount(), control);
    if (spec.forest.trees.empty()) {
        return keep;
    }
    if (const std::string why = forestProblem(spec.forest); !why.empty()) {
        throw Error(ErrorCode::invalidArgument, "forest: " + why);
    }
    ForestDecision(spec.forest, columns, tree.nodeCount()).decide(tree, keep, control);
    return keep;
}

} // namespace pollard
