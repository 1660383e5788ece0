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
    std::vector<std::uint32_t> scale;   ///< from the smallest to the largest value
    std::vector<std::uint32_t> removed; ///< the same length, for nodes removed by the filter
    std::uint32_t undefined = 0;
    std::uint32_t selected = 0;

    bool operator==(const IciclePalette&) const = default;
};

/// A node is marked by a number other than 0.
using NodeFlags = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A painted part of an icicle with its input.
struct IcicleFrame {
    std::shared_ptr<const IcicleLayout> layout;
    std::shared_ptr<const AttributeColumn> column;
    std::shared_ptr<const NodeDecision> decision; ///< of the filter; null if no node is removed
    NodeFlags selected;                           ///< null if there is no selection
    bool logarithmic = false;
    double lowest = 0; ///< value of the first colour; that of the last one is column->maximum
    IcicleRect part;
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<std::uint32_t> nodes;  ///< of shape (rows, columns): node or kNoIcicleNode
    std::vector<std::uint32_t> pixels; ///< the same: 0xAARRGGBB or 0

    /// Colours of the components with the present @p palette; valid as long as both exist.
    [[nodiscard]] IcicleColours colours(const IciclePalette& palette) const noexcept;
    /// The component at a place of the icicle; empty where there is none, and outside the part.
    [[nodiscard]] std::optional<std::uint32_t> nodeAt(double area, double height) const noexcept;
};

/// Input of a painted icicle.
struct IcicleRequest {
    std::shared_ptr<const ComponentTree> tree;
    IcicleHeight measure = IcicleHeight::level;
    std::optional<IcicleRect> part; ///< empty: all
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::shared_ptr<const AttributeColumn> column;
    bool logarithmic = false;
    IciclePalette palette;
    std::optional<FilterSpec> filter; ///< removes nodes
    FilterColumns filterColumns;
    NodeFlags selected; ///< null or one per node
};

/// Paints icicles, and reuses layout and decision. Used by one thread at a time.
class IcicleMaker {
public:
    /// @throws Cancelled, Error
    [[nodiscard]] std::shared_ptr<const IcicleFrame> make(const IcicleRequest& request, const JobControl& control);
    /// Frees everything.
    void forget() noexcept;

private:
    void decide(const IcicleRequest& request, const JobControl& control);

    std::shared_ptr<const IcicleLayout> layout_;
    std::shared_ptr<const ComponentTree> decided_; ///< tree of the decision
    FilterSpec filter_;
    std::shared_ptr<const NodeDecision> decision_;
};

} // namespace pollard::vm
