#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace pollard {

/// @throws Error(invalidArgument) if the columns have different numbers of nodes
inline void requireSameTree(const AttributeColumn& x, const AttributeColumn& y) {
    if (x.size() != y.size()) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(x.size()) + " values of '" +
                                                    std::string(attributeInfo(x.id).name) + "' for " +
                                                    std::to_string(y.size()) + " of '" +
                                                    std::string(attributeInfo(y.id).name) + "'");
    }
}

/// BinFinder with a table for small integers, which covers most values of integral attributes without a logarithm.
template <class T> class TabledFinder {
public:
    TabledFinder(const Bins& bins, std::size_t nodes) : find_(bins) {
        if constexpr (std::is_integral_v<T>) {
            table_.resize(std::min(nodes, kTable));
            for (std::size_t value = 0; value < table_.size(); ++value) {
                table_[value] = find_(static_cast<double>(value));
            }
        }
    }

    [[nodiscard]] std::uint32_t operator()(T value) const noexcept {
        if constexpr (std::is_integral_v<T>) {
            // Negative numbers wrap beyond the table.
            const auto place = static_cast<std::make_unsigned_t<T>>(value);
            if (place < table_.size()) {
                return table_[static_cast<std::size_t>(place)];
            }
        }
        return find_(static_cast<double>(value));
    }

private:
    static constexpr std::size_t kTable = std::size_t{1} << 16;

    BinFinder find_;
    std::vector<std::uint32_t> table_;
};

} // namespace pollard
