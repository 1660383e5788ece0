#include "vm/tree/icicle_frame.hpp"

#include <cmath>

namespace pollard::vm {

namespace {

constexpr std::uint32_t kLineFrom = 5; ///< px, smallest box with lines

} // namespace

IcicleColours IcicleFrame::colours(const IciclePalette& palette) const noexcept {
    IcicleColours result;
    result.column = column.get();
    result.logarithmic = logarithmic;
    result.scale = palette.scale;
    result.removedScale = palette.removed;
    result.undefined = palette.undefined;
    if (decision) {
        result.keep = decision->keep.span();
    }
    if (selected) {
        result.selected = *selected;
        result.selectedColour = palette.selected;
    }
    return result;
}

std::optional<std::uint32_t> IcicleFrame::nodeAt(double area, double height) const noexcept {
    const double x = std::floor((area - part.left) / part.width() * columns);
    const double y = std::floor((height - part.top) / part.height() * rows);
    if (x < 0 || y < 0 || x >= columns || y >= rows) {
        return std::nullopt;
    }
    const std::uint32_t node = nodes[static_cast<std::size_t>(y) * columns + static_cast<std::size_t>(x)];
    return node == kNoIcicleNode ? std::nullopt : std::optional(node);
}

void IcicleMaker::forget() noexcept {
    layout_.reset();
    decided_.reset();
    decision_.reset();
}

void IcicleMaker::decide(const IcicleRequest& request, const JobControl& control) {
    if (!request.filter) {
        decision_.reset();
        decided_.reset();
    } else if (decided_ != request.tree || filter_ != *request.filter) {
        decision_ = std::make_shared<const NodeDecision>(
            decideNodes(*request.tree, *request.filter, request.filterColumns, control));
        decided_ = request.tree;
        filter_ = *request.filter;
    }
}

std::shared_ptr<const IcicleFrame> IcicleMaker::make(const IcicleRequest& request, const JobControl& control) {
    if (!layout_ || layout_->tree != request.tree || layout_->measure != request.measure) {
        layout_.reset(); // first, so that only one takes memory
        layout_ = std::make_shared<const IcicleLayout>(layOutIcicle(request.tree, request.measure, control));
    }
    decide(request, control);
    auto frame = std::make_shared<IcicleFrame>();
    frame->layout = layout_;
    frame->column = request.column;
    frame->decision = decision_;
    frame->selected = request.selected;
    frame->logarithmic = request.logarithmic;
    frame->part = request.part.value_or(layout_->whole());
    frame->columns = request.columns;
    frame->rows = request.rows;
    frame->nodes.resize(std::size_t{request.columns} * request.rows);
    frame->pixels.resize(frame->nodes.size());
    IciclePaint paint;
    paint.layout = layout_.get();
    paint.part = frame->part;
    paint.columns = request.columns;
    paint.rows = request.rows;
    paint.lineFrom = kLineFrom;
    paint.colours = frame->colours(request.palette);
    frame->lowest = paint.colours.lowest();
    paintIcicle(paint, frame->nodes, frame->pixels, control);
    return frame;
}

} // namespace pollard::vm
