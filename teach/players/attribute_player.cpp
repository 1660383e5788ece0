#include "players/players.hpp"

#include "attributes/attribute_table.hpp"
#include "player/lab_tree.hpp"
#include "trace/trace.hpp"
#include "tree/tree_sweeps.hpp"

#include <array>

namespace pollard::teach {
namespace {

constexpr std::array kAttributeLines{
    POLLARD_TEACH("for each node: area = number of its own pixels"),
    POLLARD_TEACH("for each node, from the leaves to the root:"),
    POLLARD_TEACH("    area of its parent += its area"),
    POLLARD_TEACH("for each node: sum = own pixels times level"),
    POLLARD_TEACH("for each node, from the leaves to the root:"),
    POLLARD_TEACH("    sum of its parent += its sum"),
    POLLARD_TEACH("for each node: volume = | sum - area times level of its parent |"),
    POLLARD_TEACH("for each node: box = the box of its own pixels"),
    POLLARD_TEACH("for each node, from the leaves to the root:"),
    POLLARD_TEACH("    the box of its parent grows until it holds its box"),
};

constexpr StepText kOwn{POLLARD_TEACH("The node of %1 has %2 pixels of its own level %3."), 0};
constexpr StepText kArea{
    POLLARD_TEACH("The node of %1 is complete: its parent, the node of %2, gets its %3 pixels and has %4."), 2};
constexpr StepText kOwnSum{POLLARD_TEACH("The levels of the own pixels of the node of %1 add up to %2."), 3};
constexpr StepText kSum{POLLARD_TEACH("The node of %1 gives its sum %3 to its parent, the node of %2, which has %4."),
                        5};
constexpr StepText kVolume{
    POLLARD_TEACH("%2 pixels of the node of %1 stand on level %3 of its parent: the volume between is %4."), 6};
constexpr StepText kRootVolume{
    POLLARD_TEACH("The root has no parent: its %1 pixels stand on its own level %2, and its volume is %3."), 6};
constexpr StepText kOwnBox{POLLARD_TEACH("The own pixels of the node of %1 lie in a box of %2 by %3 pixels."), 7};
constexpr StepText kBox{
    POLLARD_TEACH("The box of %2 has to contain the box of its child %1: it grows to %3 by %4 pixels."), 9};
constexpr StepText kAttributeEnd{
    POLLARD_TEACH("Every node is measured. Each was visited once per value, however deep the tree is."), -1};

/// Records the sweeps in the table and in the cells of the canonical pixels.
class AttributeRecording {
public:
    AttributeRecording(const LabImage& image, const PlayerSpec& spec) : lab_(image, spec), trace_(image) {
        const std::size_t n = tree().nodeCount();
        lab_.show(trace_);
        trace_.setUp(Layer::number, image.pixelCount());
        trace_.setTableColumns({POLLARD_TEACH("Pixel"), POLLARD_TEACH("Level"), POLLARD_TEACH("Area"),
                                POLLARD_TEACH("Sum"), POLLARD_TEACH("Volume"), POLLARD_TEACH("Left"),
                                POLLARD_TEACH("Top"), POLLARD_TEACH("Right"), POLLARD_TEACH("Bottom")});
        std::vector<std::int64_t> table(n * kAttributeCells, -1);
        for (std::size_t i = 0; i < n; ++i) {
            table[at(i, AttributeCell::canonical)] = tree().canonical[i];
            table[at(i, AttributeCell::level)] = tree().level[i];
        }
        trace_.setUp(Layer::table, std::move(table));
    }

    Trace run() {
        const Buffer<std::uint32_t> area = areas();
        volumes(area);
        boxes();
        trace_.step(kAttributeEnd);
        trace_.clearMarks();
        return trace_.take();
    }

private:
    [[nodiscard]] const ComponentTree& tree() const noexcept { return lab_.tree(); }
    [[nodiscard]] static std::size_t at(std::size_t node, AttributeCell cell) {
        return node * kAttributeCells + static_cast<std::size_t>(cell);
    }
    void show(std::size_t node, AttributeCell cell, std::int64_t value) {
        trace_.set(Layer::table, at(node, cell), value);
    }
    /// Also shows the value in the cell of the image.
    void showInImage(std::size_t node, AttributeCell cell, std::int64_t value) {
        show(node, cell, value);
        trace_.set(Layer::number, tree().canonical[node], value);
    }
    void markStep(std::size_t node, std::size_t other) { lab_.mark(trace_, node, other); }

    /// From children to parents, as the engine does. @p join (node, its parent)
    template <class Join> void fromLeaves(Join&& join) { sweepUp(tree(), {}, join); }

    [[nodiscard]] Buffer<std::uint32_t> areas() {
        Buffer<std::uint32_t> area(tree().nodeCount());
        for (std::size_t i = 0; i < area.size(); ++i) {
            area[i] = static_cast<std::uint32_t>(lab_.ownPixels(i).size());
            trace_.step(kOwn, {lab_.canonical(i), numberValue(area[i]), levelValue(tree().level[i])});
            markStep(i, i);
            showInImage(i, AttributeCell::area, area[i]);
        }
        fromLeaves([&](std::uint32_t i, std::uint32_t parent) {
            area[parent] += area[i];
            trace_.step(kArea,
                        {lab_.canonical(i), lab_.canonical(parent), numberValue(area[i]), numberValue(area[parent])});
            markStep(i, parent);
            showInImage(parent, AttributeCell::area, area[parent]);
            trace_.ask();
        });
        return area;
    }

    void volumes(const Buffer<std::uint32_t>& area) {
        Buffer<std::uint64_t> sum(tree().nodeCount());
        for (std::size_t i = 0; i < sum.size(); ++i) {
            sum[i] = std::uint64_t{lab_.ownPixels(i).size()} * tree().level[i];
            trace_.step(kOwnSum, {lab_.canonical(i), numberValue(static_cast<std::int64_t>(sum[i]))});
            markStep(i, i);
            showInImage(i, AttributeCell::levelSum, static_cast<std::int64_t>(sum[i]));
        }
        fromLeaves([&](std::uint32_t i, std::uint32_t parent) {
            sum[parent] += sum[i];
            trace_.step(kSum,
                        {lab_.canonical(i), lab_.canonical(parent), numberValue(static_cast<std::int64_t>(sum[i])),
                         numberValue(static_cast<std::int64_t>(sum[parent]))});
            markStep(i, parent);
            showInImage(parent, AttributeCell::levelSum, static_cast<std::int64_t>(sum[parent]));
        });
        for (std::size_t i = sum.size(); i-- > 0;) {
            const Levels levels{tree().level[i], tree().level[tree().parent[i]]};
            const auto value = static_cast<std::int64_t>(Formula<AttributeId::volume>::of(levels, {area[i]}, {sum[i]}));
            const Value base = levelValue(levels.parent);
            if (i == 0) {
                trace_.step(kRootVolume, {numberValue(area[i]), base, numberValue(value)});
            } else {
                trace_.step(kVolume, {lab_.canonical(i), numberValue(area[i]), base, numberValue(value)});
            }
            markStep(i, tree().parent[i]);
            showInImage(i, AttributeCell::volume, value);
            trace_.ask();
        }
    }

    void boxes() {
        const std::uint32_t width = tree().width;
        Buffer<NodeBox> box(tree().nodeCount());
        for (std::size_t i = 0; i < box.size(); ++i) {
            box[i] = {width, tree().height, 0, 0};
            for (const std::uint32_t p : lab_.ownPixels(i)) {
                box[i] = joined(box[i], {p % width, p / width, p % width, p / width});
            }
            trace_.step(kOwnBox, {lab_.canonical(i), numberValue(box[i].width()), numberValue(box[i].height())});
            markStep(i, i);
            showBox(i, box[i]);
        }
        fromLeaves([&](std::uint32_t i, std::uint32_t parent) {
            box[parent] = joined(box[parent], box[i]);
            trace_.step(kBox, {lab_.canonical(i), lab_.canonical(parent), numberValue(box[parent].width()),
                               numberValue(box[parent].height())});
            markStep(i, parent);
            showBox(parent, box[parent]);
        });
    }
    void showBox(std::size_t node, const NodeBox& box) {
        show(node, AttributeCell::left, box.left);
        show(node, AttributeCell::top, box.top);
        show(node, AttributeCell::right, box.right);
        show(node, AttributeCell::bottom, box.bottom);
        trace_.set(Layer::number, tree().canonical[node], static_cast<std::int64_t>(box.area()));
    }

    LabTree lab_;
    TraceRecorder trace_;
};

Trace recordAttribute(const LabImage& image, const PlayerSpec& spec) { return AttributeRecording(image, spec).run(); }

constexpr PlayerInfo kAttributeInfo{
    .id = "attributes",
    .title = POLLARD_TEACH("Attributes: from the leaves to the root"),
    .summary = POLLARD_TEACH("Area, height and width of every component, each in one sweep over the tree: children "
                             "pass their values to their parents."),
    .lines = kAttributeLines,
    .asksTree = true,
    .record = &recordAttribute,
};

} // namespace

const PlayerInfo& attributePlayer() { return kAttributeInfo; }

} // namespace pollard::teach
