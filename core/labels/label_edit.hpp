#pragma once

#include "labels/pixel_spans.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace pollard {

/// The pixels that an edit of a label image has changed: runs with the number before and the number after, in a few
/// bytes each. Immutable once it is complete.
class LabelEdit {
public:
    LabelEdit() = default;
    /// @param labels of the objects before the edit: numbers 1 .. labels
    LabelEdit(const Extent& extent, std::uint32_t labels) : extent_(extent), labels_(labels) {}

    /// Adds pixels of one row, after all pixels that were added before.
    void add(const PixelSpan& pixels, std::uint32_t before, std::uint32_t after);

    /// Whether nothing changes.
    [[nodiscard]] bool isEmpty() const noexcept { return runs_.empty(); }
    /// The objects with other pixels, without the background, and the box of the pixels that each has won or lost.
    /// Empty after pack().
    [[nodiscard]] const std::map<std::uint32_t, LabelBox>& changed() const noexcept { return changed_; }
    /// Largest number that was used, also of objects that are gone.
    [[nodiscard]] std::uint32_t labels() const noexcept { return labels_; }
    /// All pixels of an object get another label.
    struct Move {
        std::uint32_t from = 0;   ///< 0: no object is moved
        std::uint32_t to = 0;     ///< label
        std::uint32_t number = 0; ///< of a new object, see addObject(); 0: it is not new
    };
    [[nodiscard]] const Move& move() const noexcept { return move_; }
    void setMove(const Move& move) noexcept { move_ = move; }
    /// Sets the numbers after the edit. @param labels with the numbers before the edit
    void apply(std::span<std::uint32_t> labels) const;
    /// Sets the numbers before the edit.
    void revert(std::span<std::uint32_t> labels) const;
    /// Calls visit(pixels, number before, number after) for the runs, in raster order.
    void forEachRun(const std::function<void(const PixelSpan&, std::uint32_t, std::uint32_t)>& visit) const;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Compresses the runs (Deflate) and drops changed(). No run is added afterwards.
    void pack();
    /// The edit with changed(), as it was before pack().
    [[nodiscard]] LabelEdit unpacked() const;

private:
    [[nodiscard]] std::vector<std::uint8_t> inflated() const; ///< the runs before pack()
    void append(std::size_t number);
    void noteChange(std::uint32_t label, const LabelBox& box);

    Extent extent_;
    std::uint32_t labels_ = 0;
    Move move_;
    std::size_t end_ = 0; ///< of the last run
    std::uint32_t lastBefore_ = 0;
    std::uint32_t lastAfter_ = 0;
    /// For each run, 7 bits a byte: pixels since the last one; twice the pixels, plus 1 if the numbers are not
    /// the numbers of the last run; then the numbers.
    std::vector<std::uint8_t> runs_;
    std::size_t packedBytes_ = 0; ///< of the runs before pack(); 0: they are not compressed
    std::map<std::uint32_t, LabelBox> changed_;
};

/// Edits of a label image one after another, for undo and redo. The oldest ones are dropped so that all together do not
/// exceed a number of bytes. The newest one may alone have kTimesForOne times as many; an edit that has more after
/// compression is not kept, nor the ones before it.
class LabelHistory {
public:
    static constexpr std::size_t kTimesForOne = 4;

    explicit LabelHistory(std::size_t mostBytes) : mostBytes_(mostBytes) {}

    /// Edits that are applied, those that were dropped included.
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    /// The least position that can be returned to.
    [[nodiscard]] std::size_t oldest() const noexcept { return oldest_; }
    /// The position after the last edit that can be applied again.
    [[nodiscard]] std::size_t newest() const noexcept { return oldest_ + edits_.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    /// Adds an edit that was applied, and drops those that were undone. A large edit is packed.
    void push(LabelEdit edit);
    /// The edit that led to a position, oldest() < @p position <= newest().
    [[nodiscard]] const LabelEdit& at(std::size_t position) const { return edits_[position - oldest_ - 1]; }
    /// Says that edits were reverted or applied again. @param position oldest() .. newest()
    void setPosition(std::size_t position) noexcept { position_ = position; }

private:
    std::size_t mostBytes_;
    std::deque<LabelEdit> edits_;
    std::size_t oldest_ = 0;
    std::size_t position_ = 0;
    std::size_t bytes_ = 0;
};

} // namespace pollard
