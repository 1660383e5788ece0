#pragma once

#include "player/exercise.hpp"
#include "player/player.hpp"
#include "trace/grid_edges.hpp"
#include "trace/trace.hpp"
#include "tree/component_tree.hpp"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace pollard::vm {

/// A text of teach in the language of the window.
[[nodiscard]] QString teachText(const char* source);

/// "(3, 2)": column and row, from 0.
[[nodiscard]] QString pixelText(const teach::LabImage& image, std::int64_t pixel);

/// The letter of a virtual thread: A for number 0.
[[nodiscard]] QString threadName(std::int64_t thread);

/// A word of zeros and ones, the lowest bit (leftmost pixel) first.
[[nodiscard]] QString bitsText(std::int64_t word, std::uint32_t bits);

/// A number of a caption for the user.
/// @param wordBits of Value::Kind::bits
[[nodiscard]] QString valueText(const teach::Value& value, const teach::LabImage& image, std::uint32_t wordBits);

/// A sentence of an exercise with its values.
[[nodiscard]] QString sentenceText(const teach::Sentence& sentence, const teach::LabImage& image);

/// The caption of a step with its values.
[[nodiscard]] QString captionOf(const teach::Trace& trace, std::size_t step);

/// The engine's tree of a small image with a place for each node in a drawing. Drawings of algorithms use these
/// places, so that nodes stay in place while links appear.
struct DrawnTree {
    struct Node {
        std::uint32_t canonical = 0; ///< pixel
        std::uint32_t parent = 0;
        std::uint32_t end = 0; ///< one past the last node of the component
        std::uint16_t level = 0;
        std::uint32_t area = 0; ///< px of the component
        double across = 0;      ///< 0 to 1: leaves side by side, others centred above theirs
        double down = 0;        ///< 0 at the root to 1: by level if there are few, else by edges from the root
    };

    TreeKind kind = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    std::vector<Node> nodes;           ///< in ComponentTree order
    std::vector<std::uint32_t> nodeOf; ///< per pixel
    std::uint32_t leaves = 0;
    std::uint32_t rows = 0; ///< number of different values of down

    [[nodiscard]] bool holds(std::uint32_t node, std::uint32_t pixel) const {
        return nodeOf.at(pixel) >= node && nodeOf[pixel] < nodes.at(node).end;
    }
};

/// @throws Error like the engine
[[nodiscard]] DrawnTree makeDrawnTree(const teach::LabImage& image, TreeKind kind, Connectivity connectivity);

/// A player's run on an image with the data to draw it. Immutable.
struct LabRecording {
    const teach::PlayerInfo* player = nullptr;
    teach::PlayerSpec spec;
    std::shared_ptr<const teach::Trace> trace;
    DrawnTree tree;                     ///< of the image
    std::vector<teach::GridEdge> edges; ///< indexed by Layer::edge; empty without the layer
};

/// Runs a player. @throws Error like the player and the engine
[[nodiscard]] LabRecording recordLab(const teach::PlayerInfo& player, const teach::LabImage& image,
                                     const teach::PlayerSpec& spec);

/// Caption after @p done steps: of the last one, or of the algorithm before the first.
[[nodiscard]] QString captionAt(const LabRecording& recording, std::size_t done);
/// Changes made by the step before the cursor.
[[nodiscard]] std::span<const teach::Change> changesOfLastStep(const teach::TraceCursor& cursor);

/// A question to the student before a step is shown.
struct LabQuestion {
    teach::Layer layer = teach::Layer::parent; ///< parent: which pixel? kept: 0 or 1?
    std::uint32_t pixel = 0;                   ///< the pixel in question
    std::int64_t answer = 0;

    bool operator==(const LabQuestion&) const = default;
};

/// The question before a step; empty if there is none.
[[nodiscard]] std::optional<LabQuestion> questionBefore(const teach::Trace& trace, std::size_t step);
/// "Which pixel becomes the parent of (1, 2)?"
[[nodiscard]] QString questionText(const teach::Trace& trace, const LabQuestion& question);

/// Counts the first answer to each step.
class LabScore {
public:
    /// @return whether it is right
    bool answer(std::size_t step, const LabQuestion& question, std::int64_t answer);
    void clear();

    [[nodiscard]] std::size_t right() const noexcept { return right_; }
    [[nodiscard]] std::size_t asked() const noexcept { return answered_.size(); }

private:
    std::set<std::size_t> answered_;
    std::size_t right_ = 0;
};

} // namespace pollard::vm
