#pragma once

#include "components/objects/object_features.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace pollard {

struct ClassifiedObjects;

/// A column of a table of objects beside their features.
struct ObjectColumn {
    std::string name;                                   ///< as displayed; not quoted
    std::function<double(std::uint32_t label)> valueOf; ///< NaN: an empty cell
    std::shared_ptr<const ClassifiedObjects> classes{}; ///< set: cells are names of classes, see classColumn()
    std::shared_ptr<const ValueMapping> values{};       ///< set: of a level or a mean of levels, with these values
};

/// Null if no column has the name.
[[nodiscard]] inline const ObjectColumn* findColumn(std::span<const ObjectColumn> columns,
                                                    std::string_view name) noexcept {
    for (const ObjectColumn& column : columns) {
        if (column.name == name) {
            return &column;
        }
    }
    return nullptr;
}

/// A feature, or a column by its name.
struct ObjectQuantity {
    ObjectFeature feature = ObjectFeature::label; ///< if there is no column
    std::string column;

    ObjectQuantity() = default;
    ObjectQuantity(ObjectFeature own) : feature(own) {} // NOLINT(google-explicit-constructor)
    explicit ObjectQuantity(std::string name) : column(std::move(name)) {}

    [[nodiscard]] bool isColumn() const noexcept { return !column.empty(); }
    /// Edge measurements that it requires.
    [[nodiscard]] EdgeMeasure edge() const noexcept { return isColumn() ? EdgeMeasure::none : edgeMeasureOf(feature); }
    bool operator==(const ObjectQuantity&) const = default;
};

} // namespace pollard
