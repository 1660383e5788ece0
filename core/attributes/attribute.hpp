#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace pollard {

/// Measurements of a component, over its full support X (the node with everything below it).
/// Definitions: docs/algorithms.md and the formula of attributeInfo().
enum class AttributeId : std::uint8_t {
    area,
    width,
    heightPx,
    bboxArea,
    bboxDiagonal,
    level,
    height,
    volume,
    mean,
    depth,
};

/// Everything a person or a program wants to know about an attribute, in one place.
struct AttributeInfo {
    AttributeId id;
    std::string_view name;    ///< stable id of CLI, recipes and tables: "area", "bbox_area"
    std::string_view title;   ///< for menus: "Area"
    std::string_view formula; ///< one line, for tooltips
    std::string_view unit;    ///< "px", "px^2", "grey", "grey*px"; empty if none
    bool increasing;          ///< grows (or stays) from a node to its parent
    bool integral;            ///< values are exact integers
};

[[nodiscard]] std::span<const AttributeInfo> allAttributes() noexcept;
[[nodiscard]] const AttributeInfo& attributeInfo(AttributeId id) noexcept;
[[nodiscard]] std::optional<AttributeId> findAttribute(std::string_view name) noexcept;

/// One value per node, in the numbering of ComponentTree.
struct AttributeColumn {
    AttributeId id;
    std::variant<Buffer<std::uint16_t>, Buffer<std::uint32_t>, Buffer<std::uint64_t>, Buffer<double>> values;
    double minimum = 0; ///< over all nodes; NaN values are left out
    double maximum = 0;

    [[nodiscard]] std::size_t size() const noexcept {
        return std::visit([](const auto& v) { return v.size(); }, values);
    }
    /// Value of a node; integers above 2^53 are rounded.
    [[nodiscard]] double at(std::size_t node) const noexcept {
        return std::visit([node](const auto& v) { return static_cast<double>(v[node]); }, values);
    }
};

} // namespace pollard
