#include "vm/lab/lab_recording.hpp"

#include "cpu/cpu_engine.hpp"
#include "player/player.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <memory>
#include <set>

namespace pollard::vm {
namespace {

QString filledIn(const char* source, const std::array<teach::Value, 4>& values, const teach::LabImage& image,
                 std::uint32_t wordBits) {
    QString text = teachText(source);
    for (std::size_t i = 0; i < values.size(); ++i) {
        text.replace(QStringLiteral("%%1").arg(i + 1), valueText(values[i], image, wordBits));
    }
    return text;
}

} // namespace

QString teachText(const char* source) { return QCoreApplication::translate("Teach", source); }

QString pixelText(const teach::LabImage& image, std::int64_t pixel) {
    const std::int64_t width = std::max<std::int64_t>(1, image.width);
    return pixel < 0 ? QStringLiteral("–") : QStringLiteral("(%1, %2)").arg(pixel % width).arg(pixel / width);
}

QString threadName(std::int64_t thread) { return QChar(static_cast<char16_t>(u'A' + thread)); }

QString bitsText(std::int64_t word, std::uint32_t bits) {
    QString text;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
        text += (static_cast<std::uint64_t>(word) >> bit & 1U) != 0 ? u'1' : u'0';
    }
    return text;
}

QString valueText(const teach::Value& value, const teach::LabImage& image, std::uint32_t wordBits) {
    using Kind = teach::Value::Kind;
    switch (value.kind) {
    case Kind::pixel:
        return pixelText(image, value.value);
    case Kind::thread:
        return threadName(value.value);
    case Kind::bits:
        return bitsText(value.value, wordBits);
    case Kind::number:
    case Kind::level:
        break;
    }
    return QString::number(value.value);
}

QString sentenceText(const teach::Sentence& sentence, const teach::LabImage& image) {
    return filledIn(sentence.text, sentence.values, image, 0);
}

QString captionOf(const teach::Trace& trace, std::size_t step) {
    const teach::Step& shown = trace.steps.at(step);
    return filledIn(shown.text->caption, shown.values, trace.image, trace.wordBits);
}

namespace {

constexpr std::size_t kMostLevelRows = 16;

std::shared_ptr<const ComponentTree> treeOf(const teach::LabImage& image, TreeKind kind, Connectivity connectivity) {
    const auto engine = makeCpuEngine();
    const auto session = engine->openSession();
    session->open(std::make_shared<const Image>(teach::imageOf(image)));
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    return session->tree();
}

void placeAcross(DrawnTree& tree) {
    std::vector<double> first(tree.nodes.size(), -1);
    std::vector<double> last(tree.nodes.size(), -1);
    double leaf = 0;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        if (tree.nodes[n].end == n + 1) {
            first[n] = last[n] = leaf++;
        }
    }
    tree.leaves = static_cast<std::uint32_t>(leaf);
    for (std::size_t n = tree.nodes.size(); n-- > 0;) {
        DrawnTree::Node& node = tree.nodes[n];
        const double middle = (first[n] + last[n]) / 2;
        node.across = (middle + 0.5) / leaf;
        if (n > 0) {
            first[node.parent] = middle; // children are visited from the last to the first
            last[node.parent] = std::max(last[node.parent], middle);
        }
    }
}

void placeDown(DrawnTree& tree) {
    std::set<std::uint16_t> levels;
    for (const DrawnTree::Node& node : tree.nodes) {
        levels.insert(node.level);
    }
    std::vector<std::uint32_t> row(tree.nodes.size(), 0);
    const bool byLevel = levels.size() <= kMostLevelRows;
    for (std::size_t n = 0; n < row.size(); ++n) {
        const DrawnTree::Node& node = tree.nodes[n];
        if (byLevel) {
            const auto rank = static_cast<std::uint32_t>(std::distance(levels.begin(), levels.find(node.level)));
            row[n] = tree.kind == TreeKind::max ? rank : static_cast<std::uint32_t>(levels.size()) - 1 - rank;
        } else if (n > 0) {
            row[n] = row[node.parent] + 1;
        }
    }
    const std::uint32_t last = *std::ranges::max_element(row);
    tree.rows = last + 1;
    for (std::size_t n = 0; n < row.size(); ++n) {
        tree.nodes[n].down = last == 0 ? 0 : static_cast<double>(row[n]) / last;
    }
}

/// A player without a connectivity option has a fixed one.
Connectivity connectivityOf(const teach::Trace& trace, Connectivity asked) {
    const std::size_t edges = trace.start[static_cast<std::size_t>(teach::Layer::edge)].size();
    const auto fits = [&](Connectivity connectivity) {
        return teach::gridEdges(trace.image.width, trace.image.height, connectivity).size() == edges;
    };
    const Connectivity other = asked == Connectivity::four ? Connectivity::eight : Connectivity::four;
    return edges > 0 && !fits(asked) && fits(other) ? other : asked;
}

QString labQuizText(const char* source) { return QCoreApplication::translate("LabQuiz", source); }

} // namespace

DrawnTree makeDrawnTree(const teach::LabImage& image, TreeKind kind, Connectivity connectivity) {
    const auto built = treeOf(image, kind, connectivity);
    DrawnTree tree;
    tree.kind = kind;
    tree.connectivity = connectivity;
    tree.nodeOf.assign(built->pixelNode.data(), built->pixelNode.data() + built->pixelCount());
    for (std::size_t n = 0; n < built->nodeCount(); ++n) {
        DrawnTree::Node node;
        node.canonical = built->canonical[n];
        node.parent = built->parent[n];
        node.end = built->subtreeEnd[n];
        node.level = built->level[n];
        tree.nodes.push_back(node);
    }
    for (const std::uint32_t node : tree.nodeOf) {
        ++tree.nodes[node].area;
    }
    for (std::size_t n = tree.nodes.size(); n-- > 1;) {
        tree.nodes[tree.nodes[n].parent].area += tree.nodes[n].area;
    }
    placeAcross(tree);
    placeDown(tree);
    return tree;
}

LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabImage& image, const teach::PlayerSpec& spec) {
    LabRecording recording;
    recording.player = &player;
    recording.spec = spec;
    recording.trace = std::make_shared<const teach::Trace>(player.record(image, spec));
    const Connectivity connectivity = connectivityOf(*recording.trace, spec.connectivity);
    recording.tree = makeDrawnTree(image, spec.kind, connectivity);
    if (!recording.trace->start[static_cast<std::size_t>(teach::Layer::edge)].empty()) {
        recording.edges = teach::gridEdges(image.width, image.height, connectivity);
    }
    return recording;
}

QString captionAt(const LabRecording& recording, std::size_t done) {
    return done == 0 ? teachText(recording.player->summary) : captionOf(*recording.trace, done - 1);
}

std::span<const teach::Change> changesOfLastStep(const teach::TraceCursor& cursor) {
    if (cursor.done() == 0) {
        return {};
    }
    const teach::Trace& trace = cursor.trace();
    const std::size_t step = cursor.done() - 1;
    return std::span(trace.changes)
        .subspan(trace.steps[step].firstChange, trace.changesEnd(step) - trace.steps[step].firstChange);
}

std::optional<LabQuestion> questionBefore(const teach::Trace& trace, std::size_t step) {
    if (step >= trace.steps.size() || !trace.steps[step].asks) {
        return std::nullopt;
    }
    const std::size_t end = trace.changesEnd(step);
    if (end == trace.steps[step].firstChange) {
        return std::nullopt;
    }
    const teach::Change& last = trace.changes[end - 1];
    if (last.layer != teach::Layer::parent && last.layer != teach::Layer::kept) {
        return std::nullopt;
    }
    return LabQuestion{last.layer, last.at, last.after};
}

QString questionText(const teach::Trace& trace, const LabQuestion& question) {
    const QString pixel = pixelText(trace.image, question.pixel);
    return question.layer == teach::Layer::parent
               ? labQuizText("Which pixel becomes the parent of %1? Click it, or go there and press Return.").arg(pixel)
               : labQuizText("Does the filter keep the node of %1, or remove it?").arg(pixel);
}

bool LabScore::answer(std::size_t step, const LabQuestion& question, std::int64_t answer) {
    const bool isRight = answer == question.answer;
    if (answered_.insert(step).second && isRight) {
        ++right_;
    }
    return isRight;
}

void LabScore::clear() {
    answered_.clear();
    right_ = 0;
}

} // namespace pollard::vm
