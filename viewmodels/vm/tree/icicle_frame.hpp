#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "filter/node_decision.hpp"
#include "tree/icicle_paint.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Colours of an icicle, 0xAARRGGBB.
struct IciclePalette {
    std::vector<std::uint32_t> scale;   ///< from the smallest value to the largest
    std::vector<std::uint32_t> removed; ///< the same for what the filter removes; as long
    std::uint32_t undefined = 0;
    std::uint32_t selected = 0;

    bool operator==(const IciclePalette&) const = default;
};

/// Nodes that are marked by another number than 0.
using NodeFlags = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A painted part of an icicle, and what it was made from.
struct IcicleFrame {
    std::shared_ptr<const IcicleLayout> layout;
    std::shared_ptr<const AttributeColumn> column;
    std::shared_ptr<const NodeDecision> decision; ///< of the filter; null if it removes nothing
    NodeFlags selected;                           ///< null if nothing is
    bool logarithmic = false;
    double lowest = 0; ///< value at the beginning of the colours; column->maximum is at their end
    IcicleRect part;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> nodes;  ///< of shape (rows, columns): node or kNoIcicleNode
    std::vector<std::uint32_t> pixels; ///< the same: 0xAARRGGBB or 0

    /// How its components are coloured, @p palette being that of now; valid as long as both.
    [[nodiscard]] IcicleColours colours(const IciclePalette& palette) const noexcept;
    /// The component that is shown at a place of the icicle; nothing beside all of them, and outside the part.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(double area, double height) const noexcept;
};

/// What is to be painted.
struct IcicleRequest {
    std::shared_ptr<const ComponentTree> tree;
    IcicleHeight measure = IcicleHeight::level;
    std::optional<IcicleRect> part; ///< none: all of it
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::shared_ptr<const AttributeColumn> column;
    bool logarithmic = false;
    IciclePalette palette;
    std::optional<FilterSpec> filter; ///< that removes nodes
    FilterColumns filterColumns;
    NodeFlags selected; ///< null or one a node
};

/// Paints icicles, and keeps layout and decision from one to the next. For one thread at a time.
class IcicleMaker {
public:
    /// @throws Cancelled, Error
    [[nodiscard]] std::shared_ptr<const IcicleFrame> make(const IcicleRequest& request, const JobControl& control);
    /// Gives everything back.
    void forget() noexcept;

private:
    void decide(const IcicleRequest& request, const JobControl& control);

    std::shared_ptr<const IcicleLayout> layout_;
    std::shared_ptr<const ComponentTree> decided_; ///< tree that the decision is about
    FilterSpec filter_;
    std::shared_ptr<const NodeDecision> decision_;
};

} // namespace pollard::vm
